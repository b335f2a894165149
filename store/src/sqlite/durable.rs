//! When what the writer has committed is answered: at once, or when the disk has it.
//!
//! SQLite can wait for the disk itself, inside each commit; then the writer waits too, and whatever has queued up
//! meanwhile begins only afterwards. Here a commit writes the log, and a third thread has the disk take it up and gives
//! the answers, while the writer carries out the next batch. What has been committed meanwhile shares the next wait.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
};

use super::work::{Job, no_thread};
use crate::{ErrorKind, StoreError};

/// How many batches may be committed and not yet on the disk, before the writer waits: it bounds how much a power cut
/// takes back of what nobody was told of.
const AHEAD: usize = 4;

/// Why nothing more can be made durable; what comes then is refused.
pub(super) type Lost = Arc<OnceLock<String>>;

/// A batch that is committed.
pub(super) struct Committed {
    pub(super) jobs: Vec<Box<dyn Job>>,
    /// Whether it has changed anything.
    pub(super) changed: bool,
}

/// What is done with a batch that is committed.
pub(super) enum Answers {
    /// It is answered.
    AtOnce,
    /// It is answered when the disk has it.
    OnDisk {
        /// The way to the thread that waits for the disk.
        batches: SyncSender<Committed>,
        /// That thread.
        thread: JoinHandle<()>,
        /// Whether it has failed.
        lost: Lost,
    },
}

impl Answers {
    /// Answers when `sync` has had the disk take up all that was written before.
    pub(super) fn on_disk(
        file: PathBuf,
        sync: impl FnMut() -> io::Result<()> + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (batches, committed) = sync_channel(AHEAD);
        let lost = Lost::default();
        let told = Arc::clone(&lost);
        let run = move || answer_all(&committed, sync, &file, &told);
        let thread = thread::Builder::new().name("store-disk".into()).spawn(run);
        Ok(Self::OnDisk { batches, thread: thread.map_err(no_thread)?, lost })
    }

    /// Why a batch is not to be begun.
    pub(super) fn lost(&self) -> Option<&str> {
        match self {
            Self::AtOnce => None,
            Self::OnDisk { lost, .. } => lost.get().map(String::as_str),
        }
    }

    pub(super) fn give(&self, committed: Committed) {
        match self {
            Self::AtOnce => committed.jobs.into_iter().for_each(Job::answer),
            Self::OnDisk { batches, .. } => {
                if batches.send(committed).is_err() {
                    tracing::error!("the thread that waits for the disk is gone");
                }
            }
        }
    }

    /// Waits until all is answered.
    pub(super) fn finish(self) {
        if let Self::OnDisk { batches, thread, .. } = self {
            drop(batches);
            if thread.join().is_err() {
                tracing::error!("the thread that waits for the disk panicked");
            }
        }
    }
}

/// Has the disk take up the log of `file`, which is there from the first commit to the end of the last connection.
pub(super) fn sync_log(file: &Path) -> impl FnMut() -> io::Result<()> + Send + 'static {
    let path = file.with_extension("db-wal");
    let mut log = None;
    move || match &mut log {
        Some(log) => File::sync_data(log),
        none => none.insert(File::open(&path)?).sync_data(),
    }
}

fn answer_all(
    committed: &Receiver<Committed>,
    mut sync: impl FnMut() -> io::Result<()>,
    file: &Path,
    lost: &Lost,
) {
    while let Ok(first) = committed.recv() {
        let mut batches = vec![first];
        batches.extend(committed.try_iter());
        let changed = batches.iter().any(|batch| batch.changed);
        if changed
            && lost.get().is_none()
            && let Err(error) = sync()
        {
            // A second try may succeed without the disk having what the first one could not write.
            let text = format!(
                "{} could not be brought to the disk ({error}): look at the disk, then start the server again",
                file.display()
            );
            tracing::error!("{text}");
            lost.get_or_init(|| text);
        }
        for batch in batches {
            for job in batch.jobs {
                match lost.get().filter(|_| batch.changed) {
                    None => job.answer(),
                    Some(text) => job.fail(StoreError::new(ErrorKind::Unavailable, text)),
                }
            }
        }
    }
}
