//! Where the lobby knows a session to be.

use tokio::sync::oneshot;

use crate::actors::{handle::SessionHandle, refusal::Refusal};

/// Where a session is.
#[derive(Debug)]
pub(super) enum Place {
    Here(SessionHandle),
    /// Being loaded.
    Loading(Loading),
}

/// A session on its way from the store.
#[derive(Debug)]
pub(super) struct Loading {
    /// Tells this load from one that was begun before the session was closed, and comes to nothing.
    pub(super) number: u64,
    /// These wait for it.
    pub(super) waiting: Vec<oneshot::Sender<Result<SessionHandle, Refusal>>>,
}

impl Place {
    /// Whether it is being loaded, and by this load.
    pub(super) fn is_load(&self, number: u64) -> bool {
        matches!(self, Self::Loading(loading) if loading.number == number)
    }
}

/// Answers everybody who waited for a session.
pub(super) fn tell_all(
    waiting: Vec<oneshot::Sender<Result<SessionHandle, Refusal>>>,
    found: &Result<SessionHandle, Refusal>,
) {
    for tell in waiting {
        if tell.send(found.clone()).is_err() {
            tracing::trace!("a session that nobody waits for");
        }
    }
}
