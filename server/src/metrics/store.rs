//! What is measured of the store, which itself reads no clock.

use std::{sync::Arc, time::Instant};

use super::Metrics;

/// Times the commits of a store.
#[derive(Debug)]
pub struct Committing(pub Arc<Metrics>);

impl store::Observer for Committing {
    fn commit(&self, requests: usize, commit: &mut dyn FnMut() -> bool) {
        let figures = &self.0.store;
        let begun = Instant::now();
        let committed = commit();
        figures.commit_seconds.observe(begun.elapsed().as_secs_f64());
        figures.batch_size.observe(requests as f64);
        if !committed {
            figures.commit_errors.inc();
        }
    }
}
