//! What every adapter does.

use futures_util::future::BoxFuture;

use crate::{
    Append, GameId, NewSession, SessionId, SessionSummary, StoreError, StoredGame, StoredSession,
    UnixMillis,
};

/// What a request to the store comes to, in time.
pub type Answer<T> = BoxFuture<'static, Result<T, StoreError>>;

/// A place where sessions survive.
///
/// Promises: an answered write is durable at the adapter's level; an append is carried out whole or not at all; two
/// writers with the same expected position never both win; a request is queued by the call itself, not by the first poll
/// of its answer, and requests of one caller are carried out in the order in which they were made.
pub trait Store: Send + Sync + 'static {
    /// The epoch: letters and digits, the same as long as no history was lost.
    fn epoch(&self) -> &str;

    /// What it is and what its promise of durability is worth, for `/api/version`: kind, level, place.
    fn describe(&self) -> Description;

    /// Creates a session with its first game.
    ///
    /// # Errors
    /// - [`ErrorKind::Exists`](crate::ErrorKind::Exists) when there is one with its id, closed ones included.
    fn create(&self, session: NewSession) -> Answer<()>;

    /// Loads a session that is not closed; `None` when there is none.
    fn load(&self, id: &SessionId) -> Answer<Option<StoredSession>>;

    /// Makes changes durable.
    ///
    /// # Errors
    /// - [`ErrorKind::Conflict`](crate::ErrorKind::Conflict) unless the session is at the expected position.
    /// - [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) when there is no such session, or it is closed.
    fn append(&self, append: Append) -> Answer<()>;

    /// The reply to a remembered command; `None` when it is not among the last 256 of the session.
    fn reply(&self, session: &SessionId, command: &str) -> Answer<Option<String>>;

    /// Closes a session for good; its games stay. `false` when there was none open.
    fn close(&self, id: &SessionId, at: UnixMillis) -> Answer<bool>;

    /// Open sessions, newest first, at most `limit`, those after `cursor`; with the cursor of the next page.
    fn sessions(
        &self,
        cursor: Option<String>,
        limit: usize,
    ) -> Answer<(Vec<SessionSummary>, Option<String>)>;

    /// Open sessions whose agent was playing.
    fn driven(&self) -> Answer<Vec<SessionId>>;

    /// A game, running or filed, by its id.
    fn game(&self, id: &GameId) -> Answer<Option<StoredGame>>;
}

/// What a store says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// `sqlite` or `memory`.
    pub kind: &'static str,
    /// `power` (survives a power cut), `process` (survives `kill -9`) or `none`.
    pub durability: &'static str,
    /// The data folder.
    pub place: Option<std::path::PathBuf>,
}
