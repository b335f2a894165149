//! Expectimax: the best of our moves over the mean of the game's, as deep as the time allows.

mod search;
mod table;

use engine::{Board, Cell, Direction};
use search::Search;
use table::Table;

use crate::{Decision, Effort, Evaluation, HowHigh, Limits, Player, Position, measure::risk};

/// How the search is bounded, besides its [`Limits`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Boards that come up with less than this probability are judged where they stand, when the search looks four
    /// moves ahead; it cuts off less the further it looks, by half a power of ten for each move.
    pub cutoff: f32,
    /// The table of searched afterstates has room for two to this power of them, 16 bytes each; at least 1.
    pub table_bits: u32,
    /// The most moves to look ahead, at least 2.
    pub deepest: u8,
    /// How much worse than the best-looking direction a direction may look, in the evaluation's unit and judged where
    /// it ends, and still be searched; infinite: all are. The directions of the position itself are all searched.
    pub margin: f32,
    /// Chance-node pruning: where more squares than this are empty, only a 2 is expected, since a 4 makes little
    /// difference there. `None` expects both everywhere.
    pub roomy: Option<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { cutoff: 1e-2, table_bits: 17, deepest: 15, margin: 400_000.0, roomy: None }
    }
}

impl Settings {
    /// The probability below which a search so many moves deep looks no further.
    fn cutoff_at(&self, depth: u8) -> f32 {
        self.cutoff * 10.0_f32.powf((4.0 - f32::from(depth)) / 2.0)
    }
}

/// The search. It goes one move deeper at a time while its time lasts; two moves are always looked ahead. How deep it
/// goes at most follows from the board: easy boards get a glance, and the time that is left is not used.
#[derive(Debug, Default)]
pub struct Expectimax<E = HowHigh> {
    evaluation: E,
    settings: Settings,
    table: Table,
}

impl<E> Expectimax<E> {
    /// A player that judges by `evaluation`.
    pub fn new(evaluation: E, settings: Settings) -> Self {
        Self { evaluation, settings, table: Table::default() }
    }
}

impl<E: Evaluation> Player for Expectimax<E> {
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision {
        let board = &position.board;
        if let Some(decision) = Decision::forced(board) {
            return decision;
        }
        self.table.renew(self.settings.table_bits);
        let deepest = depth_for(board).min(self.settings.deepest);
        let mut search = Search::new(&self.evaluation, &self.settings, &mut self.table, limits);
        let (mut values, mut depth) = ([None; 4], 1);
        while let Some(found) = search.values(board, depth + 1) {
            (values, depth) = (found, depth + 1);
            if depth >= deepest || !search.meter().can_go_deeper() {
                break;
            }
        }
        let (boards, hits) = (search.meter().boards(), search.table_hits());
        Decision {
            direction: best_direction(&values),
            detail: Some(format!(
                "{depth} moves ahead over {boards} boards, {hits} from the table"
            )),
            values: values.map(|value| value.map(f64::from)),
            risk: risk(board),
            effort: Effort {
                nodes: boards,
                rollouts: 0,
                depth: u32::from(depth),
                table_hits: hits,
            },
            ..Decision::default()
        }
    }
}

/// The direction with the highest value, the first of equals.
pub(crate) fn best_direction(values: &[Option<f32>; 4]) -> Option<Direction> {
    let worth = |direction: &Direction| values[direction.index()];
    let legal = Direction::ALL.into_iter().filter(|direction| worth(direction).is_some());
    // Of equals, `max_by` takes the last.
    legal.rev().max_by(|a, b| worth(a).unwrap_or_default().total_cmp(&worth(b).unwrap_or_default()))
}

/// How many moves ahead are worth looking: more on a varied board, whose big tiles have a long way to each other, and
/// on a crowded one, where few tiles can come and one may be the last.
fn depth_for(board: &Board) -> u8 {
    let seen = Cell::all()
        .filter_map(|cell| board.get(cell))
        .fold(0_u32, |seen, tile| seen | 1 << tile.exponent());
    let distinct = seen.count_ones() as u8;
    let depth = match board.empty_count() {
        0..=3 => distinct,
        4..=7 => distinct.saturating_sub(1),
        _ => distinct.saturating_sub(2),
    };
    depth.max(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tutorial, testing};

    const EASY: &str = "8 4 2 . 2 . . . . . . . . . . 2";
    const VARIED: &str = "1024 512 256 128 64 32 16 8 4 2 4 . 2 . . .";

    fn decide(board: &str, settings: Settings, most: u64) -> Decision {
        let player = Expectimax::new(HowHigh::default(), settings);
        testing::decide(player, board, &testing::nodes(most, 0))
    }

    /// The value by the definition: no table, no cut-off, no bound but the depth.
    fn naive<E: Evaluation>(evaluation: &E, board: &Board, depth: u8) -> [Option<f64>; 4] {
        board.slides().map(|slide| {
            let after = slide?.board;
            if depth == 1 {
                return Some(f64::from(evaluation.value(&after)));
            }
            let best = |tile, cell| {
                let values = naive(evaluation, &after.with(cell, tile), depth - 1);
                values.into_iter().flatten().fold(f64::from(E::DEAD), f64::max)
            };
            let each =
                |cell| 0.9 * best(engine::Tile::TWO, cell) + 0.1 * best(engine::Tile::FOUR, cell);
            Some(after.empty_cells().map(each).sum::<f64>() / after.empty_count() as f64)
        })
    }

    fn check_against_naive<E: Evaluation + Clone>(evaluation: &E, board: &str, depth: u8) {
        let settings =
            Settings { cutoff: 0.0, deepest: depth, margin: f32::INFINITY, ..Settings::default() };
        let player = Expectimax::new(evaluation.clone(), settings);
        let found = testing::decide(player, board, &testing::nodes(u64::MAX, 0));
        assert_eq!(found.effort.depth, u32::from(depth));
        for (value, naive) in
            found.values.into_iter().zip(naive(evaluation, &board.parse().unwrap(), depth))
        {
            assert_eq!(value.is_some(), naive.is_some());
            let (value, naive) = (value.unwrap_or(0.0), naive.unwrap_or(0.0));
            assert!((value - naive).abs() <= 1e-4 * naive.abs(), "{value}, not {naive}: {board}");
        }
    }

    #[test]
    fn the_search_finds_what_the_definition_says() {
        let crowded = "1024 512 256 128 64 32 16 8 4 2 4 16 2 8 2 .";
        let large = "32768 32768 4 2 16 8 4 8 2 4 . 2 65536 2 4 2";
        for board in [crowded, large, VARIED, EASY] {
            check_against_naive(&HowHigh::default(), board, 2);
            check_against_naive(&HowHigh::default(), board, 3);
            check_against_naive(&Tutorial::default(), board, 2);
        }
        check_against_naive(&HowHigh::default(), crowded, 4);
        check_against_naive(&HowHigh::default(), large, 4);
    }

    #[test]
    fn easy_boards_get_a_glance() {
        let effort = |board| decide(board, Settings::default(), u64::MAX).effort;
        let easy = effort(EASY);
        assert_eq!(easy.depth, 3);
        assert!(easy.nodes < 10_000, "{easy:?}");
        let most = 100_000;
        let varied = decide(VARIED, Settings::default(), most).effort;
        assert!(varied.depth > easy.depth && varied.nodes > easy.nodes, "{varied:?}");
    }

    #[test]
    fn two_moves_are_always_looked_ahead() {
        for board in [EASY, VARIED] {
            assert_eq!(decide(board, Settings::default(), 0).effort.depth, 2);
        }
    }

    #[test]
    fn what_looks_hopeless_is_not_searched() {
        let open = Settings { deepest: 4, margin: f32::INFINITY, ..Settings::default() };
        let nodes = |margin| decide(VARIED, Settings { margin, ..open }, u64::MAX).effort.nodes;
        assert!(nodes(400_000.0) < nodes(f32::INFINITY));
        assert!(nodes(0.0) < nodes(400_000.0));
        // Every direction of the position has its value all the same.
        let decision = decide(VARIED, Settings { margin: 0.0, ..open }, u64::MAX);
        let legal = VARIED.parse::<Board>().unwrap().legal();
        assert_eq!(decision.values.iter().flatten().count(), legal.len());
    }

    #[test]
    fn pruning_looks_at_fewer_boards_where_there_is_room_and_only_there() {
        let full = Settings { deepest: 4, ..Settings::default() };
        let pruned = |roomy| Settings { roomy: Some(roomy), ..full };
        let nodes = |board, settings| decide(board, settings, u64::MAX).effort.nodes;
        assert!(nodes(EASY, pruned(6)) < nodes(EASY, full));
        assert_eq!(decide(VARIED, pruned(15), u64::MAX), decide(VARIED, full, u64::MAX));
    }

    #[test]
    fn the_table_is_of_use_and_is_kept() {
        let board: Board = VARIED.parse().unwrap();
        let position = Position { board, score: 0, merges: 0, moves: 0, recent: Vec::new() };
        let mut player = Expectimax::<HowHigh>::default();
        let first = player.choose(&position, &testing::nodes(50_000, 0)).effort;
        assert!(first.table_hits > 0);
        // What the first decision found out, the second one need not search for again.
        let second = player.choose(&position, &testing::nodes(1_000, 0)).effort;
        assert_eq!(second.depth, first.depth);
    }

    #[test]
    fn the_detail_says_how_hard_it_looked() {
        let decision = decide(VARIED, Settings::default(), 20_000);
        let Effort { nodes, depth, table_hits, .. } = decision.effort;
        let expected =
            format!("{depth} moves ahead over {nodes} boards, {table_hits} from the table");
        assert_eq!(decision.detail, Some(expected));
    }
}
