//! How long things took.

use std::time::Duration;

use hdrhistogram::Histogram;
use tokio::time::Instant;

/// Slices that the measured time is cut into.
const SLICES: f64 = 120.0;

/// The shortest slice, in seconds.
const SHORTEST: f64 = 0.25;

/// Durations in a histogram of microseconds, to three digits.
#[derive(Debug, Clone)]
pub(crate) struct Latency(Histogram<u64>);

impl Latency {
    /// None yet.
    ///
    /// # Panics
    /// Never: three digits are possible.
    pub(crate) fn new() -> Self {
        Self(Histogram::new(3).expect("a histogram of three digits can be made"))
    }

    /// None yet, for many of these: to two digits.
    ///
    /// # Panics
    /// Never: two digits are possible.
    fn coarse() -> Self {
        Self(Histogram::new(2).expect("a histogram of two digits can be made"))
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

/// Durations over the time that is measured.
#[derive(Debug)]
pub(crate) struct Timeline {
    pub(crate) all: Latency,
    /// `None` before it is measured and after that.
    begun: Option<Instant>,
    slice: Duration,
    slices: Vec<Latency>,
}

impl Timeline {
    /// Nothing is taken down before [`Self::begin`].
    pub(crate) fn new() -> Self {
        Self { all: Latency::new(), begun: None, slice: Duration::ZERO, slices: Vec::new() }
    }

    /// From now on it is taken down, for about `seconds`.
    pub(crate) fn begin(&mut self, seconds: f64) {
        let slice = Duration::from_secs_f64((seconds / SLICES).max(SHORTEST));
        *self = Self { begun: Some(Instant::now()), slice, ..Self::new() };
    }

    /// Nothing is taken down from now on.
    pub(crate) fn end(&mut self) {
        self.begun = None;
    }

    /// Adds one that ended at `now`.
    pub(crate) fn add(&mut self, took: Duration, now: Instant) {
        let Some(begun) = self.begun else { return };
        self.all.add(took);
        let elapsed = now.saturating_duration_since(begun).as_nanos();
        let slice = (elapsed / self.slice.as_nanos().max(1)) as usize;
        while self.slices.len() <= slice {
            self.slices.push(Latency::coarse());
        }
        self.slices[slice].add(took);
    }

    /// What `percent` of those that ended in a slice of time did not exceed, in milliseconds, by the slice's end in
    /// seconds; slices without any are left out.
    pub(crate) fn over_time(&self, percent: f64) -> Vec<(f64, f64)> {
        let ends = (1..).map(|number: u32| (self.slice * number).as_secs_f64());
        ends.zip(&self.slices)
            .filter(|(_, slice)| slice.count() > 0)
            .map(|(end, slice)| (end, slice.percentile(percent)))
            .collect()
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

    #[test]
    fn a_timeline_takes_down_what_is_measured() {
        let (mut line, took) = (Timeline::new(), Duration::from_millis(4));
        line.add(took, Instant::now());
        line.begin(240.0);
        let now = Instant::now();
        line.add(took, now + Duration::from_millis(500));
        line.add(took * 2, now + Duration::from_millis(5500));
        assert_eq!(line.all.count(), 2);
        let tops: Vec<_> =
            line.over_time(100.0).iter().map(|(end, top)| (*end, top.round())).collect();
        assert_eq!(tops, [(2.0, 4.0), (6.0, 8.0)]);
        line.end();
        line.add(took, now);
        assert_eq!(line.all.count(), 2);
    }
}
