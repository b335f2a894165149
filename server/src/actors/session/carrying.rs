//! How a session carries out a command: the table changes at once, the answer waits in the outbox.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix::Context;
use futures_util::future::LocalBoxFuture;
use protocol::ByeReason;
use store::Remembered;
use tokio::sync::oneshot;

use super::{
    CommandKey, Done, Leaving, Played, RUN_AHEAD, Refusal, Session, Ticket, answer,
    commands::Known,
    gone,
    outbox::Settled,
    reply::{Kind, Receipt},
    table::{Checkpoint, Effect, Objection, Table},
};
use crate::{
    jev::entry::Entry,
    metrics::{Command, Reply},
};

/// How long play is refused after the store refused something, so that a full disk is not asked thousands of times.
const STORE_PAUSE: Duration = Duration::from_secs(1);

impl Session {
    /// Carries out a command: changes the table, has it made durable, and answers then.
    pub(super) fn command(
        &mut self,
        kind: Kind,
        key: Option<CommandKey>,
        ctx: &mut Context<Self>,
        carry_out: impl FnOnce(&mut Table) -> Result<Effect, Objection>,
    ) -> LocalBoxFuture<'static, Result<Done, Refusal>> {
        if let Some(known) = self.known(key.as_ref()) {
            return known;
        }
        if let Err(refusal) = self.admit() {
            return Box::pin(async { Err(refusal) });
        }
        let (ticket, before) = (
            self.table.turn().ticket,
            self.outbox.next.checkpoint.is_none().then(|| self.table.checkpoint()),
        );
        let (tell, told) = oneshot::channel();
        match carry_out(&mut self.table) {
            Err(objection) => self.object(objection, tell),
            Ok(effect) => self.carried_out(kind, key, effect, before, tell),
        }
        let now = self.table.turn().ticket;
        if now != ticket {
            self.drop_steps();
        }
        if now.run != ticket.run {
            self.direct_agent(ctx);
        }
        self.flush(ctx);
        Box::pin(async { told.await.unwrap_or_else(|_| Err(gone())) })
    }

    /// Puts what a command did, and its answer, into the outbox.
    fn carried_out(
        &mut self,
        kind: Kind,
        key: Option<CommandKey>,
        effect: Effect,
        before: Option<Checkpoint>,
        tell: oneshot::Sender<Result<Done, Refusal>>,
    ) {
        let acted = effect.acted;
        if effect.changed {
            self.outbox.next.add(before, effect);
        }
        let frame = self.newest_frame();
        let reply = kind.reply(acted, &frame);
        if let Some(key) = key {
            self.commands.add(&key);
            self.outbox.next.remember(Remembered {
                id: key.id,
                digest: key.digest,
                reply: Receipt::new(kind, acted, &self.table, &frame).to_text(),
            });
        }
        self.outbox.wait(Box::new(move |settled: &Settled| {
            let done = settled.as_ref().map(|_| Done { reply }).map_err(Clone::clone);
            answer(tell, done);
        }));
    }

    /// Refuses a command, with the state when that is what it got wrong; not before what it was compared with is durable.
    fn object(&mut self, objection: Objection, tell: oneshot::Sender<Result<Done, Refusal>>) {
        let detail = match objection {
            Objection::Invalid(text) => return answer(tell, Err(Refusal::Invalid(text))),
            Objection::Stale(detail) => detail,
        };
        self.outbox.wait(Box::new(move |settled: &Settled| {
            let refusal = match settled {
                Ok(state) => Refusal::Stale { detail, state: Arc::clone(state) },
                Err(refusal) => refusal.clone(),
            };
            answer(tell, Err(refusal));
        }));
    }

    pub(super) fn agent_move(
        &mut self,
        ticket: &Ticket,
        decision: store::StoredDecision,
        entry: Option<&Entry>,
        ctx: &mut Context<Self>,
    ) -> LocalBoxFuture<'static, Result<Played, Refusal>> {
        if let Err(refusal) = self.admit().and_then(|()| self.pause_after_failure()) {
            self.parts.metrics.commands.count(Command::AgentMove, Reply::of(&refusal));
            return Box::pin(async { Err(refusal) });
        }
        let before = self.outbox.next.checkpoint.is_none().then(|| self.table.checkpoint());
        match self.table.agent_move(ticket, decision) {
            Some(effect) if effect.changed => {
                self.parts.metrics.commands.count(Command::AgentMove, Reply::Done);
                if let Some(entry) = entry {
                    entry.told();
                }
                self.outbox.next.add(before, effect);
            }
            _ => {
                self.parts.metrics.commands.count(Command::AgentMove, Reply::Stale);
                self.parts.metrics.players.stale.inc();
            }
        }
        if self.table.is_between_games() {
            self.direct_agent(ctx);
        }
        self.flush(ctx);
        if self.table.seq - self.durable < RUN_AHEAD {
            let played = self.played();
            return Box::pin(async { Ok(played) });
        }
        let (tell, told) = oneshot::channel();
        self.ahead.push(tell);
        Box::pin(async { told.await.unwrap_or_else(|_| Err(gone())) })
    }

    pub(super) fn played(&self) -> Played {
        Played::Turn(self.table.agent.running.then(|| self.table.turn()))
    }

    /// Whether anything new is taken on.
    pub(super) fn admit(&mut self) -> Result<(), Refusal> {
        self.used = Instant::now();
        match self.leaving {
            Some(Leaving::Passivated) => Err(Refusal::Passivated(self.table.session.to_string())),
            Some(Leaving::Told(ByeReason::Closed)) => Err(self.closed()),
            Some(Leaving::Told(_)) => Err(gone()),
            None => Ok(()),
        }
    }

    /// What a session that was closed answers, also while it is still here.
    pub(super) fn closed(&self) -> Refusal {
        Refusal::NoSession(self.table.session.to_string())
    }

    /// Keeps an agent from asking a store that has just failed; people may.
    fn pause_after_failure(&self) -> Result<(), Refusal> {
        match self.store_failed {
            Some(failed) if failed.elapsed() < STORE_PAUSE => {
                Err(Refusal::Store("the store failed just now".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// The answer to a command that is known already.
    pub(super) fn known(
        &mut self,
        key: Option<&CommandKey>,
    ) -> Option<LocalBoxFuture<'static, Result<Done, Refusal>>> {
        let key = key?;
        let refusal = match self.commands.look_up(key) {
            Known::New => return None,
            Known::Repeat => return Some(self.first_reply(key.id.clone())),
            Known::Reused => {
                Refusal::Invalid(format!("commandId {} was used for another command", key.id))
            }
            Known::UnderWay => {
                self.refusal(Objection::Stale(format!("command {} is being carried out", key.id)))
            }
        };
        Some(Box::pin(async { Err(refusal) }))
    }

    /// The reply that the command was given first. It may not be in the store yet, nor even on its way there.
    fn first_reply(&mut self, id: String) -> LocalBoxFuture<'static, Result<Done, Refusal>> {
        let (store, session) = (Arc::clone(&self.parts.store), self.table.session.clone());
        let roster = Arc::clone(&self.parts.roster);
        let epoch = self.parts.published.epoch.clone();
        let (tell, told) = oneshot::channel();
        if self.outbox.is_empty() {
            answer(tell, Ok(()));
        } else {
            self.outbox.wait(Box::new(move |settled: &Settled| {
                answer(tell, settled.as_ref().map(|_| ()).map_err(Clone::clone));
            }));
        }
        Box::pin(async move {
            told.await.unwrap_or_else(|_| Err(gone()))?;
            let reply = store.reply(&session, &id).await;
            let text = reply.map_err(|error| Refusal::Store(error.text))?.ok_or_else(gone)?;
            // Before there were receipts, the reply itself was stored.
            let Some(receipt) = Receipt::read(&text) else {
                return Ok(Done { reply: text.into() });
            };
            let game = store.game(receipt.game()).await;
            let game = game.map_err(|error| Refusal::Store(error.text))?;
            let made =
                tokio::task::spawn_blocking(move || receipt.reply(session, game, epoch, roster));
            let reply = made.await.ok().flatten().ok_or_else(gone)?;
            Ok(Done { reply })
        })
    }

    pub(super) fn refusal(&self, objection: Objection) -> Refusal {
        match objection {
            Objection::Invalid(text) => Refusal::Invalid(text),
            Objection::Stale(detail) => {
                Refusal::Stale { detail, state: Arc::clone(&self.frames.borrow()) }
            }
        }
    }
}
