//! The threads that learn and play.

use std::{
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Instant,
};

use engine::Random;
use players::ntuple::{Learner, Lesson, Memory, Outcome};

use super::{Progress, Settings};
use crate::cpu;

/// A time of learning between two checkpoints.
pub(super) struct Shift<'a> {
    pub(super) memory: &'a Memory,
    pub(super) settings: &'a Settings,
    pub(super) threads: usize,
    /// The number of the first game, and of the one after the last.
    pub(super) first: u64,
    pub(super) end: u64,
    /// No game begins after it.
    pub(super) until: Instant,
}

impl Shift<'_> {
    /// Learns, and tells of each game.
    pub(super) fn work(&self, progress: &mut Progress, mut each: impl FnMut(Outcome)) {
        let next = AtomicU64::new(self.first);
        let (finished, lessons) = mpsc::channel();
        thread::scope(|scope| {
            let learners: Vec<_> = (0..self.threads)
                .map(|_| {
                    let (memory, next, finished) = (self.memory, &next, finished.clone());
                    scope.spawn(move || {
                        let start = cpu::time();
                        let mut learner = Learner::new(memory, self.settings.rate)
                            .restarting(self.settings.restart);
                        while Instant::now() < self.until {
                            let game = next.fetch_add(1, Relaxed);
                            if game >= self.end {
                                break;
                            }
                            let lesson = learner.learn(seed_of(self.settings.seed, game));
                            if finished.send(lesson).is_err() {
                                break;
                            }
                        }
                        cpu::time().saturating_sub(start)
                    })
                })
                .collect();
            drop(finished);
            for Lesson { game, moves } in lessons {
                progress.games += 1;
                progress.moves += moves;
                each(game);
            }
            for learner in learners {
                let spent = learner.join().expect("a learner does not panic");
                progress.cpu_seconds += spent.as_secs_f64();
            }
        });
    }
}

/// Plays games without learning from them, always the same ones and none that is learned from; in their order.
pub(crate) fn play(
    threads: usize,
    games: u64,
    seed: u64,
    play: impl Fn(u64) -> Outcome + Sync,
) -> Vec<Outcome> {
    let next = AtomicU64::new(0);
    let mut outcomes = thread::scope(|scope| {
        let players: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let games = std::iter::from_fn(|| {
                        let game = next.fetch_add(1, Relaxed);
                        (game < games).then(|| (game, play(seed_of(!seed, game))))
                    });
                    games.collect::<Vec<_>>()
                })
            })
            .collect();
        let join = |player: thread::ScopedJoinHandle<'_, Vec<_>>| {
            player.join().expect("a player does not panic")
        };
        players.into_iter().flat_map(join).collect::<Vec<(u64, Outcome)>>()
    });
    outcomes.sort_unstable_by_key(|(game, _)| *game);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// The seed of the game with a number.
fn seed_of(seed: u64, game: u64) -> u64 {
    Random::new(Random::new(seed).word() ^ game).word()
}
