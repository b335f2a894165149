//! How far a search that looks at boards is with its limits.

use std::sync::atomic::Ordering;

use crate::Limits;

/// Counts the boards of one decision against its limits.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    limits: &'a Limits<'a>,
    most_boards: u64,
    boards: u64,
    is_spent: bool,
}

impl<'a> Meter<'a> {
    /// Boards between two looks at the limits: some tens of microseconds.
    const INTERVAL: u64 = 1_024;
    /// The most boards in a search two moves deep: four directions, two tiles on up to fifteen squares. Since it is
    /// below [`Self::INTERVAL`], such a search is finished whatever the limits say.
    const DEPTH_TWO: u64 = 4 * 2 * 15;

    pub(crate) fn new(limits: &'a Limits<'a>) -> Self {
        // One more, because the limits are spent by the board that reaches them.
        let most_boards = limits.nodes.unwrap_or(u64::MAX).max(Self::DEPTH_TWO + 1);
        Self { limits, most_boards, boards: 0, is_spent: false }
    }

    /// Counts a board; whether there is time to look at it. When there is none, the search under way is void.
    #[inline]
    pub(crate) fn count(&mut self) -> bool {
        if !self.is_spent {
            self.boards += 1;
            self.is_spent = self.boards >= self.most_boards
                || self.boards.is_multiple_of(Self::INTERVAL) && self.limits.are_spent();
        }
        !self.is_spent
    }

    /// Whether the limits are spent, so that what was searched since they are is void.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// Boards looked at.
    pub(crate) fn boards(&self) -> u64 {
        self.boards
    }

    /// Whether another search, one move deeper, has a chance to be finished. It takes about five times as long.
    pub(crate) fn can_go_deeper(&self) -> bool {
        const SHARE: u32 = 3;
        if self.limits.stop.load(Ordering::Relaxed) {
            return false;
        }
        let has_boards = self.boards.saturating_mul(u64::from(SHARE)) < self.most_boards;
        let has_time = |budget| self.limits.clock.elapsed() * SHARE < budget;
        has_boards && self.limits.budget.is_none_or(has_time)
    }
}
