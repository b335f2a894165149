//! The wall clock, read in one place. Waiting uses the monotonic clock, and is no business of this one.

use std::{
    fmt,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

pub use store::UnixMillis;

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Tells the time of day, which may jump: somebody sets the machine's clock, or a test does.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> UnixMillis + Send + Sync>);

impl Clock {
    /// A clock that tells what `now` does.
    pub fn new(now: impl Fn() -> UnixMillis + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The machine's. Before 1970 counts as 1970.
    pub fn system() -> Self {
        Self::new(now)
    }

    /// Now.
    pub fn now(&self) -> UnixMillis {
        (self.0)()
    }
}

/// The machine's time, for the hosted model's books.
pub(crate) fn now() -> UnixMillis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMillis(since.as_millis() as i64)
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// Two are equal when they are the same.
impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Clock {}

/// The number of the day (UTC) that a time is in, counted from 1970-01-01.
pub(crate) fn day(time: UnixMillis) -> i64 {
    time.0.div_euclid(DAY)
}

/// A time as text: `2026-09-18T10:27:46.209Z`.
pub(crate) fn text(time: UnixMillis) -> String {
    let (year, month, of_month) = date(day(time));
    let of_day = time.0.rem_euclid(DAY);
    let (hour, minute) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (second, milli) = (of_day / 1000 % 60, of_day % 1000);
    format!("{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Year, month and day of the month. A year that begins in March ends with its leap day, and its months then follow a
/// rule: 153 days for each five of them.
fn date(day: i64) -> (i64, i64, i64) {
    // Days since 0000-03-01, from which every 400 years have the same number of days.
    let since = day + 719_468;
    let (era, of_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (400 * era + year_of_era + i64::from(month <= 2), month, of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_as_calendars_tell_it() {
        for (millis, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_789_727_266_209, "2026-09-18T10:27:46.209Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(text(UnixMillis(millis)), expected);
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut before = date(0);
        for number in 1..200_000 {
            let today = date(number);
            let follows = today.2 == before.2 + 1 && today.1 == before.1 && today.0 == before.0
                || today.2 == 1 && before.2 >= 28 && (today.0, today.1) > (before.0, before.1);
            assert!(follows, "{today:?} after {before:?}");
            before = today;
        }
        assert_eq!(before, (2517, 7, 31));
    }
}
