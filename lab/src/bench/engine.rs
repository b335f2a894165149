//! The figures of the engine.

use std::hint::black_box;

use engine::{
    Board, Boards, Cell, Direction, Game, Random, Slides, Start, Tile, perft, playout, playouts,
    spawn,
};

use super::Figures;

/// How many boards are slid: 1 MiB of them, so that they come from the second cache at best.
const BOARDS: usize = 1 << 16;

/// The game that `engine/examples/long_game.rs` plays: its seed in eight bytes, then four moves a byte.
const LONG_GAME: &[u8] = include_bytes!("../../../engine/tests/rules/long_game.bin");

/// Adds every figure.
pub(super) fn measure(figures: &mut Figures) {
    figures.tell("engine.fingerprint", &fingerprint());
    figures.tell("engine.instructions", engine::instructions());
    let boards = played(BOARDS);
    slides(figures, &boards);
    random_games(figures, &boards);
    replay(figures);
    let start: Board = "2 4 8 16 . . . . 2 . . . . . . 4".parse().expect("a board");
    figures.per_second("engine.perft_per_s", || {
        let count = perft(black_box(&start), 3);
        assert_eq!(count, 484_696);
        count
    });
}

/// A hash of the engine's answers over fixed boards and seeds. While it stands, every answer does.
pub(super) fn fingerprint() -> String {
    let mut hash = Hash::new();
    let mut random = Random::new(20_480);
    for board in played(2_000).into_iter().chain(scattered(2_000, 17)) {
        hash.board(&board);
        for slide in board.slides() {
            let Some(slide) = slide else { continue };
            hash.board(&slide.board);
            hash.number(u64::from(slide.gained) << 8 | u64::from(slide.merges));
        }
        for n in 0..4 {
            if let Some(spawn) = spawn(random.word(), n, &board) {
                hash.number((spawn.cell.index() as u64) << 8 | u64::from(spawn.tile.exponent()));
            }
        }
        board.symmetries().iter().for_each(|board| hash.board(board));
        hash.number(perft(&board, 1));
    }
    let starts: Vec<Board> = (0..200).map(|seed| *Game::new(seed).board()).collect();
    let mut ends = playouts(&starts, 200, &mut random);
    ends.extend(starts.iter().map(|board| playout(board, u32::MAX, &mut random)));
    for end in ends {
        hash.board(&end.board);
        hash.number(u64::from(end.gained) << 32 | u64::from(end.moves));
    }
    format!("{:016x}", hash.0)
}

/// Slides of independent boards, in each direction, with their points.
fn slides(figures: &mut Figures, boards: &[Board]) {
    let expected = Direction::ALL.map(|direction| {
        boards
            .iter()
            .filter_map(|board| board.slide(direction))
            .map(|slide| u64::from(slide.gained))
            .sum::<u64>()
    });
    let packs: Vec<Boards> =
        boards.chunks(1024).map(|boards| boards.iter().copied().collect()).collect();
    let mut slides = Slides::default();
    figures.per_second("engine.slides_per_s", || {
        for direction in Direction::ALL {
            let mut points = 0;
            for boards in black_box(&packs) {
                boards.slide(direction, &mut slides);
                points += slides.gained.iter().map(|&gained| u64::from(gained)).sum::<u64>();
                black_box(&slides);
            }
            assert_eq!(points, expected[direction.index()]);
        }
        4 * boards.len() as u64
    });
    figures.per_second("engine.single_slides_per_s", || {
        for direction in Direction::ALL {
            let mut points = 0;
            for board in black_box(boards) {
                let slide = board.slide(direction);
                points += slide.map_or(0, |slide| u64::from(slide.gained));
                black_box(slide);
            }
            assert_eq!(points, expected[direction.index()]);
        }
        4 * boards.len() as u64
    });
}

/// Random games to their ends, from new games and from positions in the middle of one.
fn random_games(figures: &mut Figures, boards: &[Board]) {
    let new: Vec<Board> = (0..2_000).map(|seed| *Game::new(seed).board()).collect();
    let midway: Vec<Board> = boards.iter().step_by(BOARDS / 2_000).copied().collect();
    let mut random = Random::new(1);
    let mut many = |starts: &[Board]| {
        let ends = playouts(black_box(starts), u32::MAX, &mut random);
        assert!(ends.iter().all(|end| end.board.is_over()));
        ends.iter().map(|end| u64::from(end.moves)).sum()
    };
    figures.per_second("engine.playout_moves_per_s", || many(&new));
    figures.per_second("engine.playout_moves_midway_per_s", || many(&midway));
    let mut random = Random::new(1);
    figures.per_second("engine.single_playout_moves_per_s", || {
        let end = |board| {
            let end = playout(black_box(board), u32::MAX, &mut random);
            assert!(end.board.is_over());
            u64::from(end.moves)
        };
        new.iter().map(end).sum()
    });
}

/// One stored game of 30,000 moves, every state of it checked.
fn replay(figures: &mut Figures) {
    let seed = u64::from_le_bytes(*LONG_GAME.first_chunk().expect("the seed"));
    let moves = LONG_GAME[8..].iter().flat_map(|byte| [0, 2, 4, 6].map(|place| byte >> place & 3));
    let directions: Vec<Direction> =
        moves.filter_map(|index| Direction::from_index(index.into())).collect();
    figures.milliseconds("engine.replay_30k_ms", || {
        let game = Game::replay(black_box(seed), Start::Seeded, black_box(&directions));
        let game = game.expect("every move changes the board");
        check_states(&game);
        assert_eq!((game.moves(), game.score(), game.merges()), (30_000, 972_752, 29_994));
        assert_eq!(game.max_tile().map(Tile::value), Some(65_536));
    });
}

/// Plays a game of a seed once more, by its rules alone, and checks what must hold of each of its states.
fn check_states(game: &Game) {
    let mut board = *Game::new(game.seed()).board();
    let (mut score, mut sum) = (0, board.sum());
    // Had every tile been made of 2s, the score would be what they are worth; a 4 comes without the points of its merge.
    let mut unearned = worth(&board);
    for (n, &direction) in (2..).zip(game.directions()) {
        let slide = board.slide(direction).expect("every move changes the board");
        let spawn = spawn(game.seed(), n, &slide.board).expect("a slide leaves an empty square");
        assert_eq!(slide.board.get(spawn.cell), None);
        board = slide.board.with(spawn.cell, spawn.tile);
        score += u64::from(slide.gained);
        sum += spawn.tile.value();
        unearned += u64::from(spawn.tile == Tile::FOUR) * 4;
        assert_eq!((board.sum(), worth(&board)), (sum, score + unearned));
    }
    assert_eq!((&board, score), (game.board(), game.score()));
}

/// The points of making every tile of a board from 2s.
fn worth(board: &Board) -> u64 {
    let tiles = Cell::all().filter_map(|cell| board.get(cell));
    tiles.map(|tile| u64::from(tile.exponent() - 1) << tile.exponent()).sum()
}

/// Positions of games played for points.
fn played(count: usize) -> Vec<Board> {
    let boards = (0..).flat_map(|seed| {
        let game = greedy_game(seed);
        let mut replayed = Game::new(seed);
        game.directions().to_owned().into_iter().map(move |direction| {
            let board = *replayed.board();
            replayed.play(direction).expect("its own moves");
            board
        })
    });
    boards.take(count).collect()
}

/// A game in which every move gains the most it can.
fn greedy_game(seed: u64) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::new(seed);
    loop {
        let slides = Direction::ALL.into_iter().zip(game.board().slides());
        let gains =
            slides.filter_map(|(direction, slide)| Some((slide?.gained, random.word(), direction)));
        let Some((_, _, direction)) = gains.max() else { return game };
        game.play(direction).expect("a slide that changes the board");
    }
}

/// Boards with tiles up to 2^`largest` scattered over them.
fn scattered(count: usize, largest: u32) -> Vec<Board> {
    let mut random = Random::new(2);
    let mut board = || {
        let mut board = Board::EMPTY;
        for cell in Cell::all() {
            board.put(cell, Tile::from_exponent(random.below(largest + 1) as u8));
        }
        board
    };
    (0..count).map(|_| board()).collect()
}

/// FNV-1a, 64 bits: small, and enough to see a change by.
struct Hash(u64);

impl Hash {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn number(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn board(&mut self, board: &Board) {
        for cell in Cell::all() {
            self.number(board.get(cell).map_or(0, |tile| u64::from(tile.exponent())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_is_the_same_twice() {
        assert_eq!(fingerprint(), fingerprint());
    }
}
