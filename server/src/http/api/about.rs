//! What the server says of itself.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use serde_json::json;

use super::answer;
use crate::{
    actors::lobby::ListSessions,
    http::{Api, error::Problem},
};

/// `GET /api/version`.
pub(super) async fn version(api: Data<Api>) -> HttpResponse {
    answer(&api.version)
}

/// `GET /healthz`: it lives.
pub(super) async fn healthz() -> HttpResponse {
    answer(&json!({ "status": "ok" }))
}

/// `GET /readyz`: it is not stopping, and its store answers.
pub(super) async fn readyz(api: Data<Api>) -> Result<HttpResponse, Problem> {
    if api.closing.is_closed() {
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping"));
    }
    api.lobby.ask(ListSessions { cursor: None, limit: 1 }).await?;
    Ok(answer(&json!({ "status": "ready" })))
}
