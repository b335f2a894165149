//! How many streams are open: in all, and of each address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The places for streams.
#[derive(Debug)]
pub(in crate::http) struct Places(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: usize,
    limit_per_address: Option<usize>,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A place for one stream; dropping it gives it up.
#[derive(Debug)]
pub(in crate::http) struct Place {
    shared: Arc<Shared>,
    address: Option<IpAddr>,
}

impl Places {
    pub(in crate::http) fn new(limit: usize, limit_per_address: Option<usize>) -> Self {
        Self(Arc::new(Shared { limit, limit_per_address, taken: Mutex::default() }))
    }

    /// A place for a stream of `address`; `None` when there are too many.
    pub(in crate::http) fn take(&self, address: Option<IpAddr>) -> Option<Place> {
        let mut taken = self.0.taken();
        if taken.all >= self.0.limit {
            return None;
        }
        if let Some(address) = address {
            let of_address = taken.by_address.entry(address).or_default();
            if self.0.limit_per_address.is_some_and(|limit| *of_address >= limit) {
                return None;
            }
            *of_address += 1;
        }
        taken.all += 1;
        Some(Place { shared: Arc::clone(&self.0), address })
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
        let Some(address) = self.address else { return };
        if let Some(of_address) = taken.by_address.get_mut(&address) {
            *of_address -= 1;
            if *of_address == 0 {
                taken.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_its_stream_is_gone() {
        let places = Places::new(2, None);
        let first = places.take(None).unwrap();
        let _second = places.take(None).unwrap();
        assert!(places.take(None).is_none());
        drop(first);
        assert!(places.take(None).is_some());
    }

    #[test]
    fn one_address_does_not_take_every_place() {
        let places = Places::new(10, Some(1));
        let [one, other] = [1, 2].map(|last| Some(IpAddr::from([10, 0, 0, last])));
        let first = places.take(one).unwrap();
        assert!(places.take(one).is_none());
        assert!(places.take(other).is_some());
        drop(first);
        assert!(places.take(one).is_some());
        assert!(places.0.taken().by_address.is_empty());
    }
}
