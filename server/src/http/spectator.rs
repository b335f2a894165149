//! Who comes by a link: the way from what stands in it to a session, which can be watched and not played.

use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    http::{Method, StatusCode},
    web::Data,
};
use futures_util::future::LocalBoxFuture;

use super::{Api, caller::Caller, error::Problem};
use crate::actors::handle::digest;

/// A request by a link to watch.
pub(super) struct Spectator {
    /// The caller, who shows no token: whatever they sent, control is not theirs.
    pub(super) caller: Caller,
    pub(super) link: Link,
}

/// What the store knows a link by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link([u8; 32]);

impl FromRequest for Spectator {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let link = Link(digest(request.match_info().get("link").unwrap_or_default()));
        let api = Data::clone(request.app_data::<Data<Api>>().expect("the app is built with it"));
        let request = request.clone();
        Box::pin(async move {
            let session = api.store.linked(link.0).await?.ok_or_else(Link::leads_nowhere)?;
            Ok(Self { caller: Caller::without_token(&request, session), link })
        })
    }
}

impl Link {
    /// Whether it still leads somewhere.
    pub(super) async fn is_valid(self, api: &Api) -> Result<bool, Problem> {
        Ok(api.store.linked(self.0).await?.is_some())
    }

    pub(super) fn leads_nowhere() -> Problem {
        let detail = "this link leads nowhere: it was revoked, or its session is closed";
        Problem::new(StatusCode::NOT_FOUND, detail)
    }
}

/// Whatever else is asked by a link.
pub(super) async fn refuse(request: HttpRequest, _: Spectator) -> Result<HttpResponse, Problem> {
    Err(if matches!(*request.method(), Method::GET | Method::HEAD) {
        Problem::of_status(StatusCode::NOT_FOUND, None)
    } else {
        Problem::forbidden("this link lets watch, and nothing else")
    })
}
