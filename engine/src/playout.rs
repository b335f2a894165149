//! Games played on at random, by which searches judge a position.

mod many;

use many::Lean;

use crate::{
    Board, Cell, Random, Slide, Tile,
    lanes::Turn,
    nibbles, processor,
    rows::{self, LEFT, RIGHT},
};

/// Where a random game went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Playout {
    /// Its last position.
    pub board: Board,
    /// The points of all its moves.
    pub gained: u32,
    /// How many moves it lasted.
    pub moves: u32,
}

/// Plays on from `board` with random legal directions, each as likely as any other, and random spawns, until the game
/// is over or `depth` moves are played.
///
/// ```
/// use engine::{Game, Random, playout};
///
/// let game = Game::new(42);
/// let end = playout(game.board(), u32::MAX, &mut Random::new(1));
/// assert!(end.board.is_over() && end.moves > 0);
/// assert_eq!(playout(game.board(), 10, &mut Random::new(1)).moves, 10);
/// ```
pub fn playout(board: &Board, depth: u32, random: &mut Random) -> Playout {
    let mut end = Playout { board: *board, gained: 0, moves: 0 };
    let limit = depth.min(narrow_moves(board));
    // The fast ways draw until a direction is legal, so there must be one.
    if limit > 0 && !board.is_over() {
        end = processor::best(Single { board: board.nibbles, depth: limit, random });
    }
    play_on(&mut end, depth, random);
    end
}

/// Plays on from every board, as [`playout()`] does, many at a time: several times as fast, from some tens of boards on.
/// The ends stand in the order of `starts`, in which a board may be repeated.
///
/// The random games are others than those of [`playout()`] with the same generator; they are the same on every processor.
///
/// ```
/// use engine::{Game, Random, playouts};
///
/// let game = Game::new(42);
/// let ends = playouts(&[*game.board(); 100], u32::MAX, &mut Random::new(1));
/// let mean = ends.iter().map(|end| f64::from(end.gained)).sum::<f64>() / 100.0;
/// assert!((500.0..2_000.0).contains(&mean));
/// ```
pub fn playouts(starts: &[Board], depth: u32, random: &mut Random) -> Vec<Playout> {
    processor::best(many::Many { starts, depth, lean: Lean::NONE, random })
}

/// Plays on from every board, as [`playouts()`] does, towards a corner: the one in whose quarter of the board the cell
/// is. Of two opposite directions, the one away from the corner is drawn in one case of eight.
pub fn playouts_towards(
    starts: &[Board],
    corner: Cell,
    depth: u32,
    random: &mut Random,
) -> Vec<Playout> {
    processor::best(many::Many { starts, depth, lean: Lean::towards(corner), random })
}

/// A playout as the rules have it, for every board: what the fast ways begin, this one ends.
fn play_on(playout: &mut Playout, depth: u32, random: &mut Random) {
    while playout.moves < depth {
        let legal = playout.board.legal();
        let chosen = random.below(legal.len() as u32);
        let Some(direction) = legal.nth(chosen as usize) else { break };
        let Some(Slide { board, gained, .. }) = playout.board.slide(direction) else { break };
        let cell = board
            .nth_empty(random.below(board.empty_count() as u32) as usize)
            .expect("a slide leaves an empty square");
        let tile = if random.below(10) == 9 { Tile::FOUR } else { Tile::TWO };
        playout.board = board.with(cell, tile);
        playout.gained += gained;
        playout.moves += 1;
    }
}

/// How many moves from `board` are certain to make no 65536, so that nibbles hold the board: a slide keeps the sum of
/// the tiles, a spawn adds 4 at most, and two tiles of 32768 are a sum of 65536.
fn narrow_moves(board: &Board) -> u32 {
    if board.high != 0 { 0 } else { 65_535_u32.saturating_sub(board.sum()) / 4 }
}

/// One playout on nibbles, without a branch but for "changed nothing": a direction is drawn from all four, and drawn
/// again when it is not legal, so that the legal ones are equally likely.
struct Single<'a> {
    board: u64,
    depth: u32,
    random: &'a mut Random,
}

impl processor::Work for Single<'_> {
    type Output = Playout;

    #[inline(always)]
    fn run(self) -> Playout {
        let Self { board: start, depth, random } = self;
        let (mut board, mut moves, mut fours) = (start, 0, 0);
        while moves < depth {
            let draw = Draw(random.word());
            let turn = Turn::from_bits(draw.vertical(), 0);
            let table = if draw.backward() == 0 { &LEFT } else { &RIGHT };
            let slid = turn.undo(rows::slide(turn.apply(board), table));
            if slid == board {
                if is_over(board) {
                    break;
                }
                continue;
            }
            board = slid | draw.spawn(slid);
            moves += 1;
            fours += draw.four();
        }
        finished(start, board, moves, fours as u32)
    }
}

/// One random word: a direction, a square and a value.
#[derive(Clone, Copy)]
struct Draw(u64);

impl Draw {
    /// 1 for a vertical direction, else 0.
    #[inline(always)]
    const fn vertical(self) -> u64 {
        self.0 >> 63
    }

    /// 1 for a direction to the right or down, else 0.
    #[inline(always)]
    const fn backward(self) -> u64 {
        self.0 >> 62 & 1
    }

    /// 1 in one of ten draws, for a 4; else 0, for a 2. Off by less than 2^-30.
    #[inline(always)]
    const fn four(self) -> u64 {
        const NINE_TENTHS: u64 = (9_u64 << 30).div_ceil(10);
        (self.0 >> 32 & 0x3fff_ffff >= NINE_TENTHS) as u64
    }

    /// The exponent of the new tile on a random empty square of a board that has between 1 and 15 of them.
    #[inline(always)]
    const fn spawn(self, board: u64) -> u64 {
        let empty = nibbles::zeros(board);
        // Every nibble of the product counts the empty squares up to its own; the highest counts all.
        let counts = empty.wrapping_mul(nibbles::ONES);
        let chosen = (((self.0 & 0xffff_ffff) * (counts >> 60)) >> 32) + 1;
        let square = nibbles::zeros(counts ^ chosen.wrapping_mul(nibbles::ONES)) & empty;
        square << self.four()
    }
}

/// Whether no square is empty and no neighbours are equal.
#[inline(always)]
const fn is_over(board: u64) -> bool {
    (nibbles::zeros(board) | nibbles::equal_across(board) | nibbles::equal_down(board)) == 0
}

/// The playout that led from one board to the other with so many moves and so many spawned fours.
///
/// A tile 2^e made of twos has gained (e - 1) * 2^e on its way, since a merge into 2^e gains 2^e; a four that
/// spawned came without its points. So the points need no count from move to move.
#[inline(always)]
fn finished(start: u64, end: u64, moves: u32, fours: u32) -> Playout {
    let gained = worth(end) - worth(start) - 4 * fours;
    Playout { board: Board { nibbles: end, high: 0 }, gained, moves }
}

/// The points of making every tile of a board from twos.
#[inline(always)]
fn worth(board: u64) -> u32 {
    let tile = |index: u32| {
        let exponent = (board >> (4 * index) & 0xf) as u32;
        exponent.saturating_sub(1) << exponent
    };
    (0..16).map(tile).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, processor::Level};

    fn starts() -> Vec<Board> {
        (0..100).map(|seed| *Game::new(seed).board()).collect()
    }

    /// The means of points and moves over games from the start.
    fn means(ends: &[Playout]) -> (f64, f64) {
        let mean = |of: fn(&Playout) -> u32| {
            ends.iter().map(|end| f64::from(of(end))).sum::<f64>() / ends.len() as f64
        };
        (mean(|end| end.gained), mean(|end| end.moves))
    }

    #[test]
    fn every_level_plays_the_same_games() {
        let starts = starts();
        let many = |level| {
            let mut random = Random::new(5);
            processor::at(
                level,
                many::Many { starts: &starts, depth: 70, lean: Lean::NONE, random: &mut random },
            )
        };
        let single = |level| {
            let mut random = Random::new(5);
            let board = starts[0].nibbles;
            processor::at(level, Single { board, depth: u32::MAX, random: &mut random })
        };
        for level in Level::supported() {
            assert_eq!(many(level), many(Level::Baseline), "{level:?}");
            assert_eq!(single(level), single(Level::Baseline), "{level:?}");
        }
    }

    #[test]
    fn every_level_plays_the_same_games_towards_a_corner() {
        let starts = starts();
        for corner in [Cell::at(0, 0), Cell::at(0, 3), Cell::at(3, 0), Cell::at(3, 3)] {
            let play = |level| {
                let (lean, mut random) = (Lean::towards(corner), Random::new(5));
                let random = &mut random;
                processor::at(level, many::Many { starts: &starts, depth: 70, lean, random })
            };
            for level in Level::supported() {
                assert_eq!(play(level), play(Level::Baseline), "{level:?}");
            }
        }
    }

    #[test]
    fn away_from_the_corner_is_one_draw_of_eight() {
        // Each direction leaves the 2 on another square, and nothing merges.
        let board: Board = ". . . . . 2 . . . . . . . . . .".parse().unwrap();
        let mut random = Random::new(5);
        let (up_or_left, all) = ([Cell::at(0, 1), Cell::at(1, 0)], 8_000);
        for (corner, expected) in [(Cell::at(0, 0), 7.0 / 8.0), (Cell::at(2, 3), 1.0 / 8.0)] {
            let ends = playouts_towards(&vec![board; all], corner, 1, &mut random);
            // The tile that appeared stands elsewhere, or is the one that is seen: one of fifteen squares each.
            let towards = ends
                .iter()
                .filter(|end| up_or_left.iter().any(|&cell| end.board.get(cell) == Some(Tile::TWO)))
                .count();
            let share = towards as f64 / all as f64;
            let spawned = (1.0 - expected) * 2.0 / 15.0 * 0.9;
            assert!((share - expected - spawned).abs() < 0.02, "{share}, not {expected}");
        }
    }

    #[test]
    fn a_playout_ends_with_the_game_or_at_its_depth() {
        let mut random = Random::new(5);
        let ends = playouts(&starts(), 100, &mut random);
        for end in ends.into_iter().chain(starts().iter().map(|b| playout(b, 100, &mut random))) {
            assert!(end.moves == 100 || end.board.is_over(), "{end:?}");
            assert!(end.moves > 10 && end.moves <= 100 && end.gained > 20, "{end:?}");
        }
    }

    #[test]
    fn all_three_ways_play_alike() {
        let mut random = Random::new(5);
        let starts: Vec<Board> = starts().repeat(100);
        let many = means(&playouts(&starts, u32::MAX, &mut random));
        let single: Vec<_> = starts.iter().map(|b| playout(b, u32::MAX, &mut random)).collect();
        let exact = starts.iter().map(|&board| {
            let mut end = Playout { board, gained: 0, moves: 0 };
            play_on(&mut end, u32::MAX, &mut random);
            end
        });
        let exact = means(&exact.collect::<Vec<_>>());
        // A game's points spread by about 600 and its moves by about 50: means of 10,000 by 6 and 0.5.
        for (points, moves) in [many, means(&single)] {
            assert!((points - exact.0).abs() < 40.0, "{many:?} {exact:?}");
            assert!((moves - exact.1).abs() < 3.5, "{many:?} {exact:?}");
        }
    }

    #[test]
    fn the_points_are_those_of_the_moves() {
        // One move deep, the points can be seen: they are those of one of the slides.
        let board: Board = "2 2 . . 4 4 8 8 . 16 . 16 2 . . 64".parse().unwrap();
        let mut random = Random::new(5);
        let slides = board.slides();
        for end in playouts(&[board; 100], 1, &mut random) {
            let gains =
                |slide: &Slide| slide.gained == end.gained && slide.board.sum() < end.board.sum();
            assert!(slides.iter().flatten().any(gains), "{end:?}");
        }
    }

    #[test]
    fn a_playout_from_a_finished_game_stays_there() {
        let over: Board = "2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2".parse().unwrap();
        for board in [over, Board::EMPTY] {
            let end = Playout { board, gained: 0, moves: 0 };
            assert_eq!(playout(&board, 100, &mut Random::new(5)), end);
            assert_eq!(playouts(&[board; 3], 100, &mut Random::new(5)), [end; 3]);
        }
    }

    #[test]
    fn a_playout_makes_the_largest_tiles_too() {
        let boards = [
            "65536 65536 . . 32768 32768 . . . . . . . . . .",
            "32768 32768 . . . . . . . . . . . . . .",
        ];
        let mut random = Random::new(5);
        for (board, largest) in boards.into_iter().zip([131_072, 65_536]) {
            let board: Board = board.parse().unwrap();
            let made = |end: Playout| end.board.max_tile().map(Tile::value) == Some(largest);
            assert!(playouts(&[board; 100], 10, &mut random).into_iter().any(made));
            assert!((0..100).map(|_| playout(&board, 10, &mut random)).any(made));
        }
    }

    #[test]
    fn four_is_drawn_from_nine_tenths_on() {
        let draw = |value: u64| Draw(value << 32).four();
        assert_eq!((draw(966_367_641), draw(966_367_642)), (0, 1));
    }
}
