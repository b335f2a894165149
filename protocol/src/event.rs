//! The named events of the stream. States are unnamed events and carry a [`State`](crate::State).

use serde::{Deserialize, Serialize};

/// `hb`: the stream lives, and this is the newest position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The session's `seq`.
    pub seq: u64,
}

/// `watchers`: how many watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watchers {
    /// Open subscriptions.
    pub count: u32,
}

/// `bye`: the server is about to close the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bye {
    /// Why.
    pub reason: ByeReason,
    /// Milliseconds to wait before trying again.
    pub retry_ms: u64,
}

/// Why a stream is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ByeReason {
    /// The server stops.
    Shutdown,
    /// The reader does not keep up.
    Slow,
    /// The session is closed.
    Closed,
    /// The right to watch was taken back.
    Revoked,
    /// There are too many streams.
    Overload,
}

impl ByeReason {
    /// As it is written on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shutdown => "shutdown",
            Self::Slow => "slow",
            Self::Closed => "closed",
            Self::Revoked => "revoked",
            Self::Overload => "overload",
        }
    }
}

/// `note`: something worth saying.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// One sentence.
    pub text: String,
    /// What kind of thing it is.
    pub kind: String,
}
