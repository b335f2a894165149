//! The HTTP shell: who may call, what each call is, the event stream and the page.
//!
//! Nothing is decided here about the game: a call is checked, turned into a message, and the answer turned into bytes.

mod guard;

mod api;

mod caller;

mod door;

mod found;

mod body;

mod query;

mod rates;

mod request_id;

mod route;

pub mod figures;

mod error;

mod stream;

mod page;

mod spectator;

use std::{
    any::Any,
    io,
    net::{IpAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use actix_tls::accept::rustls_0_23::TlsStream;
use actix_web::{App, HttpServer, dev::Server, middleware::from_fn, rt::net::TcpStream, web::Data};
use rustls::ServerConfig;
use store::{SessionId, Store};
use tokio::sync::{Semaphore, watch};

use self::{
    door::Connections,
    found::Found,
    guard::Allowed,
    rates::Rates,
    request_id::RequestIds,
    stream::{Heart, Places, Tally},
};
use crate::{
    actors::handle::{Control, LobbyHandle},
    clock::Clock,
    config::{Caps, Config, Timing},
    jev::Desk,
    metrics::Metrics,
    transcript::Transcript,
};

/// The longest queue of connections that wait to be accepted: thousands of watchers come back at once after a restart.
pub const BACKLOG: i32 = 4096;

/// What the kernel holds for a reader that does not read, in bytes; Linux takes twice as many, its own lists included.
const UNREAD: usize = 32 * 1024;

/// What the limits of how often are for.
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// How long a connection without a request is kept.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// What the HTTP shell is made from.
pub struct HttpParts {
    /// Where it listens. Bound before, so that its port is known.
    pub listener: TcpListener,
    /// The certificate to show; `None` is plain HTTP.
    pub tls: Option<ServerConfig>,
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
    /// Where what happens is counted.
    pub metrics: Arc<Metrics>,
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
    caps: Caps,
    ids: RequestIds,
    spent: Spent,
    heart: Heart,
    metrics: Arc<Metrics>,
}

/// What callers have had of what they may have.
struct Spent {
    moves_per_session: Rates<SessionId>,
    moves_per_address: Rates<IpAddr>,
    sessions_per_address: Rates<IpAddr>,
    requests_per_address: Rates<IpAddr>,
    connections: Connections,
    /// One for each command that may wait to be saved.
    commands: Semaphore,
}

impl Spent {
    fn new(caps: &Caps) -> Self {
        Self {
            moves_per_session: Rates::new(caps.moves_per_session, SECOND),
            moves_per_address: Rates::new(caps.moves_per_address, SECOND),
            sessions_per_address: Rates::new(caps.sessions_per_address, MINUTE),
            requests_per_address: Rates::new(caps.requests_per_address, SECOND),
            connections: Connections::default(),
            commands: Semaphore::new(caps.commands.min(Semaphore::MAX_PERMITS)),
        }
    }
}

/// Starts to answer. Must be called within an actix system, which runs it.
///
/// Stopping it takes as long as its streams: turn [`Closing`] first.
///
/// # Errors
/// - When the listener can't be taken over.
pub fn serve(config: &Config, parts: HttpParts) -> io::Result<Server> {
    let HttpParts {
        listener,
        tls,
        lobby,
        store,
        operator,
        version,
        closing,
        transcript,
        desk,
        metrics,
    } = parts;
    let (timing, caps) = (config.timing, config.caps);
    let api = Data::new(Api {
        allowed: Allowed::new(config, listener.local_addr()?.port()),
        places: Places::new(config, &metrics),
        caps,
        ids: RequestIds::new(&version.boot),
        spent: Spent::new(&caps),
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
        metrics,
    });
    let door = Data::clone(&api);
    // Called once for each thread of the server.
    let app = move || {
        App::new()
            .app_data(Data::new(Found::default()))
            .app_data(Data::new(Tally::new(Arc::clone(&api.metrics))))
            .app_data(Data::clone(&api))
            .wrap(from_fn(guard::guard))
            .configure(api::routes)
            .configure(page::routes)
    };
    let server = HttpServer::new(app)
        .on_connect(move |io, data| {
            if let Some((tcp, encrypted)) = tcp_of(io) {
                door::arrive(tcp, encrypted, &door, data);
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
        .disable_signals();
    let server = match tls {
        // HTTP/2 where the caller can, HTTP/1.1 where it can't.
        Some(tls) => server.listen_rustls_0_23(listener, tls)?,
        None => server.listen(listener)?,
    };
    Ok(server.run())
}

/// What a connection comes over, and whether it is encrypted.
fn tcp_of(io: &dyn Any) -> Option<(&TcpStream, bool)> {
    if let Some(tcp) = io.downcast_ref() {
        return Some((tcp, false));
    }
    let encrypted = io.downcast_ref::<TlsStream<TcpStream>>()?;
    Some((encrypted.get_ref().0, true))
}
