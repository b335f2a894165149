//! What may still be asked: requests are counted, and a service that fails is left alone for a while.
//!
//! One for the whole server: who pays is one, and a service that is down is down for every session.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use store::SessionId;

use super::daybook::{Day, DayBook};

/// So many failures in a row and the service is left alone.
const FAILURES: u32 = 3;

/// While it is left alone, only every so manieth move asks.
const EVERY: u32 = 10;

/// The counts.
#[derive(Debug)]
pub struct Ledger {
    session_budget: u64,
    day_budget: u64,
    book: DayBook,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// The day that is counted.
    of_day: Day,
    of_session: HashMap<SessionId, u64>,
    failures: u32,
    /// Moves since the last question, while the service is left alone.
    passed: u32,
}

/// A budget is spent, so that nothing more is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Spent {
    /// The session's.
    #[error("the {0} requests of this session are spent")]
    Session(u64),
    /// The day's.
    #[error("the {0} requests of this day (UTC) are spent")]
    Day(u64),
}

/// Whether a move is to be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// Yes.
    Ask,
    /// Yes, to see whether the service, which was left alone, answers again.
    Try,
    /// No; the move that asks again is so many moves away.
    LeaveAlone(u32),
}

/// How much of the budgets is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spending {
    /// Requests of the session.
    pub of_session: u64,
    /// What it may make.
    pub session_budget: u64,
    /// Requests of the day.
    pub of_day: u64,
    /// What all sessions may make.
    pub day_budget: u64,
}

impl Ledger {
    /// Of the day, what `book` says is spent; else nothing yet. A day that is yet to come, by a clock that was wrong, is
    /// `today`.
    pub fn new(session_budget: u64, day_budget: u64, book: DayBook, today: i64) -> Self {
        let kept = book.read();
        let of_day = Day { day: kept.day.min(today), ..kept };
        let counts = Mutex::new(Counts { of_day, ..Counts::default() });
        Self { session_budget, day_budget, book, counts }
    }

    /// Whether the next move is to be asked about.
    pub fn course(&self) -> Course {
        let mut counts = self.counts();
        if counts.failures < FAILURES {
            return Course::Ask;
        }
        counts.passed += 1;
        if counts.passed < EVERY {
            return Course::LeaveAlone(EVERY - counts.passed);
        }
        counts.passed = 0;
        Course::Try
    }

    /// Counts one request of `session` on the day numbered `day`, which must be sent only then.
    ///
    /// # Errors
    /// - [`Spent`] when a budget does not have it.
    pub fn spend(&self, session: &SessionId, day: i64) -> Result<(), Spent> {
        let of_day = self.count(session, day)?;
        self.book.write(of_day);
        Ok(())
    }

    fn count(&self, session: &SessionId, day: i64) -> Result<Day, Spent> {
        let mut counts = self.counts();
        counts.turn_to(day);
        if counts.of_day.requests >= self.day_budget {
            return Err(Spent::Day(self.day_budget));
        }
        let of_session = counts.of_session.entry(session.clone()).or_default();
        if *of_session >= self.session_budget {
            return Err(Spent::Session(self.session_budget));
        }
        *of_session += 1;
        counts.of_day.requests += 1;
        Ok(counts.of_day)
    }

    /// An answer came.
    pub fn answered(&self) {
        let mut counts = self.counts();
        (counts.failures, counts.passed) = (0, 0);
    }

    /// None came.
    pub fn failed(&self) {
        let mut counts = self.counts();
        counts.failures = counts.failures.saturating_add(1);
    }

    /// The key was refused: asking again at once is of no use.
    pub fn refused(&self) {
        let mut counts = self.counts();
        counts.failures = counts.failures.max(FAILURES);
    }

    /// How much is spent, on the day numbered `day`.
    pub fn spending(&self, session: &SessionId, day: i64) -> Spending {
        let mut counts = self.counts();
        counts.turn_to(day);
        Spending {
            of_session: counts.of_session.get(session).copied().unwrap_or_default(),
            session_budget: self.session_budget,
            of_day: counts.of_day.requests,
            day_budget: self.day_budget,
        }
    }

    /// The counts are right even if somebody panicked: each change is one step.
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    /// A clock that is set back does not give a day twice.
    fn turn_to(&mut self, day: i64) {
        if day > self.of_day.day {
            self.of_day = Day { day, requests: 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: &str) -> SessionId {
        SessionId::new(name)
    }

    #[test]
    fn a_session_stops_at_its_budget_and_others_go_on() {
        let ledger = Ledger::new(2, 100, DayBook::default(), 0);
        let (one, other) = (session("one"), session("other"));
        assert_eq!(
            [(); 3].map(|()| ledger.spend(&one, 0)),
            [Ok(()), Ok(()), Err(Spent::Session(2))]
        );
        assert_eq!(ledger.spend(&one, 1), Err(Spent::Session(2)), "a new day gives it nothing");
        assert_eq!(ledger.spend(&other, 1), Ok(()));
        assert_eq!(ledger.spending(&one, 1).of_session, 2);
    }

    #[test]
    fn all_stop_at_the_budget_of_the_day_and_go_on_the_next() {
        let ledger = Ledger::new(100, 2, DayBook::default(), 0);
        let ask = |name, day| ledger.spend(&session(name), day);
        assert_eq!([ask("a", 5), ask("b", 5), ask("c", 5)], [Ok(()), Ok(()), Err(Spent::Day(2))]);
        assert_eq!(ask("a", 4), Err(Spent::Day(2)), "a clock that is set back");
        assert_eq!(ask("c", 6), Ok(()));
        assert_eq!(ledger.spending(&session("c"), 6).of_day, 1);
    }

    #[test]
    fn a_new_start_gives_the_day_no_new_budget() {
        let folder = tempfile::tempdir().unwrap();
        let start_on = |today| Ledger::new(100, 2, DayBook::beside(Some(folder.path())), today);
        assert_eq!(start_on(5).spend(&session("a"), 5), Ok(()));
        assert_eq!(start_on(5).spend(&session("a"), 5), Ok(()));
        assert_eq!(start_on(5).spend(&session("b"), 5), Err(Spent::Day(2)));
        assert_eq!(
            start_on(5).spending(&session("a"), 5).of_session,
            0,
            "a session's is of one run"
        );
        // A clock that was far ahead once locks nobody out.
        assert_eq!(start_on(5).spend(&session("b"), 9_000), Ok(()));
        assert_eq!(start_on(5).spending(&session("b"), 5).of_day, 1);
        assert_eq!(start_on(6).spend(&session("b"), 7), Ok(()));
    }

    #[test]
    fn after_three_failures_every_tenth_move_asks_until_one_is_answered() {
        let ledger = Ledger::new(1, 1, DayBook::default(), 0);
        for _ in 0..FAILURES {
            assert_eq!(ledger.course(), Course::Ask);
            ledger.failed();
        }
        for _ in 0..2 {
            let left: Vec<_> = (1..EVERY).map(|_| ledger.course()).collect();
            assert_eq!(left, (1..EVERY).rev().map(Course::LeaveAlone).collect::<Vec<_>>());
            assert_eq!(ledger.course(), Course::Try);
            ledger.failed();
        }
        ledger.answered();
        assert_eq!([ledger.course(), ledger.course()], [Course::Ask, Course::Ask]);
        ledger.refused();
        assert_eq!(ledger.course(), Course::LeaveAlone(9));
    }

    #[test]
    fn failures_with_an_answer_between_them_are_not_in_a_row() {
        let ledger = Ledger::new(1, 1, DayBook::default(), 0);
        ledger.failed();
        ledger.failed();
        ledger.answered();
        ledger.failed();
        assert_eq!(ledger.course(), Course::Ask);
    }
}
