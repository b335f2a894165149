//! Finds a game with the highest score that there is, and writes it to standard output, a byte a move:
//! `cargo run --release -p engine --example longest_game > engine/tests/rules/longest_game.bin` takes minutes.
//!
//! A tile of 131072 made of 2s alone would need seventeen squares: 65536, 32768 and so on down to 4, and two 2s. So each
//! of the sixteen tiles of the last board takes a 4 at the moment when the board is full of different tiles but for one
//! square; every other spawn is a 2, because a 2 earns the 4 that it becomes. The search chooses the squares.

#[path = "shared/beam.rs"]
mod beam;

use std::io::{self, Write};

use engine::{Board, Cell, Direction, Tile};

/// How many boards of the same number of moves are kept. With 10 all of them get stuck at 8192.
const WIDTH: usize = 50;

fn main() -> io::Result<()> {
    io::stdout().write_all(&beam::search(first(), WIDTH, moves))
}

/// The board that the game begins with.
fn first() -> Board {
    Board::EMPTY.with(Cell::at(0, 0), Tile::TWO).with(Cell::at(0, 1), Tile::TWO)
}

/// Every move and spawn from a board, as a byte.
fn moves(_: usize, board: &Board) -> Vec<(Board, u8)> {
    let mut next = Vec::new();
    for (direction, slide) in Direction::ALL.into_iter().zip(board.slides()) {
        let Some(slide) = slide else { continue };
        let tile = if needs_four(&slide.board) { Tile::FOUR } else { Tile::TWO };
        for cell in slide.board.empty_cells() {
            let four = usize::from(tile == Tile::FOUR);
            let byte = (direction.index() << 5 | cell.index() << 1 | four) as u8;
            next.push((slide.board.with(cell, tile), byte));
        }
    }
    next
}

/// Whether fifteen different tiles, none of them a 2, leave one square.
fn needs_four(board: &Board) -> bool {
    let tiles = Cell::all().filter_map(|cell| board.get(cell));
    let kinds = tiles.fold(0, |kinds, tile| kinds | tile.value());
    board.empty_count() == 1 && kinds.count_ones() == 15 && kinds & Tile::TWO.value() == 0
}
