//! What the server answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Decision, Direction, State};

/// A reply that says whether something happened, with the state after it.
///
/// On the wire the flag has the call's own name: `moved`, `started` or `stopped`.
pub trait Acted {
    /// Whether the call changed anything.
    fn acted(&self) -> bool;
    /// The state after it.
    fn state(&self) -> &State;
}

macro_rules! acted {
    ($(#[$doc:meta])* $name:ident, $flag:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub struct $name {
            /// Whether the call changed anything.
            pub $flag: bool,
            /// The state after it.
            pub state: State,
        }

        impl Acted for $name {
            fn acted(&self) -> bool {
                self.$flag
            }

            fn state(&self) -> &State {
                &self.state
            }
        }
    };
}

acted! {
    /// Reply to `move` and `agent/step`.
    Moved, moved
}

acted! {
    /// Reply to `agent/start`.
    Started, started
}

acted! {
    /// Reply to `agent/stop`.
    Stopped, stopped
}

/// Reply to `hint`: what a player would do, and what each direction would give. Nothing is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HintReply {
    /// What the player would play.
    pub decision: Decision,
    /// Every direction by its name.
    pub moves: BTreeMap<Direction, HintMove>,
}

/// What playing a direction on a copy gives. All but `legal` are left out for an illegal one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HintMove {
    /// Whether it changes the board.
    pub legal: bool,
    /// Points it gains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gained: Option<u32>,
    /// Pairs it merges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merges: Option<u32>,
    /// Empty squares after it, before the spawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty_after: Option<u32>,
    /// Directions legal after it, before the spawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_after: Option<u32>,
    /// Pairs that could merge after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merges_after: Option<u32>,
    /// Whether the largest tile is in a corner after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keeps_corner: Option<bool>,
    /// How well the tiles step down from the corner nearest the largest, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monotonicity_after: Option<f64>,
    /// Whether a spawn after it could leave no legal direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub could_end_the_game: Option<bool>,
    /// What it is worth to the player, in the player's own unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

/// Reply to `POST /api/sessions`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionCreated {
    /// The session's id: the right to watch.
    pub id: String,
    /// Its control token: the right to play. Told this once.
    pub control: String,
    /// Its state.
    pub state: State,
}

impl std::fmt::Debug for SessionCreated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionCreated")
            .field("id", &self.id)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// Reply to `POST links`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkGiven {
    /// What stands in it: `/w/<link>` is the page that watches, `/api/watch/<link>/...` its calls. Told this once.
    pub link: String,
}

impl std::fmt::Debug for LinkGiven {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinkGiven").finish_non_exhaustive()
    }
}

/// Reply to `DELETE links`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinksRevoked {
    /// How many they were.
    pub revoked: u64,
}

/// A session in `GET /api/sessions`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionItem {
    /// Its id.
    pub id: String,
    /// What its creator calls it.
    pub name: Option<String>,
    /// When it was created, in milliseconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// When it last changed, likewise.
    pub changed_at: i64,
    /// The running game's id.
    pub game: String,
    /// Points of the running game.
    pub score: u64,
    /// Moves of the running game.
    pub moves: u32,
    /// Its largest tile.
    pub max_tile: u32,
    /// Whether it is over.
    pub game_over: bool,
    /// Who has it.
    pub driver: crate::Driver,
    /// Whether its agent plays.
    pub running: bool,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// Its items.
    pub items: Vec<T>,
    /// Where the next page begins; `null` after the last.
    pub next: Option<String>,
}

/// Reply to `GET transcript`: what was exchanged with the hosted model about a session's moves, the newest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TranscriptReply {
    /// Whether a transcript is kept at all.
    pub on: bool,
    /// What asking has used up; `null` where there is no key to ask with.
    pub spending: Option<Spending>,
    /// The records, each as it was printed.
    pub items: Vec<Box<RawValue>>,
    /// Always `null`: what is older is not kept.
    pub next: Option<String>,
}

/// Requests to the hosted model, and how many there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spending {
    /// Of this session, since the server was started.
    pub session: u64,
    /// How many those may be.
    pub session_budget: u64,
    /// Of all sessions, on this day (UTC).
    pub day: u64,
    /// How many those may be.
    pub day_budget: u64,
}

/// Reply to `GET /api/version`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// `serve2048`.
    pub name: String,
    /// The build's version.
    pub version: String,
    /// [`PROTOCOL`](crate::PROTOCOL).
    pub protocol: u32,
    /// This run of the server.
    pub boot: String,
    /// Names of the available players.
    pub players: Vec<String>,
    /// Whether the hosted model's key is set.
    pub key_configured: bool,
    /// Memory, in bytes, that the network of `ntuple` takes for all sessions once one has asked for it; `null` where
    /// there is none.
    pub network_bytes: Option<u64>,
    /// The store and its promise.
    pub store: VersionStore,
    /// The limits in force.
    pub limits: VersionLimits,
}

/// The store, as `/api/version` tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionStore {
    /// `sqlite` or `memory`.
    pub kind: String,
    /// `power`, `process` or `none`.
    pub durability: String,
}

/// The limits in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionLimits {
    /// Bytes of a request's body.
    pub body_bytes: u64,
    /// Open streams in all.
    pub streams: u64,
    /// Open streams of one address; `null` is without limit.
    pub streams_per_address: Option<u64>,
    /// Searches that think at the same time.
    pub searches: u64,
}

/// Every error: one sentence, with the state where the caller's was stale.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// The sentence.
    pub detail: String,
    /// The state as it is, on a conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}
