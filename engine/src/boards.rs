//! Many boards, stored by the part, that slide together.

use crate::{
    Board, Direction,
    lanes::{self, Turn},
    nibbles,
    processor::{self, Work},
};

/// Boards in an order, for whoever slides or judges hundreds at a time: several times as fast as one by one.
///
/// ```
/// use engine::{Board, Boards, Direction, Slides};
///
/// let board: Board = "2 2 . . . . . . . . . . . . . .".parse()?;
/// let boards: Boards = [board; 100].into_iter().collect();
/// let mut slides = Slides::default();
/// boards.slide(Direction::Left, &mut slides);
/// assert_eq!(slides.boards.get(99), board.slide(Direction::Left).map(|slide| slide.board));
/// assert_eq!(slides.gained[99], 4);
/// # Ok::<(), engine::BoardError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Boards {
    // As in `Board`, and of the same length; apart, so that vectors of nibbles are loaded at once.
    nibbles: Vec<u64>,
    high: Vec<u16>,
}

/// What a direction makes of many boards, in their order. Where it changes nothing, the board stands as it was.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slides {
    /// The boards after the slide.
    pub boards: Boards,
    /// The points.
    pub gained: Vec<u32>,
}

impl Boards {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.nibbles.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nibbles.is_empty()
    }

    /// The board with the number `index`, from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Board> {
        Some(Board { nibbles: *self.nibbles.get(index)?, high: *self.high.get(index)? })
    }

    /// Adds one.
    #[inline]
    pub fn push(&mut self, board: Board) {
        self.nibbles.push(board.nibbles);
        self.high.push(board.high);
    }

    /// Removes all, and keeps the room.
    pub fn clear(&mut self) {
        self.nibbles.clear();
        self.high.clear();
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Board> + '_ {
        self.nibbles.iter().zip(&self.high).map(|(&nibbles, &high)| Board { nibbles, high })
    }

    /// Slides each in `direction`, into `slides`, whose content is replaced.
    pub fn slide(&self, direction: Direction, slides: &mut Slides) {
        processor::best(SlideAll { boards: self, direction, slides });
    }
}

impl FromIterator<Board> for Boards {
    fn from_iter<I: IntoIterator<Item = Board>>(boards: I) -> Self {
        let mut collected = Self::default();
        boards.into_iter().for_each(|board| collected.push(board));
        collected
    }
}

/// How many boards are in registers at a time: two of 512 bits, four of 256.
const LANES: usize = 16;

struct SlideAll<'a> {
    boards: &'a Boards,
    direction: Direction,
    slides: &'a mut Slides,
}

impl Work for SlideAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // Four loops, so that each is compiled for its own turn: a slide to the left needs none.
        match self.direction {
            Direction::Up => self.turned(const { Turn::to_left(Direction::Up) }),
            Direction::Down => self.turned(const { Turn::to_left(Direction::Down) }),
            Direction::Left => self.turned(const { Turn::to_left(Direction::Left) }),
            Direction::Right => self.turned(const { Turn::to_left(Direction::Right) }),
        }
    }
}

impl SlideAll<'_> {
    #[inline(always)]
    fn turned(self, turn: Turn) {
        let Self { boards, direction, slides: Slides { boards: slid, gained } } = self;
        let len = boards.len();
        slid.nibbles.resize(len, 0);
        slid.high.resize(len, 0);
        gained.resize(len, 0);
        for at in (0..len).step_by(LANES) {
            let to = len.min(at + LANES);
            let (from, high) = (&boards.nibbles[at..to], &boards.high[at..to]);
            let (slid, slid_high) = (&mut slid.nibbles[at..to], &mut slid.high[at..to]);
            if let Some(from) = narrow(from, high) {
                let (nibbles, gains) = slide(from, turn);
                slid.copy_from_slice(&nibbles[..slid.len()]);
                slid_high.fill(0);
                gained[at..to].copy_from_slice(&gains[..to - at]);
            } else {
                for i in 0..to - at {
                    let board = Board { nibbles: from[i], high: high[i] };
                    let slide = board.slide(direction);
                    let after = slide.map_or(board, |slide| slide.board);
                    (slid[i], slid_high[i]) = (after.nibbles, after.high);
                    gained[at + i] = slide.map_or(0, |slide| slide.gained);
                }
            }
        }
    }
}

/// Slides boards that stay within nibbles.
#[inline(always)]
fn slide(mut boards: [u64; LANES], turn: Turn) -> ([u64; LANES], [u32; LANES]) {
    for board in &mut boards {
        *board = turn.apply(*board);
    }
    let quarters = lanes::left_gaining(&mut boards);
    let mut gained = [0; LANES];
    for lane in 0..LANES {
        boards[lane] = turn.undo(boards[lane]);
        gained[lane] = (quarters[lane] * 4) as u32;
    }
    (boards, gained)
}

/// The nibbles of as many boards as there are lanes, if that many are left and no tile is, nor two could become, 65536.
#[inline(always)]
fn narrow(nibbles: &[u64], high: &[u16]) -> Option<[u64; LANES]> {
    let nibbles: &[u64; LANES] = nibbles.try_into().ok()?;
    let high: &[u16; LANES] = high.try_into().ok()?;
    let (mut wide, mut pairs) = (0, 0);
    for lane in 0..LANES {
        wide |= high[lane];
        let fifteens = nibbles::zeros(!nibbles[lane]);
        pairs |= fifteens & fifteens.wrapping_sub(1);
    }
    (wide == 0 && pairs == 0).then_some(*nibbles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Random, Tile, processor::Level};

    /// Boards full of pairs, with tiles up to `exponent`; not a multiple of the lanes.
    fn random_boards(exponent: u32) -> Boards {
        let mut random = Random::new(u64::from(exponent));
        let mut board = || {
            let tile = |_| Tile::from_exponent(random.below(exponent + 1) as u8);
            Cell::all().map(tile).zip(Cell::all()).fold(Board::EMPTY, |mut board, (tile, cell)| {
                board.put(cell, tile);
                board
            })
        };
        (0..LANES * 100 + 7).map(|_| board()).collect()
    }

    #[test]
    fn every_level_slides_boards_as_one_by_one() {
        let mut slides = Slides::default();
        for boards in [2, 5, 11, 14, 15, 16, 17].map(random_boards) {
            for direction in Direction::ALL {
                for level in Level::supported() {
                    processor::at(
                        level,
                        SlideAll { boards: &boards, direction, slides: &mut slides },
                    );
                    assert_eq!(slides.boards.len(), boards.len());
                    for (i, board) in boards.iter().enumerate() {
                        let slide = board.slide(direction);
                        let after = slide.map_or(board, |slide| slide.board);
                        let gained = slide.map_or(0, |slide| slide.gained);
                        assert_eq!(slides.boards.get(i), Some(after), "{level:?} {board:?}");
                        assert_eq!(slides.gained[i], gained, "{level:?} {board:?}");
                    }
                }
            }
        }
    }
}
