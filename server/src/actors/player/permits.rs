//! The right to think: a few at a time, first come first served.

use std::sync::Arc;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, watch};

/// As many permits as searches may think at the same time, and how many wait for one.
#[derive(Debug)]
pub struct Permits {
    free: Arc<Semaphore>,
    waiting: watch::Sender<usize>,
}

/// One who waits; dropping it is not waiting any more.
struct Waiting<'a>(&'a watch::Sender<usize>);

impl Permits {
    /// `count` permits.
    pub fn new(count: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(count)), waiting: watch::Sender::new(0) }
    }

    /// Waits for a permit; dropping that gives it back.
    ///
    /// # Errors
    /// - When there will be none any more.
    pub(super) async fn acquire(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Ok(permit);
        }
        let _waiting = Waiting::new(&self.waiting);
        Arc::clone(&self.free).acquire_owned().await
    }

    /// Comes to its end when somebody waits for a permit.
    pub(super) async fn wanted(&self) {
        // The sender is here, so it cannot be gone.
        if self.waiting.subscribe().wait_for(|waiting| *waiting > 0).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl<'a> Waiting<'a> {
    fn new(waiting: &'a watch::Sender<usize>) -> Self {
        waiting.send_modify(|waiting| *waiting += 1);
        Self(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|waiting| *waiting -= 1);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn who_waits_is_wanted_until_he_has_gone() {
        let permits = Permits::new(1);
        let held = permits.acquire().await.unwrap();
        assert!(permits.wanted().now_or_never().is_none());
        let mut waits = Box::pin(permits.acquire());
        assert!(waits.as_mut().now_or_never().is_none());
        assert!(permits.wanted().now_or_never().is_some());
        drop(waits);
        assert!(permits.wanted().now_or_never().is_none(), "he hung up");
        let mut waits = Box::pin(permits.acquire());
        assert!(waits.as_mut().now_or_never().is_none());
        drop(held);
        assert!(waits.await.is_ok());
        assert!(permits.wanted().now_or_never().is_none(), "he has it");
    }
}
