//! The evaluation of the expectimax tutorial: room, order, smoothness, the corner, pairs.

use std::sync::{Arc, LazyLock};

use engine::Board;

use super::{
    Evaluation,
    lines::{Line, LineTable, sum_of_lines},
};
use crate::measure::largest_is_in_a_corner;

/// How much each part of [`Tutorial`] counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// For each empty square.
    pub empty: f64,
    /// For order: against the rises or the falls of the exponents, whichever are less, in each row and column.
    pub monotonicity: f64,
    /// For smoothness: against the difference of the exponents of neighbouring tiles.
    pub smoothness: f64,
    /// For a largest tile in a corner.
    pub corner: f64,
    /// For each pair of equal neighbours.
    pub merge: f64,
}

impl Default for Weights {
    /// The tutorial names the parts and leaves the weights open; these are ours.
    fn default() -> Self {
        Self { empty: 10.0, monotonicity: 10.0, smoothness: 2.0, corner: 50.0, merge: 8.0 }
    }
}

impl Weights {
    fn line(&self, line: Line) -> f32 {
        // Each square is in a row and in a column.
        let tiles: Vec<u8> = line.into_iter().filter(|&exponent| exponent != 0).collect();
        let empty = (4 - tiles.len()) as f64 / 2.0;
        let (mut pairs, mut rises, mut falls) = (0.0, 0.0, 0.0);
        for neighbours in tiles.windows(2) {
            let (first, second) = (neighbours[0], neighbours[1]);
            pairs += f64::from(first == second);
            rises += f64::from(second.saturating_sub(first));
            falls += f64::from(first.saturating_sub(second));
        }
        let worth = self.empty * empty + self.merge * pairs
            - self.monotonicity * f64::min(rises, falls)
            - self.smoothness * (rises + falls);
        worth as f32
    }
}

/// Judges by the features that the tutorial lists, with weights that can be set. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Tutorial {
    weights: Weights,
    lines: Arc<LineTable>,
}

impl Tutorial {
    /// An evaluation with these weights.
    pub fn new(weights: Weights) -> Self {
        Self { weights, lines: Arc::new(LineTable::new(|line| weights.line(line))) }
    }
}

impl Default for Tutorial {
    /// With the default weights; the tables are made once for all of these.
    fn default() -> Self {
        static DEFAULT: LazyLock<Tutorial> = LazyLock::new(|| Tutorial::new(Weights::default()));
        DEFAULT.clone()
    }
}

impl Evaluation for Tutorial {
    // Below what any weights of use give a board that goes on.
    const DEAD: f32 = -100_000.0;

    #[inline]
    fn value(&self, board: &Board) -> f32 {
        let lines = self
            .lines
            .sum(board)
            .unwrap_or_else(|| sum_of_lines(board, |line| self.weights.line(line)));
        let corner = if largest_is_in_a_corner(board) { self.weights.corner as f32 } else { 0.0 };
        lines + corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the board is worth when only one weight is not zero.
    fn part(board: &str, weights: Weights) -> f32 {
        Tutorial::new(weights).value(&board.parse().unwrap())
    }

    const NONE: Weights =
        Weights { empty: 0.0, monotonicity: 0.0, smoothness: 0.0, corner: 0.0, merge: 0.0 };

    #[track_caller]
    fn check(board: &str, weights: Weights, expected: f32) {
        let worth = part(board, weights);
        assert!((worth - expected).abs() < 1e-3, "{worth}, not {expected}");
    }

    #[test]
    fn each_part_counts_what_it_says() {
        let board = "64 2 2 . . . . . . . . . . . . 4";
        check(board, Weights { empty: 1.0, ..NONE }, 12.0);
        check(board, Weights { merge: 1.0, ..NONE }, 1.0);
        check(board, Weights { corner: 1.0, ..NONE }, 1.0);
        // 64 to 2 is five steps.
        check(board, Weights { smoothness: 1.0, ..NONE }, -5.0);
        check(board, Weights { monotonicity: 1.0, ..NONE }, 0.0);
        check("2 64 2 . . . . . . . . . . . . 4", Weights { monotonicity: 1.0, ..NONE }, -5.0);
        check("2 64 2 . . . . . . . . . . . . 4", Weights { corner: 1.0, ..NONE }, 0.0);
    }

    #[test]
    fn the_largest_tiles_are_judged_too() {
        check(
            "131072 65536 . . . . . . . . . . . . . .",
            Weights { smoothness: 1.0, ..NONE },
            -1.0,
        );
    }
}
