//! A direction as it is written on the wire.

use serde::{Deserialize, Serialize};

/// `"UP"`, `"DOWN"`, `"LEFT"` or `"RIGHT"`, ordered so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
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

impl From<engine::Direction> for Direction {
    fn from(direction: engine::Direction) -> Self {
        match direction {
            engine::Direction::Up => Self::Up,
            engine::Direction::Down => Self::Down,
            engine::Direction::Left => Self::Left,
            engine::Direction::Right => Self::Right,
        }
    }
}

impl From<Direction> for engine::Direction {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Up => Self::Up,
            Direction::Down => Self::Down,
            Direction::Left => Self::Left,
            Direction::Right => Self::Right,
        }
    }
}
