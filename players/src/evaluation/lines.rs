//! Judgements that are a sum over the four rows and the four columns, and a fast way to the best afterstate by them.

use engine::{Board, Cell, Direction};

/// The exponents of a row or a column, from either end; 0 is an empty square.
pub(super) type Line = [u8; 4];

/// What there is to know about a line of exponents up to 15, read from its first square.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// The line after a slide towards its first square, and towards its last one, as the first column of a board.
    slid: [u64; 2],
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
            Entry {
                slid: slid.map(|row| transposed(u64::from(row))),
                worth_slid: slid.map(|row| worth[row as usize]),
            }
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
        let turned = transposed(nibbles);
        let across = Slid::of(self, nibbles).with_all();
        let down = Slid::of(self, turned).with_all();
        Some(dead.max(self.best(&across, turned, dead)).max(self.best(&down, nibbles, dead)))
    }

    /// The mean of [`LineTable::best_afterstate`] over the tiles that may appear on `after`; `None` likewise.
    ///
    /// Boards that differ by one tile have all lines but two in common, so the others are put together once.
    pub(super) fn mean_after_spawn(&self, after: &Board, dead: f32) -> Option<f32> {
        let nibbles = after.nibbles().filter(|&nibbles| !may_make_65536(nibbles))?;
        let turned = transposed(nibbles);
        let (rows, columns) = (Slid::of(self, nibbles), Slid::of(self, turned));
        let (rows_but, columns_but) = (rows.without_each(), columns.without_each());
        let mut sums = [0.0, 0.0];
        for cell in after.empty_cells() {
            let (row, column) = (cell.row(), cell.column());
            for (exponent, sum) in [1, 2].into_iter().zip(&mut sums) {
                let board = nibbles | exponent << (16 * row + 4 * column);
                let turned = turned | exponent << (16 * column + 4 * row);
                let across = rows_but[row].with(row, self.entry(board, row));
                let down = columns_but[column].with(column, self.entry(turned, column));
                *sum +=
                    dead.max(self.best(&across, turned, dead)).max(self.best(&down, board, dead));
            }
        }
        Some((0.9 * sums[0] + 0.1 * sums[1]) / after.empty_count() as f32)
    }

    /// The better of two slides, of which one that leaves the board as it was is worth `dead`. Both are computed
    /// whatever is legal: no branch, nothing to mispredict. `turned` is the board in the orientation of [`Sides`].
    #[inline]
    fn best(&self, slid: &Sides, turned: u64, dead: f32) -> f32 {
        let after = |end: usize| {
            let worth = slid.worth[end] + self.sum_of_rows(slid.turned[end]);
            if slid.turned[end] == turned { dead } else { worth }
        };
        after(0).max(after(1))
    }

    #[inline]
    fn sum_of_rows(&self, nibbles: u64) -> f32 {
        let row = |shift: u32| self.worth[(nibbles >> shift) as u16 as usize];
        (row(0) + row(16)) + (row(32) + row(48))
    }

    #[inline]
    fn entry(&self, nibbles: u64, row: usize) -> &Entry {
        &self.entries[(nibbles >> (16 * row)) as u16 as usize]
    }
}

/// The rows of a board, looked up.
struct Slid<'a>([&'a Entry; 4]);

/// A board after a slide along its rows to either end, or some rows of it.
#[derive(Debug, Clone, Copy, Default)]
struct Sides {
    /// The board, rows and columns exchanged.
    turned: [u64; 2],
    /// What its rows are worth.
    worth: [f32; 2],
}

impl<'a> Slid<'a> {
    #[inline]
    fn of(table: &'a LineTable, nibbles: u64) -> Self {
        Self([0, 1, 2, 3].map(|row| table.entry(nibbles, row)))
    }

    #[inline]
    fn with_all(&self) -> Sides {
        (0..4).fold(Sides::default(), |sides, row| sides.with(row, self.0[row]))
    }

    /// For each row, the other three.
    #[inline]
    fn without_each(&self) -> [Sides; 4] {
        [0, 1, 2, 3].map(|left_out| {
            let others = (0..4).filter(|&row| row != left_out);
            others.fold(Sides::default(), |sides, row| sides.with(row, self.0[row]))
        })
    }
}

impl Sides {
    /// With one more row.
    #[inline]
    fn with(self, row: usize, entry: &Entry) -> Self {
        let side = |end: usize| {
            let turned = self.turned[end] | entry.slid[end] << (4 * row);
            (turned, self.worth[end] + entry.worth_slid[end])
        };
        let ((turned_0, worth_0), (turned_1, worth_1)) = (side(0), side(1));
        Self { turned: [turned_0, turned_1], worth: [worth_0, worth_1] }
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
