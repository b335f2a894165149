//! The search to one depth: the best of our moves, the mean of the game's.

use engine::{Board, Tile};

use super::{
    Settings,
    table::{Rarity, Table},
};
use crate::{Evaluation, Limits, meter::Meter};

/// Probability of a 2 and of a 4.
const TILES: [(Tile, f32); 2] = [(Tile::TWO, 0.9), (Tile::FOUR, 0.1)];

/// One decision's search, over all its depths.
#[derive(Debug)]
pub(super) struct Search<'a, E> {
    evaluation: &'a E,
    settings: &'a Settings,
    table: &'a mut Table,
    meter: Meter<'a>,
    table_hits: u64,
}

impl<'a, E: Evaluation> Search<'a, E> {
    pub(super) fn new(
        evaluation: &'a E,
        settings: &'a Settings,
        table: &'a mut Table,
        limits: &'a Limits<'a>,
    ) -> Self {
        Self { evaluation, settings, table, meter: Meter::new(limits), table_hits: 0 }
    }

    /// Positions answered from the table.
    pub(super) fn table_hits(&self) -> u64 {
        self.table_hits
    }

    /// The boards to move on that were looked at, each of which slides in four directions; and what is left.
    pub(super) fn meter(&mut self) -> &mut Meter<'a> {
        &mut self.meter
    }

    /// What each legal direction is worth, looking `depth` moves ahead, at least 1; `None` when the limits are spent
    /// before it is known.
    pub(super) fn values(&mut self, board: &Board, depth: u8) -> Option<[Option<f32>; 4]> {
        let values = board.slides().map(|slide| {
            let after = slide?.board;
            if depth == 1 {
                return Some(self.evaluation.value(&after));
            }
            let known = self.table.get(&after, depth - 1, Rarity::of(1.0));
            Some(self.known_or_searched(&after, known, depth - 1, 1.0))
        });
        (!self.meter.is_spent()).then_some(values)
    }

    /// The mean over the tiles that may appear on an afterstate that comes up with `probability`, looking `depth`
    /// moves ahead, at least 1.
    fn spawn_value(&mut self, board: &Board, depth: u8, probability: f32) -> f32 {
        let value = if depth == 1 {
            if !self.meter.count(2 * board.empty_count() as u64) {
                return E::DEAD;
            }
            self.evaluation.mean_after_spawn(board)
        } else {
            self.mean_of_moves(board, depth, probability)
        };
        if !self.meter.is_spent() {
            self.table.put(board, depth, Rarity::of(probability), value);
        }
        value
    }

    /// The mean over the tiles that may appear, each searched for.
    fn mean_of_moves(&mut self, board: &Board, depth: u8, probability: f32) -> f32 {
        let share = 1.0 / board.empty_count() as f32;
        let mut value = 0.0;
        for cell in board.empty_cells() {
            for (tile, odds) in TILES {
                let odds = odds * share;
                value += odds * self.move_value(&board.with(cell, tile), depth, probability * odds);
            }
            if self.meter.is_spent() {
                break;
            }
        }
        value
    }

    /// The best of the directions on a board to move on, with `depth` moves to look ahead, at least 2.
    fn move_value(&mut self, board: &Board, depth: u8, probability: f32) -> f32 {
        if !self.meter.count(1) {
            return E::DEAD;
        }
        if probability < self.settings.cutoff {
            return self.evaluation.best_afterstate(board);
        }
        let rarity = Rarity::of(probability);
        // All four are looked up before any is searched, so that the processor waits for its memory once.
        let known = board.slides().map(|slide| {
            let after = slide?.board;
            Some((after, self.table.get(&after, depth - 1, rarity)))
        });
        let mut best = self.evaluation.dead(board);
        for (after, known) in known.into_iter().flatten() {
            best = best.max(self.known_or_searched(&after, known, depth - 1, probability));
        }
        best
    }

    /// The value of an afterstate, searched for if it is not `known`.
    fn known_or_searched(
        &mut self,
        board: &Board,
        known: Option<f32>,
        depth: u8,
        probability: f32,
    ) -> f32 {
        match known {
            Some(value) => {
                self.table_hits += 1;
                value
            }
            None => self.spawn_value(board, depth, probability),
        }
    }
}
