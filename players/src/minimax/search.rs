//! The search to one depth, with alpha-beta pruning.

use engine::{Board, Tile};

use crate::{Evaluation, Limits, meter::Meter};

/// One decision's search, over all its depths.
#[derive(Debug)]
pub(super) struct Search<'a, E> {
    evaluation: &'a E,
    meter: Meter<'a>,
}

/// What each side is already sure of: below the lower bound we would not come here, above the upper one the game would
/// not let us.
#[derive(Debug, Clone, Copy)]
struct Window {
    lower: f32,
    upper: f32,
}

impl Window {
    const OPEN: Self = Self { lower: f32::NEG_INFINITY, upper: f32::INFINITY };

    fn is_closed(self) -> bool {
        self.lower >= self.upper
    }
}

impl<'a, E: Evaluation> Search<'a, E> {
    pub(super) fn new(evaluation: &'a E, limits: &'a Limits<'a>) -> Self {
        Self { evaluation, meter: Meter::new(limits) }
    }

    pub(super) fn meter(&mut self) -> &mut Meter<'a> {
        &mut self.meter
    }

    /// What each legal direction is worth at worst, looking `depth` moves ahead, at least 1; `None` when the limits
    /// are spent before it is known. All are exact: people are shown each of them.
    pub(super) fn values(&mut self, board: &Board, depth: u8) -> Option<[Option<f32>; 4]> {
        let values = board
            .slides()
            .map(|slide| Some(self.worst_spawn(&slide?.board, depth - 1, Window::OPEN)));
        (!self.meter.is_spent()).then_some(values)
    }

    /// The least that an afterstate is worth, whatever tile appears.
    fn worst_spawn(&mut self, after: &Board, depth: u8, mut window: Window) -> f32 {
        if depth == 0 {
            return self.evaluation.value(after);
        }
        let mut worst = f32::INFINITY;
        for board in self.spawns(after) {
            worst = worst.min(self.best_move(&board, depth, window));
            window.upper = window.upper.min(worst);
            if window.is_closed() || self.meter.is_spent() {
                break;
            }
        }
        worst
    }

    /// The most that a board to move on is worth.
    fn best_move(&mut self, board: &Board, depth: u8, mut window: Window) -> f32 {
        if !self.meter.count(1) {
            return E::DEAD;
        }
        if depth == 1 {
            return self.evaluation.best_afterstate(board);
        }
        let mut best = E::DEAD;
        for after in self.afterstates(board) {
            best = best.max(self.worst_spawn(&after, depth - 1, window));
            window.lower = window.lower.max(best);
            if window.is_closed() {
                break;
            }
        }
        best
    }

    /// The boards with a new tile, the ones that look worst first: they are the likeliest to close the window.
    fn spawns(&self, after: &Board) -> Vec<Board> {
        let tiles = [Tile::TWO, Tile::FOUR];
        let spawned = after.empty_cells().flat_map(|cell| tiles.map(|tile| after.with(cell, tile)));
        self.in_order(spawned.collect(), 1.0)
    }

    /// The afterstates of a board, the ones that look best first.
    fn afterstates(&self, board: &Board) -> Vec<Board> {
        let slides = board.slides().into_iter().flatten();
        self.in_order(slides.map(|slide| slide.board).collect(), -1.0)
    }

    fn in_order(&self, boards: Vec<Board>, sign: f32) -> Vec<Board> {
        let mut judged: Vec<(f32, Board)> =
            boards.into_iter().map(|board| (sign * self.evaluation.value(&board), board)).collect();
        judged.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        judged.into_iter().map(|(_, board)| board).collect()
    }
}
