//! Games played out at random from a position, and what they give.

use engine::{Board, Cell, Random, Slide, Tile, playouts, playouts_towards};

use crate::Limits;

/// What a rollout counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reward {
    /// Points.
    #[default]
    Score,
    /// Pairs merged.
    Merges,
}

impl Reward {
    /// What a slide is worth.
    pub(crate) fn of(self, slide: &Slide) -> f64 {
        match self {
            Self::Score => f64::from(slide.gained),
            Self::Merges => f64::from(slide.merges),
        }
    }
}

/// How a position is judged by playing it out. The names in brackets are the settings of the py2048 design.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rollouts {
    /// The most moves of one rollout (`rollout_depth`).
    pub depth: u32,
    /// Rollouts each time a position is judged, at least one (`rollouts_per_node`).
    pub per_node: u32,
    /// What a rollout counts (`reward`).
    pub reward: Reward,
    /// Whether a rollout forgets what was banked on the way to its position, so that the moves before it get no
    /// credit (`reset_reward_on_rollout`).
    pub reset_reward: bool,
    /// How their directions are chosen.
    pub policy: Policy,
}

/// How the directions of a rollout are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Any legal direction, each as likely as any other.
    #[default]
    Uniform,
    /// Rather towards the corner nearest to a largest tile than away from it, as people play.
    Corner,
}

impl Rollouts {
    /// The settings of py2048.
    pub const PY2048: Self = Self {
        depth: 12,
        per_node: 50,
        reward: Reward::Score,
        reset_reward: false,
        policy: Policy::Uniform,
    };
}

impl Default for Rollouts {
    /// As in py2048, but deeper. It makes the flat search much stronger; the tree search, which looks ahead itself, keeps
    /// py2048's depth.
    fn default() -> Self {
        Self { depth: 30, ..Self::PY2048 }
    }
}

/// Whose turn it is on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The player's: a direction comes next.
    Move,
    /// The game's: a tile appears next.
    Spawn,
}

/// What some rollouts gave together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Sample {
    pub(crate) rollouts: u32,
    pub(crate) total: f64,
}

impl Sample {
    pub(crate) fn mean(self) -> f64 {
        self.total / f64::from(self.rollouts)
    }
}

impl Rollouts {
    /// The most rollouts at a time: enough for the engine's vectors, and done long before a limit may be missed.
    const BATCH: u32 = 64;

    /// Plays out from `board`, each rollout starting with `banked` in hand: [`Rollouts::per_node`] times, or until
    /// the watch says that it is enough, but once at least. A board that is over is looked at once.
    pub(crate) fn sample(
        &self,
        (board, turn): (Board, Turn),
        banked: f64,
        watch: &mut Watch<'_>,
        random: &mut Random,
    ) -> Sample {
        let banked = if self.reset_reward { 0.0 } else { banked };
        if turn == Turn::Move && board.is_over() {
            watch.count(1, 0);
            return Sample { rollouts: 1, total: banked };
        }
        let mut sample = Sample::default();
        loop {
            let wanted = self.per_node.saturating_sub(sample.rollouts).clamp(1, Self::BATCH);
            let rollouts = watch.most_rollouts(wanted);
            let (gained, moves) = self.play_out(board, turn, rollouts, random);
            sample.rollouts += rollouts;
            sample.total += f64::from(rollouts) * banked + gained;
            watch.count(rollouts, moves);
            if sample.rollouts >= self.per_node || watch.is_over() {
                return sample;
            }
        }
    }

    /// So many rollouts: what they gave together, and how many moves they had.
    fn play_out(&self, board: Board, turn: Turn, rollouts: u32, random: &mut Random) -> (f64, u32) {
        let starts: Vec<Board> = (0..rollouts)
            .map(|_| match turn {
                Turn::Move => board,
                Turn::Spawn => random_spawn(&board, random)
                    .map_or(board, |(cell, tile)| board.with(cell, tile)),
            })
            .collect();
        let ends = match self.policy {
            Policy::Uniform => playouts(&starts, self.depth, random),
            Policy::Corner => {
                let largest = board.max_tile();
                let cell = Cell::all().find(|&cell| board.get(cell) == largest);
                let corner = cell.unwrap_or(Cell::at(0, 0));
                playouts_towards(&starts, corner, self.depth, random)
            }
        };
        let moves = ends.iter().map(|end| end.moves).sum();
        let gained = match self.reward {
            Reward::Score => ends.iter().map(|end| f64::from(end.gained)).sum(),
            // A move brings one tile and a merge takes one away.
            Reward::Merges => {
                f64::from(moves + room(ends.iter().map(|end| &end.board)) - room(&starts))
            }
        };
        (gained, moves)
    }
}

/// The empty squares of all these boards.
fn room<'a>(boards: impl IntoIterator<Item = &'a Board>) -> u32 {
    boards.into_iter().map(|board| board.empty_count() as u32).sum()
}

/// The tile and the square that the game would drop now, one in ten a 4; `None` on a full board.
pub(crate) fn random_spawn(board: &Board, random: &mut Random) -> Option<(Cell, Tile)> {
    let tile = if random.below(10) == 9 { Tile::FOUR } else { Tile::TWO };
    let chosen = random.below(board.empty_count() as u32);
    Some((board.nth_empty(chosen as usize)?, tile))
}

/// Watches the limits of a thought while it plays games out.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    limits: &'a Limits<'a>,
    rollouts: u64,
    /// Moves until the limits are looked at again: a look costs as much as a few moves.
    unwatched: u32,
    over: bool,
}

impl<'a> Watch<'a> {
    /// Moves between two looks at the limits: some tens of microseconds.
    const INTERVAL: u32 = 2_000;
    /// Moves before the first look, so that an answer without time has something behind it: four directions, fifty
    /// rollouts each, thirty deep.
    const GRACE: u32 = 4 * 50 * (30 + 1);

    pub(crate) fn new(limits: &'a Limits<'a>) -> Self {
        Self { limits, rollouts: 0, unwatched: Self::GRACE, over: false }
    }

    /// How many of the rollouts wanted the node limit leaves, but one at least.
    fn most_rollouts(&self, wanted: u32) -> u32 {
        let left = self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.rollouts));
        u64::from(wanted).min(left).max(1) as u32
    }

    /// Counts rollouts with so many moves together. A position that is over is a rollout without a move.
    pub(crate) fn count(&mut self, rollouts: u32, moves: u32) {
        self.rollouts += u64::from(rollouts);
        // A rollout costs something besides its moves.
        self.unwatched = self.unwatched.saturating_sub(moves.saturating_add(rollouts));
        if self.unwatched == 0 {
            self.unwatched = Self::INTERVAL;
            self.over |= self.limits.are_spent();
        }
        self.over |= self.limits.nodes.is_some_and(|most| self.rollouts >= most);
    }

    /// Whether the thought must end. Once it must, it stays so.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Rollouts counted so far.
    pub(crate) fn rollouts(&self) -> u64 {
        self.rollouts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::nodes;

    fn mean(board: &str, rollouts: Rollouts) -> f64 {
        let limits = nodes(u64::MAX, 0);
        let from = (board.parse().unwrap(), Turn::Move);
        rollouts.sample(from, 0.0, &mut Watch::new(&limits), &mut Random::new(1)).mean()
    }

    #[test]
    fn points_or_merges_are_counted() {
        // Both legal directions merge the two pairs.
        let board = "2 2 4 4 8 16 8 16 16 8 16 8 8 16 8 16";
        let rollouts = Rollouts { depth: 1, ..Rollouts::default() };
        assert!((mean(board, rollouts) - 12.0).abs() < 1e-9);
        let merges = Rollouts { reward: Reward::Merges, ..rollouts };
        assert!((mean(board, merges) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_board_that_is_over_is_looked_at_once() {
        let limits = nodes(u64::MAX, 0);
        let over = "2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2".parse().unwrap();
        let mut watch = Watch::new(&limits);
        let sample =
            Rollouts::default().sample((over, Turn::Move), 7.0, &mut watch, &mut Random::new(1));
        assert_eq!(sample, Sample { rollouts: 1, total: 7.0 });
    }

    #[test]
    fn tiles_appear_on_empty_squares_one_in_ten_a_4() {
        let board: Board = "2 4 2 4 4 2 4 2 2 4 2 4 . 2 4 .".parse().unwrap();
        let mut random = Random::new(1);
        let (mut fours, mut last) = (0, 0);
        for _ in 0..10_000 {
            let (cell, tile) = random_spawn(&board, &mut random).unwrap();
            assert_eq!(board.get(cell), None);
            fours += i32::from(tile == Tile::FOUR);
            last += i32::from(cell.index() == 15);
        }
        assert!((900..1_100).contains(&fours), "{fours}");
        assert!((4_800..5_200).contains(&last), "{last}");
    }
}
