//! The table `link`.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::verify;
use crate::sqlite::{fault::Fault, sum::Sum};

/// Writes a new one to a session, by its number.
pub(in crate::sqlite) fn put(
    connection: &Connection,
    key: &[u8; 32],
    session: i64,
) -> Result<(), Fault> {
    connection.prepare_cached("INSERT OR REPLACE INTO link VALUES (?, ?, ?)")?.execute(params![
        key,
        session,
        sum(key, session).done()
    ])?;
    Ok(())
}

/// The number of the session that it leads to.
pub(in crate::sqlite) fn get(
    connection: &Connection,
    key: &[u8; 32],
) -> Result<Option<i64>, Fault> {
    let mut select = connection.prepare_cached("SELECT * FROM link WHERE key = ?")?;
    let mut rows = select.query([key])?;
    rows.next()?.map(read).transpose()
}

/// How many lead to a session.
pub(in crate::sqlite) fn count(connection: &Connection, session: i64) -> Result<usize, Fault> {
    let count = connection
        .prepare_cached("SELECT count(*) FROM link WHERE session = ?")?
        .query_row([session], |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(usize::try_from(count.unwrap_or_default()).unwrap_or_default())
}

/// Removes those that lead to a session; gives how many they were.
pub(in crate::sqlite) fn delete(connection: &Connection, session: i64) -> Result<usize, Fault> {
    Ok(connection.prepare_cached("DELETE FROM link WHERE session = ?")?.execute([session])?)
}

pub(in crate::sqlite) fn read(row: &Row<'_>) -> Result<i64, Fault> {
    let (key, session): ([u8; 32], i64) = (row.get("key")?, row.get("session")?);
    verify(row.get("sum")?, sum(&key, session), || format!("a link to session number {session}"))?;
    Ok(session)
}

fn sum(key: &[u8; 32], session: i64) -> Sum {
    Sum::default().bytes(key).int(session)
}
