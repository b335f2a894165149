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

/// What came of learning once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lesson {
    /// How its game went, from the beginning to the first end.
    pub game: Outcome,
    /// Moves learned from, those after restarts too.
    pub moves: u64,
}

/// Plays games by a network, one move ahead, and lets it learn from them.
#[derive(Debug)]
pub struct Learner<'a> {
    memory: &'a Memory,
    rate: f32,
    restart: Option<u32>,
    /// The afterstates of the game, and the points of the slides that made them.
    path: Vec<(u64, u32)>,
}

impl<'a> Learner<'a> {
    /// How many afterstates before its turn one is fetched: the time of that many is about that of a fetch.
    const AHEAD: usize = 2;

    /// A learner that moves what an afterstate is worth by the share `rate` of the way to what it should be.
    pub fn new(memory: &'a Memory, rate: f32) -> Self {
        Self { memory, rate, restart: None, path: Vec::new() }
    }

    /// The same, but a game that has ended begins again from its middle, with other spawns, and what that brings from its
    /// middle, until there were fewer than so many moves: so the end of a game, which is reached seldom and decides
    /// most, is learned as well as the beginning. After Matsuzaki, "Developing a 2048 player with backward temporal
    /// coherence learning and restart" (2017).
    #[must_use]
    pub fn restarting(self, shortest: Option<u32>) -> Self {
        Self { restart: shortest, ..self }
    }

    /// Plays the game of `seed` and learns from it, from its end to its beginning: so the last lesson reaches the first
    /// move at once.
    pub fn learn(&mut self, seed: u64) -> Lesson {
        let mut random = Random::new(seed);
        let mut board = beginning(&mut random);
        let mut path = std::mem::take(&mut self.path);
        let (mut game, mut moves) = (None, 0);
        let game = loop {
            path.clear();
            let outcome = play_on(self.memory, board, &mut random, |after, gained| {
                let known = self.memory.known(after);
                path.push((known, gained));
                known
            });
            self.learn_from(&path);
            moves += path.len() as u64;
            let game = *game.get_or_insert(outcome);
            let enough = |shortest: u32| path.len() >= (shortest as usize).max(2);
            if !self.restart.is_some_and(enough) {
                break game;
            }
            board = spawned(Board::from_nibbles(path[path.len() / 2].0), &mut random);
        };
        self.path = path;
        Lesson { game, moves }
    }

    fn learn_from(&self, path: &[(u64, u32)]) {
        let mut target = 0.0;
        for (i, &(after, gained)) in path.iter().enumerate().rev() {
            if let Some(before) = i.checked_sub(Self::AHEAD) {
                self.memory.prepare(path[before].0);
            }
            target = gained as f32 + self.memory.learn(after, target, self.rate);
        }
    }
}

impl Memory {
    /// Plays the game of `seed` without learning from it.
    pub fn play(&self, seed: u64) -> Outcome {
        play(self, seed)
    }
}

impl Network {
    /// Plays the game of `seed` one move ahead, as [`Memory::play`] does.
    pub fn play(&self, seed: u64) -> Outcome {
        play(self, seed)
    }
}

/// What judges afterstates in two steps, so that the memory has time between them.
pub(super) trait Judge {
    /// Finds the weights of an afterstate and begins to fetch them.
    fn look_up(&self, nibbles: u64, places: &mut Places);

    /// What an afterstate is worth, of which the places are known.
    fn worth(&self, nibbles: u64, places: &Places) -> f32;
}

/// Plays the game of `seed`.
fn play<J: Judge>(judge: &J, seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let board = beginning(&mut random);
    play_on(judge, board, &mut random, |after, _| after)
}

/// Plays from `board` to the end, and tells the afterstate of `each` move with the points of its slide; the game goes on
/// with what it answers. No slide is played that makes a 65536, which no nibble holds.
#[inline(always)]
fn play_on<J: Judge>(
    judge: &J,
    mut board: Board,
    random: &mut Random,
    mut each: impl FnMut(u64, u32) -> u64,
) -> Outcome {
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
        let after = each(after, gained);
        score += u64::from(gained);
        moves += 1;
        board = spawned(Board::from_nibbles(after), random);
    }
    Outcome { score, moves, largest: board.max_tile() }
}

/// The board that a game begins with.
fn beginning(random: &mut Random) -> Board {
    let one = spawned(Board::EMPTY, random);
    spawned(one, random)
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
    use crate::ntuple::{CELLS, Method};

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
    fn a_game_that_restarts_is_learned_from_more_than_once() {
        let lesson = |shortest| {
            let memory = Memory::new(Method::Tc, &[], 0.0).unwrap();
            let mut learner = Learner::new(&memory, 1.0).restarting(shortest);
            let lessons = [1, 2, 3].map(|seed| learner.learn(seed));
            (lessons, memory.play(9))
        };
        let (plain, _) = lesson(None);
        assert!(plain.iter().all(|lesson| lesson.moves == u64::from(lesson.game.moves)));
        // The first game is the same, for nothing is known before it.
        let (restarted, after) = lesson(Some(20));
        assert_eq!(restarted[0].game, plain[0].game);
        assert!(restarted.iter().all(|lesson| lesson.moves > u64::from(lesson.game.moves)));
        assert_eq!(lesson(Some(20)), (restarted, after));
        let (never, _) = lesson(Some(1_000_000));
        assert_eq!(never, plain);
    }

    #[test]
    fn nothing_is_learned_about_tiles_that_are_too_large() {
        let memory =
            Memory::new(Method::Td, &[], 0.0).unwrap().up_to(Tile::from_exponent(9).unwrap());
        let mut learner = Learner::new(&memory, 0.1);
        let lessons: Vec<_> = (0..300).map(|seed| learner.learn(seed)).collect();
        let weights = memory.quantised(0.1);
        let known = (0..weights.len()).filter(|&at| weights[at] != 0);
        let exponents = known.flat_map(|at| (0..6).map(move |i| (at % CELLS) >> (4 * i) & 0xf));
        assert_eq!(exponents.max(), Some(9));
        // The points are those of the slides, a 1024 too; and games that are not learned from have all tiles.
        assert!(lessons.iter().any(|lesson| lesson.game.score > 10_000));
        let tiles = (0..100).filter_map(|seed| memory.play(seed).largest);
        assert!(tiles.max() > Tile::from_exponent(9));
    }

    #[test]
    fn games_make_it_better_and_repeat() {
        let (early, late) = (mean_after(20), mean_after(600));
        assert!(early < 5_000 && late > 10_000, "{early} after 20 games, {late} after 600");
        assert_eq!(early, mean_after(20));
    }
}
