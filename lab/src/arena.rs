//! `lab arena`: players on the same seeds, told apart honestly.

mod contestant;
mod game;
mod journal;
mod plot;
mod report;
mod statistics;

use std::{
    collections::HashSet,
    io::Write,
    num::NonZeroUsize,
    path::PathBuf,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use anyhow::{Context, Result};
use clap::Args;
use contestant::{Contestant, Setup, Time};
use game::Record;
use indicatif::{ProgressBar, ProgressStyle};
use journal::Journal;
use report::Report;

use crate::learned::Learned;

/// Who plays, how many games, and where the results go.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Example: lab arena --players mcts,expectimax,flat@20000n --games 50 --budget-ms 10 --seed 1"
)]
pub struct Options {
    /// Names from the roster, with commas between them; NAME@10ms, NAME@20000n or NAME@fast (balanced,
    /// strong) gives one its own limit, and NAME+SETTING switches a setting, as in mcts+corner@10ms. ntuple@2ply looks
    /// two moves ahead.
    #[arg(long, value_delimiter = ',', required = true)]
    players: Vec<String>,
    /// Games of each player, on the seeds SEED, SEED + 1, ...
    #[arg(long, default_value = "50")]
    games: u32,
    /// The first seed. The same seed gives the same spawns to every player, and with a node limit the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Time for each move; without it and without --nodes, each player's own default.
    #[arg(long, conflicts_with = "nodes")]
    budget_ms: Option<u64>,
    /// Work for each move: positions, or games played out for a player that does that.
    #[arg(long)]
    nodes: Option<u64>,
    /// File of weights for the player ntuple, made by `lab weights`.
    #[arg(long, default_value = Learned::SHIPPED)]
    weights: PathBuf,
    /// What a time limit is measured by. CPU time is what an idle core would give, on a machine with other work to do.
    #[arg(long, value_enum, default_value_t = Time::Wall)]
    time: Time,
    /// Games at the same time; by default one for each core. A time limit is only fair while each has its own core.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Where each game is written when it ends, a line of JSON each; games that are there already are not played again.
    #[arg(long)]
    journal: Option<PathBuf>,
    /// Plays nothing: reports on the games that the journal has of these players and seeds, however many.
    #[arg(long, requires = "journal")]
    report: bool,
    /// Prints JSON instead of a table.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Prints the table in Markdown.
    #[arg(long)]
    markdown: bool,
    /// Writes a line for each game to this file.
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Draws the distributions of the scores to this file.
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Plays what is not played yet, and writes the report to `out`.
///
/// # Errors
/// - When a player or a limit is unknown, or a file cannot be read or written.
pub fn run(options: &Options, out: &mut impl Write) -> Result<()> {
    let setup = Setup {
        budget_ms: options.budget_ms,
        nodes: options.nodes,
        time: options.time,
        learned: Learned::in_file(options.weights.clone()),
    };
    let parse = |text: &String| Contestant::parse(text, &setup);
    let contestants = options.players.iter().map(parse).collect::<Result<Vec<_>>>()?;
    let mut journal = Journal::open(options.journal.as_deref())?;
    journal.check(&contestants)?;
    if !options.report {
        play_missing(options, &contestants, &mut journal)?;
    }
    let seeds = options.seeds();
    let report = Report::new(&contestants, journal.records(), &seeds);
    if let Some(path) = &options.csv {
        std::fs::write(path, report.csv()).with_context(|| format!("write {}", path.display()))?;
    }
    if let Some(path) = &options.svg {
        std::fs::write(path, plot::svg(&report))
            .with_context(|| format!("write {}", path.display()))?;
    }
    let text = match (options.json, options.markdown) {
        (true, _) => report.json()?,
        (_, true) => report.markdown(),
        _ => report.table(),
    };
    writeln!(out, "{text}").context("write the report")
}

impl Options {
    fn seeds(&self) -> Vec<u64> {
        (0..u64::from(self.games)).map(|n| self.seed.wrapping_add(n)).collect()
    }

    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(cores, NonZeroUsize::get)
    }
}

/// Plays the games that the journal lacks, seed by seed, so that an arena that is stopped has compared like with like.
fn play_missing(
    options: &Options,
    contestants: &[Contestant],
    journal: &mut Journal,
) -> Result<()> {
    let played: HashSet<(String, u64)> =
        journal.records().iter().map(|record| (record.player.clone(), record.seed)).collect();
    let missing: Vec<(&Contestant, u64)> = options
        .seeds()
        .into_iter()
        .flat_map(|seed| contestants.iter().map(move |contestant| (contestant, seed)))
        .filter(|(contestant, seed)| !played.contains(&(contestant.label.clone(), *seed)))
        .collect();
    let bar = ProgressBar::new(missing.len() as u64)
        .with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left")?);
    let next = AtomicUsize::new(0);
    let (finished, results) = mpsc::channel::<Record>();
    thread::scope(|scope| {
        for _ in 0..options.threads().min(missing.len()) {
            let (missing, next, finished) = (&missing, &next, finished.clone());
            scope.spawn(move || {
                while let Some((contestant, seed)) =
                    missing.get(next.fetch_add(1, Ordering::Relaxed))
                    && finished.send(game::play(contestant, *seed)).is_ok()
                {}
            });
        }
        drop(finished);
        // An error ends the loop and drops the channel, which ends the workers after their game.
        for record in results {
            journal.add(record)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    })
}
