//! What every adapter does.

use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;

use crate::{
    Append, Best, GameId, GameQuery, GameRecord, ImportedGame, Move, NewSession, Page, SessionId,
    SessionSummary, StoreError, StoredGame, StoredSession, UnixMillis,
};

/// How many links may lead to one session.
pub const MOST_LINKS: usize = 100;

/// What a request to the store comes to, in time.
pub type Answer<T> = BoxFuture<'static, Result<T, StoreError>>;

/// A place where sessions survive.
///
/// Promises:
/// - An answered write is durable at the adapter's level. An append is carried out whole or not at all, and two writers
///   with the same expected position never both win.
/// - A request is queued by the call itself, not by the first poll of its answer; an answer that nobody waits for is
///   carried out all the same.
/// - What concerns one session (`create`, `load`, `append`, `reply`, `close`, `expire`, `add_link`, `revoke_links`) and
///   `import` is carried out in the order of the calls, whoever calls.
/// - Lists and looks at games (all the others) never wait for writes. They see every write that was answered before
///   they were called, and may or may not see those under way.
///
/// Any request may fail with [`Busy`](crate::ErrorKind::Busy), [`Unavailable`](crate::ErrorKind::Unavailable) or
/// [`Damaged`](crate::ErrorKind::Damaged); only what else can go wrong is listed below.
pub trait Store: Send + Sync + 'static {
    /// The epoch: letters and digits, the same as long as no history was lost.
    fn epoch(&self) -> &str;

    /// What it is and what its promise of durability is worth, for `/api/version`: kind, level, place.
    fn describe(&self) -> Description;

    /// Creates a session with its first game.
    ///
    /// # Errors
    /// - [`ErrorKind::Exists`](crate::ErrorKind::Exists) when there is one with its id, closed ones included, or
    ///   a game with its game's.
    fn create(&self, session: NewSession) -> Answer<()>;

    /// Loads a session that is not closed; `None` when there is none.
    fn load(&self, id: &SessionId) -> Answer<Option<StoredSession>>;

    /// Makes changes durable.
    ///
    /// # Errors
    /// - [`ErrorKind::Conflict`](crate::ErrorKind::Conflict) unless the session is at the expected position.
    /// - [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) when there is no such session, or it is closed.
    /// - [`ErrorKind::Exists`](crate::ErrorKind::Exists) when it begins a game of an id that there is.
    /// - [`ErrorKind::Invalid`](crate::ErrorKind::Invalid) when the head or the numbers do not follow from the changes.
    fn append(&self, append: Append) -> Answer<()>;

    /// The reply to a remembered command; `None` when it is not among the last 256 of the session.
    fn reply(&self, session: &SessionId, command: &str) -> Answer<Option<String>>;

    /// Closes a session for good and gives up its running game; its games stay. `false` when there was none open.
    fn close(&self, id: &SessionId, at: UnixMillis) -> Answer<bool>;

    /// Closes a session likewise, but only if it has not changed since before `before`.
    fn expire(&self, id: &SessionId, before: UnixMillis, at: UnixMillis) -> Answer<bool>;

    /// How many sessions are open.
    fn count(&self) -> Answer<u64>;

    /// Lets whoever shows what `key` is the SHA-256 of watch an open session, until its links are revoked or it is
    /// closed.
    ///
    /// # Errors
    /// - [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) when the session is not there, or closed.
    /// - [`ErrorKind::Exists`](crate::ErrorKind::Exists) when it has [`MOST_LINKS`](crate::MOST_LINKS) already.
    fn add_link(&self, session: &SessionId, key: [u8; 32]) -> Answer<()>;

    /// Ends all links of a session; gives how many they were.
    fn revoke_links(&self, session: &SessionId) -> Answer<usize>;

    /// The open session that a link leads to.
    fn linked(&self, key: [u8; 32]) -> Answer<Option<SessionId>>;

    /// Files a game that was played elsewhere.
    ///
    /// # Errors
    /// - [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) when its session is not there, or closed.
    /// - [`ErrorKind::Exists`](crate::ErrorKind::Exists) when there is a game with its id.
    fn import(&self, game: ImportedGame) -> Answer<()>;

    /// Open sessions, newest first, at most `limit`, from where the page before gave as `next`.
    ///
    /// # Errors
    /// - [`ErrorKind::BadCursor`](crate::ErrorKind::BadCursor) when the cursor is not one of this list.
    fn sessions(&self, cursor: Option<String>, limit: usize) -> Answer<Page<SessionSummary>>;

    /// Open sessions whose agent was playing.
    fn driven(&self) -> Answer<Vec<SessionId>>;

    /// Open sessions that have not changed since before `before`, the longest unchanged first, at most `limit`.
    fn unchanged(&self, before: UnixMillis, limit: usize) -> Answer<Vec<SessionId>>;

    /// A game, running or filed, by its id, with its directions.
    fn game(&self, id: &GameId) -> Answer<Option<StoredGame>>;

    /// A game's record: all but its moves.
    fn record(&self, id: &GameId) -> Answer<Option<GameRecord>>;

    /// The moves `from` to `to` of a game, both included and counted from 1; those past its end are left out. Of the
    /// decisions, numbers come back rounded to four decimals, and what is kept for the last move only is `None`.
    fn moves(&self, id: &GameId, from: u32, to: u32) -> Answer<Option<Vec<Move>>>;

    /// Games, running and filed, closed sessions' too. A running game that is played on while a list is paged through
    /// may be in it twice, or not at all.
    ///
    /// # Errors
    /// - [`ErrorKind::BadCursor`](crate::ErrorKind::BadCursor) when the cursor is not one of this query.
    fn games(&self, query: GameQuery) -> Answer<Page<GameRecord>>;

    /// The best scores of a session.
    fn best(&self, session: &SessionId) -> Answer<Best>;

    /// Writes a copy of everything to a new file, which a server can be started on; play goes on meanwhile.
    ///
    /// # Errors
    /// - [`ErrorKind::Exists`](crate::ErrorKind::Exists) when the file is there already.
    /// - [`ErrorKind::Invalid`](crate::ErrorKind::Invalid) when the adapter keeps nothing in a file.
    fn backup(&self, file: &Path) -> Answer<()>;
}

/// What a store says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// `sqlite` or `memory`.
    pub kind: &'static str,
    /// `power` (survives a power cut), `process` (survives `kill -9`) or `none`.
    pub durability: &'static str,
    /// The data folder.
    pub place: Option<PathBuf>,
}
