//! The table `session`.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::verify;
use crate::{
    SessionId, UnixMillis,
    sqlite::{fault::Fault, sum::Sum},
};

/// What never changes in a session, but for its end.
#[derive(Debug)]
pub(in crate::sqlite) struct SessionRow {
    pub(in crate::sqlite) n: i64,
    pub(in crate::sqlite) id: SessionId,
    pub(in crate::sqlite) name: Option<String>,
    pub(in crate::sqlite) control: Option<[u8; 32]>,
    pub(in crate::sqlite) created: UnixMillis,
    pub(in crate::sqlite) closed: Option<UnixMillis>,
}

impl SessionRow {
    pub(in crate::sqlite) fn find(
        connection: &Connection,
        id: &SessionId,
    ) -> Result<Option<Self>, Fault> {
        let mut select = connection.prepare_cached("SELECT * FROM session WHERE id = ?")?;
        let mut rows = select.query([id.as_str()])?;
        rows.next()?.map(Self::read).transpose()
    }

    pub(in crate::sqlite) fn get(connection: &Connection, n: i64) -> Result<Self, Fault> {
        let mut select = connection.prepare_cached("SELECT * FROM session WHERE n = ?")?;
        let mut rows = select.query([n])?;
        match rows.next()? {
            Some(row) => Self::read(row),
            None => Err(Fault::Damage(format!("session number {n} is missing"))),
        }
    }

    pub(in crate::sqlite) fn read(row: &Row<'_>) -> Result<Self, Fault> {
        let session = Self {
            n: row.get("n")?,
            id: SessionId::new(row.get::<_, String>("id")?),
            name: row.get("name")?,
            control: row.get("control")?,
            created: UnixMillis(row.get("created")?),
            closed: row.get::<_, Option<i64>>("closed")?.map(UnixMillis),
        };
        verify(row.get("sum")?, session.sum(), || format!("session {}", session.id))?;
        Ok(session)
    }

    /// Writes a new one; gives its number.
    pub(in crate::sqlite) fn insert(mut self, connection: &Connection) -> Result<i64, Fault> {
        let last = "SELECT max(n) FROM session";
        let last = connection.prepare_cached(last)?.query_row([], |row| row.get(0)).optional()?;
        self.n = last.flatten().unwrap_or(0) + 1;
        let insert = "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)";
        connection.prepare_cached(insert)?.execute(params![
            self.n,
            self.id.as_str(),
            self.name,
            self.control,
            self.created.0,
            self.closed.map(|at| at.0),
            self.sum().done(),
        ])?;
        Ok(self.n)
    }

    pub(in crate::sqlite) fn close(
        mut self,
        connection: &Connection,
        at: UnixMillis,
    ) -> Result<(), Fault> {
        self.closed = Some(at);
        connection
            .prepare_cached("UPDATE session SET closed = ?, sum = ? WHERE n = ?")?
            .execute(params![at.0, self.sum().done(), self.n])?;
        Ok(())
    }

    fn sum(&self) -> Sum {
        Sum::default()
            .int(self.n)
            .text(self.id.as_str())
            .maybe(self.name.as_deref(), Sum::text)
            .maybe(self.control.as_ref(), |sum, control| sum.bytes(control))
            .int(self.created.0)
            .maybe(self.closed, |sum, at| sum.int(at.0))
    }
}
