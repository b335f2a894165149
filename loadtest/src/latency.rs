//! How long things took.

use std::time::Duration;

use hdrhistogram::Histogram;

/// Durations in a histogram of microseconds, to three digits.
#[derive(Debug)]
pub(crate) struct Latency(Histogram<u64>);

impl Latency {
    /// None yet.
    ///
    /// # Panics
    /// Never: three digits are possible.
    pub(crate) fn new() -> Self {
        Self(Histogram::new(3).expect("a histogram of three digits can be made"))
    }

    /// Adds one.
    pub(crate) fn add(&mut self, took: Duration) {
        // It grows as far as it must; a u64 of microseconds is half a million years.
        let micros = took.as_micros() as u64;
        self.0.record(micros).expect("a histogram that grows takes any number");
    }

    /// Adds those of another.
    ///
    /// # Panics
    /// Never: both grow as far as they must.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.0.add(&other.0).expect("a histogram that grows takes in another");
    }

    /// How many.
    pub(crate) fn count(&self) -> u64 {
        self.0.len()
    }

    /// What `percent` of them did not exceed, in milliseconds; 0 when there is none.
    pub(crate) fn percentile(&self, percent: f64) -> f64 {
        self.0.value_at_percentile(percent) as f64 / 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_in_milliseconds() {
        let (mut all, mut more) = (Latency::new(), Latency::new());
        (1..=99).for_each(|n| all.add(Duration::from_millis(n)));
        more.add(Duration::from_secs(7));
        all.merge(&more);
        assert_eq!(all.count(), 100);
        assert!((all.percentile(50.0) - 50.0).abs() < 0.1);
        assert!((all.percentile(100.0) - 7000.0).abs() < 10.0);
    }
}
