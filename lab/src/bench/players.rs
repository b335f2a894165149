//! The figures of the players.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use engine::Game;
use players::{
    Clock, Decision, Effort, Entry, Expectimax, ExpectimaxSettings, HowHigh, Limits, Mcts,
    MctsSettings, Player, Position, fingerprint, roster,
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
    let (mut mcts, mut deep) = (Mcts::new(MctsSettings::PY2048), Expectimax::<HowHigh>::default());
    let mut next = positions.iter().cycle();
    figures.per_second("mcts.rollouts_per_s", || {
        decide(&mut mcts, next.next().expect("a cycle has no end"), 50_000).rollouts
    });
    // Four slides a board.
    let mut next = positions.iter().step_by(STRIDE).cycle();
    figures.per_second("expectimax.slides_deep_per_s", || {
        4 * decide(&mut deep, next.next().expect("a cycle has no end"), 200_000).nodes
    });
    // As nneonneo's program searches at its depth 3, which is a move more by this count: every direction, and tiles down to
    // a probability of 10^-4. That program forgets what it knew after each move, so the positions are far apart, and more
    // than the table remembers.
    let settings = ExpectimaxSettings {
        deepest: 4,
        cutoff: 1e-4,
        margin: f32::INFINITY,
        ..ExpectimaxSettings::default()
    };
    let mut shallow = Expectimax::new(HowHigh::default(), settings);
    let apart = (0..STRIDE).flat_map(|first| positions.iter().skip(first).step_by(STRIDE));
    let mut next = apart.cycle();
    figures.per_second("expectimax.slides_per_s", || {
        4 * decide(&mut shallow, next.next().expect("a cycle has no end"), 200_000).nodes
    });
    for entry in roster().iter().filter(|entry| entry.budget.is_some()) {
        let slowest = positions
            .iter()
            .rev()
            .step_by(STRIDE)
            .take(11)
            .map(|position| until_stopped(entry, position));
        let slowest = slowest.max().unwrap_or_default();
        figures.number(&format!("{}.stop_ms_max", entry.name), slowest.as_secs_f64() * 1e3);
    }
}

/// How long a thought of ten seconds goes on after its stop flag is set.
fn until_stopped(entry: &Entry, position: &Position) -> Duration {
    let stop = AtomicBool::new(false);
    let clock = Started(Instant::now());
    let think = || {
        let budget = Some(Duration::from_secs(10));
        let limits = Limits { budget, nodes: None, clock: &clock, stop: &stop, seed: 1 };
        (entry.build)().choose(position, &limits);
        Instant::now()
    };
    thread::scope(|scope| {
        let thought = scope.spawn(think);
        thread::sleep(Duration::from_millis(30));
        let asked = Instant::now();
        stop.store(true, Ordering::Relaxed);
        thought.join().expect("a thought does not panic").saturating_duration_since(asked)
    })
}

struct Started(Instant);

impl Clock for Started {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// One number for the play of the whole roster.
pub(super) fn fingerprint() -> String {
    format!("{:08x}", fingerprint::combined(roster().iter().map(fingerprint::of)))
}

/// Positions so far from each other that a search of one knows nothing of the next.
const STRIDE: usize = 50;

/// The positions of a game well under way.
fn positions() -> Vec<Position> {
    let mut player = Expectimax::<HowHigh>::default();
    let mut game = Game::new(2_048);
    let mut positions = Vec::new();
    while let Some(direction) = chosen(&mut player, &Position::of(&game), 300).direction {
        game.play(direction).expect("a player chooses what is legal");
        if game.moves() >= 500 {
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
