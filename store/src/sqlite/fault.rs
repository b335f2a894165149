//! What can go wrong inside, and what a caller is told of it.

use std::path::Path;

use rusqlite::{ErrorCode, ffi::SQLITE_CONSTRAINT_UNIQUE as UNIQUE};

use crate::{ErrorKind, StoreError};

/// Why a piece of work was not done.
#[derive(Debug)]
pub(super) enum Fault {
    /// It was looked at and turned down before anything was written.
    Refused(StoreError),
    /// SQLite failed; something may have been written, which must be rolled back.
    Sql(rusqlite::Error),
    /// A row is not what was written; likewise.
    Damage(String),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

impl Fault {
    /// What the caller is told; `file` is the one that it happened in.
    pub(super) fn into_error(self, file: &Path) -> StoreError {
        match self {
            Self::Refused(error) => error,
            Self::Damage(what) => StoreError::new(ErrorKind::Damaged, damaged(file, &what)),
            Self::Sql(error) => {
                let kind = kind_of(&error);
                let text = match kind {
                    ErrorKind::Damaged => damaged(file, &error.to_string()),
                    ErrorKind::Exists => "there is a game with this id already".to_owned(),
                    _ => format!("{} cannot be used now: {error}", file.display()),
                };
                StoreError::because(kind, text, error)
            }
        }
    }
}

/// The sentence about a damaged file.
fn damaged(file: &Path, what: &str) -> String {
    // SQLite's own words about a tree are two lines.
    let what = what.lines().collect::<Vec<_>>().join(": ");
    format!(
        "{} is damaged ({what}): put a backup in its place, or move it away to begin with nothing",
        file.display()
    )
}

fn kind_of(error: &rusqlite::Error) -> ErrorKind {
    let rusqlite::Error::SqliteFailure(failure, _) = error else {
        // A column of another type, or out of range, or no text: it was not written so.
        return ErrorKind::Damaged;
    };
    match failure.code {
        ErrorCode::DiskFull
        | ErrorCode::SystemIoFailure
        | ErrorCode::ReadOnly
        | ErrorCode::CannotOpen
        | ErrorCode::PermissionDenied
        | ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::OutOfMemory
        | ErrorCode::OperationInterrupted
        | ErrorCode::OperationAborted => ErrorKind::Unavailable,
        ErrorCode::ConstraintViolation if failure.extended_code == UNIQUE => ErrorKind::Exists,
        ErrorCode::TooBig => ErrorKind::Invalid,
        _ => ErrorKind::Damaged,
    }
}
