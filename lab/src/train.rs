//! `lab train`: a network that learns 2048 by playing it.

mod checkpoint;
mod crew;
mod curve;
mod pace;
mod plot;
mod sample;

use std::{
    io::Write,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use checkpoint::Method;
pub(crate) use checkpoint::{Checkpoint, Progress, Settings};
use clap::Args;
use crew::Shift;
pub(crate) use crew::play;
use curve::Curve;
use engine::Tile;
use pace::Pace;
use players::ntuple::{Memory, Weights};
pub(crate) use sample::Sample;

/// What to learn, how, for how long and where it is kept.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example: lab train network --games 100000\n\
    Called again with the same folder, it goes on where the last checkpoint was made. With one thread, the same \
    options give the same network bit by bit, in one go or in many.")]
pub struct Options {
    /// The folder of the checkpoint and of the learning curve (curve.csv, curve.svg); made if it is not there.
    folder: PathBuf,
    /// Games to have learned from in all, those before the checkpoint too.
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    /// Learners at the same time, on the same network.
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Temporal coherence, or TD(0).
    #[arg(long, value_enum, default_value_t = Method::Tc)]
    method: Method,
    /// The share of the way that a value is moved to what it should be: 1 for TC, 0.1 for TD by default.
    #[arg(long)]
    rate: Option<f32>,
    /// What every board is worth at first: more than it can be makes the network try everything.
    #[arg(long, default_value_t = 0.0)]
    optimistic: f32,
    /// Tiles with which another stage begins, that has its own weights, in rising order, 512 to 32768. Stages that a
    /// checkpoint lacks begin with the weights of its last one.
    #[arg(long, value_name = "TILES", value_delimiter = ',')]
    stages: Vec<u64>,
    /// A game that has ended begins again from its middle, as long as it had so many moves since it began last.
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(10..))]
    restart: Option<u32>,
    /// The largest tile to learn, 512 to 32768: a game that has made a larger one goes on from a board much like it without.
    #[arg(long, value_name = "TILE")]
    largest: Option<u64>,
    /// A file of weights to begin with, in a folder without a checkpoint; its games count as learned from.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Of the spawns in all games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds between checkpoints: the most that can be lost.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    checkpoint_every: u64,
    /// Games between two points of the learning curve.
    #[arg(long, value_name = "GAMES", default_value = "10000", value_parser = clap::value_parser!(u64).range(1..))]
    evaluate_every: u64,
    /// Games played for each point.
    #[arg(long, value_name = "GAMES", default_value = "1000", value_parser = clap::value_parser!(u64).range(2..))]
    evaluate_games: u64,
}

/// Learns until it has played all its games, and writes the last point of the curve to `out`.
///
/// # Errors
/// - When the folder holds the checkpoint of something else, or a file cannot be read or written.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    let settings = options.settings()?;
    std::fs::create_dir_all(&options.folder)
        .with_context(|| format!("make the folder {}", options.folder.display()))?;
    let memory = settings.memory()?;
    let checkpoint = Checkpoint::new(&options.folder);
    let (mut progress, history) = match (checkpoint.load(&settings, &memory)?, &options.from) {
        (Some(known), _) => known,
        (None, Some(file)) => take_over(file, &settings, &memory)?,
        (None, None) => Default::default(),
    };
    let mut curve = Curve::open(&options.folder, progress.games)?;
    let mut pace = Pace::start(options.games, progress.games);
    let (mut saved, mut last) = (Instant::now(), None);
    while progress.games < options.games {
        let shift = Shift {
            memory: &memory,
            settings: &settings,
            threads: options.threads.get(),
            first: progress.games,
            end: options.games.min(options.next_evaluation(progress.games)),
            until: saved + Duration::from_secs(options.checkpoint_every),
        };
        shift.work(&mut progress, |outcome| pace.add(outcome));
        let is_point = progress.games == options.next_evaluation(progress.games - 1);
        if is_point || progress.games == options.games {
            let (threads, games) = (options.threads.get(), options.evaluate_games);
            let sample = Sample::of(&play(threads, games, settings.seed, |seed| memory.play(seed)));
            curve.add(&progress, &sample)?;
            pace.tell(format!("{} games, {sample}", progress.games));
            last = Some(sample);
        }
        checkpoint.save(&settings, &progress, &history, &memory)?;
        saved = Instant::now();
    }
    pace.finish();
    let Some(last) = last else { return writeln!(out, "all games are played").context("write") };
    writeln!(out, "{} games, {last}", progress.games).context("write the result")
}

/// Begins with the network of a file: how far it is, and the options that it came so far by.
fn take_over(file: &Path, settings: &Settings, memory: &Memory) -> Result<(Progress, Vec<String>)> {
    let context = || format!("begin with {}", file.display());
    let bytes = std::fs::read(file).with_context(context)?;
    let weights = Weights::check(&bytes).with_context(context)?;
    let about = weights.about();
    let begins: Vec<_> = about.begins.iter().map(|tile| tile.value()).collect();
    let base = settings.optimistic;
    ensure!(
        settings.stages.starts_with(&begins) && base.to_bits() == about.base.to_bits(),
        "begin with {}: it has the stages {begins:?} and is optimistic by {}: use the same options",
        file.display(),
        about.base,
    );
    memory.take_over(&weights.unpack().with_context(context)?);
    let history = about
        .training
        .split(", then ")
        .map(|command| command.strip_prefix("lab train ").unwrap_or(command).to_owned());
    Ok((Progress { games: about.games, ..Progress::default() }, history.collect()))
}

impl Options {
    fn settings(&self) -> Result<Settings> {
        let stages = self
            .stages
            .iter()
            .map(|&value| Tile::from_value(value).context("a stage begins with a tile"))
            .collect::<Result<Vec<_>>>()?;
        let in_range = stages.iter().all(|tile| (512..=32_768).contains(&tile.value()));
        ensure!(
            in_range && stages.is_sorted(),
            "stages begin with tiles from 512 to 32768, rising"
        );
        let largest =
            self.largest.map(Tile::from_value).transpose().context("--largest is a tile")?;
        ensure!(
            largest.is_none_or(|tile| (512..=32_768).contains(&tile.value())),
            "the largest tile to learn is one from 512 to 32768"
        );
        ensure!(
            largest.is_none_or(|largest| stages.iter().all(|stage| *stage <= largest)),
            "a stage that begins with a tile above --largest would never begin"
        );
        let usual_rate = if self.method == Method::Tc { 1.0 } else { 0.1 };
        Ok(Settings {
            method: self.method,
            rate: self.rate.unwrap_or(usual_rate),
            optimistic: self.optimistic,
            stages: stages.into_iter().map(Tile::value).collect(),
            seed: self.seed,
            restart: self.restart,
            largest: largest.map(Tile::value),
            from: self.from.as_ref().map(|file| file.display().to_string()),
        })
    }

    /// The number of games at which the next point of the curve is due.
    fn next_evaluation(&self, games: u64) -> u64 {
        (games / self.evaluate_every + 1) * self.evaluate_every
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parsed;

    fn options(folder: &Path, more: &[&str]) -> Options {
        let folder = folder.to_str().unwrap();
        let small = [folder, "--evaluate-every", "40", "--evaluate-games", "20"];
        parsed(&[&small[..], more].concat())
    }

    fn train(folder: &Path, more: &[&str]) -> Result<String> {
        let mut out = Vec::new();
        run(&options(folder, more), &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    /// A checkpoint without the time it took.
    fn network(folder: &Path) -> Vec<u8> {
        let file = std::fs::read(folder.join("checkpoint")).unwrap();
        let ends = file.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let header = ends.map(|(at, _)| at).nth(1).unwrap();
        file[header..].to_vec()
    }

    #[test]
    fn in_two_goes_the_same_comes_out_as_in_one() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        train(one.path(), &["--games", "60"]).unwrap();
        train(two.path(), &["--games", "25"]).unwrap();
        let last = train(two.path(), &["--games", "60"]).unwrap();
        assert!(last.starts_with("60 games, "), "{last}");
        assert!(network(one.path()) == network(two.path()));
        let points = std::fs::read_to_string(two.path().join("curve.csv")).unwrap();
        let games: Vec<_> = points.lines().map(|line| line.split(',').next().unwrap()).collect();
        assert_eq!(games, ["games", "25", "40", "60"]);

        // It goes on with more stages or another rate, and with nothing else that differs.
        let other = train(two.path(), &["--games", "70", "--seed", "2"]).unwrap_err();
        assert!(format!("{other:#}").contains("use the same options"), "{other:#}");
        train(two.path(), &["--games", "61", "--stages", "512", "--rate", "0.5"]).unwrap();
        train(two.path(), &["--games", "62", "--stages", "512", "--restart", "10"]).unwrap();
        let checkpoint = Checkpoint::new(two.path());
        let (settings, memory) =
            (checkpoint.settings().unwrap(), options(two.path(), &["--stages", "512"]));
        let memory = memory.settings().unwrap().memory().unwrap();
        let (_, history) = checkpoint.load(&settings, &memory).unwrap().unwrap();
        let usual = "FOLDER --games 60 --method tc --rate 1 --optimistic 0 --seed 1";
        let other = "FOLDER --games 61 --method tc --rate 0.5 --optimistic 0 --seed 1 --stages 512";
        assert_eq!(history, [usual, other]);
        let mut damaged = std::fs::read(one.path().join("checkpoint")).unwrap();
        let middle = damaged.len() - 30;
        damaged[middle] ^= 1;
        std::fs::write(one.path().join("checkpoint"), damaged).unwrap();
        let error = train(one.path(), &["--games", "61"]).unwrap_err();
        assert!(format!("{error:#}").contains("is damaged"), "{error:#}");
    }

    #[test]
    fn it_begins_with_a_file_of_weights() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let [file, new] = [path("own.weights"), path("new")];
        std::fs::write(&file, small_weights(&["--games", "50"])).unwrap();
        let from = ["--from", file.to_str().unwrap()];
        let begin = |more: &[&str]| train(&new, &[&from[..], more].concat());
        let refused = begin(&["--games", "60", "--optimistic", "1000"]).unwrap_err();
        assert!(format!("{refused:#}").contains("use the same options"), "{refused:#}");
        let last = begin(&["--games", "60", "--stages", "512"]).unwrap();
        assert!(last.starts_with("60 games, "), "{last}");
        let again = begin(&["--games", "70", "--stages", "512"]).unwrap();
        assert!(again.starts_with("70 games, "), "{again}");
        let other = ["--games", "80", "--stages", "512", "--from", "other.weights"];
        let refused = train(&new, &other).unwrap_err();
        assert!(format!("{refused:#}").contains("use the same options"), "{refused:#}");
        // It need not be said again.
        train(&new, &["--games", "71", "--stages", "512", "--largest", "1024"]).unwrap();
        let settings = Checkpoint::new(&new).settings().unwrap();
        let memory = settings.memory().unwrap();
        let (_, history) = Checkpoint::new(&new).load(&settings, &memory).unwrap().unwrap();
        let usual = "--method tc --rate 1 --optimistic 0 --seed 1";
        let expected = [
            format!("FOLDER --games 50 {usual}"),
            format!("FOLDER --games 70 {usual} --stages 512 --from FILE"),
        ];
        assert_eq!(history, expected);

        std::fs::write(&file, "weights").unwrap();
        let refused = train(&path("another"), &from).unwrap_err();
        assert!(format!("{refused:#}").ends_with("own.weights: it is not a file of weights"));
    }

    /// The file of a network that was trained so.
    fn small_weights(options: &[&str]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        train(folder.path(), options).unwrap();
        let file = folder.path().join("weights");
        let pack = [folder.path().to_str().unwrap(), file.to_str().unwrap(), "--games", "2"];
        crate::weights::run(&parsed(&pack), &mut Vec::new()).unwrap();
        std::fs::read(file).unwrap()
    }

    #[test]
    fn a_stage_begins_with_a_large_tile_and_the_largest_is_large() {
        let folder = tempfile::tempdir().unwrap();
        for stages in ["3", "256", "65536", "2048,1024"] {
            assert!(options(folder.path(), &["--stages", stages]).settings().is_err(), "{stages}");
        }
        for largest in ["3", "256", "65536", "1024"] {
            let options = options(folder.path(), &["--largest", largest, "--stages", "2048"]);
            assert!(options.settings().is_err(), "{largest}");
        }
    }
}
