//! A search that keeps the boards that lie best along a winding path, and so many of them that one gets through.

use std::{cmp::Reverse, collections::HashSet};

use engine::{Board, Cell};

/// The squares in the order that tiles should lie in, the largest first.
const PATH: [usize; 16] = [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12];

/// A board, the place of the one before it in the last step, and the move between.
struct Node<M> {
    board: Board,
    order: i64,
    parent: u32,
    made: M,
}

/// The moves from `start` to the best of the boards that no move leads on from.
///
/// `moves` tells what leads on from a board after so many moves, and to which one; `width` boards of the same number of
/// moves are kept.
pub(crate) fn search<M: Copy>(
    start: Board,
    width: usize,
    moves: impl Fn(usize, &Board) -> Vec<(Board, M)>,
) -> Vec<M> {
    let mut boards = vec![start];
    let mut steps: Vec<Vec<(u32, M)>> = Vec::new();
    loop {
        let mut next = Vec::new();
        for (parent, board) in (0..).zip(&boards) {
            for (board, made) in moves(steps.len(), board) {
                next.push(Node { board, order: order(&board), parent, made });
            }
        }
        next.sort_unstable_by_key(|node| Reverse(node.order));
        let mut seen = HashSet::new();
        next.retain(|node| seen.len() < width && seen.insert(node.board));
        if next.is_empty() {
            return way(&steps);
        }
        steps.push(next.iter().map(|node| (node.parent, node.made)).collect());
        boards = next.iter().map(|node| node.board).collect();
    }
}

/// The moves to the first board of the last step.
fn way<M: Copy>(steps: &[Vec<(u32, M)>]) -> Vec<M> {
    let mut at = 0;
    let mut moves = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let (parent, made) = step[at as usize];
        moves.push(made);
        at = parent;
    }
    moves.reverse();
    moves
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
