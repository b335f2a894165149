//! What is kept of a game.

use engine::{Direction, Game, Start, Tile};

use crate::{
    ErrorKind, GameId, SessionId, StoreError, StoredDecision, Stretch, UnixMillis, driver::Takeover,
};

/// A game to be started.
#[derive(Debug, Clone, PartialEq)]
pub struct NewGame {
    /// Its id.
    pub id: GameId,
    /// Its seed.
    pub seed: u64,
    /// Whether the seed may be shown while the game runs, since its creator supplied it.
    pub seed_shown: bool,
    /// How it begins.
    pub start: Start,
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The direction.
    pub direction: Direction,
    /// Why it was chosen.
    pub decision: StoredDecision,
}

/// A game's numbers, for lists and records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// Moves played.
    pub moves: u32,
    /// Points.
    pub score: u64,
    /// Pairs merged.
    pub merges: u32,
    /// Largest tile's value.
    pub max_tile: u32,
    /// Whether no direction is legal.
    pub over: bool,
}

impl Numbers {
    /// What `game` has come to.
    pub fn of(game: &Game) -> Self {
        Self {
            moves: game.moves(),
            score: game.score(),
            merges: game.merges(),
            max_tile: game.max_tile().map_or(0, Tile::value),
            over: game.board().is_over(),
        }
    }
}

/// A game as it was stored: it replays to what it was.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredGame {
    /// Its id.
    pub id: GameId,
    /// Its seed.
    pub seed: u64,
    /// Whether the seed may be shown while the game runs.
    pub seed_shown: bool,
    /// How it began.
    pub start: Start,
    /// The directions, oldest first.
    pub directions: Vec<Direction>,
}

/// A game to be filed that was played elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedGame {
    /// Its new id.
    pub id: GameId,
    /// The session it is filed in.
    pub session: SessionId,
    /// Its seed.
    pub seed: u64,
    /// How it began.
    pub start: Start,
    /// The directions, oldest first.
    pub directions: Vec<Direction>,
    /// What they come to.
    pub numbers: Numbers,
    /// Who had it, oldest first: stretches that follow on each other from move 1 to the last.
    pub drivers: Vec<Stretch>,
    /// When.
    pub at: UnixMillis,
}

impl ImportedGame {
    /// Who had it from which move on.
    pub(crate) fn takeovers(&self) -> Result<Vec<Takeover>, StoreError> {
        let moves = self.directions.len() as u32;
        let takeovers = Takeover::of_stretches(&self.drivers, moves);
        takeovers.filter(|_| self.numbers.moves == moves).ok_or_else(|| {
            let text = format!("the drivers or numbers of game {} do not fit its moves", self.id);
            StoreError::new(ErrorKind::Invalid, text)
        })
    }

    /// Its moves, each chosen by who had the game.
    pub(crate) fn moves(&self, takeovers: &[Takeover]) -> Vec<Move> {
        let source = |before: u32| {
            let last = takeovers.iter().rev().find(|takeover| takeover.since <= before);
            last.map(Takeover::source).unwrap_or_default()
        };
        let made = |(before, &direction): (u32, &Direction)| Move {
            direction,
            decision: StoredDecision::bare(Some(direction), source(before)),
        };
        (0..).zip(&self.directions).map(made).collect()
    }
}
