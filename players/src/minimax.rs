//! Minimax: the best of our moves against the worst tile that could come. The pessimist among the searches, in the
//! manner of ovolve's 2048-AI.

mod search;

use std::time::Duration;

use search::Search;

use crate::{
    Decision, Effort, Evaluation, Limits, Player, Position, Tutorial, expectimax::best_direction,
    measure::risk,
};

/// The search, with alpha-beta pruning, one move deeper at a time while its time lasts. It is a yardstick: the game
/// drops its tiles at random, and whoever expects the worst of it plays too timidly.
#[derive(Debug, Default)]
pub struct Minimax<E = Tutorial> {
    evaluation: E,
}

impl<E> Minimax<E> {
    /// How long it thinks about a move unless told otherwise.
    pub const THINKING_TIME: Duration = Duration::from_millis(100);
    /// The most moves to look ahead: further than any budget reaches, except on boards that are all but over.
    const DEEPEST: u8 = 20;

    /// A player that judges by `evaluation`.
    pub const fn new(evaluation: E) -> Self {
        Self { evaluation }
    }
}

impl<E: Evaluation> Player for Minimax<E> {
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision {
        let board = &position.board;
        if let Some(decision) = Decision::forced(board) {
            return decision;
        }
        let mut search = Search::new(&self.evaluation, limits);
        let (mut values, mut depth) = ([None; 4], 1);
        while let Some(found) = search.values(board, depth + 1) {
            (values, depth) = (found, depth + 1);
            if depth >= Self::DEEPEST || !search.meter().can_go_deeper() {
                break;
            }
        }
        let nodes = search.meter().boards();
        Decision {
            direction: best_direction(&values),
            detail: Some(format!("{depth} moves ahead over {nodes} boards, expecting the worst")),
            values: values.map(|value| value.map(f64::from)),
            risk: risk(board),
            effort: Effort { nodes, rollouts: 0, depth: u32::from(depth), table_hits: 0 },
            ..Decision::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::{Board, Direction, Tile};

    use super::*;
    use crate::{HowHigh, testing};

    /// The value by the definition, without pruning.
    fn naive<E: Evaluation>(evaluation: &E, board: &Board, depth: u8) -> [Option<f32>; 4] {
        board.slides().map(|slide| {
            let after = slide?.board;
            if depth == 1 {
                return Some(evaluation.value(&after));
            }
            let best = |board: &Board| {
                let values = naive(evaluation, board, depth - 1);
                values.into_iter().flatten().fold(E::DEAD, f32::max)
            };
            let tiles = [Tile::TWO, Tile::FOUR];
            let spawned =
                after.empty_cells().flat_map(|cell| tiles.map(|tile| after.with(cell, tile)));
            Some(spawned.map(|board| best(&board)).fold(f32::INFINITY, f32::min))
        })
    }

    fn check<E: Evaluation + Clone>(evaluation: &E, board: &str, depth: u8) {
        let board = board.parse().unwrap();
        let limits = testing::nodes(u64::MAX, 0);
        let found = Search::new(evaluation, &limits).values(&board, depth).unwrap();
        let naive = naive(evaluation, &board, depth);
        for direction in Direction::ALL {
            let (found, naive) = (found[direction.index()], naive[direction.index()]);
            assert_eq!(found.is_some(), naive.is_some());
            let (found, naive) = (found.unwrap_or(0.0), naive.unwrap_or(0.0));
            assert!((found - naive).abs() <= 1e-5 * naive.abs(), "{found}, not {naive}: {board:?}");
        }
    }

    #[test]
    fn the_search_finds_what_the_definition_says() {
        for board in [
            "1024 512 256 128 64 32 16 8 4 2 4 16 2 8 2 .",
            "32768 32768 4 2 16 8 4 8 2 4 . 2 65536 2 4 2",
            "8 4 2 . 2 . . . . . . . . . . 2",
            "2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 4",
        ] {
            check(&Tutorial::default(), board, 2);
            check(&Tutorial::default(), board, 3);
            check(&HowHigh::default(), board, 3);
        }
        check(&Tutorial::default(), "1024 512 256 128 64 32 16 8 4 2 4 16 2 8 2 .", 4);
    }

    #[test]
    fn two_moves_are_always_looked_ahead() {
        let board = "8 4 2 . 2 . . . . . . . . . . 2";
        let decision =
            testing::decide(Minimax::<Tutorial>::default(), board, &testing::nodes(0, 0));
        assert_eq!(decision.effort.depth, 2);
    }

    #[test]
    fn a_move_that_may_end_the_game_is_worth_no_more_than_its_end() {
        // To the left, a 2 ends the game and a 4 does not; to the right, both do.
        let board = "2 4 8 16 4 8 16 32 8 16 32 64 32 64 2 2";
        let decision =
            testing::decide(Minimax::<Tutorial>::default(), board, &testing::nodes(99, 0));
        let dead = Some(f64::from(Tutorial::DEAD));
        assert_eq!(decision.values, [None, None, dead, dead]);
    }
}
