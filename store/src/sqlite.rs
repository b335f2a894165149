//! The store in one file.
//!
//! Two threads, each with a connection of its own. The **writer** takes whatever has queued up, carries it out in one
//! transaction and has it answered when that is durable; what concerns one session, loading it too, goes through it in
//! order. The **reader** answers lists and looks at games from the newest committed state, without waiting for the
//! writer. At [`Durability::Power`] a third thread waits for the disk and answers for the writer.
//!
//! Each has a queue of [`QUEUE`] requests; when it is full, a request is refused at once as
//! [`ErrorKind::Busy`](crate::ErrorKind::Busy).
//!
//! The file is looked over when it is opened, a large one while it is in use already, and every row carries a check sum,
//! so that a changed byte is an error and never a game that is a little different.

mod fault;
mod folder;
mod sum;

mod schema;

mod look_over;

mod durable;

mod checkpoint;

mod work;

mod rows;

mod sessions;

mod links;

mod games;

mod backup;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread::JoinHandle,
};

use self::{
    checkpoint::Checkpoints,
    durable::Answers,
    folder::Folder,
    look_over::{Found, Look},
    schema::Opened,
    work::Queue,
};
use crate::{
    Answer, Append, Best, Description, GameId, GameQuery, GameRecord, ImportedGame, Move,
    NewSession, Observer, Page, SessionId, SessionSummary, Store, StoreError, StoredGame,
    StoredSession, UnixMillis, observer::Nobody,
};

/// How many requests wait for the writer, and how many for the reader, before more are refused: a few seconds' work.
pub const QUEUE: usize = 16_384;

/// What an answered write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut: each answer waits for the disk.
    #[default]
    Power,
    /// The end of the process, `kill -9` too; a power cut may take back the newest writes, but damages nothing.
    Process,
}

/// A store in one file of a data folder.
///
/// Dropping it carries out what is queued, and waits for that.
#[derive(Debug)]
pub struct Sqlite {
    folder: PathBuf,
    file: PathBuf,
    durability: Durability,
    epoch: String,
    writer: Queue,
    reader: Queue,
    threads: Vec<JoinHandle<()>>,
    look: Option<Look>,
}

impl Sqlite {
    /// What the file in the data folder is called: a backup of this name is a folder to start a server on.
    pub const FILE: &str = schema::NAME;

    /// Opens the store in `folder`; both are made where they are not there.
    ///
    /// # Errors
    /// - [`ErrorKind::InUse`](crate::ErrorKind::InUse) when another process has the folder.
    /// - [`ErrorKind::Damaged`](crate::ErrorKind::Damaged) when the file is damaged, somebody else's or of a later
    ///   version; it is left as it is.
    /// - [`ErrorKind::Unavailable`](crate::ErrorKind::Unavailable) when folder or file cannot be used.
    pub fn open(folder: &Path, durability: Durability) -> Result<Self, StoreError> {
        Self::open_observed(folder, durability, Arc::new(Nobody))
    }

    /// The same, with somebody who looks on.
    ///
    /// # Errors
    /// - As [`Sqlite::open`].
    pub fn open_observed(
        folder: &Path,
        durability: Durability,
        observer: Arc<dyn Observer>,
    ) -> Result<Self, StoreError> {
        Self::open_and_look(folder, durability, look_over::AT_ONCE, observer)
    }

    /// Opens the store in `folder` to look at it, while another process may have it: to verify its games or to make a
    /// backup. What would change it is refused as [`ErrorKind::Unavailable`](crate::ErrorKind::Unavailable).
    ///
    /// # Errors
    /// - [`ErrorKind::Damaged`](crate::ErrorKind::Damaged) when the file is damaged, somebody else's or of another
    ///   version.
    /// - [`ErrorKind::Unavailable`](crate::ErrorKind::Unavailable) when there is none, or it cannot be read.
    pub fn open_beside(folder: &Path) -> Result<Self, StoreError> {
        let opened = schema::open_beside(folder)?;
        Self::start(folder, None, opened, Durability::Process, Answers::AtOnce, Arc::new(Nobody))
    }

    fn open_and_look(
        folder: &Path,
        durability: Durability,
        at_once: u64,
        observer: Arc<dyn Observer>,
    ) -> Result<Self, StoreError> {
        let taken = Folder::take(folder)?;
        let opened = schema::open(&taken, durability, at_once)?;
        let answers = match durability {
            Durability::Power => {
                Answers::on_disk(opened.file.clone(), durable::sync_log(&opened.file))?
            }
            Durability::Process => Answers::AtOnce,
        };
        Self::start(folder, Some(taken), opened, durability, answers, observer)
    }

    fn start(
        folder: &Path,
        taken: Option<Folder>,
        opened: Opened,
        durability: Durability,
        answers: Answers,
        observer: Arc<dyn Observer>,
    ) -> Result<Self, StoreError> {
        let found = Found::default();
        let look = || Look::begin(opened.file.clone(), Arc::clone(&found));
        let look = (!opened.looked_over).then(look).transpose()?;
        let (file, at) = (opened.file, Arc::clone(&found));
        // Whoever only looks takes nothing up.
        let checkpoints =
            taken.as_ref().map(|_| Checkpoints::start(&file, durability)).transpose()?;
        let (writer, writing) = work::spawn_writer(
            opened.writer,
            file.clone(),
            at,
            answers,
            checkpoints,
            taken,
            observer,
        )?;
        let (reader, reading) = work::spawn_reader(opened.reader, file.clone(), found)?;
        Ok(Self {
            folder: folder.to_owned(),
            file,
            durability,
            epoch: opened.epoch,
            writer,
            reader,
            threads: vec![writing, reading],
            look,
        })
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.writer.close();
        self.reader.close();
        if let Some(look) = self.look.take() {
            look.end();
        }
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a thread of the store panicked");
            }
        }
    }
}

impl Store for Sqlite {
    fn epoch(&self) -> &str {
        &self.epoch
    }

    fn describe(&self) -> Description {
        let durability = match self.durability {
            Durability::Power => "power",
            Durability::Process => "process",
        };
        Description { kind: "sqlite", durability, place: Some(self.folder.clone()) }
    }

    fn create(&self, session: NewSession) -> Answer<()> {
        self.writer.ask(move |connection| sessions::create(connection, &session))
    }

    fn load(&self, id: &SessionId) -> Answer<Option<StoredSession>> {
        let id = id.clone();
        self.writer.ask(move |connection| sessions::load(connection, &id))
    }

    fn append(&self, append: Append) -> Answer<()> {
        self.writer.ask(move |connection| sessions::append(connection, &append))
    }

    fn reply(&self, session: &SessionId, command: &str) -> Answer<Option<String>> {
        let (session, command) = (session.clone(), command.to_owned());
        self.writer.ask(move |connection| sessions::reply(connection, &session, &command))
    }

    fn close(&self, id: &SessionId, at: UnixMillis) -> Answer<bool> {
        let id = id.clone();
        let any = UnixMillis(i64::MAX);
        self.writer.ask(move |connection| sessions::close(connection, &id, at, any))
    }

    fn expire(&self, id: &SessionId, before: UnixMillis, at: UnixMillis) -> Answer<bool> {
        let id = id.clone();
        self.writer.ask(move |connection| sessions::close(connection, &id, at, before))
    }

    fn count(&self) -> Answer<u64> {
        self.reader.ask(sessions::count)
    }

    fn add_link(&self, session: &SessionId, key: [u8; 32]) -> Answer<()> {
        let session = session.clone();
        self.writer.ask(move |connection| links::add(connection, &session, &key))
    }

    fn revoke_links(&self, session: &SessionId) -> Answer<usize> {
        let session = session.clone();
        self.writer.ask(move |connection| links::revoke(connection, &session))
    }

    fn linked(&self, key: [u8; 32]) -> Answer<Option<SessionId>> {
        self.reader.ask(move |connection| links::find(connection, &key))
    }

    fn import(&self, game: ImportedGame) -> Answer<()> {
        self.writer.ask(move |connection| games::import(connection, &game))
    }

    fn sessions(&self, cursor: Option<String>, limit: usize) -> Answer<Page<SessionSummary>> {
        self.reader.ask(move |connection| sessions::list(connection, cursor.as_deref(), limit))
    }

    fn driven(&self) -> Answer<Vec<SessionId>> {
        self.reader.ask(sessions::driven)
    }

    fn unchanged(&self, before: UnixMillis, limit: usize) -> Answer<Vec<SessionId>> {
        self.reader.ask(move |connection| sessions::unchanged(connection, before, limit))
    }

    fn game(&self, id: &GameId) -> Answer<Option<StoredGame>> {
        let id = id.clone();
        self.reader.ask(move |connection| games::game(connection, &id))
    }

    fn record(&self, id: &GameId) -> Answer<Option<GameRecord>> {
        let id = id.clone();
        self.reader.ask(move |connection| games::record(connection, &id))
    }

    fn moves(&self, id: &GameId, from: u32, to: u32) -> Answer<Option<Vec<Move>>> {
        let id = id.clone();
        self.reader.ask(move |connection| games::moves(connection, &id, from, to))
    }

    fn games(&self, query: GameQuery) -> Answer<Page<GameRecord>> {
        self.reader.ask(move |connection| games::list(connection, &query))
    }

    fn best(&self, session: &SessionId) -> Answer<Best> {
        let session = session.clone();
        self.reader.ask(move |connection| games::best(connection, &session))
    }

    fn backup(&self, file: &Path) -> Answer<()> {
        let (from, to) = (self.file.clone(), file.to_owned());
        work::aside(move || backup::write(&from, &to))
    }
}

#[cfg(test)]
mod tests;
