//! Many boards at once, in loops that compilers turn into vector instructions.
//!
//! A board is a word of sixteen nibbles here, without 65536 and 131072, and a row is sixteen bits. Everything is
//! `#[inline(always)]`, as [`crate::processor`] demands, and free of branches and tables: with 256-bit vectors one
//! instruction works on sixteen rows.

use crate::{Direction, nibbles};

/// Slides every board to the left.
#[inline(always)]
pub(crate) fn left<const N: usize>(boards: &mut [u64; N]) {
    let mut rows = split(boards);
    for row in rows.as_flattened_mut() {
        *row = slide(*row).0;
    }
    *boards = join(&rows);
}

/// Slides every board to the left, and gives the points of each in quarters.
#[inline(always)]
pub(crate) fn left_gaining<const N: usize>(boards: &mut [u64; N]) -> [u64; N] {
    let mut rows = split(boards);
    let mut gains = [[0; 4]; N];
    for (row, gain) in rows.as_flattened_mut().iter_mut().zip(gains.as_flattened_mut()) {
        let (slid, one, other) = slide(*row);
        // The exponent 0 of "no merge" makes no quarter: 1 >> 2 is 0.
        (*row, *gain) = (slid, ((1 << one) >> 2) + ((1 << other) >> 2));
    }
    *boards = join(&rows);
    let mut quarters = join(&gains);
    for gains in &mut quarters {
        let pairs = (*gains & 0xffff_0000_ffff) + (*gains >> 16 & 0xffff_0000_ffff);
        *gains = (pairs + (pairs >> 32)) & 0xffff_ffff;
    }
    quarters
}

/// Slides one row to the left: the new row, and the exponents of the one or two tiles that merging made, 0 for none.
///
/// First empty squares are squeezed out, from the right, so that what stands right of a square is always squeezed
/// already. Then each square takes in its right neighbour if that is equal, from the left, and the rest moves up: no
/// later comparison sees the new tile again.
#[inline(always)]
fn slide(mut row: u16) -> (u16, u16, u16) {
    row = if row & 0x0f00 == 0 { row & 0x00ff | row >> 4 & 0xff00 } else { row };
    row = if row & 0x00f0 == 0 { row & 0x000f | row >> 4 & 0xfff0 } else { row };
    row = if row & 0x000f == 0 { row >> 4 } else { row };

    let next = row >> 4;
    let first = (row ^ next) & 0x000f == 0 && next & 0x000f != 0;
    row = if first { next & 0xfff0 | ((row & 0x000f) + 0x0001) } else { row };
    let next = row >> 4;
    let second = (row ^ next) & 0x00f0 == 0 && next & 0x00f0 != 0;
    row = if second { next & 0xff00 | ((row & 0x00ff) + 0x0010) } else { row };
    let next = row >> 4;
    let third = (row ^ next) & 0x0f00 == 0 && next & 0x0f00 != 0;
    row = if third { next & 0xf000 | ((row & 0x0fff) + 0x0100) } else { row };

    // A row of four makes two tiles at most, the second then on the second square.
    let made = if first { row & 0xf } else { 0 };
    let made = if third { row >> 8 & 0xf } else { made };
    (row, made, if second { row >> 4 & 0xf } else { 0 })
}

/// All bits or none, by which a board is taken as it is, transposed or mirrored before it slides to the left.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    vertical: u64,
    backward: u64,
}

impl Turn {
    /// The turn that makes a slide to the left of a slide in `direction`.
    pub(crate) const fn to_left(direction: Direction) -> Self {
        Self::from_bits(direction.index() as u64 >> 1 ^ 1, direction.index() as u64)
    }

    /// The turn of a vertical direction if the first number is odd, of one to the right or downwards if the second is.
    #[inline(always)]
    pub(crate) const fn from_bits(vertical: u64, backward: u64) -> Self {
        Self {
            vertical: 0_u64.wrapping_sub(vertical & 1),
            backward: 0_u64.wrapping_sub(backward & 1),
        }
    }

    /// Turns a board.
    #[inline(always)]
    pub(crate) const fn apply(self, board: u64) -> u64 {
        mirror_if(self.backward, transpose_if(self.vertical, board))
    }

    /// Turns it back.
    #[inline(always)]
    pub(crate) const fn undo(self, board: u64) -> u64 {
        transpose_if(self.vertical, mirror_if(self.backward, board))
    }
}

#[inline(always)]
const fn transpose_if(mask: u64, board: u64) -> u64 {
    board ^ (board ^ nibbles::transpose(board)) & mask
}

#[inline(always)]
const fn mirror_if(mask: u64, board: u64) -> u64 {
    board ^ (board ^ nibbles::mirror(board)) & mask
}

/// The rows of every board. Compilers make nothing of it: the bits stay where they are.
#[inline(always)]
fn split<const N: usize>(boards: &[u64; N]) -> [[u16; 4]; N] {
    let mut rows = [[0; 4]; N];
    for (rows, &board) in rows.iter_mut().zip(boards) {
        *rows = [board as u16, (board >> 16) as u16, (board >> 32) as u16, (board >> 48) as u16];
    }
    rows
}

/// The boards of the rows.
#[inline(always)]
fn join<const N: usize>(rows: &[[u16; 4]; N]) -> [u64; N] {
    let mut boards = [0; N];
    for (board, &[a, b, c, d]) in boards.iter_mut().zip(rows) {
        *board = a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48;
    }
    boards
}
