//! What the search has found out about afterstates, kept between moves.

use std::hash::{DefaultHasher, Hash, Hasher};

use engine::Board;

/// The value of an afterstate, as a search found it.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: Key,
    value: f32,
    /// How many moves it looked ahead; 0 is a free slot.
    depth: u8,
    care: Care,
    /// The decision it was for.
    generation: u8,
}

/// Two slots for the same hashes, in one line of the processor's cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Pair {
    deepest: Slot,
    newest: Slot,
}

/// What a board is recognised by: its nibbles, or a hash when they cannot hold it, which may with a chance of 2^-64
/// be another board's. Packed, so that a slot has sixteen bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(Rust, packed)]
struct Key {
    word: u64,
    is_hash: bool,
}

impl Key {
    #[inline]
    fn of(board: &Board) -> Self {
        match board.nibbles() {
            Some(word) => Self { word, is_hash: false },
            None => Self { word: hash(board), is_hash: true },
        }
    }
}

#[cold]
fn hash(board: &Board) -> u64 {
    let mut hasher = DefaultHasher::new();
    board.hash(&mut hasher);
    hasher.finish()
}

/// How carefully an afterstate was searched: down to which share of its own probability nothing was cut off, in eighths
/// of a halving, roughly. A value is no answer for a search that is more careful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Care(u8);

impl Care {
    /// Of a value that nothing was cut off for.
    pub(super) const EXACT: Self = Self(u8::MAX);

    /// The care of a search that cuts off what is less probable than `cutoff`, for an afterstate of `probability`.
    #[inline]
    pub(super) fn of(probability: f32, cutoff: f32) -> Self {
        // The bits of a positive float rise with it, and twenty down stand three bits of the fraction.
        let bits = (probability / cutoff).to_bits();
        Self((bits.saturating_sub(1.0_f32.to_bits()) >> 20).min(u32::from(u8::MAX)) as u8)
    }
}

/// What the table knows of an afterstate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) value: f32,
    care: Care,
}

impl Found {
    /// Whether nothing was cut off for it.
    pub(super) fn is_exact(self) -> bool {
        self.care == Care::EXACT
    }
}

/// A table of fixed size with two slots for each hash: one keeps the deepest, the other the newest. Values stay right
/// from move to move, since they depend on the afterstate alone; the generation only says which ones are of use.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// A power of two of them, or none before the first use.
    pairs: Vec<Pair>,
    generation: u8,
}

impl Table {
    /// Makes ready for another decision, with room for 2^`bits` values.
    pub(super) fn renew(&mut self, bits: u32) {
        self.generation = self.generation.wrapping_add(1);
        let pairs = 1 << bits.saturating_sub(1);
        if self.pairs.len() != pairs {
            self.pairs = vec![Pair::default(); pairs];
        }
    }

    /// Reads a little of where `board` would stand: the memory brings the rest of it.
    #[inline]
    pub(super) fn touch(&self, board: &Board) -> u8 {
        self.pairs[self.index(Key::of(board))].deepest.depth
    }

    /// The value of `board`, if it was searched `depth` moves deep or deeper, with no less care.
    #[inline]
    pub(super) fn get(&self, board: &Board, depth: u8, care: Care) -> Option<Found> {
        let key = Key::of(board);
        let pair = &self.pairs[self.index(key)];
        let fits = |slot: &Slot| slot.key == key && slot.depth >= depth && slot.care >= care;
        let slot = [&pair.deepest, &pair.newest].into_iter().find(|slot| fits(slot))?;
        Some(Found { value: slot.value, care: slot.care })
    }

    /// Keeps a value.
    #[inline]
    pub(super) fn put(&mut self, board: &Board, depth: u8, care: Care, value: f32) {
        let key = Key::of(board);
        let generation = self.generation;
        let index = self.index(key);
        let pair = &mut self.pairs[index];
        let is_worth_less = pair.deepest.generation != generation || pair.deepest.depth <= depth;
        let slot = if is_worth_less { &mut pair.deepest } else { &mut pair.newest };
        *slot = Slot { key, value, depth, care, generation };
    }

    #[inline]
    fn index(&self, key: Key) -> usize {
        let word = key.word;
        // The upper half of a product by an odd number depends on all bits of the lower half.
        let mixed = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.pairs.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    fn table() -> Table {
        let mut table = Table::default();
        table.renew(10);
        table
    }

    const LESS: Care = Care(40);
    const MORE: Care = Care(80);

    #[test]
    fn a_value_answers_for_as_deep_and_as_careful_only() {
        let mut table = table();
        let board = board("2 4 8 16 . . . . . . . . . . . .");
        let get = |table: &Table, board: &Board, depth, care| {
            table.get(board, depth, care).map(|found| (found.value.to_bits(), found.is_exact()))
        };
        table.put(&board, 3, LESS, 7.0);
        let found = Some((7.0_f32.to_bits(), false));
        assert_eq!(get(&table, &board, 3, LESS), found);
        assert_eq!(get(&table, &board, 2, LESS), found);
        assert_eq!(get(&table, &board, 4, LESS), None);
        assert_eq!(get(&table, &board, 3, MORE), None);
        assert_eq!(get(&table, &board.mirrored(), 3, LESS), None);
        table.put(&board, 3, Care::EXACT, 8.0);
        assert_eq!(get(&table, &board, 3, MORE), Some((8.0_f32.to_bits(), true)));
    }

    #[test]
    fn care_rises_with_what_is_not_cut_off() {
        let cares = [1.0, 0.5, 0.4, 0.1, 1e-2, 1e-4].map(|cutoff| Care::of(1.0, cutoff));
        assert!(cares.windows(2).all(|pair| pair[0] < pair[1]), "{cares:?}");
        assert_eq!(Care::of(0.5, 0.1), Care::of(0.05, 0.01));
        assert_eq!(Care::of(1e-3, 1.0), Care(0));
        assert_eq!(Care::of(1.0, 0.0), Care::EXACT);
    }

    #[test]
    fn boards_that_a_nibble_cannot_hold_are_kept_apart() {
        let mut table = table();
        let (one, other) = (
            board("131072 2 . . . . . . . . . . . . . ."),
            board("2 2 . . . . . . . . . . . . . ."),
        );
        table.put(&one, 2, LESS, 1.0);
        assert!(table.get(&one, 2, LESS).is_some());
        assert_eq!(table.get(&other, 2, LESS), None);
    }

    #[test]
    fn deep_values_outlive_shallow_ones_of_the_same_decision() {
        let mut table = Table::default();
        // Room for two: everything meets in one pair of slots.
        table.renew(1);
        let boards = [
            "2 . . . . . . . . . . . . . . .",
            "4 . . . . . . . . . . . . . . .",
            "8 . . . . . . . . . . . . . . .",
        ]
        .map(board);
        table.put(&boards[0], 5, LESS, 0.0);
        table.put(&boards[1], 2, LESS, 1.0);
        table.put(&boards[2], 2, LESS, 2.0);
        let kept =
            |table: &Table| boards.map(|board| table.get(&board, 1, LESS).map(|found| found.value));
        assert_eq!(kept(&table), [Some(0.0), None, Some(2.0)]);
        table.renew(1);
        table.put(&boards[1], 2, LESS, 1.0);
        assert_eq!(kept(&table), [None, Some(1.0), Some(2.0)]);
    }
}
