//! What a player is: it is shown a position and its limits, and answers with a decision.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use engine::{Board, Direction, Game};

use crate::measure::risk;

/// What a player is shown. The seed is not in it: a player that knew it would know the spawns to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The board to move on.
    pub board: Board,
    /// Points so far.
    pub score: u64,
    /// Pairs merged so far.
    pub merges: u32,
    /// Moves played so far.
    pub moves: u32,
    /// The last directions played, oldest first, at most [`Position::RECENT`].
    pub recent: Vec<Direction>,
}

impl Position {
    /// How many of the last directions a player is shown.
    pub const RECENT: usize = 6;

    /// What a player may see of `game`.
    pub fn of(game: &Game) -> Self {
        let played = game.directions();
        Self {
            board: *game.board(),
            score: game.score(),
            merges: game.merges(),
            moves: game.moves(),
            recent: played[played.len().saturating_sub(Self::RECENT)..].to_vec(),
        }
    }
}

/// The time since a thought began, as the caller measures it.
pub trait Clock: Send + Sync {
    /// Time since the thought was given its turn to run.
    fn elapsed(&self) -> Duration;
}

/// Threads that a caller lends to a thought, as many as it has permits for. A player owns none.
pub trait Crew: Send + Sync {
    /// How many jobs run at the same time, at least 1.
    fn size(&self) -> usize;
    /// Runs the jobs and returns when all are done.
    fn run<'a>(&self, jobs: Vec<Box<dyn FnOnce() + Send + 'a>>);
}

/// How long a player may look, and from where its randomness comes.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Wall-clock time for the whole decision; `None` is without end (then `nodes` or `stop` ends it). A player that
    /// needs no time ignores it. Zero still gets a legal answer with something behind it.
    pub budget: Option<Duration>,
    /// The most work: games played out, for a player that plays games out, else positions looked at; `None` is
    /// without end. Too little for a decision is exceeded by what a decision needs. With a node limit and no
    /// budget, the same seed gives the same decision.
    pub nodes: Option<u64>,
    /// Measures the budget.
    pub clock: &'a dyn Clock,
    /// Set when nobody wants the answer any more; a search ends within 10 ms of it.
    pub stop: &'a AtomicBool,
    /// Seed of all randomness in this decision.
    pub seed: u64,
}

impl Limits<'_> {
    /// These limits for one of `players` who work at the same time: a part of the nodes each, and all of the time.
    #[must_use]
    pub fn shared_by(self, players: u64) -> Self {
        Self { nodes: self.nodes.map(|nodes| nodes.div_ceil(players)), ..self }
    }

    /// Whether the thought must end now: stopped, or its time is up.
    pub fn are_spent(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.budget.is_some_and(|budget| self.clock.elapsed() >= budget)
    }
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits")
            .field("budget", &self.budget)
            .field("nodes", &self.nodes)
            .field("stop", &self.stop)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// What a player decided, and why.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decision {
    /// The direction to play; `None` only when none is legal.
    pub direction: Option<Direction>,
    /// Why the player did not decide by its own method, as shown to people; `None` when it did.
    pub fallback: Option<String>,
    /// What the player says about a decision of its own: how hard it looked, which rule it followed.
    pub detail: Option<String>,
    /// The player's distribution over the legal directions, by [`Direction::index`]; adds up to 1. `None` for a
    /// player that has none.
    pub probabilities: Option<[Option<f64>; 4]>,
    /// What each legal direction is worth to the player, in its own unit, by [`Direction::index`].
    pub values: [Option<f64>; 4],
    /// How sure the player is, 0 to 1; `None` for a player that cannot say.
    pub confidence: Option<f64>,
    /// How near the end is, 0 (room to work) to 2 (nearly stuck).
    pub risk: f64,
    /// How hard it looked.
    pub effort: Effort,
}

impl Decision {
    /// The reason given where there is nothing to play.
    pub const NO_LEGAL_MOVES: &'static str = "no legal moves";
    /// The reason given where there is nothing to choose.
    pub const ONLY_ONE_LEGAL_MOVE: &'static str = "only one legal move";

    /// The answer to a board that is over; `None` for one that is not.
    pub fn over(board: &Board) -> Option<Self> {
        board.is_over().then(|| Self::fallback(board, None, Self::NO_LEGAL_MOVES))
    }

    /// The answer to a board that needs no thought: it is over, or only one direction is legal.
    pub fn forced(board: &Board) -> Option<Self> {
        let legal = board.legal();
        match legal.len() {
            0 => Self::over(board),
            1 => Some(Self::fallback(board, legal.first(), Self::ONLY_ONE_LEGAL_MOVE)),
            _ => None,
        }
    }

    /// The decision for `direction` that was made for `reason`, not by the player's own method.
    pub fn fallback(
        board: &Board,
        direction: Option<Direction>,
        reason: impl Into<String>,
    ) -> Self {
        Self { direction, fallback: Some(reason.into()), risk: risk(board), ..Self::default() }
    }
}

/// Counts of the work behind a decision; 0 where a player has no such thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Positions in the tree, or looked at.
    pub nodes: u64,
    /// Games played out at random.
    pub rollouts: u64,
    /// Deepest level reached, in plies.
    pub depth: u32,
    /// Positions answered from a table.
    pub table_hits: u64,
}

/// Anything that chooses directions.
pub trait Player: Send {
    /// Chooses a legal direction, or none when none is legal. The position is left as it is.
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision;
}
