//! `lab weights`: what a trained network becomes to be shipped.

use std::{io::Write, num::NonZeroUsize, path::PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use engine::Tile;
use players::ntuple::{About, Memory, Weights, write};

use crate::train::{Checkpoint, Progress, Sample, Settings, play};

/// Which network, how finely, and where to.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example: lab weights network weights/ntuple.weights")]
pub struct Options {
    /// The folder that `lab train` has learned in.
    folder: PathBuf,
    /// The file to write.
    file: PathBuf,
    /// Points of one step of a weight: the more, the smaller the file and the coarser the network.
    #[arg(long, default_value_t = 4.0)]
    step: f32,
    /// Games to measure the score by, before and after: the same ones.
    #[arg(long, default_value = "2000", value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// Games at the same time.
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// How hard zstd tries, up to 22.
    #[arg(long, default_value_t = 19)]
    level: i32,
}

/// Writes the file, reads it again, and tells what that costs in points.
///
/// # Errors
/// - When the folder has no checkpoint, or a file cannot be read or written.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    ensure!(options.step > 0.0, "a step is more than 0 points");
    let checkpoint = Checkpoint::new(&options.folder);
    let settings = checkpoint.settings()?;
    let memory = settings.memory()?;
    let progress = checkpoint.load(&settings, &memory)?.context("there is no checkpoint")?;
    let threads = options.threads.get();
    let before = Sample::of(&play(threads, options.games, settings.seed, |seed| memory.play(seed)));
    writeln!(out, "as trained: {before}")?;
    let weights = quantised(&memory, options.step);
    let about = about(&settings, &progress, options)?;
    // Written twice: the score in it is that of the file itself.
    let file = write(&weights, &about, 1)?;
    let network = Weights::check(&file)?.unpack()?;
    let after = Sample::of(&play(threads, options.games, settings.seed, |seed| network.play(seed)));
    writeln!(out, "as packed:  {after}")?;
    let about = About { score: after.to_string(), ..about };
    let file = write(&weights, &about, options.level)?;
    std::fs::write(&options.file, &file)
        .with_context(|| format!("write {}", options.file.display()))?;
    let learned = weights.iter().filter(|weight| **weight != 0).count();
    writeln!(
        out,
        "{}: {:.1} MB, {learned} of {} weights are not zero; {} MiB in memory",
        options.file.display(),
        file.len() as f64 / 1e6,
        weights.len(),
        network.bytes() >> 20,
    )
    .context("write the result")
}

/// Each weight as a number of steps, to the nearest.
fn quantised(memory: &Memory, step: f32) -> Vec<i16> {
    // The conversion saturates, so a weight beyond all steps becomes the last.
    (0..memory.len()).map(|at| (memory.weight(at) / step).round() as i16).collect()
}

fn about(settings: &Settings, progress: &Progress, options: &Options) -> Result<About> {
    let begins = settings.stages.iter().map(|&value| Tile::from_value(value.into()));
    Ok(About {
        begins: begins.collect::<Result<_, _>>()?,
        step: options.step,
        base: settings.optimistic,
        games: progress.games,
        training: format!("lab train {}", settings.command(progress.games)),
        score: String::new(),
    })
}
