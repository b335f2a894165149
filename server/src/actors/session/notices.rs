//! What is said beside the states, and the way to those who hear it.

use tokio::sync::watch;

use super::Notices;

/// The newest notices. The way to the watchers takes half a kilobyte, so it is there from the first one on.
#[derive(Debug, Default)]
pub(super) struct NoticeBoard {
    newest: Notices,
    watched: Option<watch::Sender<Notices>>,
}

impl NoticeBoard {
    /// Changes what is said; whoever listens is woken if that makes a difference and `tell`s so.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Notices), tell: bool) {
        let before = self.newest;
        change(&mut self.newest);
        let newest = self.newest;
        if let Some(watched) = &self.watched {
            watched.send_if_modified(|told| {
                *told = newest;
                tell && newest != before
            });
        }
    }

    /// Listens from now on.
    pub(super) fn subscribe(&mut self) -> watch::Receiver<Notices> {
        self.watched.get_or_insert_with(|| watch::Sender::new(self.newest)).subscribe()
    }
}
