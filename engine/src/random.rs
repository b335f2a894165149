//! A small generator for what need not be replayed by others: playouts, samples, tests.

/// Random words from a seed, 64 bits at a time.
///
/// Equal seeds give equal words on every platform. The words may change with a version of this crate: what is stored or
/// published goes through [`spawn()`](crate::spawn()), which promises more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of a seed; every seed is as good as any other.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits: the step of wyrand, from Wang Yi's wyhash (public domain), an addition and one
    /// multiplication to 128 bits. The state is a counter, so the period is 2^64.
    #[inline]
    pub const fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0xa076_1d64_78bd_642f);
        let product = self.state as u128 * (self.state ^ 0xe703_7ed1_a0b4_28db) as u128;
        (product >> 64) as u64 ^ product as u64
    }

    /// A number from 0 to `range` - 1, or 0 when `range` is 0; `range` / 2^32 bounds its bias.
    #[inline]
    pub const fn below(&mut self, range: u32) -> u32 {
        scale(self.word() as u32, range)
    }
}

/// Maps 32 random bits to 0..`range`, evenly but for `range` / 2^32.
#[inline]
pub(crate) const fn scale(bits: u32, range: u32) -> u32 {
    ((bits as u64 * range as u64) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_words() {
        let (mut a, mut b, mut c) = (Random::new(7), Random::new(7), Random::new(8));
        let words = |random: &mut Random| [random.word(), random.word(), random.word()];
        assert_eq!(words(&mut a), words(&mut b));
        assert_ne!(words(&mut a), words(&mut c));
    }

    #[test]
    fn a_number_stays_below_its_range() {
        let mut random = Random::new(1);
        let mut seen = [0; 5];
        for _ in 0..10_000 {
            seen[random.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (1_800..2_200).contains(&count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }
}
