//! Counts of positions against a table from another program.

use engine::{Board, perft};

#[test]
fn counts_are_those_of_the_table() {
    let mut lines = 0;
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let (board, counts) = line.split_once(';').unwrap();
        let board: Board = board.parse().unwrap();
        let expected: Vec<u64> =
            counts.split_whitespace().map(|count| count.parse().unwrap()).collect();
        let counted: Vec<u64> =
            (0..expected.len() as u32).map(|depth| perft(&board, depth)).collect();
        assert_eq!(counted, expected, "{board:?}");
        lines += 1;
    }
    assert_eq!(lines, 10);
}

#[test]
fn the_eight_symmetries_of_a_board_count_alike() {
    let board: Board = "2 4 8 16 . . . . 2 . . . . . . 4".parse().unwrap();
    for image in board.symmetries() {
        assert_eq!(perft(&image, 2), perft(&board, 2));
    }
}
