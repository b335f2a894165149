//! A copy of the file while it is in use.

use std::{fs, io, path::Path};

use rusqlite::{Connection, backup::Backup};

use super::{fault::Fault, folder, schema};
use crate::{ErrorKind, StoreError};

/// Copies the newest committed state of `from` to the new file `to`, under an epoch of its own.
pub(super) fn write(from: &Path, to: &Path) -> Result<(), StoreError> {
    if to.exists() {
        let text = format!("{} is there already", to.display());
        return Err(StoreError::new(ErrorKind::Exists, text));
    }
    let mut draft = to.as_os_str().to_owned();
    draft.push("-new");
    let draft = Path::new(&draft);
    let io = |error: io::Error| {
        let text = format!("{} cannot be written: {error}", to.display());
        StoreError::because(ErrorKind::Unavailable, text, error)
    };
    folder::make_private_file(draft).map_err(io)?;
    copy(from, draft).map_err(|error| Fault::from(error).into_error(draft))?;
    fs::rename(draft, to).map_err(io)
}

fn copy(from: &Path, to: &Path) -> Result<(), rusqlite::Error> {
    let from = schema::connect(from)?;
    let mut to = schema::connect(to)?;
    // All in one step is one state; readers and the writer go on meanwhile.
    Backup::new(&from, &mut to)?.step(-1)?;
    to.pragma_update(None, "journal_mode", "DELETE")?;
    to.pragma_update(None, "synchronous", "FULL")?;
    schema::renew_epoch(&to)?;
    to.close().map_err(|(_, error): (Connection, _)| error)
}
