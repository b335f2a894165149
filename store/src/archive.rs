//! Games looked back at: their records, and how a list of them is asked for.

use engine::Start;
use serde::{Deserialize, Serialize};

use crate::{DriverKind, ErrorKind, GameId, Numbers, SessionId, StoreError, Stretch, UnixMillis};

/// What is known of a game without its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// Its id.
    pub id: GameId,
    /// The session it was played in, or filed in when it was imported. That may be closed by now.
    pub session: SessionId,
    /// How it stands.
    pub status: Status,
    /// Who chose its moves.
    pub class: Class,
    /// When it began, or was imported.
    pub started: UnixMillis,
    /// When no direction was legal any more, or when it was given up; `None` while it can go on.
    pub ended: Option<UnixMillis>,
    /// Its numbers.
    pub numbers: Numbers,
    /// Who had it from which move to which, oldest first.
    pub drivers: Vec<Stretch>,
    /// Its seed.
    pub seed: u64,
    /// Whether the seed may be shown while the game runs.
    pub seed_shown: bool,
    /// How it began; a custom start keeps a game out of the best scores.
    pub start: Start,
}

/// How a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It is a session's game and can go on.
    Running,
    /// No direction is legal.
    Over,
    /// Another was begun, or the session closed, while it could have gone on.
    Abandoned,
    /// It was played elsewhere.
    Imported,
}

/// Who chose the moves of a game: by the source of each, and by the driver while there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A person, every one.
    Human,
    /// Players, bots and fallbacks, every one.
    Ai,
    /// Both.
    Mixed,
}

/// Which games are asked for, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameQuery {
    /// Only those of this session.
    pub session: Option<SessionId>,
    /// Only those that stand so.
    pub status: Option<Status>,
    /// Only those that a driver of this name had for a while.
    pub player: Option<String>,
    /// In which order.
    pub sort: Sort,
    /// After which game to go on: what the page before gave as `next`, of the same query.
    pub cursor: Option<String>,
    /// At most this many.
    pub limit: usize,
}

/// An order of games, the largest first; of equals the one that came to the store later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// By when they began.
    #[default]
    Started,
    /// By points.
    Score,
    /// By largest tile.
    MaxTile,
    /// By moves.
    Moves,
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// In the order asked for.
    pub items: Vec<T>,
    /// Where the next part begins; `None` at the end.
    pub next: Option<String>,
}

/// Best scores of a session by who chose the moves, without custom starts and imported games; 0 where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Best {
    /// People alone.
    pub human: u64,
    /// Players, bots and fallbacks alone.
    pub ai: u64,
    /// Both in one game.
    pub mixed: u64,
}

/// Who has chosen moves of a game so far, as bits: 1 for people, 2 for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Voices(pub(crate) u8);

impl Voices {
    /// Adds the source of a move.
    pub(crate) fn hear(&mut self, source: &str) {
        self.0 |= if source == "human" { 1 } else { 2 };
    }

    /// The class that they come to; `driver` is who has the game while nobody has chosen a move.
    pub(crate) fn class(self, driver: Option<DriverKind>) -> Class {
        match (self.0, driver) {
            (1, _) | (0, Some(DriverKind::Human)) => Class::Human,
            (3, _) => Class::Mixed,
            _ => Class::Ai,
        }
    }
}

impl Class {
    /// The class of a game of `class`, `None` while it has no move, after a move that `source` chose.
    #[must_use]
    pub fn after(class: Option<Self>, source: &str) -> Self {
        let by = if source == "human" { Self::Human } else { Self::Ai };
        class.map_or(by, |class| if class == by { class } else { Self::Mixed })
    }
}

impl Best {
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Takes in the score of one game.
    pub fn consider(&mut self, class: Class, score: u64) {
        let best = match class {
            Class::Human => &mut self.human,
            Class::Ai => &mut self.ai,
            Class::Mixed => &mut self.mixed,
        };
        *best = score.max(*best);
    }
}

impl Sort {
    /// What a game is sorted by.
    pub(crate) fn key(self, started: UnixMillis, numbers: &Numbers) -> i64 {
        match self {
            Self::Started => started.0,
            Self::Score => numbers.score.cast_signed(),
            Self::MaxTile => numbers.max_tile.into(),
            Self::Moves => numbers.moves.into(),
        }
    }

    /// Says in a cursor which list it belongs to.
    const fn letter(self) -> char {
        match self {
            Self::Started => 'a',
            Self::Score => 's',
            Self::MaxTile => 't',
            Self::Moves => 'm',
        }
    }
}

/// The last item of a page: what it is sorted by, and its number in the store. The order is theirs, descending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) key: i64,
    pub(crate) number: i64,
}

impl Place {
    /// Before every item.
    pub(crate) const START: Self = Self { key: i64::MAX, number: i64::MAX };

    /// As a cursor of a list of games.
    pub(crate) fn of_games(self, sort: Sort) -> String {
        format!("{}{}.{}", sort.letter(), self.key, self.number)
    }

    /// As a cursor of the list of sessions.
    pub(crate) fn of_sessions(self) -> String {
        self.number.to_string()
    }

    /// Reads a cursor of a list of games; none is the start.
    pub(crate) fn in_games(cursor: Option<&str>, sort: Sort) -> Result<Self, StoreError> {
        let Some(cursor) = cursor else { return Ok(Self::START) };
        let place = || {
            let (key, number) = cursor.strip_prefix(sort.letter())?.split_once('.')?;
            Some(Self { key: key.parse().ok()?, number: number.parse().ok()? })
        };
        place().ok_or_else(|| bad_cursor(cursor))
    }

    /// Reads a cursor of the list of sessions; none is the start.
    pub(crate) fn in_sessions(cursor: Option<&str>) -> Result<Self, StoreError> {
        let Some(cursor) = cursor else { return Ok(Self::START) };
        let number = cursor.parse().or(Err(bad_cursor(cursor)))?;
        Ok(Self { number, ..Self::START })
    }
}

fn bad_cursor(cursor: &str) -> StoreError {
    StoreError::new(ErrorKind::BadCursor, format!("{cursor} is no cursor of this list"))
}

/// How many rows to ask for, so as to see whether a list goes on after `limit`.
pub(crate) fn one_more(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1)
}

impl<T> Page<T> {
    /// The first `limit` of `items`, of which there is one more when the list goes on.
    pub(crate) fn cut(
        mut items: Vec<(Place, T)>,
        limit: usize,
        name: impl FnOnce(Place) -> String,
    ) -> Self {
        let more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| more).map(|(place, _)| name(*place));
        Self { items: items.into_iter().map(|(_, item)| item).collect(), next }
    }
}
