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
//! | [`CountSessions`] | server  | how many are in memory                           |
//! | [`Shutdown`]      | server  | when every session is durable and has left       |
//!
//! Mailbox: actix's 16, requests whose askers wait. It never waits itself: who asks for a session that is being loaded
//! is answered when it is. On a panic of a session its address is dead, and the lobby loads it again within half a
//! second; its subscribers are given the state anew. The lobby's own panic ends the server.

use std::{collections::HashMap, sync::Arc, time::Duration};

use actix::{
    Actor, ActorFutureExt, ArbiterHandle, AsyncContext, Context, Handler, ResponseActFuture,
    ResponseFuture, WrapFuture,
};
use futures_util::future::{self, LocalBoxFuture};
use protocol::ByeReason;
use store::{
    ErrorKind, GameId, NewGame, NewSession, Numbers, Page, SessionId, SessionSummary, Store,
};
use tokio::sync::oneshot;

pub use super::handle::LobbyHandle;
use super::{
    agents::Agents,
    handle::{Control, SessionHandle},
    refusal::Refusal,
    session::{Published, first_head},
};
use crate::{
    clock::Clock,
    metrics::{Closed, Limit, Metrics},
    roster::Roster,
    secret,
};

mod requests;

mod place;

mod expiry;

mod expiring;

mod loading;

pub use self::requests::{
    CloseSession, CountSessions, CreateSession, Created, FindSession, ListSessions, Open,
    SessionIdle, Shutdown,
};
use self::{
    expiry::Expiry,
    place::{Loading, Place, tell_all},
};

/// The id of the session that always exists.
pub const MAIN: &str = "main";

/// How often sessions that crashed are looked for.
const REVIVE_EVERY: Duration = Duration::from_millis(500);

/// How long sessions are given to leave at shutdown.
const LEAVE_WITHIN: Duration = Duration::from_secs(3);

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
    /// What tells the time of day.
    pub clock: Clock,
    /// How long after its last change a session is closed; `None` is never.
    pub expire_after: Option<Duration>,
    /// How many sessions may be open.
    pub most_sessions: u64,
    /// How many steps and hints a session may have thought about at the same time.
    pub most_advice: usize,
    /// How many agents may play.
    pub most_agents: usize,
    /// Where what happens is counted.
    pub metrics: Arc<Metrics>,
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
    agents: Arc<Agents>,
    sessions: HashMap<SessionId, Place>,
    next_arbiter: usize,
    loads: u64,
    /// How many are open, in memory or not.
    open: u64,
    expiry: Option<Expiry>,
    closing: bool,
}

type Found = LocalBoxFuture<'static, Result<SessionHandle, Refusal>>;

impl Lobby {
    /// A lobby without a session.
    ///
    /// # Panics
    /// When there is no arbiter to run sessions on.
    pub fn new(parts: LobbyParts) -> Self {
        assert!(!parts.arbiters.is_empty(), "sessions need an arbiter to run on");
        let expiry = parts.expire_after.map(Expiry::new);
        let agents = Agents::new(parts.most_agents, Arc::clone(&parts.metrics));
        Self {
            parts,
            agents,
            sessions: HashMap::new(),
            next_arbiter: 0,
            loads: 0,
            open: 0,
            expiry,
            closing: false,
        }
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
        if let Some(expiry) = &self.expiry {
            ctx.run_interval(expiry.look_every(), Self::look_for_expired);
        }
    }
}

impl Handler<Open> for Lobby {
    type Result = ResponseActFuture<Self, Result<(), Refusal>>;

    fn handle(&mut self, _: Open, _ctx: &mut Self::Context) -> Self::Result {
        let created = self.create(SessionId::new(MAIN), None, None, None);
        let (driven, count) = (self.parts.store.driven(), self.parts.store.count());
        let opened = async move {
            match created.await {
                Err(error) if error.kind != ErrorKind::Exists => {
                    return Err(Refusal::Unavailable(error.text));
                }
                _ => {}
            }
            let unavailable = |error: store::StoreError| Refusal::Unavailable(error.text);
            Ok((driven.await.map_err(unavailable)?, count.await.map_err(unavailable)?))
        };
        Box::pin(opened.into_actor(self).then(|driven, lobby, ctx| {
            let main: Found = match driven {
                Ok((driven, count)) => {
                    // `main` may have been counted before it was there.
                    lobby.open = count.max(1);
                    lobby.count();
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
        if self.open >= self.parts.most_sessions {
            let most = self.parts.most_sessions;
            let text = format!("{most} sessions are open, and no more can be: close some first");
            let full = Refusal::Full { limit: Limit::Sessions, text };
            return Box::pin(future::err(full).into_actor(self));
        }
        self.open += 1;
        let (id, control) = (SessionId::new(secret::id()), secret::token());
        let hash = Control::by_token(&control).hash();
        let created = self.create(id.clone(), name, hash, seed);
        Box::pin(created.into_actor(self).then(move |created, lobby, ctx| {
            let found: Found = match created {
                Ok(()) => {
                    lobby.parts.metrics.sessions.created.inc();
                    lobby.warn_if_crowded();
                    lobby.find(id, ctx)
                }
                Err(error) => {
                    lobby.open -= 1;
                    Box::pin(future::err(Refusal::Store(error.text)))
                }
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
        let closed = self.parts.store.close(&id, self.parts.clock.now());
        Box::pin(closed.into_actor(self).then(move |closed, lobby, _ctx| {
            let leaving = if closed.is_ok() { lobby.forget(&id) } else { None };
            if matches!(closed, Ok(true)) {
                lobby.open -= 1;
                lobby.parts.metrics.sessions.closed.add(Closed::Asked);
            }
            lobby.count();
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
                let left = self.sessions.remove(&id).is_some();
                self.count();
                left
            }
            Some(_) => false,
            // It was closed, or is not known any more for another reason.
            None => true,
        }
    }
}

impl Handler<CountSessions> for Lobby {
    type Result = usize;

    fn handle(&mut self, _: CountSessions, _ctx: &mut Self::Context) -> usize {
        self.sessions.values().filter(|place| matches!(place, Place::Here(_))).count()
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
            Some(Place::Loading(loading)) => loading.waiting.push(tell),
            _ => {
                self.loads += 1;
                let loading = Loading { number: self.loads, waiting: vec![tell] };
                self.load(id.clone(), loading.number, ctx);
                self.sessions.insert(id, Place::Loading(loading));
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

    /// Lets go of a session that was closed; gives its handle if it is in memory. Whoever waits for it is told.
    fn forget(&mut self, id: &SessionId) -> Option<SessionHandle> {
        match self.sessions.remove(id)? {
            Place::Here(handle) => Some(handle),
            Place::Loading(Loading { waiting, .. }) => {
                tell_all(waiting, &Err(Refusal::NoSession(id.to_string())));
                None
            }
        }
    }

    /// Tells how many sessions are in memory, and how many are not.
    fn count(&self) {
        let (active, figures) = (self.sessions.len() as u64, &self.parts.metrics.sessions);
        figures.active.set(active.cast_signed());
        figures.passivated.set(self.open.saturating_sub(active).cast_signed());
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
        let at = self.parts.clock.now();
        self.parts.store.create(NewSession { id, name, control, at, head, game, numbers })
    }
}
