//! What may be asked of the lobby, and what it answers.

use std::sync::{Arc, atomic::AtomicBool};

use actix::Message;
use store::{Page, SessionId, SessionSummary};

use crate::actors::{handle::SessionHandle, refusal::Refusal};

/// Makes sure that `main` exists, and loads every session whose agent was playing.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub struct Open;

/// Finds an open session, loading it from the store if it is not in memory.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<SessionHandle, Refusal>")]
pub struct FindSession {
    /// Its id.
    pub id: SessionId,
}

/// Creates a session with a new game.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Created, Refusal>")]
pub struct CreateSession {
    /// The seed of its first game; random, and secret while it runs, when left out.
    pub seed: Option<u64>,
    /// What to call it.
    pub name: Option<String>,
}

/// A session that was created.
#[derive(Clone)]
pub struct Created {
    /// Where it is.
    pub handle: SessionHandle,
    /// Its control token, told this once and stored as a hash only.
    pub control: String,
}

impl std::fmt::Debug for Created {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Created").field("handle", &self.handle).finish_non_exhaustive()
    }
}

/// Lists open sessions, newest first.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Page<SessionSummary>, Refusal>")]
pub struct ListSessions {
    /// Where the page begins.
    pub cursor: Option<String>,
    /// At most so many, 1 to 200.
    pub limit: usize,
}

/// Closes a session for good. `main` is refused.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub struct CloseSession {
    /// Its id.
    pub id: SessionId,
}

/// Nobody has needed a session for a while: may it leave memory?
#[derive(Debug, Clone, Message)]
#[rtype(result = "bool")]
pub struct SessionIdle {
    /// Its id.
    pub id: SessionId,
    /// Tells this actor from one that was loaded since.
    pub retired: Arc<AtomicBool>,
}

/// Counts the sessions in memory.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "usize")]
pub struct CountSessions;

/// Stops the server's sessions: every watcher is told, everything is made durable.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Shutdown;
