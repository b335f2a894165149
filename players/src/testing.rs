//! What the unit tests of the players share.

use std::{sync::atomic::AtomicBool, time::Duration};

use crate::{Clock, Decision, Limits, Player, Position};

/// A clock for which no time passes.
struct Frozen;

impl Clock for Frozen {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Limits of so much work, as long as it takes.
pub(crate) fn nodes(most: u64, seed: u64) -> Limits<'static> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Limits { budget: None, nodes: Some(most), clock: &Frozen, stop: &NEVER, seed }
}

/// What `player` decides on `board`.
pub(crate) fn decide(mut player: impl Player, board: &str, limits: &Limits<'_>) -> Decision {
    let board = board.parse().unwrap();
    let position = Position { board, score: 0, merges: 0, moves: 0, recent: Vec::new() };
    player.choose(&position, limits)
}
