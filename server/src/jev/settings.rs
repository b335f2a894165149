//! How the model is asked.

use std::{fmt, net::IpAddr, time::Duration};

use http::{Uri, uri::Scheme};

use super::KeySource;

/// Where the service is.
const BASE_URL: &str = "https://api.typesafe.ai";

/// The call, under the base.
const PATH: &str = "/v1/systemone";

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where the key is.
    pub key: KeySource,
    /// Where the service is; the key is sent there.
    pub base_url: BaseUrl,
    /// The model to ask.
    pub model: String,
    /// An answer that is less sure than this is not played, 0 to 1.
    pub threshold: f64,
    /// Time for one decision, from the first connection to the last byte, repetitions included.
    pub deadline: Duration,
    /// Wait before the first repetition; twice as long before the second.
    pub backoff: Duration,
    /// Requests of one session, in this run of the server.
    pub session_budget: u64,
    /// Requests of all sessions together in a day (UTC).
    pub day_budget: u64,
}

impl Default for Settings {
    /// The public service, and no key.
    fn default() -> Self {
        Self {
            key: KeySource::Nowhere,
            base_url: BASE_URL.parse().expect("the public service has a good address"),
            model: "jev-latest".to_owned(),
            threshold: 0.15,
            deadline: Duration::from_secs(20),
            backoff: Duration::from_millis(500),
            session_budget: 5_000,
            day_budget: 50_000,
        }
    }
}

/// An address that a key may be sent to: `https`, or `http` on this machine.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl(Uri);

/// Why no key may be sent to an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// It is no address.
    #[error("an address such as {BASE_URL} is needed")]
    NotAnAddress,
    /// There is a user in it.
    #[error(
        "a name or password in the address is not possible: the key is sent in a header of its own"
    )]
    UserInfo,
    /// Something follows the path.
    #[error("nothing can follow the path: no ? and no #")]
    Query,
    /// It is plain `http` to another machine.
    #[error(
        "http is possible on this machine only, since the key would cross the network for all to read: use https"
    )]
    Plain,
}

impl BaseUrl {
    /// Where the question goes.
    pub fn endpoint(&self) -> &Uri {
        &self.0
    }

    /// Whether what is sent there is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == Some(&Scheme::HTTPS)
    }
}

impl std::str::FromStr for BaseUrl {
    type Err = BaseUrlError;

    fn from_str(text: &str) -> Result<Self, BaseUrlError> {
        let text = text.trim();
        if text.contains(['?', '#']) {
            return Err(BaseUrlError::Query);
        }
        // The parser's own words would quote the address, which may hold a password.
        let base = text.trim_end_matches('/');
        let Ok(uri) = format!("{base}{PATH}").parse::<Uri>() else {
            return Err(BaseUrlError::NotAnAddress);
        };
        let (Some(scheme), Some(authority)) = (uri.scheme(), uri.authority()) else {
            return Err(BaseUrlError::NotAnAddress);
        };
        if authority.as_str().contains('@') {
            return Err(BaseUrlError::UserInfo);
        }
        match scheme.as_str() {
            "https" => Ok(Self(uri)),
            "http" if is_loopback(authority.host()) => Ok(Self(uri)),
            "http" => Err(BaseUrlError::Plain),
            _ => Err(BaseUrlError::NotAnAddress),
        }
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(text: &str) -> Result<String, BaseUrlError> {
        text.parse::<BaseUrl>().map(|url| url.endpoint().to_string())
    }

    #[test]
    fn the_call_is_under_the_base() {
        assert_eq!(Settings::default().base_url.endpoint(), "https://api.typesafe.ai/v1/systemone");
        for (base, call) in [
            ("https://example.org/", "https://example.org/v1/systemone"),
            ("https://example.org/jev/", "https://example.org/jev/v1/systemone"),
            ("http://127.0.0.1:8000", "http://127.0.0.1:8000/v1/systemone"),
            ("http://127.9.9.9", "http://127.9.9.9/v1/systemone"),
            ("http://localhost:8000", "http://localhost:8000/v1/systemone"),
            ("http://[::1]:8000", "http://[::1]:8000/v1/systemone"),
        ] {
            assert_eq!(endpoint(base).as_deref(), Ok(call), "{base}");
        }
    }

    #[test]
    fn a_key_is_sent_in_the_open_on_this_machine_only() {
        for base in [
            "http://example.org",
            "http://10.0.0.1",
            "http://127.0.0.1.example.org",
            "http://localhost.example.org",
            "http://[::2]",
        ] {
            assert_eq!(endpoint(base), Err(BaseUrlError::Plain), "{base}");
        }
    }

    #[test]
    fn what_is_no_base_is_refused() {
        for base in ["", "example.org", "ftp://example.org", "https://", "https:///x", "h ttps://a"]
        {
            assert_eq!(endpoint(base), Err(BaseUrlError::NotAnAddress), "{base}");
        }
        assert_eq!(endpoint("https://me:secret@example.org"), Err(BaseUrlError::UserInfo));
        assert_eq!(endpoint("http://127.0.0.1@example.org"), Err(BaseUrlError::UserInfo));
        assert_eq!(endpoint("https://example.org/?a=1"), Err(BaseUrlError::Query));
        assert_eq!(endpoint("https://example.org/#a"), Err(BaseUrlError::Query));
    }
}
