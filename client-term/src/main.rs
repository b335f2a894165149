//! Starts the terminal client.

use std::{env, io::IsTerminal, process::ExitCode};

use clap::Parser;
use client_term::{
    options::{Options, Surroundings},
    printable::printable,
};

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
    client_term::run(&Options::parse(), &around).await.map_err(|error| clean(&error.into()))
}

/// The same error, whose text may have come from a server, without what a terminal would act on.
fn clean(error: &anyhow::Error) -> anyhow::Error {
    let mut texts = error.chain().map(|cause| printable(&cause.to_string()).into_owned()).rev();
    let root = anyhow::Error::msg(texts.next().unwrap_or_default());
    texts.fold(root, anyhow::Error::context)
}
