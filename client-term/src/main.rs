//! Starts the terminal client.

use std::{env, io::IsTerminal, process::ExitCode};

use clap::Parser;
use client_term::options::{Options, Surroundings};

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let variable = |name| env::var(name).unwrap_or_default();
    let around = Surroundings {
        stdin_is_terminal: std::io::stdin().is_terminal(),
        stdout_is_terminal: std::io::stdout().is_terminal(),
        term: variable("TERM"),
        colorterm: variable("COLORTERM"),
        no_color: variable("NO_COLOR"),
    };
    Ok(client_term::run(&Options::parse(), &around).await?)
}
