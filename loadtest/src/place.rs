//! Where a server is.

use std::{
    fmt, io,
    net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _},
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
};

use anyhow::{Context as _, ensure};
use tokio::net::{TcpSocket, TcpStream};

/// Households that the callers of [`Place::with_many_homes`] live in.
const HOMES: u8 = 100;

/// An address, and the name by which the server there is called.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) address: SocketAddr,
    host: Arc<str>,
    /// The next caller's home, where they have several.
    homes: Option<Arc<AtomicU8>>,
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
        Ok(Self { address, host: host.into(), homes: None })
    }

    /// The same, called from a hundred addresses of this machine in turn, as households are; where that is not possible,
    /// from one.
    #[must_use]
    pub(crate) fn with_many_homes(self) -> Self {
        let homes = matches!(self.address.ip(), IpAddr::V4(ip) if ip.is_loopback());
        Self { homes: homes.then(Arc::default), ..self }
    }

    /// A connection.
    ///
    /// # Errors
    /// - When nobody listens there.
    pub(crate) async fn connect(&self) -> io::Result<TcpStream> {
        let Some(homes) = &self.homes else { return TcpStream::connect(self.address).await };
        let home = homes.fetch_add(1, Ordering::Relaxed) % HOMES;
        from(Ipv4Addr::new(127, 0, 1, home + 1), self.address).await
    }

    /// As it stands in a request's `Host`.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }
}

/// A connection to `address` that comes from `home`.
///
/// # Errors
/// - When nobody listens there.
pub(crate) async fn from(home: Ipv4Addr, address: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind((home, 0).into())?;
    socket.connect(address).await
}

fn has_port(host: &str) -> bool {
    let after_name = host.rsplit(']').next().unwrap_or(host);
    after_name.contains(':')
}

impl From<SocketAddr> for Place {
    fn from(address: SocketAddr) -> Self {
        Self { address, host: address.to_string().into(), homes: None }
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
