//! Where a network looks: four patterns of six squares, each in the eight images of the board.

use engine::Board;

/// The squares of each pattern, in the order of their nibbles in a place, the lowest first: a row and the corner below
/// it, at the edge and in the middle; a block of two rows and three columns, likewise. The shape is from Yeh, Wu and
/// others, "Multi-stage temporal difference learning for 2048-like games" (2016).
pub const PATTERNS: [[u8; 6]; 4] =
    [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];

/// Weights of one pattern: one for each way to put sixteen exponents on six squares.
pub const CELLS: usize = 1 << 24;

/// Weights of a network with one stage.
pub const WEIGHTS: usize = PATTERNS.len() * CELLS;

/// How many weights add up to what a board is worth.
pub(super) const WIDTH: usize = 8 * PATTERNS.len();

/// For each weight of a board, its place among the weights of its pattern, below [`CELLS`]; pattern by pattern.
pub(super) type Places = [u32; WIDTH];

/// Writes the places for a board's nibbles. Equal up to their order for the eight images of a board.
#[inline(always)]
pub(super) fn find_places(nibbles: u64, places: &mut Places) {
    let images = images(nibbles);
    for (i, image) in images.into_iter().enumerate() {
        places[i] = place::<0>(image);
        places[8 + i] = place::<1>(image);
        places[16 + i] = place::<2>(image);
        places[24 + i] = place::<3>(image);
    }
}

/// The place of the pattern `P` laid on an image. The compiler makes a few shifts and masks of it.
#[inline(always)]
const fn place<const P: usize>(image: u64) -> u32 {
    let (mut place, mut i) = (0, 0);
    while i < 6 {
        place |= (image >> (4 * PATTERNS[P][i]) & 0xf) << (4 * i);
        i += 1;
    }
    place as u32
}

/// The eight images of a board's nibbles.
#[inline(always)]
fn images(nibbles: u64) -> [u64; 8] {
    let board = Board::from_nibbles(nibbles);
    let turned = board.transposed();
    let [a, b, c, d] = [board, board.mirrored(), turned, turned.mirrored()]
        .map(|board| board.nibbles().unwrap_or_default());
    [a, b, c, d, flipped(a), flipped(b), flipped(c), flipped(d)]
}

/// The rows in the opposite order.
#[inline(always)]
const fn flipped(nibbles: u64) -> u64 {
    nibbles << 48 | (nibbles & 0xffff_0000) << 16 | nibbles >> 16 & 0xffff_0000 | nibbles >> 48
}

/// Whether there is a tile of at least 2^`exponent`, which is 9 to 15.
#[inline(always)]
pub(super) const fn reaches(nibbles: u64, exponent: u8) -> bool {
    const LOW: u64 = 0x7777_7777_7777_7777;
    // Adding the rest to 8 carries into the highest bit of a nibble when its lower bits are large enough.
    let carried = (nibbles & LOW) + (16 - exponent as u64) * 0x1111_1111_1111_1111;
    nibbles & carried & !LOW != 0
}

#[cfg(test)]
mod tests {
    use engine::{Cell, Tile};

    use super::*;

    fn sorted(nibbles: u64) -> Vec<Vec<u32>> {
        let mut places = [0; WIDTH];
        find_places(nibbles, &mut places);
        places
            .chunks(8)
            .map(|pattern| {
                let mut pattern = pattern.to_vec();
                pattern.sort_unstable();
                pattern
            })
            .collect()
    }

    /// By the definition: the tiles under each pattern, in each image of the board.
    fn by_definition(board: &Board) -> Vec<Vec<u32>> {
        let place = |image: &Board, pattern: [u8; 6]| {
            pattern.iter().rev().fold(0, |place, &square| {
                let cell = Cell::from_index(square.into()).unwrap();
                place << 4 | image.get(cell).map_or(0, Tile::exponent) as u32
            })
        };
        let places = |pattern| {
            let mut places: Vec<u32> =
                board.symmetries().iter().map(|image| place(image, pattern)).collect();
            places.sort_unstable();
            places
        };
        PATTERNS.into_iter().map(places).collect()
    }

    #[test]
    fn the_places_are_those_of_the_tiles_under_the_patterns() {
        let board: Board =
            "2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 .".parse().unwrap();
        for image in board.symmetries() {
            assert_eq!(sorted(image.nibbles().unwrap()), by_definition(&board));
        }
    }

    #[test]
    fn a_large_tile_is_seen_wherever_it_is() {
        for exponent in 9..=15 {
            for cell in Cell::all() {
                let nibbles = |exponent| {
                    let tile = Tile::from_exponent(exponent).unwrap();
                    Board::EMPTY
                        .with(Cell::at(1, 2), Tile::FOUR)
                        .with(cell, tile)
                        .nibbles()
                        .unwrap()
                };
                assert!(reaches(nibbles(exponent), exponent));
                assert!(!reaches(nibbles(exponent - 1), exponent));
            }
        }
    }
}
