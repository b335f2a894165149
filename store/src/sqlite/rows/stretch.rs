//! The table `stretch`.

use rusqlite::{Connection, Row, params};

use super::verify;
use crate::{
    DriverKind,
    driver::Takeover,
    sqlite::{fault::Fault, sum::Sum},
};

/// Writes who has a game from some move on, instead of whoever was to have it from there.
pub(in crate::sqlite) fn put(
    connection: &Connection,
    game: i64,
    takeover: &Takeover,
) -> Result<(), Fault> {
    let Takeover { since, kind, name, why } = takeover;
    connection
        .prepare_cached("INSERT OR REPLACE INTO stretch VALUES (?, ?, ?, ?, ?, ?)")?
        .execute(params![game, since, number(*kind), name, why, sum(game, takeover).done()])?;
    Ok(())
}

/// Everybody who had a game, oldest first.
pub(in crate::sqlite) fn all(connection: &Connection, game: i64) -> Result<Vec<Takeover>, Fault> {
    let mut select =
        connection.prepare_cached("SELECT * FROM stretch WHERE game = ? ORDER BY since")?;
    let mut rows = select.query([game])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    if all.first().is_some_and(|first| first.since == 0) {
        Ok(all)
    } else {
        Err(Fault::Damage(format!("nobody began game number {game}")))
    }
}

pub(in crate::sqlite) fn read(row: &Row<'_>) -> Result<Takeover, Fault> {
    let game: i64 = row.get("game")?;
    let damage = || format!("the drivers of game number {game}");
    let kind = match row.get("kind")? {
        0 => DriverKind::Human,
        1 => DriverKind::Player,
        2 => DriverKind::Bot,
        _ => return Err(Fault::Damage(damage())),
    };
    let takeover =
        Takeover { since: row.get("since")?, kind, name: row.get("name")?, why: row.get("why")? };
    verify(row.get("sum")?, sum(game, &takeover), damage)?;
    Ok(takeover)
}

fn sum(game: i64, takeover: &Takeover) -> Sum {
    Sum::default()
        .int(game)
        .int(takeover.since.into())
        .int(number(takeover.kind))
        .text(&takeover.name)
        .maybe(takeover.why.as_deref(), Sum::text)
}

const fn number(kind: DriverKind) -> i64 {
    match kind {
        DriverKind::Human => 0,
        DriverKind::Player => 1,
        DriverKind::Bot => 2,
    }
}
