//! Links that let somebody watch, until they are revoked.

use actix_web::HttpResponse;
use protocol::{LinkGiven, LinksRevoked, Page};

use super::{answer, games, ready_made};
use crate::{
    actors::session::{GiveLink, RevokeLinks, Snapshot},
    http::{caller::Caller, error::Problem, query::Query, spectator::Spectator},
};

/// `POST links`.
pub(super) async fn give(caller: Caller) -> Result<HttpResponse, Problem> {
    let link = caller.control().await?.ask(GiveLink).await?;
    Ok(answer(&LinkGiven { link }))
}

/// `DELETE links`.
pub(super) async fn revoke(caller: Caller) -> Result<HttpResponse, Problem> {
    let revoked = caller.control().await?.ask(RevokeLinks).await?;
    Ok(answer(&LinksRevoked { revoked: revoked as u64 }))
}

/// `GET /api/watch/<link>/state`.
pub(super) async fn state(spectator: Spectator) -> Result<HttpResponse, Problem> {
    let frame = spectator.caller.watch().await?.read(Snapshot).await?;
    Ok(ready_made(frame.nameless_json_once()))
}

/// `GET /api/watch/<link>/games`.
pub(super) async fn list(
    Spectator { caller, .. }: Spectator,
    Query(filter): Query<games::Filter>,
) -> Result<HttpResponse, Problem> {
    let Page { mut items, next } = games::of_session(&caller, filter).await?;
    for record in &mut items {
        record.session.clear();
    }
    Ok(answer(&Page { items, next }))
}
