//! How fast the player plays, as steps of two keys.

use std::fmt;

use protocol::{Agent, Pace};

/// Seconds between two moves, slowest first.
const INTERVALS: [f64; 7] = [5.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.05];

/// A step of the scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaceChoice {
    /// Every so many seconds: a step from 0, the slowest.
    Every(usize),
    /// Faster on easy boards.
    Adaptive,
    /// As fast as it goes.
    Max,
}

impl PaceChoice {
    /// The step nearest to what the server does.
    pub fn of(agent: &Agent) -> Self {
        match agent.pace {
            Pace::Adaptive => Self::Adaptive,
            Pace::Max => Self::Max,
            Pace::Fixed => {
                let slower =
                    INTERVALS.iter().filter(|every| **every > agent.interval_seconds + 1e-9);
                Self::Every(slower.count().min(INTERVALS.len() - 1))
            }
        }
    }

    /// The next faster step.
    #[must_use]
    pub const fn faster(self) -> Self {
        match self {
            Self::Every(step) if step + 1 < INTERVALS.len() => Self::Every(step + 1),
            Self::Every(_) => Self::Adaptive,
            Self::Adaptive | Self::Max => Self::Max,
        }
    }

    /// The next slower step.
    #[must_use]
    pub const fn slower(self) -> Self {
        match self {
            Self::Every(step) => Self::Every(step.saturating_sub(1)),
            Self::Adaptive => Self::Every(INTERVALS.len() - 1),
            Self::Max => Self::Adaptive,
        }
    }

    /// The interval and the pace of a call.
    pub fn on_the_wire(self) -> (Option<f64>, Option<Pace>) {
        match self {
            Self::Every(step) => (INTERVALS.get(step).copied(), Some(Pace::Fixed)),
            Self::Adaptive => (None, Some(Pace::Adaptive)),
            Self::Max => (None, Some(Pace::Max)),
        }
    }
}

impl fmt::Display for PaceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every(step) => write!(f, "{} s", INTERVALS[*step]),
            Self::Adaptive => f.write_str("adaptive"),
            Self::Max => f.write_str("max"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_go_from_five_seconds_to_as_fast_as_it_goes() {
        let mut shown = vec![PaceChoice::Every(0).to_string()];
        let mut pace = PaceChoice::Every(0);
        while pace.faster() != pace {
            pace = pace.faster();
            shown.push(pace.to_string());
        }
        let expected =
            ["5 s", "2 s", "1 s", "0.5 s", "0.25 s", "0.1 s", "0.05 s", "adaptive", "max"];
        assert_eq!(shown, expected);
        while pace.slower() != pace {
            assert_eq!(pace.slower().faster(), pace);
            pace = pace.slower();
        }
        assert_eq!(pace, PaceChoice::Every(0));
    }
}
