//! How long the player may think about one move, as one key goes through it.

use std::fmt;

/// A thinking time. The names and the times are those of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// What the player itself takes.
    Own,
    /// 50 ms.
    Fast,
    /// 200 ms.
    Balanced,
    /// 1 s.
    Strong,
    /// Another one, set elsewhere, in milliseconds.
    Other(u64),
}

impl Budget {
    /// What the server has.
    pub const fn of(budget_ms: Option<u64>) -> Self {
        match budget_ms {
            None => Self::Own,
            Some(50) => Self::Fast,
            Some(200) => Self::Balanced,
            Some(1_000) => Self::Strong,
            Some(other) => Self::Other(other),
        }
    }

    /// The next one; after the longest, the shortest again. A player's own can't be asked for again.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Own | Self::Other(_) | Self::Strong => Self::Fast,
            Self::Fast => Self::Balanced,
            Self::Balanced => Self::Strong,
        }
    }

    /// As a call has it.
    pub const fn on_the_wire(self) -> Option<f64> {
        match self {
            Self::Own => None,
            Self::Fast => Some(50.0),
            Self::Balanced => Some(200.0),
            Self::Strong => Some(1_000.0),
            Self::Other(ms) => Some(ms as f64),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("its own time"),
            Self::Fast => f.write_str("Fast"),
            Self::Balanced => f.write_str("Balanced"),
            Self::Strong => f.write_str("Strong"),
            Self::Other(ms) => write!(f, "{ms} ms"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_known_again() {
        let mut budget = Budget::Own;
        for expected in [50, 200, 1_000, 50] {
            budget = budget.next();
            let sent = budget.on_the_wire().unwrap();
            assert!((sent - expected as f64).abs() < 1e-9);
            assert_eq!(Budget::of(Some(expected)), budget);
        }
        assert_eq!((Budget::of(None), Budget::of(Some(7))), (Budget::Own, Budget::Other(7)));
    }
}
