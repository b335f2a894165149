//! Why a move was chosen.

use serde::{Deserialize, Serialize};

/// Why a move was chosen; kept whole for the last move of a session, in brief for every other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredDecision {
    /// What was chosen, as [`Direction::index`](engine::Direction::index); `None` when nothing could be.
    pub direction: Option<u8>,
    /// A player's name, `human`, `bot:<name>` or `fallback`.
    pub source: String,
    /// Why it was a fallback.
    pub reason: Option<String>,
    /// What the player said about it. Kept for the last move only.
    pub detail: Option<String>,
    /// The player's distribution in the order UP, DOWN, LEFT, RIGHT. Kept for the last move only.
    pub probabilities: Option<[Option<f64>; 4]>,
    /// 0 to 1.
    pub confidence: Option<f64>,
    /// 0 to 2.
    pub risk: Option<f64>,
    /// Time the decision took.
    pub latency_ms: Option<u64>,
}
