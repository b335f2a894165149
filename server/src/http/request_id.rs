//! What a request is called in the log and in its answer, so that the two can be brought together.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

/// Its header.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// No proxy's is longer.
const LENGTH: usize = 64;

/// How much of the name of this run is in each.
const BOOT: usize = 6;

/// One request's name.
#[derive(Debug, Clone)]
pub(super) struct RequestId(HeaderValue);

/// Gives names that no other request of this server has had, nor of the run before.
#[derive(Debug)]
pub(super) struct RequestIds {
    boot: String,
    next: AtomicU64,
}

impl RequestIds {
    /// For the run that is called `boot`.
    pub(super) fn new(boot: &str) -> Self {
        let boot = boot.chars().filter(char::is_ascii_alphanumeric).take(BOOT).collect();
        Self { boot, next: AtomicU64::new(1) }
    }

    /// The next one; a proxy's, if it is `trusted` and gave one that makes sense.
    pub(super) fn of(&self, headers: &HeaderMap, trusted: bool) -> RequestId {
        let given = headers.get(&HEADER).filter(|given| trusted && makes_sense(given.as_bytes()));
        RequestId(given.cloned().unwrap_or_else(|| {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            HeaderValue::try_from(format!("{}-{number}", self.boot)).expect("it is ASCII")
        }))
    }
}

/// Whether it can stand in a log as it is.
fn makes_sense(given: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=LENGTH).contains(&given.len()) && given.iter().all(plain)
}

impl RequestId {
    /// As a header.
    pub(super) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.to_str().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_ours_unless_a_trusted_proxy_gave_one_that_makes_sense() {
        let ids = RequestIds::new("0f3c5e9a7b");
        let of = |given: &'static str, trusted| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, HeaderValue::from_static(given));
            ids.of(&headers, trusted).to_string()
        };
        assert_eq!(of("a-1.b_2", true), "a-1.b_2");
        assert_eq!(of("a-1.b_2", false), "0f3c5e-1");
        assert_eq!(of("a b", true), "0f3c5e-2");
        assert_eq!(of("", true), "0f3c5e-3");
    }
}
