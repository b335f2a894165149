//! The evaluation of nneonneo's program, as the page "How high can 2048 go?" states it: room, pairs, order, and big
//! tiles in few squares.

use std::sync::{Arc, LazyLock};

use engine::Board;

use super::{
    Evaluation, best_of_values,
    lines::{Line, LineTable, sum_of_lines},
    mean_of_bests,
};

/// How much each part of [`HowHigh`] counts. A line is a row or a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// For each line, so that few boards that go on are worth less than a dead one.
    pub base: f64,
    /// For each empty square of a line.
    pub empty: f64,
    /// For each pair of equal tiles with nothing but empty squares between them.
    pub pair: f64,
    /// Against the rises, or the falls if they are less, of the fourth powers of the exponents: a step between big
    /// tiles counts far more than one between small ones.
    pub order: f64,
    /// Against the exponents to the power 3.5: a tile is worth less than the two that it is made of.
    pub sum: f64,
}

impl Default for Weights {
    /// The values that the page gives.
    fn default() -> Self {
        Self { base: 200_000.0, empty: 270.0, pair: 700.0, order: 47.0, sum: 11.0 }
    }
}

impl Weights {
    fn line(&self, line: Line) -> f32 {
        let (mut empty, mut pairs, mut sum, mut last) = (0.0, 0.0, 0.0, 0);
        for exponent in line {
            if exponent == 0 {
                empty += 1.0;
                continue;
            }
            pairs += f64::from(exponent == last);
            sum += f64::from(exponent).powi(3) * f64::from(exponent).sqrt();
            last = exponent;
        }
        let (mut rises, mut falls) = (0.0, 0.0);
        for pair in line.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|exponent| f64::from(exponent).powi(4));
            rises += (to - from).max(0.0);
            falls += (from - to).max(0.0);
        }
        let worth = self.base + self.empty * empty + self.pair * pairs
            - self.order * f64::min(rises, falls)
            - self.sum * sum;
        worth as f32
    }
}

/// Judges by room, pairs, order and the sum of powers of the exponents, over rows and columns. Cheap to clone.
#[derive(Debug, Clone)]
pub struct HowHigh {
    weights: Weights,
    lines: Arc<LineTable>,
}

impl HowHigh {
    /// An evaluation with these weights.
    pub fn new(weights: Weights) -> Self {
        Self { weights, lines: Arc::new(LineTable::new(|line| weights.line(line))) }
    }
}

impl Default for HowHigh {
    /// With the default weights; the tables are made once for all of these.
    fn default() -> Self {
        static DEFAULT: LazyLock<HowHigh> = LazyLock::new(|| HowHigh::new(Weights::default()));
        DEFAULT.clone()
    }
}

impl Evaluation for HowHigh {
    const DEAD: f32 = 0.0;

    #[inline]
    fn value(&self, board: &Board) -> f32 {
        let sum = self.lines.sum(board);
        sum.unwrap_or_else(|| sum_of_lines(board, |line| self.weights.line(line)))
    }

    #[inline]
    fn best_afterstate(&self, board: &Board) -> f32 {
        let best = self.lines.best_afterstate(board, Self::DEAD);
        best.unwrap_or_else(|| best_of_values(self, board))
    }

    #[inline]
    fn mean_after_spawn(&self, after: &Board) -> f32 {
        let mean = self.lines.mean_after_spawn(after, Self::DEAD);
        mean.unwrap_or_else(|| mean_of_bests(self, after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(line: Line) -> f32 {
        Weights::default().line(line)
    }

    #[test]
    fn a_line_is_worth_what_the_page_says() {
        assert!((worth([0; 4]) - (200_000.0 + 4.0 * 270.0)).abs() < 0.1);
        // A pair over a gap: two empty squares, one pair, and the lesser of a rise and a fall of 1.
        let expected = 200_000.0 + 2.0 * 270.0 + 700.0 - 47.0 - 11.0 * 2.0;
        assert!((worth([1, 0, 1, 0]) - expected).abs() < 0.1, "{}", worth([1, 0, 1, 0]));
        // In order, so nothing is taken off for order.
        let sum: f64 = [4.0_f64, 3.0, 2.0, 1.0].iter().map(|rank| rank.powf(3.5)).sum();
        assert!((f64::from(worth([4, 3, 2, 1])) - (200_000.0 - 11.0 * sum)).abs() < 0.1);
    }

    #[test]
    fn a_line_and_its_mirror_image_are_worth_the_same() {
        for line in [[1, 2, 3, 0], [5, 1, 1, 9], [0, 17, 16, 15], [3, 0, 3, 4]] {
            let [a, b, c, d] = line;
            assert!((worth(line) - worth([d, c, b, a])).abs() < 0.1);
        }
    }

    #[test]
    fn the_table_and_the_long_way_agree() {
        let evaluation = HowHigh::default();
        for seed in 0..20 {
            let mut game = engine::Game::new(seed);
            while let Some(direction) = game.board().legal().first() {
                game.play(direction).unwrap();
                let board = game.board();
                let long = sum_of_lines(board, worth);
                assert!((evaluation.value(board) - long).abs() < 1.0, "{board:?}");
            }
        }
    }
}
