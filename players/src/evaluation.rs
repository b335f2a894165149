//! What a position looks worth without looking further: the judgements that searches end in.

mod how_high;
mod lines;
mod tutorial;

use std::sync::Arc;

use engine::{Board, Direction, Tile};

pub use how_high::{HowHigh, Weights as HowHighWeights};
pub use tutorial::{Tutorial, Weights as TutorialWeights};

/// A judgement of boards, higher for better ones, in a unit of its own.
pub trait Evaluation: Send {
    /// What a board is worth on which no direction is legal. No board to move on counts as less.
    const DEAD: f32;

    /// What `board` is worth if no direction is legal on it; for a judgement that knows more than [`Evaluation::DEAD`].
    #[inline]
    fn dead(&self, _board: &Board) -> f32 {
        Self::DEAD
    }

    /// What an afterstate is worth: a board that waits for its tile.
    fn value(&self, board: &Board) -> f32;

    /// What a board to move on is worth: the best of its afterstates, or [`Evaluation::DEAD`].
    #[inline]
    fn best_afterstate(&self, board: &Board) -> f32 {
        best_of_values(self, board)
    }

    /// What an afterstate is worth a move later: the mean of [`Evaluation::best_afterstate`] over the tiles that may
    /// appear, which are 2 nine times of ten.
    ///
    /// Most of a search is this, so an evaluation may have a faster way to the same number.
    #[inline]
    fn mean_after_spawn(&self, after: &Board) -> f32 {
        mean_of_bests(self, after)
    }
}

/// A shared judgement judges as it does alone.
impl<E: Evaluation + Sync> Evaluation for Arc<E> {
    const DEAD: f32 = E::DEAD;

    #[inline]
    fn dead(&self, board: &Board) -> f32 {
        E::dead(self, board)
    }

    #[inline]
    fn value(&self, board: &Board) -> f32 {
        E::value(self, board)
    }

    #[inline]
    fn best_afterstate(&self, board: &Board) -> f32 {
        E::best_afterstate(self, board)
    }

    #[inline]
    fn mean_after_spawn(&self, after: &Board) -> f32 {
        E::mean_after_spawn(self, after)
    }
}

/// [`Evaluation::mean_after_spawn`] one by one.
fn mean_of_bests<E: Evaluation + ?Sized>(evaluation: &E, after: &Board) -> f32 {
    let sum = |tile| -> f32 {
        after.empty_cells().map(|cell| evaluation.best_afterstate(&after.with(cell, tile))).sum()
    };
    (0.9 * sum(Tile::TWO) + 0.1 * sum(Tile::FOUR)) / after.empty_count() as f32
}

/// [`Evaluation::best_afterstate`] one by one.
fn best_of_values<E: Evaluation + ?Sized>(evaluation: &E, board: &Board) -> f32 {
    Direction::ALL
        .into_iter()
        .filter_map(|direction| board.slide(direction))
        .map(|slide| evaluation.value(&slide.board))
        .fold(evaluation.dead(board), f32::max)
}

#[cfg(test)]
mod tests {
    use proptest::{array::uniform16, prelude::*};

    use super::*;

    /// Boards with many equal neighbours and some pairs of the largest tiles.
    fn boards() -> impl Strategy<Value = Board> {
        let exponent = prop_oneof![4 => Just(0_u8), 8 => 1..=5_u8, 1 => 6..=15_u8, 1 => 14..=17_u8];
        uniform16(exponent).prop_map(|exponents| {
            let place = |board: Board, (cell, exponent)| {
                Tile::from_exponent(exponent).map_or(board, |tile| board.with(cell, tile))
            };
            engine::Cell::all().zip(exponents).fold(Board::EMPTY, place)
        })
    }

    fn check<E: Evaluation>(evaluation: &E, board: &Board) -> Result<(), TestCaseError> {
        let (fast, slow) = (evaluation.best_afterstate(board), best_of_values(evaluation, board));
        prop_assert!((fast - slow).abs() <= 1e-5 * slow.abs(), "{} {} {:?}", fast, slow, board);
        if board.empty_count() > 0 {
            let (fast, slow) =
                (evaluation.mean_after_spawn(board), mean_of_bests(evaluation, board));
            prop_assert!((fast - slow).abs() <= 1e-5 * slow.abs(), "{} {} {:?}", fast, slow, board);
        }
        for image in board.symmetries() {
            let (value, turned) = (evaluation.value(board), evaluation.value(&image));
            prop_assert!((value - turned).abs() <= 1e-5 * value.abs(), "{} {}", value, turned);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn the_fast_way_finds_the_best_afterstate(board in boards()) {
            check(&HowHigh::default(), &board)?;
        }

        #[test]
        fn a_network_has_no_favourite_corner_and_no_slow_way(board in boards()) {
            check(&*crate::ntuple::small_network(), &board)?;
        }

        #[test]
        fn the_tutorial_has_no_favourite_corner(board in boards()) {
            check(&Tutorial::default(), &board)?;
        }
    }
}
