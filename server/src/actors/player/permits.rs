//! The right to think: a few at a time, first come first served.

use std::sync::Arc;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, watch};

/// As many permits as searches may think at the same time, and how many wait for one.
#[derive(Debug)]
pub struct Permits {
    free: Arc<Semaphore>,
    /// As many once more, for advice: so many thoughts about it, and no more, stand in the way of an agent's.
    advice: Arc<Semaphore>,
    waiting: watch::Sender<usize>,
}

/// The right to think; dropping it gives it back.
#[derive(Debug)]
pub(super) struct Permit {
    _free: OwnedSemaphorePermit,
    _advice: Option<OwnedSemaphorePermit>,
}

/// One who waits; dropping it is not waiting any more.
struct Waiting<'a>(&'a watch::Sender<usize>);

impl Permits {
    /// `count` permits.
    pub fn new(count: usize) -> Self {
        let [free, advice] = [(); 2].map(|()| Arc::new(Semaphore::new(count)));
        Self { free, advice, waiting: watch::Sender::new(0) }
    }

    /// Waits for a permit, for `advice` behind all advice that was asked for before.
    ///
    /// # Errors
    /// - When there will be none any more.
    pub(super) async fn acquire(&self, advice: bool) -> Result<Permit, AcquireError> {
        let advice = if advice { Some(self.one_of(&self.advice).await?) } else { None };
        Ok(Permit { _free: self.one_of(&self.free).await?, _advice: advice })
    }

    async fn one_of(&self, permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, AcquireError> {
        if let Ok(permit) = Arc::clone(permits).try_acquire_owned() {
            return Ok(permit);
        }
        let _waiting = Waiting::new(&self.waiting);
        Arc::clone(permits).acquire_owned().await
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
        let held = permits.acquire(false).await.unwrap();
        assert!(permits.wanted().now_or_never().is_none());
        let mut waits = Box::pin(permits.acquire(false));
        assert!(waits.as_mut().now_or_never().is_none());
        assert!(permits.wanted().now_or_never().is_some());
        drop(waits);
        assert!(permits.wanted().now_or_never().is_none(), "he hung up");
        let mut waits = Box::pin(permits.acquire(false));
        assert!(waits.as_mut().now_or_never().is_none());
        drop(held);
        assert!(waits.await.is_ok());
        assert!(permits.wanted().now_or_never().is_none(), "he has it");
    }

    #[tokio::test]
    async fn who_plays_waits_for_no_more_advice_than_is_being_thought_about() {
        let permits = Permits::new(1);
        let thought = permits.acquire(true).await.unwrap();
        let mut advice = [(); 3].map(|()| Box::pin(permits.acquire(true)));
        for waits in &mut advice {
            assert!(waits.as_mut().now_or_never().is_none());
        }
        let mut plays = Box::pin(permits.acquire(false));
        assert!(plays.as_mut().now_or_never().is_none());
        drop(thought);
        let [first, ..] = &mut advice;
        assert!(first.as_mut().now_or_never().is_none(), "it was asked for first, and waits");
        assert!(plays.await.is_ok());
        assert!(first.await.is_ok());
    }
}
