//! How a session counts its watchers, and how it leaves memory.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use actix::{ActorContext, ActorFutureExt, AsyncContext, Context, WrapFuture};

use super::{Leaving, Session};
use crate::actors::lobby::SessionIdle;

/// How often a changed number of watchers is told, at most.
const COUNT_EVERY: Duration = Duration::from_secs(1);

impl Session {
    /// Tells the number of watchers in a second, and goes on counting as long as there are any.
    pub(super) fn count_watchers_soon(&mut self, ctx: &mut Context<Self>) {
        if !self.counting {
            self.counting = true;
            ctx.run_later(COUNT_EVERY, Self::count_watchers);
        }
    }

    fn count_watchers(&mut self, ctx: &mut Context<Self>) {
        let watchers = self.watchers();
        self.notices.change(|notices| notices.watchers = watchers, true);
        self.counting = false;
        if watchers > 0 {
            self.used = Instant::now();
            self.count_watchers_soon(ctx);
        }
    }

    /// Leaves memory when nobody has needed it for a while; the store has everything.
    pub(super) fn leave_if_idle(&mut self, ctx: &mut Context<Self>) {
        let busy = self.table.agent.running
            || self.watchers() > 0
            || !self.outbox.is_empty()
            || !self.steps.is_empty();
        if busy || self.leaving.is_some() || self.used.elapsed() < self.parts.idle_after {
            return;
        }
        self.leaving = Some(Leaving::Passivated);
        let idle =
            SessionIdle { id: self.table.session.clone(), retired: Arc::clone(&self.retired) };
        let asked = self.parts.lobby.send(idle);
        ctx.spawn(asked.into_actor(self).map(|answer, session, ctx| {
            if matches!(answer, Ok(true)) {
                tracing::info!(session = %session.table.session, "session passivated");
                session.parts.metrics.sessions.passivations.inc();
                session.retired.store(true, Ordering::Release);
                ctx.stop();
            } else {
                session.leaving = None;
            }
        }));
    }

    /// Leaves if it was told to and owes nothing any more.
    pub(super) fn leave_if_told(&self, ctx: &mut Context<Self>) {
        if matches!(self.leaving, Some(Leaving::Told(_))) && self.outbox.is_empty() {
            ctx.stop();
        }
    }

    pub(super) fn watchers(&self) -> u32 {
        self.frames.receiver_count() as u32
    }
}
