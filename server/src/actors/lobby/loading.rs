//! How the lobby brings a session into memory, for the first time or after a crash.

use std::{
    collections::hash_map::Entry,
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use actix::{Actor as _, ActorFutureExt, Addr, AsyncContext, Context, WrapFuture};
use store::SessionId;

use super::{Lobby, Place, expiring::expires, place::tell_all};
use crate::actors::{
    handle::{Control, SessionHandle},
    refusal::Refusal,
    session::{Parts, Restored, Session},
};

impl Lobby {
    /// Reads a session from the store and replays its game off the arbiter.
    pub(super) fn load(&self, id: SessionId, number: u64, ctx: &mut Context<Self>) {
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
        let begun = Instant::now();
        ctx.spawn(restored.into_actor(self).map(move |restored, lobby, ctx| {
            let figures = &lobby.parts.metrics.sessions;
            figures.load_seconds.observe(begun.elapsed().as_secs_f64());
            lobby.loaded(id, number, restored, ctx);
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
            clock: self.parts.clock.clone(),
            most_advice: self.parts.most_advice,
            agents: Arc::clone(&self.agents),
            metrics: Arc::clone(&self.parts.metrics),
        };
        let retired = Arc::<AtomicBool>::default();
        let expiry = self.expiry.as_ref().filter(|expiry| expiry.is_warned(id));
        let flag = Arc::clone(&retired);
        let address: Addr<Session> =
            Session::start_in_arbiter(arbiter, move |_ctx| Session::new(restored, parts, flag));
        // `main` has no stored token: it is this run's, or none on loopback.
        let control = control.map_or_else(|| self.parts.main.clone(), Control::Token);
        let handle = SessionHandle::new(id.clone(), control, address, retired);
        if let Some(expiry) = expiry {
            handle.warn(Some(expires(expiry)));
        }
        handle
    }

    /// A load has come to its end. It may have been closed, or the server be stopping, since: then it is left alone.
    fn loaded(
        &mut self,
        id: SessionId,
        number: u64,
        restored: Result<(Restored, Option<[u8; 32]>), Refusal>,
        ctx: &Context<Self>,
    ) {
        let waiting = match self.sessions.entry(id.clone()) {
            Entry::Occupied(entry) if entry.get().is_load(number) => match entry.remove() {
                Place::Loading(loading) => loading.waiting,
                Place::Here(_) => return,
            },
            _ => return,
        };
        let found = restored.map(|(restored, control)| self.place(&id, restored, control, ctx));
        if let Ok(handle) = &found {
            tracing::info!(session = %id, "session opened");
            self.sessions.insert(id, Place::Here(handle.clone()));
        }
        self.count();
        tell_all(waiting, &found);
    }

    /// Loads sessions again whose actor is gone without having been asked to go.
    pub(super) fn revive(&mut self, ctx: &mut Context<Self>) {
        let dead = self.sessions.iter().filter_map(|(id, place)| match place {
            Place::Here(handle) if !handle.is_alive() => Some(id.clone()),
            _ => None,
        });
        for id in dead.collect::<Vec<_>>() {
            tracing::error!(session = %id, "session crashed; loading it again");
            self.parts.metrics.sessions.crashed.inc();
            let found = self.find(id, ctx);
            ctx.spawn(found.into_actor(self).map(|_found, _lobby, _ctx| ()));
        }
    }
}
