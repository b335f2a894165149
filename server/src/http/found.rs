//! The sessions that one thread of the HTTP server has found: a request need not ask the lobby for each of them again.

use std::{cell::RefCell, collections::HashMap};

use store::SessionId;

use crate::actors::handle::SessionHandle;

/// How many handles are kept; a handle is a few hundred bytes.
const KEPT: usize = 4096;

/// Handles by the session's id. One of a session that has left is not given out again, but for the moment in which it is
/// leaving: it refuses then, and whoever is refused asks the lobby.
#[derive(Debug, Default)]
pub(super) struct Found(RefCell<HashMap<SessionId, SessionHandle>>);

impl Found {
    /// The handle of a session that was found before and has not left since.
    pub(super) fn get(&self, id: &SessionId) -> Option<SessionHandle> {
        self.0.borrow().get(id).filter(|handle| handle.is_alive()).cloned()
    }

    /// Keeps what the lobby said.
    pub(super) fn put(&self, handle: &SessionHandle) {
        let mut found = self.0.borrow_mut();
        if found.len() >= KEPT {
            found.retain(|_, handle| handle.is_alive());
        }
        if found.len() >= KEPT {
            found.clear();
        }
        found.insert(handle.id().clone(), handle.clone());
    }
}
