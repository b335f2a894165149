//! Sessions: list, create, close.

use std::time::Instant;

use actix_web::HttpResponse;
use protocol::{Page, SessionCreated, SessionItem};
use serde::Deserialize;
use serde_json::json;

use super::{answer, paging};
use crate::{
    actors::{
        lobby::{CloseSession, CreateSession, ListSessions},
        session::{Snapshot, driver_of},
    },
    http::{body::Body, caller::Caller, error::Problem, query::Query},
    metrics::Limit,
};

/// The longest name of a session, in characters.
const NAME_LENGTH: usize = 100;

/// What a list takes.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Paging {
    cursor: Option<String>,
    limit: Option<String>,
}

/// `GET /api/sessions`.
pub(super) async fn list(
    caller: Caller,
    Query(page): Query<Paging>,
) -> Result<HttpResponse, Problem> {
    caller.as_operator()?;
    let limit = paging::limit(page.limit.as_deref())?;
    let message = ListSessions { cursor: page.cursor, limit };
    let store::Page { items, next } = caller.api.lobby.ask(message).await?;
    Ok(answer(&Page { items: items.into_iter().map(item).collect::<Vec<_>>(), next }))
}

/// `POST /api/sessions`.
pub(super) async fn create(caller: Caller, body: Body) -> Result<HttpResponse, Problem> {
    caller.as_operator()?;
    let request: protocol::CreateSession = body.read()?;
    if request.name.as_ref().is_some_and(|name| name.chars().count() > NAME_LENGTH) {
        return Err(Problem::invalid(format!(
            "name: at most {NAME_LENGTH} characters are possible"
        )));
    }
    if let Some(address) = caller.address {
        let api = &caller.api;
        api.spent.sessions_per_address.take(address, Instant::now()).map_err(|wait| {
            let most = api.caps.sessions_per_address.unwrap_or_default();
            let detail = format!(
                "your address creates more than {most} sessions a minute (--sessions-per-address): slow down"
            );
            Problem::too_much(Limit::SessionsPerAddress, detail, wait)
        })?;
    }
    let message = CreateSession { seed: request.seed.map(|seed| seed.0), name: request.name };
    let created = caller.api.lobby.ask(message).await?;
    let state = created.handle.ask(Snapshot).await?.state().clone();
    let id = created.handle.id().to_string();
    Ok(answer(&SessionCreated { id, control: created.control, state }))
}

/// `DELETE /api/sessions/<id>`.
pub(super) async fn close(caller: Caller) -> Result<HttpResponse, Problem> {
    caller.control().await?;
    caller.api.lobby.ask(CloseSession { id: caller.session.clone() }).await?;
    Ok(answer(&json!({ "closed": true })))
}

fn item(session: store::SessionSummary) -> SessionItem {
    let store::SessionSummary { id, name, created, changed, head, numbers } = session;
    SessionItem {
        id: id.to_string(),
        name,
        created_at: created.0,
        changed_at: changed.0,
        game: head.game.to_string(),
        score: numbers.score,
        moves: numbers.moves,
        max_tile: numbers.max_tile,
        game_over: numbers.over,
        driver: driver_of(&head.driver),
        running: head.agent.running,
    }
}
