//! How long the agent waits after a move.

use std::time::Duration;

use engine::{Board, Tile};
use players::Position;
use store::Pace;

use super::Orders;

/// The shortest wait at an adaptive pace: two thousand moves a second.
const QUICKEST: f64 = 0.0005;
/// How much longer the longest is: one move a second.
const SPAN: f64 = 2000.0;
/// How long a new largest tile is left to be looked at.
const LOOK: Duration = Duration::from_millis(400);

/// The wait after the move that led from `before` to `after`.
pub(super) fn delay(orders: &Orders, before: &Position, after: &Position) -> Duration {
    match orders.pace {
        Pace::Max => Duration::ZERO,
        Pace::Fixed => orders.interval,
        Pace::Adaptive => adaptive(&before.board, &after.board),
    }
}

/// Follows how crowded the board is and how large its largest tile: about two thousand moves a second on an easy
/// board, down to one where big tiles crowd it, with a short look at each new largest tile from 2048 on.
///
/// The curve is the "How high can 2048 go?" page's in kind: both measures are scaled to 0..1, and the wait grows
/// exponentially with their product, so that either one alone leaves the game quick.
fn adaptive(before: &Board, after: &Board) -> Duration {
    let largest = |board: &Board| board.max_tile().map_or(0, Tile::exponent);
    let crowded = (16.0 - after.empty_count() as f64) / 16.0;
    let high = (f64::from(largest(after).max(10)) - 9.0) / 8.0;
    let wait = Duration::from_secs_f64(QUICKEST * SPAN.powf(crowded * high.min(1.0)));
    let new_top = largest(after) > largest(before) && largest(after) >= 11;
    if new_top { wait + LOOK } else { wait }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn easy_boards_are_quick_and_crowded_high_ones_slow() {
        let easy = board("2 4 . . . . . . . . . . . . . .");
        let crowded = board("2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2");
        let high = board("131072 65536 32768 16384 1024 2048 4096 8192 512 256 128 64 4 8 16 32");
        let waits = [&easy, &crowded, &high].map(|board| adaptive(board, board));
        assert!(waits[0] < Duration::from_micros(600), "{waits:?}");
        assert!(waits[0] < waits[1] && waits[1] < waits[2], "{waits:?}");
        assert_eq!(waits[2].as_millis(), 1000);
    }

    #[test]
    fn a_new_top_tile_is_looked_at() {
        let before = board("1024 1024 . . . . . . . . . . . . . .");
        let after = board("2048 . . . . . . . . . . . . . . 2");
        assert!(adaptive(&before, &after) >= LOOK);
        assert!(adaptive(&after, &after) < LOOK);
    }
}
