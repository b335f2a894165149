//! `lab bench`: the figures of the project that are speeds.

mod engine;
mod ntuple;
mod players;
mod stopwatch;

use std::{io::Write, path::PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use self::stopwatch::{Speed, speed};
use crate::learned::Learned;

/// What to measure, and how often.
#[derive(Debug, Args)]
pub struct Options {
    /// Print one JSON object instead of lines to read.
    #[arg(long)]
    json: bool,
    /// How often each figure is measured; the median counts.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// File of weights for the player ntuple, made by `lab weights`.
    #[arg(long, default_value = Learned::SHIPPED)]
    weights: PathBuf,
    /// Print one fingerprint only, as a commit's `Bench:` line has it: of the engine's answers, or of the players' play.
    #[arg(long, value_name = "CRATE", num_args = 0..=1, default_missing_value = "engine")]
    fingerprint: Option<Fingerprint>,
}

/// The crates whose commits carry a fingerprint.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Fingerprint {
    Engine,
    Players,
}

/// The figures by name. A name is the crate, a dot, what is counted and its unit.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    runs: u16,
    values: Map<String, Value>,
}

/// Measures everything and writes the figures to `out`.
///
/// # Errors
/// - When `out` can't be written.
pub fn run(options: &Options, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(of) = options.fingerprint {
        let fingerprint = match of {
            Fingerprint::Engine => engine::fingerprint(),
            Fingerprint::Players => players::fingerprint(),
        };
        return writeln!(out, "{fingerprint}").context("write the fingerprint");
    }
    let mut figures = Figures { runs: options.runs, values: Map::new() };
    engine::measure(&mut figures);
    players::measure(&mut figures);
    ntuple::measure(&mut figures, &Learned::in_file(options.weights.clone()))?;
    if options.json {
        serde_json::to_writer_pretty(&mut *out, &figures.values)?;
        writeln!(out)?;
    } else {
        for (name, value) in &figures.values {
            writeln!(out, "{name:40} {value}")?;
        }
    }
    Ok(())
}

impl Figures {
    /// Adds a word.
    pub(crate) fn tell(&mut self, name: &str, word: &str) {
        self.values.insert(name.to_owned(), word.into());
    }

    /// Adds a number, to three digits after the point.
    pub(crate) fn number(&mut self, name: &str, number: f64) {
        self.values.insert(name.to_owned(), ((number * 1e3).round() / 1e3).into());
    }

    /// Measures how many units of work a second `work` does, and adds the medians: by the CPU time of this thread under
    /// `name`, by the clock under `name` with `_wall`.
    ///
    /// `work` is called many times a run; it returns the units it did, and must have checked its answers.
    pub(crate) fn per_second(&mut self, name: &str, work: impl FnMut() -> u64) {
        let Speed { cpu, wall } = speed(self.runs, work);
        self.values.insert(name.to_owned(), cpu.round().into());
        self.values.insert(format!("{name}_wall"), wall.round().into());
    }

    /// Measures how many milliseconds one call of `work` takes, likewise.
    pub(crate) fn milliseconds(&mut self, name: &str, mut work: impl FnMut()) {
        let Speed { cpu, wall } = speed(self.runs, || {
            work();
            1
        });
        let rounded = |per_second: f64| (1e6 / per_second).round() / 1e3;
        self.values.insert(name.to_owned(), rounded(cpu).into());
        self.values.insert(format!("{name}_wall"), rounded(wall).into());
    }
}
