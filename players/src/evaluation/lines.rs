//! Judgements that are a sum over the four rows and the four columns, and a fast way to the best afterstate by them.

use engine::{Board, Cell, Direction};

/// The exponents of a row or a column, from either end; 0 is an empty square.
pub(super) type Line = [u8; 4];

/// What there is to know about a line of exponents up to 15, read from its first square.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// The line after a slide towards its first square, and towards its last one.
    slid: [u16; 2],
    /// What the line is worth after that.
    worth_slid: [f32; 2],
}

/// What every line is worth, before and after a slide.
#[derive(Debug, Clone)]
pub(super) struct LineTable {
    /// Apart from the entries, because most look-ups want no more.
    worth: Box<[f32; 1 << 16]>,
    entries: Box<[Entry; 1 << 16]>,
}

impl LineTable {
    /// The table of `worth`, which must be the same for a line and its mirror image, since a row has no first end.
    pub(super) fn new(worth: impl Fn(Line) -> f32) -> Self {
        let line = |row: u16| [0, 4, 8, 12].map(|shift| (row >> shift & 0xf) as u8);
        let worth: Vec<f32> = (0..=u16::MAX).map(|row| worth(line(row))).collect();
        let entry = |row: u16| {
            let slid = [Direction::Left, Direction::Right].map(|direction| slide(row, direction));
            Entry { slid, worth_slid: slid.map(|row| worth[row as usize]) }
        };
        let entries: Vec<Entry> = (0..=u16::MAX).map(entry).collect();
        Self {
            worth: worth.try_into().expect("a row has 16 bits"),
            entries: entries.try_into().expect("a row has 16 bits"),
        }
    }

    /// The sum over the rows and columns of a board; `None` for one with a tile that no nibble holds.
    #[inline]
    pub(super) fn sum(&self, board: &Board) -> Option<f32> {
        let nibbles = board.nibbles()?;
        Some(self.sum_of_rows(nibbles) + self.sum_of_rows(transposed(nibbles)))
    }

    /// The greatest sum of the boards that the legal directions make of `board`, or `dead` when that is more; `None`
    /// for a board with tiles too large for the table before or after a slide.
    #[inline]
    pub(super) fn best_afterstate(&self, board: &Board, dead: f32) -> Option<f32> {
        let nibbles = board.nibbles().filter(|&nibbles| !may_make_65536(nibbles))?;
        let across = self.best_of_rows(nibbles, dead);
        let down = self.best_of_rows(transposed(nibbles), dead);
        Some(across.max(down))
    }

    /// The best of the two slides along the rows. All is computed whatever is legal: no branch, nothing to mispredict.
    #[inline]
    fn best_of_rows(&self, nibbles: u64, dead: f32) -> f32 {
        let rows = [0, 16, 32, 48].map(|shift| &self.entries[(nibbles >> shift) as u16 as usize]);
        let after = |end: usize| {
            let [a, b, c, d] = rows.map(|row| u64::from(row.slid[end]));
            let slid = a | b << 16 | c << 32 | d << 48;
            let [a, b, c, d] = rows.map(|row| row.worth_slid[end]);
            let worth = (a + b) + (c + d) + self.sum_of_rows(transposed(slid));
            if slid == nibbles { dead } else { worth }
        };
        dead.max(after(0)).max(after(1))
    }

    #[inline]
    fn sum_of_rows(&self, nibbles: u64) -> f32 {
        let row = |shift: u32| self.worth[(nibbles >> shift) as u16 as usize];
        (row(0) + row(16)) + (row(32) + row(48))
    }
}

/// The sum of `worth` over rows and columns, for boards with tiles that no nibble holds.
#[cold]
pub(super) fn sum_of_lines(board: &Board, worth: impl Fn(Line) -> f32) -> f32 {
    let exponent = |row, column| board.get(Cell::at(row, column)).map_or(0, engine::Tile::exponent);
    (0..4)
        .map(|i| {
            let row = [0, 1, 2, 3].map(|j| exponent(i, j));
            let column = [0, 1, 2, 3].map(|j| exponent(j, i));
            worth(row) + worth(column)
        })
        .sum()
}

/// A row after a slide, by the engine. A row that makes a 65536 stays: [`may_make_65536`] keeps it from being asked for.
fn slide(row: u16, direction: Direction) -> u16 {
    let slid = Board::from_nibbles(u64::from(row)).slide(direction);
    slid.and_then(|slide| slide.board.nibbles()).map_or(row, |nibbles| nibbles as u16)
}

/// Whether there are two tiles 32768.
#[inline]
const fn may_make_65536(nibbles: u64) -> bool {
    let pairs = nibbles & nibbles >> 1;
    let fifteens = pairs & pairs >> 2 & 0x1111_1111_1111_1111;
    fifteens & fifteens.wrapping_sub(1) != 0
}

#[inline]
fn transposed(nibbles: u64) -> u64 {
    let board = Board::from_nibbles(nibbles).transposed();
    board.nibbles().expect("a transposition makes no larger tile")
}
