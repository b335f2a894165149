//! The agent of a session.

use std::time::Duration;

use serde::{Deserialize, Serialize};

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
    /// Whether it goes on with another game when one is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
}

/// Games that an agent plays one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Series {
    /// Ends when so many have been played; `None` is without end.
    pub games: Option<u32>,
    /// Ends when this tile has been made.
    pub until_tile: Option<u32>,
    /// How many have been played.
    pub played: u32,
}
