//! Boards with tiles that were not learned, as boards much like them without.
//!
//! After Guei, Chen and Wu, "Optimistic temporal difference learning for 2048" (2021), who call it tile-downgrading.

use engine::{Board, Cell, Tile};

use super::shape::reaches;

/// The exponent of 32768, the largest tile that a nibble holds.
pub(super) const HIGHEST: u8 = 15;

/// A board that is played like `board` and has no tile above 2^`most`, if there is one; else one with these as 2^`most`.
/// While there is a larger tile, and one is missing below the largest, the tiles above the missing one become half of
/// what they are.
#[cold]
pub(super) fn downgraded(board: &Board, most: u8) -> Board {
    let mut exponents = [0; 16];
    for cell in Cell::all() {
        exponents[cell.index()] = board.get(cell).map_or(0, Tile::exponent);
    }
    let largest = |exponents: &[u8; 16]| exponents.iter().copied().max().unwrap_or_default();
    while largest(&exponents) > most {
        let below = 1..largest(&exponents);
        let Some(missing) = below.rev().find(|gap| !exponents.contains(gap)) else { break };
        for exponent in exponents.iter_mut().filter(|exponent| **exponent > missing) {
            *exponent -= 1;
        }
    }
    Cell::all().zip(exponents).fold(Board::EMPTY, |board, (cell, exponent)| {
        Tile::from_exponent(exponent.min(most)).map_or(board, |tile| board.with(cell, tile))
    })
}

/// The nibbles of [`downgraded`] for a board that nibbles hold, at once.
#[inline(always)]
pub(super) fn stepped_down(nibbles: u64, most: u8) -> u64 {
    if most >= HIGHEST || !reaches(nibbles, most + 1) {
        return nibbles;
    }
    step_down(nibbles, most)
}

#[inline(never)]
fn step_down(mut nibbles: u64, most: u8) -> u64 {
    let mut seen = (0..16).fold(0_u32, |seen, cell| seen | 1 << (nibbles >> (4 * cell) & 0xf));
    while seen >> (most + 1) != 0 {
        let missing = !seen & ((1 << seen.ilog2()) - 2);
        if missing == 0 {
            let board = downgraded(&Board::from_nibbles(nibbles), most);
            return board.nibbles().unwrap_or_default();
        }
        // One bit for each square with a larger tile than the largest that is missing.
        let least = missing.ilog2() + 1;
        nibbles -= at_least(nibbles, least) | at_least(nibbles >> 4, least) << 4;
        seen = seen & ((1 << least) - 1) | (seen & !((1 << least) - 1)) >> 1;
    }
    nibbles
}

/// For every second square, from the first on, the lowest bit of its nibble, when its exponent is so large; 1 to 15.
const fn at_least(nibbles: u64, exponent: u32) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    ((nibbles & (0x0f * ONES)) + (16 - exponent as u64) * ONES) >> 4 & ONES
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_largest_tiles_step_down_into_the_gap_below_them() {
        for (board, expected) in [
            ("65536 8192 2 . . . . . . . . . . . . .", "32768 8192 2 . . . . . . . . . . . . ."),
            (
                "65536 32768 16384 2 . . . . . . . . . . . .",
                "32768 16384 8192 2 . . . . . . . . . . . .",
            ),
            ("131072 65536 4 . . . . . . . . . . . . .", "32768 16384 4 . . . . . . . . . . . . ."),
            ("32768 32768 2 . . . . . . . . . . . . .", "32768 32768 2 . . . . . . . . . . . . ."),
        ] {
            assert_eq!(
                downgraded(&board.parse().unwrap(), HIGHEST),
                expected.parse().unwrap(),
                "{board}"
            );
        }
        let all = "65536 32768 16384 8192 512 1024 2048 4096 256 128 64 32 2 4 8 16";
        assert_eq!(
            downgraded(&all.parse().unwrap(), HIGHEST),
            all.replace("65536", "32768").parse().unwrap()
        );
    }

    proptest! {
        #[test]
        fn the_fast_way_steps_down_alike(
            exponents in proptest::array::uniform16(0..=15_u64),
            most in 8..=15_u8,
        ) {
            let nibbles = exponents.iter().rev().fold(0, |nibbles, exponent| nibbles << 4 | exponent);
            let slow = downgraded(&Board::from_nibbles(nibbles), most).nibbles();
            prop_assert_eq!(Some(stepped_down(nibbles, most)), slow);
        }
    }
}
