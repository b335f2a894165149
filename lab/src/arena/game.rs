//! One game of one player.

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use engine::{Game, Random};
use hdrhistogram::Histogram;
use players::{Clock, Limits, Position};
use serde::{Deserialize, Serialize};

use super::contestant::{Contestant, Limit, Time};
use crate::cpu;

/// What is kept of a game: a line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The contestant's label.
    pub(super) player: String,
    /// The fingerprint of its play, so that games of different versions are not mixed.
    pub(super) fingerprint: String,
    /// The limit in words.
    pub(super) limit: String,
    pub(super) seed: u64,
    pub(super) score: u64,
    pub(super) moves: u32,
    pub(super) max_tile: u32,
    /// How long the moves took: microseconds, to two digits or more, and how many took that long.
    pub(super) times_us: Vec<(u64, u64)>,
}

/// Plays the game of `seed` to its end.
pub(super) fn play(contestant: &Contestant, seed: u64) -> Record {
    let mut player = contestant.player();
    let mut game = Game::new(seed);
    let mut times = times();
    let never = AtomicBool::new(false);
    // The player's own luck is another than that of the spawns, and the same for each player.
    let mut luck = Random::new(!seed);
    loop {
        let clock = Stopwatch::start(contestant.time);
        let (budget, nodes) = match contestant.limit {
            Limit::Free | Limit::Plies(_) => (None, None),
            Limit::Time(time) => (Some(time), None),
            Limit::Nodes(nodes) => (None, Some(nodes)),
        };
        let limits = Limits { budget, nodes, clock: &clock, stop: &never, seed: luck.word() };
        let decision = player.choose(&Position::of(&game), &limits);
        let Some(direction) = decision.direction else { break };
        times.saturating_record(clock.elapsed().as_micros() as u64);
        game.play(direction).expect("a player chooses what is legal");
    }
    Record {
        player: contestant.label.clone(),
        fingerprint: contestant.fingerprint.clone(),
        limit: contestant.limit_in_words(),
        seed,
        score: game.score(),
        moves: game.moves(),
        max_tile: game.max_tile().map_or(0, engine::Tile::value),
        times_us: times
            .iter_recorded()
            .map(|step| (step.value_iterated_to(), step.count_at_value()))
            .collect(),
    }
}

/// An empty histogram of times in microseconds up to an hour, to two digits.
pub(super) fn times() -> Histogram<u64> {
    Histogram::new_with_max(3_600_000_000, 2).expect("the bounds are within the crate's own")
}

/// The time since it was started.
enum Stopwatch {
    Wall(Instant),
    Cpu(Duration),
}

impl Stopwatch {
    fn start(time: Time) -> Self {
        match time {
            Time::Wall => Self::Wall(Instant::now()),
            Time::Cpu => Self::Cpu(cpu::time()),
        }
    }
}

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::Cpu(start) => cpu::time().saturating_sub(*start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::contestant::Setup;

    #[test]
    fn the_same_seed_and_node_limit_give_the_same_game() {
        for label in ["mcts@200n", "mcts+reuse+corner@200n", "expectimax@200n", "random", "rules"] {
            let setup = Setup { time: Time::Cpu, ..Setup::default() };
            let contestant = Contestant::parse(label, &setup).unwrap();
            let untimed = |record: Record| Record { times_us: Vec::new(), ..record };
            let (first, second) = (play(&contestant, 3), play(&contestant, 3));
            let timed: u64 = first.times_us.iter().map(|(_, count)| count).sum();
            assert_eq!(timed, u64::from(first.moves));
            assert_eq!(untimed(first), untimed(second));
        }
    }
}
