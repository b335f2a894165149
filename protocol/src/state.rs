//! The whole state of a session, as every answer and every event carries it.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{Direction, Pace};

/// A square: `[row, column]`, each 0 to 3.
pub type Position = [u8; 2];

/// Everything there is to know about a session at one position of its event stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// [`PROTOCOL`](crate::PROTOCOL).
    pub protocol: u32,
    /// The session's id.
    pub session: String,
    /// The running game's id.
    pub game: String,
    /// Letters and digits; another one means that history was lost.
    pub epoch: String,
    /// Goes up by exactly one with every change of the state, over restarts too.
    pub seq: u64,
    /// Names this run of the server.
    pub boot: String,
    /// Four rows of four tile values; `null` is an empty square.
    pub grid: [[Option<u32>; 4]; 4],
    /// Points.
    pub score: u64,
    /// Pairs merged.
    pub merge_count: u32,
    /// Moves played.
    pub moves: u32,
    /// The largest tile's value; 0 on an empty board.
    pub max_tile: u32,
    /// Best score in this session, custom starts left out.
    pub best: u64,
    /// The same by who chose the moves; `None` from a server that does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_by: Option<BestBy>,
    /// The direction played last.
    pub last_move: Option<Direction>,
    /// The directions that would change the board, in order.
    pub legal: Vec<Direction>,
    /// Whether no direction is legal.
    pub game_over: bool,
    /// Whether 2048 has been made.
    pub won: bool,
    /// Who has the game.
    pub driver: Driver,
    /// What chose the last move, and why.
    pub decision: Option<Decision>,
    /// The agent's settings and the players to choose from.
    pub agent: Agent,
    /// How this state came from the one before, when that was one move.
    pub transition: Option<Transition>,
    /// Open subscriptions when this was written.
    pub watchers: u32,
    /// The game's seed, once it may be shown: the game is over, or its creator supplied it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// Whether the game began on a given position.
    #[serde(default)]
    pub custom: bool,
}

/// Best scores by who chose the moves; 0 where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BestBy {
    /// People alone.
    pub human: u64,
    /// Players, bots and fallbacks alone.
    pub ai: u64,
    /// Both in one game.
    pub mixed: u64,
}

/// Who has the game now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Driver {
    /// What kind of driver.
    pub kind: DriverKind,
    /// `human`, or a player's or bot's name.
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

/// What chose a move, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// What was chosen; `null` when nothing could be.
    #[serde(rename = "move")]
    pub direction: Option<Direction>,
    /// A player's name, `human`, `bot:<name>` or `fallback`.
    pub source: String,
    /// Why it was a fallback; always to be shown.
    pub reason: Option<String>,
    /// What the player says about a decision of its own.
    pub detail: Option<String>,
    /// The player's distribution over the legal directions; left out by a player that has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probabilities: Option<BTreeMap<Direction, f64>>,
    /// How sure it is, 0 to 1.
    pub confidence: Option<f64>,
    /// How near the end is, 0 to 2.
    pub risk: Option<f64>,
    /// Milliseconds of wall clock the decision took.
    pub latency_ms: Option<u64>,
}

/// The agent of a session and the players it can ask; the lists are the same in every state, and shared by them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// Whether it plays.
    pub running: bool,
    /// The player it asks.
    pub player: String,
    /// Names of the available players, in the order to offer them.
    #[serde(with = "crate::shared")]
    pub players: Arc<[String]>,
    /// All players, unavailable ones with their reason.
    #[serde(with = "crate::shared")]
    pub roster: Arc<[RosterEntry]>,
    /// Seconds between two moves at a fixed pace.
    pub interval_seconds: f64,
    /// How fast it plays.
    pub pace: Pace,
    /// Milliseconds for one decision; `null` is the player's own default.
    pub budget_ms: Option<u64>,
    /// Whether, and until when, it goes on with another game when one is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<SeriesState>,
    /// Whether the hosted model's key is set.
    pub key_configured: bool,
}

/// Games that an agent plays one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeriesState {
    /// Ends when so many have been played; `null` is without end.
    pub games: Option<u32>,
    /// Ends when this tile has been made.
    pub until_tile: Option<u32>,
    /// How many have been played.
    pub played: u32,
}

/// A player on offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RosterEntry {
    /// Its name in calls.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// Whether it can be started.
    pub available: bool,
    /// Why not.
    pub reason: Option<String>,
}

/// How a state came from the one before it by one move.
///
/// Applying `slides`, then the merges, then `spawn` to the grid before gives the grid after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// The direction played.
    pub direction: Direction,
    /// Who chose it: a [`Decision::source`].
    pub by: String,
    /// Points gained: the sum of the merged values.
    pub gained: u32,
    /// Every tile of the board before, once, resting ones included.
    pub slides: Vec<Slide>,
    /// The tile that appeared.
    pub spawn: Spawned,
}

/// Where one tile went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slide {
    /// Where it was.
    pub from: Position,
    /// Where it ended.
    pub to: Position,
    /// Its value before the move.
    pub value: u32,
    /// Whether it merged with the other tile that went to the same square.
    pub merges: bool,
}

/// A tile that appeared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawned {
    /// Where.
    pub at: Position,
    /// 2 or 4.
    pub value: u32,
}
