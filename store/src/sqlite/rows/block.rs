//! The table `block`.

use engine::Direction;
use rusqlite::{Connection, Row, params};

use super::verify;
use crate::{
    Move,
    segment::{self, CAPACITY, NotMoves},
    sqlite::{fault::Fault, sum::Sum},
};

/// The moves of one row: few enough to rewrite a row each time that a segment is full, many enough for few rows.
const MOVES: u32 = 16 * CAPACITY as u32;

/// Adds a segment to a game of which `before` moves are in blocks.
pub(in crate::sqlite) fn extend(
    connection: &Connection,
    game: i64,
    before: u32,
    segment: &[u8],
) -> Result<(), Fault> {
    let number = before / MOVES;
    let mut moves = if before.is_multiple_of(MOVES) {
        Vec::new()
    } else {
        let mut select =
            connection.prepare_cached("SELECT * FROM block WHERE game = ? AND number = ?")?;
        select.query([game, number.into()])?.next()?.map(read).transpose()?.unwrap_or_default()
    };
    moves.extend_from_slice(segment);
    connection
        .prepare_cached("INSERT OR REPLACE INTO block VALUES (?, ?, ?, ?)")?
        .execute(params![game, number, moves, sum(game, number, &moves).done()])?;
    Ok(())
}

/// The first `count` directions of a game, which must be that many.
pub(in crate::sqlite) fn directions(
    connection: &Connection,
    game: i64,
    count: u32,
) -> Result<Vec<Direction>, Fault> {
    let mut all = Vec::with_capacity(count as usize);
    let mut select =
        connection.prepare_cached("SELECT * FROM block WHERE game = ? ORDER BY number")?;
    let mut rows = select.query([game])?;
    while let Some(row) = rows.next()? {
        let directions = segment::directions(&read(row)?).map_err(|NotMoves| damage(game))?;
        if all.len() != row.get::<_, u32>("number")? as usize * MOVES as usize {
            return Err(damage(game));
        }
        all.extend(directions);
    }
    if all.len() == count as usize { Ok(all) } else { Err(damage(game)) }
}

/// The moves `from` to `to` of a game, both included and counted from 1; all of them must be in blocks.
pub(in crate::sqlite) fn moves(
    connection: &Connection,
    game: i64,
    from: u32,
    to: u32,
) -> Result<Vec<Move>, Fault> {
    let (first, count) = (from - 1, (to + 1 - from) as usize);
    let mut all = Vec::with_capacity(count);
    for number in first / MOVES..=(to - 1) / MOVES {
        let mut select =
            connection.prepare_cached("SELECT * FROM block WHERE game = ? AND number = ?")?;
        let mut rows = select.query([game, number.into()])?;
        let bytes = read(rows.next()?.ok_or_else(|| damage(game))?)?;
        let skip = first.saturating_sub(number * MOVES) as usize;
        all.extend(
            segment::moves(&bytes, skip, count - all.len()).map_err(|NotMoves| damage(game))?,
        );
    }
    if all.len() == count { Ok(all) } else { Err(damage(game)) }
}

fn read(row: &Row<'_>) -> Result<Vec<u8>, Fault> {
    let moves: Vec<u8> = row.get("moves")?;
    let (game, number) = (row.get("game")?, row.get("number")?);
    verify(row, sum(game, number, &moves), || format!("the moves of game number {game}"))?;
    Ok(moves)
}

fn sum(game: i64, number: u32, moves: &[u8]) -> Sum {
    Sum::default().int(game).int(number.into()).bytes(moves)
}

fn damage(game: i64) -> Fault {
    Fault::Damage(format!("moves of game number {game} are missing"))
}
