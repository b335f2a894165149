//! A server to play at, and the calls that a test makes.

use std::time::Duration;

use reqwest::{
    Method, RequestBuilder, StatusCode,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde_json::{Value, json};
use server::{config::Config, server::Server};

use crate::events::Events;

/// Longer than anything here takes on a crowded machine, so that a test which hangs says where.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// A server and a client of it.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) server: Server,
    pub(crate) caller: Caller,
}

/// A client of one session of a server.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    http: reqwest::Client,
    url: String,
    /// `/api`, or `/api/sessions/<id>`.
    base: String,
    token: Option<String>,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Table {
    /// A server with the usual settings, games in memory, at a free port.
    pub(crate) fn open() -> Self {
        Self::with(Config::default())
    }

    /// A server with these settings, at a free port.
    pub(crate) fn with(config: Config) -> Self {
        let server = Server::start(Config { port: 0, ..config }).expect("a server that starts");
        let caller = Caller::new(format!("http://127.0.0.1:{}", server.address().port()));
        Self { server, caller }
    }
}

impl std::ops::Deref for Table {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl Caller {
    /// A client of `main` at `url`, without a slash at the end.
    pub(crate) fn new(url: String) -> Self {
        let http = reqwest::Client::builder().read_timeout(PATIENCE).build().unwrap();
        Self { http, url, base: "/api".to_owned(), token: None }
    }

    /// The same in another session.
    pub(crate) fn in_session(&self, id: &str) -> Self {
        Self { base: format!("/api/sessions/{id}"), ..self.clone() }
    }

    /// The same by a link to watch.
    pub(crate) fn by_link(&self, link: &str) -> Self {
        self.with_base(&format!("/api/watch/{link}"))
    }

    /// The same with its calls at another address.
    pub(crate) fn with_base(&self, base: &str) -> Self {
        Self { base: base.to_owned(), ..self.clone() }
    }

    /// The same with a control token.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A request to any address of the server.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        Reply::of(self.request(Method::GET, path)).await
    }

    /// Posts to a call of the session.
    pub(crate) async fn post(&self, call: &str, body: &Value) -> Reply {
        self.post_text(call, body.to_string()).await
    }

    /// The same with a body that need not be JSON.
    pub(crate) async fn post_text(&self, call: &str, body: impl Into<reqwest::Body>) -> Reply {
        let request = self.request(Method::POST, &format!("{}/{call}", self.base));
        Reply::of(request.header(CONTENT_TYPE, "application/json").body(body)).await
    }

    /// Posts nothing.
    pub(crate) async fn post_empty(&self, call: &str) -> Reply {
        Reply::of(self.request(Method::POST, &format!("{}/{call}", self.base))).await
    }

    pub(crate) async fn state(&self) -> Value {
        self.get(&format!("{}/state", self.base)).await.ok()
    }

    /// Begins games until one is watched by so many: a state says how many there were when it was made, and a stream that
    /// was closed is noticed a little later.
    pub(crate) async fn begins_watched_by(&self, watchers: u64) {
        let begin = std::time::Instant::now();
        loop {
            let seen = self.post_empty("new").await.ok()["watchers"].as_u64().unwrap();
            if seen == watchers {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "{seen} watch, not {watchers}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// What was exchanged with the hosted model.
    pub(crate) async fn transcript(&self) -> Value {
        self.get(&format!("{}/transcript", self.base)).await.ok()
    }

    /// Plays a direction as py2048 does, and gives back the whole reply.
    pub(crate) async fn play(&self, direction: &str) -> Value {
        self.post("move", &json!({ "direction": direction })).await.ok()
    }

    /// Begins a game on `rows`, 0 for an empty square, in which the same tiles come whenever it is begun: what a test
    /// sees must not hang on luck.
    pub(crate) async fn deal(&self, rows: [[u32; 4]; 4]) -> Value {
        self.post("new", &json!({ "grid": rows, "seed": 7 })).await.ok()
    }

    pub(crate) async fn start_agent(&self, settings: Value) -> Value {
        self.post("agent/start", &settings).await.ok()
    }

    /// Watches, with `query` such as `?fps=10`.
    pub(crate) async fn watch(&self, query: &str) -> Events {
        self.watch_from(query, None).await
    }

    /// The same, resuming from an id.
    pub(crate) async fn watch_from(&self, query: &str, last_event_id: Option<&str>) -> Events {
        let mut request = self.request(Method::GET, &format!("{}/events{query}", self.base));
        if let Some(id) = last_event_id {
            request = request.header("Last-Event-ID", id);
        }
        Events::new(request.send().await.unwrap())
    }
}

impl Reply {
    pub(crate) async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, text: response.text().await.unwrap() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body of an answer that is no error.
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// The sentence of an error with `status`.
    pub(crate) fn refused(&self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/json");
        self.json()["detail"].as_str().expect("a detail").to_owned()
    }

    /// An error whose sentence was not asked for.
    pub(crate) fn refused_silently(&self, status: u16) {
        assert_eq!((self.status.as_u16(), self.text.as_str()), (status, ""));
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A board without two equal neighbours and without an empty square.
pub(crate) const DEAD: [[u32; 4]; 4] = [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]];
