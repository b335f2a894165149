//! How many streams are open: in all, and of each address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use store::SessionId;

use crate::{
    config::Config,
    http::door::one_less,
    metrics::{Limit, Metrics},
};

/// The places for streams.
#[derive(Debug)]
pub(in crate::http) struct Places(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: usize,
    limit_per_address: Option<usize>,
    limit_per_session: Option<usize>,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
    /// Empty when there is no limit.
    by_session: HashMap<SessionId, usize>,
}

/// A place for one stream; dropping it gives it up.
#[derive(Debug)]
pub(in crate::http) struct Place {
    shared: Arc<Shared>,
    address: Option<IpAddr>,
    session: Option<SessionId>,
}

impl Places {
    pub(in crate::http) fn new(config: &Config, metrics: &Metrics) -> Self {
        metrics.streams.limit.set(i64::try_from(config.max_streams).unwrap_or(i64::MAX));
        Self(Arc::new(Shared {
            limit: config.max_streams,
            limit_per_address: config.max_streams_per_address,
            limit_per_session: config.caps.streams_per_session,
            taken: Mutex::default(),
        }))
    }

    /// A place for a stream of `session`, read from `address`.
    ///
    /// # Errors
    /// - What there are too many of.
    pub(in crate::http) fn take(
        &self,
        address: Option<IpAddr>,
        session: &SessionId,
    ) -> Result<Place, Limit> {
        let mut taken = self.0.taken();
        if taken.all >= self.0.limit {
            return Err(Limit::Streams);
        }
        let session = self.0.limit_per_session.map(|limit| (limit, session.clone()));
        if let Some((limit, session)) = &session
            && taken.by_session.get(session).is_some_and(|of_session| of_session >= limit)
        {
            return Err(Limit::StreamsPerSession);
        }
        if let Some(address) = address {
            let of_address = taken.by_address.entry(address).or_default();
            if self.0.limit_per_address.is_some_and(|limit| *of_address >= limit) {
                return Err(Limit::StreamsPerAddress);
            }
            *of_address += 1;
        }
        let session = session.map(|(_, session)| session);
        if let Some(session) = &session {
            *taken.by_session.entry(session.clone()).or_default() += 1;
        }
        taken.all += 1;
        Ok(Place { shared: Arc::clone(&self.0), address, session })
    }
}

impl Shared {
    /// The counts are right even if somebody panicked: each change is one step.
    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.shared.taken();
        taken.all -= 1;
        if let Some(address) = &self.address {
            one_less(&mut taken.by_address, address);
        }
        if let Some(session) = &self.session {
            one_less(&mut taken.by_session, session);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Caps;

    fn places(
        max_streams: usize,
        per_address: Option<usize>,
        per_session: Option<usize>,
    ) -> Places {
        let config = Config {
            max_streams,
            max_streams_per_address: per_address,
            caps: Caps { streams_per_session: per_session, ..Caps::default() },
            ..Config::default()
        };
        Places::new(&config, &Metrics::new())
    }

    fn main() -> SessionId {
        SessionId::new("main")
    }

    #[test]
    fn a_place_is_free_again_when_its_stream_is_gone() {
        let places = places(2, None, None);
        let first = places.take(None, &main()).unwrap();
        let _second = places.take(None, &main()).unwrap();
        assert_eq!(places.take(None, &main()).unwrap_err(), Limit::Streams);
        drop(first);
        assert!(places.take(None, &main()).is_ok());
    }

    #[test]
    fn one_address_does_not_take_every_place() {
        let places = places(10, Some(1), None);
        let [one, other] = [1, 2].map(|last| Some(IpAddr::from([10, 0, 0, last])));
        let first = places.take(one, &main()).unwrap();
        assert_eq!(places.take(one, &main()).unwrap_err(), Limit::StreamsPerAddress);
        assert!(places.take(other, &main()).is_ok());
        drop(first);
        assert!(places.take(one, &main()).is_ok());
        assert!(places.0.taken().by_address.is_empty());
    }

    #[test]
    fn one_session_does_not_take_every_place() {
        let places = places(10, None, Some(1));
        let other = SessionId::new("other");
        let first = places.take(None, &main()).unwrap();
        assert_eq!(places.take(None, &main()).unwrap_err(), Limit::StreamsPerSession);
        assert!(places.take(None, &other).is_ok());
        drop(first);
        assert!(places.take(None, &main()).is_ok());
        assert!(places.0.taken().by_session.is_empty());
    }
}
