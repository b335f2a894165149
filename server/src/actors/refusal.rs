//! Why an actor did not do what it was asked.

use std::sync::Arc;

use super::frame::Frame;
use crate::metrics::Limit;

/// A request that was understood and not carried out. Nothing of it took effect.
///
/// Its text is what the caller is shown.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    /// The caller's picture of the game is old; the state as it is comes along.
    #[error("{detail}")]
    Stale {
        /// What differs.
        detail: String,
        /// The state as it is.
        state: Arc<Frame>,
    },
    /// The request itself is at fault: an unknown player, a reused command id.
    #[error("{0}")]
    Invalid(String),
    /// There is no such session, or it is closed.
    #[error("there is no session {0}")]
    NoSession(String),
    /// It is not allowed in principle, as closing `main` is.
    #[error("{0}")]
    NotAllowed(String),
    /// There is no room for it now.
    #[error("{text}")]
    Full {
        /// What it ran into.
        limit: Limit,
        /// What is full, and what to do.
        text: String,
    },
    /// The store did not take it; it may later.
    #[error("not saved, so not played: {0}")]
    Store(String),
    /// The session left memory before it read the message: nothing was done, find it again.
    #[error("session {0} has left memory")]
    Passivated(String),
    /// The session crashed before it answered; it is loaded again from what is durable. Whether the message took effect
    /// is not known: only what changes nothing may simply be asked again.
    #[error("session {0} is being loaded again; look at its state before you repeat this")]
    Crashed(String),
    /// The server is stopping, or the actor asked is gone or does not answer.
    #[error("{0}")]
    Unavailable(String),
}
