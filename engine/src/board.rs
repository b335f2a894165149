//! The sixteen squares and how they slide.

use std::{fmt, str::FromStr};

use crate::{Direction, Directions, Tile, TileError};

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

/// A position: sixteen squares, each empty or with a tile. Equal boards are the same position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    /// Exponents in the order of [`Cell`]; 0 is empty, 17 the largest.
    exponents: [u8; 16],
}

/// What a direction makes of a board, before the spawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slide {
    /// The board after the slide (the afterstate).
    pub board: Board,
    /// Points: the sum of the merged tiles' new values.
    pub gained: u32,
    /// Pairs that merged, 0 to 8.
    pub merges: u8,
}

/// Where one tile goes in a slide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileSlide {
    /// Where it was.
    pub from: Cell,
    /// Where it ends; `from` itself for a tile at rest.
    pub to: Cell,
    /// The tile before the slide.
    pub tile: Tile,
    /// Whether it merges there with the other tile that has the same `to`.
    pub merges: bool,
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
    pub const EMPTY: Self = Self { exponents: [0; 16] };

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
    pub const fn get(&self, cell: Cell) -> Option<Tile> {
        Tile::from_exponent(self.exponents[cell.index()])
    }

    /// Puts a tile on `cell`, or empties it.
    pub const fn put(&mut self, cell: Cell, tile: Option<Tile>) {
        self.exponents[cell.index()] = match tile {
            Some(tile) => tile.exponent(),
            None => 0,
        };
    }

    /// The board with `tile` on `cell`.
    #[must_use]
    pub const fn with(mut self, cell: Cell, tile: Tile) -> Self {
        self.put(cell, Some(tile));
        self
    }

    /// The empty squares, in order.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let board = *self;
        Cell::all().filter(move |&cell| board.get(cell).is_none())
    }

    /// How many squares are empty, 0 to 16.
    pub fn empty_count(&self) -> usize {
        self.exponents.iter().filter(|&&exponent| exponent == 0).count()
    }

    /// The largest tile; `None` on an empty board.
    pub fn max_tile(&self) -> Option<Tile> {
        self.exponents.iter().max().copied().and_then(Tile::from_exponent)
    }

    /// Slides in `direction`; `None` when that changes nothing.
    pub fn slide(&self, direction: Direction) -> Option<Slide> {
        let mut slide = Slide { board: Self::EMPTY, gained: 0, merges: 0 };
        for line in 0..4 {
            let cells = line_cells(direction, line);
            let (row, gained, merges) = slide_line(cells.map(|cell| self.exponents[cell.index()]));
            for (cell, exponent) in cells.into_iter().zip(row) {
                slide.board.exponents[cell.index()] = exponent;
            }
            slide.gained += gained;
            slide.merges += merges;
        }
        (slide.board != *self).then_some(slide)
    }

    /// Where each tile goes in a slide, every tile once, in the order of the squares they come from.
    pub fn trace(&self, direction: Direction) -> Vec<TileSlide> {
        let mut slides = Vec::with_capacity(16);
        for line in 0..4 {
            trace_line(self, line_cells(direction, line), &mut slides);
        }
        slides.sort_unstable_by_key(|slide: &TileSlide| slide.from);
        slides
    }

    /// The directions that change the board.
    pub fn legal(&self) -> Directions {
        Direction::ALL.into_iter().filter(|&direction| self.slide(direction).is_some()).collect()
    }

    /// Whether no direction changes the board. True of the empty board too: there is nothing to move.
    pub fn is_over(&self) -> bool {
        self.legal().is_empty()
    }

    /// Neighbouring pairs of equal tiles that a slide could merge where they stand.
    pub fn merge_pairs(&self) -> usize {
        let equal = |a: Cell, b: Cell| {
            self.get(a).is_some_and(|tile| tile.merged().is_some()) && self.get(a) == self.get(b)
        };
        let across = (0..4).flat_map(|row| {
            (0..3).map(move |column| (Cell::at(row, column), Cell::at(row, column + 1)))
        });
        let down = (0..3).flat_map(|row| {
            (0..4).map(move |column| (Cell::at(row, column), Cell::at(row + 1, column)))
        });
        across.chain(down).filter(|&(a, b)| equal(a, b)).count()
    }

    /// The board mirrored left to right.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.rearranged(|row, column| (row, 3 - column))
    }

    /// The board with rows and columns exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        self.rearranged(|row, column| (column, row))
    }

    /// The eight boards that rotations and mirrors make of it, itself first. Equal ones are repeated.
    pub fn symmetries(&self) -> [Self; 8] {
        let mut all = [*self; 8];
        for i in 1..8 {
            all[i] = if i % 2 == 1 { all[i - 1].mirrored() } else { all[i - 1].transposed() };
        }
        all
    }

    fn rearranged(&self, from: impl Fn(usize, usize) -> (usize, usize)) -> Self {
        let mut board = Self::EMPTY;
        for cell in Cell::all() {
            let (row, column) = from(cell.row(), cell.column());
            board.put(cell, self.get(Cell::at(row, column)));
        }
        board
    }
}

/// The squares of a line, from the edge that tiles slide to.
const fn line_cells(direction: Direction, line: usize) -> [Cell; 4] {
    let mut cells = [Cell(0); 4];
    let mut step = 0;
    while step < 4 {
        cells[step] = match direction {
            Direction::Up => Cell::at(step, line),
            Direction::Down => Cell::at(3 - step, line),
            Direction::Left => Cell::at(line, step),
            Direction::Right => Cell::at(line, 3 - step),
        };
        step += 1;
    }
    cells
}

/// Slides four exponents towards index 0: the new line, the points and the merges.
fn slide_line(line: [u8; 4]) -> ([u8; 4], u32, u8) {
    let (mut slid, mut gained, mut merges) = ([0; 4], 0, 0);
    let mut next = 0;
    // A tile that has just been made may not merge again in the same slide.
    let mut fresh = true;
    for exponent in line.into_iter().filter(|&exponent| exponent != 0) {
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

/// Adds where each tile of a line goes; the same walk as [`slide_line`], told tile by tile.
fn trace_line(board: &Board, cells: [Cell; 4], slides: &mut Vec<TileSlide>) {
    let mut next = 0;
    // The place in `slides` of a tile that may still merge.
    let mut open: Option<usize> = None;
    for from in cells {
        let Some(tile) = board.get(from) else { continue };
        match open {
            Some(other) if slides[other].tile == tile && tile.merged().is_some() => {
                slides[other].merges = true;
                slides.push(TileSlide { from, to: slides[other].to, tile, merges: true });
                open = None;
            }
            _ => {
                slides.push(TileSlide { from, to: cells[next], tile, merges: false });
                open = Some(slides.len() - 1);
                next += 1;
            }
        }
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

    /// Slides a board whose first row is `row` to the left and compares that row, the points and the merges.
    #[track_caller]
    fn check(row: &str, expected: &str, gained: u32, merges: u8) {
        let rest = ". . . . . . . . . . . .";
        let slide = board(&format!("{row} {rest}")).slide(Direction::Left).expect("it changes");
        assert_eq!(slide.board, board(&format!("{expected} {rest}")));
        assert_eq!((slide.gained, slide.merges), (gained, merges));
    }

    #[test]
    fn a_tile_merges_once_in_a_slide() {
        check("2 2 2 2", "4 4 . .", 8, 2);
        check("4 2 2 .", "4 4 . .", 4, 1);
        check("2 2 4 8", "4 4 8 .", 4, 1);
        check("2 2 2 .", "4 2 . .", 4, 1);
        check(". . . 2", "2 . . .", 0, 0);
        check("2 . . 2", "4 . . .", 4, 1);
    }

    #[test]
    fn the_largest_tiles_stay_apart() {
        check("65536 65536 . .", "131072 . . .", 131_072, 1);
        let full = board("131072 131072 . . . . . . . . . . . . . .");
        assert_eq!(full.slide(Direction::Left), None);
        assert_eq!(full.merge_pairs(), 0);
    }

    #[test]
    fn a_slide_that_changes_nothing_is_none() {
        let board = board("2 4 . . 8 . . . . . . . . . . .");
        assert_eq!(board.slide(Direction::Left), None);
        assert_eq!(board.legal().iter().collect::<Vec<_>>(), [Direction::Down, Direction::Right]);
    }

    #[test]
    fn full_board_without_pairs_is_over() {
        assert!(board("2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2").is_over());
        assert!(!board("2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 4").is_over());
        assert!(Board::EMPTY.is_over());
    }

    #[test]
    fn a_trace_names_every_tile_once() {
        let slides = board("2 2 2 2 . . . . . . . . 8 . . .").trace(Direction::Left);
        let told: Vec<_> =
            slides.iter().map(|s| (s.from.index(), s.to.index(), s.merges)).collect();
        assert_eq!(told, [(0, 0, true), (1, 0, true), (2, 1, true), (3, 1, true), (12, 12, false)]);
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
