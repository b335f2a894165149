//! Drives a server hard, breaks it on purpose, and checks that nothing was lost.

use std::process::ExitCode;

use clap::Parser as _;

/// The server's: what is measured is what is shipped.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<ExitCode> {
    loadtest::run(loadtest::Arguments::parse(), &mut std::io::stdout().lock())
}
