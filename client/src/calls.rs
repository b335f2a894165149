//! The calls of one session of one server.

mod error;

use std::{fmt, time::Duration};

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, TryStreamExt};
use protocol::{
    AgentStart, AgentStep, AgentStop, CreateSession, Direction, ErrorBody, GameRecord, Hint,
    HintReply, Imported, LinkGiven, LinksRevoked, MoveRequest, Moved, MovesPage, NewGame, Page,
    PastState, SessionCreated, SessionItem, Started, State, Stopped, Version,
};
use reqwest::{
    Method, RequestBuilder, Response, StatusCode, Url,
    header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER},
    redirect,
};
use serde::{Serialize, de::DeserializeOwned};

pub use self::error::{AddressError, CallError};

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an answer may take, beyond what the call itself lets the server think.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// What a player may think by default where a call names no budget.
const DEFAULT_BUDGET: Duration = Duration::from_secs(20);
/// An answer larger than this is not one of ours: an exported game, the largest, has at most 1 MiB.
const MOST_ANSWER_BYTES: usize = 4 << 20;

/// One session of one server, and the right to play there or only to watch.
///
/// Cheap to clone: the clones share their connections.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    way: Way,
    token: Option<String>,
    looks_on: bool,
}

/// How a session is reached.
#[derive(Clone)]
enum Way {
    Main,
    /// By its id.
    Session(String),
    /// By what stands in a link that only lets watch. It is a secret.
    Link(String),
}

impl Way {
    fn to(session: Option<String>) -> Self {
        session.filter(|id| id != "main").map_or(Self::Main, Self::Session)
    }
}

/// The token and the link are secrets: they are not shown.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.base.as_str())
            .field("session", &self.session())
            .field("by_link", &matches!(self.way, Way::Link(_)))
            .field("has_token", &self.token.is_some())
            .finish_non_exhaustive()
    }
}

impl Client {
    /// A client of `session`, `main` when `None`, on the server at `base_url`, such as `http://127.0.0.1:2048`.
    ///
    /// Without a scheme, plain HTTP is meant. Proxies of the environment are not used and redirects not followed, so
    /// that the token goes nowhere but to this server. No connection is made yet.
    ///
    /// # Errors
    /// - [`AddressError::Malformed`] and [`AddressError::Scheme`] for what is not an `http` URL with a host
    /// - [`AddressError::Http`] if the HTTP client does not start
    pub fn new(
        base_url: &str,
        session: Option<String>,
        token: Option<String>,
    ) -> Result<Self, AddressError> {
        let address = base_url.to_owned();
        let with_scheme =
            if base_url.contains("://") { address.clone() } else { format!("http://{address}") };
        let Ok(mut base) = Url::parse(&with_scheme) else {
            return Err(AddressError::Malformed { address });
        };
        if base.scheme() != "http" {
            return Err(AddressError::Scheme { address });
        }
        base.set_query(None);
        base.set_fragment(None);
        match base.path_segments_mut() {
            Ok(mut path) => path.pop_if_empty(),
            Err(()) => return Err(AddressError::Malformed { address }),
        };
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .map_err(AddressError::Http)?;
        Ok(Self { http, base, way: Way::to(session), token, looks_on: false })
    }

    /// The same server with another session.
    #[must_use]
    pub fn with_session(&self, session: Option<String>, token: Option<String>) -> Self {
        Self { way: Way::to(session), token, ..self.clone() }
    }

    /// The session of a link on the same server, to watch until the link is revoked: `secret` is what stands behind
    /// `/w/`.
    #[must_use]
    pub fn by_link(&self, secret: String) -> Self {
        Self { way: Way::Link(secret), ..self.clone().looking_on() }
    }

    /// The same as a spectator: it has no token, and does not play where everybody may.
    #[must_use]
    pub fn looking_on(self) -> Self {
        Self { token: None, looks_on: true, ..self }
    }

    /// The server's address, without a token.
    pub fn address(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// The server's host and port.
    pub fn host_and_port(&self) -> (&str, u16) {
        let host = self.base.host_str().unwrap_or_default();
        (host, self.base.port_or_known_default().unwrap_or(80))
    }

    /// The same on another port.
    #[must_use]
    pub fn at_port(mut self, port: u16) -> Self {
        let set = self.base.set_port(Some(port));
        debug_assert_eq!(set, Ok(()), "an http URL has a host, as checked at the start");
        self
    }

    /// The session's id; `None` for `main`, and for one that is reached by a link.
    pub fn session(&self) -> Option<&str> {
        match &self.way {
            Way::Session(id) => Some(id),
            Way::Main | Way::Link(_) => None,
        }
    }

    /// Whether playing may be allowed: `main` is open on a server of one's own machine, other sessions need a token.
    pub const fn may_play(&self) -> bool {
        !self.looks_on && (matches!(self.way, Way::Main) || self.token.is_some())
    }

    /// The state.
    ///
    /// # Errors
    /// - as every call here: [`CallError`]
    pub async fn state(&self) -> Result<State, CallError> {
        self.get(&["state"], &[]).await
    }

    /// Plays a move if the game stands as `request` says.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 409 and the state when it does not
    pub async fn move_(&self, request: &MoveRequest) -> Result<Moved, CallError> {
        self.post(&["move"], request, Duration::ZERO).await
    }

    /// Begins a new game; the one before it is kept in the list of games.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 422 for a grid that no game can begin on
    pub async fn new_game(&self, request: &NewGame) -> Result<State, CallError> {
        self.post(&["new"], request, Duration::ZERO).await
    }

    /// Lets a player play, or changes how it plays.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 422 for a player that is not available
    pub async fn agent_start(&self, request: &AgentStart) -> Result<Started, CallError> {
        self.post(&["agent", "start"], request, Duration::ZERO).await
    }

    /// Stops the player.
    ///
    /// # Errors
    /// - as every call here: [`CallError`]
    pub async fn agent_stop(&self) -> Result<Stopped, CallError> {
        self.post(&["agent", "stop"], &AgentStop::default(), Duration::ZERO).await
    }

    /// Lets a player play one move.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 409 while one is playing
    pub async fn agent_step(&self, request: &AgentStep) -> Result<Moved, CallError> {
        self.post(&["agent", "step"], request, thinking(request.budget_ms)).await
    }

    /// What a player would do. Nothing is played.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 422 for a player that is not available
    pub async fn hint(&self, request: &Hint) -> Result<HintReply, CallError> {
        self.post(&["hint"], request, thinking(request.budget_ms)).await
    }

    /// The board of `game` after its move `number`, 0 for its start.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 404 for a game that isn't there or has no such move
    pub async fn past(&self, game: &str, number: u32) -> Result<PastState, CallError> {
        let url = self.server_url(&["games", game, "at", &number.to_string()]);
        self.answer(self.request(Method::GET, url), Duration::ZERO).await
    }

    /// A page of this session's games, finished and running; `query` is what protocol names, such as `("sort", "-score")`.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 422 for what a list does not know
    pub async fn find_games(&self, query: &[(&str, &str)]) -> Result<Page<GameRecord>, CallError> {
        let mut url = match &self.way {
            Way::Link(_) => self.session_url(&["games"]),
            Way::Main | Way::Session(_) => self.server_url(&["sessions", self.id(), "games"]),
        };
        url.query_pairs_mut().extend_pairs(query);
        self.answer(self.request(Method::GET, url), Duration::ZERO).await
    }

    /// A game as text, to be kept or brought to another server.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 409 while its seed is a secret
    pub async fn export(&self, game: &str) -> Result<String, CallError> {
        let call = self.request(Method::GET, self.server_url(&["games", game, "export"]));
        let text = self.bytes(call, Duration::ZERO).await?;
        String::from_utf8(text.into()).map_err(|error| CallError::Unreadable(error.to_string()))
    }

    /// Files a game that was exported.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 422, naming the first move that does not fit
    pub async fn import(&self, text: String) -> Result<Imported, CallError> {
        let call = self.request(Method::POST, self.session_url(&["games", "import"]));
        let call = call.header(CONTENT_TYPE, "application/x-ndjson").body(text);
        self.answer(call, Duration::ZERO).await
    }

    /// A page of the server's sessions; `cursor` is the page before it's `next`.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 401 or 403 where that needs the operator's token
    pub async fn sessions(&self, cursor: Option<&str>) -> Result<Page<SessionItem>, CallError> {
        let mut url = self.server_url(&["sessions"]);
        if let Some(cursor) = cursor {
            url.query_pairs_mut().append_pair("cursor", cursor);
        }
        self.answer(self.request(Method::GET, url), Duration::ZERO).await
    }

    /// Creates a session. The reply has its id and, this once, its control token.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 401 or 403 where that needs the operator's token
    pub async fn create_session(
        &self,
        request: &CreateSession,
    ) -> Result<SessionCreated, CallError> {
        let call = self.request(Method::POST, self.server_url(&["sessions"]));
        self.answer(with_json(call, request)?, Duration::ZERO).await
    }

    /// Makes a link by which this session can be watched, and gives its address, `http://host:port/w/SECRET`.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 401 or 403 without control of the session
    pub async fn give_link(&self) -> Result<String, CallError> {
        let call = self.request(Method::POST, self.session_url(&["links"]));
        let LinkGiven { link } = self.answer(call, Duration::ZERO).await?;
        Ok(format!("{}/w/{link}", self.address()))
    }

    /// Makes all those links lead nowhere, and gives how many they were.
    ///
    /// # Errors
    /// - as [`Self::give_link`]
    pub async fn revoke_links(&self) -> Result<u64, CallError> {
        let call = self.request(Method::DELETE, self.session_url(&["links"]));
        let LinksRevoked { revoked } = self.answer(call, Duration::ZERO).await?;
        Ok(revoked)
    }

    /// Closes this session: its subscribers are told, its games stay.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 409 for `main`, which can't be closed
    pub async fn close_session(&self) -> Result<(), CallError> {
        let call = self.request(Method::DELETE, self.server_url(&["sessions", self.id()]));
        self.bytes(call, Duration::ZERO).await.map(drop)
    }

    /// The server's build and limits.
    ///
    /// # Errors
    /// - as every call here: [`CallError`]
    pub async fn version(&self) -> Result<Version, CallError> {
        let call = self.request(Method::GET, self.server_url(&["version"]));
        self.answer(call, Duration::ZERO).await
    }

    /// Whether the server takes moves.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 503 and the reason when it does not
    pub async fn ready(&self) -> Result<(), CallError> {
        self.bytes(self.request(Method::GET, self.url(&["readyz"])), Duration::ZERO).await.map(drop)
    }

    /// The moves `from` to `to` of a game, both included, counted from 1; at most 500.
    ///
    /// # Errors
    /// - [`CallError::Refused`] with status 404 for moves that the game doesn't have, 422 for too many
    pub async fn moves(&self, game: &str, from: u32, to: u32) -> Result<MovesPage, CallError> {
        let mut url = self.server_url(&["games", game, "moves"]);
        let (from, to) = (from.to_string(), to.to_string());
        url.query_pairs_mut().append_pair("from", &from).append_pair("to", &to);
        self.answer(self.request(Method::GET, url), Duration::ZERO).await
    }

    /// Opens the event stream after the event `last_id`, if one is named. Its bytes are for a [`sse::Parser`].
    ///
    /// [`sse::Parser`]: crate::sse::Parser
    ///
    /// # Errors
    /// - [`CallError::Unreadable`] for an answer that is no event stream
    pub async fn events(
        &self,
        last_id: Option<&str>,
    ) -> Result<impl Stream<Item = Result<Bytes, CallError>> + Send + use<>, CallError> {
        let mut call = self.request(Method::GET, self.session_url(&["events"]));
        call = call.header(ACCEPT, "text/event-stream");
        if let Some(id) = last_id {
            call = call.header("Last-Event-ID", id);
        }
        // A stream has no end to wait for: only the wait for its head is limited.
        let Ok(response) = tokio::time::timeout(ANSWER_TIMEOUT, call.send()).await else {
            return Err(CallError::Silent);
        };
        let response = response.map_err(unreachable)?;
        if response.status() != StatusCode::OK {
            return Err(refusal(response).await);
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return Err(CallError::Unreadable(format!(
                "{} instead of events",
                kind.unwrap_or("nothing")
            )));
        }
        Ok(response.bytes_stream().map_err(unreachable))
    }

    async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<T, CallError> {
        let mut url = self.session_url(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        self.answer(self.request(Method::GET, url), Duration::ZERO).await
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &[&str],
        body: &impl Serialize,
        thinking: Duration,
    ) -> Result<T, CallError> {
        let call = self.request(Method::POST, self.session_url(path));
        self.answer(with_json(call, body)?, thinking).await
    }

    fn request(&self, method: Method, url: Url) -> RequestBuilder {
        let call = self.http.request(method, url);
        match &self.token {
            Some(token) => call.bearer_auth(token),
            None => call,
        }
    }

    /// `/<path>` of the server.
    fn url(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .expect("an http URL has a path, as checked at the start")
            .extend(path);
        url
    }

    /// `/api/<path>` of the server.
    fn server_url(&self, path: &[&str]) -> Url {
        self.url(&[&["api"], path].concat())
    }

    /// `/api/<path>` of the session.
    fn session_url(&self, path: &[&str]) -> Url {
        match &self.way {
            Way::Main => self.server_url(path),
            Way::Session(id) => self.server_url(&[&["sessions", id.as_str()], path].concat()),
            Way::Link(secret) => self.server_url(&[&["watch", secret.as_str()], path].concat()),
        }
    }

    fn id(&self) -> &str {
        self.session().unwrap_or("main")
    }

    async fn answer<T: DeserializeOwned>(
        &self,
        call: RequestBuilder,
        thinking: Duration,
    ) -> Result<T, CallError> {
        let bytes = self.bytes(call, thinking).await?;
        serde_json::from_slice(&bytes).map_err(|error| CallError::Unreadable(error.to_string()))
    }

    async fn bytes(&self, call: RequestBuilder, thinking: Duration) -> Result<Bytes, CallError> {
        let response = call.timeout(ANSWER_TIMEOUT + thinking).send().await.map_err(unreachable)?;
        if !response.status().is_success() {
            return Err(refusal(response).await);
        }
        body(response).await
    }
}

/// The direction's name on the wire.
pub const fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "UP",
        Direction::Down => "DOWN",
        Direction::Left => "LEFT",
        Direction::Right => "RIGHT",
    }
}

fn thinking(budget_ms: Option<f64>) -> Duration {
    let budget = budget_ms.map(|ms| Duration::try_from_secs_f64(ms / 1000.0));
    budget.and_then(Result::ok).unwrap_or(DEFAULT_BUDGET).min(Duration::from_mins(1))
}

fn with_json(call: RequestBuilder, body: &impl Serialize) -> Result<RequestBuilder, CallError> {
    let text =
        serde_json::to_vec(body).map_err(|error| CallError::Unreadable(error.to_string()))?;
    Ok(call.header(CONTENT_TYPE, "application/json").body(text))
}

/// The error without the address, which the user knows and which would hide the cause behind it.
fn unreachable(error: reqwest::Error) -> CallError {
    CallError::Unreachable(error.without_url())
}

async fn body(response: Response) -> Result<Bytes, CallError> {
    let (mut whole, mut chunks) = (BytesMut::new(), response.bytes_stream());
    while let Some(chunk) = chunks.next().await {
        whole.extend_from_slice(&chunk.map_err(unreachable)?);
        if whole.len() > MOST_ANSWER_BYTES {
            return Err(CallError::Unreadable(format!("more than {MOST_ANSWER_BYTES} bytes")));
        }
    }
    Ok(whole.freeze())
}

async fn refusal(response: Response) -> CallError {
    let status = response.status();
    let seconds =
        response.headers().get(RETRY_AFTER).and_then(|text| text.to_str().ok()?.parse().ok());
    let retry_after = seconds.map(Duration::from_secs);
    let read = body(response).await.ok().and_then(|body| serde_json::from_slice(&body).ok());
    // What answers without our error body is a proxy, or another program on that port.
    let ErrorBody { detail, state } =
        read.unwrap_or_else(|| ErrorBody { detail: format!("HTTP status {status}"), state: None });
    CallError::Refused { status: status.as_u16(), detail, state: state.map(Box::new), retry_after }
}
