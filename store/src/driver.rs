//! Who has a game.

use serde::{Deserialize, Serialize};

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

/// A run of moves during which one driver had the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// What kind of driver.
    pub kind: DriverKind,
    /// `human`, or the name of the player or bot.
    pub name: String,
    /// Number of its first move, counted from 1.
    pub from: u32,
    /// Number of its last move; `from - 1` while it has not had one, which is said of the last stretch only.
    pub to: u32,
    /// Why the game came to it; `None` where the game began with it.
    pub why: Option<String>,
}
