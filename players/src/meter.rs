//! How far a search that looks at boards is with its limits.

use std::{sync::atomic::Ordering, time::Duration};

use crate::Limits;

/// Counts the boards of one decision against its limits.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    limits: &'a Limits<'a>,
    most_boards: u64,
    /// The number of boards at which the limits are looked at again.
    next_look: u64,
    boards: u64,
    is_spent: bool,
    /// Boards of the last search that was finished, and all boards up to its end.
    last: f64,
    boards_before: u64,
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
        Self {
            limits,
            most_boards,
            next_look: Self::INTERVAL.min(most_boards),
            boards: 0,
            is_spent: false,
            last: 0.0,
            boards_before: 0,
        }
    }

    /// Counts boards; whether there is time to look at them. When there is none, the search under way is void.
    #[inline]
    pub(crate) fn count(&mut self, boards: u64) -> bool {
        if !self.is_spent {
            self.boards = (self.boards + boards).min(self.most_boards);
            if self.boards >= self.next_look {
                self.next_look = (self.boards + Self::INTERVAL).min(self.most_boards);
                self.is_spent = self.boards == self.most_boards || self.limits.are_spent();
            }
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

    /// Whether a search one move deeper than the one that has just been finished may well be finished too. If not, it
    /// is better not begun, since all of it would be void.
    pub(crate) fn can_go_deeper(&mut self) -> bool {
        let last = (self.boards - self.boards_before) as f64;
        // Each search takes so many times as many boards as the one before, and four fifths as many times at the next
        // depth: 11, 8, 6, 5.7 and 4.9 times are the medians of expectimax over 120 positions with big tiles.
        let growth = if self.last == 0.0 { 11.0 } else { last / self.last * 0.8 };
        (self.last, self.boards_before) = (last, self.boards);
        let all = self.boards as f64 + last * growth;
        if all > self.most_boards as f64 || self.limits.stop.load(Ordering::Relaxed) {
            return false;
        }
        let has_time = |budget: Duration| {
            let all_time =
                self.limits.clock.elapsed().as_secs_f64() * all / self.boards.max(1) as f64;
            all_time <= budget.as_secs_f64()
        };
        self.limits.budget.is_none_or(has_time)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::{Clock, testing::nodes};

    /// A clock that somebody sets, in microseconds.
    #[derive(Default)]
    struct Set(AtomicU64);

    impl Clock for Set {
        fn elapsed(&self) -> Duration {
            Duration::from_micros(self.0.load(Ordering::Relaxed))
        }
    }

    fn count(meter: &mut Meter<'_>, boards: u32) -> bool {
        (0..boards).all(|_| meter.count(1))
    }

    #[test]
    fn a_limit_of_boards_is_kept() {
        let limits = nodes(500, 0);
        let mut meter = Meter::new(&limits);
        assert!(count(&mut meter, 499));
        assert!(!meter.count(7) && meter.is_spent());
        assert!(!meter.count(1));
        assert_eq!(meter.boards(), 500);
    }

    #[test]
    fn two_moves_can_be_looked_ahead_whatever_the_limits_say() {
        let stop = AtomicBool::new(true);
        let limits =
            Limits { budget: Some(Duration::ZERO), nodes: Some(0), stop: &stop, ..nodes(0, 0) };
        assert!(count(&mut Meter::new(&limits), 120));
    }

    #[test]
    fn a_search_that_cannot_be_finished_is_not_begun() {
        let clock = Set::default();
        let limits = Limits {
            budget: Some(Duration::from_millis(1)),
            nodes: None,
            clock: &clock,
            ..nodes(0, 0)
        };
        let mut meter = Meter::new(&limits);
        // A hundred boards took 10 us; eleven times as many more will be done after 120 us.
        count(&mut meter, 100);
        clock.0.store(10, Ordering::Relaxed);
        assert!(meter.can_go_deeper());
        // 1,200 more took 120 us. 9.6 times as many as those are expected next, done after 1,282 us.
        count(&mut meter, 1_200);
        clock.0.store(130, Ordering::Relaxed);
        assert!(!meter.can_go_deeper());
    }

    #[test]
    fn a_search_that_the_table_answered_is_no_reason_to_stop() {
        let limits = Limits { budget: Some(Duration::from_millis(1)), nodes: None, ..nodes(0, 0) };
        assert!(Meter::new(&limits).can_go_deeper());
    }
}
