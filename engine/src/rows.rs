//! What a slide makes of one row: the rule itself, and tables of its answers.

use crate::Tile;

/// Slides four exponents towards index 0: the new line, the points and the pairs that merged.
///
/// The one statement of the rule: the tables below hold its answers, and lines with a larger tile come here.
pub(crate) const fn slide_line(line: [u8; 4]) -> ([u8; 4], u32, u8) {
    let (mut slid, mut gained, mut merges) = ([0; 4], 0, 0);
    let (mut from, mut next) = (0, 0);
    // A tile that has just been made may not merge again in the same slide.
    let mut fresh = true;
    while from < 4 {
        let exponent = line[from];
        from += 1;
        if exponent == 0 {
            continue;
        }
        if !fresh && slid[next - 1] == exponent && exponent < Tile::MAX.exponent() {
            slid[next - 1] += 1;
            gained += 1 << slid[next - 1];
            merges += 1;
            fresh = true;
        } else {
            slid[next] = exponent;
            next += 1;
            fresh = false;
        }
    }
    (slid, gained, merges)
}

/// Something for every row of four nibbles, exponents 0 to 15, the leftmost square in the lowest nibble. 128 KiB.
pub(crate) type RowTable = [u16; 1 << 16];

/// The row after a slide to the left. What stands for a row that makes a 65536, which no nibble holds, is [`WIDE`].
pub(crate) static LEFT: RowTable = slid_table(false);

/// The row after a slide to the right, likewise.
pub(crate) static RIGHT: RowTable = slid_table(true);

/// A quarter of the points of a slide to either side (they are sums of tiles from 4 on), or [`WIDE`].
pub(crate) static QUARTERS: RowTable = quarters_table();

/// In [`QUARTERS`]: this row needs [`slide_line`]. More than any other row's points, 2 * 32768 / 4.
pub(crate) const WIDE: u16 = 0x8000;

/// Looks the four rows of a board up.
#[inline(always)]
pub(crate) fn slide(nibbles: u64, table: &RowTable) -> u64 {
    let row = |index: u32| table[(nibbles >> (16 * index)) as u16 as usize] as u64;
    row(0) | row(1) << 16 | row(2) << 32 | row(3) << 48
}

/// The points of the four rows in quarters; from [`WIDE`] on when one of them is wide.
#[inline(always)]
pub(crate) fn quarters(nibbles: u64) -> u32 {
    let row = |index: u32| QUARTERS[(nibbles >> (16 * index)) as u16 as usize] as u32;
    row(0) + row(1) + row(2) + row(3)
}

/// Built by the compiler, once: no start-up cost and no lock before a look-up.
#[expect(clippy::large_stack_arrays, reason = "const only: the array is the static")]
const fn slid_table(mirrored: bool) -> RowTable {
    let mut table = [WIDE; 1 << 16];
    let mut row = 0;
    while row < 1 << 16 {
        if let Some(slid) = gather(slide_line(spread(row as u16, mirrored)).0, mirrored) {
            table[row] = slid;
        }
        row += 1;
    }
    table
}

#[expect(clippy::large_stack_arrays, reason = "const only: the array is the static")]
const fn quarters_table() -> RowTable {
    let mut table = [WIDE; 1 << 16];
    let mut row = 0;
    while row < 1 << 16 {
        let (slid, gained, _) = slide_line(spread(row as u16, false));
        if gather(slid, false).is_some() {
            table[row] = (gained / 4) as u16;
        }
        row += 1;
    }
    table
}

/// The exponents of a row, from the edge that tiles slide to.
const fn spread(row: u16, mirrored: bool) -> [u8; 4] {
    let mut line = [0; 4];
    let mut column = 0;
    while column < 4 {
        line[if mirrored { 3 - column } else { column }] = (row >> (4 * column) & 0xf) as u8;
        column += 1;
    }
    line
}

/// The row of a line; `None` when an exponent does not fit a nibble.
const fn gather(line: [u8; 4], mirrored: bool) -> Option<u16> {
    let (mut row, mut column) = (0, 0);
    while column < 4 {
        let exponent = line[if mirrored { 3 - column } else { column }];
        if exponent > 0xf {
            return None;
        }
        row |= (exponent as u16) << (4 * column);
        column += 1;
    }
    Some(row)
}
