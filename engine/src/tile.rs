//! One tile: a power of two from 2 to 131072.

use std::{fmt, num::NonZeroU8};

/// A tile, held as its exponent: 1 is the tile 2, 17 is the tile 131072.
///
/// There is no larger one. 131072 needs fifteen other squares full and a spawned 4, so 262144 would need a
/// seventeenth square; the type cannot hold it, and two 131072 never merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile(NonZeroU8);

/// A number that is no tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a tile: tiles are powers of two from 2 to 131072")]
pub struct TileError(pub u64);

impl Tile {
    /// The tile 2.
    pub const TWO: Self = Self(NonZeroU8::MIN);
    /// The tile 4.
    pub const FOUR: Self = match Self::from_exponent(2) {
        Some(tile) => tile,
        None => unreachable!(),
    };
    /// The largest tile, 131072.
    pub const MAX: Self = match Self::from_exponent(17) {
        Some(tile) => tile,
        None => unreachable!(),
    };

    /// The tile 2^`exponent`; `None` outside 1 to 17.
    pub const fn from_exponent(exponent: u8) -> Option<Self> {
        match NonZeroU8::new(exponent) {
            Some(exponent) if exponent.get() <= 17 => Some(Self(exponent)),
            _ => None,
        }
    }

    /// The tile that shows `value`.
    ///
    /// # Errors
    /// - [`TileError`] unless `value` is a power of two from 2 to 131072.
    pub const fn from_value(value: u64) -> Result<Self, TileError> {
        if !value.is_power_of_two() {
            return Err(TileError(value));
        }
        match Self::from_exponent(value.trailing_zeros() as u8) {
            Some(tile) => Ok(tile),
            None => Err(TileError(value)),
        }
    }

    /// Its exponent, 1 to 17.
    pub const fn exponent(self) -> u8 {
        self.0.get()
    }

    /// The number it shows, 2 to 131072.
    pub const fn value(self) -> u32 {
        1 << self.0.get()
    }

    /// What two of it make: the next tile; `None` for two 131072.
    pub const fn merged(self) -> Option<Self> {
        Self::from_exponent(self.0.get() + 1)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exponent_has_its_value() {
        for exponent in 1..=17 {
            let tile = Tile::from_exponent(exponent).unwrap();
            assert_eq!(Tile::from_value(1 << exponent), Ok(tile));
            assert_eq!(tile.value(), 1 << exponent);
        }
    }

    #[test]
    fn what_is_no_tile_is_refused_by_name() {
        for value in [0, 1, 3, 6, 262_144, u64::MAX] {
            let text = Tile::from_value(value).unwrap_err().to_string();
            assert!(text.starts_with(&format!("{value} is not a tile")), "{text}");
        }
    }

    #[test]
    fn two_of_the_largest_make_nothing() {
        assert_eq!(Tile::TWO.merged(), Some(Tile::FOUR));
        assert_eq!(Tile::MAX.merged(), None);
    }
}
