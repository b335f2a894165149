//! A trained network, for play.

use engine::{Board, Cell, Tile};

use super::{
    About,
    downgrade::{HIGHEST, downgraded, stepped_down},
    learner::Judge,
    prefetch::prefetch,
    shape::{CELLS, PATTERNS, Places, WEIGHTS, WIDTH, find_places, reaches},
};
use crate::Evaluation;

/// The weights of a trained network, in whole steps. One copy serves everybody: it never changes.
#[derive(Debug)]
pub struct Network {
    weights: &'static [i16],
    /// The exponents of the tiles with which the second stage and those after it begin.
    begins: Vec<u8>,
    /// Points of one step.
    step: f32,
    /// Points of every board besides.
    base: f32,
    /// The exponent of the largest tile that it has learned to play with.
    learned: u8,
}

impl Network {
    /// The network of `weights`, [`WEIGHTS`] for each stage.
    ///
    /// # Panics
    /// When there are not as many.
    pub(super) fn new(weights: &'static [i16], about: &About) -> Self {
        assert_eq!(weights.len(), (about.begins.len() + 1) * WEIGHTS);
        let begins = about.begins.iter().map(|tile| tile.exponent()).collect();
        let learned = about.learned.exponent().min(HIGHEST);
        Self { weights, begins, step: about.step, base: about.base, learned }
    }

    /// The weights, in steps.
    pub fn weights(&self) -> &'static [i16] {
        self.weights
    }

    /// Points of one step of a weight.
    pub fn step(&self) -> f32 {
        self.step
    }

    /// The tiles with which the second stage and those after it begin.
    pub fn begins(&self) -> Vec<Tile> {
        self.begins.iter().filter_map(|&exponent| Tile::from_exponent(exponent)).collect()
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.weights)
    }

    /// How many points are still to come from an afterstate.
    pub fn points_to_come(&self, after: &Board) -> f32 {
        let (nibbles, mut places) = (nibbles_of(after), [0; WIDTH]);
        find_places(self.known(nibbles), &mut places);
        self.worth(nibbles, &places)
    }

    /// For each legal direction the points of its slide and those still to come after it, in the order of
    /// [`engine::Direction::ALL`].
    pub fn values(&self, board: &Board) -> [Option<f32>; 4] {
        let looked_up = LookedUp::new(self, board);
        std::array::from_fn(|i| looked_up.value(self, i))
    }

    /// The nibbles by which it judges a board with these.
    #[inline(always)]
    fn known(&self, nibbles: u64) -> u64 {
        stepped_down(nibbles, self.learned)
    }

    #[inline(always)]
    fn stage(&self, nibbles: u64) -> usize {
        // Of one stage there is nothing to find out, and to step down takes time.
        if self.begins.is_empty() {
            return 0;
        }
        let nibbles = self.known(nibbles);
        self.begins.iter().filter(|&&exponent| reaches(nibbles, exponent)).count()
    }

    #[inline(always)]
    fn patterns(&self, nibbles: u64) -> [&[i16; CELLS]; PATTERNS.len()] {
        let stage = self.stage(nibbles);
        std::array::from_fn(|pattern| {
            let begin = stage * WEIGHTS + pattern * CELLS;
            self.weights[begin..][..CELLS].try_into().expect("a slice of that length")
        })
    }
}

impl Judge for Network {
    #[inline(always)]
    fn look_up(&self, nibbles: u64, places: &mut Places) {
        let nibbles = self.known(nibbles);
        find_places(nibbles, places);
        let patterns = self.patterns(nibbles);
        for (weights, places) in patterns.iter().zip(places.chunks_exact(8)) {
            for &place in places {
                prefetch(&weights[place as usize % CELLS]);
            }
        }
    }

    #[inline(always)]
    fn worth(&self, nibbles: u64, places: &Places) -> f32 {
        let patterns = self.patterns(nibbles);
        let mut steps = 0;
        for (weights, places) in patterns.iter().zip(places.chunks_exact(8)) {
            for &place in places {
                steps += i32::from(weights[place as usize % CELLS]);
            }
        }
        steps as f32 * self.step + self.base
    }
}

/// The afterstates of a board with their weights on the way to the cache.
struct LookedUp {
    slides: [Option<(u64, u32)>; 4],
    places: [Places; 4],
}

impl LookedUp {
    const NOTHING: Self = Self { slides: [None; 4], places: [[0; WIDTH]; 4] };

    #[inline(always)]
    fn new(network: &Network, board: &Board) -> Self {
        let mut looked_up = Self::NOTHING;
        looked_up.renew(network, board);
        looked_up
    }

    #[inline(always)]
    fn renew(&mut self, network: &Network, board: &Board) {
        self.slides =
            board.slides().map(|slide| slide.map(|slide| (nibbles_of(&slide.board), slide.gained)));
        for (slide, places) in self.slides.iter().zip(&mut self.places) {
            if let Some((nibbles, _)) = slide {
                network.look_up(*nibbles, places);
            }
        }
    }

    #[inline(always)]
    fn value(&self, network: &Network, direction: usize) -> Option<f32> {
        let (nibbles, gained) = self.slides[direction]?;
        Some(gained as f32 + network.worth(nibbles, &self.places[direction]))
    }

    /// The best value, or 0 when that is more: no more points come to a dead board.
    #[inline(always)]
    fn best(&self, network: &Network) -> f32 {
        (0..4).filter_map(|direction| self.value(network, direction)).fold(0.0, f32::max)
    }
}

/// Judges by all the points of a game: those that the tiles on the board have brought, and those still to come. So the
/// points of the slides between two boards count, without being added up on the way.
impl Evaluation for Network {
    const DEAD: f32 = 0.0;

    #[inline]
    fn dead(&self, board: &Board) -> f32 {
        points_of_tiles(board)
    }

    #[inline]
    fn value(&self, board: &Board) -> f32 {
        points_of_tiles(board) + self.points_to_come(board)
    }

    #[inline]
    fn best_afterstate(&self, board: &Board) -> f32 {
        points_of_tiles(board) + LookedUp::new(self, board).best(self)
    }

    fn mean_after_spawn(&self, after: &Board) -> f32 {
        // Each board is looked up before the one before it is added up: its weights come meanwhile.
        let mut looked_up = [LookedUp::NOTHING, LookedUp::NOTHING];
        let boards = after.empty_cells().flat_map(|cell| {
            [(Tile::TWO, 0.9), (Tile::FOUR, 0.1)].map(|(tile, odds)| (after.with(cell, tile), odds))
        });
        let (mut sum, mut now, mut waiting) = (0.0, 0, None);
        for (board, odds) in boards {
            looked_up[now].renew(self, &board);
            if let Some(odds) = waiting.replace(odds) {
                sum += odds * looked_up[1 - now].best(self);
            }
            now = 1 - now;
        }
        if let Some(odds) = waiting {
            sum += odds * looked_up[1 - now].best(self);
        }
        // A spawned 4 looks as if it had brought 4 points.
        points_of_tiles(after) + 0.4 + sum / after.empty_count() as f32
    }
}

/// The points that the merges of a game have brought which put these tiles on the board, had all begun as 2: a tile 2^n
/// has brought n - 1 times its value.
fn points_of_tiles(board: &Board) -> f32 {
    let points = |tile: Tile| u32::from(tile.exponent() - 1) * tile.value();
    Cell::all().filter_map(|cell| board.get(cell)).map(points).sum::<u32>() as f32
}

/// The nibbles of a board; of one with a tile above 32768, which no nibble holds, those of a board much like it.
#[inline(always)]
fn nibbles_of(board: &Board) -> u64 {
    board.nibbles().unwrap_or_else(|| downgraded(board, HIGHEST).nibbles().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_that_was_not_learned_is_judged_as_a_smaller_one() {
        let about =
            About { step: 1.0, learned: Tile::from_value(256).unwrap(), ..About::default() };
        let network = Network::new(crate::ntuple::small_network().weights(), &about);
        let boards = [
            ("512 128 2 4 2 8 . . 4 . . . . . . .", "256 128 2 4 2 8 . . 4 . . . . . . ."),
            ("1024 512 64 4 2 8 . . 4 . . . . . . .", "256 128 64 4 2 8 . . 4 . . . . . . ."),
        ];
        for (board, smaller) in boards.map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap())) {
            let points = [&board, &smaller].map(|board: &Board| network.points_to_come(board));
            assert_eq!(points[0].to_bits(), points[1].to_bits(), "{board}: {points:?}");
            let values = [&board, &smaller].map(|board| network.values(board)[2].is_some());
            assert_eq!(values[0], values[1]);
        }
    }

    #[test]
    fn the_tiles_tell_the_points_of_their_merges() {
        let board: Board = "2 2 4 4 . . . . . . . . . . . .".parse().unwrap();
        let slide = board.slide(engine::Direction::Left).unwrap();
        let gained = points_of_tiles(&slide.board) - points_of_tiles(&board);
        assert!((gained - slide.gained as f32).abs() < 1e-3);
    }
}
