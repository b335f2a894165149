//! What can go wrong, by what a caller can do about it.

use std::error::Error;

use crate::MOST_LINKS;

/// A request that the store did not carry out. Nothing of it was written.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct StoreError {
    /// What a caller can act on.
    pub kind: ErrorKind,
    /// One sentence that names the thing.
    pub text: String,
    /// What the adapter was told.
    #[source]
    pub source: Option<Box<dyn Error + Send + Sync>>,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Somebody else appended first: the caller's position is old. Load again.
    Conflict {
        /// The `seq` that the store is at.
        actual: u64,
    },
    /// There is no such session (or it is closed), game or reply.
    NotFound,
    /// There is one with this id already.
    Exists,
    /// No room, no right to write, or a failing disk: may pass.
    Unavailable,
    /// The file is not what it should be: needs an operator.
    Damaged,
    /// Another process has the data folder.
    InUse,
    /// More is waiting than the store takes on: may be asked again later.
    Busy,
    /// A cursor that no list of this store gave out.
    BadCursor,
    /// What was asked contradicts itself or what is stored: a mistake of the caller's code.
    Invalid,
}

impl StoreError {
    /// An error without a cause of its own.
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), source: None }
    }

    /// A session has [`MOST_LINKS`] links.
    pub(crate) fn too_many_links() -> Self {
        let text = format!("there are {MOST_LINKS} links already: revoke them first");
        Self::new(ErrorKind::Exists, text)
    }

    /// An error with what caused it.
    pub fn because(
        kind: ErrorKind,
        text: impl Into<String>,
        source: impl Error + Send + Sync + 'static,
    ) -> Self {
        Self { kind, text: text.into(), source: Some(Box::new(source)) }
    }
}
