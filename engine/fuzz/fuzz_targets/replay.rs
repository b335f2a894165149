//! Replays any bytes as a stored game: seed, start and directions. It is refused at the first move that does not fit,
//! or it is the game that playing the same moves makes.
#![no_main]

use engine::{Board, Cell, Direction, Game, ReplayError, Start, Tile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|record: (u64, Option<[u8; 16]>, Vec<u8>)| {
    let (seed, exponents, letters) = record;
    let start = exponents.map_or(Start::Seeded, |exponents| {
        Start::Custom(Cell::all().zip(exponents).fold(Board::EMPTY, |mut board, (cell, exponent)| {
            board.put(cell, Tile::from_exponent(exponent % 20));
            board
        }))
    });
    // Letters as they are stored, any other byte as one of the four.
    let directions: Vec<Direction> = letters
        .iter()
        .filter_map(|&byte| {
            Direction::from_letter(byte.into()).or_else(|| Direction::from_index(usize::from(byte % 4)))
        })
        .collect();

    let mut game = Game::begin(seed, start);
    let mut refused = None;
    for &direction in &directions {
        let before = game.clone();
        match game.play(direction) {
            Ok(transition) => {
                assert_eq!(game.score(), before.score() + u64::from(transition.gained));
                assert_eq!(game.board().get(transition.spawn.cell), Some(transition.spawn.tile));
            }
            Err(_) => {
                assert_eq!(game, before);
                refused = Some(ReplayError { number: game.moves() + 1, direction });
                break;
            }
        }
    }
    assert_eq!(Game::replay(seed, start, &directions), refused.map_or(Ok(game), Err));
});
