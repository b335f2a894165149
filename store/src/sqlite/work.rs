//! The threads: pieces of work in, answers out.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
};

use futures_util::FutureExt;
use rusqlite::{Connection, Transaction};
use tokio::sync::oneshot;

use super::{
    QUEUE,
    checkpoint::Checkpoints,
    durable::{Answers, Committed},
    fault::Fault,
    folder::Folder,
    look_over::Found,
};
use crate::{Answer, ErrorKind, Observer, StoreError, observer::Nobody};

/// The most requests in one transaction: bounds how long an answer waits for those behind it.
const BATCH: usize = 1024;

/// A piece of work for one of the threads.
pub(super) trait Job: Send {
    /// Does it, inside a transaction, and keeps what came of it. Done again if the transaction failed.
    ///
    /// # Errors
    /// - a fault after which the transaction must not be committed.
    fn run(&mut self, connection: &Connection) -> Result<(), Fault>;

    /// Tells whoever asked what came of it.
    fn answer(self: Box<Self>);

    /// Tells whoever asked that it came to nothing.
    fn fail(self: Box<Self>, error: StoreError);
}

struct Task<T, F> {
    work: F,
    outcome: Option<Result<T, StoreError>>,
    asker: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Task<T, F>
where
    T: Send,
    F: FnMut(&Connection) -> Result<T, Fault> + Send,
{
    fn run(&mut self, connection: &Connection) -> Result<(), Fault> {
        self.outcome = Some(match (self.work)(connection) {
            Ok(value) => Ok(value),
            Err(Fault::Refused(error)) => Err(error),
            Err(fault) => return Err(fault),
        });
        Ok(())
    }

    fn answer(self: Box<Self>) {
        let outcome = self.outcome.unwrap_or_else(|| Err(gone()));
        tell(self.asker, outcome);
    }

    fn fail(self: Box<Self>, error: StoreError) {
        tell(self.asker, Err(error));
    }
}

fn tell<T>(asker: oneshot::Sender<Result<T, StoreError>>, outcome: Result<T, StoreError>) {
    if asker.send(outcome).is_err() {
        tracing::trace!("nobody waits for this answer any more");
    }
}

fn gone() -> StoreError {
    StoreError::new(ErrorKind::Unavailable, "the store has stopped")
}

/// The way to one of the threads.
#[derive(Debug)]
pub(super) struct Queue {
    jobs: Option<SyncSender<Box<dyn Job>>>,
    found: Found,
}

impl std::fmt::Debug for dyn Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Job")
    }
}

impl Queue {
    /// Queues `work`; what comes of it is the answer.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        work: impl FnMut(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Answer<T> {
        if let Some(damage) = self.found.get() {
            let error = StoreError::new(ErrorKind::Damaged, damage.as_str());
            return async { Err(error) }.boxed();
        }
        let (asker, answer) = oneshot::channel();
        let job = Box::new(Task { work, outcome: None, asker });
        let refused = match self.jobs.as_ref().map(|queue| queue.try_send(job)) {
            Some(Ok(())) => {
                return async move { answer.await.unwrap_or_else(|_| Err(gone())) }.boxed();
            }
            Some(Err(TrySendError::Full(_))) => {
                StoreError::new(ErrorKind::Busy, "too much is waiting to be stored: try again")
            }
            Some(Err(TrySendError::Disconnected(_))) | None => gone(),
        };
        async { Err(refused) }.boxed()
    }

    /// Takes nothing more; the thread ends when it has done what is queued.
    pub(super) fn close(&mut self) {
        self.jobs = None;
    }
}

/// Does `work` on a thread of its own; what comes of it is the answer.
pub(super) fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Answer<T> {
    let (asker, answer) = oneshot::channel();
    let started = thread::Builder::new().name("store-aside".into()).spawn(|| tell(asker, work()));
    async move {
        match started {
            Ok(_) => answer.await.unwrap_or_else(|_| Err(gone())),
            Err(error) => Err(no_thread(error)),
        }
    }
    .boxed()
}

/// Starts the writer, which holds the folder, if it is to, as long as it runs.
pub(super) fn spawn_writer(
    connection: Connection,
    file: PathBuf,
    found: Found,
    answers: Answers,
    mut checkpoints: Option<Checkpoints>,
    folder: Option<Folder>,
    observer: Arc<dyn Observer>,
) -> Result<(Queue, JoinHandle<()>), StoreError> {
    spawn("store-writer", found, move |jobs| {
        while let Ok(first) = jobs.recv() {
            let mut batch = vec![first];
            batch.extend(jobs.try_iter().take(BATCH - 1));
            match answers.lost() {
                None => write(&connection, &file, batch, &answers, &*observer),
                Some(why) => batch
                    .into_iter()
                    .for_each(|job| job.fail(StoreError::new(ErrorKind::Unavailable, why))),
            }
            if let Some(checkpoints) = &mut checkpoints {
                checkpoints.step(&connection);
            }
        }
        answers.finish();
        if let Some(checkpoints) = checkpoints {
            checkpoints.finish();
        }
        close(connection);
        drop(folder);
    })
}

/// Starts the reader.
pub(super) fn spawn_reader(
    connection: Connection,
    file: PathBuf,
    found: Found,
) -> Result<(Queue, JoinHandle<()>), StoreError> {
    spawn("store-reader", found, move |jobs| {
        for job in jobs {
            write(&connection, &file, vec![job], &Answers::AtOnce, &Nobody);
        }
        close(connection);
    })
}

fn spawn(
    name: &str,
    found: Found,
    run: impl FnOnce(Receiver<Box<dyn Job>>) + Send + 'static,
) -> Result<(Queue, JoinHandle<()>), StoreError> {
    let (queue, jobs) = sync_channel(QUEUE);
    let thread = thread::Builder::new().name(name.into()).spawn(|| run(jobs)).map_err(no_thread)?;
    Ok((Queue { jobs: Some(queue), found }, thread))
}

pub(super) fn no_thread(error: io::Error) -> StoreError {
    let text = format!("no thread for the store: {error}");
    StoreError::because(ErrorKind::Unavailable, text, error)
}

/// Closes a connection; the last one takes the log up into the file.
pub(super) fn close(connection: Connection) {
    if let Err((_, error)) = connection.close() {
        tracing::warn!(%error, "the store was not closed in order; it is whole all the same");
    }
}

/// Carries out a batch in one transaction, or, when that fails, each job in one of its own, so that one that cannot be
/// carried out does not take the others with it.
fn write(
    connection: &Connection,
    file: &Path,
    mut batch: Vec<Box<dyn Job>>,
    answers: &Answers,
    observer: &dyn Observer,
) {
    let before = connection.total_changes();
    match transact(connection, &mut batch, observer) {
        Ok(()) => {
            let changed = connection.total_changes() != before;
            answers.give(Committed { jobs: batch, changed });
        }
        Err(fault) => match batch.len() {
            1 => batch.remove(0).fail(fault.into_error(file)),
            jobs => {
                tracing::debug!(?fault, jobs, "a batch failed: one by one");
                for job in batch {
                    write(connection, file, vec![job], answers, observer);
                }
            }
        },
    }
}

fn transact(
    connection: &Connection,
    jobs: &mut [Box<dyn Job>],
    observer: &dyn Observer,
) -> Result<(), Fault> {
    // Rolled back when dropped.
    let transaction = connection.unchecked_transaction()?;
    for job in &mut *jobs {
        job.run(&transaction)?;
    }
    let (mut transaction, mut committed) = (Some(transaction), Ok(()));
    observer.commit(jobs.len(), &mut || {
        committed = transaction.take().map_or(Ok(()), Transaction::commit);
        committed.is_ok()
    });
    // Whoever looks on has no say in whether it is made.
    Ok(transaction.map_or(committed, Transaction::commit)?)
}
