//! What a direction makes of a board, and which directions make anything.

use crate::{
    Board, Cell, Direction, Directions, Tile,
    nibbles::{self, NOT_LAST_COLUMN, NOT_LAST_ROW},
    rows::{self, LEFT, RIGHT, RowTable},
};

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

impl Board {
    /// Slides in `direction`; `None` when that changes nothing.
    #[inline]
    pub fn slide(&self, direction: Direction) -> Option<Slide> {
        match direction {
            Direction::Up => self.slide_columns(direction, nibbles::transpose(self.nibbles), &LEFT),
            Direction::Down => {
                self.slide_columns(direction, nibbles::transpose(self.nibbles), &RIGHT)
            }
            Direction::Left => self.slide_rows(direction, &LEFT),
            Direction::Right => self.slide_rows(direction, &RIGHT),
        }
    }

    /// Slides in all four directions, in the order of [`Direction::ALL`].
    #[inline]
    pub fn slides(&self) -> [Option<Slide>; 4] {
        let turned = nibbles::transpose(self.nibbles);
        [
            self.slide_columns(Direction::Up, turned, &LEFT),
            self.slide_columns(Direction::Down, turned, &RIGHT),
            self.slide_rows(Direction::Left, &LEFT),
            self.slide_rows(Direction::Right, &RIGHT),
        ]
    }

    /// The boards after a slide in each direction, in the order of [`Direction::ALL`]; where it changes nothing, the
    /// board as it is. For searches that count no points: cheaper than [`Board::slides`].
    #[inline]
    pub fn afterstates(&self) -> [Self; 4] {
        if self.high != 0 || nibbles::has_two_fifteens(self.nibbles) {
            return self.afterstates_wide();
        }
        let turned = nibbles::transpose(self.nibbles);
        let board = |nibbles| Self { nibbles, high: 0 };
        [
            board(nibbles::transpose(rows::slide(turned, &LEFT))),
            board(nibbles::transpose(rows::slide(turned, &RIGHT))),
            board(rows::slide(self.nibbles, &LEFT)),
            board(rows::slide(self.nibbles, &RIGHT)),
        ]
    }

    /// [`Board::afterstates`] of boards with, or perhaps about to have, 65536.
    #[cold]
    #[inline(never)]
    fn afterstates_wide(&self) -> [Self; 4] {
        self.slides().map(|slide| slide.map_or(*self, |slide| slide.board))
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
    #[inline]
    pub const fn legal(&self) -> Directions {
        let empty = self.empty();
        let tiles = !empty & nibbles::ONES;
        let (across, down) = self.equal_neighbours();
        // A tile moves when the square before it is empty; the neighbours of the edge squares do not count.
        let left = tiles >> 4 & empty & NOT_LAST_COLUMN | across;
        let right = empty >> 4 & tiles & NOT_LAST_COLUMN | across;
        let up = tiles >> 16 & empty & NOT_LAST_ROW | down;
        let down = empty >> 16 & tiles & NOT_LAST_ROW | down;
        Directions::from_changes([up != 0, down != 0, left != 0, right != 0])
    }

    /// Whether no direction changes the board. True of the empty board too: there is nothing to move.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.legal().is_empty()
    }

    /// Neighbouring pairs of equal tiles that a slide could merge where they stand.
    pub const fn merge_pairs(&self) -> usize {
        let (across, down) = self.equal_neighbours();
        (across.count_ones() + down.count_ones()) as usize
    }

    /// The squares whose neighbour to the right, and below, holds an equal tile that it can merge with.
    #[inline]
    const fn equal_neighbours(&self) -> (u64, u64) {
        let tiles = !self.empty() & nibbles::ONES;
        let across = nibbles::equal_across(self.nibbles) & tiles;
        let down = nibbles::equal_down(self.nibbles) & tiles;
        if self.high == 0 {
            return (across, down);
        }
        let high = nibbles::from_bits(self.high);
        // 131072 is the exponent 16 + 1: high, and a nibble of 1.
        let largest = high & nibbles::zeros(self.nibbles ^ nibbles::ONES);
        (across & !(high ^ high >> 4) & !largest, down & !(high ^ high >> 16) & !largest)
    }

    /// Slides the rows.
    #[inline]
    fn slide_rows(&self, direction: Direction, table: &RowTable) -> Option<Slide> {
        self.slid(direction, self.nibbles, rows::slide(self.nibbles, table))
    }

    /// Slides the columns, given the transposed nibbles.
    #[inline]
    fn slide_columns(&self, direction: Direction, turned: u64, table: &RowTable) -> Option<Slide> {
        self.slid(direction, turned, nibbles::transpose(rows::slide(turned, table)))
    }

    /// The slide that ends in `slid`, unless a tile is or becomes too large for nibbles. `lines` are the rows, or the
    /// columns, before.
    #[inline]
    fn slid(&self, direction: Direction, lines: u64, slid: u64) -> Option<Slide> {
        let quarters = rows::quarters(lines);
        if self.high != 0 || quarters >= rows::WIDE as u32 {
            return self.slide_wide(direction);
        }
        let board = Self { nibbles: slid, high: 0 };
        let merges = (board.empty_count() - self.empty_count()) as u8;
        (slid != self.nibbles).then_some(Slide { board, gained: quarters * 4, merges })
    }

    /// [`Board::slide`] for every board, line by line: the way of the boards with, or about to have, 65536.
    #[cold]
    #[inline(never)]
    fn slide_wide(&self, direction: Direction) -> Option<Slide> {
        let mut slide = Slide { board: Self::EMPTY, gained: 0, merges: 0 };
        for line in 0..4 {
            let cells = line_cells(direction, line);
            let (row, gained, merges) =
                rows::slide_line(cells.map(|cell| self.exponent(cell.index())));
            for (cell, exponent) in cells.into_iter().zip(row) {
                slide.board.nibbles |= u64::from(exponent & 0xf) << (4 * cell.index());
                slide.board.high |= u16::from(exponent >> 4) << cell.index();
            }
            slide.gained += gained;
            slide.merges += merges;
        }
        (slide.board != *self).then_some(slide)
    }
}

/// The squares of a line, from the edge that tiles slide to.
const fn line_cells(direction: Direction, line: usize) -> [Cell; 4] {
    let mut cells = [Cell::at(0, 0); 4];
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
}
