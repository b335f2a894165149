//! Offline tools for people who write AIs.

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(about, version)]
struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Debug, Subcommand)]
enum Tool {
    /// Lets players play many games on the same seeds, and says how strong each is and whether they can be told apart.
    Arena(lab::arena::Options),
    /// Measures how fast the engine is on one core, and checks its answers.
    Bench(lab::bench::Options),
}

fn main() -> Result<()> {
    match Arguments::parse().tool {
        Tool::Arena(options) => lab::arena::run(&options, &mut std::io::stdout().lock()),
        Tool::Bench(options) => lab::bench::run(&options, &mut std::io::stdout().lock()),
    }
}
