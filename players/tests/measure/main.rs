//! The facts about a board, against versions that work on plain numbers and take their time.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use engine::{Board, Direction, Tile};
use players::{Facts, largest_is_in_a_corner, monotonicity};
use proptest::{array::uniform4, prelude::*};

type Grid = [[u32; 4]; 4];

/// Boards with many equal neighbours, from empty to full.
fn boards() -> impl Strategy<Value = Board> {
    let exponent = prop_oneof![3 => Just(0_u8), 6 => 1..=4_u8, 1 => 5..=17_u8];
    uniform4(uniform4(exponent)).prop_map(|rows| {
        let value = |exponent| if exponent == 0 { 0 } else { 1_u64 << exponent };
        Board::from_values(rows.map(|row| row.map(value))).unwrap()
    })
}

/// Boards with no empty square or one.
fn crowded_boards() -> impl Strategy<Value = Board> {
    (uniform4(uniform4(1..=3_u8)), 0..16_usize, any::<bool>()).prop_map(|(rows, at, hole)| {
        let mut values = rows.map(|row| row.map(|exponent| 1_u64 << exponent));
        if hole {
            values[at / 4][at % 4] = 0;
        }
        Board::from_values(values).unwrap()
    })
}

fn naive_pairs(grid: &Grid) -> usize {
    let mut pairs = 0;
    for row in 0..4 {
        for column in 0..4 {
            let value = grid[row][column];
            if value == 0 || value == Tile::MAX.value() {
                continue;
            }
            pairs += usize::from(column < 3 && grid[row][column + 1] == value);
            pairs += usize::from(row < 3 && grid[row + 1][column] == value);
        }
    }
    pairs
}

/// The pairs that do not rise, seen from the corner of the quarter that `row` and `column` are in.
fn naive_order(grid: &Grid, row: usize, column: usize) -> u32 {
    let mut turned = *grid;
    if row > 1 {
        turned.reverse();
    }
    if column > 1 {
        for row in &mut turned {
            row.reverse();
        }
    }
    let mut ordered = 0;
    for row in 0..4 {
        for column in 0..4 {
            ordered += u32::from(column < 3 && turned[row][column] >= turned[row][column + 1]);
            ordered += u32::from(row < 3 && turned[row][column] >= turned[row + 1][column]);
        }
    }
    ordered
}

fn naive_monotonicity(grid: &Grid) -> f64 {
    let largest = grid.iter().flatten().max().unwrap();
    let mut best = 0;
    for row in 0..4 {
        for column in 0..4 {
            if *largest > 0 && grid[row][column] == *largest {
                best = best.max(naive_order(grid, row, column));
            }
        }
    }
    f64::from(best) / 24.0
}

fn naive_corner(grid: &Grid) -> bool {
    let largest = *grid.iter().flatten().max().unwrap();
    largest > 0 && [grid[0][0], grid[0][3], grid[3][0], grid[3][3]].contains(&largest)
}

/// Tries every spawn there is.
fn naive_could_end(board: &Board) -> bool {
    board.empty_cells().any(|cell| {
        [Tile::TWO, Tile::FOUR].into_iter().any(|tile| {
            let spawned = board.with(cell, tile);
            Direction::ALL.into_iter().all(|direction| spawned.slide(direction).is_none())
        })
    })
}

fn check(board: &Board) -> Result<(), TestCaseError> {
    for direction in Direction::ALL {
        let Some(facts) = Facts::of(board, direction) else {
            prop_assert_eq!(board.slide(direction), None);
            continue;
        };
        let slide = board.slide(direction).unwrap();
        let after = slide.board.values();
        prop_assert_eq!(facts.board, slide.board);
        prop_assert_eq!((facts.gained, facts.merges), (slide.gained, slide.merges));
        let empty = after.iter().flatten().filter(|&&value| value == 0).count();
        prop_assert_eq!(facts.empty_after, empty);
        prop_assert_eq!(facts.empty_after, board.empty_count() + usize::from(slide.merges));
        for next in Direction::ALL {
            let legal = slide.board.slide(next).is_some();
            prop_assert_eq!(facts.legal_after.contains(next), legal);
        }
        prop_assert_eq!(facts.merges_after, naive_pairs(&after));
        prop_assert_eq!(facts.keeps_corner, naive_corner(&after));
        prop_assert!((facts.monotonicity_after - naive_monotonicity(&after)).abs() <= 0.005 + 1e-9);
        prop_assert_eq!(facts.could_end_the_game, naive_could_end(&slide.board));
    }
    Ok(())
}

proptest! {
    #[test]
    fn facts_agree_with_the_naive_ones(board in boards()) {
        check(&board)?;
    }

    #[test]
    fn facts_agree_on_crowded_boards(board in crowded_boards()) {
        check(&board)?;
    }

    #[test]
    fn a_turned_board_measures_the_same(board in boards()) {
        for image in board.symmetries() {
            prop_assert!((monotonicity(&image) - monotonicity(&board)).abs() < 1e-9);
            prop_assert_eq!(largest_is_in_a_corner(&image), largest_is_in_a_corner(&board));
        }
    }
}
