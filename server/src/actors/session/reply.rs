//! The replies to commands, as JSON, and what is remembered of one with the command's effect.
//!
//! A reply is a flag and the whole state, of which most follows from the game and its moves: a `Receipt` holds the
//! rest, and the reply is made from it and the stored game when the command is repeated.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use engine::{Board, Cell, Start, Tile};
use serde::{Deserialize, Serialize};
use store::{Head, SessionId, StoredGame};

use super::{publish::Published, table::Table};
use crate::{actors::frame::Frame, roster::Roster};

/// Which command is answered; each has its own name for the flag that says whether it changed anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// `move` and `agent/step`: `{"moved", "state"}`.
    Moved,
    /// `new`: the bare state.
    State,
    /// `agent/start`: `{"started", "state"}`.
    Started,
    /// `agent/stop`: `{"stopped", "state"}`.
    Stopped,
}

impl Kind {
    /// The reply of a command that `acted` and left the session as `frame` shows.
    pub fn reply(self, acted: bool, frame: &Frame) -> Bytes {
        let flag = match self {
            Self::State => return frame.json_once(),
            Self::Moved => "moved",
            Self::Started => "started",
            Self::Stopped => "stopped",
        };
        let state = frame.json_once();
        let mut reply = BytesMut::with_capacity(state.len() + 32);
        reply.put_slice(format!("{{\"{flag}\":{acted},\"state\":").as_bytes());
        reply.put_slice(&state);
        reply.put_u8(b'}');
        reply.freeze()
    }
}

/// What is remembered of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Receipt {
    kind: Kind,
    acted: bool,
    boot: String,
    watchers: u32,
    moves: u32,
    head: Head,
    seed_shown: bool,
    /// How the game began, while it has no move: it is not kept if it never gets one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
}

/// How a game began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Origin {
    seed: u64,
    /// The exponents of a given position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board: Option<[u8; 16]>,
}

impl Receipt {
    /// What is remembered of the reply of a command that `acted` and left the session as `table` is, shown as `frame`.
    pub(super) fn new(kind: Kind, acted: bool, table: &Table, frame: &Frame) -> Self {
        let (game, state) = (&table.game, frame.state());
        Self {
            kind,
            acted,
            boot: state.boot.clone(),
            watchers: state.watchers,
            moves: game.moves(),
            head: table.head(),
            seed_shown: table.seed_shown,
            origin: (game.moves() == 0)
                .then(|| Origin { seed: game.seed(), board: exponents(game.start()) }),
        }
    }

    /// The game whose moves the reply is made from.
    pub(super) fn game(&self) -> &store::GameId {
        &self.head.game
    }

    /// As it is stored.
    ///
    /// # Panics
    /// Never: it has string keys only.
    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a receipt has string keys only")
    }

    /// Reads one; `None` for a text that is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The reply, from the `game` as it is stored now; `None` when that does not have those moves.
    pub(super) fn reply(
        self,
        session: SessionId,
        game: Option<StoredGame>,
        epoch: String,
        roster: Arc<Roster>,
    ) -> Option<Bytes> {
        let mut game = match (game, self.origin) {
            (Some(game), _) => game,
            (None, origin) => StoredGame {
                id: self.head.game.clone(),
                seed_shown: self.seed_shown,
                directions: Vec::new(),
                start: origin.as_ref().map_or(Start::Seeded, Origin::start),
                seed: origin?.seed,
            },
        };
        game.directions.get(..self.moves as usize)?;
        game.directions.truncate(self.moves as usize);
        game.seed_shown = self.seed_shown;
        let published = Published { epoch, boot: self.boot };
        let table = Table::replay(session, self.head, &game, roster).ok()?;
        let frame = Frame::new(table.state(&published, self.watchers));
        Some(self.kind.reply(self.acted, &frame))
    }
}

impl Origin {
    fn start(&self) -> Start {
        let Some(exponents) = self.board else { return Start::Seeded };
        let mut board = Board::default();
        for (cell, exponent) in Cell::all().zip(exponents) {
            board.put(cell, Tile::from_exponent(exponent));
        }
        Start::Custom(board)
    }
}

fn exponents(start: Start) -> Option<[u8; 16]> {
    let Start::Custom(board) = start else { return None };
    let mut exponents = [0; 16];
    for (cell, exponent) in Cell::all().zip(&mut exponents) {
        *exponent = board.get(cell).map_or(0, Tile::exponent);
    }
    Some(exponents)
}
