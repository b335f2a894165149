//! The game as it is told to a child: tile by tile, square by square, in numbers. Slow, plain, and written without a
//! look at the engine.

use engine::{Board, Cell, Direction, Random, Tile};

/// The numbers on the board; 0 is an empty square.
pub(crate) type Grid = [[u32; 4]; 4];

/// What a slide does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) grid: Grid,
    pub(crate) gained: u32,
    pub(crate) merges: u8,
    /// In the order of the squares they come from.
    pub(crate) traces: Vec<Trace>,
}

/// From, to, number, whether it merges.
pub(crate) type Trace = (Square, Square, u32, bool);

/// Row and column.
type Square = (usize, usize);

/// Moves each tile, the ones nearest to the edge first, as far as it goes; lets it merge into the one it meets if that
/// is equal and not new.
pub(crate) fn slide(before: &Grid, direction: Direction) -> Outcome {
    let (down, right): (isize, isize) = match direction {
        Direction::Up => (-1, 0),
        Direction::Down => (1, 0),
        Direction::Left => (0, -1),
        Direction::Right => (0, 1),
    };
    let next = |(row, column): Square| {
        let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        (row < 4 && column < 4).then_some((row, column))
    };
    let mut outcome = Outcome { grid: *before, gained: 0, merges: 0, traces: Vec::new() };
    let mut new = [[false; 4]; 4];
    for i in 0..16 {
        let nearest_first = if down + right > 0 { 15 - i } else { i };
        let from = (nearest_first / 4, nearest_first % 4);
        let tile = outcome.grid[from.0][from.1];
        if tile == 0 {
            continue;
        }
        outcome.grid[from.0][from.1] = 0;
        let mut to = from;
        let mut merges = false;
        while let Some((row, column)) = next(to) {
            let met = outcome.grid[row][column];
            merges = met == tile && !new[row][column] && tile < 131_072;
            if met != 0 && !merges {
                break;
            }
            to = (row, column);
            if merges {
                break;
            }
        }
        if merges {
            outcome.grid[to.0][to.1] = 2 * tile;
            new[to.0][to.1] = true;
            outcome.gained += 2 * tile;
            outcome.merges += 1;
            for trace in &mut outcome.traces {
                trace.3 |= trace.1 == to;
            }
        } else {
            outcome.grid[to.0][to.1] = tile;
        }
        outcome.traces.push((from, to, tile, merges));
    }
    outcome.traces.sort_unstable_by_key(|trace| trace.0);
    outcome
}

/// A board with tiles up to 131072: few or many, small or large, alike or different.
pub(crate) fn random_board(random: &mut Random) -> Board {
    let (low, spread, empty) = (random.below(17), random.below(18), random.below(8));
    let mut board = Board::EMPTY;
    for cell in Cell::all() {
        if random.below(8) >= empty {
            let exponent = (1 + low + random.below(spread + 1)).min(17);
            board.put(cell, Tile::from_exponent(exponent as u8));
        }
    }
    board
}
