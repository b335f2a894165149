//! Which sessions there are, and where.
//!
//! | receives          | from    | answers                                          |
//! |-------------------|---------|--------------------------------------------------|
//! | [`Open`]          | server  | when `main` is there and running agents go on    |
//! | [`FindSession`]   | http    | a handle; the session is loaded if need be       |
//! | [`CreateSession`] | http    | a handle and the new session's control token     |
//! | [`ListSessions`]  | http    | a page of open sessions                          |
//! | [`CloseSession`]  | http    | when it is closed and its watchers were told     |
//! | [`SessionIdle`]   | session | whether it may leave memory                      |
//! | [`Shutdown`]      | server  | when every session is durable and has left       |
//!
//! Mailbox: actix's 16, requests whose askers wait. It never waits itself: who asks for a session that is being loaded
//! is answered when it is. On a panic of a session its address is dead, and the lobby loads it again within half a
//! second; its subscribers are given the state anew. The lobby's own panic ends the server.

use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use actix::{
    Actor, ActorFutureExt, Addr, ArbiterHandle, AsyncContext, Context, Handler, Message,
    ResponseActFuture, ResponseFuture, WrapFuture,
};
use futures_util::future::{self, LocalBoxFuture};
use protocol::ByeReason;
use store::{
    ErrorKind, GameId, NewGame, NewSession, Numbers, Page, SessionId, SessionSummary, Store,
};
use tokio::sync::oneshot;

pub use super::handle::LobbyHandle;
use super::{
    handle::{Control, SessionHandle},
    refusal::Refusal,
    session::{Parts, Published, Restored, Session, first_head},
};
use crate::{clock::now, roster::Roster, secret};

/// The id of the session that always exists.
pub const MAIN: &str = "main";

/// How often sessions that crashed are looked for.
const REVIVE_EVERY: Duration = Duration::from_millis(500);

/// How long sessions are given to leave at shutdown.
const LEAVE_WITHIN: Duration = Duration::from_secs(3);

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

/// Stops the server's sessions: every watcher is told, everything is made durable.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Shutdown;

/// What a lobby is made of.
#[derive(Clone)]
pub struct LobbyParts {
    /// Where the sessions are kept.
    pub store: Arc<dyn Store>,
    /// The players on offer.
    pub roster: Arc<Roster>,
    /// What is the same in every state.
    pub published: Published,
    /// Who may play in `main`.
    pub main: Control,
    /// How long a session stays in memory without watchers, agent or request.
    pub idle_after: Duration,
    /// Where sessions run, in turn.
    pub arbiters: Vec<ArbiterHandle>,
}

impl std::fmt::Debug for LobbyParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LobbyParts").field("published", &self.published).finish_non_exhaustive()
    }
}

/// The actor.
#[derive(Debug)]
pub struct Lobby {
    parts: LobbyParts,
    sessions: HashMap<SessionId, Place>,
    next_arbiter: usize,
    closing: bool,
}

/// Where a session is.
#[derive(Debug)]
enum Place {
    Here(SessionHandle),
    /// Being loaded; these wait for it.
    Loading(Vec<oneshot::Sender<Result<SessionHandle, Refusal>>>),
}

type Found = LocalBoxFuture<'static, Result<SessionHandle, Refusal>>;

impl Lobby {
    /// A lobby without a session.
    ///
    /// # Panics
    /// When there is no arbiter to run sessions on.
    pub fn new(parts: LobbyParts) -> Self {
        assert!(!parts.arbiters.is_empty(), "sessions need an arbiter to run on");
        Self { parts, sessions: HashMap::new(), next_arbiter: 0, closing: false }
    }

    /// Starts it and gives its handle.
    pub fn open(self) -> LobbyHandle {
        LobbyHandle::new(self.start())
    }
}

impl Actor for Lobby {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(REVIVE_EVERY, Self::revive);
    }
}

impl Handler<Open> for Lobby {
    type Result = ResponseActFuture<Self, Result<(), Refusal>>;

    fn handle(&mut self, _: Open, _ctx: &mut Self::Context) -> Self::Result {
        let created = self.create(SessionId::new(MAIN), None, None, None);
        let driven = self.parts.store.driven();
        let opened = async move {
            match created.await {
                Err(error) if error.kind != ErrorKind::Exists => {
                    return Err(Refusal::Unavailable(error.text));
                }
                _ => {}
            }
            driven.await.map_err(|error| Refusal::Unavailable(error.text))
        };
        Box::pin(opened.into_actor(self).then(|driven, lobby, ctx| {
            let main: Found = match driven {
                Ok(driven) => {
                    for id in driven {
                        lobby.restore(id, ctx);
                    }
                    lobby.find(SessionId::new(MAIN), ctx)
                }
                Err(refusal) => Box::pin(future::err(refusal)),
            };
            async { main.await.map(|_handle| ()) }.into_actor(lobby)
        }))
    }
}

impl Handler<FindSession> for Lobby {
    type Result = ResponseFuture<Result<SessionHandle, Refusal>>;

    fn handle(&mut self, FindSession { id }: FindSession, ctx: &mut Self::Context) -> Self::Result {
        self.find(id, ctx)
    }
}

impl Handler<CreateSession> for Lobby {
    type Result = ResponseActFuture<Self, Result<Created, Refusal>>;

    fn handle(
        &mut self,
        CreateSession { seed, name }: CreateSession,
        _ctx: &mut Self::Context,
    ) -> Self::Result {
        let (id, control) = (SessionId::new(secret::id()), secret::token());
        let hash = Control::by_token(&control).hash();
        let created = self.create(id.clone(), name, hash, seed);
        Box::pin(created.into_actor(self).then(move |created, lobby, ctx| {
            let found: Found = match created {
                Ok(()) => lobby.find(id, ctx),
                Err(error) => Box::pin(future::err(Refusal::Store(error.text))),
            };
            async move { Ok(Created { handle: found.await?, control }) }.into_actor(lobby)
        }))
    }
}

impl Handler<ListSessions> for Lobby {
    type Result = ResponseFuture<Result<Page<SessionSummary>, Refusal>>;

    fn handle(
        &mut self,
        ListSessions { cursor, limit }: ListSessions,
        _ctx: &mut Self::Context,
    ) -> Self::Result {
        let page = self.parts.store.sessions(cursor, limit);
        Box::pin(async {
            page.await.map_err(|error| match error.kind {
                ErrorKind::BadCursor => Refusal::Invalid(error.text),
                _ => Refusal::Unavailable(error.text),
            })
        })
    }
}

impl Handler<CloseSession> for Lobby {
    type Result = ResponseActFuture<Self, Result<(), Refusal>>;

    fn handle(
        &mut self,
        CloseSession { id }: CloseSession,
        _ctx: &mut Self::Context,
    ) -> Self::Result {
        if id.as_str() == MAIN {
            return Box::pin(
                future::err(Refusal::NotAllowed("main cannot be closed".to_owned()))
                    .into_actor(self),
            );
        }
        let closed = self.parts.store.close(&id, now());
        Box::pin(closed.into_actor(self).then(move |closed, lobby, _ctx| {
            let leaving = match lobby.sessions.remove(&id) {
                Some(Place::Here(handle)) => Some(handle),
                _ => None,
            };
            async move {
                if !closed.map_err(|error| Refusal::Store(error.text))? {
                    return Err(Refusal::NoSession(id.to_string()));
                }
                if let Some(handle) = leaving {
                    handle.leave(ByeReason::Closed).await;
                }
                Ok(())
            }
            .into_actor(lobby)
        }))
    }
}

impl Handler<SessionIdle> for Lobby {
    type Result = bool;

    fn handle(
        &mut self,
        SessionIdle { id, retired }: SessionIdle,
        _ctx: &mut Self::Context,
    ) -> bool {
        match self.sessions.get(&id) {
            Some(Place::Here(handle)) if handle.is_of(&retired) => {
                self.sessions.remove(&id).is_some()
            }
            Some(_) => false,
            // It was closed, or is not known any more for another reason.
            None => true,
        }
    }
}

impl Handler<Shutdown> for Lobby {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, _: Shutdown, _ctx: &mut Self::Context) -> Self::Result {
        self.closing = true;
        let here = self.sessions.drain().filter_map(|(_, place)| match place {
            Place::Here(handle) => Some(handle),
            Place::Loading(_) => None,
        });
        let leaving: Vec<_> =
            here.map(|handle| async move { handle.leave(ByeReason::Shutdown).await }).collect();
        Box::pin(async {
            if tokio::time::timeout(LEAVE_WITHIN, future::join_all(leaving)).await.is_err() {
                tracing::warn!(
                    "some sessions did not leave in time; what was acknowledged is saved"
                );
            }
        })
    }
}

impl Lobby {
    fn find(&mut self, id: SessionId, ctx: &mut Context<Self>) -> Found {
        if self.closing {
            return Box::pin(future::err(Refusal::Unavailable(
                "the server is stopping".to_owned(),
            )));
        }
        let (tell, told) = oneshot::channel();
        match self.sessions.get_mut(&id) {
            Some(Place::Here(handle)) if handle.is_alive() => {
                return Box::pin(future::ok(handle.clone()));
            }
            Some(Place::Loading(waiting)) => waiting.push(tell),
            _ => {
                self.sessions.insert(id.clone(), Place::Loading(vec![tell]));
                self.load(id, ctx);
            }
        }
        Box::pin(async {
            told.await
                .unwrap_or_else(|_| Err(Refusal::Unavailable("the server is stopping".to_owned())))
        })
    }

    /// Finds a session that nobody has asked for yet; the others are not held up when that fails.
    fn restore(&mut self, id: SessionId, ctx: &mut Context<Self>) {
        let found = self.find(id, ctx);
        ctx.spawn(found.into_actor(self).map(|found, _lobby, _ctx| {
            if let Err(refusal) = found {
                tracing::error!(%refusal, "a session could not be restored");
            }
        }));
    }

    /// Reads a session from the store and replays its game off the arbiter.
    fn load(&self, id: SessionId, ctx: &mut Context<Self>) {
        let (stored, roster) = (self.parts.store.load(&id), Arc::clone(&self.parts.roster));
        let name = id.to_string();
        let restored = async move {
            let stored = stored.await.map_err(|error| Refusal::Unavailable(error.text))?;
            let stored = stored.ok_or(Refusal::NoSession(name))?;
            let control = stored.control;
            let replayed =
                tokio::task::spawn_blocking(move || Restored::replay(stored, roster)).await;
            let restored =
                replayed.unwrap_or_else(|error| Err(Refusal::Unavailable(error.to_string())))?;
            Ok((restored, control))
        };
        ctx.spawn(restored.into_actor(self).map(move |restored, lobby, ctx| {
            let found =
                restored.map(|(restored, control)| lobby.place(&id, restored, control, ctx));
            lobby.found(id, &found);
        }));
    }

    /// Starts a restored session on the next arbiter.
    fn place(
        &mut self,
        id: &SessionId,
        restored: Restored,
        control: Option<[u8; 32]>,
        ctx: &Context<Self>,
    ) -> SessionHandle {
        let arbiter = &self.parts.arbiters[self.next_arbiter % self.parts.arbiters.len()];
        self.next_arbiter += 1;
        let parts = Parts {
            store: Arc::clone(&self.parts.store),
            roster: Arc::clone(&self.parts.roster),
            published: self.parts.published.clone(),
            lobby: ctx.address().recipient(),
            idle_after: self.parts.idle_after,
        };
        let retired = Arc::<AtomicBool>::default();
        let flag = Arc::clone(&retired);
        let address: Addr<Session> =
            Session::start_in_arbiter(arbiter, move |_ctx| Session::new(restored, parts, flag));
        // `main` has no stored token: it is this run's, or none on loopback.
        let control = control.map_or_else(|| self.parts.main.clone(), Control::Token);
        SessionHandle::new(id.clone(), control, address, retired)
    }

    fn found(&mut self, id: SessionId, found: &Result<SessionHandle, Refusal>) {
        // It may have been closed, or the server be stopping, since: then dropping the handle ends it.
        let Some(Place::Loading(waiting)) = self.sessions.remove(&id) else { return };
        if let Ok(handle) = found {
            tracing::info!(session = %id, "session opened");
            self.sessions.insert(id, Place::Here(handle.clone()));
        }
        for tell in waiting {
            if tell.send(found.clone()).is_err() {
                tracing::trace!("a session that nobody waits for");
            }
        }
    }

    /// Loads sessions again whose actor is gone without having been asked to go.
    fn revive(&mut self, ctx: &mut Context<Self>) {
        let dead = self.sessions.iter().filter_map(|(id, place)| match place {
            Place::Here(handle) if !handle.is_alive() => Some(id.clone()),
            _ => None,
        });
        for id in dead.collect::<Vec<_>>() {
            tracing::error!(session = %id, "session crashed; loading it again");
            let found = self.find(id, ctx);
            ctx.spawn(found.into_actor(self).map(|_found, _lobby, _ctx| ()));
        }
    }

    fn create(
        &self,
        id: SessionId,
        name: Option<String>,
        control: Option<[u8; 32]>,
        seed: Option<u64>,
    ) -> store::Answer<()> {
        let game = NewGame {
            id: GameId::new(secret::id()),
            seed: seed.unwrap_or_else(rand::random),
            seed_shown: seed.is_some(),
            start: engine::Start::Seeded,
        };
        let numbers = Numbers::of(&engine::Game::new(game.seed));
        let head = first_head(game.id.clone(), self.parts.roster.first());
        self.parts.store.create(NewSession { id, name, control, at: now(), head, game, numbers })
    }
}
