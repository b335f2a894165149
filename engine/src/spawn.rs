//! The tile that appears after a slide: a function of the seed and its number, so that a game can be replayed.

use crate::{Board, Cell, Tile};

/// The tile that appears, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spawn {
    /// An empty square of the board.
    pub cell: Cell,
    /// 2 in nine of ten spawns, else 4.
    pub tile: Tile,
}

/// The increment of `SplitMix64`: 2^64 divided by the golden ratio, made odd.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The spawn with number `n` (from 0) of the game with this seed, on `board`; `None` when no square is empty.
///
/// `word = mix(mix(seed) + (n + 1) * GAMMA)`, all modulo 2^64. The upper 32 bits, scaled to 0..10, choose the value: 9
/// is a 4, all else a 2. The lower 32 bits, scaled to the number of empty squares, choose the square, counted row by
/// row from the top left. Both scalings are `(bits * range) >> 32`, so their bias is below 2^-28. Nothing but
/// (seed, n) and the squares that are empty goes in: two players on one seed differ by their moves alone.
///
/// Stable over versions and platforms; DESIGN.md has test vectors for a third implementation.
pub fn spawn(seed: u64, n: u64, board: &Board) -> Option<Spawn> {
    let word = mix(mix(seed).wrapping_add(n.wrapping_add(1).wrapping_mul(GAMMA)));
    let empty = board.empty_count() as u64;
    let chosen = ((word & 0xffff_ffff) * empty) >> 32;
    let cell = board.nth_empty(chosen as usize)?;
    let tile = if ((word >> 32) * 10) >> 32 == 9 { Tile::FOUR } else { Tile::TWO };
    Some(Spawn { cell, tile })
}

/// The finalizer of `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014,
/// with Stafford's variant 13 constants).
const fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_board_has_no_spawn() {
        let full: Board = "2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2".parse().unwrap();
        assert_eq!(spawn(1, 0, &full), None);
    }

    #[test]
    fn the_only_empty_square_is_taken() {
        let board: Board = "2 4 2 4 4 2 4 2 2 4 2 4 4 2 . 2".parse().unwrap();
        for n in 0..100 {
            assert_eq!(spawn(7, n, &board).unwrap().cell, Cell::at(3, 2));
        }
    }
}
