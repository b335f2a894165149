//! Who has a game.

use serde::{Deserialize, Serialize};

/// Who has the game, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Driver {
    /// What kind of driver.
    pub kind: DriverKind,
    /// `human`, or the name of the player or bot.
    pub name: String,
    /// Moves that had been played when it took over.
    pub since_move: u32,
}

/// The kinds of driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DriverKind {
    /// A person, by any client.
    Human,
    /// A player of the server.
    Player,
    /// A program that joined over HTTP.
    Bot,
}

/// A run of moves during which one driver had the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// What kind of driver.
    pub kind: DriverKind,
    /// `human`, or the name of the player or bot.
    pub name: String,
    /// Number of its first move, counted from 1.
    pub from: u32,
    /// Number of its last move; `from - 1` while it has not had one, which is said of the last stretch only.
    pub to: u32,
    /// Why the game came to it; `None` where the game began with it.
    pub why: Option<String>,
}

/// The beginning of a stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Takeover {
    /// Moves that had been played.
    pub(crate) since: u32,
    pub(crate) kind: DriverKind,
    pub(crate) name: String,
    pub(crate) why: Option<String>,
}

impl Takeover {
    /// The beginning of a game that goes to whoever had the one before, as `before` tells.
    pub(crate) fn carried_on(before: &[Self]) -> Option<Self> {
        before.last().map(|last| Self { since: 0, why: None, ..last.clone() })
    }

    /// The beginning of a game.
    pub(crate) fn at_start(driver: &Driver) -> Self {
        Self { since: 0, kind: driver.kind, name: driver.name.clone(), why: None }
    }

    /// A change of hands.
    pub(crate) fn during(driver: &Driver, why: &str) -> Self {
        Self { since: driver.since_move, why: Some(why.to_owned()), ..Self::at_start(driver) }
    }

    /// The beginnings of `stretches`; `None` unless they follow on each other from move 1 to the last.
    pub(crate) fn of_stretches(stretches: &[Stretch], moves: u32) -> Option<Vec<Self>> {
        let mut since = 0;
        let mut takeovers = Vec::with_capacity(stretches.len());
        let last = stretches.len().checked_sub(1)?;
        for (place, Stretch { kind, name, from, to, why }) in stretches.iter().enumerate() {
            let begun = to >= from || (place == last && *to == since);
            if *from != since + 1 || !begun {
                return None;
            }
            takeovers.push(Self { since, kind: *kind, name: name.clone(), why: why.clone() });
            since = *to;
        }
        (since == moves).then_some(takeovers)
    }

    /// What a move of this driver's names as its source.
    pub(crate) fn source(&self) -> String {
        match self.kind {
            DriverKind::Human => "human".to_owned(),
            DriverKind::Player => self.name.clone(),
            DriverKind::Bot => format!("bot:{}", self.name),
        }
    }
}

/// The stretches of a game of `moves` moves, by their beginnings, oldest first.
pub(crate) fn stretches(takeovers: Vec<Takeover>, moves: u32) -> Vec<Stretch> {
    let ends: Vec<_> = takeovers.iter().skip(1).map(|next| next.since).chain([moves]).collect();
    let stretch = |(Takeover { since, kind, name, why }, to)| Stretch {
        kind,
        name,
        from: since + 1,
        to,
        why,
    };
    takeovers.into_iter().zip(ends).map(stretch).collect()
}
