//! `/metrics`: what the server counts of itself, for Prometheus.
//!
//! Beside the page it is for whoever may see all sessions: everybody on this machine, the operator elsewhere. A proxy on
//! this machine would make everybody look like somebody on it; so a public server asks for the operator's token, whoever
//! calls, and offers the figures without one at an address of their own (`--metrics-bind`).

use std::{io, net::TcpListener, path::PathBuf, sync::Arc};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer, ResponseError as _,
    dev::Server,
    http::{StatusCode, header},
    web::{self, Data},
};
use store::Store;

use super::{
    api::read,
    caller::Caller,
    error::Problem,
    guard::{Allowed, Arrival, host_of},
};
use crate::{config::Config, metrics::Metrics};

/// Prometheus' text format.
const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// `GET /metrics` beside the page.
pub(super) async fn all(caller: Caller) -> Result<HttpResponse, Problem> {
    caller.as_operator()?;
    text(&caller.api.metrics, &*caller.api.store).await
}

/// What answers at the address of their own.
struct Alone {
    allowed: Allowed,
    metrics: Arc<Metrics>,
    store: Arc<dyn Store>,
}

/// Answers `/metrics`, and nothing else, at `listener`. Must be called within an actix system, which runs it.
///
/// # Errors
/// - When the listener can't be taken over.
pub fn serve(
    config: &Config,
    listener: TcpListener,
    metrics: &Arc<Metrics>,
    store: &Arc<dyn Store>,
) -> io::Result<Server> {
    let (timing, port) = (config.timing, listener.local_addr()?.port());
    let alone = Data::new(Alone {
        allowed: Allowed::at(config, listener.local_addr()?.ip(), port),
        metrics: Arc::clone(metrics),
        store: Arc::clone(store),
    });
    let app = move || {
        App::new()
            .app_data(Data::clone(&alone))
            .service(web::resource("/metrics").route(read().to(without_token)))
            .default_service(web::to(async || {
                Problem::of_status(StatusCode::NOT_FOUND, None).error_response()
            }))
    };
    let server = HttpServer::new(app)
        .workers(1)
        .client_request_timeout(timing.head)
        .shutdown_timeout(1)
        .disable_signals()
        .listen(listener)?;
    Ok(server.run())
}

async fn without_token(request: HttpRequest, alone: Data<Alone>) -> Result<HttpResponse, Problem> {
    alone.allowed.host(host_of(request.uri(), request.headers()), None::<&Arrival>)?;
    text(&alone.metrics, &*alone.store).await
}

async fn text(metrics: &Metrics, store: &dyn Store) -> Result<HttpResponse, Problem> {
    let free = match store.describe().place {
        Some(place) => tokio::task::spawn_blocking(move || free_bytes(&place)).await.unwrap_or(0),
        None => 0,
    };
    metrics.store.free_bytes.set(free);
    let text = metrics.text().map_err(|error| {
        let detail = format!("the figures can't be written: {error}");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    })?;
    Ok(HttpResponse::Ok()
        .content_type(CONTENT_TYPE)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(text))
}

/// Room left on the disk that `place` is on; 0 where that can't be told.
fn free_bytes(place: &PathBuf) -> i64 {
    #[cfg(unix)]
    if let Ok(disk) = rustix::fs::statvfs(place) {
        return i64::try_from(disk.f_bavail * disk.f_frsize).unwrap_or(i64::MAX);
    }
    #[cfg(not(unix))]
    let _ = place;
    0
}
