//! What every player promises, run against each entry of the roster.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod limits;

use std::time::Duration;

use engine::{Board, Direction, Game};
use players::{Decision, Entry, Limits, Position, roster};

use crate::limits::nodes;

/// Positions from an easy start to a crowded end, and one that is over.
fn boards() -> Vec<Board> {
    [
        "2 . . . . . . . . . . . . 2 . .",
        "2 2 4 8 . . . . . . . . . . . .",
        "64 32 16 8 4 2 . . 2 . . . . . . .",
        "1024 512 256 128 64 32 16 8 4 2 4 . 2 . . .",
        "2 4 8 16 4 8 16 32 8 16 32 64 16 32 64 .",
        "65536 32768 16384 8192 512 1024 2048 4096 256 128 64 32 2 4 8 16",
        "131072 131072 4 2 2 4 8 16 16 8 4 2 2 4 . 2",
        "2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 4",
        "2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2",
    ]
    .map(|text| text.parse().unwrap())
    .to_vec()
}

fn position(board: Board) -> Position {
    Position { board, score: 1_000, merges: 100, moves: 120, recent: vec![Direction::Up] }
}

/// What `entry`'s player decides on `board`, freshly made and within `limits`.
fn choose(entry: &Entry, board: Board, limits: &Limits<'_>) -> Decision {
    let position = position(board);
    let before = position.clone();
    let decision = (entry.build)().choose(&position, limits);
    assert_eq!(position, before, "{} changed what it was shown", entry.name);
    decision
}

#[test]
fn only_a_legal_direction_is_chosen() {
    for entry in roster() {
        for board in boards() {
            for seed in 0..5 {
                let decision = choose(entry, board, &nodes(400, seed));
                let legal = board.legal();
                match decision.direction {
                    Some(direction) => {
                        assert!(legal.contains(direction), "{} {board:?}", entry.name);
                    }
                    None => assert!(legal.is_empty(), "{} gave up on {board:?}", entry.name),
                }
            }
        }
    }
}

#[test]
fn a_board_that_is_over_gets_no_direction_and_says_why() {
    for entry in roster() {
        for board in boards().into_iter().filter(Board::is_over).chain([Board::EMPTY]) {
            let decision = choose(entry, board, &nodes(400, 1));
            assert_eq!(decision.direction, None, "{}", entry.name);
            assert_eq!(decision.fallback.as_deref(), Some("no legal moves"), "{}", entry.name);
        }
    }
}

#[test]
fn without_time_there_is_an_answer_with_something_behind_it() {
    let no_time = Limits { budget: Some(Duration::ZERO), nodes: None, ..nodes(0, 1) };
    for entry in roster() {
        for board in boards().into_iter().filter(|board| board.legal().len() > 1) {
            let decision = choose(entry, board, &no_time);
            assert!(decision.direction.is_some_and(|direction| board.legal().contains(direction)));
            assert_eq!(decision.fallback, None, "{} on {board:?}", entry.name);
            assert!(decision.effort.nodes > 0, "{} did nothing on {board:?}", entry.name);
        }
    }
}

#[test]
fn the_same_seed_and_node_limit_give_the_same_decision() {
    for entry in roster() {
        for board in boards() {
            let told = |seed| format!("{:?}", choose(entry, board, &nodes(3_000, seed)));
            assert_eq!(told(7), told(7), "{} on {board:?}", entry.name);
        }
    }
}

/// A player is one mind for a whole game: what it keeps between moves must not make a game depend on anything else.
#[test]
fn the_same_seed_and_node_limit_give_the_same_game() {
    let play = |entry: &Entry| {
        let mut player = (entry.build)();
        let mut game = Game::new(11);
        let mut decisions = Vec::new();
        for move_number in 0..60 {
            let decision = player.choose(&Position::of(&game), &nodes(500, move_number));
            let Some(direction) = decision.direction else { break };
            game.play(direction).unwrap();
            decisions.push(format!("{decision:?}"));
        }
        (game, decisions)
    };
    for entry in roster() {
        assert_eq!(play(entry), play(entry), "{}", entry.name);
    }
}

#[test]
fn what_is_reported_is_well_formed() {
    for entry in roster() {
        for board in boards() {
            let decision = choose(entry, board, &nodes(2_000, 3));
            let legal = board.legal();
            if let Some(probabilities) = decision.probabilities {
                let sum: f64 = probabilities.iter().flatten().sum();
                assert!((sum - 1.0).abs() < 1e-9, "{}: shares add up to {sum}", entry.name);
                assert!(probabilities.iter().flatten().all(|share| (0.0..=1.0).contains(share)));
                check_keys(entry, board, &probabilities);
            }
            if decision.values.iter().any(Option::is_some) {
                check_keys(entry, board, &decision.values);
            }
            assert!(decision.confidence.is_none_or(|sure| (0.0..=1.0).contains(&sure)));
            assert!((0.0..=2.0).contains(&decision.risk), "{}: risk {}", entry.name, decision.risk);
            assert!(decision.fallback.is_some() || decision.detail.is_some(), "{}", entry.name);
            assert_eq!(decision.direction.is_none(), legal.is_empty());
        }
    }
}

/// There is a number for each legal direction and for no other.
#[track_caller]
fn check_keys(entry: &Entry, board: Board, numbers: &[Option<f64>; 4]) {
    for direction in Direction::ALL {
        let has_number = numbers[direction.index()].is_some();
        assert_eq!(has_number, board.legal().contains(direction), "{} on {board:?}", entry.name);
    }
}

#[test]
fn a_node_limit_bounds_the_work() {
    for entry in roster() {
        for board in boards() {
            let effort = choose(entry, board, &nodes(2_000, 1)).effort;
            let work = if effort.rollouts > 0 { effort.rollouts } else { effort.nodes };
            assert!(work <= 2_000, "{} {effort:?}", entry.name);
        }
    }
}
