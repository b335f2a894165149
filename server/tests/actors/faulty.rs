//! A store in memory that fails, blocks or panics when it is told to.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use store::{
    Answer, Append, Best, Description, ErrorKind, GameId, GameQuery, GameRecord, ImportedGame,
    Memory, Move, NewSession, Page, SessionId, SessionSummary, Store, StoreError, StoredGame,
    StoredSession, UnixMillis,
};
use tokio::sync::watch;

/// The store and its switches.
pub(crate) struct Faulty {
    inner: Memory,
    fails: AtomicBool,
    refused: AtomicUsize,
    panics: AtomicBool,
    damaged: AtomicBool,
    blocked: watch::Sender<bool>,
    slow: watch::Sender<bool>,
}

impl Faulty {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            inner: Memory::new(),
            fails: AtomicBool::new(false),
            refused: AtomicUsize::new(0),
            panics: AtomicBool::new(false),
            damaged: AtomicBool::new(false),
            blocked: watch::Sender::new(false),
            slow: watch::Sender::new(false),
        })
    }

    /// From now on appends are refused as on a full disk, or not.
    pub(crate) fn fail(&self, fails: bool) {
        self.fails.store(fails, Ordering::SeqCst);
    }

    /// How many appends were refused so far.
    pub(crate) fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    /// The next append panics in whoever asks for it.
    pub(crate) fn panic_once(&self) {
        self.panics.store(true, Ordering::SeqCst);
    }

    /// From now on no session can be read.
    pub(crate) fn damage(&self) {
        self.damaged.store(true, Ordering::SeqCst);
    }

    /// From now on appends are not answered, or are.
    pub(crate) fn block(&self, blocked: bool) {
        self.blocked.send_replace(blocked);
    }
}

impl Faulty {
    /// From now on loads, carried out all the same, are not answered, or are.
    pub(crate) fn slow_down(&self, slow: bool) {
        self.slow.send_replace(slow);
    }
}

impl Store for Faulty {
    fn append(&self, append: Append) -> Answer<()> {
        assert!(!self.panics.swap(false, Ordering::SeqCst), "told to panic");
        if self.fails.load(Ordering::SeqCst) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Box::pin(async {
                Err(StoreError::new(ErrorKind::Unavailable, "the disk is full"))
            });
        }
        let (mut blocked, answer) = (self.blocked.subscribe(), self.inner.append(append));
        Box::pin(async move {
            blocked.wait_for(|blocked| !blocked).await.expect("the store outlives its sessions");
            answer.await
        })
    }

    fn epoch(&self) -> &str {
        self.inner.epoch()
    }

    fn describe(&self) -> Description {
        self.inner.describe()
    }

    fn create(&self, session: NewSession) -> Answer<()> {
        self.inner.create(session)
    }

    fn load(&self, id: &SessionId) -> Answer<Option<StoredSession>> {
        if self.damaged.load(Ordering::SeqCst) {
            return Box::pin(async {
                Err(StoreError::new(ErrorKind::Damaged, "the file is damaged"))
            });
        }
        let (mut blocked, answer) = (self.slow.subscribe(), self.inner.load(id));
        Box::pin(async move {
            blocked.wait_for(|blocked| !blocked).await.expect("the store outlives its lobby");
            answer.await
        })
    }

    fn reply(&self, session: &SessionId, command: &str) -> Answer<Option<String>> {
        self.inner.reply(session, command)
    }

    fn close(&self, id: &SessionId, at: UnixMillis) -> Answer<bool> {
        self.inner.close(id, at)
    }

    fn expire(&self, id: &SessionId, before: UnixMillis, at: UnixMillis) -> Answer<bool> {
        self.inner.expire(id, before, at)
    }

    fn count(&self) -> Answer<u64> {
        self.inner.count()
    }

    fn add_link(&self, session: &SessionId, key: [u8; 32]) -> Answer<()> {
        self.inner.add_link(session, key)
    }

    fn revoke_links(&self, session: &SessionId) -> Answer<usize> {
        self.inner.revoke_links(session)
    }

    fn linked(&self, key: [u8; 32]) -> Answer<Option<SessionId>> {
        self.inner.linked(key)
    }

    fn import(&self, game: ImportedGame) -> Answer<()> {
        self.inner.import(game)
    }

    fn sessions(&self, cursor: Option<String>, limit: usize) -> Answer<Page<SessionSummary>> {
        self.inner.sessions(cursor, limit)
    }

    fn driven(&self) -> Answer<Vec<SessionId>> {
        self.inner.driven()
    }

    fn unchanged(&self, before: UnixMillis, limit: usize) -> Answer<Vec<SessionId>> {
        self.inner.unchanged(before, limit)
    }

    fn game(&self, id: &GameId) -> Answer<Option<StoredGame>> {
        self.inner.game(id)
    }

    fn record(&self, id: &GameId) -> Answer<Option<GameRecord>> {
        self.inner.record(id)
    }

    fn moves(&self, id: &GameId, from: u32, to: u32) -> Answer<Option<Vec<Move>>> {
        self.inner.moves(id, from, to)
    }

    fn games(&self, query: GameQuery) -> Answer<Page<GameRecord>> {
        self.inner.games(query)
    }

    fn best(&self, session: &SessionId) -> Answer<Best> {
        self.inner.best(session)
    }

    fn backup(&self, file: &Path) -> Answer<()> {
        self.inner.backup(file)
    }
}
