//! How a network learns: from the difference between what it expected and what came.

use engine::{Board, Random, Tile};

use super::{
    Memory, Network,
    shape::{Places, WIDTH},
};

/// How one game went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Points.
    pub score: u64,
    /// Moves played.
    pub moves: u32,
    /// The largest tile; `None` never, after a move.
    pub largest: Option<Tile>,
}

/// Plays games by a network, one move ahead, and lets it learn from them.
#[derive(Debug)]
pub struct Learner<'a> {
    memory: &'a Memory,
    rate: f32,
    /// The afterstates of the game, and the points of the slides that made them.
    path: Vec<(u64, u32)>,
}

impl<'a> Learner<'a> {
    /// How many afterstates before its turn one is fetched: the time of that many is about that of a fetch.
    const AHEAD: usize = 2;

    /// A learner that moves what an afterstate is worth by the share `rate` of the way to what it should be.
    pub fn new(memory: &'a Memory, rate: f32) -> Self {
        Self { memory, rate, path: Vec::new() }
    }

    /// Plays the game of `seed` and learns from it, from its end to its beginning: so the last lesson reaches the first
    /// move at once.
    pub fn learn(&mut self, seed: u64) -> Outcome {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let outcome = play(self.memory, seed, |after, gained| path.push((after, gained)));
        let mut target = 0.0;
        for (i, &(after, gained)) in path.iter().enumerate().rev() {
            if let Some(before) = i.checked_sub(Self::AHEAD) {
                self.memory.prepare(path[before].0);
            }
            target = gained as f32 + self.memory.learn(after, target, self.rate);
        }
        self.path = path;
        outcome
    }
}

impl Memory {
    /// Plays the game of `seed` without learning from it.
    pub fn play(&self, seed: u64) -> Outcome {
        play(self, seed, |_, _| {})
    }
}

impl Network {
    /// Plays the game of `seed` one move ahead, as [`Memory::play`] does.
    pub fn play(&self, seed: u64) -> Outcome {
        play(self, seed, |_, _| {})
    }
}

/// What judges afterstates in two steps, so that the memory has time between them.
pub(super) trait Judge {
    /// Finds the weights of an afterstate and begins to fetch them.
    fn look_up(&self, nibbles: u64, places: &mut Places);

    /// What an afterstate is worth, of which the places are known.
    fn worth(&self, nibbles: u64, places: &Places) -> f32;
}

/// Plays a game, and tells the afterstate of `each` move with the points of its slide. No slide is played that makes a
/// 65536, which no nibble holds.
#[inline(always)]
fn play<J: Judge>(judge: &J, seed: u64, mut each: impl FnMut(u64, u32)) -> Outcome {
    let mut random = Random::new(seed);
    let mut board = spawned(spawned(Board::EMPTY, &mut random), &mut random);
    let (mut score, mut moves) = (0, 0);
    loop {
        let slides = board.slides().map(|slide| {
            let slide = slide?;
            Some((slide.board.nibbles()?, slide.gained))
        });
        // All are looked up before any is added up, so that the processor waits for its memory once.
        let mut places = [[0; WIDTH]; 4];
        for (slide, places) in slides.iter().zip(&mut places) {
            if let Some((after, _)) = slide {
                judge.look_up(*after, places);
            }
        }
        let mut best: Option<(f32, u64, u32)> = None;
        for (slide, places) in slides.iter().zip(&places) {
            if let Some((after, gained)) = *slide {
                let worth = gained as f32 + judge.worth(after, places);
                if best.is_none_or(|(most, ..)| worth > most) {
                    best = Some((worth, after, gained));
                }
            }
        }
        let Some((_, after, gained)) = best else { break };
        each(after, gained);
        score += u64::from(gained);
        moves += 1;
        board = spawned(Board::from_nibbles(after), &mut random);
    }
    Outcome { score, moves, largest: board.max_tile() }
}

/// The board with one more tile, by the rules' odds.
#[inline(always)]
fn spawned(board: Board, random: &mut Random) -> Board {
    let word = random.word();
    let below = |bits: u64, range: u64| ((bits & 0xffff_ffff) * range) >> 32;
    let chosen = below(word, board.empty_count() as u64) as usize;
    let tile = if below(word >> 32, 10) == 0 { Tile::FOUR } else { Tile::TWO };
    board.nth_empty(chosen).map_or(board, |cell| board.with(cell, tile))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ntuple::Method;

    /// The mean score of a hundred games after so many to learn from.
    fn mean_after(games: u64) -> u64 {
        let memory = Memory::new(Method::Tc, &[], 0.0).unwrap();
        let mut learner = Learner::new(&memory, 1.0);
        for game in 0..games {
            learner.learn(game);
        }
        (0..100).map(|game| memory.play(!game).score).sum::<u64>() / 100
    }

    #[test]
    fn games_make_it_better_and_repeat() {
        let (early, late) = (mean_after(20), mean_after(600));
        assert!(early < 5_000 && late > 10_000, "{early} after 20 games, {late} after 600");
        assert_eq!(early, mean_after(20));
    }
}
