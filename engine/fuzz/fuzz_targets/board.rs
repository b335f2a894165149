//! Reads any text as a board: it is refused with a reason, or it is a board that keeps every promise.
#![no_main]

use engine::{Board, Direction, Random, playout};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Board>() {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(board) => keeps_its_promises(board),
    }
});

fn keeps_its_promises(board: Board) {
    assert_eq!(board.to_string().parse(), Ok(board));
    assert_eq!(Board::from_values(board.values().map(|row| row.map(u64::from))), Ok(board));
    for (direction, slide) in Direction::ALL.into_iter().zip(board.slides()) {
        assert_eq!(slide, board.slide(direction));
        assert_eq!(slide.is_some(), board.legal().contains(direction));
        assert_eq!(board.trace(direction).len(), 16 - board.empty_count());
        if let Some(slide) = slide {
            assert_eq!(slide.board.sum(), board.sum());
        }
    }
    let end = playout(&board, 50, &mut Random::new(1));
    assert!(end.moves == 50 || end.board.is_over());
}
