//! How many agents play, in all sessions together, and how many may.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::metrics::{Limit, Metrics};

use super::refusal::Refusal;

/// The count, shared by all sessions.
#[derive(Debug)]
pub struct Agents {
    playing: AtomicUsize,
    most: usize,
    metrics: Arc<Metrics>,
}

/// One agent that plays; dropping it is playing no more.
#[derive(Debug)]
pub struct Playing(Arc<Agents>);

impl Agents {
    /// None plays, and `most` may.
    pub fn new(most: usize, metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Self { playing: AtomicUsize::new(0), most, metrics })
    }

    /// One more.
    ///
    /// # Errors
    /// - [`Refusal::Full`] when as many play as may.
    pub fn one_more(self: &Arc<Self>) -> Result<Playing, Refusal> {
        let playing = self.anyway();
        if self.playing.load(Ordering::Relaxed) > self.most {
            let text = format!(
                "{} agents are playing, and no more may (--max-agents): stop one first",
                self.most
            );
            return Err(Refusal::Full { limit: Limit::Agents, text });
        }
        Ok(playing)
    }

    /// One more, however many there are: it was playing before the server was started again.
    pub fn anyway(self: &Arc<Self>) -> Playing {
        self.playing.fetch_add(1, Ordering::Relaxed);
        self.metrics.players.agents.inc();
        Playing(Arc::clone(self))
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        self.0.playing.fetch_sub(1, Ordering::Relaxed);
        self.0.metrics.players.agents.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_play_as_may_and_no_more() {
        let agents = Agents::new(2, Metrics::new());
        let first = agents.one_more().unwrap();
        let _second = agents.anyway();
        let refused = agents.one_more().unwrap_err().to_string();
        assert_eq!(refused, "2 agents are playing, and no more may (--max-agents): stop one first");
        drop(first);
        assert!(agents.one_more().is_ok());
    }
}
