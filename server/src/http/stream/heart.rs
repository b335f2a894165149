//! What all streams are told: the heartbeat, from one timer, and that the server stops.

use std::time::Duration;

use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval_at},
};

use crate::http::Closing;

/// Counts the beats, and tells the end.
#[derive(Debug)]
pub(in crate::http) struct Heart(watch::Receiver<Pulse>);

/// What every stream watches besides its session: one watch, since each costs something for every event that is sent.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) struct Pulse {
    beats: u64,
    /// Whether the server stops.
    pub(in crate::http) stops: bool,
}

impl Heart {
    /// A heart that beats every `period`, as long as this actix system runs and until `closing` is turned.
    pub(in crate::http) fn start(period: Duration, closing: &Closing) -> Self {
        let (pulse, watch) = watch::channel(Pulse::default());
        let mut closing = closing.watch();
        actix_web::rt::spawn(async move {
            let mut ticks = interval_at(Instant::now() + period, period);
            // After a pause one beat is enough.
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while !pulse.is_closed() {
                tokio::select! {
                    _ = closing.wait_for(|closed| *closed) => break,
                    _ = ticks.tick() => pulse.send_modify(|pulse| pulse.beats += 1),
                }
            }
            pulse.send_modify(|pulse| pulse.stops = true);
            // Whoever comes now is told too.
            pulse.closed().await;
        });
        Self(watch)
    }

    /// The pulse from now on; an end that was told before counts as news.
    pub(in crate::http) fn watch(&self) -> watch::Receiver<Pulse> {
        let mut pulse = self.0.clone();
        if pulse.borrow_and_update().stops {
            pulse.mark_changed();
        }
        pulse
    }
}
