//! Who looks on while the store works.

use std::fmt::Debug;

/// Told of each commit by the thread that makes it. The store reads no clock; whoever looks on may.
pub trait Observer: Debug + Send + Sync + 'static {
    /// Calls `commit`, once, which makes `requests` durable together and says whether they are.
    fn commit(&self, requests: usize, commit: &mut dyn FnMut() -> bool);
}

/// Nobody.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nobody;

impl Observer for Nobody {
    fn commit(&self, _: usize, commit: &mut dyn FnMut() -> bool) {
        commit();
    }
}
