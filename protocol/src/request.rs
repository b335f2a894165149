//! What clients ask. Unknown fields are ignored; `null` is the same as absent.

use std::fmt;

use engine::{Board, BoardError};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// `POST /api/move`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveRequest {
    /// The direction's name, in any case; checked by the server, so that the refusal names it.
    pub direction: String,
    /// Play only if the game is still at this move number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_moves: Option<u32>,
    /// Play only if this game is still the running one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Makes a repeat of this command harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<String>,
    /// Stop the agent and play, as one change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takeover: Option<bool>,
}

/// `POST /api/new`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewGame {
    /// The seed of its spawns; random when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// A position to begin on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// Makes a repeat of this command harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<String>,
}

/// `POST /api/agent/start`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentStart {
    /// The player to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Seconds between two moves, clamped to 0.05..10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_seconds: Option<f64>,
    /// How fast it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// Milliseconds for one decision, clamped to 0..60000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_ms: Option<f64>,
    /// What to do when the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// Makes a repeat of this command harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<String>,
}

/// Another game when one is over, until a rule ends it; an empty one is without end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// How many games in all; 1 is the running one alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// The tile that ends it when it is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_tile: Option<u32>,
}

/// `POST /api/agent/stop`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentStop {
    /// Makes a repeat of this command harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<String>,
}

/// `POST /api/agent/step`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentStep {
    /// The player to ask; the agent's when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Milliseconds for the decision, clamped to 0..60000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_ms: Option<f64>,
    /// Makes a repeat of this command harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<String>,
}

/// `POST /api/hint`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hint {
    /// The player to ask; the agent's when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Milliseconds for the decision, clamped to 0..60000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_ms: Option<f64>,
}

/// `POST /api/sessions`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreateSession {
    /// The seed of its first game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// What to call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// How fast an agent plays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// One move every interval.
    #[default]
    Fixed,
    /// Faster on easy boards.
    Adaptive,
    /// As fast as it goes.
    Max,
}

/// A seed: a whole number below 2^64, sent as a string of digits or as a number up to 2^53 - 1, given back as a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

/// The largest whole number that every JSON reader holds exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;

        impl de::Visitor<'_> for Digits {
            type Value = Seed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number below 2^64, as a string of digits or as a number up to 2^53 - 1")
            }

            fn visit_u64<E: de::Error>(self, seed: u64) -> Result<Seed, E> {
                if seed > MAX_SAFE_INTEGER {
                    return Err(E::invalid_value(de::Unexpected::Unsigned(seed), &self));
                }
                Ok(Seed(seed))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Seed, E> {
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                let seed = digits.then(|| text.parse().ok()).flatten();
                seed.map(Seed).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Digits)
    }
}

/// A position to begin on: four rows of four values; `null` or 0 is an empty square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid(pub [[Option<u64>; 4]; 4]);

/// A grid that no game can begin on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GridError {
    /// A number in it is no tile.
    Board(BoardError),
    /// It has no tile at all.
    Empty,
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(error) => error.fmt(f),
            Self::Empty => f.write_str("a grid needs at least one tile"),
        }
    }
}

impl std::error::Error for GridError {}

impl TryFrom<Grid> for Board {
    type Error = GridError;

    fn try_from(Grid(rows): Grid) -> Result<Self, GridError> {
        let board = Self::from_values(rows.map(|row| row.map(|value| value.unwrap_or(0))))
            .map_err(GridError::Board)?;
        if board == Self::EMPTY { Err(GridError::Empty) } else { Ok(board) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_digits_or_a_small_number() {
        let read = serde_json::from_str::<Seed>;
        assert_eq!(read("\"18446744073709551615\"").unwrap(), Seed(u64::MAX));
        assert_eq!(read("9007199254740991").unwrap(), Seed(MAX_SAFE_INTEGER));
        for bad in [
            "9007199254740992",
            "\"18446744073709551616\"",
            "-1",
            "1.5",
            "\"\"",
            "\"+1\"",
            "\" 1\"",
            "true",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert_eq!(serde_json::to_string(&Seed(7)).unwrap(), "\"7\"");
    }

    #[test]
    fn a_grid_holds_tiles_only() {
        let grid = |text: &str| Board::try_from(serde_json::from_str::<Grid>(text).unwrap());
        let empty = "[null,null,null,null]";
        assert_eq!(grid(&format!("[{empty},{empty},{empty},[0,0,0,0]]")), Err(GridError::Empty));
        assert!(grid(&format!("[[2,131072,0,null],{empty},{empty},{empty}]")).is_ok());
        for bad in [1, 3, 262_144] {
            let error = grid(&format!("[[{bad},2,2,2],{empty},{empty},{empty}]")).unwrap_err();
            assert!(error.to_string().starts_with(&format!("{bad} is not a tile")));
        }
    }

    #[test]
    fn null_is_the_same_as_absent() {
        let start: AgentStart =
            serde_json::from_str(r#"{"player":null,"pace":null,"other":1}"#).unwrap();
        assert_eq!(start, AgentStart::default());
    }
}
