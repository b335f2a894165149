//! How the lobby closes sessions that nobody plays in, and warns before.

use std::time::Instant;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use protocol::ByeReason;
use store::SessionId;

use super::{
    Lobby, MAIN, Place,
    expiry::{Expiry, Verdict},
};
use crate::{actors::session::Warning, metrics::Closed};

/// How many sessions expire at most with each look.
const EXPIRED_AT_ONCE: usize = 1000;

impl Lobby {
    /// Looks which sessions nobody has played in for long: warns, and closes those that were warned of in time.
    pub(super) fn look_for_expired(&mut self, ctx: &mut Context<Self>) {
        let Some(expiry) = &self.expiry else { return };
        let (store, now) = (&self.parts.store, self.parts.clock.now());
        let due_before = expiry.due(now);
        let soon = store.unchanged(expiry.soon(now), EXPIRED_AT_ONCE);
        let due = store.unchanged(due_before, EXPIRED_AT_ONCE);
        let looked = async move { Ok::<_, store::StoreError>((soon.await?, due.await?)) };
        ctx.spawn(looked.into_actor(self).map(move |looked, lobby, ctx| match looked {
            Ok((mut soon, due)) => {
                soon.retain(|id| id.as_str() != MAIN);
                lobby.expire(soon, &due, due_before, ctx);
            }
            Err(error) => tracing::warn!(%error, "no look for expired sessions"),
        }));
    }

    fn expire(
        &mut self,
        soon: Vec<SessionId>,
        due: &[SessionId],
        due_before: store::UnixMillis,
        ctx: &mut Context<Self>,
    ) {
        let Some(expiry) = &mut self.expiry else { return };
        let Verdict { warn, calm, close } = expiry.look(soon, due, Instant::now());
        let warning = Some(expires(expiry));
        let warnings = warn.iter().map(|id| (id, warning));
        for (id, warning) in warnings.chain(calm.iter().map(|id| (id, None))) {
            if let Some(Place::Here(handle)) = self.sessions.get(id) {
                handle.warn(warning);
            }
        }
        for id in close {
            let closed = self.parts.store.expire(&id, due_before, self.parts.clock.now());
            ctx.spawn(closed.into_actor(self).then(move |closed, lobby, _ctx| {
                let expired = matches!(closed, Ok(true));
                lobby.open -= u64::from(expired);
                let leaving = if expired { lobby.forget(&id) } else { None };
                if expired {
                    lobby.parts.metrics.sessions.closed.add(Closed::Expired);
                    lobby.count();
                }
                tracing::info!(session = %id, expired, "session unused for long");
                async move {
                    if let Some(handle) = leaving {
                        handle.leave(ByeReason::Closed).await;
                    }
                }
                .into_actor(lobby)
            }));
        }
    }

    /// Tells whoever watches `main`, and the log, when there is hardly room for more sessions.
    pub(super) fn warn_if_crowded(&self) {
        let (open, most) = (self.open, self.parts.most_sessions);
        if open == most - most / 10 {
            let warning = Warning::Crowded { open, most };
            tracing::warn!("{warning}");
            if let Some(Place::Here(main)) = self.sessions.get(&SessionId::new(MAIN)) {
                main.warn(Some(warning));
            }
        }
    }
}

/// What the watchers of a session that is about to expire are told.
pub(super) fn expires(expiry: &Expiry) -> Warning {
    Warning::Expires { minutes: expiry.notice().as_secs() / 60 }
}
