//! What is broken on purpose in the server of `faults`: two players, and a store that makes a session panic. None of it is in
//! the server that is shipped.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use players::{Decision, Limits, Player, Position};
use server::{
    roster::{Mind, Offer},
    server::Guests,
};
use store::{
    Answer, Append, Best, Description, GameId, GameQuery, GameRecord, ImportedGame, Move,
    NewSession, Page, SessionId, SessionSummary, Store, StoredGame, StoredSession, UnixMillis,
};

/// The player that panics.
pub(crate) const PANICS: &str = "panics";
/// The player that never answers, whatever it is told.
pub(crate) const HANGS: &str = "hangs";

/// Their time for a decision when nobody names one.
const BUDGET: Duration = Duration::from_millis(20);

/// The session that panics with its next change.
static CONDEMNED: Mutex<Option<SessionId>> = Mutex::new(None);

/// Has the session of that id panic with its next change.
pub(crate) fn condemn(session: &str) {
    *CONDEMNED.lock().unwrap_or_else(PoisonError::into_inner) = Some(SessionId::new(session));
}

/// What is given to the server.
pub(crate) fn guests() -> Guests {
    let offer =
        |name, make| Offer { name, title: name, budget: Some(BUDGET), mind: Mind::Thinks(make) };
    Guests {
        players: vec![offer(PANICS, || Box::new(Panics)), offer(HANGS, || Box::new(Hangs))],
        before_the_store: Some(Box::new(|store| Arc::new(Breaks(store)))),
    }
}

#[derive(Debug)]
struct Panics;

impl Player for Panics {
    fn choose(&mut self, _: &Position, _: &Limits<'_>) -> Decision {
        panic!("as `faults` wants it")
    }
}

#[derive(Debug)]
struct Hangs;

impl Player for Hangs {
    fn choose(&mut self, _: &Position, _: &Limits<'_>) -> Decision {
        loop {
            thread::park();
        }
    }
}

/// A store within which a session panics: that is what a fault of the session itself looks like.
struct Breaks(Arc<dyn Store>);

macro_rules! passed_on {
    ($(fn $name:ident($($arg:ident: $of:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($arg: $of),*) -> $answer { self.0.$name($($arg),*) })*
    };
}

impl Store for Breaks {
    fn epoch(&self) -> &str {
        self.0.epoch()
    }

    fn append(&self, append: Append) -> Answer<()> {
        let mut condemned = CONDEMNED.lock().unwrap_or_else(PoisonError::into_inner);
        if condemned.as_ref() == Some(&append.session) {
            *condemned = None;
            drop(condemned);
            panic!("as `faults` wants it");
        }
        drop(condemned);
        self.0.append(append)
    }

    passed_on! {
        fn describe() -> Description;
        fn create(session: NewSession) -> Answer<()>;
        fn load(id: &SessionId) -> Answer<Option<StoredSession>>;
        fn reply(session: &SessionId, command: &str) -> Answer<Option<String>>;
        fn close(id: &SessionId, at: UnixMillis) -> Answer<bool>;
        fn expire(id: &SessionId, before: UnixMillis, at: UnixMillis) -> Answer<bool>;
        fn count() -> Answer<u64>;
        fn add_link(session: &SessionId, key: [u8; 32]) -> Answer<()>;
        fn revoke_links(session: &SessionId) -> Answer<usize>;
        fn linked(key: [u8; 32]) -> Answer<Option<SessionId>>;
        fn import(game: ImportedGame) -> Answer<()>;
        fn sessions(cursor: Option<String>, limit: usize) -> Answer<Page<SessionSummary>>;
        fn driven() -> Answer<Vec<SessionId>>;
        fn unchanged(before: UnixMillis, limit: usize) -> Answer<Vec<SessionId>>;
        fn game(id: &GameId) -> Answer<Option<StoredGame>>;
        fn record(id: &GameId) -> Answer<Option<GameRecord>>;
        fn moves(id: &GameId, from: u32, to: u32) -> Answer<Option<Vec<Move>>>;
        fn games(query: GameQuery) -> Answer<Page<GameRecord>>;
        fn best(session: &SessionId) -> Answer<Best>;
        fn backup(file: &Path) -> Answer<()>;
    }
}
