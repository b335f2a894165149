//! The HTTP shell: who may call, what each call is, the event stream and the page.
//!
//! Nothing is decided here about the game: a call is checked, turned into a message, and the answer turned into bytes.

mod guard;

mod api;

mod caller;

mod found;

mod body;

mod query;

mod error;

mod stream;

mod page;

use std::{io, net::TcpListener, sync::Arc, time::Duration};

use actix_web::{
    App, HttpServer,
    dev::{Extensions, Server},
    middleware::from_fn,
    rt::net::TcpStream,
    web::Data,
};
use store::Store;
use tokio::sync::watch;

use self::{
    found::Found,
    guard::{Allowed, Arrival},
    stream::{Heart, Places},
};
use crate::{
    actors::handle::{Control, LobbyHandle},
    clock::Clock,
    config::{Config, Timing},
    jev::Desk,
    transcript::Transcript,
};

/// The longest queue of connections that wait to be accepted: thousands of watchers come back at once after a restart.
pub const BACKLOG: i32 = 4096;

/// How long a connection without a request is kept.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// What the HTTP shell is made from.
pub struct HttpParts {
    /// Where it listens. Bound before, so that its port is known.
    pub listener: TcpListener,
    /// The way to every session.
    pub lobby: LobbyHandle,
    /// Where games are looked back at; nothing but imports is written past the sessions.
    pub store: Arc<dyn Store>,
    /// Who may see and do what concerns all sessions.
    pub operator: Control,
    /// What `/api/version` tells.
    pub version: protocol::Version,
    /// Turned when the server stops.
    pub closing: Closing,
    /// What was exchanged with the hosted model.
    pub transcript: Transcript,
    /// Where it is asked, if it is.
    pub desk: Option<Arc<Desk>>,
}

/// A switch that is turned once: from then on nothing new begins, and every stream says goodbye.
#[derive(Debug, Clone)]
pub struct Closing(Arc<watch::Sender<bool>>);

impl Closing {
    /// The switch of a server that runs.
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Turns it. There is no way back.
    pub fn close(&self) {
        self.0.send_replace(true);
    }

    /// Whether it is turned.
    pub fn is_closed(&self) -> bool {
        *self.0.borrow()
    }

    fn watch(&self) -> watch::Receiver<bool> {
        self.0.subscribe()
    }
}

impl Default for Closing {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for HttpParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpParts").field("listener", &self.listener).finish_non_exhaustive()
    }
}

/// What every handler shares.
struct Api {
    lobby: LobbyHandle,
    store: Arc<dyn Store>,
    operator: Control,
    version: protocol::Version,
    closing: Closing,
    transcript: Transcript,
    desk: Option<Arc<Desk>>,
    timing: Timing,
    clock: Clock,
    allowed: Allowed,
    places: Places,
    heart: Heart,
}

/// Starts to answer. Must be called within an actix system, which runs it.
///
/// Stopping it takes as long as its streams: turn [`Closing`] first.
///
/// # Errors
/// - When the listener can't be taken over.
pub fn serve(config: &Config, parts: HttpParts) -> io::Result<Server> {
    let HttpParts { listener, lobby, store, operator, version, closing, transcript, desk } = parts;
    let timing = config.timing;
    let api = Data::new(Api {
        allowed: Allowed::new(config, listener.local_addr()?.port()),
        places: Places::new(config.max_streams, config.max_streams_per_address),
        heart: Heart::start(timing.heartbeat, &closing),
        lobby,
        store,
        operator,
        version,
        closing,
        transcript,
        desk,
        timing,
        clock: config.clock.clone(),
    });
    // Called once for each thread of the server.
    let app = move || {
        App::new()
            .app_data(Data::new(Found::default()))
            .app_data(Data::clone(&api))
            .wrap(from_fn(guard::guard))
            .configure(api::routes)
            .configure(page::routes)
    };
    let server = HttpServer::new(app)
        .on_connect(move |io, data| {
            if let Some(tcp) = (io as &dyn std::any::Any).downcast_ref::<TcpStream>() {
                arrive(tcp, timing, data);
            }
        })
        // An idle stream whose reader has gone is noticed at once, not at the next write but one.
        .h1_allow_half_closed(false)
        .client_request_timeout(timing.head)
        // Longer than proxies keep theirs, so that it is never this side that closes one in use.
        .keep_alive(KEEP_ALIVE)
        .tcp_nodelay(true)
        // Whoever is in the middle of a request then is cut off: stopping shall take five seconds at the most.
        .shutdown_timeout(3)
        .disable_signals()
        .listen(listener)?;
    Ok(server.run())
}

/// Sets up a connection: it is dropped after [`Timing::stall`] without write progress.
fn arrive(tcp: &TcpStream, timing: Timing, data: &mut Extensions) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Err(error) = socket2::SockRef::from(tcp).set_tcp_user_timeout(Some(timing.stall)) {
        tracing::debug!(%error, "a connection that stalls will not be noticed");
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = timing;
    if let Ok(local) = tcp.local_addr() {
        data.insert(Arrival(local.ip()));
    }
}
