//! `serve2048 doctor URL`: looks at a running deployment from where its players are, and says what is wrong with it.
//!
//! Judged in `findings.rs`, without a socket; here the server is asked. It asks for nothing that changes anything.

mod findings;

use std::{
    error::Error,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use http::{Request, Response, StatusCode, Uri, header, uri::Authority};
use http_body_util::{BodyExt as _, Full, Limited, combinators::UnsyncBoxBody};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use tokio::time::{Instant, timeout};

pub use self::findings::Finding;

/// The body of an answer, on its way.
type Body = UnsyncBoxBody<Bytes, Box<dyn Error + Send + Sync>>;

/// More than any answer here has.
const ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// How long what is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For an answer.
    pub answer: Duration,
    /// For the first event of a stream, which comes at once where nothing holds it back.
    pub first: Duration,
    /// For a heartbeat, of which there is one every 15 seconds.
    pub heartbeat: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(10),
            first: Duration::from_secs(3),
            heartbeat: Duration::from_secs(25),
        }
    }
}

/// Why nothing could be looked at.
#[derive(Debug, thiserror::Error)]
pub enum DoctorError {
    /// The address is none.
    #[error(
        "{0} is no address of a server: give one such as http://127.0.0.1:2048 or https://play.example.org"
    )]
    Address(String),
    /// This system trusts nobody.
    #[error(
        "this system has no root certificates to know the server by (install ca-certificates): {0}"
    )]
    NoRoots(std::io::Error),
}

/// Looks at the server at `url`; `token` is its operator's, where it asks for one.
///
/// # Errors
/// - [`DoctorError`] when there is nothing to be asked.
pub async fn examine(
    url: &str,
    token: Option<&str>,
    patience: Patience,
) -> Result<Vec<Finding>, DoctorError> {
    let visit = Visit::to(url, token, patience)?;
    let mut found = visit.version().await;
    // What does not answer at all has nothing else wrong with it.
    if !found.iter().any(Finding::ends_it) {
        found.extend(visit.stream().await);
        found.extend(visit.figures().await);
    }
    Ok(found)
}

/// The way to a server.
struct Visit<'a> {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    base: String,
    token: Option<&'a str>,
    patience: Patience,
}

impl<'a> Visit<'a> {
    fn to(url: &str, token: Option<&'a str>, patience: Patience) -> Result<Self, DoctorError> {
        let uri: Option<Uri> = url.parse().ok();
        let base = uri.as_ref().and_then(|uri| {
            let scheme = uri.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https"))?;
            let authority =
                uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
            Some((scheme == "https", format!("{scheme}://{authority}")))
        });
        let (encrypted, base) = base.ok_or_else(|| {
            // A password is not shown again.
            let shown = if url.contains('@') { "an address with a name in it" } else { url };
            DoctorError::Address(shown.to_owned())
        })?;
        let tls = rustls::ClientConfig::builder_with_provider(std::sync::Arc::new(
            rustls::crypto::ring::default_provider(),
        ));
        let tls = tls.with_safe_default_protocol_versions().expect("ring has what they need");
        let connector = if encrypted {
            HttpsConnectorBuilder::new()
                .with_provider_and_native_roots(rustls::crypto::ring::default_provider())
                .map_err(DoctorError::NoRoots)?
        } else {
            let nobody = rustls::RootCertStore::empty();
            let tls = tls.with_root_certificates(nobody).with_no_client_auth();
            HttpsConnectorBuilder::new().with_tls_config(tls)
        };
        let connector = connector.https_or_http().enable_http1().build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(Self { client, base, token, patience })
    }

    /// Asks for `path`; gives up after `within`.
    async fn ask(&self, path: &str, within: Duration) -> Result<Response<Body>, String> {
        let mut request = Request::get(format!("{}{path}", self.base));
        if let Some(token) = self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Full::default()).map_err(|error| error.to_string())?;
        match timeout(within, self.client.request(request)).await {
            Ok(Ok(answer)) => {
                Ok(answer.map(|body| Limited::new(body, ANSWER_BYTES).boxed_unsync()))
            }
            Ok(Err(error)) => Err(reason(&error)),
            Err(_) => Err(format!("no answer in {} s", within.as_secs_f64())),
        }
    }

    /// The same with the whole body as text.
    async fn read(&self, path: &str) -> Result<(http::response::Parts, String), String> {
        let (head, body) = self.ask(path, self.patience.answer).await?.into_parts();
        let body = timeout(self.patience.answer, body.collect())
            .await
            .map_err(|_elapsed| {
                format!("no whole answer in {} s", self.patience.answer.as_secs_f64())
            })?
            .map_err(|error| error.to_string())?;
        Ok((head, String::from_utf8_lossy(&body.to_bytes()).into_owned()))
    }

    fn name(&self) -> &str {
        let authority = self.base.split_once("://").map_or("", |(_, rest)| rest);
        let host = authority.parse::<Authority>().ok().map_or(0, |name| name.host().len());
        &authority[..host]
    }

    /// What answers, by which name, and what time it is there.
    async fn version(&self) -> Vec<Finding> {
        let begun = Instant::now();
        let (head, body) = match self.read("/api/version").await {
            Ok(answer) => answer,
            Err(error) => return vec![findings::unreachable(&self.base, &error)],
        };
        let took = begun.elapsed();
        let mut found = vec![findings::version(head.status, &body, &self.base, self.name())];
        let date = head.headers.get(header::DATE).and_then(|date| date.to_str().ok());
        if head.status == StatusCode::OK {
            found.push(findings::clock(date, SystemTime::now(), took));
        }
        found
    }

    /// Whether events come when they happen, and whether the stream is left open.
    async fn stream(&self) -> Vec<Finding> {
        let begun = Instant::now();
        let answer = match self.ask("/api/events", self.patience.first).await {
            Ok(answer) => answer,
            Err(error) => return vec![findings::held_back(&error)],
        };
        if let Some(wrong) = findings::stream_head(answer.status(), answer.headers()) {
            return vec![wrong];
        }
        let mut body = answer.into_body();
        let mut seen = Vec::new();
        let first = self.patience.first.saturating_sub(begun.elapsed());
        match timeout(first, until(&mut body, &mut seen, b"data:")).await {
            Ok(true) => {}
            Ok(false) => return vec![findings::cut_off(begun.elapsed())],
            Err(_) => {
                let late = format!("no event in {} s", self.patience.first.as_secs_f64());
                return vec![findings::held_back(&late)];
            }
        }
        let prompt = findings::prompt(begun.elapsed());
        let heart =
            match timeout(self.patience.heartbeat, until(&mut body, &mut seen, b"event: hb")).await
            {
                Ok(true) => findings::alive(begun.elapsed()),
                Ok(false) => findings::cut_off(begun.elapsed()),
                Err(_) => findings::no_heartbeat(self.patience.heartbeat),
            };
        vec![prompt, heart]
    }

    /// Whether it has room: on the disk, for open files, for streams.
    async fn figures(&self) -> Vec<Finding> {
        match self.read("/metrics").await {
            Ok((head, text)) if head.status == StatusCode::OK => findings::figures(&text),
            Ok((head, _)) => vec![findings::no_figures(head.status)],
            Err(error) => vec![findings::unreachable(&self.base, &error)],
        }
    }
}

/// Reads on until `wanted` has come; `false` when the end came first.
async fn until(body: &mut Body, seen: &mut Vec<u8>, wanted: &[u8]) -> bool {
    loop {
        if seen.windows(wanted.len()).any(|part| part == wanted) {
            return true;
        }
        // Only what may be the beginning of it is still of interest.
        seen.drain(..seen.len().saturating_sub(wanted.len()));
        match body.frame().await {
            Some(Ok(frame)) => seen.extend_from_slice(frame.data_ref().map_or(&[], |data| data)),
            _ => return false,
        }
    }
}

/// The innermost cause, which is the one that says something.
fn reason(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
