//! Who is let in: an address has so many connections, and opens so many a second. Whoever is not is told why, before a byte of
//! theirs is read.

use std::{
    collections::HashMap,
    hash::Hash,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use actix_web::{dev::Extensions, rt::net::TcpStream};
use socket2::SockRef;

use super::{Api, error::Problem, guard::Arrival, rates};
use crate::metrics::Limit;

/// When to come back.
const WAIT: Duration = Duration::from_secs(1);

/// The connections of each address; none are counted where there is no limit.
#[derive(Debug, Default)]
pub(super) struct Connections(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// One of them; dropping it gives its place up.
#[derive(Debug)]
pub(super) struct Connection {
    all: Connections,
    address: IpAddr,
}

/// A connection that was not let in: what is asked on it all the same is not done.
#[derive(Debug)]
pub(super) struct TurnedAway;

impl Connections {
    /// A place for a connection from `address`; `None` when it has `most` of them.
    fn take(&self, address: IpAddr, most: usize) -> Option<Connection> {
        // The counts are right even if somebody panicked: each change is one step.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = all.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Connection { all: Self(Arc::clone(&self.0)), address })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut all = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        one_less(&mut all, &self.address);
    }
}

/// Lets a new connection in, or tells it why not and closes it.
pub(super) fn arrive(tcp: &TcpStream, encrypted: bool, api: &Api, data: &mut Extensions) {
    match admit(tcp, api) {
        Ok(place) => {
            set_up(tcp, api);
            data.insert(place);
            if let Ok(local) = tcp.local_addr() {
                let (head, metrics) = (api.timing.head, Arc::clone(&api.metrics));
                data.insert(Arrival::new(local.ip(), head, metrics));
            }
        }
        Err(problem) => {
            if let Some(limit) = problem.limit() {
                api.metrics.http.refusals.add(limit);
            }
            let socket = SockRef::from(tcp);
            let text = problem.raw();
            // Nothing was sent on it before, so that it has room; who has gone already needs no word.
            let said = if encrypted { Ok(0) } else { socket.send(&text) };
            let closed = said.and_then(|_| socket.shutdown(std::net::Shutdown::Both));
            if let Err(error) = closed {
                tracing::trace!(%error, "a connection that is refused is gone already");
            }
            data.insert(TurnedAway);
        }
    }
}

/// A place among the connections of its address, if those are counted.
fn admit(tcp: &TcpStream, api: &Api) -> Result<Option<Connection>, Problem> {
    let caps = &api.caps;
    let Ok(peer) = tcp.peer_addr() else { return Ok(None) };
    let peer = peer.ip().to_canonical();
    // A proxy's connections are those of all its callers.
    if caps.trust_proxy && peer.is_loopback() {
        return Ok(None);
    }
    let address = rates::counted(peer);
    count(api, address)?;
    let Some(most) = caps.connections_per_address else { return Ok(None) };
    api.spent.connections.take(address, most).map(Some).ok_or_else(|| {
        let detail = format!(
            "your address has {most} connections, and no more may be (--max-connections-per-address)"
        );
        Problem::too_much(Limit::ConnectionsPerAddress, detail, WAIT)
    })
}

/// Counts a request, or a connection, of `address`.
///
/// # Errors
/// - 429 when it has had more than it may.
pub(super) fn count(api: &Api, address: IpAddr) -> Result<(), Problem> {
    api.spent.requests_per_address.take(address, Instant::now()).map_err(|wait| {
        let most = api.caps.requests_per_address.unwrap_or_default();
        let detail = format!(
            "more than {most} requests a second come from your address (--requests-per-address): slow down"
        );
        Problem::too_much(Limit::RequestsPerAddress, detail, wait)
    })
}

/// It is dropped after [`crate::config::Timing::stall`] without write progress.
fn set_up(tcp: &TcpStream, api: &Api) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Err(error) = SockRef::from(tcp).set_tcp_user_timeout(Some(api.timing.stall)) {
        tracing::debug!(%error, "a connection that stalls will not be noticed");
    }
    if let Err(error) = SockRef::from(tcp).set_send_buffer_size(super::UNREAD) {
        tracing::debug!(%error, "a reader that stalls may hold more memory");
    }
}

/// Counts one less of `key`, and keeps no zero.
pub(super) fn one_less<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_connections_and_others_theirs() {
        let connections = Connections::default();
        let [one, other] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let first = connections.take(one, 1).unwrap();
        assert!(connections.take(one, 1).is_none());
        let second = connections.take(other, 1).unwrap();
        drop(first);
        let third = connections.take(one, 1).unwrap();
        drop((second, third));
        assert!(connections.0.lock().unwrap().is_empty());
    }
}
