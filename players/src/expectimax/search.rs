//! The search to one depth: the best of our moves, the mean of the game's.

use std::sync::atomic::Ordering;

use engine::{Board, Tile};

use super::{
    Settings,
    table::{Rarity, Table},
};
use crate::{Evaluation, Limits};

/// Probability of a 2 and of a 4.
const TILES: [(Tile, f32); 2] = [(Tile::TWO, 0.9), (Tile::FOUR, 0.1)];

/// One decision's search, over all its depths.
#[derive(Debug)]
pub(super) struct Search<'a, E> {
    evaluation: &'a E,
    settings: &'a Settings,
    table: &'a mut Table,
    limits: &'a Limits<'a>,
    most_boards: u64,
    counts: Counts,
    /// Set when the limits are spent: what the search returns from then on is void.
    is_void: bool,
}

/// How hard a search looked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Boards to move on, each of which slides in four directions.
    pub(super) boards: u64,
    pub(super) table_hits: u64,
}

impl<'a, E: Evaluation> Search<'a, E> {
    /// Boards between two looks at the limits: some tens of microseconds.
    const INTERVAL: u64 = 1_024;
    /// The most boards in a search two moves deep: four directions, two tiles on up to fifteen squares. Since it is
    /// below [`Self::INTERVAL`], such a search is finished whatever the limits say.
    const DEPTH_TWO: u64 = 4 * 2 * 15;

    pub(super) fn new(
        evaluation: &'a E,
        settings: &'a Settings,
        table: &'a mut Table,
        limits: &'a Limits<'a>,
    ) -> Self {
        let most_boards = limits.nodes.unwrap_or(u64::MAX).max(Self::DEPTH_TWO);
        let counts = Counts::default();
        Self { evaluation, settings, table, limits, most_boards, counts, is_void: false }
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether another search, one move deeper, has a chance to be finished. It takes about five times as long.
    pub(super) fn can_go_deeper(&self) -> bool {
        const SHARE: u32 = 3;
        if self.limits.stop.load(Ordering::Relaxed) {
            return false;
        }
        let has_boards = self.counts.boards.saturating_mul(u64::from(SHARE)) < self.most_boards;
        let has_time = |budget| self.limits.clock.elapsed() * SHARE < budget;
        has_boards && self.limits.budget.is_none_or(has_time)
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
        (!self.is_void).then_some(values)
    }

    /// The mean over the tiles that may appear on an afterstate that comes up with `probability`, looking `depth`
    /// moves ahead, at least 1.
    fn spawn_value(&mut self, board: &Board, depth: u8, probability: f32) -> f32 {
        let share = 1.0 / board.empty_count() as f32;
        let mut value = 0.0;
        for cell in board.empty_cells() {
            for (tile, odds) in TILES {
                let odds = odds * share;
                value += odds * self.move_value(&board.with(cell, tile), depth, probability * odds);
            }
            if self.is_void {
                return E::DEAD;
            }
        }
        self.table.put(board, depth, Rarity::of(probability), value);
        value
    }

    /// The best of the directions on a board to move on.
    fn move_value(&mut self, board: &Board, depth: u8, probability: f32) -> f32 {
        if self.is_void {
            return E::DEAD;
        }
        self.counts.boards += 1;
        self.is_void = self.counts.boards >= self.most_boards
            || self.counts.boards.is_multiple_of(Self::INTERVAL) && self.limits.are_spent();
        if depth == 1 || probability < self.settings.cutoff {
            return self.evaluation.best_afterstate(board);
        }
        let rarity = Rarity::of(probability);
        // All four are looked up before any is searched, so that the processor waits for its memory once.
        let known = board.slides().map(|slide| {
            let after = slide?.board;
            Some((after, self.table.get(&after, depth - 1, rarity)))
        });
        let mut best = E::DEAD;
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
                self.counts.table_hits += 1;
                value
            }
            None => self.spawn_value(board, depth, probability),
        }
    }
}
