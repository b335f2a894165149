//! Games played on at random, by which searches judge a position.

use crate::{Board, Random, Slide, Tile, random::scale};

/// Where a random game went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Playout {
    /// Its last position.
    pub board: Board,
    /// The points of all its moves.
    pub gained: u32,
    /// How many moves it lasted.
    pub moves: u32,
}

/// Plays on from `board` with random legal directions, each as likely as any other, and random spawns, until the game
/// is over or `depth` moves are played.
///
/// ```
/// use engine::{Game, Random, playout};
///
/// let game = Game::new(42);
/// let end = playout(game.board(), u32::MAX, &mut Random::new(1));
/// assert!(end.board.is_over() && end.moves > 0);
/// assert_eq!(playout(game.board(), 10, &mut Random::new(1)).moves, 10);
/// ```
pub fn playout(board: &Board, depth: u32, random: &mut Random) -> Playout {
    let mut playout = Playout { board: *board, gained: 0, moves: 0 };
    while playout.moves < depth {
        let word = random.word();
        let legal = playout.board.legal();
        let chosen = scale(word as u32, legal.len() as u32);
        let Some(direction) = legal.nth(chosen as usize) else { break };
        let Some(Slide { board, gained, .. }) = playout.board.slide(direction) else { break };
        playout.board = spawned(board, random);
        playout.gained += gained;
        playout.moves += 1;
    }
    playout
}

/// The afterstate with a 2 (nine times of ten) or a 4 on a random empty square.
fn spawned(board: Board, random: &mut Random) -> Board {
    let word = random.word();
    let chosen = scale(word as u32, board.empty_count() as u32);
    let cell = board.nth_empty(chosen as usize).expect("a slide leaves an empty square");
    let tile = if scale((word >> 32) as u32, 10) == 9 { Tile::FOUR } else { Tile::TWO };
    board.with(cell, tile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn a_playout_ends_with_the_game() {
        let mut random = Random::new(5);
        for seed in 0..100 {
            let end = playout(Game::new(seed).board(), u32::MAX, &mut random);
            assert!(end.board.is_over());
            assert!(end.moves > 10 && end.gained > 20, "{end:?}");
        }
    }

    #[test]
    fn a_playout_from_a_finished_game_stays_there() {
        let over: Board = "2 4 2 4 4 2 4 2 2 4 2 4 4 2 4 2".parse().unwrap();
        let end = playout(&over, 100, &mut Random::new(5));
        assert_eq!(end, Playout { board: over, gained: 0, moves: 0 });
    }

    #[test]
    fn a_playout_makes_the_largest_tiles_too() {
        let board: Board = "65536 65536 . . 32768 32768 . . . . . . . . . .".parse().unwrap();
        let mut random = Random::new(5);
        let made = (0..100).map(|_| playout(&board, 10, &mut random));
        assert!(made.into_iter().any(|end| end.board.max_tile() == Some(Tile::MAX)));
    }
}
