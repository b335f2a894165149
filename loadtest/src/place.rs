//! Where a server is.

use std::{
    fmt,
    net::{SocketAddr, ToSocketAddrs as _},
    sync::Arc,
};

use anyhow::{Context as _, ensure};

/// An address, and the name by which the server there is called.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) address: SocketAddr,
    host: Arc<str>,
}

impl Place {
    /// The place that a base URL such as `http://127.0.0.1:2048/` names.
    ///
    /// # Errors
    /// - When it is no such URL, or its name is unknown.
    pub(crate) fn of(url: &str) -> anyhow::Result<Self> {
        ensure!(!url.starts_with("https://"), "{url}: only plain http is spoken here");
        let host = url.trim_start_matches("http://").trim_end_matches('/');
        ensure!(!host.contains(['/', '?', '#', '@']), "{url}: scheme, host and port are needed");
        let with_port = if has_port(host) { host.to_owned() } else { format!("{host}:80") };
        let address = with_port.to_socket_addrs().with_context(|| format!("look {url} up"))?.next();
        let address = address.with_context(|| format!("{url} has no address"))?;
        Ok(Self { address, host: host.into() })
    }

    /// As it stands in a request's `Host`.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }
}

fn has_port(host: &str) -> bool {
    let after_name = host.rsplit(']').next().unwrap_or(host);
    after_name.contains(':')
}

impl From<SocketAddr> for Place {
    fn from(address: SocketAddr) -> Self {
        Self { address, host: address.to_string().into() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}", self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_may_leave_out_what_goes_without_saying() {
        for (url, address, host) in [
            ("http://127.0.0.1:2048/", "127.0.0.1:2048", "127.0.0.1:2048"),
            ("127.0.0.1:2048", "127.0.0.1:2048", "127.0.0.1:2048"),
            ("http://127.0.0.1", "127.0.0.1:80", "127.0.0.1"),
            ("http://[::1]:9", "[::1]:9", "[::1]:9"),
            ("http://[::1]", "[::1]:80", "[::1]"),
        ] {
            let place = Place::of(url).unwrap();
            assert_eq!((place.address.to_string().as_str(), place.host()), (address, host));
        }
    }

    #[test]
    fn what_is_not_spoken_is_refused_in_words() {
        let told = |url| Place::of(url).unwrap_err().to_string();
        assert!(told("https://127.0.0.1").contains("only plain http"));
        assert!(told("http://127.0.0.1/api").contains("host and port"));
    }
}
