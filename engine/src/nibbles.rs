//! Sixteen nibbles in a word: the bit tricks of the board, without its rules.
//!
//! The nibble i, bits 4i to 4i + 3, is the square i; row 0 stands in the lowest sixteen bits.

use crate::Cell;

/// The lowest bit of every nibble.
pub(crate) const ONES: u64 = 0x1111_1111_1111_1111;

/// The lowest bits of the nibbles that have a neighbour to the right, and below.
pub(crate) const NOT_LAST_COLUMN: u64 = 0x0111_0111_0111_0111;
pub(crate) const NOT_LAST_ROW: u64 = 0x0000_1111_1111_1111;

/// The lowest bit of every nibble that is zero.
#[inline(always)]
pub(crate) const fn zeros(nibbles: u64) -> u64 {
    let pairs = nibbles | nibbles >> 1;
    !(pairs | pairs >> 2) & ONES
}

/// The lowest bits of the nibbles that equal their right neighbour, in the first three columns; two zeros are equal.
#[inline(always)]
pub(crate) const fn equal_across(nibbles: u64) -> u64 {
    zeros(nibbles ^ nibbles >> 4) & NOT_LAST_COLUMN
}

/// The lowest bits of the nibbles that equal the one below, in the first three rows; two zeros are equal.
#[inline(always)]
pub(crate) const fn equal_down(nibbles: u64) -> u64 {
    zeros(nibbles ^ nibbles >> 16) & NOT_LAST_ROW
}

/// How many of the nibbles' lowest bits are set, 0 to 16. Faster than `count_ones` on the processors that lack the
/// instruction, and in vectors.
#[inline(always)]
pub(crate) const fn count(bits: u64) -> u64 {
    let pairs = (bits + (bits >> 4)) & 0x0303_0303_0303_0303;
    pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// The square of the lowest bit; `None` of no bit.
#[inline]
pub(crate) const fn first(bits: u64) -> Option<Cell> {
    Cell::from_index(bits.trailing_zeros() as usize / 4)
}

/// The bit with the number `n`, from 0, of nibbles' lowest bits; none when there are no more than `n`.
#[inline(always)]
pub(crate) const fn nth(bits: u64, n: usize) -> u64 {
    if n > 15 {
        return 0;
    }
    // Every nibble of the product counts the bits up to its own, and a sixteenth bit as 0.
    let counts = bits.wrapping_mul(ONES);
    let wanted = ((n as u64 + 1) & 0xf) * ONES;
    zeros(counts ^ wanted) & bits
}

/// Whether two nibbles or more are fifteen: two tiles of 32768 may merge.
#[inline(always)]
pub(crate) const fn has_two_fifteens(nibbles: u64) -> bool {
    let fifteens = zeros(!nibbles);
    fifteens & fifteens.wrapping_sub(1) != 0
}

/// Exchanges rows and columns.
///
/// ```text
/// 0 1 2 3    0 4 2 6    0 4 8 c    First the diagonals inside each block of 2 x 2,
/// 4 5 6 7 -> 1 5 3 7 -> 1 5 9 d    then the two blocks off the diagonal.
/// 8 9 a b    8 c a e    2 6 a e
/// c d e f    9 d b f    3 7 b f
/// ```
#[inline(always)]
pub(crate) const fn transpose(nibbles: u64) -> u64 {
    let kept = nibbles & 0xf0f0_0f0f_f0f0_0f0f;
    let up = nibbles & 0x0000_f0f0_0000_f0f0;
    let down = nibbles & 0x0f0f_0000_0f0f_0000;
    let blocks = kept | up << 12 | down >> 12;
    let kept = blocks & 0xff00_ff00_00ff_00ff;
    let up = blocks & 0x0000_0000_ff00_ff00;
    let down = blocks & 0x00ff_00ff_0000_0000;
    kept | up << 24 | down >> 24
}

/// Reverses the four nibbles of every row.
#[inline(always)]
pub(crate) const fn mirror(nibbles: u64) -> u64 {
    let halves = (nibbles & 0x00ff_00ff_00ff_00ff) << 8 | nibbles >> 8 & 0x00ff_00ff_00ff_00ff;
    (halves & 0x0f0f_0f0f_0f0f_0f0f) << 4 | halves >> 4 & 0x0f0f_0f0f_0f0f_0f0f
}

/// [`transpose`] of sixteen bits, one a square.
#[inline]
pub(crate) const fn transpose_bits(bits: u16) -> u16 {
    if bits == 0 { 0 } else { to_bits(transpose(from_bits(bits))) }
}

/// [`mirror`] of sixteen bits, one a square.
#[inline]
pub(crate) const fn mirror_bits(bits: u16) -> u16 {
    if bits == 0 { 0 } else { to_bits(mirror(from_bits(bits))) }
}

/// Sixteen bits, each at the lowest place of its square's nibble.
pub(crate) const fn from_bits(bits: u16) -> u64 {
    let (mut spread, mut index) = (0, 0);
    while index < 16 {
        spread |= (bits as u64 >> index & 1) << (4 * index);
        index += 1;
    }
    spread
}

/// The lowest bits of the nibbles, side by side.
const fn to_bits(nibbles: u64) -> u16 {
    let (mut bits, mut index) = (0, 0);
    while index < 16 {
        bits |= ((nibbles >> (4 * index) & 1) as u16) << index;
        index += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every square's own number.
    const NUMBERED: u64 = 0xfedc_ba98_7654_3210;

    #[test]
    fn squares_move_as_drawn() {
        assert_eq!(transpose(NUMBERED), 0xfb73_ea62_d951_c840);
        assert_eq!(mirror(NUMBERED), 0xcdef_89ab_4567_0123);
    }

    #[test]
    fn bits_move_as_their_nibbles_do() {
        for index in 0..16 {
            let nibble = 1 << (4 * index);
            assert_eq!(from_bits(1 << index), nibble);
            assert_eq!(from_bits(transpose_bits(1 << index)), transpose(nibble));
            assert_eq!(from_bits(mirror_bits(1 << index)), mirror(nibble));
        }
    }

    #[test]
    fn the_nth_bit_is_found_of_any_number_of_bits() {
        assert_eq!(first(nth(zeros(0xffff_ffff_ffff_0f0f), 1)), Cell::from_index(3));
        for len in 0..=16 {
            // The lowest bits of the last `len` nibbles.
            let bits = ONES.checked_shl(64 - 4 * len as u32).unwrap_or(0);
            for n in 0..70 {
                let cell = if n < len { Cell::from_index(16 - len + n) } else { None };
                assert_eq!(first(nth(bits, n)), cell, "{n} of {len}");
            }
        }
    }
}
