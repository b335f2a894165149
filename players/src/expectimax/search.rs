//! The search to one depth: the best of our moves, the mean of the game's.
//!
//! Nearly every afterstate asks the table, which is larger than the processor's cache. So the afterstates of all tiles
//! that may appear are made first, and their places in the table touched: the memory brings them while the rest is
//! made, and when their turn comes they are there.

use engine::{Board, Tile};

use super::{
    Settings,
    table::{Care, Table},
};
use crate::{Evaluation, Limits, meter::Meter};

/// Probability of a 2 and of a 4.
const TILES: [(Tile, f32); 2] = [(Tile::TWO, 0.9), (Tile::FOUR, 0.1)];

/// What is expected where there is room, when chance nodes are pruned.
const ONLY_TWO: [(Tile, f32); 1] = [(Tile::TWO, 1.0)];

/// One decision's search, over all its depths.
#[derive(Debug)]
pub(super) struct Search<'a, E> {
    evaluation: &'a E,
    settings: &'a Settings,
    table: &'a mut Table,
    meter: Meter<'a>,
    table_hits: u64,
    /// Below this probability, boards are judged where they stand.
    cutoff: f32,
    /// Boards to move on that wait for their turn, those of all nodes under way.
    waiting: Vec<Spawned>,
    /// Whether something under the node under way was judged where it stood because it is so unlikely.
    is_cut: bool,
}

/// A board to move on, and what the directions make of it.
#[derive(Debug, Clone, Copy)]
struct Spawned {
    board: Board,
    afterstates: [Board; 4],
    odds: f32,
}

impl<'a, E: Evaluation> Search<'a, E> {
    pub(super) fn new(
        evaluation: &'a E,
        settings: &'a Settings,
        table: &'a mut Table,
        limits: &'a Limits<'a>,
    ) -> Self {
        Self {
            evaluation,
            settings,
            table,
            meter: Meter::new(limits),
            table_hits: 0,
            cutoff: 0.0,
            waiting: Vec::new(),
            is_cut: false,
        }
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
        self.cutoff = self.settings.cutoff_at(depth);
        let values = board.slides().map(|slide| {
            let after = slide?.board;
            Some(match depth {
                1 => self.evaluation.value(&after),
                _ => self.afterstate_value(&after, depth - 1, 1.0),
            })
        });
        (!self.meter.is_spent()).then_some(values)
    }

    /// The value of an afterstate that comes up with `probability`, looking `depth` moves ahead, at least 1: the mean
    /// over the tiles that may appear.
    #[inline]
    fn afterstate_value(&mut self, board: &Board, depth: u8, probability: f32) -> f32 {
        if let Some(found) = self.table.get(board, depth, Care::of(probability, self.cutoff)) {
            self.table_hits += 1;
            self.is_cut |= !found.is_exact();
            return found.value;
        }
        if depth == 1 {
            return self.last_value(board);
        }
        let is_cut_outside = std::mem::take(&mut self.is_cut);
        let value = self.mean_of_moves(board, depth, probability);
        if !self.meter.is_spent() {
            let care = if self.is_cut { Care::of(probability, self.cutoff) } else { Care::EXACT };
            self.table.put(board, depth, care, value);
        }
        self.is_cut |= is_cut_outside;
        value
    }

    /// The value of an afterstate, looking one move ahead.
    fn last_value(&mut self, board: &Board) -> f32 {
        if !self.meter.count(2 * board.empty_count() as u64) {
            return E::DEAD;
        }
        let value = self.evaluation.mean_after_spawn(board);
        self.table.put(board, 1, Care::EXACT, value);
        value
    }

    /// The mean over the tiles that may appear, each searched for.
    fn mean_of_moves(&mut self, board: &Board, depth: u8, probability: f32) -> f32 {
        let empty = board.empty_count();
        let is_roomy = self.settings.roomy.is_some_and(|most| empty > most);
        let tiles = if is_roomy { &ONLY_TWO[..] } else { &TILES[..] };
        let share = 1.0 / empty as f32;
        let first = self.waiting.len();
        let (mut value, mut touched) = (0.0, 0);
        for cell in board.empty_cells() {
            for &(tile, odds) in tiles {
                let (board, odds) = (board.with(cell, tile), odds * share);
                if !self.meter.count(1) {
                    self.waiting.truncate(first);
                    return E::DEAD;
                }
                if probability * odds < self.cutoff {
                    self.is_cut = true;
                    value += odds * self.evaluation.best_afterstate(&board);
                    continue;
                }
                let afterstates = board.afterstates();
                for after in &afterstates {
                    touched ^= self.table.touch(after);
                }
                self.waiting.push(Spawned { board, afterstates, odds });
            }
        }
        std::hint::black_box(touched);
        for next in first..self.waiting.len() {
            let spawned = self.waiting[next];
            value += spawned.odds * self.move_value(&spawned, depth, probability * spawned.odds);
            if self.meter.is_spent() {
                break;
            }
        }
        self.waiting.truncate(first);
        value
    }

    /// The best of the directions on a board to move on, with `depth` moves to look ahead, at least 2.
    #[inline]
    fn move_value(&mut self, spawned: &Spawned, depth: u8, probability: f32) -> f32 {
        let looks = spawned.afterstates.map(|after| match after {
            after if after == spawned.board => f32::NEG_INFINITY,
            // Where nothing is skipped, nobody needs to look.
            _ if self.settings.margin == f32::INFINITY => 0.0,
            after => self.evaluation.value(&after),
        });
        let bar = looks.into_iter().fold(f32::NEG_INFINITY, f32::max) - self.settings.margin;
        let mut best = self.evaluation.dead(&spawned.board);
        for (after, look) in spawned.afterstates.iter().zip(looks) {
            if look >= bar && look > f32::NEG_INFINITY {
                best = best.max(self.afterstate_value(after, depth - 1, probability));
            }
        }
        best
    }
}
