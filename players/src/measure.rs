//! Facts about a board, and about what a direction makes of it: measured on a copy, so that they follow the rules.

use engine::{Board, Cell, Direction, Directions, Tile};

/// What playing one direction gives, before the spawn: certain, except for [`Facts::could_end_the_game`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// The board after the slide.
    pub board: Board,
    /// Points the slide gains.
    pub gained: u32,
    /// Pairs that merge, 0 to 8.
    pub merges: u8,
    /// Empty squares afterwards, 1 to 15.
    pub empty_after: usize,
    /// The directions that are legal afterwards, if nothing spawned.
    pub legal_after: Directions,
    /// Neighbouring pairs of equal tiles afterwards, which the next slide could merge.
    pub merges_after: usize,
    /// Whether a largest tile is in a corner afterwards.
    pub keeps_corner: bool,
    /// [`monotonicity`] afterwards.
    pub monotonicity_after: f64,
    /// Whether a spawn on the board afterwards could leave no legal move. A risk, not a forecast.
    pub could_end_the_game: bool,
}

impl Facts {
    /// The facts about playing `direction` on `board`; `None` when that changes nothing.
    ///
    /// ```
    /// use engine::{Board, Direction};
    /// use players::Facts;
    ///
    /// let board: Board = "2 2 . . . . . . . . . . . . . .".parse()?;
    /// let facts = Facts::of(&board, Direction::Left).expect("it merges");
    /// assert_eq!((facts.gained, facts.merges, facts.empty_after), (4, 1, 15));
    /// assert!(Facts::of(&board, Direction::Up).is_none());
    /// # Ok::<(), engine::BoardError>(())
    /// ```
    pub fn of(board: &Board, direction: Direction) -> Option<Self> {
        let slide = board.slide(direction)?;
        Some(Self {
            board: slide.board,
            gained: slide.gained,
            merges: slide.merges,
            empty_after: slide.board.empty_count(),
            legal_after: slide.board.legal(),
            merges_after: slide.board.merge_pairs(),
            keeps_corner: largest_is_in_a_corner(&slide.board),
            monotonicity_after: monotonicity(&slide.board),
            could_end_the_game: could_end(&slide.board),
        })
    }
}

/// How near the end a board is: 0 with eight empty squares or more (room to work) to 2 with one or none (nearly
/// stuck), to two decimals. The same for every player.
pub fn risk(board: &Board) -> f64 {
    let room = board.empty_count() as f64;
    two_decimals(((8.0 - room) / 7.0 * 2.0).clamp(0.0, 2.0))
}

/// How well the tiles step down from the corner nearest to the largest tile, 0 to 1 (a clean staircase), to two
/// decimals: the share of the 24 neighbouring pairs that do not rise on the step away from that corner. Equal tiles
/// are in order, and an empty square is lower than any tile. Of several largest tiles, the one counts whose corner
/// gives the best order, so that a mirrored board measures the same.
pub fn monotonicity(board: &Board) -> f64 {
    let largest = board.max_tile();
    let falling = Cell::all()
        .filter(|&cell| board.get(cell) == largest)
        .map(|cell| falling_from(board, cell));
    two_decimals(falling.max().unwrap_or(0) as f64 / 24.0)
}

/// Whether a largest tile is in a corner.
pub fn largest_is_in_a_corner(board: &Board) -> bool {
    let corners = [Cell::at(0, 0), Cell::at(0, 3), Cell::at(3, 0), Cell::at(3, 3)];
    board.max_tile().is_some_and(|tile| corners.iter().any(|&at| board.get(at) == Some(tile)))
}

/// Neighbouring pairs that do not rise on the step away from the corner nearest to `anchor`.
fn falling_from(board: &Board, anchor: Cell) -> usize {
    // Seen from the corner, both coordinates count away from it.
    let seen = |row: usize, column: usize| {
        let row = if anchor.row() < 2 { row } else { 3 - row };
        let column = if anchor.column() < 2 { column } else { 3 - column };
        board.get(Cell::at(row, column))
    };
    let steps = (0..4).flat_map(|line| (0..3).map(move |step| (line, step)));
    steps
        .map(|(line, step)| {
            usize::from(seen(line, step) >= seen(line, step + 1))
                + usize::from(seen(step, line) >= seen(step + 1, line))
        })
        .sum()
}

/// Whether a spawn on this board could leave no legal move. A spawn fills one square, and a board with an empty
/// square always has a move, so only a board with exactly one needs a look.
fn could_end(afterstate: &Board) -> bool {
    let mut empty = afterstate.empty_cells();
    match (empty.next(), empty.next()) {
        (Some(only), None) => {
            [Tile::TWO, Tile::FOUR].into_iter().any(|tile| afterstate.with(only, tile).is_over())
        }
        _ => false,
    }
}

fn two_decimals(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    /// Monotonicity in hundredths.
    fn order(board: &Board) -> i32 {
        (monotonicity(board) * 100.0).round() as i32
    }

    #[test]
    fn risk_grows_as_the_board_fills() {
        let full = board("2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2");
        let risks: Vec<f64> = (0..=9)
            .map(|empty| {
                risk(&Cell::all().take(empty).fold(full, |mut board, cell| {
                    board.put(cell, None);
                    board
                }))
            })
            .collect();
        assert_eq!(risks, [2.0, 2.0, 1.71, 1.43, 1.14, 0.86, 0.57, 0.29, 0.0, 0.0]);
    }

    #[test]
    fn a_staircase_is_in_order_and_its_mirror_too() {
        let stairs = board("64 32 16 8 32 16 8 4 16 8 4 2 8 4 2 .");
        for image in stairs.symmetries() {
            assert_eq!(order(&image), 100);
        }
    }

    #[test]
    fn a_rise_away_from_the_corner_is_counted() {
        // Two rises: along the row, and down the column.
        let board = board("64 8 16 4 8 4 2 2 16 . . . 2 . . .");
        assert_eq!(order(&board), 92);
    }

    #[test]
    fn of_equal_largest_tiles_the_better_corner_counts() {
        let uneven = board("64 2 4 64 . . . 8 . . . 4 . . . 2");
        for image in uneven.symmetries() {
            assert_eq!(order(&image), order(&uneven));
        }
    }

    #[test]
    fn one_empty_square_is_a_danger_only_if_a_spawn_can_close_the_board() {
        // Down moves the 32 into the gap; then the gap is at the top, between 4, 4 and 8.
        let before = board("2 4 32 4 4 2 64 2 2 4 8 4 4 2 . 2");
        let facts = Facts::of(&before, Direction::Down).unwrap();
        assert_eq!(facts.empty_after, 1);
        assert!(facts.could_end_the_game);
        let safe = board("2 4 32 4 4 2 64 2 2 4 8 4 2 2 . 2");
        assert!(!Facts::of(&safe, Direction::Down).unwrap().could_end_the_game);
    }
}
