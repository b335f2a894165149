//! The sixteen squares.

/// A square of the board, counted row by row from the top left: 0 to 15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The square at `row` and `column`, each 0 to 3.
    ///
    /// # Panics
    /// When either is above 3.
    pub const fn at(row: usize, column: usize) -> Self {
        assert!(row < 4 && column < 4);
        Self((row * 4 + column) as u8)
    }

    /// The square with the number `index`; `None` from 16 on.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 16 { Some(Self(index as u8)) } else { None }
    }

    /// All sixteen, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..16).map(Self)
    }

    /// Its number, 0 to 15.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its row, 0 (top) to 3.
    pub const fn row(self) -> usize {
        self.0 as usize / 4
    }

    /// Its column, 0 (left) to 3.
    pub const fn column(self) -> usize {
        self.0 as usize % 4
    }
}
