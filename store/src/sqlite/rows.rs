//! One file for each table: its rows as structs, written and read with their check sums.

pub(super) mod block;
pub(super) mod command;
pub(super) mod game;
pub(super) mod link;
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
    each(connection, "SELECT * FROM stretch", stretch::read)?;
    each(connection, "SELECT * FROM link", link::read)?;
    verify_links(connection)
}

/// What a row that is missing leaves behind: each statement finds rows without those that belong to them, and names the
/// first.
const LOOSE_ENDS: [(&str, &str); 8] = [
    (
        "the state of this session is missing",
        "SELECT id FROM session LEFT JOIN live ON live.session = n WHERE closed IS NULL AND live.session IS NULL",
    ),
    (
        "a state without an open session",
        "SELECT session FROM live LEFT JOIN session ON n = session WHERE n IS NULL OR closed IS NOT NULL",
    ),
    (
        "the state has no running game in this session",
        "SELECT live.session FROM live LEFT JOIN game ON n = live.game
         WHERE n IS NULL OR status > 0 OR game.session <> live.session",
    ),
    (
        "this game runs in no session",
        "SELECT id FROM game LEFT JOIN live ON live.game = n WHERE status = 0 AND live.game IS NULL",
    ),
    (
        "the session of this game is missing",
        "SELECT game.id FROM game LEFT JOIN session ON session.n = session WHERE session.n IS NULL",
    ),
    (
        "nobody began this game",
        "SELECT id FROM game LEFT JOIN stretch ON game = n AND since = 0 WHERE since IS NULL",
    ),
    (
        "moves of a game that is missing",
        "SELECT place FROM block LEFT JOIN game ON n = place / 4194304 WHERE n IS NULL",
    ),
    (
        "a link to a session that is closed or missing",
        "SELECT link.session FROM link LEFT JOIN session ON n = link.session WHERE n IS NULL OR closed IS NOT NULL",
    ),
];

/// Whether no row is missing that another one needs.
fn verify_links(connection: &Connection) -> Result<(), Fault> {
    for (what, sql) in LOOSE_ENDS {
        let mut select = connection.prepare(&format!("{sql} LIMIT 1"))?;
        let mut rows = select.query([])?;
        if let Some(row) = rows.next()? {
            let name = row.get_ref(0)?;
            let name = name.as_str().map_or_else(|_| format!("{name:?}"), str::to_owned);
            return Err(Fault::Damage(format!("{what}: {name}")));
        }
    }
    Ok(())
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
