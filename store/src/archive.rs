//! Games looked back at: their records, and how a list of them is asked for.

use engine::Start;

use crate::{GameId, Numbers, SessionId, Stretch, UnixMillis};

/// What is known of a game without its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// Its id.
    pub id: GameId,
    /// The session it was played in, or filed in when it was imported. That may be closed by now.
    pub session: SessionId,
    /// How it stands.
    pub status: Status,
    /// Who chose its moves.
    pub class: Class,
    /// When it began, or was imported.
    pub started: UnixMillis,
    /// When no direction was legal any more, or when it was given up; `None` while it can go on.
    pub ended: Option<UnixMillis>,
    /// Its numbers.
    pub numbers: Numbers,
    /// Who had it from which move to which, oldest first.
    pub drivers: Vec<Stretch>,
    /// Its seed.
    pub seed: u64,
    /// Whether the seed may be shown while the game runs.
    pub seed_shown: bool,
    /// How it began; a custom start keeps a game out of the best scores.
    pub start: Start,
}

/// How a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It is a session's game and can go on.
    Running,
    /// No direction is legal.
    Over,
    /// Another was begun, or the session closed, while it could have gone on.
    Abandoned,
    /// It was played elsewhere.
    Imported,
}

/// Who chose the moves of a game: by the source of each, and by the driver while there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A person, every one.
    Human,
    /// Players, bots and fallbacks, every one.
    Ai,
    /// Both.
    Mixed,
}

/// Which games are asked for, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameQuery {
    /// Only those of this session.
    pub session: Option<SessionId>,
    /// Only those that stand so.
    pub status: Option<Status>,
    /// Only those that a driver of this name had for a while.
    pub player: Option<String>,
    /// In which order.
    pub sort: Sort,
    /// After which game to go on: what the page before gave as `next`, of the same query.
    pub cursor: Option<String>,
    /// At most this many.
    pub limit: usize,
}

/// An order of games, the largest first; of equals the one that came to the store later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// By when they began.
    #[default]
    Started,
    /// By points.
    Score,
    /// By largest tile.
    MaxTile,
    /// By moves.
    Moves,
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// In the order asked for.
    pub items: Vec<T>,
    /// Where the next part begins; `None` at the end.
    pub next: Option<String>,
}

/// Best scores of a session by who chose the moves, without custom starts and imported games; 0 where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Best {
    /// People alone.
    pub human: u64,
    /// Players, bots and fallbacks alone.
    pub ai: u64,
    /// Both in one game.
    pub mixed: u64,
}
