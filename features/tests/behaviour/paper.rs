//! A game played on paper: the rules alone, without a server.

use engine::{Board, Cell, Direction, Directions, Game, spawn};

/// What a player sees of a game, wherever it is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) board: Board,
    pub(crate) score: u64,
    pub(crate) merges: u32,
    pub(crate) moves: u32,
    /// The directions that change the board.
    pub(crate) open: Directions,
    pub(crate) over: bool,
}

impl View {
    /// What there is to see of `game`.
    pub(crate) fn of(game: &Game) -> Self {
        Self {
            board: *game.board(),
            score: game.score(),
            merges: game.merges(),
            moves: game.moves(),
            open: game.board().legal(),
            over: game.board().is_over(),
        }
    }

    /// The same game after its tiles slid, before a new tile comes.
    pub(crate) fn slid(self, direction: Direction) -> Self {
        self.board.slide(direction).map_or(self, |slide| Self {
            board: slide.board,
            score: self.score + u64::from(slide.gained),
            merges: self.merges + u32::from(slide.merges),
            moves: self.moves + 1,
            open: slide.board.legal(),
            over: slide.board.is_over(),
        })
    }
}

/// The four lanes toward `edge` as text, each read from that edge.
pub(crate) fn lanes(board: &Board, edge: Direction) -> [String; 4] {
    std::array::from_fn(|lane| {
        lane_cells(edge, lane)
            .map(|cell| board.get(cell).map_or_else(|| ".".to_owned(), |tile| tile.to_string()))
            .join(" ")
    })
}

/// The board with `line` in each of its lanes toward `edge`, read from that edge.
pub(crate) fn with_lanes(line: &str, edge: Direction) -> Board {
    let rows: Board = [line; 4].join("\n").parse().expect("four squares make a line");
    let mut board = Board::EMPTY;
    for lane in 0..4 {
        for (step, cell) in lane_cells(edge, lane).into_iter().enumerate() {
            board.put(cell, rows.get(Cell::at(lane, step)));
        }
    }
    board
}

/// The squares of a lane, from the edge inwards.
fn lane_cells(edge: Direction, lane: usize) -> [Cell; 4] {
    std::array::from_fn(|step| match edge {
        Direction::Up => Cell::at(step, lane),
        Direction::Down => Cell::at(3 - step, lane),
        Direction::Left => Cell::at(lane, step),
        Direction::Right => Cell::at(lane, 3 - step),
    })
}

/// Of `count` spawns over many seeds, how many are a 4.
pub(crate) fn fours_in(count: u64) -> usize {
    let fours = (0..count).filter_map(|seed| spawn(seed, seed % 100, &Board::EMPTY));
    fours.filter(|spawn| spawn.tile.value() == 4).count()
}

/// On how many squares a tile appears in some of a thousand games; never on a taken one.
pub(crate) fn squares_reached(board: &Board) -> usize {
    let mut reached: Vec<_> =
        (0..1000).filter_map(|seed| spawn(seed, 0, board)).map(|s| s.cell).collect();
    reached.sort_unstable();
    reached.dedup();
    assert!(reached.iter().all(|&cell| board.get(cell).is_none()), "a tile came on a taken square");
    reached.len()
}
