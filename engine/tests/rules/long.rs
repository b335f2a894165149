//! A long game as it is stored: a seed and the directions.

use engine::{Cell, Direction, Game, Start, Tile};

use crate::oracle::{self, Outcome};

/// 30,000 moves, found by `examples/long_game.rs`: the seed in eight bytes, the lowest first, then four moves a byte,
/// the first in the lowest two bits.
const RECORD: &[u8] = include_bytes!("long_game.bin");

/// The seed and the directions.
fn stored() -> (u64, Vec<Direction>) {
    let (seed, moves) = RECORD.split_first_chunk().expect("the seed");
    let moves = moves.iter().flat_map(|byte| [0, 2, 4, 6].map(|place| byte >> place & 3));
    let directions = moves.filter_map(|index| Direction::from_index(index.into())).collect();
    (u64::from_le_bytes(*seed), directions)
}

#[test]
fn every_state_of_a_game_of_30000_moves_is_right() {
    let (seed, directions) = stored();
    let mut game = Game::new(seed);
    let mut grid = game.board().values();
    let (mut score, mut pairs, mut sum) = (0, 0, game.board().sum());
    for &direction in &directions {
        let legal = game.board().legal();
        let transition = game.play(direction).unwrap();
        let Outcome { grid: slid, gained, merges, traces } = oracle::slide(&grid, direction);
        assert!(slid != grid && legal.contains(direction), "move {}", game.moves());
        let told = transition.slides.iter().map(|slide| {
            let place = |cell: Cell| (cell.row(), cell.column());
            (place(slide.from), place(slide.to), slide.tile.value(), slide.merges)
        });
        assert!(told.eq(traces), "move {}", game.moves());
        assert_eq!((transition.gained, transition.merges), (gained, merges));
        grid = slid;
        let square = &mut grid[transition.spawn.cell.row()][transition.spawn.cell.column()];
        assert_eq!(*square, 0, "a spawn takes an empty square");
        *square = transition.spawn.tile.value();
        assert!(matches!(*square, 2 | 4), "move {}", game.moves());
        score += u64::from(gained);
        pairs += u32::from(merges);
        sum += *square;
        assert_eq!(game.board().values(), grid, "move {}", game.moves());
        assert_eq!((game.score(), game.merges(), game.board().sum()), (score, pairs, sum));
    }
    assert_eq!((seed, game.moves(), score, pairs, sum), (2048, 30_000, 972_752, 29_994, 65_790));
    assert_eq!(game.max_tile().map(Tile::value), Some(65_536));
    assert_eq!(Game::replay(seed, Start::Seeded, &directions), Ok(game));
}

#[test]
fn a_move_that_the_record_should_not_have_is_found() {
    let (seed, mut directions) = stored();
    // It leads to another board, on which one of the next directions changes nothing.
    directions[15_000] = Direction::ALL[(directions[15_000].index() + 1) % 4];
    let error = Game::replay(seed, Start::Seeded, &directions).unwrap_err();
    assert!((15_001..15_100).contains(&error.number), "{error}");
}
