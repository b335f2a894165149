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
    /// Lets a network of n-tuples learn from games that it plays with itself.
    Train(lab::train::Options),
    /// Packs a trained network into a file to be shipped, and measures what is lost.
    Weights(lab::weights::Options),
}

fn main() -> Result<()> {
    match Arguments::parse().tool {
        Tool::Arena(options) => lab::arena::run(&options, &mut std::io::stdout().lock()),
        Tool::Bench(options) => lab::bench::run(&options, &mut std::io::stdout().lock()),
        Tool::Train(options) => lab::train::run(&options, &mut std::io::stdout().lock()),
        Tool::Weights(options) => lab::weights::run(&options, &mut std::io::stdout().lock()),
    }
}
