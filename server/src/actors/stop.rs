//! What ends a thought that nobody wants any more.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Notify;

/// A switch shared by who asks and who thinks: turned once, seen by searches that look at it and by waits that it ends.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    flag: AtomicBool,
    turned: Notify,
}

/// Held by whoever waits for an answer: ends the thought when it is dropped.
#[derive(Debug, Default)]
pub struct StopOnDrop(pub Stop);

impl Stop {
    /// Turns it. There is no way back.
    pub fn stop(&self) {
        self.0.flag.store(true, Ordering::Release);
        self.0.turned.notify_waiters();
    }

    /// For a search, which looks at it between two positions.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.flag
    }

    /// Whether it is turned.
    pub fn is_stopped(&self) -> bool {
        self.0.flag.load(Ordering::Acquire)
    }

    /// Waits until it is turned.
    pub async fn stopped(&self) {
        let turned = self.0.turned.notified();
        tokio::pin!(turned);
        // Registered before the flag is read, so that a turn in between is not missed.
        turned.as_mut().enable();
        if !self.is_stopped() {
            turned.await;
        }
    }

    /// Whether both are one switch.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_wait_ends_whether_it_began_before_the_turn_or_after() {
        let stop = Stop::default();
        let waiting = tokio::spawn({
            let stop = stop.clone();
            async move { stop.stopped().await }
        });
        drop(StopOnDrop(stop.clone()));
        waiting.await.unwrap();
        stop.stopped().await;
        assert!(stop.flag().load(Ordering::Relaxed));
    }

    #[test]
    fn a_switch_is_itself_and_no_other() {
        let (one, other) = (Stop::default(), Stop::default());
        assert!(one.is(&one.clone()) && !one.is(&other));
    }
}
