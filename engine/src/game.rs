//! One run of the game, from its start to its end, as a seed and the directions played.

use crate::{Board, Direction, Spawn, Tile, TileSlide, spawn};

/// How a game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// On an empty board, with the spawns 0 and 1.
    Seeded,
    /// On a given position; nothing spawns at the start.
    Custom(Board),
}

/// One running or finished game. Move n (from 1) is followed by spawn n + 1, whichever way the game began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    seed: u64,
    start: Start,
    directions: Vec<Direction>,
    board: Board,
    score: u64,
    merges: u32,
}

/// What a move did: enough to draw it tile by tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The direction played.
    pub direction: Direction,
    /// Points it gained.
    pub gained: u32,
    /// Pairs that merged.
    pub merges: u8,
    /// Where every tile of the board before went, resting ones included.
    pub slides: Vec<TileSlide>,
    /// The tile that appeared.
    pub spawn: Spawn,
}

/// A direction that changes nothing; the game stays as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} changes nothing")]
pub struct Refused(pub Direction);

/// The first move of a record that does not fit its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("move {number} does not fit: {direction} changes nothing")]
pub struct ReplayError {
    /// Its number, from 1.
    pub number: u32,
    /// Its direction.
    pub direction: Direction,
}

impl Game {
    /// Starts the game of `seed` with its two tiles.
    pub fn new(seed: u64) -> Self {
        Self::begin(seed, Start::Seeded)
    }

    /// Starts a game as `start` says; the spawns come from `seed`.
    pub fn begin(seed: u64, start: Start) -> Self {
        let board = match start {
            Start::Seeded => first_tiles(seed),
            Start::Custom(board) => board,
        };
        Self { seed, start, directions: Vec::new(), board, score: 0, merges: 0 }
    }

    /// Plays `directions` from the start.
    ///
    /// # Errors
    /// - [`ReplayError`] for the first direction that changes nothing where it stands.
    pub fn replay(seed: u64, start: Start, directions: &[Direction]) -> Result<Self, ReplayError> {
        let mut game = Self::begin(seed, start);
        game.directions.reserve(directions.len());
        for &direction in directions {
            let number = game.moves() + 1;
            game.advance(direction)
                .map_err(|Refused(direction)| ReplayError { number, direction })?;
        }
        Ok(game)
    }

    /// Slides the board and lets the next tile appear.
    ///
    /// # Errors
    /// - [`Refused`] when the direction changes nothing: nothing spawns and the move does not count.
    pub fn play(&mut self, direction: Direction) -> Result<Transition, Refused> {
        let before = self.board;
        let (gained, merges, spawn) = self.advance(direction)?;
        Ok(Transition { direction, gained, merges, slides: before.trace(direction), spawn })
    }

    /// The one place where a game changes: points, pairs merged, spawn.
    fn advance(&mut self, direction: Direction) -> Result<(u32, u8, Spawn), Refused> {
        let slide = self.board.slide(direction).ok_or(Refused(direction))?;
        let n = u64::from(self.moves()) + 2;
        let spawn = spawn(self.seed, n, &slide.board)
            .expect("a slide that changes the board leaves an empty square");
        self.board = slide.board.with(spawn.cell, spawn.tile);
        self.score += u64::from(slide.gained);
        self.merges += u32::from(slide.merges);
        self.directions.push(direction);
        Ok((slide.gained, slide.merges, spawn))
    }

    /// The seed of the spawns.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How it began.
    pub fn start(&self) -> Start {
        self.start
    }

    /// The position now.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Points so far.
    pub fn score(&self) -> u64 {
        self.score
    }

    /// Pairs merged so far.
    pub fn merges(&self) -> u32 {
        self.merges
    }

    /// Moves played so far.
    pub fn moves(&self) -> u32 {
        self.directions.len() as u32
    }

    /// The directions played, oldest first.
    pub fn directions(&self) -> &[Direction] {
        &self.directions
    }

    /// Whether a tile of 2048 or more is on the board.
    pub fn is_won(&self) -> bool {
        self.board.max_tile().is_some_and(|tile| tile.value() >= 2048)
    }

    /// The largest tile on the board.
    pub fn max_tile(&self) -> Option<Tile> {
        self.board.max_tile()
    }
}

/// The board with the spawns 0 and 1.
fn first_tiles(seed: u64) -> Board {
    (0..2).fold(Board::EMPTY, |board, n| {
        let Spawn { cell, tile } = spawn(seed, n, &board).expect("one tile leaves room");
        board.with(cell, tile)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_game_has_two_tiles() {
        for seed in 0..100 {
            assert_eq!(Game::new(seed).board().empty_count(), 14);
        }
    }

    #[test]
    fn a_move_that_changes_nothing_is_refused_and_does_not_count() {
        let mut game =
            Game::begin(3, Start::Custom("2 4 . . . . . . . . . . . . . .".parse().unwrap()));
        let before = game.clone();
        assert_eq!(game.play(Direction::Left), Err(Refused(Direction::Left)));
        assert_eq!(game, before);
    }

    #[test]
    fn a_replay_names_the_first_move_that_does_not_fit() {
        let board = "2 . . . . . . . . . . . . . . .".parse().unwrap();
        let error = Game::replay(1, Start::Custom(board), &[Direction::Left]).unwrap_err();
        assert_eq!(error.to_string(), "move 1 does not fit: LEFT changes nothing");
    }

    #[test]
    fn a_merge_on_a_full_board_is_followed_by_a_spawn() {
        let board: Board = "2 2 8 16 4 8 16 32 8 16 32 64 16 32 64 128".parse().unwrap();
        let mut game = Game::begin(9, Start::Custom(board));
        let transition = game.play(Direction::Left).unwrap();
        assert_eq!(game.board().empty_count(), 0);
        assert_eq!(transition.spawn.cell.row(), 0);
    }
}
