//! The CPU's clock.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The CPU time that this thread has used: what the machine's other work takes away does not count.
pub(crate) fn time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
