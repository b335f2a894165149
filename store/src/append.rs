//! What a session asks to be kept.

use crate::{
    Driver, ErrorKind, GameId, Head, Move, NewGame, Numbers, SessionId, StoreError, UnixMillis,
};

/// What a session asks to be made durable in one step: all of it or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    /// Whose.
    pub session: SessionId,
    /// The `seq` that the store must still be at; else nothing is written.
    pub expected: u64,
    /// What happened, oldest first. Empty when only a command is remembered.
    pub changes: Vec<Change>,
    /// The position after the last change. Its `seq` is `expected` or more: what counts as one change is the caller's.
    pub head: Head,
    /// The running game's numbers after the last change.
    pub numbers: Numbers,
    /// Commands carried out by these changes.
    pub commands: Vec<Remembered>,
    /// When.
    pub at: UnixMillis,
}

/// One thing that happened, in the order in which it did.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The running game was played on.
    Moved(Move),
    /// The running game was filed (left out entirely if it has no move) and another begun.
    ///
    /// The driver goes on with it; a `Driven` at move 0 says otherwise.
    Started {
        /// What began.
        game: NewGame,
        /// The numbers with which the one before was left.
        left: Numbers,
    },
    /// Somebody else has the running game from its next move on.
    Driven {
        /// Who.
        driver: Driver,
        /// Why it changed hands, in a few words.
        why: String,
    },
}

/// A command that was carried out, so that a repeat of it gets the same reply and does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Its `commandId`.
    pub id: String,
    /// SHA-256 of what was asked: the same id with another one is refused.
    pub digest: [u8; 32],
    /// The reply, as JSON.
    pub reply: String,
}

/// How many commands a session remembers.
pub(crate) const REMEMBERED: usize = 256;

/// Where a session stands in the store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing<'a> {
    pub(crate) seq: u64,
    pub(crate) game: &'a GameId,
    pub(crate) moves: u32,
}

impl Append {
    /// The games that it begins: none of them may be there yet.
    pub(crate) fn begun(&self) -> impl Iterator<Item = &GameId> {
        self.changes.iter().filter_map(|change| match change {
            Change::Started { game, .. } => Some(&game.id),
            _ => None,
        })
    }

    /// Whether it follows on `standing`, and on itself. Looked at before anything is written.
    pub(crate) fn check(&self, standing: Standing<'_>) -> Result<(), StoreError> {
        let session = &self.session;
        if standing.seq != self.expected {
            let actual = standing.seq;
            let text = format!("session {session} is at {actual}, not at {}", self.expected);
            return Err(StoreError::new(ErrorKind::Conflict { actual }, text));
        }
        let (mut game, mut moves) = (standing.game, standing.moves);
        let mut fits = self.head.seq >= self.expected;
        for change in &self.changes {
            match change {
                Change::Moved(_) => moves += 1,
                Change::Started { game: begun, left } => {
                    fits &= left.moves == moves;
                    (game, moves) = (&begun.id, 0);
                }
                Change::Driven { driver, .. } => fits &= driver.since_move == moves,
            }
        }
        let begun: Vec<_> = self.begun().collect();
        fits &= begun.iter().enumerate().all(|(n, id)| !begun[..n].contains(id));
        if fits && self.head.game == *game && self.numbers.moves == moves {
            return Ok(());
        }
        let text = format!("what session {session} would store does not follow from its changes");
        Err(StoreError::new(ErrorKind::Invalid, text))
    }
}
