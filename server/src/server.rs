//! A whole server, started and stopped: what `main`, the tests and a client that embeds one call.
//!
//! Wired bottom up: store, players, lobby, HTTP. It runs on a thread of its own with its own actix system, so that it
//! can be started from any runtime, or from none.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket},
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use actix::{Arbiter, System};
use protocol::{PROTOCOL, Version, VersionStore};
use socket2::{Domain, Protocol, Socket, Type};
use store::{Memory, Sqlite, Store, StoreError};
use tokio::sync::oneshot;

use crate::{
    actors::{
        handle::{Control, LobbyHandle},
        lobby::{Lobby, LobbyParts, Open},
        refusal::Refusal,
        session::Published,
    },
    config::{Config, Durability, StoreChoice, TranscriptTo},
    http::{self, Closing, HttpParts},
    jev::{self, Desk},
    metrics::{Committing, Metrics},
    network::Network,
    roster::{Offer, Roster},
    secret, tls,
    transcript::Transcript,
};

/// How often the server looks whether its lobby still runs.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How long the last threads are waited for.
const LET_GO: Duration = Duration::from_secs(1);

/// A server that runs.
#[derive(Debug)]
pub struct Server {
    scheme: &'static str,
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    tokens: Option<Tokens>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<(), StartError>>>,
    lobby: LobbyHandle,
}

/// What a server that can be reached from elsewhere asks for.
#[derive(Clone)]
pub struct Tokens {
    /// Lets play in `main`.
    pub main: String,
    /// Lets list all sessions and create new ones.
    pub operator: String,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tokens")
    }
}

/// What a program that embeds a server gives it beside its settings.
#[derive(Default)]
pub struct Guests {
    /// Players that it offers after its own.
    pub players: Vec<Offer>,
    /// What stands between it and its store.
    pub before_the_store: Option<Before>,
}

/// Makes a store that stands before another.
pub type Before = Box<dyn FnOnce(Arc<dyn Store>) -> Arc<dyn Store> + Send>;

impl std::fmt::Debug for Guests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guests").field("players", &self.players).finish_non_exhaustive()
    }
}

/// Why a server did not start, or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is not to be had.
    #[error("{}", bind_text(*address, source))]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// There is no certificate to show.
    #[error(transparent)]
    Tls(#[from] tls::TlsError),
    /// The store can't be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The sessions can't be restored.
    #[error("the games cannot be restored: {0}")]
    Restore(Refusal),
    /// The operating system gives no thread or socket.
    #[error("the server cannot run: {0}")]
    System(#[from] io::Error),
    /// An actor that must not end has ended.
    #[error("the lobby crashed; what was acknowledged is saved, start the server again")]
    Crashed,
}

fn bind_text(address: SocketAddr, source: &io::Error) -> String {
    let (ip, port) = (address.ip(), address.port());
    match source.kind() {
        io::ErrorKind::AddrInUse => format!(
            "port {port} of {ip} is taken: is a serve2048 running already? Choose another with --port, or --port 0 for any free one"
        ),
        io::ErrorKind::PermissionDenied => {
            format!(
                "port {port} of {ip} needs rights that this user does not have: choose one above 1023 with --port"
            )
        }
        _ => format!("{address} cannot be listened on: {source}"),
    }
}

impl Server {
    /// Starts a server and waits until it answers.
    ///
    /// # Errors
    /// - [`StartError`], one sentence that says what is in the way.
    pub fn start(config: Config) -> Result<Self, StartError> {
        Self::start_with(config, Guests::default())
    }

    /// The same, with what the program that embeds it adds.
    ///
    /// # Errors
    /// - As [`Self::start`].
    pub fn start_with(config: Config, guests: Guests) -> Result<Self, StartError> {
        let tls = config.tls.as_ref().map(tls::open).transpose()?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        let listener = listen(config.address())?;
        let address = listener.local_addr()?;
        let figures = config.metrics_bind.map(listen).transpose()?;
        let metrics_address = figures.as_ref().map(TcpListener::local_addr).transpose()?;
        let listeners = Listeners { http: listener, tls, figures };
        let tokens =
            config.is_public().then(|| Tokens { main: secret::token(), operator: secret::token() });
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let shown = tokens.clone();
        let thread = thread::Builder::new().name("serve2048".to_owned()).spawn(move || {
            let metrics = Metrics::new();
            let store = open(&config.store, &metrics)?;
            let store = match guests.before_the_store {
                Some(before) => before(store),
                None => store,
            };
            let transcript = transcript(config.transcript)?;
            let games = config.store.folder();
            let (desk, asking) =
                match jev::open(&config.jev, &transcript, &metrics, &config.clock, games) {
                    Ok((desk, place)) => (Ok(desk), Some(place)),
                    Err(missing) => (Err(missing), None),
                };
            let parts = Parts {
                store: Arc::clone(&store),
                transcript: transcript.clone(),
                metrics,
                desk,
                players: guests.players,
            };
            let running = Running::start(&config, listeners, parts, shown);
            let outcome = System::new().block_on(async {
                let running = running.await?;
                if tell.send(running.lobby.clone()).is_ok() {
                    running.until(stopped).await
                } else {
                    Ok(())
                }
            });
            // Nobody waits for an answer any more.
            if let Some(place) = asking {
                place.close();
            }
            close(store);
            transcript.close();
            outcome
        })?;
        match told.recv() {
            Ok(lobby) => {
                let (stop, thread) = (Some(stop), Some(thread));
                Ok(Self { scheme, address, metrics_address, tokens, stop, thread, lobby })
            }
            Err(_) => Err(ended(thread).err().unwrap_or(StartError::Crashed)),
        }
    }

    /// How many sessions are in memory; 0 when it has ended.
    pub async fn sessions(&self) -> usize {
        self.lobby.count().await
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where its figures are to be had without a token, if anywhere.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Its page, as others can reach it where it listens on every address.
    pub fn url(&self) -> String {
        let ip = self.address.ip();
        let ip = if ip.is_unspecified() { own_address(ip).unwrap_or(ip) } else { ip };
        format!("{}://{}/", self.scheme, SocketAddr::new(ip, self.address.port()))
    }

    /// Its tokens, if it can be reached from elsewhere.
    pub fn tokens(&self) -> Option<&Tokens> {
        self.tokens.as_ref()
    }

    /// Stops it: every watcher is told, every game is saved. Takes up to five seconds, and blocks.
    ///
    /// # Errors
    /// - [`StartError::Crashed`] when it had ended by itself.
    pub fn stop(mut self) -> Result<(), StartError> {
        drop(self.stop.take());
        self.wait()
    }

    /// Waits until it has ended by itself, which it only does when it crashed. Blocks.
    ///
    /// # Errors
    /// - [`StartError`], as it ended.
    pub fn wait(mut self) -> Result<(), StartError> {
        self.thread.take().map_or(Ok(()), ended)
    }

    /// Whether it has ended by itself.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

/// How the server's thread ended. Blocks until it has.
fn ended(thread: JoinHandle<Result<(), StartError>>) -> Result<(), StartError> {
    thread.join().unwrap_or(Err(StartError::Crashed))
}

impl Drop for Server {
    /// Stops it, so that a test that fails leaves nothing behind.
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(Ok(Err(error))) = self.thread.take().map(JoinHandle::join) {
            tracing::error!(%error, "the server had ended");
        }
    }
}

/// The parts of a server, on its own thread.
struct Running {
    lobby: LobbyHandle,
    http: actix_web::dev::ServerHandle,
    figures: Option<actix_web::dev::ServerHandle>,
    closing: Closing,
    arbiters: Vec<Arbiter>,
}

/// What a server ends after everything else.
struct Parts {
    store: Arc<dyn Store>,
    transcript: Transcript,
    metrics: Arc<Metrics>,
    /// Where the hosted model is asked, or why it is not.
    desk: Result<Arc<Desk>, String>,
    /// That the program which embeds it adds.
    players: Vec<Offer>,
}

/// Where a server listens.
struct Listeners {
    http: TcpListener,
    /// What it shows there.
    tls: Option<rustls::ServerConfig>,
    /// For its figures alone.
    figures: Option<TcpListener>,
}

impl Running {
    async fn start(
        config: &Config,
        listeners: Listeners,
        parts: Parts,
        tokens: Option<Tokens>,
    ) -> Result<Self, StartError> {
        let Parts { store, transcript, metrics, desk, players } = parts;
        survive_file_size_limits()?;
        let (roster, network_bytes) = roster(config, desk.clone(), players);
        let roster = Arc::new(roster.counted_in(Arc::clone(&metrics)));
        let published = Published { epoch: store.epoch().to_owned(), boot: secret::id() };
        let version = Version { network_bytes, ..version(config, &*store, &roster, &published) };
        let control =
            |token: Option<&String>| token.map_or(Control::Open, |token| Control::by_token(token));
        let arbiters: Vec<_> = (0..config.searches.max(1)).map(|_| Arbiter::new()).collect();
        let lobby = Lobby::new(LobbyParts {
            store: Arc::clone(&store),
            roster,
            published,
            main: control(tokens.as_ref().map(|tokens| &tokens.main)),
            idle_after: config.idle,
            clock: config.clock.clone(),
            expire_after: config.expire_after,
            most_sessions: config.max_sessions,
            most_advice: config.max_advice_per_session,
            most_agents: config.max_agents,
            metrics: Arc::clone(&metrics),
            arbiters: arbiters.iter().map(Arbiter::handle).collect(),
        })
        .open();
        lobby.ask(Open).await.map_err(StartError::Restore)?;
        let closing = Closing::new();
        let operator = control(tokens.as_ref().map(|tokens| &tokens.operator));
        let figures = listeners.figures;
        let figures =
            figures.map(|listener| http::figures::serve(config, listener, &metrics, &store));
        let figures = figures.transpose()?.map(|server| {
            let handle = server.handle();
            actix::spawn(server);
            handle
        });
        let parts = HttpParts {
            listener: listeners.http,
            tls: listeners.tls,
            lobby: lobby.clone(),
            store,
            operator,
            version,
            closing: closing.clone(),
            transcript,
            desk: desk.ok(),
            metrics,
        };
        let server = http::serve(config, parts)?;
        let http = server.handle();
        actix::spawn(server);
        Ok(Self { lobby, http, figures, closing, arbiters })
    }

    /// Runs until the sender is dropped, then stops in the order in which nothing is lost: nothing new begins, the
    /// sessions say farewell and save, the sockets are closed.
    async fn until(self, stopped: oneshot::Receiver<()>) -> Result<(), StartError> {
        let mut look = tokio::time::interval(LOOK_EVERY);
        tokio::pin!(stopped);
        let crashed = loop {
            tokio::select! {
                _ = &mut stopped => break false,
                _ = look.tick() => if !self.lobby.is_alive() { break true },
            }
        };
        self.closing.close();
        self.lobby.shut_down().await;
        self.http.stop(true).await;
        if let Some(figures) = self.figures {
            figures.stop(false).await;
        }
        for arbiter in self.arbiters {
            arbiter.stop();
        }
        if crashed { Err(StartError::Crashed) } else { Ok(()) }
    }
}

/// Has a write past the limit on file sizes fail, as on a full disk, instead of ending the process.
fn survive_file_size_limits() -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        /// SIGXFSZ, which neither tokio nor the standard library names.
        const TOO_LARGE: i32 = 25;
        // Once there is a handler it stays, whoever listens.
        let kind = tokio::signal::unix::SignalKind::from_raw(TOO_LARGE);
        drop(tokio::signal::unix::signal(kind)?);
    }
    Ok(())
}

/// Closes the store when the threads that end by themselves have let go of it: whoever starts the next server at once
/// finds its folder free.
fn close(store: Arc<dyn Store>) {
    let begun = Instant::now();
    while Arc::strong_count(&store) > 1 {
        if begun.elapsed() > LET_GO {
            tracing::warn!("somebody holds the store after the end");
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
    drop(store);
}

/// The address of this machine that a packet to elsewhere would come from. Nothing is sent.
fn own_address(any: IpAddr) -> Option<IpAddr> {
    // Addresses for documentation, which are nobody's.
    let elsewhere: IpAddr = match any {
        IpAddr::V4(_) => Ipv4Addr::new(192, 0, 2, 1).into(),
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
    };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((elsewhere, 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Binds the address, with room for thousands of watchers that come back at once.
fn listen(address: SocketAddr) -> Result<TcpListener, StartError> {
    let bound = || {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
        #[cfg(unix)]
        socket.set_reuse_address(true)?;
        socket.bind(&address.into())?;
        socket.listen(http::BACKLOG)?;
        socket.set_nonblocking(true)?;
        Ok(socket.into())
    };
    bound().map_err(|source| StartError::Bind { address, source })
}

fn open(choice: &StoreChoice, metrics: &Arc<Metrics>) -> Result<Arc<dyn Store>, StoreError> {
    Ok(match choice {
        StoreChoice::Memory => Arc::new(Memory::new()),
        StoreChoice::Sqlite { folder, durability } => {
            let durability = match durability {
                Durability::Power => store::Durability::Power,
                Durability::Process => store::Durability::Process,
            };
            let committing = Arc::new(Committing(Arc::clone(metrics)));
            Arc::new(Sqlite::open_observed(folder, durability, committing)?)
        }
    })
}

/// The players on offer, and the memory that the network of one of them takes.
fn roster(
    config: &Config,
    desk: Result<Arc<Desk>, String>,
    guests: Vec<Offer>,
) -> (Roster, Option<u64>) {
    let network = Network::open(config.weights.as_deref());
    let bytes = network.as_ref().ok().map(|network| network.bytes() as u64);
    let roster = Roster::built_in(config.searches).with_jev(desk).with_network(network);
    (roster.with_guests(guests), bytes)
}

fn transcript(to: TranscriptTo) -> io::Result<Transcript> {
    Ok(match to {
        TranscriptTo::Nowhere => Transcript::off(),
        TranscriptTo::Memory => Transcript::kept(),
        TranscriptTo::Output => Transcript::printed(io::stdout())?,
    })
}

fn version(config: &Config, store: &dyn Store, roster: &Roster, published: &Published) -> Version {
    let description = store.describe();
    Version {
        name: "serve2048".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        protocol: PROTOCOL,
        boot: published.boot.clone(),
        players: roster.names().to_vec(),
        network_bytes: None,
        key_configured: roster.has_key(),
        store: VersionStore {
            kind: description.kind.to_owned(),
            durability: description.durability.to_owned(),
        },
        limits: config.limits(),
    }
}
