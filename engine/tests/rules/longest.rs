//! The highest score and the largest tile that there are.

use engine::{Board, Cell, Direction, Game, Slide, Start, Tile};

/// A whole game, found by `examples/longest_game.rs`: of each byte, the bits 5 and 6 are the direction, 1 to 4 the
/// square of the spawn, and 0 says that it is a 4.
const SCRIPT: &[u8] = include_bytes!("longest_game.bin");

#[test]
fn the_highest_score_is_3932100_with_a_tile_of_131072() {
    let mut board = Board::EMPTY.with(Cell::at(0, 0), Tile::TWO).with(Cell::at(0, 1), Tile::TWO);
    let (mut score, mut fours) = (0, 0);
    for &byte in SCRIPT {
        let direction = Direction::from_index(usize::from(byte >> 5)).unwrap();
        let cell = Cell::from_index(usize::from(byte >> 1 & 0xf)).unwrap();
        let tile = if byte & 1 == 0 { Tile::TWO } else { Tile::FOUR };
        let Slide { board: slid, gained, .. } =
            board.slide(direction).expect("it changes the board");
        assert_eq!(slid.get(cell), None, "a spawn takes an empty square");
        board = slid.with(cell, tile);
        score += gained;
        fours += u32::from(tile == Tile::FOUR);
    }
    // 131072, 65536 and so on down to 4, one of each: no board of sixteen squares holds more without a merge left.
    let mut tiles: Vec<u32> = board.values().into_iter().flatten().collect();
    tiles.sort_unstable();
    assert_eq!(tiles, (2..=17).map(|exponent| 1 << exponent).collect::<Vec<_>>());
    assert!(board.is_over());
    assert_eq!((score, fours), (3_932_100, 16));
    // A tile 2^e made of 2s earns (e - 1) * 2^e, each spawned 4 takes 4 off, and each of the sixteen tiles needs one.
    assert_eq!((2..=17).map(|e| (e - 1) << e).sum::<u32>() - 4 * 16, score);
}

#[test]
fn two_of_the_largest_tile_stay_two() {
    let board: Board = "131072 131072 . . 131072 . . . . . . . . . . .".parse().unwrap();
    let mut game = Game::begin(1, Start::Custom(board));
    assert_eq!(game.play(Direction::Left).unwrap_err().to_string(), "LEFT changes nothing");
    assert_eq!(game.play(Direction::Down).unwrap().gained, 0);
    assert_eq!(
        Tile::from_value(262_144).unwrap_err().to_string(),
        "262144 is not a tile: tiles are powers of two from 2 to 131072"
    );
}
