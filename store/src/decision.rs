//! Why a move was chosen.

use engine::Direction;
use serde::{Deserialize, Serialize};

/// Why a move was chosen; kept whole for the last move of a session, in brief for every other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredDecision {
    /// What was chosen, as [`Direction::index`]; `None` when nothing could be.
    pub direction: Option<u8>,
    /// A player's name, `human`, `bot:<name>` or `fallback`.
    pub source: String,
    /// Why it was a fallback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the player said about it. Kept for the last move only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The player's distribution in the order UP, DOWN, LEFT, RIGHT. Kept for the last move only.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "exact::four")]
    pub probabilities: Option<[Option<f64>; 4]>,
    /// 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "exact")]
    pub confidence: Option<f64>,
    /// 0 to 2.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "exact")]
    pub risk: Option<f64>,
    /// Time the decision took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
}

/// Numbers as text: JSON numbers may come back a little different, and a state must not.
mod exact {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[expect(clippy::ref_option, reason = "the signature that serde asks for")]
    pub(super) fn serialize<S: Serializer>(
        value: &Option<f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(|number| number.to_string()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse()).transpose().map_err(D::Error::custom)
    }

    /// Four of them.
    pub(super) mod four {
        use serde::{Deserialize, Deserializer, Serialize, Serializer};

        #[derive(Serialize, Deserialize)]
        struct Exact(#[serde(with = "super")] Option<f64>);

        #[expect(clippy::ref_option, reason = "the signature that serde asks for")]
        pub(in super::super) fn serialize<S: Serializer>(
            value: &Option<[Option<f64>; 4]>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            value.map(|four| four.map(Exact)).serialize(serializer)
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<[Option<f64>; 4]>, D::Error> {
            let four = Option::<[Exact; 4]>::deserialize(deserializer)?;
            Ok(four.map(|four| four.map(|Exact(number)| number)))
        }
    }
}

impl StoredDecision {
    /// A decision about which nothing is known but what was chosen, and by whom.
    pub fn bare(direction: Option<Direction>, source: impl Into<String>) -> Self {
        Self {
            direction: direction.map(|direction| direction.index() as u8),
            source: source.into(),
            reason: None,
            detail: None,
            probabilities: None,
            confidence: None,
            risk: None,
            latency_ms: None,
        }
    }
}
