//! One session: its running game, whoever drives it, and everyone who watches.
//!
//! | receives          | from            | answers                                  |
//! |-------------------|-----------------|------------------------------------------|
//! | [`Snapshot`]      | http            | the newest published frame               |
//! | [`Subscribe`]     | http            | a [`Subscription`]                       |
//! | [`PlayMove`]      | http, runner    | [`Played`], when durable or run ahead    |
//! | [`StartGame`]     | http            | [`Done`], when durable                   |
//! | [`StartAgent`]    | http            | [`Done`], when durable                   |
//! | [`StopAgent`]     | http            | [`Done`], when durable                   |
//! | [`Step`]          | http            | [`Done`], when durable                   |
//! | [`Hint`]          | http            | [`Hinted`]; nothing changes              |
//! | [`GiveLink`]      | http            | what stands in it, when durable          |
//! | [`RevokeLinks`]   | http            | how many they were, when durable         |
//! | [`AgentFailed`]   | runner          | nothing; the agent is shown as stopped   |
//! | [`Warn`]          | lobby           | nothing; its watchers are told           |
//! | [`Leave`]         | lobby           | when all it owes is durable              |
//!
//! Mailbox: actix's 16, all of them requests whose askers wait. It never waits itself: what is to become durable is
//! in the outbox, and answers go out when it is. A subscriber costs one newest frame, however slow it reads. On a
//! panic the actor is gone; the lobby loads it again from what is durable and its subscribers are given the state anew.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use actix::{
    Actor, ActorFutureExt, Addr, AsyncContext, Context, Handler, Recipient, ResponseActFuture,
    ResponseFuture, WrapFuture,
};
use futures_util::future::LocalBoxFuture;
use protocol::ByeReason;
use store::{GameId, Store, StoredDecision};
use tokio::sync::{oneshot, watch};

use self::{
    commands::Commands,
    notices::NoticeBoard,
    outbox::Outbox,
    reply::Kind,
    table::{Expected, Table},
};
use super::{
    agents::{Agents, Playing},
    frame::Frame,
    lobby::SessionIdle,
    refusal::Refusal,
    runner::Runner,
    stop::Stop,
};
use crate::{clock::Clock, metrics::Metrics, roster::Roster, secret};

mod requests;

mod table;

mod outbox;

mod commands;

mod carrying;

mod saving;

mod agent;

mod leaving;

mod links;

mod publish;

mod notices;

pub mod reply;

pub(crate) use agent::stored_decision;
pub use publish::{Published, driver_of};
pub(crate) use publish::{decision_of, driver_kind_of};
pub use requests::{
    AgentFailed, CommandKey, Done, GiveLink, Hint, Hinted, Leave, Mover, Notices, PlayMove, Played,
    RUN_AHEAD, RevokeLinks, Snapshot, StartAgent, StartGame, Step, StopAgent, Subscribe,
    Subscription, Ticket, Turn, Warn, Warning,
};
pub(crate) use table::first_head;

/// The actor.
#[derive(Debug)]
pub struct Session {
    table: Table,
    outbox: Outbox,
    /// The `seq` of what is durable and published.
    durable: u64,
    commands: Commands,
    frames: watch::Sender<Arc<Frame>>,
    notices: NoticeBoard,
    /// An agent that is as far ahead as it may be waits here.
    ahead: Vec<oneshot::Sender<Result<Played, Refusal>>>,
    runner: Option<Addr<Runner>>,
    /// Held while the agent plays.
    playing: Option<Playing>,
    /// As many clones as there are thoughts about steps and hints.
    advising: Arc<()>,
    parts: Parts,
    /// Set before the actor leaves memory, so that whoever still has its address knows that nothing was done.
    retired: Arc<AtomicBool>,
    used: Instant,
    /// Whether the watchers are being counted every second.
    counting: bool,
    /// Steps that players are being asked for: what ends each.
    steps: Vec<Stop>,
    store_failed: Option<Instant>,
    /// Why nothing new is taken on.
    leaving: Option<Leaving>,
    left: Vec<oneshot::Sender<()>>,
}

/// What a session is made of besides its table.
#[derive(Clone)]
pub struct Parts {
    /// Where its changes become durable.
    pub store: Arc<dyn Store>,
    /// The players on offer.
    pub roster: Arc<Roster>,
    /// What is the same in every state.
    pub published: Published,
    /// Who is told that it is idle.
    pub lobby: Recipient<SessionIdle>,
    /// How long it stays in memory without watchers, agent or request.
    pub idle_after: Duration,
    /// What tells the time of day.
    pub clock: Clock,
    /// How many steps and hints a session may have thought about at the same time.
    pub most_advice: usize,
    /// How many agents play.
    pub agents: Arc<Agents>,
    /// Where what happens is counted.
    pub metrics: Arc<Metrics>,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").field("published", &self.published).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaving {
    /// Asking the lobby whether it may leave memory.
    Passivated,
    /// Told to leave, and why.
    Told(ByeReason),
}

/// A session that was read from the store, ready to be run on any arbiter.
#[derive(Debug)]
pub struct Restored {
    table: Table,
    commands: Commands,
}

impl Restored {
    /// Replays a stored session. Takes up to a few milliseconds: not for an arbiter.
    ///
    /// # Errors
    /// - [`Refusal::Unavailable`] naming the first move that does not fit.
    pub fn replay(stored: store::StoredSession, roster: Arc<Roster>) -> Result<Self, Refusal> {
        let (id, commands) = (stored.id.clone(), stored.commands.clone());
        let table = Table::restore(stored, roster).map_err(|error| {
            Refusal::Unavailable(format!("the stored game of session {id} is damaged: {error}"))
        })?;
        Ok(Self { table, commands: Commands::restore(commands) })
    }
}

impl Session {
    /// The session that was restored.
    pub fn new(restored: Restored, parts: Parts, retired: Arc<AtomicBool>) -> Self {
        let Restored { table, commands } = restored;
        let frame = Arc::new(Frame::new(table.state(&parts.published, 0)));
        Self {
            durable: table.seq,
            table,
            outbox: Outbox::default(),
            commands,
            frames: watch::Sender::new(frame),
            notices: NoticeBoard::default(),
            ahead: Vec::new(),
            runner: None,
            playing: None,
            advising: Arc::default(),
            parts,
            retired,
            used: Instant::now(),
            counting: false,
            steps: Vec::new(),
            store_failed: None,
            leaving: None,
            left: Vec::new(),
        }
    }
}

impl Actor for Session {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        self.direct_agent(ctx);
        let look_every = (self.parts.idle_after / 4).max(Duration::from_millis(100));
        ctx.run_interval(look_every, Self::leave_if_idle);
    }
}

impl Handler<Snapshot> for Session {
    type Result = Result<Arc<Frame>, Refusal>;

    fn handle(&mut self, _: Snapshot, _ctx: &mut Self::Context) -> Self::Result {
        self.admit()?;
        Ok(Arc::clone(&self.frames.borrow()))
    }
}

impl Handler<Subscribe> for Session {
    type Result = Result<Subscription, Refusal>;

    fn handle(&mut self, _: Subscribe, ctx: &mut Self::Context) -> Self::Result {
        self.admit()?;
        let subscription =
            Subscription { frames: self.frames.subscribe(), notices: self.notices.subscribe() };
        self.count_watchers_soon(ctx);
        Ok(subscription)
    }
}

impl Handler<PlayMove> for Session {
    type Result = ResponseFuture<Result<Played, Refusal>>;

    fn handle(
        &mut self,
        PlayMove { direction, by }: PlayMove,
        ctx: &mut Self::Context,
    ) -> Self::Result {
        match by {
            Mover::Agent { ticket, decision, entry } => {
                self.agent_move(&ticket, decision, entry.as_deref(), ctx)
            }
            Mover::Human { if_moves, game, takeover, command } => {
                let done = self.command(Kind::Moved, command, ctx, |table| {
                    table.human_move(
                        direction,
                        &Expected { moves: if_moves, game: game.as_deref() },
                        takeover,
                    )
                });
                Box::pin(async { done.await.map(Played::Done) })
            }
        }
    }
}

impl Handler<StartGame> for Session {
    type Result = ResponseFuture<Result<Done, Refusal>>;

    fn handle(
        &mut self,
        StartGame { seed, start, command }: StartGame,
        ctx: &mut Self::Context,
    ) -> Self::Result {
        let id = GameId::new(secret::id());
        let (drawn, shown) = (seed.unwrap_or_else(rand::random), seed.is_some());
        self.command(Kind::State, command, ctx, |table| {
            Ok(table.start_game(id, drawn, shown, start))
        })
    }
}

impl Handler<StartAgent> for Session {
    type Result = ResponseFuture<Result<Done, Refusal>>;

    fn handle(&mut self, request: StartAgent, ctx: &mut Self::Context) -> Self::Result {
        if let Err(refusal) = self.make_room_to_play(request.command.as_ref()) {
            return Box::pin(async { Err(refusal) });
        }
        self.command(Kind::Started, request.command.clone(), ctx, |table| {
            table.start_agent(&request)
        })
    }
}

impl Handler<StopAgent> for Session {
    type Result = ResponseFuture<Result<Done, Refusal>>;

    fn handle(
        &mut self,
        StopAgent { command }: StopAgent,
        ctx: &mut Self::Context,
    ) -> Self::Result {
        self.command(Kind::Stopped, command, ctx, |table| Ok(table.stop_agent()))
    }
}

impl Handler<Step> for Session {
    type Result = ResponseActFuture<Self, Result<Done, Refusal>>;

    fn handle(
        &mut self,
        Step { player, budget, stop, command }: Step,
        _ctx: &mut Self::Context,
    ) -> Self::Result {
        if let Some(known) = self.known(command.as_ref()) {
            return Box::pin(known.into_actor(self));
        }
        if let Err(objection) =
            self.admit().and_then(|()| self.table.may_step().map_err(|o| self.refusal(o)))
        {
            return Box::pin(async { Err(objection) }.into_actor(self));
        }
        let ticket = self.table.turn().ticket;
        let name = player.clone().unwrap_or_else(|| self.table.agent.player.clone());
        let advice = self.advice(true, player, budget, stop.clone());
        self.steps.push(stop.clone());
        if let Some(key) = &command {
            self.commands.begin(key);
        }
        Box::pin(advice.into_actor(self).then(move |advice, session, ctx| {
            session.steps.retain(|step| !step.is(&stop));
            if let Some(key) = &command {
                session.commands.end(key);
            }
            let done: LocalBoxFuture<'static, _> = match advice {
                // Nobody waits for it: whoever asks again has not been given anything yet.
                Ok(advice) if advice.is_unwanted() && session.table.is_at(&ticket) => {
                    Box::pin(async { Err(gone()) })
                }
                Ok(advice) => session.command(Kind::Moved, command, ctx, |table| {
                    let effect = table.step_move(&ticket, advice.stored_decision());
                    effect.inspect(|effect| advice.played(effect.acted))
                }),
                // It had not even begun when the game went on.
                Err(_) if !session.table.is_at(&ticket) => {
                    session.command(Kind::Moved, command, ctx, |table| {
                        table.step_move(&ticket, StoredDecision::bare(None, &name))
                    })
                }
                Err(refusal) => Box::pin(async { Err(refusal) }),
            };
            done.into_actor(session)
        }))
    }
}

impl Handler<Hint> for Session {
    type Result = ResponseFuture<Result<Hinted, Refusal>>;

    fn handle(
        &mut self,
        Hint { player, budget, stop }: Hint,
        _ctx: &mut Self::Context,
    ) -> Self::Result {
        if let Err(refusal) = self.admit() {
            return Box::pin(async { Err(refusal) });
        }
        let board = *self.table.game.board();
        let advice = self.advice(false, player, budget, stop);
        Box::pin(async move { Ok(Hinted { reply: advice.await?.hint(&board) }) })
    }
}

impl Handler<AgentFailed> for Session {
    type Result = ();

    fn handle(&mut self, AgentFailed { run, error }: AgentFailed, ctx: &mut Self::Context) {
        tracing::warn!(session = %self.table.session, %error, "agent stopped");
        let before = self.outbox.next.checkpoint.is_none().then(|| self.table.checkpoint());
        if let Some(effect) = self.table.agent_failed(run, &error) {
            self.outbox.next.add(before, effect);
            self.flush(ctx);
        }
    }
}

impl Handler<Warn> for Session {
    type Result = ();

    fn handle(&mut self, Warn(warning): Warn, _ctx: &mut Self::Context) {
        self.notices.change(|notices| notices.warning = warning, true);
    }
}

impl Handler<Leave> for Session {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, Leave { reason }: Leave, ctx: &mut Self::Context) -> Self::Result {
        self.leaving = Some(Leaving::Told(reason));
        self.halt_agent();
        self.notices.change(|notices| notices.farewell = Some(reason), true);
        let (tell, told) = oneshot::channel();
        self.left.push(tell);
        self.flush(ctx);
        // The sender is dropped with the actor, which also means that it has left.
        Box::pin(async { told.await.unwrap_or_default() })
    }
}

/// Answers somebody who may have stopped waiting.
fn answer<T>(asker: oneshot::Sender<T>, answer: T) {
    if asker.send(answer).is_err() {
        tracing::trace!("an answer that nobody waits for");
    }
}

fn gone() -> Refusal {
    Refusal::Unavailable("the session is closing".to_owned())
}
