//! What holds of every board and every game.

use engine::{Board, Cell, Direction, Game, Start, Tile, Transition};
use proptest::prelude::*;

/// Boards of any tiles up to 131072, half of them of few different ones, so that much merges.
fn boards() -> impl Strategy<Value = Board> {
    let any = prop::array::uniform16(0..=17_u8);
    let alike = (1..=16_u8, prop::array::uniform16(0..=2_u8))
        .prop_map(|(low, exponents)| exponents.map(|e| if e == 0 { 0 } else { low + e - 1 }));
    prop_oneof![any, alike].prop_map(|exponents| {
        Cell::all().zip(exponents).fold(Board::EMPTY, |mut board, (cell, exponent)| {
            board.put(cell, Tile::from_exponent(exponent));
            board
        })
    })
}

fn directions() -> impl Strategy<Value = Direction> {
    prop::sample::select(Direction::ALL.as_slice())
}

/// What a transform makes of a board, and of a direction.
type Turn = (fn(&Board) -> Board, fn(Direction) -> Direction);

/// The direction after left and right are exchanged.
fn mirrored(direction: Direction) -> Direction {
    match direction {
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
        other => other,
    }
}

/// The direction after rows and columns are exchanged.
fn transposed(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Left,
        Direction::Left => Direction::Up,
        Direction::Down => Direction::Right,
        Direction::Right => Direction::Down,
    }
}

/// The next board, drawn from what a transition says and nothing else.
fn drawn(before: &Board, transition: &Transition) -> Board {
    let mut board = Board::EMPTY;
    for slide in &transition.slides {
        assert_eq!(before.get(slide.from), Some(slide.tile));
        let tile = if slide.merges {
            slide.tile.merged().expect("131072 never merges")
        } else {
            slide.tile
        };
        assert!(board.get(slide.to).is_none() || slide.merges);
        board.put(slide.to, Some(tile));
    }
    assert_eq!(board.get(transition.spawn.cell), None);
    board.with(transition.spawn.cell, transition.spawn.tile)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_slide_keeps_the_sum(board in boards(), direction in directions()) {
        if let Some(slide) = board.slide(direction) {
            prop_assert_eq!(slide.board.sum(), board.sum());
        }
    }

    #[test]
    fn a_merge_takes_two_tiles_and_never_a_new_one(board in boards(), direction in directions()) {
        let trace = board.trace(direction);
        let tiles = 16 - board.empty_count();
        prop_assert_eq!(trace.len(), tiles);
        for square in Cell::all() {
            let arriving: Vec<_> = trace.iter().filter(|slide| slide.to == square).collect();
            match arriving.as_slice() {
                [] => {}
                [one] => prop_assert!(!one.merges),
                [one, other] => prop_assert!(one.merges && other.merges && one.tile == other.tile),
                _ => prop_assert!(false, "three tiles in one: {:?}", arriving),
            }
        }
        if let Some(slide) = board.slide(direction) {
            prop_assert_eq!(16 - slide.board.empty_count(), tiles - usize::from(slide.merges));
        }
    }

    #[test]
    fn the_eight_transforms_change_nothing_but_the_direction(board in boards(), direction in directions()) {
        let (mut image, mut towards) = (board, direction);
        let mut after = board.slide(direction);
        for turn in 0..8 {
            prop_assert_eq!(board.symmetries()[turn], image);
            prop_assert_eq!(image.slide(towards), after);
            prop_assert_eq!(image.is_over(), board.is_over());
            prop_assert_eq!(image.merge_pairs(), board.merge_pairs());
            let turned: Turn =
                if turn % 2 == 0 { (Board::mirrored, mirrored) } else { (Board::transposed, transposed) };
            (image, towards) = (turned.0(&image), turned.1(towards));
            after = after.map(|mut slide| { slide.board = turned.0(&slide.board); slide });
        }
        prop_assert_eq!(image, board);
    }

    #[test]
    fn a_direction_that_changes_nothing_stays_without_effect(board in boards(), direction in directions()) {
        let mut game = Game::begin(1, Start::Custom(board));
        let before = game.clone();
        let played = game.play(direction);
        prop_assert_eq!(played.is_ok(), board.legal().contains(direction));
        if played.is_err() {
            prop_assert_eq!(game, before);
        }
    }

    #[test]
    fn a_transition_draws_the_next_board(board in boards(), seed: u64, wishes in prop::collection::vec(0..4_usize, 0..100)) {
        let mut game = Game::begin(seed, Start::Custom(board));
        let mut score = 0;
        for wish in wishes {
            let legal = game.board().legal();
            let Some(direction) = legal.nth(wish % legal.len().max(1)) else { break };
            let before = *game.board();
            let transition = game.play(direction).unwrap();
            prop_assert_eq!(drawn(&before, &transition), *game.board());
            score += u64::from(transition.gained);
        }
        prop_assert_eq!(game.score(), score);
        prop_assert_eq!(Game::replay(seed, game.start(), game.directions()), Ok(game));
    }

    #[test]
    fn a_board_reads_what_it_writes(board in boards()) {
        prop_assert_eq!(board.to_string().parse(), Ok(board));
        prop_assert_eq!(Board::from_values(board.values().map(|row| row.map(u64::from))), Ok(board));
    }

    #[test]
    fn the_nth_empty_square_is_the_nth(board in boards()) {
        let empty: Vec<Cell> = board.empty_cells().collect();
        let found: Vec<Cell> = (0..17).map_while(|n| board.nth_empty(n)).collect();
        prop_assert_eq!(&found, &empty);
        prop_assert_eq!(empty.len(), board.empty_count());
        prop_assert!(empty.into_iter().all(|cell| board.get(cell).is_none()));
    }

    #[test]
    fn nibbles_hold_a_board_or_refuse_it(board in boards()) {
        let large = board.max_tile().is_some_and(|tile| tile.value() > 32_768);
        prop_assert_eq!(board.nibbles().is_none(), large);
        if let Some(nibbles) = board.nibbles() {
            prop_assert_eq!(Board::from_nibbles(nibbles), board);
        }
    }
}
