//! What every request goes through before it is routed, and every answer on its way out.
//!
//! A page that somebody else serves must not play here: neither by a name that it lets point to this machine (the `Host`
//! list), nor by posting from the reader's browser (`Origin`, `Sec-Fetch-Site`, content type).

mod host;

use std::time::Instant;

use actix_web::{
    Error, HttpMessage as _, HttpResponse, ResponseError as _,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method, StatusCode, Uri,
        header::{self, HeaderMap, HeaderName, HeaderValue},
    },
    middleware::Next,
    web::Data,
};

pub(super) use self::host::{Allowed, Arrival};
use super::{
    Api,
    door::{self, TurnedAway},
    error::Problem,
    rates,
    request_id::{self, RequestId},
    route,
};
use crate::metrics::Limit;

/// The longest address, in bytes.
const URI_BYTES: usize = 4 * 1024;

/// What a page may load: its own files, and nothing written into it.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'; \
                                       frame-ancestors 'none'; object-src 'none'";

/// Checks the request, passes it on, and completes the answer.
pub(super) async fn guard(
    api: Data<Api>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let origin = friendly_origin(&api.allowed, &request);
    let api_call = request.path().starts_with("/api/");
    let (route, begun) = (route::of(request.path()), Instant::now());
    let id = api.ids.of(request.headers(), api.caps.trust_proxy);
    request.extensions_mut().insert(id.clone());
    if let Some(arrival) = request.conn_data::<Arrival>() {
        arrival.served();
    }
    let checked = match slow_down(&api, &request).await {
        Ok(()) => check(&api, &request),
        refused => refused,
    };
    let mut answer = match checked {
        Err(problem) => request.into_response(problem.error_response()),
        Ok(()) if is_preflight(&request) && origin.is_some() => {
            request.into_response(preflight_answer())
        }
        Ok(()) => with_sentence(next.call(request).await?.map_into_boxed_body()),
    };
    let figures = &api.metrics.http;
    figures.answered(route, answer.status().as_u16());
    if let Some(limit) = answer.response().extensions().get::<Limit>() {
        figures.refusals.add(*limit);
    }
    log(&id, route, answer.status(), begun);
    let headers = answer.headers_mut();
    headers.insert(request_id::HEADER, id.header());
    secure(headers);
    if api_call && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if api.allowed.has_origins() {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    Ok(answer)
}

/// A line for a request that the server is at fault for; the others are told only to who wants to know.
fn log(request: &RequestId, route: &str, status: StatusCode, begun: Instant) {
    let (status, ms) = (status.as_u16(), begun.elapsed().as_millis() as u64);
    if status >= 500 {
        tracing::warn!(%request, route, status, ms, "request failed");
    } else {
        tracing::debug!(%request, route, status, ms, "request");
    }
}

/// Counts the request, which is refused if its address has asked too much.
async fn slow_down(api: &Api, request: &ServiceRequest) -> Result<(), Problem> {
    if request.conn_data::<TurnedAway>().is_some() {
        // It was counted, and told, when it came.
        let detail = "this connection was refused";
        return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, detail));
    }
    if api.caps.requests_per_address.is_none() {
        return Ok(());
    }
    let address = rates::address(request.request(), api.caps.trust_proxy);
    let counted = address.map_or(Ok(()), |address| door::count(api, address));
    // Others may share the connection of a proxy.
    if counted.is_err()
        && !api.caps.trust_proxy
        && let Some(arrival) = request.conn_data::<Arrival>()
    {
        arrival.slow_down().await;
    }
    counted
}

fn check(api: &Api, request: &ServiceRequest) -> Result<(), Problem> {
    let headers = request.headers();
    if request.uri().path_and_query().is_some_and(|path| path.as_str().len() > URI_BYTES) {
        let detail = format!("the address is longer than {URI_BYTES} bytes");
        return Err(Problem::new(StatusCode::URI_TOO_LONG, detail).at(Limit::Address));
    }
    if headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum::<usize>()
        > api.caps.header_bytes
    {
        let most = api.caps.header_bytes;
        let detail = format!("the headers are larger than {most} bytes");
        let problem = Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, detail);
        return Err(problem.at(Limit::Headers));
    }
    if !matches!(request.path(), "/healthz" | "/readyz") {
        let host = host_of(request.uri(), headers);
        api.allowed.host(host, request.conn_data::<Arrival>())?;
    }
    if changes_something(request.method()) {
        let host = host_of(request.uri(), headers);
        api.allowed.origin(text(headers, &header::ORIGIN), host)?;
        api.allowed.fetch_site(
            text(headers, &header::ORIGIN),
            text(headers, &HeaderName::from_static("sec-fetch-site")),
        )?;
        content_type(headers, request.path())?;
    }
    Ok(())
}

/// The name that the request is for. An absolute address in the request line wins over the header, as HTTP has it.
pub(super) fn host_of<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    match uri.authority() {
        Some(authority) => Some(authority.as_str()),
        None => text(headers, &header::HOST),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    // What is not text is on no list.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

fn changes_something(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// A form of another site can post text, never JSON: that is what makes the browser ask first.
fn content_type(headers: &HeaderMap, path: &str) -> Result<(), Problem> {
    let unsupported = |detail: &str| {
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).at(Limit::ContentType)
    };
    let empty = !headers.contains_key(header::TRANSFER_ENCODING)
        && headers.get(header::CONTENT_LENGTH).is_none_or(|length| length.as_bytes() == b"0");
    match text(headers, &header::CONTENT_TYPE) {
        None if empty => Ok(()),
        None => Err(Problem::untyped()),
        Some(given) => {
            let kind = given.split(';').next().unwrap_or_default().trim();
            let lines = path.ends_with("/games/import")
                && kind.eq_ignore_ascii_case("application/x-ndjson");
            if lines || kind.eq_ignore_ascii_case("application/json") {
                Ok(())
            } else {
                Err(unsupported("only application/json is understood here"))
            }
        }
    }
}

/// The origin of the request, if it is another page's that the operator let in.
fn friendly_origin(allowed: &Allowed, request: &ServiceRequest) -> Option<HeaderValue> {
    let origin = request.headers().get(header::ORIGIN)?;
    allowed.is_friend(origin.to_str().ok()?).then(|| origin.clone())
}

fn is_preflight(request: &ServiceRequest) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

fn preflight_answer() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"))
        .insert_header((
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, last-event-id",
        ))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "600"))
        .finish()
}

/// Gives an error that the framework made (no such address, another method) its sentence; its headers stay.
fn with_sentence(answer: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let status = answer.status();
    let json =
        answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if json || !(status.is_client_error() || status.is_server_error()) {
        return answer;
    }
    let body = Problem::of_status(status, text(answer.headers(), &header::ALLOW)).body();
    let mut answer = answer.map_body(|_, _| BoxBody::new(body));
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn secure(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
