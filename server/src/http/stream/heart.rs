//! The heartbeat of every stream, from one timer.

use std::time::Duration;

use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval_at},
};

/// Counts the beats.
#[derive(Debug)]
pub(in crate::http) struct Heart(watch::Receiver<u64>);

impl Heart {
    /// A heart that beats every `period`, as long as this actix system runs.
    pub(in crate::http) fn start(period: Duration) -> Self {
        let (beats, watch) = watch::channel(0);
        actix_web::rt::spawn(async move {
            let mut ticks = interval_at(Instant::now() + period, period);
            // After a pause one beat is enough.
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while !beats.is_closed() {
                ticks.tick().await;
                beats.send_modify(|beat| *beat += 1);
            }
        });
        Self(watch)
    }

    /// The beats from now on.
    pub(in crate::http) fn watch(&self) -> watch::Receiver<u64> {
        let mut beats = self.0.clone();
        beats.mark_unchanged();
        beats
    }
}
