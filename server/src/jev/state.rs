//! What the model is told of a position: every figure is measured on the board, or by playing a move on a copy of it.
//!
//! All of it is certain but `could_end_the_game`, which is a risk: where the next tile comes is not foretold.

use engine::{Board, Cell, Direction, Tile};
use players::{Facts, Position, largest_is_in_a_corner, monotonicity};
use protocol::grid_of;
use serde::{Serialize, Serializer, ser::SerializeMap as _};

type Grid = [[Option<u32>; 4]; 4];

/// The state of a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    game: &'static str,
    goal: &'static str,
    board: BoardFacts,
    history: History,
    /// What each legal move makes of the board.
    pub available_moves: ByDirection<MoveFacts>,
    available_moves_note: &'static str,
}

/// The board as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct BoardFacts {
    grid: Grid,
    note: &'static str,
    score: u64,
    empty_cells: usize,
    largest_tile: u32,
    largest_tile_cell: Option<Place>,
    largest_tile_in_corner: bool,
    merges_available: usize,
    monotonicity: f64,
    monotonicity_note: &'static str,
}

/// A square, both counted from 0 at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Place {
    row: usize,
    column: usize,
}

/// How the game came here, as far as it shows whether it is going in circles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct History {
    moves_played: u32,
    recent_moves: Vec<&'static str>,
    note: &'static str,
}

/// What a move makes of the board, before the new tile.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MoveFacts {
    legal: bool,
    /// Points of it.
    pub points_gained: u32,
    /// Pairs that become one tile.
    pub tiles_merged: u8,
    /// Empty squares after it.
    pub empty_cells_after: usize,
    empty_cells_gained: usize,
    /// Whether a largest tile is in a corner after it.
    pub largest_tile_stays_in_corner: bool,
    #[serde(serialize_with = "names")]
    moves_available_after: engine::Directions,
    /// Neighbouring equal pairs after it.
    pub merges_available_after: usize,
    /// The order of the tiles after it.
    pub monotonicity_after: f64,
    /// How much better that order is than before.
    pub monotonicity_change: f64,
    /// Whether the new tile could leave no legal move.
    pub could_end_the_game: bool,
    board_after: Grid,
}

impl MoveFacts {
    /// How many directions are legal after it.
    pub fn moves_after(&self) -> usize {
        self.moves_available_after.len()
    }
}

/// Something for some of the directions, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct ByDirection<T>(pub [Option<T>; 4]);

impl<T> ByDirection<T> {
    /// Asks `of` about every direction.
    pub fn of(of: impl FnMut(Direction) -> Option<T>) -> Self {
        Self(Direction::ALL.map(of))
    }

    /// What there is, with its direction.
    pub fn iter(&self) -> impl Iterator<Item = (Direction, &T)> {
        Direction::ALL.into_iter().zip(&self.0).filter_map(|(way, of)| Some((way, of.as_ref()?)))
    }

    /// Makes something else of each.
    pub fn map<U>(&self, mut make: impl FnMut(Direction, &T) -> U) -> ByDirection<U> {
        ByDirection::of(|way| self.0[way.index()].as_ref().map(|of| make(way, of)))
    }
}

impl<T: Serialize> Serialize for ByDirection<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (direction, of) in self.iter() {
            map.serialize_entry(direction.name(), of)?;
        }
        map.end()
    }
}

impl State {
    /// What there is to tell of `position`.
    pub fn of(position: &Position) -> Self {
        let board = &position.board;
        Self {
            game: "2048",
            goal: "Make the largest tile and the highest score before no move is left.",
            board: BoardFacts::of(position),
            history: History {
                moves_played: position.moves,
                recent_moves: position.recent.iter().map(|direction| direction.name()).collect(),
                note: "recent_moves are the last directions played, oldest first; going to and fro in them is a \
                       sign of a game in circles.",
            },
            available_moves: ByDirection::of(|direction| MoveFacts::of(board, direction)),
            available_moves_note: "Only legal directions are listed. Each was played on a copy of the board: its \
                                   figures are exact and describe the board before the next tile appears. \
                                   tiles_merged counts pairs. could_end_the_game is a risk, not a forecast: some \
                                   place and value of the next tile would leave no legal move.",
        }
    }
}

impl BoardFacts {
    fn of(position: &Position) -> Self {
        let board = &position.board;
        Self {
            grid: grid_of(board),
            note: "grid[row][column] from the top left; null is an empty square.",
            score: position.score,
            empty_cells: board.empty_count(),
            largest_tile: board.max_tile().map_or(0, Tile::value),
            largest_tile_cell: largest_place(board),
            largest_tile_in_corner: largest_is_in_a_corner(board),
            merges_available: board.merge_pairs(),
            monotonicity: monotonicity(board),
            monotonicity_note: "The share of neighbouring pairs, 0 to 1, that do not rise on the way from the corner \
                                nearest to the largest tile; 1 is a clean staircase.",
        }
    }
}

impl MoveFacts {
    fn of(board: &Board, direction: Direction) -> Option<Self> {
        let facts = Facts::of(board, direction)?;
        let change = facts.monotonicity_after - monotonicity(board);
        Some(Self {
            legal: true,
            points_gained: facts.gained,
            tiles_merged: facts.merges,
            empty_cells_after: facts.empty_after,
            empty_cells_gained: facts.empty_after - board.empty_count(),
            largest_tile_stays_in_corner: facts.keeps_corner,
            moves_available_after: facts.legal_after,
            merges_available_after: facts.merges_after,
            monotonicity_after: facts.monotonicity_after,
            // Zero has one sign only.
            monotonicity_change: (change * 100.0).round() / 100.0 + 0.0,
            could_end_the_game: facts.could_end_the_game,
            board_after: grid_of(&facts.board),
        })
    }
}

/// Where the largest tile is; of several, one in a corner, else the first.
fn largest_place(board: &Board) -> Option<Place> {
    let largest = board.max_tile()?;
    let is_corner = |cell: Cell| matches!((cell.row(), cell.column()), (0 | 3, 0 | 3));
    let all = Cell::all().filter(|&cell| board.get(cell) == Some(largest));
    let cell = all.min_by_key(|&cell| !is_corner(cell))?;
    Some(Place { row: cell.row(), column: cell.column() })
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn names<S: Serializer>(directions: &engine::Directions, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(directions.iter().map(Direction::name))
}
