//! The call itself: one deadline over everything, few repetitions, no redirects, and the key in one header.

use std::{
    error::Error,
    time::{Duration, UNIX_EPOCH},
};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Method, Request,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, RETRY_AFTER, USER_AGENT},
};
use http_body_util::{BodyExt as _, Collected, Full, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, ResponseFuture, connect::HttpConnector},
    rt::TokioExecutor,
};
use tokio::time::{Instant, sleep, timeout_at};

use super::{
    Secret, Settings,
    failure::{Failure, sentence},
    settings::BaseUrl,
};
use crate::clock::{Clock, UnixMillis};

/// How often a question is asked once more.
const REPETITIONS: u32 = 2;

/// The longest answer, in bytes.
const ANSWER_BYTES: usize = 1024 * 1024;

/// The name that the service gives an exchange.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-typesafe-request-id");

/// The finer of two headers that say when to ask again.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// This system trusts nobody, so that the service cannot be told from others.
#[derive(Debug, thiserror::Error)]
#[error("this system has no root certificates to know the service by (install ca-certificates)")]
pub struct NoRoots(#[source] std::io::Error);

/// The way to the service. It holds no key.
#[derive(Debug)]
pub struct Call {
    transport: Transport,
    url: BaseUrl,
    deadline: Duration,
    backoff: Duration,
    clock: Clock,
}

/// Plain only on this machine, where nothing has to be known about certificates.
#[derive(Debug)]
enum Transport {
    Plain(Client<HttpConnector, Full<Bytes>>),
    Encrypted(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

/// What came of asking.
#[derive(Debug)]
pub struct Exchange {
    /// The body of a good answer, or why there is none.
    pub outcome: Result<Bytes, Failure>,
    /// The service's name of the last request.
    pub request_id: Option<String>,
}

impl Call {
    /// The way that `settings` describe.
    ///
    /// # Errors
    /// - [`NoRoots`] when an encrypted service could not be known from others.
    pub fn new(settings: &Settings, clock: Clock) -> Result<Self, NoRoots> {
        let url = settings.base_url.clone();
        let pool = Client::builder(TokioExecutor::new());
        let transport = if url.is_encrypted() {
            let connector = HttpsConnectorBuilder::new().with_native_roots().map_err(NoRoots)?;
            Transport::Encrypted(pool.build(connector.https_only().enable_http1().build()))
        } else {
            Transport::Plain(pool.build_http())
        };
        let Settings { deadline, backoff, .. } = *settings;
        Ok(Self { transport, url, deadline, backoff, clock })
    }

    /// Asks with `body`, again if that may help and there is time. `spend` is asked before each request, which
    /// is sent right after.
    ///
    /// # Errors
    /// - What `spend` says to the first one.
    pub async fn ask<E>(
        &self,
        key: &Secret,
        body: Bytes,
        mut spend: impl FnMut() -> Result<(), E>,
    ) -> Result<Exchange, E> {
        spend()?;
        let begun = Instant::now();
        let deadline = begun + self.deadline;
        let (mut request_id, mut attempts) = (None, 0);
        loop {
            attempts += 1;
            // A service that is silent is asked once more before the end: most silences are of one request only.
            let until = deadline.min(Instant::now() + self.deadline / 2);
            let asked = timeout_at(until, self.once(key, body.clone(), &mut request_id)).await;
            let outcome = asked.unwrap_or(Err(Failure::Late(until - begun)));
            let wait = outcome.as_ref().err().and_then(|failure| self.wait(failure, attempts));
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(wait) = wait.filter(|wait| *wait < left) else {
                return Ok(Exchange { outcome, request_id });
            };
            sleep(wait).await;
            if spend().is_err() {
                return Ok(Exchange { outcome, request_id });
            }
        }
    }

    /// How long to wait before asking again; `None` when that is of no use.
    fn wait(&self, failure: &Failure, attempts: u32) -> Option<Duration> {
        let again = failure.may_pass() && attempts <= REPETITIONS;
        // Those who failed together do not come back together.
        let apart = 1.0 + rand::random::<f64>() / 4.0;
        let own = || self.backoff.mul_f64(apart) * 2_u32.pow(attempts - 1);
        again.then(|| failure.wait().unwrap_or_else(own))
    }

    /// Sends one request and reads its answer to the end.
    async fn once(
        &self,
        key: &Secret,
        body: Bytes,
        request_id: &mut Option<String>,
    ) -> Result<Bytes, Failure> {
        let answer = self.transport.send(self.request(key, body)?).await;
        let answer = answer.map_err(|error| Failure::Unreachable(sentence(&root(&error), key)))?;
        let (head, body) = answer.into_parts();
        let named = head.headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
        *request_id = named.map(|id| sentence(id, key));
        let body = Limited::new(body, ANSWER_BYTES).collect().await;
        let body = body.map_err(|error| {
            let too_large = error.downcast_ref::<LengthLimitError>().is_some();
            if too_large { Failure::TooLarge } else { Failure::BrokenOff }
        });
        if head.status.is_success() {
            return Ok(body?.to_bytes());
        }
        let body = body.map_or_else(|_broken| Bytes::new(), Collected::to_bytes);
        Err(Failure::of_status(
            head.status.as_u16(),
            &body,
            wait_in(&head.headers, self.clock.now()),
            key,
        ))
    }

    fn request(&self, key: &Secret, body: Bytes) -> Result<Request<Full<Bytes>>, Failure> {
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", key.reveal()))
            .map_err(|_unsendable| Failure::Unsendable)?;
        bearer.set_sensitive(true);
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.endpoint().clone();
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, bearer);
        for (name, value) in [
            (CONTENT_TYPE, "application/json"),
            (ACCEPT, "application/json"),
            (USER_AGENT, concat!("serve2048/", env!("CARGO_PKG_VERSION"))),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        Ok(request)
    }
}

impl Transport {
    fn send(&self, request: Request<Full<Bytes>>) -> ResponseFuture {
        match self {
            Self::Plain(client) => client.request(request),
            Self::Encrypted(client) => client.request(request),
        }
    }
}

/// What lies at the bottom of an error: "connection refused" says more than "client error".
fn root(error: &dyn Error) -> String {
    let mut root = error;
    while let Some(cause) = root.source() {
        root = cause;
    }
    root.to_string()
}

/// When the service wants to be asked again: in milliseconds, in seconds, or at a time.
fn wait_in(headers: &HeaderMap, now: UnixMillis) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let millis = text(RETRY_AFTER_MS).and_then(number).map(|millis| millis / 1000.0);
    let after = text(RETRY_AFTER);
    let seconds = millis.or_else(|| after.and_then(number));
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).or_else(|| {
        let at = httpdate::parse_http_date(after?).ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(at.saturating_sub(Duration::from_millis(now.0.try_into().unwrap_or_default())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 1994-11-06, 08:49:37 UTC.
    const NOW: UnixMillis = UnixMillis(784_111_777_000);

    fn wait(name: &'static str, value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        wait_in(&headers, NOW)
    }

    #[test]
    fn the_wait_is_read_in_every_form() {
        assert_eq!(wait("retry-after", "3"), Some(Duration::from_secs(3)));
        assert_eq!(wait("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(wait("retry-after", "Thu, 01 Jan 1970 00:00:00 GMT"), Some(Duration::ZERO));
        let later = wait("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT");
        assert_eq!(later, Some(Duration::from_secs(30)));
        for rubbish in ["soon", "-1", "NaN", "1e999"] {
            assert_eq!(wait("retry-after", rubbish), None, "{rubbish}");
        }
    }

    #[test]
    fn a_key_with_a_line_break_is_not_sent() {
        let base_url = "http://127.0.0.1:1".parse().unwrap();
        let settings = Settings { base_url, ..Settings::default() };
        let call = Call::new(&settings, Clock::system()).unwrap();
        let request = call.request(&Secret::new("a\nb: c").unwrap(), Bytes::new());
        assert_eq!(request.unwrap_err(), Failure::Unsendable);
    }
}
