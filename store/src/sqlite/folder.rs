//! The data folder: made private, and had by one process at a time.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use crate::{ErrorKind, StoreError};

/// A data folder that this process has; given up on drop.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Held for its lock alone.
    _lock: File,
}

impl Folder {
    /// Takes the folder, which is made, private to the user, where there is none.
    pub(super) fn take(path: &Path) -> Result<Self, StoreError> {
        let unavailable = |error: io::Error| {
            let text = format!("the data folder {} cannot be used: {error}", path.display());
            StoreError::because(ErrorKind::Unavailable, text, error)
        };
        make(path).map_err(unavailable)?;
        let mut lock = private().open(path.join("serve2048.lock")).map_err(unavailable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(path, &mut lock)),
            Err(TryLockError::Error(error)) => return Err(unavailable(error)),
        }
        lock.set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| write!(lock, "{}", std::process::id()))
            .map_err(unavailable)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes what was created in it and renamed survive a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(&self.path)?.sync_all() } else { Ok(()) }
    }
}

/// A file to read and write, made where there is none, private to the user.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes an empty file that nobody else may read, so that SQLite does not make one that everybody may.
pub(super) fn make_private_file(path: &Path) -> io::Result<()> {
    private().truncate(true).open(path).map(drop)
}

fn make(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| found.is_dir()) {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn in_use(path: &Path, lock: &mut File) -> StoreError {
    let mut holder = String::new();
    // Between taking the lock and writing its number down, the other process has no name yet.
    let by = match lock.read_to_string(&mut holder) {
        Ok(1..) => format!("process {}", holder.trim()),
        _ => "another process".to_owned(),
    };
    let text = format!("the data folder {} is in use by {by}", path.display());
    StoreError::new(ErrorKind::InUse, text)
}
