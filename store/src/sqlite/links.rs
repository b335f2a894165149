//! What is done with links to watch by.

use rusqlite::Connection;

use super::{
    fault::Fault,
    rows::{link, session::SessionRow},
};
use crate::{ErrorKind, MOST_LINKS, SessionId, StoreError};

pub(super) fn add(connection: &Connection, id: &SessionId, key: &[u8; 32]) -> Result<(), Fault> {
    let session = SessionRow::find(connection, id)?.filter(|session| session.closed.is_none());
    let session = session.ok_or_else(|| {
        StoreError::new(ErrorKind::NotFound, format!("there is no open session {id}"))
    })?;
    if link::count(connection, session.n)? >= MOST_LINKS {
        return Err(StoreError::too_many_links().into());
    }
    link::put(connection, key, session.n)
}

pub(super) fn find(connection: &Connection, key: &[u8; 32]) -> Result<Option<SessionId>, Fault> {
    let session = link::get(connection, key)?;
    session.map(|n| Ok(SessionRow::get(connection, n)?.id)).transpose()
}

pub(super) fn revoke(connection: &Connection, id: &SessionId) -> Result<usize, Fault> {
    match SessionRow::find(connection, id)? {
        Some(session) => link::delete(connection, session.n),
        None => Ok(0),
    }
}
