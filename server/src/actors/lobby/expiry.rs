//! Which sessions are about to expire, and which have.
//!
//! How long a session has not changed is told by the time of day, which may jump. So it is closed only when it has been
//! known for as long as people are warned before, by a clock that does not jump, that it is about to expire.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use store::{SessionId, UnixMillis};

/// The longest time that people are warned before.
const LONGEST_NOTICE: Duration = Duration::from_hours(24);

/// The sessions that are about to expire.
#[derive(Debug)]
pub(super) struct Expiry {
    after: Duration,
    notice: Duration,
    /// Since when it is known of each.
    warned: HashMap<SessionId, Instant>,
}

/// What is to be done.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Their watchers are told.
    pub(super) warn: Vec<SessionId>,
    /// Their watchers are told that it is not so any more.
    pub(super) calm: Vec<SessionId>,
    /// They are closed.
    pub(super) close: Vec<SessionId>,
}

impl Expiry {
    /// Sessions expire `after` they have changed last.
    pub(super) fn new(after: Duration) -> Self {
        Self { after, notice: LONGEST_NOTICE.min(after / 2), warned: HashMap::new() }
    }

    /// How long before it people are warned.
    pub(super) fn notice(&self) -> Duration {
        self.notice
    }

    /// How often to look.
    pub(super) fn look_every(&self) -> Duration {
        (self.notice / 200).clamp(Duration::from_millis(10), Duration::from_mins(1))
    }

    /// Sessions unchanged since before this are about to expire.
    pub(super) fn soon(&self, now: UnixMillis) -> UnixMillis {
        before(now, self.after.saturating_sub(self.notice))
    }

    /// Sessions unchanged since before this have expired, if they were warned.
    pub(super) fn due(&self, now: UnixMillis) -> UnixMillis {
        before(now, self.after)
    }

    /// Takes in which are about to expire and which have, as the time of day is now.
    pub(super) fn look(
        &mut self,
        soon: Vec<SessionId>,
        due: &[SessionId],
        now: Instant,
    ) -> Verdict {
        let still: HashSet<_> = soon.iter().collect();
        let calm: Vec<_> = self.warned.keys().filter(|id| !still.contains(id)).cloned().collect();
        self.warned.retain(|id, _| still.contains(id));
        let known = |id: &SessionId| {
            self.warned.get(id).is_some_and(|since| now.duration_since(*since) >= self.notice)
        };
        let close: Vec<_> = due.iter().filter(|id| known(id)).cloned().collect();
        self.warned.retain(|id, _| !close.contains(id));
        let is_new = |id: &SessionId| !self.warned.contains_key(id) && !close.contains(id);
        let warn: Vec<_> = soon.into_iter().filter(is_new).collect();
        self.warned.extend(warn.iter().map(|id| (id.clone(), now)));
        Verdict { warn, calm, close }
    }

    /// Whether it is about to expire.
    pub(super) fn is_warned(&self, id: &SessionId) -> bool {
        self.warned.contains_key(id)
    }
}

fn before(now: UnixMillis, by: Duration) -> UnixMillis {
    UnixMillis(now.0.saturating_sub(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids<const N: usize>(names: [&str; N]) -> Vec<SessionId> {
        names.map(SessionId::new).to_vec()
    }

    #[test]
    fn a_session_is_warned_of_once_and_closed_when_its_notice_is_over() {
        let mut expiry = Expiry::new(Duration::from_secs(100));
        assert_eq!(expiry.notice(), Duration::from_secs(50));
        assert_eq!(expiry.soon(UnixMillis(200_000)), UnixMillis(150_000));
        assert_eq!(expiry.due(UnixMillis(200_000)), UnixMillis(100_000));
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let warned = expiry.look(ids(["a", "b"]), &[], at(0));
        assert_eq!(warned, Verdict { warn: ids(["a", "b"]), ..Verdict::default() });
        assert_eq!(expiry.look(ids(["a", "b"]), &[], at(25)), Verdict::default());
        // Somebody played in b.
        let closed = expiry.look(ids(["a"]), &ids(["a"]), at(50));
        assert_eq!(closed, Verdict { calm: ids(["b"]), close: ids(["a"]), ..Verdict::default() });
        assert!(!expiry.is_warned(&SessionId::new("b")));
    }

    #[test]
    fn a_clock_that_jumps_closes_nothing() {
        let mut expiry = Expiry::new(Duration::from_secs(100));
        let begun = Instant::now();
        let all = ids(["a", "b", "c"]);
        // An hour ahead: by the time of day all are long due.
        assert_eq!(expiry.look(all.clone(), &all, begun).close, []);
        assert_eq!(expiry.look(all.clone(), &all, begun + Duration::from_secs(49)).close, []);
        // And back.
        let back = expiry.look(Vec::new(), &[], begun + Duration::from_mins(1));
        assert_eq!((back.calm.len(), back.close.len()), (3, 0));
        assert_eq!(expiry.look(all.clone(), &all, begun + Duration::from_secs(70)).close, []);
    }
}
