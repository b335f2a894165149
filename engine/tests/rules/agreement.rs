//! The engine against the oracle.

use engine::{Board, Boards, Direction, Directions, Random, Slide, Slides, Tile};

use crate::oracle::{self, Outcome, random_board};

/// Compares everything the engine says of a board with what the oracle finds.
#[track_caller]
fn check(board: &Board) {
    let grid = board.values();
    let slides = board.slides();
    let afterstates = slides.map(|slide| slide.map_or(*board, |slide| slide.board));
    assert_eq!(board.afterstates(), afterstates, "{board:?}");
    let mut legal = Directions::NONE;
    for direction in Direction::ALL {
        let Outcome { grid: after, gained, merges, traces } = oracle::slide(&grid, direction);
        let expected = (after != grid).then(|| {
            legal = legal.with(direction);
            let board = Board::from_values(after.map(|row| row.map(u64::from)));
            Slide { board: board.expect("tiles"), gained, merges }
        });
        assert_eq!(board.slide(direction), expected, "{board:?} {direction}");
        assert_eq!(slides[direction.index()], expected, "{board:?} {direction}");
        let told = board.trace(direction).into_iter().map(|slide| {
            let place = |cell: engine::Cell| (cell.row(), cell.column());
            (place(slide.from), place(slide.to), slide.tile.value(), slide.merges)
        });
        assert!(told.eq(traces), "{board:?} {direction}");
    }
    assert_eq!(board.legal(), legal, "{board:?}");
    assert_eq!(board.is_over(), legal.is_empty(), "{board:?}");
    let empty = grid.iter().flatten().filter(|&&number| number == 0).count();
    assert_eq!(board.empty_count(), empty, "{board:?}");
    assert_eq!(board.sum(), grid.iter().flatten().sum::<u32>(), "{board:?}");
    let largest = grid.iter().flatten().max().copied().filter(|&number| number > 0);
    assert_eq!(board.max_tile().map(Tile::value), largest, "{board:?}");
}

#[test]
fn a_million_random_boards_agree() {
    let mut random = Random::new(2048);
    let mut over = 0;
    for _ in 0..1_000_000 {
        let board = random_board(&mut random);
        check(&board);
        over += u32::from(board.is_over());
    }
    // The boards must not all be of one kind.
    assert!((10_000..500_000).contains(&over), "{over} of them are over");
}

#[test]
fn every_row_of_nibbles_agrees() {
    for row in 0..1_u64 << 16 {
        // The row, and the same as a column; another row beside it that always moves.
        let board = Board::from_nibbles(row | 0x1010 << 32);
        check(&board);
        check(&board.transposed());
    }
}

#[test]
fn boards_that_slide_together_agree() {
    let mut random = Random::new(4096);
    let mut slides = Slides::default();
    for _ in 0..100 {
        let boards: Boards = (0..1_003).map(|_| random_board(&mut random)).collect();
        for direction in Direction::ALL {
            boards.slide(direction, &mut slides);
            assert_eq!(slides.boards.len(), boards.len());
            for (i, board) in boards.iter().enumerate() {
                let outcome = oracle::slide(&board.values(), direction);
                assert_eq!(slides.boards.get(i).unwrap().values(), outcome.grid, "{board:?}");
                assert_eq!(slides.gained[i], outcome.gained, "{board:?}");
            }
        }
    }
}
