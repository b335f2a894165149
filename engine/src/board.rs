//! The sixteen squares with their tiles.

use std::{fmt, str::FromStr};

use crate::{Cell, Tile, TileError, nibbles};

/// A position: sixteen squares, each empty or with a tile. Equal boards are the same position.
///
/// Games, searches and learning all use this one type: it is exact for every tile up to 131072, and as fast as a
/// board of 64 bits while no tile is above 32768.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    /// The lower four bits of the exponents, the square 0 in the lowest nibble; an exponent of 0 is an empty square.
    pub(crate) nibbles: u64,
    /// The fifth bits, the square 0 in the lowest: set for 65536 and 131072 alone. While there is none, which is
    /// nearly always, the nibbles are the whole position and [`crate::rows`] knows every slide.
    pub(crate) high: u16,
}

/// A grid or a text that is no board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A number on it is no tile.
    #[error(transparent)]
    Tile(#[from] TileError),
    /// The text does not have sixteen squares.
    #[error("a board has 16 squares, not {0}")]
    Squares(usize),
}

impl Board {
    /// The board without a tile.
    pub const EMPTY: Self = Self { nibbles: 0, high: 0 };

    /// The board that shows `values`, row by row; 0 is an empty square.
    ///
    /// # Errors
    /// - [`BoardError::Tile`] for a number that is no tile.
    pub fn from_values(values: [[u64; 4]; 4]) -> Result<Self, BoardError> {
        let mut board = Self::EMPTY;
        for cell in Cell::all() {
            let value = values[cell.row()][cell.column()];
            if value != 0 {
                board.put(cell, Some(Tile::from_value(value)?));
            }
        }
        Ok(board)
    }

    /// The numbers on it, row by row; 0 is an empty square.
    pub fn values(&self) -> [[u32; 4]; 4] {
        let mut values = [[0; 4]; 4];
        for cell in Cell::all() {
            values[cell.row()][cell.column()] = self.get(cell).map_or(0, Tile::value);
        }
        values
    }

    /// The tile on `cell`.
    #[inline]
    pub const fn get(&self, cell: Cell) -> Option<Tile> {
        Tile::from_exponent(self.exponent(cell.index()))
    }

    /// Puts a tile on `cell`, or empties it.
    #[inline]
    pub const fn put(&mut self, cell: Cell, tile: Option<Tile>) {
        let exponent = match tile {
            Some(tile) => tile.exponent(),
            None => 0,
        };
        let index = cell.index();
        self.nibbles &= !(0xf << (4 * index));
        self.nibbles |= (exponent as u64 & 0xf) << (4 * index);
        self.high &= !(1 << index);
        self.high |= (exponent as u16 >> 4) << index;
    }

    /// The board with `tile` on `cell`.
    #[inline]
    #[must_use]
    pub const fn with(mut self, cell: Cell, tile: Tile) -> Self {
        self.put(cell, Some(tile));
        self
    }

    /// The empty squares, in order.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let mut empty = self.empty();
        std::iter::from_fn(move || {
            let cell = nibbles::first(empty)?;
            empty &= empty - 1;
            Some(cell)
        })
    }

    /// How many squares are empty, 0 to 16.
    #[inline]
    pub const fn empty_count(&self) -> usize {
        nibbles::count(self.empty()) as usize
    }

    /// The `n`-th empty square, from 0, in order; `None` when there are no more than `n`.
    #[inline]
    pub fn nth_empty(&self, n: usize) -> Option<Cell> {
        nibbles::first(nibbles::nth(self.empty(), n))
    }

    /// The largest tile; `None` on an empty board.
    pub fn max_tile(&self) -> Option<Tile> {
        (0..16).map(|index| self.exponent(index)).max().and_then(Tile::from_exponent)
    }

    /// The sum of the tiles. A slide keeps it; a spawn adds its tile.
    pub fn sum(&self) -> u32 {
        // An empty square's 2^0 is masked: no branch to guess wrong.
        (0..16).map(|index| 1 << self.exponent(index) & !1).sum()
    }

    /// The board mirrored left to right.
    #[inline]
    #[must_use]
    pub const fn mirrored(&self) -> Self {
        Self { nibbles: nibbles::mirror(self.nibbles), high: nibbles::mirror_bits(self.high) }
    }

    /// The board with rows and columns exchanged.
    #[inline]
    #[must_use]
    pub const fn transposed(&self) -> Self {
        Self { nibbles: nibbles::transpose(self.nibbles), high: nibbles::transpose_bits(self.high) }
    }

    /// The eight boards that rotations and mirrors make of it, itself first. Equal ones are repeated.
    pub fn symmetries(&self) -> [Self; 8] {
        let mut all = [*self; 8];
        for i in 1..8 {
            all[i] = if i % 2 == 1 { all[i - 1].mirrored() } else { all[i - 1].transposed() };
        }
        all
    }

    /// The exponents as sixteen nibbles, the square 0 in the lowest: the form that n-tuple networks index by.
    /// `None` when a tile is above 32768, which a nibble cannot hold.
    #[inline]
    pub const fn nibbles(&self) -> Option<u64> {
        if self.high == 0 { Some(self.nibbles) } else { None }
    }

    /// The board with these exponents, the square 0 in the lowest nibble: the way back from [`Board::nibbles`].
    #[inline]
    pub const fn from_nibbles(nibbles: u64) -> Self {
        Self { nibbles, high: 0 }
    }

    /// The exponent on a square, 0 to 17.
    #[inline]
    pub(crate) const fn exponent(&self, index: usize) -> u8 {
        (self.nibbles >> (4 * index) & 0xf) as u8 | ((self.high >> index & 1) as u8) << 4
    }

    /// The lowest bit of the nibble of every empty square.
    #[inline]
    pub(crate) const fn empty(&self) -> u64 {
        let empty = nibbles::zeros(self.nibbles);
        if self.high == 0 { empty } else { empty & !nibbles::from_bits(self.high) }
    }
}

impl fmt::Display for Board {
    /// Four lines of four values; a dot is an empty square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::all() {
            match self.get(cell) {
                Some(tile) => write!(f, "{tile}")?,
                None => f.write_str(".")?,
            }
            match (cell.column(), cell.row()) {
                (3, 3) => {}
                (3, _) => f.write_str("\n")?,
                _ => f.write_str(" ")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.to_string().replace('\n', " / "))
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// Reads sixteen values parted by white space; `.`, `0` and `_` are empty squares.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != 16 {
            return Err(BoardError::Squares(words.len()));
        }
        let mut board = Self::EMPTY;
        for (cell, word) in Cell::all().zip(words) {
            if !matches!(word, "." | "0" | "_") {
                board.put(cell, Some(Tile::from_value(word.parse().unwrap_or(0))?));
            }
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn the_eight_symmetries_of_an_uneven_board_differ() {
        let all = board("2 4 8 16 . . . . . . . . . . . .").symmetries();
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
    }

    #[test]
    fn a_board_reads_what_it_writes() {
        let text = "2 . . 131072\n. 4 . .\n. . . .\n. . . 8";
        assert_eq!(board(text).to_string(), text);
        assert_eq!("2 4".parse::<Board>(), Err(BoardError::Squares(2)));
        assert_eq!(
            Board::from_values(board(text).values().map(|row| row.map(u64::from))),
            Ok(board(text))
        );
    }
}
