//! Why a call can't be made, or has no answer that can be used.

use std::time::Duration;

use protocol::State;

/// A server's address that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// It is no URL.
    #[error("{address:?} is not an address such as http://127.0.0.1:2048")]
    Malformed {
        /// What was given.
        address: String,
    },
    /// It is a URL, but not of plain HTTP.
    #[error("{address:?} is not plain http, the only scheme that this client speaks")]
    Scheme {
        /// What was given.
        address: String,
    },
    /// The HTTP client could not be set up.
    #[error("the HTTP client does not start")]
    Http(#[source] reqwest::Error),
}

/// Why a call has no answer that can be used.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// No answer came: refused, cut off or timed out. Whether the server acted is not known.
    #[error("server not reachable")]
    Unreachable(#[source] reqwest::Error),
    /// The server took the connection and said nothing.
    #[error("no answer in time")]
    Silent,
    /// The server said no.
    #[error("{detail}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's sentence.
        detail: String,
        /// The state as it is, where the caller's was stale (409).
        state: Option<Box<State>>,
        /// How long to wait, where the server says so (429).
        retry_after: Option<Duration>,
    },
    /// An answer came that is not of this protocol.
    #[error("the answer is not one of this protocol: {0}")]
    Unreadable(String),
}

impl CallError {
    /// The HTTP status of a refusal.
    pub const fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            Self::Unreachable(_) | Self::Silent | Self::Unreadable(_) => None,
        }
    }

    /// The state that came with a refusal.
    pub fn into_state(self) -> Option<State> {
        match self {
            Self::Refused { state, .. } => state.map(|state| *state),
            Self::Unreachable(_) | Self::Silent | Self::Unreadable(_) => None,
        }
    }
}
