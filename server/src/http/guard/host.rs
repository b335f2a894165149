//! Which names and which origins are ours.

use std::{
    cell::Cell,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::http::uri::Authority;

use crate::{
    config::Config,
    http::error::Problem,
    metrics::{Limit, Metrics},
};

/// The names by which the server may be called, and the pages whose scripts may call it.
#[derive(Debug)]
pub(in crate::http) struct Allowed {
    names: Vec<String>,
    origins: Vec<String>,
    bind: IpAddr,
    port: u16,
}

/// So much earlier a deadline may be over: it is counted from a clock that is read twice a second.
const COARSE: Duration = Duration::from_millis(500);

/// How long a connection that was told to slow down is not answered, if it does not.
const PAUSE: Duration = Duration::from_secs(1);

/// A connection: the address of this machine to which it came, and whether anything was asked on it.
#[derive(Debug)]
pub(in crate::http) struct Arrival {
    to: IpAddr,
    since: Instant,
    /// How long a first head may take.
    head: Duration,
    served: Cell<bool>,
    /// When it was told to slow down last.
    told: Cell<Option<Instant>>,
    metrics: Arc<Metrics>,
}

impl Arrival {
    /// A connection to the address `to`, whose first head may take as long as `head`.
    pub(in crate::http) fn new(to: IpAddr, head: Duration, metrics: Arc<Metrics>) -> Self {
        metrics.http.connections.inc();
        Self {
            to,
            since: Instant::now(),
            head,
            served: Cell::new(false),
            told: Cell::new(None),
            metrics,
        }
    }

    /// It is told to slow down: at once for the first time, and who does not is made to wait for the next.
    pub(super) async fn slow_down(&self) {
        if let Some(told) = self.told.get() {
            tokio::time::sleep_until((told + PAUSE).into()).await;
        }
        self.told.set(Some(Instant::now()));
    }

    /// A head came in time.
    pub(super) fn served(&self) {
        self.served.set(true);
    }
}

impl Drop for Arrival {
    fn drop(&mut self) {
        self.metrics.http.connections.dec();
        if !self.served.get() && self.since.elapsed() + COARSE >= self.head {
            self.metrics.http.refusals.add(Limit::HeadDeadline);
        }
    }
}

/// A host as it stands in a header: lower case, without brackets, and its port.
#[derive(Debug, PartialEq, Eq)]
struct Host {
    name: String,
    port: Option<u16>,
}

impl Host {
    fn parse(text: &str) -> Option<Self> {
        let authority: Authority = text.parse().ok()?;
        if authority.as_str().contains('@') {
            return None;
        }
        let host = authority.host();
        let name = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let port = match authority.as_str()[host.len()..].strip_prefix(':') {
            Some(port) => Some(port.parse().ok()?),
            None => None,
        };
        Some(Self { name: name.to_ascii_lowercase(), port })
    }

    fn ip(&self) -> Option<IpAddr> {
        self.name.parse().ok()
    }

    fn is_loopback(&self) -> bool {
        match self.ip() {
            Some(ip) => ip.is_loopback(),
            None => self.name == "localhost" || self.name.ends_with(".localhost"),
        }
    }
}

impl Allowed {
    pub(in crate::http) fn new(config: &Config, port: u16) -> Self {
        Self::at(config, config.bind, port)
    }

    /// The same for a server that listens elsewhere than `config` says.
    pub(in crate::http) fn at(config: &Config, bind: IpAddr, port: u16) -> Self {
        let names = config.allowed_hosts.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { names, origins: config.allow_origins.clone(), bind, port }
    }

    /// Checks the name that a request is for: that is what stops a name which somebody else lets point to this machine.
    pub(in crate::http) fn host(
        &self,
        host: Option<&str>,
        arrival: Option<&Arrival>,
    ) -> Result<(), Problem> {
        let given = host.unwrap_or_default();
        let named = Host::parse(given).filter(|host| self.is_ours(host, arrival));
        let wrong = match named {
            None => format!(
                "\"{given:.64}\" is not a name of this server: start it with --allowed-host to add one"
            ),
            Some(Host { port: Some(port), .. }) if port != self.port => {
                format!("this server is at port {}, not {port}", self.port)
            }
            Some(_) => return Ok(()),
        };
        Err(Problem::forbidden(wrong).at(Limit::Host))
    }

    /// Checks the page that a change comes from, where the browser says so. `host` is the name it is for.
    pub(super) fn origin(&self, origin: Option<&str>, host: Option<&str>) -> Result<(), Problem> {
        let Some(origin) = origin else { return Ok(()) };
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let same = authority.is_some() && authority == host;
        let named = authority
            .and_then(Host::parse)
            .is_some_and(|page| page.port == Some(self.port) && self.is_ours(&page, None));
        if same || named || self.is_friend(origin) {
            return Ok(());
        }
        let detail = format!("a page of {origin:.64} may not change anything here");
        Err(Problem::forbidden(detail).at(Limit::Origin))
    }

    /// Checks what the browser says about how far the page is from here.
    pub(super) fn fetch_site(
        &self,
        origin: Option<&str>,
        site: Option<&str>,
    ) -> Result<(), Problem> {
        match site {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) if origin.is_some_and(|origin| self.is_friend(origin)) => Ok(()),
            Some(_) => {
                let detail = "a page of another site may not change anything here";
                Err(Problem::forbidden(detail).at(Limit::Origin))
            }
        }
    }

    /// Whether the operator let the scripts of `origin` in.
    pub(super) fn is_friend(&self, origin: &str) -> bool {
        self.origins.iter().any(|friend| friend == origin)
    }

    pub(super) fn has_origins(&self) -> bool {
        !self.origins.is_empty()
    }

    fn is_ours(&self, host: &Host, arrival: Option<&Arrival>) -> bool {
        let address =
            |ip: IpAddr| ip == self.bind || arrival.is_some_and(|arrival| arrival.to == ip);
        host.is_loopback() || self.names.contains(&host.name) || host.ip().is_some_and(address)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};

    use super::*;

    fn allowed() -> Allowed {
        Allowed {
            names: vec!["play.example.org".to_owned()],
            origins: vec!["https://friend.example".to_owned()],
            bind: IpAddr::from([0, 0, 0, 0]),
            port: 2048,
        }
    }

    fn arrival(to: [u8; 4]) -> Arrival {
        Arrival::new(IpAddr::from(to), Duration::ZERO, Metrics::new())
    }

    #[test]
    fn loopback_names_and_named_hosts_are_ours() {
        let arrival = arrival([192, 168, 1, 5]);
        for host in [
            "localhost",
            "LocalHost:2048",
            "127.0.0.1:2048",
            "127.9.9.9",
            "[::1]:2048",
            "a.localhost:2048",
            "play.example.org",
            "PLAY.example.org:2048",
            "192.168.1.5:2048",
        ] {
            assert!(allowed().host(Some(host), Some(&arrival)).is_ok(), "{host}");
        }
    }

    #[test]
    fn any_other_name_or_port_is_not() {
        let arrival = arrival([127, 0, 0, 1]);
        for host in [
            "evil.example",
            "localhost.evil.example",
            "localhost:80",
            "127.0.0.1:20480",
            "192.168.1.5:2048",
            "",
            "me@localhost:2048",
            "localhost:",
            "local host",
            "xlocalhost",
        ] {
            assert!(allowed().host(Some(host), Some(&arrival)).is_err(), "{host}");
        }
        assert!(allowed().host(None, None).is_err());
    }

    proptest! {
        #[test]
        fn no_name_but_ours_gets_in(name in "[a-zA-Z0-9.:@\\[\\]-]{0,40}|\\PC{0,40}") {
            if allowed().host(Some(&name), None).is_ok() {
                let host = Host::parse(&name).unwrap();
                let ours = host.is_loopback() || host.name == "play.example.org" || host.name == "0.0.0.0";
                prop_assert!(ours, "{}", name);
            }
        }
    }

    #[test]
    fn only_our_own_pages_and_friends_change_something() {
        let origin = |origin, host| allowed().origin(Some(origin), Some(host)).is_ok();
        assert!(allowed().origin(None, None).is_ok());
        assert!(origin("http://localhost:2048", "localhost:2048"));
        assert!(origin("http://localhost:2048", "127.0.0.1:2048"));
        assert!(origin("https://play.example.org", "play.example.org"));
        assert!(origin("https://friend.example", "localhost:2048"));
        for other in [
            "http://localhost",
            "http://localhost:3000",
            "https://evil.example",
            "null",
            "",
            "localhost:2048",
        ] {
            assert!(!origin(other, "localhost:2048"), "{other}");
        }
    }

    #[test]
    fn what_the_browser_calls_cross_site_is_refused_unless_it_is_a_friend() {
        let site = |origin, site| allowed().fetch_site(origin, Some(site)).is_ok();
        assert!(site(None, "same-origin") && site(None, "none"));
        assert!(!site(None, "cross-site") && !site(None, "same-site") && !site(None, "rubbish"));
        assert!(site(Some("https://friend.example"), "cross-site"));
    }
}
