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
    rarity: Rarity,
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

/// How unlikely an afterstate was where it was searched, in sixteenths of a halving, roughly. What was searched as a
/// rare case was cut off earlier, so its value is no answer for a likelier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Rarity(u8);

impl Rarity {
    /// The rarity of a probability, 0 to 1.
    #[inline]
    pub(super) fn of(probability: f32) -> Self {
        // The bits of a positive float rise with it, and nineteen down stand four bits of the fraction.
        Self((1.0_f32.to_bits().saturating_sub(probability.to_bits()) >> 19).min(255) as u8)
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

    /// The value of `board`, if it was searched `depth` moves deep or deeper, as a case no rarer.
    #[inline]
    pub(super) fn get(&self, board: &Board, depth: u8, rarity: Rarity) -> Option<f32> {
        let key = Key::of(board);
        let pair = &self.pairs[self.index(key)];
        let fits = |slot: &Slot| slot.key == key && slot.depth >= depth && slot.rarity <= rarity;
        let slot = [&pair.deepest, &pair.newest].into_iter().find(|slot| fits(slot))?;
        Some(slot.value)
    }

    /// Keeps a value.
    #[inline]
    pub(super) fn put(&mut self, board: &Board, depth: u8, rarity: Rarity, value: f32) {
        let key = Key::of(board);
        let generation = self.generation;
        let index = self.index(key);
        let pair = &mut self.pairs[index];
        let is_worth_less = pair.deepest.generation != generation || pair.deepest.depth <= depth;
        let slot = if is_worth_less { &mut pair.deepest } else { &mut pair.newest };
        *slot = Slot { key, value, depth, rarity, generation };
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

    const LIKELY: f32 = 0.5;
    const RARE: f32 = 0.01;

    #[test]
    fn a_value_answers_for_as_deep_and_as_likely_only() {
        let mut table = table();
        let board = board("2 4 8 16 . . . . . . . . . . . .");
        table.put(&board, 3, Rarity::of(RARE), 7.0);
        assert_eq!(table.get(&board, 3, Rarity::of(RARE)), Some(7.0));
        assert_eq!(table.get(&board, 2, Rarity::of(RARE / 2.0)), Some(7.0));
        assert_eq!(table.get(&board, 4, Rarity::of(RARE)), None);
        assert_eq!(table.get(&board, 3, Rarity::of(LIKELY)), None);
        assert_eq!(table.get(&board.mirrored(), 3, Rarity::of(RARE)), None);
    }

    #[test]
    fn rarity_rises_as_probability_falls() {
        let rarities = [1.0, 0.9, 0.5, 0.4, 0.1, 1e-2, 1e-4].map(Rarity::of);
        assert!(rarities.windows(2).all(|pair| pair[0] < pair[1]), "{rarities:?}");
        assert_eq!(Rarity::of(1e-30), Rarity(255));
    }

    #[test]
    fn boards_that_a_nibble_cannot_hold_are_kept_apart() {
        let mut table = table();
        let (one, other) = (
            board("131072 2 . . . . . . . . . . . . . ."),
            board("2 2 . . . . . . . . . . . . . ."),
        );
        table.put(&one, 2, Rarity::of(LIKELY), 1.0);
        assert_eq!(table.get(&one, 2, Rarity::of(LIKELY)), Some(1.0));
        assert_eq!(table.get(&other, 2, Rarity::of(LIKELY)), None);
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
        table.put(&boards[0], 5, Rarity::of(LIKELY), 0.0);
        table.put(&boards[1], 2, Rarity::of(LIKELY), 1.0);
        table.put(&boards[2], 2, Rarity::of(LIKELY), 2.0);
        let kept = |table: &Table| boards.map(|board| table.get(&board, 1, Rarity::of(LIKELY)));
        assert_eq!(kept(&table), [Some(0.0), None, Some(2.0)]);
        table.renew(1);
        table.put(&boards[1], 2, Rarity::of(LIKELY), 1.0);
        assert_eq!(kept(&table), [None, Some(1.0), Some(2.0)]);
    }
}
