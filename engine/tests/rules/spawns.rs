//! The spawn function: its vectors, and that it is as fair as it says.

use engine::{Board, Cell, Tile, spawn};

#[test]
fn spawns_are_those_of_the_vectors() {
    let mut lines = 0;
    for line in include_str!("spawn_vectors.txt").lines().filter(|line| !line.starts_with('#')) {
        let [numbers, board, expected]: [&str; 3] =
            line.split(';').collect::<Vec<_>>().try_into().unwrap();
        let numbers: Vec<u64> = numbers.split_whitespace().map(|n| n.parse().unwrap()).collect();
        let spawn = spawn(numbers[0], numbers[1], &board.parse().unwrap()).unwrap();
        let told = format!("{} {}", spawn.cell.index(), spawn.tile);
        assert_eq!(told, expected.trim(), "{line}");
        lines += 1;
    }
    assert_eq!(lines, 17);
}

/// The chi-square statistic of counts against their expectations.
fn chi_square(counts: &[u32], expected: &[f64]) -> f64 {
    counts.iter().zip(expected).map(|(&count, e)| (f64::from(count) - e).powi(2) / e).sum()
}

/// Draws a million spawns, seeds and numbers as games have them, on a board with `tiles` tiles.
#[track_caller]
fn check_fairness(tiles: usize, seeds: u64) {
    let board = Cell::all()
        .step_by(16 / tiles.max(1))
        .take(tiles)
        .fold(Board::EMPTY, |board, cell| board.with(cell, Tile::TWO));
    let empty: Vec<Cell> = board.empty_cells().collect();
    let mut counts = vec![[0_u32; 2]; empty.len()];
    let draws = 1_000_000_u32;
    for seed in 0..seeds {
        for n in 0..u64::from(draws) / seeds {
            let spawn = spawn(seed, n, &board).expect("room");
            let cell = empty.iter().position(|&cell| cell == spawn.cell).expect("empty");
            counts[cell][usize::from(spawn.tile == Tile::FOUR)] += 1;
        }
    }
    let fours: u32 = counts.iter().map(|count| count[1]).sum();
    let all = f64::from(draws);
    let values = chi_square(&[draws - fours, fours], &[all * 0.9, all * 0.1]);
    // One degree of freedom: a fair function is above 10.8 once in 1,000 times; this one is the same every time.
    assert!(values < 10.8, "values: {values}");
    // Squares and values together: 2 * squares - 1 degrees of freedom, whose mean is that and whose variance is twice
    // that; four deviations above the mean are passed by about one fair function in 1,000 here.
    let share = all / empty.len() as f64;
    let expected = [share * 0.9, share * 0.1].repeat(empty.len());
    let both = chi_square(counts.as_flattened(), &expected);
    let freedom = (2 * empty.len() - 1) as f64;
    assert!(both < freedom + 4.0 * (2.0 * freedom).sqrt(), "squares and values: {both}");
}

#[test]
fn values_and_squares_are_fair_along_one_game() {
    for tiles in [0, 1, 2, 4, 8] {
        check_fairness(tiles, 1);
    }
}

#[test]
fn values_and_squares_are_fair_over_the_first_spawns_of_many_games() {
    for tiles in [0, 1, 2, 4, 8] {
        check_fairness(tiles, 500_000);
        check_fairness(tiles, 10_000);
    }
}
