//! What goes wrong inside: a store that takes nothing, a session that panics.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
};

use actix::{Arbiter, System};
use serde_json::{Value, json};
use server::{
    actors::{
        handle::Control,
        lobby::{Lobby, LobbyParts, Open},
        session::Published,
    },
    config::Config,
    http::{Closing, HttpParts, serve},
    roster::Roster,
    transcript::Transcript,
};
use store::{
    Answer, Append, Best, Description, ErrorKind, GameId, GameQuery, GameRecord, ImportedGame,
    Memory, Move, NewSession, Page, SessionId, SessionSummary, Store, StoreError, StoredGame,
    StoredSession, UnixMillis,
};

use crate::table::Caller;

/// What [`Fragile`] does with an append.
const WRITE: u8 = 0;
const REFUSE: u8 = 1;
/// Within the session's handler: that is what a bug of the session looks like.
const PANIC: u8 = 2;

/// A store in memory that fails when it is told to.
struct Fragile {
    memory: Memory,
    mood: AtomicU8,
}

macro_rules! passed_on {
    ($(fn $name:ident($($arg:ident: $of:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($arg: $of),*) -> $answer { self.memory.$name($($arg),*) })*
    };
}

impl Store for Fragile {
    fn epoch(&self) -> &str {
        self.memory.epoch()
    }

    fn append(&self, append: Append) -> Answer<()> {
        match self.mood.load(Ordering::SeqCst) {
            WRITE => self.memory.append(append),
            REFUSE => {
                let error = StoreError::new(ErrorKind::Unavailable, "the disk is full");
                Box::pin(async move { Err(error) })
            }
            _ => panic!("as the test wants it"),
        }
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

/// Runs `play` beside a server on a fragile store.
fn with_fragile_store(play: impl AsyncFnOnce(Caller, Arc<Fragile>)) {
    with_fragile_server(play, async |_caller| {});
}

/// The same, and `late` while the server stops.
fn with_fragile_server(
    play: impl AsyncFnOnce(Caller, Arc<Fragile>),
    late: impl AsyncFnOnce(Caller),
) {
    System::new().block_on(async {
        let store = Arc::new(Fragile { memory: Memory::new(), mood: AtomicU8::new(WRITE) });
        let published = Published { epoch: store.epoch().to_owned(), boot: "boot".to_owned() };
        let arbiter = Arbiter::new();
        let metrics = server::metrics::Metrics::new();
        let lobby = Lobby::new(LobbyParts {
            store: Arc::<Fragile>::clone(&store),
            roster: Arc::new(Roster::built_in(1)),
            published,
            main: Control::Open,
            idle_after: Config::default().idle,
            clock: Config::default().clock,
            expire_after: None,
            most_sessions: Config::default().max_sessions,
            most_advice: Config::default().max_advice_per_session,
            most_agents: Config::default().max_agents,
            metrics: Arc::clone(&metrics),
            arbiters: vec![arbiter.handle()],
        })
        .open();
        lobby.ask(Open).await.unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let config = Config::default();
        let version = protocol::Version {
            name: String::new(),
            version: String::new(),
            protocol: protocol::PROTOCOL,
            boot: String::new(),
            players: Vec::new(),
            key_configured: false,
            network_bytes: None,
            store: protocol::VersionStore { kind: String::new(), durability: String::new() },
            limits: config.limits(),
        };
        let closing = Closing::new();
        let operator = Control::Open;
        let parts = HttpParts {
            listener,
            tls: None,
            lobby: lobby.clone(),
            store: Arc::<Fragile>::clone(&store),
            operator,
            version,
            closing: closing.clone(),
            transcript: Transcript::off(),
            desk: None,
            metrics,
        };
        let server = serve(&config, parts).unwrap();
        let handle = server.handle();
        actix::spawn(server);
        let caller = Caller::new(url);
        play(caller.clone(), store).await;
        closing.close();
        lobby.shut_down().await;
        late(caller).await;
        handle.stop(true).await;
        arbiter.stop();
    });
}

const ROWS: [[u32; 4]; 4] = [[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]];

fn left() -> Value {
    json!({ "direction": "LEFT" })
}

#[test]
fn a_store_that_takes_nothing_stops_play_and_nothing_else() {
    with_fragile_store(async |caller, store| {
        caller.deal(ROWS).await;
        let before = caller.state().await;
        let mut events = caller.watch("").await;
        assert_eq!(events.state().await["seq"], before["seq"]);

        store.mood.store(REFUSE, Ordering::SeqCst);
        let refused = caller.post("move", &left()).await;
        assert!(refused.refused(503).starts_with("not saved, so not played: the disk is full"));
        assert_eq!(refused.header("retry-after"), "1");
        assert_eq!(caller.state().await["grid"], before["grid"], "nothing of it took effect");
        assert_eq!(caller.get("/readyz").await.status, 200);

        store.mood.store(WRITE, Ordering::SeqCst);
        let played = caller.post("move", &left()).await.ok()["state"].clone();
        assert_eq!(played["moves"], 1);
        assert_eq!(events.state_where(|state| state["moves"] == 1).await["grid"], played["grid"]);
    });
}

#[test]
fn a_session_that_panics_comes_back_and_its_streams_go_on() {
    with_fragile_store(async |caller, store| {
        caller.deal(ROWS).await;
        let before = caller.state().await;
        let mut events = caller.watch("").await;
        assert_eq!(events.state().await["seq"], before["seq"]);

        store.mood.store(PANIC, Ordering::SeqCst);
        caller.post("move", &left()).await.refused(503);
        store.mood.store(WRITE, Ordering::SeqCst);

        // It is found again, as it was stored; the same stream goes on.
        let reloaded = caller.state().await;
        assert_eq!((&reloaded["seq"], &reloaded["grid"]), (&before["seq"], &before["grid"]));
        let played = caller.post("move", &left()).await.ok()["state"].clone();
        assert_eq!(events.state_where(|state| state["moves"] == 1).await["grid"], played["grid"]);
    });
}

#[test]
fn a_link_that_was_revoked_does_not_outlive_a_panic_and_another_does() {
    with_fragile_store(async |caller, store| {
        caller.deal(ROWS).await;
        let link = caller.post_empty("links").await.ok()["link"].as_str().unwrap().to_owned();
        let mut events = caller.by_link(&link).watch("").await;
        events.state().await;
        let panic = async || {
            store.mood.store(PANIC, Ordering::SeqCst);
            caller.post_empty("new").await.refused(503);
            store.mood.store(WRITE, Ordering::SeqCst);
            // It is found again by who only reads.
            caller.state().await;
        };
        panic().await;
        caller.post("move", &left()).await.ok();
        assert_eq!(events.state_where(|state| state["moves"] == 1).await["session"], "");

        // Behind the session's back, as if it had panicked in the moment after.
        assert_eq!(store.revoke_links(&SessionId::new("main")).await.unwrap(), 1);
        panic().await;
        assert_eq!(events.named("bye").await.json()["reason"], "revoked");
    });
}

#[test]
fn a_stream_that_is_opened_while_the_server_stops_is_told_to_come_back() {
    with_fragile_server(
        async |caller, _store| {
            caller.state().await;
        },
        async |caller| {
            caller.post("move", &left()).await.refused(503);
            let mut events = caller.watch("").await;
            assert_eq!(events.named("bye").await.json()["reason"], "shutdown");
            assert_eq!(events.next().await, None);
        },
    );
}
