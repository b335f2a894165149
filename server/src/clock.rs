//! The wall clock, read in one place.

use std::time::{SystemTime, UNIX_EPOCH};

use store::UnixMillis;

/// Now. Before 1970 counts as 1970.
pub(crate) fn now() -> UnixMillis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMillis(since.as_millis() as i64)
}
