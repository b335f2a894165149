//! One file for each table: its rows as structs, written and read with their check sums.

pub(super) mod block;
pub(super) mod command;
pub(super) mod game;
pub(super) mod live;
pub(super) mod session;
pub(super) mod stretch;

use rusqlite::{Connection, Row};

use super::{fault::Fault, sum::Sum};
use crate::Numbers;

/// Reads every row that something is found or listed by.
pub(super) fn verify_all(connection: &Connection) -> Result<(), Fault> {
    fn each<T>(
        connection: &Connection,
        sql: &str,
        read: impl Fn(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<(), Fault> {
        let mut select = connection.prepare(sql)?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            read(row)?;
        }
        Ok(())
    }
    each(connection, "SELECT * FROM session", session::SessionRow::read)?;
    each(connection, "SELECT * FROM live", live::LiveRow::read)?;
    each(connection, "SELECT * FROM game", game::GameRow::read)?;
    each(connection, "SELECT * FROM stretch", stretch::read)
}

/// Whether the row of `what` comes to the sum that is stored with it.
fn verify(stored: i64, sum: Sum, what: impl FnOnce() -> String) -> Result<(), Fault> {
    if stored == sum.done() { Ok(()) } else { Err(Fault::Damage(what())) }
}

impl Sum {
    fn numbers(self, numbers: &Numbers) -> Self {
        self.int(numbers.moves.into())
            .int(numbers.score.cast_signed())
            .int(numbers.merges.into())
            .int(numbers.max_tile.into())
            .int(numbers.over.into())
    }
}
