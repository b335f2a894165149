//! What is stored, in the game's words.

use std::{fmt, time::Duration};

use engine::{Direction, Start};
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01 UTC. The store is told the time; it reads no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UnixMillis(pub i64);

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Box<str>);

        impl $name {
            /// The id that is written so.
            pub fn new(text: impl Into<Box<str>>) -> Self {
                Self(text.into())
            }

            /// As it is written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    };
}

id! {
    /// Names a session: `main`, or 128 random bits. Whoever knows it may watch.
    SessionId
}

id! {
    /// Names a game over all sessions: 128 random bits.
    GameId
}

/// Who has the game, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Driver {
    /// What kind of driver.
    pub kind: DriverKind,
    /// `human`, or the name of the player or bot.
    pub name: String,
    /// Moves that had been played when it took over.
    pub since_move: u32,
}

/// The kinds of driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DriverKind {
    /// A person, by any client.
    Human,
    /// A player of the server.
    Player,
    /// A program that joined over HTTP.
    Bot,
}

/// How fast an agent plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// One move every interval.
    Fixed,
    /// Faster on easy boards.
    Adaptive,
    /// As fast as it goes.
    Max,
}

/// The agent of a session: whether it plays, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Whether it plays.
    pub running: bool,
    /// Name of the player it asks.
    pub player: String,
    /// How fast it plays.
    pub pace: Pace,
    /// Time between two moves at a fixed pace.
    pub interval: Duration,
    /// Time for one decision; `None` is the player's own default.
    pub budget: Option<Duration>,
}

/// Why a move was chosen; kept whole for the last move of a session, in brief for every other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredDecision {
    /// What was chosen, as [`Direction::index`]; `None` when nothing could be.
    pub direction: Option<u8>,
    /// A player's name, `human`, `bot:<name>` or `fallback`.
    pub source: String,
    /// Why it was a fallback.
    pub reason: Option<String>,
    /// What the player said about it. Kept for the last move only.
    pub detail: Option<String>,
    /// The player's distribution in the order UP, DOWN, LEFT, RIGHT. Kept for the last move only.
    pub probabilities: Option<[Option<f64>; 4]>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// 0 to 2.
    pub risk: Option<f64>,
    /// Time the decision took.
    pub latency_ms: Option<u64>,
}

/// The newest position of a session: all that is needed, with its game, to go on where it stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Number of changes so far.
    pub seq: u64,
    /// The running game.
    pub game: GameId,
    /// Who has it.
    pub driver: Driver,
    /// The agent's settings.
    pub agent: Agent,
    /// The decision that is shown.
    pub decision: Option<StoredDecision>,
    /// Whether the change with number `seq` was exactly one move.
    pub moved_last: bool,
    /// Best score of any game of the session that did not have a custom start.
    pub best: u64,
}

/// A session to be created, with its first game.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// What its creator calls it.
    pub name: Option<String>,
    /// SHA-256 of its control token; `None` when it is open for control on loopback.
    pub control: Option<[u8; 32]>,
    /// When.
    pub at: UnixMillis,
    /// Its first position.
    pub head: Head,
    /// Its first game.
    pub game: NewGame,
}

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

/// One thing that happened, in the order in which it did.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The running game was played on.
    Moved(Move),
    /// The running game was filed (left out entirely if it has no move) and another begun.
    Started(NewGame),
    /// Somebody else has the running game from its next move on.
    Driven {
        /// Who.
        driver: Driver,
        /// Why it changed hands, in a few words.
        why: String,
    },
}

/// The running game's numbers after an append, for lists and records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running {
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

/// What a session asks to be made durable in one step: all of it or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    /// Whose.
    pub session: SessionId,
    /// The `seq` that the store must still be at; else nothing is written.
    pub expected: u64,
    /// What happened, oldest first. Empty when only a command is remembered.
    pub changes: Vec<Change>,
    /// The position after the last change.
    pub head: Head,
    /// The running game's numbers after the last change.
    pub running: Running,
    /// Commands carried out by these changes.
    pub commands: Vec<Remembered>,
    /// When.
    pub at: UnixMillis,
}

/// A command that was carried out, so that a repeat of it gets the same reply and does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Its `commandId`.
    pub id: String,
    /// SHA-256 of what was asked: the same id with another one is refused.
    pub digest: [u8; 32],
    /// The reply, as JSON.
    pub reply: String,
}

/// A session as it was stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSession {
    /// Its id.
    pub id: SessionId,
    /// What its creator calls it.
    pub name: Option<String>,
    /// SHA-256 of its control token.
    pub control: Option<[u8; 32]>,
    /// When it was created.
    pub created: UnixMillis,
    /// Its newest position.
    pub head: Head,
    /// The running game.
    pub game: StoredGame,
    /// Id and digest of the last commands carried out, oldest first; their replies are asked for one by one.
    pub commands: Vec<(String, [u8; 32])>,
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

/// A session in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSummary {
    /// Its id.
    pub id: SessionId,
    /// What its creator calls it.
    pub name: Option<String>,
    /// When it was created.
    pub created: UnixMillis,
    /// When it last changed.
    pub changed: UnixMillis,
    /// Its newest position.
    pub head: Head,
    /// The running game's numbers.
    pub running: Running,
}
