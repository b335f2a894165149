//! Between the stream's task and whoever draws: what is newer replaces what is older.

use std::{
    collections::VecDeque,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use protocol::{Bye, Note};
use tokio::sync::Notify;

use super::{Connection, Snapshot, Update};

/// Notes that wait for a reader; of more, the oldest is dropped.
const MOST_NOTES: usize = 32;

/// One pending update of each kind: a reader that is slow skips states and never makes anything grow.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    pending: Mutex<Pending>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct Pending {
    closed: bool,
    connection: Option<Connection>,
    state: Option<Box<Snapshot>>,
    watchers: Option<u32>,
    notes: VecDeque<Note>,
    bye: Option<Bye>,
    heartbeat: Option<u64>,
}

impl Outbox {
    pub(super) fn put(&self, update: Update) {
        let mut pending = self.lock();
        match update {
            Update::Connection(connection) => pending.connection = Some(connection),
            Update::State(snapshot) => pending.state = Some(snapshot),
            Update::Watchers(count) => pending.watchers = Some(count),
            Update::Note(note) => {
                if pending.notes.len() == MOST_NOTES {
                    pending.notes.pop_front();
                }
                pending.notes.push_back(note);
            }
            Update::Bye(bye) => pending.bye = Some(bye),
            Update::Heartbeat(seq) => pending.heartbeat = Some(seq),
        }
        drop(pending);
        self.filled.notify_one();
    }

    /// Nothing will come any more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_one();
    }

    /// The next update; `None` once it is closed and empty. For one reader.
    pub(super) async fn next(&self) -> Option<Update> {
        loop {
            {
                let mut pending = self.lock();
                if let Some(update) = pending.take() {
                    return Some(update);
                }
                if pending.closed {
                    return None;
                }
            }
            self.filled.notified().await;
        }
    }

    /// A panic while it was held leaves nothing half done: every change is one assignment.
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    fn take(&mut self) -> Option<Update> {
        let connection = self.connection.take().map(Update::Connection);
        connection
            .or_else(|| self.state.take().map(Update::State))
            .or_else(|| self.watchers.take().map(Update::Watchers))
            .or_else(|| self.notes.pop_front().map(Update::Note))
            .or_else(|| self.bye.take().map(Update::Bye))
            .or_else(|| mem::take(&mut self.heartbeat).map(Update::Heartbeat))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(number: usize) -> Update {
        Update::Note(Note { text: number.to_string(), kind: "test".into() })
    }

    #[tokio::test]
    async fn a_slow_reader_gets_the_newest_of_each_kind() {
        let outbox = Outbox::default();
        for count in 0..1_000 {
            outbox.put(Update::Heartbeat(count));
            outbox.put(Update::Watchers(count as u32));
        }
        outbox.close();
        assert_eq!(outbox.next().await, Some(Update::Watchers(999)));
        assert_eq!(outbox.next().await, Some(Update::Heartbeat(999)));
        assert_eq!(outbox.next().await, None);
        assert_eq!(outbox.next().await, None);
    }

    #[tokio::test]
    async fn notes_are_kept_in_order_up_to_a_bound() {
        let outbox = Outbox::default();
        (0..MOST_NOTES + 2).for_each(|number| outbox.put(note(number)));
        assert_eq!(outbox.next().await, Some(note(2)));
        assert_eq!(outbox.next().await, Some(note(3)));
    }
}
