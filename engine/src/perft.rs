//! Counts of positions, by which engines are compared.

use crate::{Board, Tile};

/// How many ways lead `depth` moves on from `board`: every legal direction, then a 2 and a 4 on every empty square.
/// Ways to equal boards count each; 1 at depth 0.
pub fn perft(board: &Board, depth: u32) -> u64 {
    let Some(deeper) = depth.checked_sub(1) else { return 1 };
    board.slides().into_iter().flatten().map(|slide| spawns(&slide.board, deeper)).sum()
}

/// The ways on from an afterstate.
fn spawns(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 2 * board.empty_count() as u64;
    }
    let ways = |cell, tile| perft(&board.with(cell, tile), depth);
    board.empty_cells().map(|cell| ways(cell, Tile::TWO) + ways(cell, Tile::FOUR)).sum()
}
