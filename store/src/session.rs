//! What is kept of a session.

use serde::{Deserialize, Serialize};

use crate::{
    Agent, Best, Class, Driver, GameId, NewGame, Numbers, SessionId, StoredDecision, StoredGame,
    UnixMillis,
};

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
    /// The same by who chose the moves, without the running game.
    #[serde(default, skip_serializing_if = "Best::is_none")]
    pub filed: Best,
    /// Who has chosen the moves of the running game; `None` while it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
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
    /// Its first game, which the head's driver begins.
    pub game: NewGame,
    /// The numbers of its start.
    pub numbers: Numbers,
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
    pub numbers: Numbers,
}
