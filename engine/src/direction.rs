//! The four directions, their order and their names.

use std::{fmt, str::FromStr};

/// A way to slide the board. The order UP, DOWN, LEFT, RIGHT is part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Towards row 0.
    Up,
    /// Towards row 3.
    Down,
    /// Towards column 0.
    Left,
    /// Towards column 3.
    Right,
}

impl Direction {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// Its place in [`Direction::ALL`], 0 to 3.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name as it crosses the wire, in capitals.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "UP",
            Self::Down => "DOWN",
            Self::Left => "LEFT",
            Self::Right => "RIGHT",
        }
    }

    /// Its letter in stored and exported games: U, D, L or R.
    pub const fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }

    /// The direction of a letter U, D, L or R; `None` for any other.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'U' => Some(Self::Up),
            'D' => Some(Self::Down),
            'L' => Some(Self::Left),
            'R' => Some(Self::Right),
            _ => None,
        }
    }

    /// The direction at `index` of [`Direction::ALL`]; `None` from 4 on.
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Up),
            1 => Some(Self::Down),
            2 => Some(Self::Left),
            3 => Some(Self::Right),
            _ => None,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no direction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not one of UP, DOWN, LEFT, RIGHT")]
pub struct UnknownDirection(pub String);

impl FromStr for Direction {
    type Err = UnknownDirection;

    /// Reads a name in any mix of capitals and small letters.
    ///
    /// # Errors
    /// - [`UnknownDirection`] with the text in capitals, as it is shown to the user.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.to_uppercase();
        Self::ALL
            .into_iter()
            .find(|direction| direction.name() == name)
            .ok_or(UnknownDirection(name))
    }
}

/// A set of directions, iterated in the order of [`Direction::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// The set without any direction.
    pub const NONE: Self = Self(0);

    /// The set with `direction` added.
    #[inline]
    #[must_use]
    pub const fn with(self, direction: Direction) -> Self {
        Self(self.0 | 1 << direction.index())
    }

    /// Whether `direction` is in the set.
    #[inline]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & 1 << direction.index() != 0
    }

    /// The set of the directions whose place in [`Direction::ALL`] holds `true`.
    #[inline]
    pub(crate) const fn from_changes(changes: [bool; 4]) -> Self {
        let [up, down, left, right] = changes;
        Self(up as u8 | (down as u8) << 1 | (left as u8) << 2 | (right as u8) << 3)
    }

    /// How many directions there are, 0 to 4.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first in order.
    #[inline]
    pub const fn first(self) -> Option<Direction> {
        Direction::from_index(self.0.trailing_zeros() as usize)
    }

    /// The `n`-th in order, from 0; `None` when there are no more than `n`.
    #[inline]
    pub const fn nth(self, n: usize) -> Option<Direction> {
        let (mut left, mut n) = (self.0, n);
        while n > 0 && left != 0 {
            left &= left - 1;
            n -= 1;
        }
        Direction::from_index(left.trailing_zeros() as usize)
    }

    /// The directions in order.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.contains(direction))
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        directions.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case() {
        for direction in Direction::ALL {
            assert_eq!(direction.name().to_lowercase().parse(), Ok(direction));
            assert_eq!(Direction::from_letter(direction.letter()), Some(direction));
            assert_eq!(Direction::from_index(direction.index()), Some(direction));
        }
    }

    #[test]
    fn an_unknown_name_is_quoted_in_capitals() {
        let error = "sideways".parse::<Direction>().unwrap_err();
        assert_eq!(error.to_string(), "SIDEWAYS is not one of UP, DOWN, LEFT, RIGHT");
    }

    #[test]
    fn a_set_keeps_the_order() {
        let set: Directions = [Direction::Right, Direction::Up].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Direction::Up, Direction::Right]);
        assert_eq!((set.len(), set.first()), (2, Some(Direction::Up)));
        assert_eq!(Directions::NONE.first(), None);
    }
}
