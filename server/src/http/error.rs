//! The one place where a refusal becomes a status and a sentence.

use std::{fmt, sync::Arc, time::Duration};

use actix_web::{
    HttpResponse, HttpResponseBuilder, ResponseError,
    http::{StatusCode, header},
};
use bytes::{BufMut as _, BytesMut};
use store::{ErrorKind, StoreError};

use crate::{
    actors::{frame::Frame, handle::Denied, refusal::Refusal},
    archive::ImportError,
    metrics::Limit,
};

/// An answer that is an error: `{"detail": "<one sentence>"}`, with the state where the caller's was stale.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    detail: String,
    state: Option<Arc<Frame>>,
    limit: Option<Limit>,
    /// When to ask again, of what may be asked again.
    wait: Duration,
}

/// How long to wait where nothing says how long.
const WAIT: Duration = Duration::from_secs(1);

impl Problem {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), state: None, limit: None, wait: WAIT }
    }

    /// The same, counted as having run into `limit`.
    pub(super) fn at(self, limit: Limit) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Too much for now: `limit`, which leaves room again after `wait`.
    pub(super) fn too_much(limit: Limit, detail: impl Into<String>, wait: Duration) -> Self {
        Self { wait, ..Self::new(StatusCode::TOO_MANY_REQUESTS, detail).at(limit) }
    }

    /// The server has too much to do for now: `limit`.
    pub(super) fn busy(limit: Limit, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, detail).at(limit)
    }

    /// What it ran into, if into a limit.
    pub(super) fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// The whole answer as bytes, after which the connection is closed: for who gets no further than the door.
    pub(super) fn raw(&self) -> Vec<u8> {
        let (body, reason) = (self.body(), self.status.canonical_reason().unwrap_or_default());
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nRetry-After: {}\r\nConnection: close\r\n\r\n",
            self.status.as_u16(),
            body.len(),
            self.seconds(),
        );
        [head.as_bytes(), &body].concat()
    }

    /// When to ask again, in whole seconds.
    fn seconds(&self) -> String {
        self.wait.as_secs_f64().ceil().max(1.0).to_string()
    }

    /// Not JSON, or a request that makes no sense at all.
    pub(super) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// Understood as JSON, and not what this call takes; `detail` names the field.
    pub(super) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// A body that does not say what it is.
    pub(super) fn untyped() -> Self {
        let detail = "send the body with Content-Type: application/json";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).at(Limit::ContentType)
    }

    pub(super) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, detail)
    }

    /// The sentence for an answer that has none of its own; `allow` is its `Allow` header.
    pub(super) fn of_status(status: StatusCode, allow: Option<&str>) -> Self {
        let detail = match (status, allow) {
            (StatusCode::NOT_FOUND, _) => "there is nothing at this address".to_owned(),
            (StatusCode::METHOD_NOT_ALLOWED, Some(allow)) => format!("this address takes {allow}"),
            _ => status.canonical_reason().unwrap_or("the request failed").to_lowercase(),
        };
        Self::new(status, detail)
    }

    /// The body, made from parts since the state is JSON already.
    pub(super) fn body(&self) -> bytes::Bytes {
        let detail = serde_json::to_vec(&self.detail).expect("a string can be written as JSON");
        let mut body = BytesMut::from(&b"{\"detail\":"[..]);
        body.put_slice(&detail);
        if let Some(frame) = &self.state {
            body.put_slice(b",\"state\":");
            body.put_slice(&frame.json());
        }
        body.put_u8(b'}');
        body.freeze()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status.as_u16(), self.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut answer = HttpResponseBuilder::new(self.status);
        match self.status {
            StatusCode::UNAUTHORIZED => answer.insert_header((header::WWW_AUTHENTICATE, "Bearer")),
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                answer.insert_header((header::RETRY_AFTER, self.seconds()))
            }
            _ => &mut answer,
        };
        if let Some(limit) = self.limit {
            // Counted on the way out.
            answer.extensions_mut().insert(limit);
        }
        answer.content_type("application/json").body(self.body())
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let status = match &refusal {
            Refusal::Stale { .. } | Refusal::NotAllowed(_) => StatusCode::CONFLICT,
            Refusal::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::NoSession(_) => StatusCode::NOT_FOUND,
            Refusal::Full { .. } => StatusCode::TOO_MANY_REQUESTS,
            Refusal::Store(_)
            | Refusal::Passivated(_)
            | Refusal::Crashed(_)
            | Refusal::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        let problem = Self::new(status, refusal.to_string());
        match refusal {
            Refusal::Stale { state, .. } => Self { state: Some(state), ..problem },
            Refusal::Full { limit, .. } => problem.at(limit),
            _ => problem,
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let busy = (error.kind == ErrorKind::Busy).then_some(Limit::Store);
        let status = match error.kind {
            ErrorKind::BadCursor | ErrorKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorKind::NotFound => StatusCode::NOT_FOUND,
            ErrorKind::Exists | ErrorKind::Conflict { .. } => StatusCode::CONFLICT,
            ErrorKind::Unavailable | ErrorKind::Damaged | ErrorKind::InUse | ErrorKind::Busy => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        Self { limit: busy, ..Self::new(status, error.text) }
    }
}

impl From<ImportError> for Problem {
    fn from(error: ImportError) -> Self {
        Self::invalid(error.to_string())
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        let problem = match denied {
            Denied::Missing => Self::new(
                StatusCode::UNAUTHORIZED,
                "this needs the control token: send it as Authorization: Bearer <token>",
            ),
            Denied::Wrong => Self::forbidden("this token does not give control here"),
        };
        problem.at(Limit::Token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(refusal: Refusal, status: u16, body: &str) {
        let problem = Problem::from(refusal);
        assert_eq!(problem.status_code().as_u16(), status);
        assert_eq!(problem.body(), body);
    }

    #[test]
    fn every_refusal_has_its_status_and_keeps_its_sentence() {
        check(Refusal::Invalid("say \"a\"".into()), 422, r#"{"detail":"say \"a\""}"#);
        check(Refusal::NoSession("x".into()), 404, r#"{"detail":"there is no session x"}"#);
        check(Refusal::NotAllowed("no".into()), 409, r#"{"detail":"no"}"#);
        check(Refusal::Store("full".into()), 503, r#"{"detail":"not saved, so not played: full"}"#);
        check(Refusal::Unavailable("stopping".into()), 503, r#"{"detail":"stopping"}"#);
    }

    #[test]
    fn a_stale_caller_is_told_the_state() {
        let text = include_str!("../../../protocol/golden/error-stale.json");
        let golden: protocol::ErrorBody = serde_json::from_str(text).unwrap();
        let state = Arc::new(Frame::new(golden.state.clone().unwrap()));
        let problem = Problem::from(Refusal::Stale { detail: golden.detail.clone(), state });
        assert_eq!(problem.status_code(), StatusCode::CONFLICT);
        let sent: protocol::ErrorBody = serde_json::from_slice(&problem.body()).unwrap();
        assert_eq!(sent, golden);
    }

    #[test]
    fn an_answer_without_a_sentence_gets_one() {
        let sentence = |status, allow| Problem::of_status(status, allow).to_string();
        assert_eq!(
            sentence(StatusCode::METHOD_NOT_ALLOWED, Some("GET, HEAD")),
            "405 this address takes GET, HEAD"
        );
        assert_eq!(sentence(StatusCode::NOT_FOUND, None), "404 there is nothing at this address");
    }
}
