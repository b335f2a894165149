//! What a network learns into, shared by all that learn at the same time.

use std::{
    io,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use engine::Tile;

use super::{
    Network,
    downgrade::{HIGHEST, stepped_down},
    learner::Judge,
    pages,
    prefetch::prefetch,
    shape::{CELLS, PATTERNS, Places, WEIGHTS, WIDTH, find_places, reaches},
};

/// The weights of a network and, for temporal coherence, the sums of their errors.
///
/// Learners share it without a lock: a weight is read, changed and written back, and of two that do so at the same
/// moment one may be lost. That is rare, and only an unlucky piece of one game's lesson; no order between weights is
/// relied on, so the accesses are relaxed, which costs nothing. With one learner everything repeats bit by bit.
#[derive(Debug)]
pub struct Memory {
    stages: Vec<Stage>,
    /// Exponents of the tiles with which the second stage and those after it begin, in rising order.
    begins: Vec<u8>,
    /// All weights, and all sums.
    weights: &'static [AtomicU32],
    sums: Option<&'static [AtomicU64]>,
    /// Every weight at first.
    initial: f32,
    /// The exponent of the largest tile that is learned.
    largest: u8,
}

/// The weights for one part of a game.
#[derive(Debug)]
struct Stage {
    /// Bits of the weights, `f32`.
    weights: [&'static [AtomicU32; CELLS]; PATTERNS.len()],
    /// For each weight the sum of its errors in the lower half and of their magnitudes in the upper, `f32` both.
    sums: Option<[&'static [AtomicU64; CELLS]; PATTERNS.len()]>,
}

/// How a network learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// TD(0).
    Td,
    /// Temporal coherence.
    Tc,
}

/// What one weight has learned: its bits, and those of its sums.
pub type Cell = (u32, u64);

/// The sums of a weight that was learned elsewhere: as after a hundred errors of 40 points each, which is what is usual for
/// one weight, so that it takes a thirtieth of a step at first. With none it would take the whole step and forget what it
/// knew. With a tenth, a network of 228,000 points had 198,000 after 1,600 games.
const TAKEN_OVER: u64 = (4_000.0_f32.to_bits() as u64) << 32 | 133.3_f32.to_bits() as u64;

impl Memory {
    /// How many cells [`Memory::learned`] looks at.
    pub const BLOCK: usize = 64;

    /// A network that has learned nothing: every board is worth `optimistic`. The stages after the first begin with the
    /// tiles of `begins`, from 512 to 32768 in rising order.
    ///
    /// # Errors
    /// - When there is not enough memory, 256 MiB for the weights of each stage, and 512 MiB for the sums of TC.
    ///
    /// # Panics
    /// When `begins` is something else.
    pub fn new(method: Method, begins: &[Tile], optimistic: f32) -> io::Result<Self> {
        let begins: Vec<u8> = begins.iter().map(|tile| tile.exponent()).collect();
        assert!(begins.is_sorted() && begins.iter().all(|exponent| (9..=15).contains(exponent)));
        let cells = (begins.len() + 1) * WEIGHTS;
        let weights: &'static [AtomicU32] = pages::zeroed(cells)?;
        let sums: Option<&'static [AtomicU64]> = match method {
            Method::Td => None,
            Method::Tc => Some(pages::zeroed(cells)?),
        };
        let stage = |stage: usize| Stage {
            weights: patterns(weights, stage),
            sums: sums.map(|sums| patterns(sums, stage)),
        };
        let initial = optimistic / WIDTH as f32;
        let stages = (0..=begins.len()).map(stage).collect();
        let memory = Self { stages, begins, weights, sums, initial, largest: HIGHEST };
        if initial != 0.0 {
            for weight in weights {
                weight.store(initial.to_bits(), Relaxed);
            }
        }
        Ok(memory)
    }

    /// The same, with nothing learned about tiles above `largest`: boards with these are judged as boards much like them
    /// without, and a game that is learned from goes on as if it had come to those.
    #[must_use]
    pub fn up_to(self, largest: Tile) -> Self {
        Self { largest: largest.exponent().min(HIGHEST), ..self }
    }

    /// The nibbles by which it judges a board with these.
    #[inline(always)]
    pub(super) fn known(&self, nibbles: u64) -> u64 {
        stepped_down(nibbles, self.largest)
    }

    /// How many cells there are, [`WEIGHTS`] for each stage.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are none; never.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// What a weight has learned beyond what it was at first.
    fn weight(&self, at: usize) -> f32 {
        f32::from_bits(self.weights[at].load(Relaxed)) - self.initial
    }

    /// What each weight has learned, to the nearest whole number of steps of so many points. A weight beyond them all
    /// becomes the last of them.
    pub fn quantised(&self, step: f32) -> Vec<i16> {
        (0..self.len()).map(|at| (self.weight(at) / step).round() as i16).collect()
    }

    /// Copies the cells from `first` on; a bit for each, the lowest for the first, tells which have learned something.
    pub fn learned(&self, first: usize, cells: &mut [Cell; Self::BLOCK]) -> u64 {
        let mut mask = 0;
        for (i, cell) in cells.iter_mut().enumerate() {
            let weight = self.weights[first + i].load(Relaxed);
            let sums = self.sums.map_or(0, |sums| sums[first + i].load(Relaxed));
            *cell = (weight, sums);
            mask |= u64::from(weight != self.initial.to_bits() || sums != 0) << i;
        }
        mask
    }

    /// Puts back what [`Memory::learned`] found.
    pub fn put(&self, at: usize, (weight, sums): Cell) {
        self.weights[at].store(weight, Relaxed);
        if let Some(cells) = self.sums {
            cells[at].store(sums, Relaxed);
        }
    }

    /// Begins with the weights of a network, for as many stages as it has, and [`Memory::spread`]s them.
    ///
    /// # Panics
    /// When the network has a stage that this memory lacks.
    pub fn take_over(&self, network: &Network) {
        for (at, &steps) in network.weights().iter().enumerate() {
            if steps != 0 {
                let weight = f32::from(steps).mul_add(network.step(), self.initial);
                self.put(at, (weight.to_bits(), TAKEN_OVER));
            }
        }
        self.spread(network.weights().len() / WEIGHTS);
    }

    /// Makes every stage from `known` on, which is at least 1, begin with the weights of the one before.
    pub fn spread(&self, known: usize) {
        for at in known * WEIGHTS..self.len() {
            let weight = self.weights[at - WEIGHTS].load(Relaxed);
            if weight != self.initial.to_bits() {
                self.put(at, (weight, TAKEN_OVER));
            }
        }
    }

    /// Begins to fetch all that [`Memory::learn`] will need.
    #[inline(always)]
    pub(super) fn prepare(&self, nibbles: u64) {
        let mut places = [0; WIDTH];
        self.look_up(nibbles, &mut places);
        for (sums, places) in self.stage(nibbles).sums.iter().flatten().zip(places.chunks_exact(8))
        {
            for &place in places {
                prefetch(&sums[place as usize % CELLS]);
            }
        }
    }

    /// Moves what an afterstate is worth towards `target`, by the share `rate` of the way; what it is worth then.
    #[inline(always)]
    pub(super) fn learn(&self, nibbles: u64, target: f32, rate: f32) -> f32 {
        let stage = self.stage(nibbles);
        let mut places = [0; WIDTH];
        find_places(nibbles, &mut places);
        let mut weights = stage.read(&places);
        let step = (target - total(&weights)) * (rate / WIDTH as f32);
        let steps = stage.sums.map_or([step; WIDTH], |sums| coherent(sums, &places, step));
        // On a symmetric board, images share weights: those are changed once, and count as often as before.
        for (weight, step) in weights.iter_mut().zip(steps) {
            *weight += step;
        }
        for ((cells, places), weights) in
            stage.weights.iter().zip(places.chunks_exact(8)).zip(weights.chunks_exact(8))
        {
            for (&place, weight) in places.iter().zip(weights) {
                cells[place as usize % CELLS].store(weight.to_bits(), Relaxed);
            }
        }
        total(&weights)
    }

    #[inline(always)]
    fn stage(&self, nibbles: u64) -> &Stage {
        // Of one stage there is nothing to find out, and to step down takes time.
        if self.begins.is_empty() {
            return &self.stages[0];
        }
        let nibbles = self.known(nibbles);
        let stage = self.begins.iter().filter(|&&exponent| reaches(nibbles, exponent)).count();
        &self.stages[stage]
    }
}

impl Judge for Memory {
    #[inline(always)]
    fn look_up(&self, nibbles: u64, places: &mut Places) {
        let nibbles = self.known(nibbles);
        find_places(nibbles, places);
        let weights = self.stage(nibbles).weights;
        for (weights, places) in weights.iter().zip(places.chunks_exact(8)) {
            for &place in places {
                prefetch(&weights[place as usize % CELLS]);
            }
        }
    }

    #[inline(always)]
    fn worth(&self, nibbles: u64, places: &Places) -> f32 {
        total(&self.stage(nibbles).read(places))
    }
}

impl Stage {
    #[inline(always)]
    fn read(&self, places: &Places) -> [f32; WIDTH] {
        let mut weights = [0.0; WIDTH];
        for ((cells, places), weights) in
            self.weights.iter().zip(places.chunks_exact(8)).zip(weights.chunks_exact_mut(8))
        {
            for (&place, weight) in places.iter().zip(weights) {
                *weight = f32::from_bits(cells[place as usize % CELLS].load(Relaxed));
            }
        }
        weights
    }
}

/// The steps of temporal coherence: each weight takes as much of the step as its errors so far agree in sign. Adds the
/// step to the sums. After Beal and Smith, "Temporal coherence and prediction decay in TD learning" (1999), as
/// Jaśkowski used it for 2048 (2016).
#[inline(always)]
fn coherent(
    sums: [&[AtomicU64; CELLS]; PATTERNS.len()],
    places: &Places,
    step: f32,
) -> [f32; WIDTH] {
    let mut steps = [0.0; WIDTH];
    for ((cells, places), steps) in
        sums.iter().zip(places.chunks_exact(8)).zip(steps.chunks_exact_mut(8))
    {
        let (mut signed, mut absolute) = ([0.0_f32; 8], [0.0_f32; 8]);
        for (i, &place) in places.iter().enumerate() {
            let bits = cells[place as usize % CELLS].load(Relaxed);
            signed[i] = f32::from_bits(bits as u32);
            absolute[i] = f32::from_bits((bits >> 32) as u32);
        }
        for i in 0..8 {
            let coherence = signed[i].abs() / absolute[i];
            steps[i] = if absolute[i] == 0.0 { step } else { step * coherence };
            signed[i] += step;
            absolute[i] += step.abs();
        }
        for (i, &place) in places.iter().enumerate() {
            let bits = u64::from(signed[i].to_bits()) | u64::from(absolute[i].to_bits()) << 32;
            cells[place as usize % CELLS].store(bits, Relaxed);
        }
    }
    steps
}

/// The sum, in the same order on every processor.
#[inline(always)]
fn total(weights: &[f32; WIDTH]) -> f32 {
    let mut lanes = [0.0; 8];
    for pattern in weights.chunks_exact(8) {
        for (lane, weight) in lanes.iter_mut().zip(pattern) {
            *lane += weight;
        }
    }
    let pairs = [0, 2, 4, 6].map(|i| lanes[i] + lanes[i + 1]);
    (pairs[0] + pairs[1]) + (pairs[2] + pairs[3])
}

fn patterns<T>(cells: &[T], stage: usize) -> [&[T; CELLS]; PATTERNS.len()] {
    std::array::from_fn(|pattern| {
        let begin = stage * WEIGHTS + pattern * CELLS;
        cells[begin..][..CELLS].try_into().expect("a slice of that length")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No image of it equals another, so that it has 32 weights of its own.
    const BOARD: u64 = 0x0000_0012_0345_6789;

    fn value(memory: &Memory) -> f32 {
        let mut places = [0; WIDTH];
        memory.look_up(BOARD, &mut places);
        memory.worth(BOARD, &places)
    }

    #[track_caller]
    fn near(found: f32, expected: f32) {
        assert!((found - expected).abs() < 0.01, "{found}, not {expected}");
    }

    #[test]
    fn td_goes_a_share_of_the_way() {
        let memory = Memory::new(Method::Td, &[], 0.0).unwrap();
        near(memory.learn(BOARD, 1_000.0, 0.1), 100.0);
        near(memory.learn(BOARD, 1_000.0, 0.1), 190.0);
        near(value(&memory), 190.0);
    }

    #[test]
    fn tc_learns_fully_while_errors_agree_and_less_when_they_do_not() {
        let memory = Memory::new(Method::Tc, &[], 0.0).unwrap();
        near(memory.learn(BOARD, 300.0, 1.0), 300.0);
        near(memory.learn(BOARD, 400.0, 1.0), 400.0);
        // Errors of 300, 100 and now -200: all of it, since those before agreed; then half, |200| of 600, is believed.
        near(memory.learn(BOARD, 200.0, 1.0), 200.0);
        near(memory.learn(BOARD, 500.0, 1.0), 200.0 + 300.0 * 200.0 / 600.0);
    }

    #[test]
    fn a_network_is_taken_over_by_all_stages() {
        let network = crate::ntuple::small_network();
        let memory = Memory::new(Method::Tc, &[Tile::from_exponent(9).unwrap()], 0.0).unwrap();
        memory.take_over(&network);
        let early = engine::Game::new(1).board().nibbles().unwrap();
        for nibbles in [early, BOARD] {
            let mut places = [0; WIDTH];
            memory.look_up(nibbles, &mut places);
            let known = network.points_to_come(&engine::Board::from_nibbles(nibbles));
            near(memory.worth(nibbles, &places), known);
        }
    }

    #[test]
    fn what_was_learned_elsewhere_is_not_forgotten_at_the_first_error() {
        let memory = Memory::new(Method::Tc, &[Tile::from_exponent(9).unwrap()], 0.0).unwrap();
        let mut places = [0; WIDTH];
        find_places(BOARD, &mut places);
        for (i, &place) in places.iter().enumerate() {
            memory.put(i / 8 * CELLS + place as usize, (10.0_f32.to_bits(), 0));
        }
        memory.spread(1);
        near(value(&memory), 320.0);
        near(memory.learn(BOARD, 640.0, 1.0), 320.0 + 320.0 / 30.0);
        // What nobody has learned is learned at once.
        near(memory.learn(BOARD << 4, 640.0, 1.0), 640.0);
    }

    #[test]
    fn a_stage_has_its_own_weights() {
        let late = Tile::from_exponent(9).unwrap();
        let memory = Memory::new(Method::Td, &[late], 320.0).unwrap();
        near(value(&memory), 320.0);
        // The largest tile of the board is 512.
        memory.learn(BOARD, 32.0, 1.0);
        assert!((0..WEIGHTS).all(|at| memory.weight(at) == 0.0));
        let learned = (WEIGHTS..memory.len()).filter(|&at| (memory.weight(at) + 9.0).abs() < 1e-3);
        assert_eq!(learned.count(), 32);
        near(value(&memory), 32.0);
    }
}
