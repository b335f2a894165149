//! How often somebody may: a bucket of tokens for each, that fills by itself.

use std::{
    collections::HashMap,
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use actix_web::HttpRequest;

/// How many buckets are kept; a full one is as good as none.
const KEPT: usize = 10_000;

/// How often they are looked through for full ones, at most.
const CLEAR_EVERY: Duration = Duration::from_secs(1);

/// So many may come at once after a while of none, as multiples of what may come in the time that the rate is for.
const BURST: f64 = 2.0;

/// The buckets of everybody who is limited in the same way.
#[derive(Debug)]
pub(super) struct Rates<K> {
    /// Tokens a second, and the most that a bucket holds; `None` is without limit.
    rate: Option<(f64, f64)>,
    buckets: Mutex<Buckets<K>>,
}

#[derive(Debug)]
struct Buckets<K> {
    all: HashMap<Option<K>, Bucket>,
    /// When those that are full were thrown away last.
    cleared: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl<K: Eq + Hash> Rates<K> {
    /// `count` in each `period`; `None` is without limit.
    pub(super) fn new(count: Option<u32>, period: Duration) -> Self {
        let rate = |count: u32| {
            let count = f64::from(count);
            (count / period.as_secs_f64(), count * BURST)
        };
        let buckets = Buckets { all: HashMap::new(), cleared: None };
        Self { rate: count.map(rate), buckets: Mutex::new(buckets) }
    }

    /// Takes a token of `who`.
    ///
    /// # Errors
    /// - How long it takes until there is one again.
    pub(super) fn take(&self, who: K, now: Instant) -> Result<(), Duration> {
        let Some((rate, most)) = self.rate else { return Ok(()) };
        // The counts are right even if somebody panicked: each change is one step.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let Buckets { all, cleared } = &mut *buckets;
        let long_ago = cleared.is_none_or(|time| now.saturating_duration_since(time) > CLEAR_EVERY);
        if all.len() >= KEPT && long_ago {
            all.retain(|_, bucket| bucket.filled(rate, now) < most);
            *cleared = Some(now);
        }
        // Whoever makes up thousands of names has one bucket for all that are too many.
        let (mut who, crowded) = (Some(who), all.len() >= KEPT);
        if crowded && !all.contains_key(&who) {
            who = None;
        }
        let bucket = all.entry(who).or_insert(Bucket { tokens: most, at: now });
        let tokens = bucket.filled(rate, now).min(most);
        if tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - tokens) / rate));
        }
        *bucket = Bucket { tokens: tokens - 1.0, at: now };
        Ok(())
    }
}

impl Bucket {
    /// The tokens in it at `now`, more than it holds perhaps.
    fn filled(self, rate: f64, now: Instant) -> f64 {
        self.tokens + now.saturating_duration_since(self.at).as_secs_f64() * rate
    }
}

/// The address of whoever calls, as it is counted: a household's, where it has many. With `trust`, a proxy on this
/// machine says whose it is.
pub(super) fn address(request: &HttpRequest, trust: bool) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip().to_canonical();
    let told = || {
        // The last one is what the proxy itself has seen; what stands before it, anybody may have written.
        let all = request.headers().get_all("x-forwarded-for").last()?.to_str().ok()?;
        all.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
    };
    let address = if trust && peer.is_loopback() { told().unwrap_or(peer) } else { peer };
    Some(counted(address.to_canonical()))
}

/// Of IPv6, a household has 2^64 addresses.
pub(super) fn counted(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => {
            let network = u128::from(six) >> 64 << 64;
            if six.is_loopback() { address } else { IpAddr::V6(Ipv6Addr::from(network)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let rates = Rates::new(Some(2), Duration::from_secs(1));
        let start = Instant::now();
        for _ in 0..4 {
            rates.take("ann", start).unwrap();
        }
        assert_eq!(rates.take("ann", start), Err(Duration::from_millis(500)));
        rates.take("bob", start).unwrap();
        let later = start + Duration::from_millis(500);
        rates.take("ann", later).unwrap();
        assert!(rates.take("ann", later).is_err());
        let much_later = start + Duration::from_mins(1);
        for _ in 0..4 {
            rates.take("ann", much_later).unwrap();
        }
        assert!(rates.take("ann", much_later).is_err(), "it holds no more than four");
    }

    #[test]
    fn without_a_limit_there_is_none() {
        let rates = Rates::new(None, Duration::from_secs(1));
        let start = Instant::now();
        assert!((0..10_000).all(|_| rates.take((), start).is_ok()));
        assert!(rates.buckets.lock().unwrap().all.is_empty());
    }

    #[test]
    fn thousands_of_names_take_no_more_memory() {
        let rates = Rates::new(Some(1), Duration::from_secs(1));
        let start = Instant::now();
        let allowed = (0..3 * KEPT).filter(|n| rates.take(*n, start).is_ok()).count();
        assert_eq!(allowed, KEPT + 2, "those that are too many share one bucket");
        assert_eq!(rates.buckets.lock().unwrap().all.len(), KEPT + 1);
        let later = start + Duration::from_secs(10);
        rates.take(usize::MAX, later).unwrap();
        assert_eq!(rates.buckets.lock().unwrap().all.len(), 1, "the full ones are gone");
    }

    #[test]
    fn a_caller_is_known_by_its_address_or_by_what_a_trusted_proxy_says() {
        let call = |peer: &str, forwarded: &[&str], trust| {
            let mut request =
                TestRequest::default().peer_addr(format!("{peer}:1").parse().unwrap());
            for value in forwarded {
                request = request.append_header(("x-forwarded-for", *value));
            }
            address(&request.to_http_request(), trust).unwrap().to_string()
        };
        assert_eq!(call("192.0.2.1", &[], false), "192.0.2.1");
        assert_eq!(call("192.0.2.1", &["10.0.0.1"], true), "192.0.2.1", "no proxy of this machine");
        assert_eq!(call("127.0.0.1", &["10.0.0.1"], false), "127.0.0.1");
        assert_eq!(call("127.0.0.1", &["10.0.0.1, 192.0.2.7"], true), "192.0.2.7");
        assert_eq!(call("127.0.0.1", &["10.0.0.1", "192.0.2.7"], true), "192.0.2.7");
        assert_eq!(call("127.0.0.1", &["rubbish"], true), "127.0.0.1");
        assert_eq!(call("[2001:db8:1:2:3::4]", &[], false), "2001:db8:1:2::");
        assert_eq!(call("[::ffff:192.0.2.1]", &[], false), "192.0.2.1");
        assert_eq!(call("[::1]", &["2001:db8:1:2:3::4"], true), "2001:db8:1:2::");
    }
}
