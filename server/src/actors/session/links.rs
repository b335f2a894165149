//! Links to watch a session by: made, revoked, and what the streams of whoever came by one are told.
//!
//! The store keeps their hashes; a session keeps nothing of them but how often they were revoked.

use actix::{ActorFutureExt, Context, Handler, ResponseActFuture, ResponseFuture, WrapFuture};
use store::{ErrorKind, StoreError};

use super::{GiveLink, Refusal, RevokeLinks, Session};
use crate::{actors::handle::digest, secret};

impl Handler<GiveLink> for Session {
    type Result = ResponseFuture<Result<String, Refusal>>;

    fn handle(&mut self, _: GiveLink, _ctx: &mut Context<Self>) -> Self::Result {
        if let Err(refusal) = self.admit() {
            return Box::pin(async { Err(refusal) });
        }
        let link = secret::id();
        let added = self.parts.store.add_link(&self.table.session, digest(&link));
        Box::pin(async { added.await.map(|()| link).map_err(refusal) })
    }
}

impl Handler<RevokeLinks> for Session {
    type Result = ResponseActFuture<Self, Result<usize, Refusal>>;

    fn handle(&mut self, _: RevokeLinks, _ctx: &mut Context<Self>) -> Self::Result {
        if let Err(refusal) = self.admit() {
            return Box::pin(async { Err(refusal) }.into_actor(self));
        }
        let revoked = self.parts.store.revoke_links(&self.table.session);
        Box::pin(revoked.into_actor(self).map(|revoked, session, _ctx| {
            if revoked.is_ok() {
                session.notices.change(|notices| notices.revoked += 1, true);
            }
            revoked.map_err(refusal)
        }))
    }
}

fn refusal(error: StoreError) -> Refusal {
    match error.kind {
        ErrorKind::Exists => Refusal::NotAllowed(error.text),
        _ => Refusal::Unavailable(error.text),
    }
}
