//! What a person who waits sees.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use players::ntuple::Outcome;

/// The progress bar, with moving averages.
#[derive(Debug)]
pub(super) struct Pace {
    bar: ProgressBar,
    /// Scores of the last games.
    scores: VecDeque<u64>,
    /// Moves since then.
    since: Instant,
    moves: u64,
}

impl Pace {
    /// How many games the mean is over.
    const GAMES: usize = 1_000;
    /// How long the speed is averaged over.
    const TIME: Duration = Duration::from_secs(2);

    pub(super) fn start(games: u64, done: u64) -> Self {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left, {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(games).with_style(style).with_position(done);
        bar.reset_eta();
        Self { bar, scores: VecDeque::new(), since: Instant::now(), moves: 0 }
    }

    /// Counts a game.
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.moves += u64::from(outcome.moves);
        self.scores.push_back(outcome.score);
        if self.scores.len() > Self::GAMES {
            self.scores.pop_front();
        }
        self.bar.inc(1);
        let spent = self.since.elapsed();
        if spent >= Self::TIME {
            let mean = self.scores.iter().sum::<u64>() / self.scores.len() as u64;
            let speed = self.moves as f64 / spent.as_secs_f64() / 1e6;
            let games = self.scores.len();
            self.bar.set_message(format!("{speed:.2} M moves/s, mean of the last {games}: {mean}"));
            (self.since, self.moves) = (Instant::now(), 0);
        }
    }

    /// Says something that stays.
    pub(super) fn tell(&self, text: String) {
        self.bar.println(text);
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
