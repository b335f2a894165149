//! The table `block`.

use engine::Direction;
use rusqlite::{Connection, params};

use super::verify;
use crate::{
    Move,
    segment::{self, CAPACITY, NotMoves},
    sqlite::{fault::Fault, sum::Sum},
};

/// The moves of one row: few enough to rewrite a row each time that a segment is full, many enough for few rows.
pub(in crate::sqlite) const MOVES: u32 = 16 * CAPACITY as u32;

/// A game has fewer blocks than this, since it has fewer moves than 2^32.
const BLOCKS: i64 = 1 << 22;

fn place(game: i64, number: u32) -> i64 {
    game * BLOCKS + i64::from(number)
}

/// Adds segments to a game of which `before` moves are in blocks; they must fit into one block.
pub(in crate::sqlite) fn extend(
    connection: &Connection,
    game: i64,
    before: u32,
    segments: &[u8],
) -> Result<(), Fault> {
    let number = before / MOVES;
    let mut moves = Vec::new();
    if !before.is_multiple_of(MOVES) {
        moves = get(connection, game, number)?;
    }
    moves.extend_from_slice(segments);
    let place = place(game, number);
    connection
        .prepare_cached("INSERT OR REPLACE INTO block VALUES (?, ?, ?)")?
        .execute(params![place, moves, sum(place, &moves).done()])?;
    Ok(())
}

/// The first `count` directions of a game, which must be that many.
pub(in crate::sqlite) fn directions(
    connection: &Connection,
    game: i64,
    count: u32,
) -> Result<Vec<Direction>, Fault> {
    let mut all = Vec::new();
    for number in 0..count.div_ceil(MOVES) {
        let bytes = get(connection, game, number)?;
        all.extend(segment::directions(&bytes).map_err(|NotMoves| missing(game))?);
        if all.len() != count.min((number + 1) * MOVES) as usize {
            return Err(missing(game));
        }
    }
    Ok(all)
}

/// The moves `from` to `to` of a game, both included and counted from 1; all of them must be in blocks.
pub(in crate::sqlite) fn moves(
    connection: &Connection,
    game: i64,
    from: u32,
    to: u32,
) -> Result<Vec<Move>, Fault> {
    let (first, count) = (from - 1, (to + 1 - from) as usize);
    let mut all = Vec::new();
    for number in first / MOVES..=(to - 1) / MOVES {
        let bytes = get(connection, game, number)?;
        let skip = first.saturating_sub(number * MOVES) as usize;
        let moves = segment::moves(&bytes, skip, count - all.len());
        all.extend(moves.map_err(|NotMoves| missing(game))?);
    }
    if all.len() == count { Ok(all) } else { Err(missing(game)) }
}

fn get(connection: &Connection, game: i64, number: u32) -> Result<Vec<u8>, Fault> {
    let place = place(game, number);
    let mut select = connection.prepare_cached("SELECT moves, sum FROM block WHERE place = ?")?;
    let mut rows = select.query([place])?;
    let row = rows.next()?.ok_or_else(|| missing(game))?;
    let moves: Vec<u8> = row.get("moves")?;
    verify(row.get("sum")?, sum(place, &moves), || format!("the moves of game number {game}"))?;
    Ok(moves)
}

fn sum(place: i64, moves: &[u8]) -> Sum {
    Sum::default().int(place).bytes(moves)
}

fn missing(game: i64) -> Fault {
    Fault::Damage(format!("moves of game number {game} are missing"))
}
