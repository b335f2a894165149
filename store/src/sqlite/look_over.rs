//! Whether a file is whole, before much is built on it.

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
    thread::{self, JoinHandle},
    time::Duration,
};

use rusqlite::{Connection, InterruptHandle};

use super::{fault::Fault, rows, schema, work};
use crate::{ErrorKind, StoreError};

/// Files up to this size are looked over before they are used, larger ones while they are.
pub(super) const AT_ONCE: u64 = 32 << 20;

/// Damage that was found in a file: from then on, every request is told so.
pub(super) type Found = Arc<OnceLock<String>>;

/// Looks for damage: whether the trees and indexes hang together, and whether the rows that everything is found by are
/// as they were written. Moves and replies are checked as they are read.
pub(super) fn look_over(connection: &Connection) -> Result<(), Fault> {
    let sql = "PRAGMA integrity_check(1)";
    let found: String = connection.query_row(sql, [], |row| row.get(0))?;
    if found != "ok" {
        return Err(Fault::Damage(found));
    }
    rows::verify_all(connection)
}

/// A look at a file that is in use.
pub(super) struct Look {
    thread: JoinHandle<()>,
    interrupt: InterruptHandle,
}

impl std::fmt::Debug for Look {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Look").field("thread", &self.thread).finish_non_exhaustive()
    }
}

impl Look {
    /// Begins to look `file` over on a thread of its own.
    pub(super) fn begin(file: PathBuf, found: Found) -> Result<Self, StoreError> {
        let connection =
            schema::connect(&file).map_err(|error| Fault::from(error).into_error(&file))?;
        let interrupt = connection.get_interrupt_handle();
        let look = move || {
            if let Err(fault) = look_over(&connection) {
                let error = fault.into_error(&file);
                if error.kind == ErrorKind::Damaged {
                    tracing::error!("{error}");
                    found.get_or_init(|| error.text);
                }
            }
            work::close(connection);
        };
        let thread = thread::Builder::new().name("store-look-over".into()).spawn(look);
        Ok(Self { thread: thread.map_err(work::no_thread)?, interrupt })
    }

    /// Looks no further.
    pub(super) fn end(self) {
        // What falls between two statements is not heard.
        while !self.thread.is_finished() {
            self.interrupt.interrupt();
            thread::sleep(Duration::from_millis(1));
        }
        self.wait();
    }

    /// Waits until all is looked over.
    pub(super) fn wait(self) {
        if self.thread.join().is_err() {
            tracing::error!("the look at the store panicked");
        }
    }
}
