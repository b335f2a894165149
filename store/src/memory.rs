//! The store that keeps nothing past the process: for trying things out, and for tests.

mod shelf;

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::{FutureExt, future};

use self::shelf::Shelf;
use crate::{
    Answer, Append, Best, Description, ErrorKind, GameId, GameQuery, GameRecord, ImportedGame,
    Move, NewSession, Page, SessionId, SessionSummary, Store, StoreError, StoredGame,
    StoredSession, UnixMillis, epoch,
};

/// A store in memory, with an epoch of its own.
#[derive(Debug, Clone)]
pub struct Memory {
    epoch: String,
    /// Held while one request is carried out, which waits for nothing; never over an await.
    shelf: Arc<Mutex<Shelf>>,
}

impl Memory {
    /// An empty one.
    pub fn new() -> Self {
        Self { epoch: epoch::random(), shelf: Arc::default() }
    }

    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Shelf) -> Result<T, StoreError>,
    ) -> Answer<T> {
        // Every request checks before it changes anything, so that even one that panicked left nothing half done.
        let mut held = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        future::ready(work(&mut held)).boxed()
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Store for Memory {
    fn epoch(&self) -> &str {
        &self.epoch
    }

    fn describe(&self) -> Description {
        Description { kind: "memory", durability: "none", place: None }
    }

    fn create(&self, session: NewSession) -> Answer<()> {
        self.with(|shelf| shelf.create(session))
    }

    fn load(&self, id: &SessionId) -> Answer<Option<StoredSession>> {
        self.with(|shelf| Ok(shelf.load(id)))
    }

    fn append(&self, append: Append) -> Answer<()> {
        self.with(|shelf| shelf.append(append))
    }

    fn reply(&self, session: &SessionId, command: &str) -> Answer<Option<String>> {
        self.with(|shelf| Ok(shelf.reply(session, command)))
    }

    fn close(&self, id: &SessionId, at: UnixMillis) -> Answer<bool> {
        self.with(|shelf| Ok(shelf.close(id, at, UnixMillis(i64::MAX))))
    }

    fn expire(&self, id: &SessionId, before: UnixMillis, at: UnixMillis) -> Answer<bool> {
        self.with(|shelf| Ok(shelf.close(id, at, before)))
    }

    fn count(&self) -> Answer<u64> {
        self.with(|shelf| Ok(shelf.count_open()))
    }

    fn add_link(&self, session: &SessionId, key: [u8; 32]) -> Answer<()> {
        self.with(|shelf| shelf.add_link(session, key))
    }

    fn revoke_links(&self, session: &SessionId) -> Answer<usize> {
        self.with(|shelf| Ok(shelf.revoke_links(session)))
    }

    fn linked(&self, key: [u8; 32]) -> Answer<Option<SessionId>> {
        self.with(|shelf| Ok(shelf.linked(&key)))
    }

    fn import(&self, game: ImportedGame) -> Answer<()> {
        self.with(|shelf| shelf.import(game))
    }

    fn sessions(&self, cursor: Option<String>, limit: usize) -> Answer<Page<SessionSummary>> {
        self.with(|shelf| shelf.sessions(cursor.as_deref(), limit))
    }

    fn driven(&self) -> Answer<Vec<SessionId>> {
        self.with(|shelf| Ok(shelf.driven()))
    }

    fn unchanged(&self, before: UnixMillis, limit: usize) -> Answer<Vec<SessionId>> {
        self.with(|shelf| Ok(shelf.unchanged(before, limit)))
    }

    fn game(&self, id: &GameId) -> Answer<Option<StoredGame>> {
        self.with(|shelf| Ok(shelf.game(id)))
    }

    fn record(&self, id: &GameId) -> Answer<Option<GameRecord>> {
        self.with(|shelf| Ok(shelf.record(id)))
    }

    fn moves(&self, id: &GameId, from: u32, to: u32) -> Answer<Option<Vec<Move>>> {
        self.with(|shelf| Ok(shelf.moves(id, from, to)))
    }

    fn games(&self, query: GameQuery) -> Answer<Page<GameRecord>> {
        self.with(|shelf| shelf.games(&query))
    }

    fn best(&self, session: &SessionId) -> Answer<Best> {
        self.with(|shelf| Ok(shelf.best(session)))
    }

    fn backup(&self, _file: &Path) -> Answer<()> {
        let text = "a store in memory has no file to be copied";
        future::ready(Err(StoreError::new(ErrorKind::Invalid, text))).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn memory_passes_the_contract() {
        crate::contract::run(|| Arc::new(Memory::new())).await;
    }
}
