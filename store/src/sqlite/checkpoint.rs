//! The log is taken up into the file while the writer goes on.
//!
//! SQLite would do it inside a commit, which then takes some 50 ms, and everybody waits. Here another connection takes up
//! what the log has, and when it is through the writer takes up the few pages that have come since: the log is empty for a
//! moment, and begins again at its start.

use std::{
    path::Path,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use rusqlite::Connection;

use super::{Durability, fault::Fault, schema, work};
use crate::StoreError;

/// After so many changed rows; some 30 MB of log, which are read in a moment at the next start.
pub(super) const CHANGES: u64 = 8_000;

/// Takes the log up now and then.
pub(super) struct Checkpoints {
    begin: SyncSender<()>,
    done: Receiver<()>,
    thread: JoinHandle<()>,
    running: bool,
    /// Of the writer, when the log was last empty.
    changes: u64,
}

impl Checkpoints {
    /// Starts the thread that does most of it.
    pub(super) fn start(file: &Path, durability: Durability) -> Result<Self, StoreError> {
        let connection = schema::connect(file)
            .and_then(|connection| {
                schema::set_up_checkpoints(&connection, durability).map(|()| connection)
            })
            .map_err(|error| Fault::from(error).into_error(file))?;
        let (begin, begins) = sync_channel(1);
        let (tell, done) = sync_channel(1);
        let run = move || {
            while begins.recv().is_ok() {
                take_up(&connection);
                if tell.send(()).is_err() {
                    break;
                }
            }
            work::close(connection);
        };
        let thread = thread::Builder::new().name("store-checkpoint".into()).spawn(run);
        let thread = thread.map_err(work::no_thread)?;
        Ok(Self { begin, done, thread, running: false, changes: 0 })
    }

    /// To be called by the writer between two batches.
    pub(super) fn step(&mut self, writer: &Connection) {
        if !self.running {
            let due = writer.total_changes() - self.changes >= CHANGES;
            self.running = due && self.begin.try_send(()).is_ok();
        } else if self.done.try_recv().is_ok() {
            take_up(writer);
            self.changes = writer.total_changes();
            self.running = false;
        }
    }

    /// Waits until the thread has ended.
    pub(super) fn finish(self) {
        drop((self.begin, self.done));
        if self.thread.join().is_err() {
            tracing::error!("the thread that takes the log up panicked");
        }
    }
}

/// Takes up what no reader needs from the log; nobody waits for it meanwhile.
fn take_up(connection: &Connection) {
    if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
        tracing::warn!(%error, "the log grows: it could not be taken up into the file");
    }
}
