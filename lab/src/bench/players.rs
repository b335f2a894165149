//! The figures of the players.

use std::{sync::atomic::AtomicBool, time::Duration};

use engine::Game;
use players::{
    Clock, Decision, Effort, Expectimax, HowHigh, Limits, Mcts, Player, Position, fingerprint,
    roster,
};

use super::Figures;

/// Adds every figure.
pub(super) fn measure(figures: &mut Figures) {
    for entry in roster() {
        let fingerprint = fingerprint::of(entry);
        figures.tell(&format!("{}.fingerprint", entry.name), &format!("{fingerprint:08x}"));
    }
    figures.tell("players.fingerprint", &fingerprint());
    let positions = positions();
    // One player for all, as in a game: a search's table is cold once, and full of other positions later.
    let (mut mcts, mut expectimax) = (Mcts::default(), Expectimax::<HowHigh>::default());
    let mut next = positions.iter().cycle();
    figures.per_second("mcts.rollouts_per_s", || {
        decide(&mut mcts, next.next().expect("a cycle has no end"), 50_000).rollouts
    });
    let mut next = positions.iter().cycle();
    figures.per_second("expectimax.slides_per_s", || {
        // Four slides a board.
        4 * decide(&mut expectimax, next.next().expect("a cycle has no end"), 200_000).nodes
    });
}

/// One number for the play of the whole roster.
pub(super) fn fingerprint() -> String {
    format!("{:08x}", fingerprint::combined(roster().iter().map(fingerprint::of)))
}

/// Positions of a game well under way, far enough from each other that a search of one knows nothing of the next.
fn positions() -> Vec<Position> {
    let mut player = Expectimax::<HowHigh>::default();
    let mut game = Game::new(2_048);
    let mut positions = Vec::new();
    while let Some(direction) = chosen(&mut player, &Position::of(&game), 300).direction {
        game.play(direction).expect("a player chooses what is legal");
        if game.moves() >= 500 && game.moves().is_multiple_of(50) {
            positions.push(Position::of(&game));
        }
    }
    // A position with one legal direction needs no search.
    positions.retain(|position| position.board.legal().len() > 1);
    positions
}

/// The work of one decision, which must be a legal one.
fn decide(player: &mut dyn Player, position: &Position, nodes: u64) -> Effort {
    let decision = chosen(player, position, nodes);
    let legal = position.board.legal();
    assert!(decision.direction.is_some_and(|direction| legal.contains(direction)));
    decision.effort
}

fn chosen(player: &mut dyn Player, position: &Position, nodes: u64) -> Decision {
    let never = AtomicBool::new(false);
    let limits =
        Limits { budget: None, nodes: Some(nodes), clock: &Timeless, stop: &never, seed: 1 };
    player.choose(position, &limits)
}

struct Timeless;

impl Clock for Timeless {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
