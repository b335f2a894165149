//! Every call of the protocol, for `main` and for any other session by one set of handlers.

mod play;

mod agent;

mod sessions;

mod games;

mod paging;

mod transcript;

mod about;

mod links;

use actix_web::{HttpResponse, guard, web};
use bytes::Bytes;
use serde::Serialize;

use super::{figures, spectator, stream};

/// The calls of one session come twice: `/api/...` is the session `main`.
pub(super) fn routes(config: &mut web::ServiceConfig) {
    for prefix in ["/api", "/api/sessions/{id}"] {
        let at = |path: &str| web::resource(format!("{prefix}/{path}"));
        config
            .service(at("state").route(read().to(play::state)))
            .service(at("events").route(web::get().to(stream::events)))
            .service(at("move").route(web::post().to(play::play)))
            .service(at("new").route(web::post().to(play::new)))
            .service(at("hint").route(web::post().to(agent::hint)))
            .service(at("agent/start").route(web::post().to(agent::start)))
            .service(at("agent/stop").route(web::post().to(agent::stop)))
            .service(at("agent/step").route(web::post().to(agent::step)))
            .service(at("transcript").route(read().to(transcript::list)))
            .service(
                at("links")
                    .route(web::post().to(links::give))
                    .route(web::delete().to(links::revoke)),
            )
            .service(at("games/import").route(web::post().to(games::import)));
    }
    config
        .service(
            web::resource("/api/sessions")
                .route(read().to(sessions::list))
                .route(web::post().to(sessions::create)),
        )
        .service(web::resource("/api/sessions/{id}").route(web::delete().to(sessions::close)))
        .service(web::resource("/api/sessions/{id}/games").route(read().to(games::list_session)))
        .service(web::resource("/api/games").route(read().to(games::list)))
        .service(web::resource("/api/games/{game}").route(read().to(games::record)))
        .service(web::resource("/api/games/{game}/at/{n}").route(read().to(games::at)))
        .service(web::resource("/api/games/{game}/moves").route(read().to(games::moves)))
        .service(web::resource("/api/games/{game}/export").route(read().to(games::export)))
        .service(web::resource("/api/watch/{link}/state").route(read().to(links::state)))
        .service(web::resource("/api/watch/{link}/games").route(read().to(links::list)))
        .service(
            web::resource("/api/watch/{link}/events").route(web::get().to(stream::events_by_link)),
        )
        .service(web::resource("/api/watch/{link}/{what:.*}").to(spectator::refuse))
        .service(web::resource("/api/version").route(read().to(about::version)))
        .service(web::resource("/metrics").route(read().to(figures::all)))
        .service(web::resource("/healthz").route(read().to(about::healthz)))
        .service(web::resource("/readyz").route(read().to(about::readyz)));
}

/// A route for what changes nothing.
pub(super) fn read() -> actix_web::Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

/// An answer that is JSON already.
fn ready_made(json: Bytes) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(json)
}

fn answer(reply: &impl Serialize) -> HttpResponse {
    HttpResponse::Ok().json(reply)
}
