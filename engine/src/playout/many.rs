//! Sixteen random games side by side.

use super::{Draw, Playout, finished, is_over, narrow_moves, play_on};
use crate::{
    Board, Cell, Random,
    lanes::{self, Turn},
    processor::Work,
};

/// How many games are played side by side: two registers of 512 bits, four of 256.
const LANES: usize = 16;

/// Which of two opposite directions is drawn more often, as masks of a bit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lean {
    /// Set when both are drawn as often.
    even: u64,
    /// Set when down, and to the right, are the ones drawn more often.
    down: u64,
    right: u64,
}

impl Lean {
    pub(super) const NONE: Self = Self { even: 1, down: 0, right: 0 };

    /// Towards the corner in whose quarter of the board the cell is.
    pub(super) fn towards(cell: Cell) -> Self {
        Self { even: 0, down: u64::from(cell.row() > 1), right: u64::from(cell.column() > 1) }
    }

    /// The turn for a draw. Leaning, a direction away from the corner needs two more bits to be set, so it is drawn in
    /// one case of eight. They are low bits of the square's choice, which they shift by less than 2^-28.
    #[inline(always)]
    fn turn(self, draw: u64) -> Turn {
        let (vertical, backward) = (Draw(draw).vertical(), Draw(draw).backward());
        let away = backward & (self.even | draw >> 1 & draw >> 2);
        let flip = self.right ^ (self.right ^ self.down) & vertical;
        Turn::from_bits(vertical, away ^ flip)
    }
}

/// The playouts of all `starts`.
pub(super) struct Many<'a> {
    pub(super) starts: &'a [Board],
    pub(super) depth: u32,
    pub(super) lean: Lean,
    pub(super) random: &'a mut Random,
}

impl Work for Many<'_> {
    type Output = Vec<Playout>;

    #[inline(always)]
    fn run(mut self) -> Vec<Playout> {
        let mut ends = Vec::with_capacity(self.starts.len());
        ends.extend(self.starts.iter().map(|&board| Playout { board, gained: 0, moves: 0 }));
        let mut lanes = Lanes::new(self.random);
        let lean = self.lean;
        let mut queue = 0..ends.len();
        let mut playing = 0;
        for lane in 0..LANES {
            playing += usize::from(self.begin(&mut lanes, lane, &mut queue, &mut ends));
        }
        while playing > 0 {
            if lanes.step(lean) {
                for lane in 0..LANES {
                    if lanes.stopped[lane] != 0 {
                        ends[lanes.game[lane]] = self.end(&lanes, lane);
                        playing -= 1;
                        playing += usize::from(self.begin(&mut lanes, lane, &mut queue, &mut ends));
                    }
                }
            }
        }
        ends
    }
}

impl Many<'_> {
    /// Puts the next board of the queue on a lane; `false` when there is none. A board that nibbles cannot hold is
    /// played to its end here, and one without a move is at its end already.
    #[inline(always)]
    fn begin(
        &mut self,
        lanes: &mut Lanes,
        lane: usize,
        queue: &mut std::ops::Range<usize>,
        ends: &mut [Playout],
    ) -> bool {
        for game in queue {
            let board = self.starts[game];
            let limit = self.depth.min(narrow_moves(&board));
            if limit > 0 && !board.is_over() {
                lanes.put(lane, game, board.nibbles, limit);
                return true;
            }
            play_on(&mut ends[game], self.depth, self.random);
        }
        lanes.put(lane, 0, IDLE, u32::MAX);
        false
    }

    /// The end of the game on a lane that has stopped.
    #[inline(always)]
    fn end(&mut self, lanes: &Lanes, lane: usize) -> Playout {
        let start = self.starts[lanes.game[lane]].nibbles;
        let (moves, fours) = (lanes.moves[lane] as u32, lanes.fours[lane] as u32);
        let mut end = finished(start, lanes.board[lane], moves, fours);
        play_on(&mut end, self.depth, self.random);
        end
    }
}

/// The board of a lane without a game: no direction changes it, and having empty squares it never stops.
const IDLE: u64 = 0;

/// The games, a column each. Everything is as wide as a board, so that one vector holds the same lanes of each.
struct Lanes {
    board: [u64; LANES],
    moves: [u64; LANES],
    limit: [u64; LANES],
    fours: [u64; LANES],
    /// Not 0 for the lanes whose game is over or has reached its limit.
    stopped: [u64; LANES],
    /// The places of the games in `starts`.
    game: [usize; LANES],
    generator: [[u64; LANES]; 2],
}

impl Lanes {
    /// Idle lanes, with a generator each.
    #[inline(always)]
    fn new(random: &mut Random) -> Self {
        let mut seeds = || std::array::from_fn(|_| random.word());
        let generator = [seeds(), seeds()];
        let none = [0; LANES];
        let limit = [u64::MAX; LANES];
        Self {
            board: [IDLE; LANES],
            moves: none,
            limit,
            fours: none,
            stopped: none,
            game: [0; LANES],
            generator,
        }
    }

    #[inline(always)]
    fn put(&mut self, lane: usize, game: usize, board: u64, limit: u32) {
        self.board[lane] = board;
        self.moves[lane] = 0;
        self.limit[lane] = u64::from(limit);
        self.fours[lane] = 0;
        self.game[lane] = game;
    }

    /// Draws a direction for every lane and plays it where it is legal; whether any lane has stopped.
    #[inline(always)]
    fn step(&mut self, lean: Lean) -> bool {
        let draws = self.draw();
        let mut boards = [0; LANES];
        for lane in 0..LANES {
            boards[lane] = lean.turn(draws[lane]).apply(self.board[lane]);
        }
        lanes::left(&mut boards);
        let mut any = 0;
        for lane in 0..LANES {
            let draw = Draw(draws[lane]);
            let slid = lean.turn(draws[lane]).undo(boards[lane]);
            let moved = slid != self.board[lane];
            if moved {
                self.board[lane] = slid | draw.spawn(slid);
            }
            self.moves[lane] += u64::from(moved);
            self.fours[lane] += if moved { draw.four() } else { 0 };
            let over = u64::from(is_over(self.board[lane]));
            self.stopped[lane] = over | u64::from(self.moves[lane] >= self.limit[lane]);
            any |= self.stopped[lane];
        }
        any != 0
    }

    /// A random word a lane: the step of xorshift128+ (Vigna, "Further scramblings of Marsaglia's xorshift
    /// generators", 2017), which needs no multiplication. Its weak lowest bits only help to choose a square.
    #[inline(always)]
    fn draw(&mut self) -> [u64; LANES] {
        let mut words = [0; LANES];
        let [older, newer] = &mut self.generator;
        for lane in 0..LANES {
            let (mut a, b) = (older[lane], newer[lane]);
            a ^= a << 23;
            a = a ^ b ^ (a >> 18) ^ (b >> 5);
            (older[lane], newer[lane]) = (b, a);
            words[lane] = a.wrapping_add(b);
        }
        words
    }
}
