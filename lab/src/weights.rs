//! `lab weights`: what a trained network becomes to be shipped.

use std::{io::Write, num::NonZeroUsize, path::PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use engine::Tile;
use players::ntuple::{About, Outcome, Weights, write};

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
    let (progress, history) =
        checkpoint.load(&settings, &memory)?.context("there is no checkpoint")?;
    let threads = options.threads.get();
    let outcomes = play(threads, options.games, settings.seed, |seed| memory.play(seed));
    writeln!(out, "as trained: {}", Sample::of(&outcomes))?;
    let weights = memory.quantised(options.step);
    let learned = match settings.largest {
        Some(largest) => Tile::from_value(largest.into())?,
        None => learned(&outcomes),
    };
    let about = About { learned, ..about(&settings, &progress, &history, options)? };
    // Written twice: the score in it is that of the file itself.
    let file = write(&weights, &about, 1)?;
    let network = Weights::check(&file)?.unpack()?;
    let after = Sample::of(&play(threads, options.games, settings.seed, |seed| network.play(seed)));
    writeln!(out, "as packed:  {after}")?;
    let about = About { score: after.to_string(), ..about };
    let file = write(&weights, &about, options.level)?;
    std::fs::write(&options.file, &file)
        .with_context(|| format!("write {}", options.file.display()))?;
    let kept = weights.iter().filter(|weight| **weight != 0).count();
    writeln!(
        out,
        "{}: {:.1} MB, {kept} of {} weights are not zero; {} MiB in memory",
        options.file.display(),
        file.len() as f64 / 1e6,
        weights.len(),
        network.bytes() >> 20,
    )
    .context("write the result")
}

fn about(
    settings: &Settings,
    progress: &Progress,
    history: &[String],
    options: &Options,
) -> Result<About> {
    let commands = history.iter().cloned().chain([settings.command(progress.games)]);
    let commands: Vec<_> = commands.map(|options| format!("lab train {options}")).collect();
    let begins = settings.stages.iter().map(|&value| Tile::from_value(value.into()));
    Ok(About {
        begins: begins.collect::<Result<_, _>>()?,
        step: options.step,
        base: settings.optimistic,
        games: progress.games,
        training: commands.join(", then "),
        ..About::default()
    })
}

/// The largest tile that a network's own games reach often enough to learn from: two of three of them. One that was
/// reached in 89 % and 55 % of its games with 8192 and 16384 had 228,914 points with 16384 as its largest, 241,559 with
/// 8192 and 176,783 with 4096.
fn learned(outcomes: &[Outcome]) -> Tile {
    let tiles = (9..=15).rev().filter_map(Tile::from_exponent);
    let often = |tile: &Tile| {
        let reached = outcomes.iter().filter(|outcome| outcome.largest >= Some(*tile));
        3 * reached.count() >= 2 * outcomes.len()
    };
    tiles.into_iter().find(often).unwrap_or(Tile::from_exponent(8).expect("a tile"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::parsed, train};

    #[test]
    fn a_trained_network_becomes_a_file_that_tells_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name).to_str().unwrap().to_owned();
        let (network, file) = (path("network"), path("own.weights"));
        let games = ["--games", "50", "--evaluate-games", "10"];
        let train: train::Options = parsed(&[&[network.as_str()][..], &games[..]].concat());
        train::run(&train, &mut Vec::new()).unwrap();
        let mut told = Vec::new();
        let pack: Options =
            parsed(&[&network, &file, "--games", "20", "--level", "1", "--step", "0.5"]);
        run(&pack, &mut told).unwrap();
        let told = String::from_utf8(told).unwrap();
        assert!(told.contains("as trained: mean ") && told.contains("as packed:  mean "), "{told}");
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()[..600]).into_owned();
        assert!(
            text.starts_with("serve2048 n-tuple network 1\nshape: 012345 456789 012456 45689a\n"),
            "{text}"
        );
        assert!(text.contains("\ntraining: lab train FOLDER --games 50 --method tc "), "{text}");
        assert!(text.contains("of 20 games one move ahead"), "{text}");
        let network = Weights::check(&std::fs::read(&file).unwrap()).unwrap().unpack().unwrap();
        assert_eq!(network.bytes(), 2 * players::ntuple::WEIGHTS);
    }
}
