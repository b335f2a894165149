//! What is kept of a game.

use engine::{Direction, Start};

use crate::{GameId, SessionId, StoredDecision, Stretch, UnixMillis};

/// A game to be started.
#[derive(Debug, Clone, PartialEq)]
pub struct NewGame {
    /// Its id.
    pub id: GameId,
    /// Its seed.
    pub seed: u64,
    /// Whether the seed may be shown while the game runs, since its creator supplied it.
    pub seed_shown: bool,
    /// How it begins.
    pub start: Start,
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The direction.
    pub direction: Direction,
    /// Why it was chosen.
    pub decision: StoredDecision,
}

/// A game's numbers, for lists and records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// Moves played.
    pub moves: u32,
    /// Points.
    pub score: u64,
    /// Pairs merged.
    pub merges: u32,
    /// Largest tile's value.
    pub max_tile: u32,
    /// Whether no direction is legal.
    pub over: bool,
}

/// A game as it was stored: it replays to what it was.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredGame {
    /// Its id.
    pub id: GameId,
    /// Its seed.
    pub seed: u64,
    /// Whether the seed may be shown while the game runs.
    pub seed_shown: bool,
    /// How it began.
    pub start: Start,
    /// The directions, oldest first.
    pub directions: Vec<Direction>,
}

/// A game to be filed that was played elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedGame {
    /// Its new id.
    pub id: GameId,
    /// The session it is filed in.
    pub session: SessionId,
    /// Its seed.
    pub seed: u64,
    /// How it began.
    pub start: Start,
    /// The directions, oldest first.
    pub directions: Vec<Direction>,
    /// What they come to.
    pub numbers: Numbers,
    /// Who had it, oldest first: stretches that follow on each other from move 1 to the last.
    pub drivers: Vec<Stretch>,
    /// When.
    pub at: UnixMillis,
}
