//! Finds a game with the highest score that there is, and writes it to standard output, a byte a move:
//! `cargo run --release -p engine --example longest_game > engine/tests/rules/longest_game.bin` takes minutes.
//!
//! A tile of 131072 made of 2s alone would need seventeen squares: 65536, 32768 and so on down to 4, and two 2s. So each
//! of the sixteen tiles of the last board takes a 4 at the moment when the board is full of different tiles but for one
//! square; every other spawn is a 2, because a 2 earns the 4 that it becomes. The search chooses the squares: it keeps
//! the boards that lie best along a winding path, and so many of them that one gets through.

use std::{
    cmp::Reverse,
    collections::HashSet,
    io::{self, Write},
};

use engine::{Board, Cell, Direction, Tile};

/// How many boards of the same number of moves are kept. With 10 all of them get stuck at 8192.
const WIDTH: usize = 50;

/// The squares in the order that tiles should lie in, the largest first.
const PATH: [usize; 16] = [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12];

/// A board, the place of the one before it in the last step, and the byte of the move between.
struct Node {
    board: Board,
    order: i64,
    parent: u32,
    byte: u8,
}

fn main() -> io::Result<()> {
    let mut nodes = vec![Node { board: first(), order: 0, parent: 0, byte: 0 }];
    let mut steps: Vec<Vec<(u32, u8)>> = Vec::new();
    loop {
        let mut next: Vec<Node> = (0..).zip(&nodes).flat_map(|(i, node)| moves(i, node)).collect();
        next.sort_unstable_by_key(|node| Reverse(node.order));
        let mut seen = HashSet::new();
        next.retain(|node| seen.len() < WIDTH && seen.insert(node.board));
        if next.is_empty() {
            break;
        }
        steps.push(next.iter().map(|node| (node.parent, node.byte)).collect());
        nodes = next;
    }
    let mut at = 0;
    let mut bytes: Vec<u8> = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let (parent, byte) = step[at as usize];
        bytes.push(byte);
        at = parent;
    }
    bytes.reverse();
    io::stdout().write_all(&bytes)
}

/// The board that the game begins with.
fn first() -> Board {
    Board::EMPTY.with(Cell::at(0, 0), Tile::TWO).with(Cell::at(0, 1), Tile::TWO)
}

/// Every move and spawn from a board.
fn moves(parent: u32, node: &Node) -> Vec<Node> {
    let mut nodes = Vec::new();
    for (direction, slide) in Direction::ALL.into_iter().zip(node.board.slides()) {
        let Some(slide) = slide else { continue };
        let tile = if needs_four(&slide.board) { Tile::FOUR } else { Tile::TWO };
        for cell in slide.board.empty_cells() {
            let board = slide.board.with(cell, tile);
            let four = usize::from(tile == Tile::FOUR);
            let byte = (direction.index() << 5 | cell.index() << 1 | four) as u8;
            nodes.push(Node { board, order: order(&board), parent, byte });
        }
    }
    nodes
}

/// Whether fifteen different tiles, none of them a 2, leave one square.
fn needs_four(board: &Board) -> bool {
    let tiles = Cell::all().filter_map(|cell| board.get(cell));
    let kinds = tiles.fold(0, |kinds, tile| kinds | tile.value());
    board.empty_count() == 1 && kinds.count_ones() == 15 && kinds & Tile::TWO.value() == 0
}

/// How well the tiles lie along the path: each counts twice as much as on the next square, and a tile behind a smaller
/// one is taken off again as if it lay on that one's square.
fn order(board: &Board) -> i64 {
    let (mut order, mut least, mut least_weight) = (0, i64::MAX, 0);
    for (weight, index) in (0..16).rev().zip(PATH) {
        let tile = Cell::from_index(index).and_then(|cell| board.get(cell));
        let Some(value) = tile.map(|tile| i64::from(tile.value())) else { continue };
        order += value << weight;
        if value > least {
            order -= value << least_weight;
        } else {
            (least, least_weight) = (value, weight);
        }
    }
    order
}
