//! The figures of the players.

use std::{sync::atomic::AtomicBool, time::Duration};

use engine::Board;
use players::{
    Clock, Effort, Expectimax, HowHigh, Limits, Mcts, Player, Position, fingerprint, roster,
};

use super::Figures;

/// Positions of games that are well under way, with room for some spawns and with few.
const BOARDS: [&str; 3] = [
    "1024 512 256 128 64 32 16 8 4 2 4 . 2 . . .",
    "4096 1024 512 128 2 4 16 64 . . 2 8 . . . 2",
    "8192 2048 512 64 2 8 128 32 4 16 2 4 . . 2 .",
];

/// Adds every figure.
pub(super) fn measure(figures: &mut Figures) {
    for entry in roster() {
        let fingerprint = fingerprint::of(entry);
        figures.tell(&format!("{}.fingerprint", entry.name), &format!("{fingerprint:08x}"));
    }
    figures.tell("players.fingerprint", &fingerprint());
    let positions = BOARDS.map(|text| position(text.parse().expect("a board")));
    let mut next = positions.iter().cycle();
    let mut mcts = Mcts::default();
    figures.per_second("mcts.rollouts_per_s", || {
        let position = next.next().expect("a cycle has no end");
        decide(&mut mcts, position, 50_000).rollouts
    });
    let mut next = positions.iter().cycle();
    figures.per_second("expectimax.slides_per_s", || {
        let position = next.next().expect("a cycle has no end");
        // A new one, because the table would answer what has been searched before. Four slides a board.
        4 * decide(&mut Expectimax::<HowHigh>::default(), position, 500_000).nodes
    });
}

/// One number for the play of the whole roster.
pub(super) fn fingerprint() -> String {
    format!("{:08x}", fingerprint::combined(roster().iter().map(fingerprint::of)))
}

fn position(board: Board) -> Position {
    Position { board, score: 0, merges: 0, moves: 0, recent: Vec::new() }
}

/// The work of one decision, which must be a legal one.
fn decide(player: &mut dyn Player, position: &Position, nodes: u64) -> Effort {
    let never = AtomicBool::new(false);
    let limits =
        Limits { budget: None, nodes: Some(nodes), clock: &Timeless, stop: &never, seed: 1 };
    let decision = player.choose(position, &limits);
    let legal = position.board.legal();
    assert!(decision.direction.is_some_and(|direction| legal.contains(direction)));
    decision.effort
}

struct Timeless;

impl Clock for Timeless {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
