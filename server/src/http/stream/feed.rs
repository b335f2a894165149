//! What a stream is to be sent next: the newest state, never an older one after it, and the few words beside it.
//!
//! Pure: it is told what happens and what time it is.

use std::{sync::Arc, time::Duration};

use protocol::ByeReason;
use tokio::time::Instant;

use crate::actors::{
    frame::Frame,
    session::{Notices, Warning},
};

/// How often a stream may be sent a state, in a second, when it wishes for nothing else.
const FPS: f64 = 60.0;

/// One event of a stream.
#[derive(Debug, Clone)]
pub(super) enum Event {
    /// The whole state.
    State(Arc<Frame>),
    /// The stream lives, and this is the newest position.
    Heartbeat(u64),
    /// So many watch.
    Watchers(u32),
    /// Something is about to happen.
    Note(Warning),
    /// Nothing comes after this.
    Bye(ByeReason),
}

/// What to do now.
#[derive(Debug)]
pub(super) enum Next {
    /// Send this.
    Send(Event),
    /// Wait for news, or until then.
    Wait(Option<Instant>),
    /// Close the stream.
    End,
}

/// Whether the stream is to be closed.
#[derive(Debug, Clone, Copy)]
enum Ending {
    No,
    Due(ByeReason),
    Said(ByeReason),
}

/// One stream's picture of its session.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says of one kind of event whether it is still to be sent"
)]
pub(super) struct Feed {
    newest: Arc<Frame>,
    /// Whether `newest` is still to be sent.
    owed: bool,
    /// A state may be sent from then on.
    not_before: Option<Instant>,
    interval: Duration,
    watchers: u32,
    watchers_owed: bool,
    warning: Option<Warning>,
    warning_owed: bool,
    beat_owed: bool,
    ending: Ending,
    sent: u64,
    skipped: u64,
}

impl Feed {
    /// The feed of a stream that begins at `frame`, or had it already when it `resume`s from its id.
    pub(super) fn new(
        frame: Arc<Frame>,
        notices: Notices,
        resume: Option<&str>,
        interval: Duration,
    ) -> Self {
        let known = resume.is_some_and(|id| id == frame.id());
        Self {
            owed: !known,
            beat_owed: known,
            not_before: None,
            interval,
            watchers: notices.watchers,
            // The first state may be from before this stream was counted.
            watchers_owed: !known && notices.watchers != frame.state().watchers,
            warning: notices.warning,
            warning_owed: notices.warning.is_some(),
            ending: notices.farewell.map_or(Ending::No, Ending::Due),
            newest: frame,
            sent: 0,
            skipped: 0,
        }
    }

    /// The session's newest state and notices. A state from before the one that was shown last is left out.
    pub(super) fn show(&mut self, frame: Arc<Frame>, notices: Notices) {
        let (new, old) = (frame.state(), self.newest.state());
        if new.epoch != old.epoch || new.seq > old.seq {
            self.skipped += u64::from(self.owed);
            self.newest = frame;
            self.owed = true;
        }
        if notices.watchers != self.watchers {
            self.watchers = notices.watchers;
            self.watchers_owed = true;
        }
        if notices.warning != self.warning {
            self.warning = notices.warning;
            self.warning_owed = self.warning.is_some();
        }
        if let Some(reason) = notices.farewell {
            self.close(reason);
        }
    }

    /// It is time for a sign of life.
    pub(super) fn beat(&mut self) {
        self.beat_owed = true;
    }

    /// The stream is to be closed. What was said first counts.
    pub(super) fn close(&mut self, reason: ByeReason) {
        if matches!(self.ending, Ending::No) {
            self.ending = Ending::Due(reason);
        }
    }

    /// What to do at `now`.
    pub(super) fn next(&mut self, now: Instant) -> Next {
        let closing = !matches!(self.ending, Ending::No);
        if self.owed && (closing || self.not_before.is_none_or(|time| time <= now)) {
            self.owed = false;
            self.sent += 1;
            self.not_before = Some(now + self.interval);
            return Next::Send(Event::State(Arc::clone(&self.newest)));
        }
        match self.ending {
            Ending::No => {}
            Ending::Due(reason) => {
                self.ending = Ending::Said(reason);
                return Next::Send(Event::Bye(reason));
            }
            Ending::Said(_) => return Next::End,
        }
        if std::mem::take(&mut self.watchers_owed) {
            return Next::Send(Event::Watchers(self.watchers));
        }
        if let Some(warning) = self.warning.filter(|_| std::mem::take(&mut self.warning_owed)) {
            return Next::Send(Event::Note(warning));
        }
        // A heartbeat names the newest position: before that state, it would look as if something was missed.
        if self.beat_owed && !self.owed {
            self.beat_owed = false;
            return Next::Send(Event::Heartbeat(self.newest.seq()));
        }
        Next::Wait(self.not_before.filter(|_| self.owed))
    }

    /// What was said at the end, if it was.
    pub(super) fn farewell(&self) -> Option<ByeReason> {
        if let Ending::Said(reason) = self.ending { Some(reason) } else { None }
    }

    /// States sent, and states left out since a newer one came first.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.sent, self.skipped)
    }
}

/// The time between two states that `fps` wishes for. Rubbish is ignored.
pub(super) fn interval(fps: Option<&str>) -> Duration {
    let fps = fps.and_then(|text| text.parse::<f64>().ok()).filter(|fps| !fps.is_nan());
    Duration::from_secs_f64(1.0 / fps.unwrap_or(FPS).clamp(1.0, FPS))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Duration = Duration::from_millis(100);

    fn frame_of(epoch: &str, seq: u64) -> Arc<Frame> {
        let golden = include_str!("../../../../protocol/golden/state-new-game.json");
        let mut state: protocol::State = serde_json::from_str(golden).unwrap();
        epoch.clone_into(&mut state.epoch);
        state.seq = seq;
        Arc::new(Frame::new(state))
    }

    fn frame(seq: u64) -> Arc<Frame> {
        frame_of("e", seq)
    }

    const ONE: Notices = Notices { watchers: 1, farewell: None, warning: None, revoked: 0 };

    /// Everything the feed sends at `now`, one word each, and then what it waits for.
    fn drain(feed: &mut Feed, now: Instant) -> Vec<String> {
        let mut words = Vec::new();
        loop {
            words.push(match feed.next(now) {
                Next::Send(Event::State(frame)) => frame.id(),
                Next::Send(Event::Heartbeat(seq)) => format!("hb {seq}"),
                Next::Send(Event::Watchers(count)) => format!("watchers {count}"),
                Next::Send(Event::Note(warning)) => warning.kind().to_owned(),
                Next::Send(Event::Bye(reason)) => format!("bye {}", reason.name()),
                Next::Wait(None) => return words,
                Next::Wait(Some(time)) => {
                    words.push(format!("in {} ms", (time - now).as_millis()));
                    return words;
                }
                Next::End => {
                    words.push("end".to_owned());
                    return words;
                }
            });
        }
    }

    #[test]
    fn the_first_state_comes_at_once() {
        let mut feed = Feed::new(frame(7), ONE, None, PACE);
        assert_eq!(drain(&mut feed, Instant::now()), ["e-7"]);
    }

    #[test]
    fn a_warning_is_given_once_to_whoever_watches_then_or_later() {
        let warned = Notices { warning: Some(Warning::Expires { minutes: 5 }), ..ONE };
        let (now, mut feed) = (Instant::now(), Feed::new(frame(7), ONE, None, PACE));
        assert_eq!(drain(&mut feed, now), ["e-7"]);
        feed.show(frame(7), warned);
        assert_eq!(drain(&mut feed, now), ["expiry"]);
        feed.show(frame(7), warned);
        assert!(drain(&mut feed, now).is_empty());
        assert_eq!(drain(&mut Feed::new(frame(7), warned, None, PACE), now), ["e-7", "expiry"]);
    }

    #[test]
    fn whoever_has_the_state_gets_a_heartbeat_only() {
        let mut feed = Feed::new(frame(7), ONE, Some("e-7"), PACE);
        assert_eq!(drain(&mut feed, Instant::now()), ["hb 7"]);
    }

    #[test]
    fn whoever_has_another_state_gets_this_one() {
        for other in ["e-6", "e-8", "f-7", "rubbish", ""] {
            let mut feed = Feed::new(frame(7), ONE, Some(other), PACE);
            assert_eq!(drain(&mut feed, Instant::now()), ["e-7"], "{other}");
        }
    }

    #[test]
    fn a_slow_reader_skips_to_the_newest() {
        let start = Instant::now();
        let mut feed = Feed::new(frame(0), ONE, None, PACE);
        assert_eq!(drain(&mut feed, start), ["e-0"]);
        for seq in 1..=1000 {
            feed.show(frame(seq), ONE);
        }
        assert_eq!(drain(&mut feed, start + PACE), ["e-1000"]);
        assert_eq!(feed.counts(), (2, 999));
    }

    #[test]
    fn states_come_no_faster_than_wished() {
        let start = Instant::now();
        let mut feed = Feed::new(frame(0), ONE, None, PACE);
        assert_eq!(drain(&mut feed, start), ["e-0"]);
        feed.show(frame(1), ONE);
        let soon = start + Duration::from_millis(30);
        assert_eq!(drain(&mut feed, soon), ["in 70 ms"]);
        assert_eq!(drain(&mut feed, start + PACE), ["e-1"]);
    }

    #[test]
    fn an_older_state_never_follows_a_newer_one() {
        let start = Instant::now();
        let mut feed = Feed::new(frame(5), ONE, None, PACE);
        assert_eq!(drain(&mut feed, start), ["e-5"]);
        feed.show(frame(5), ONE);
        feed.show(frame(4), ONE);
        assert_eq!(drain(&mut feed, start + PACE), Vec::<String>::new());
        feed.show(frame_of("f", 0), ONE);
        assert_eq!(drain(&mut feed, start + PACE), ["f-0"]);
    }

    #[test]
    fn a_heartbeat_waits_for_the_state_that_it_names() {
        let start = Instant::now();
        let mut feed = Feed::new(frame(0), ONE, None, PACE);
        assert_eq!(drain(&mut feed, start), ["e-0"]);
        feed.show(frame(1), ONE);
        feed.beat();
        assert_eq!(drain(&mut feed, start), ["in 100 ms"]);
        assert_eq!(drain(&mut feed, start + PACE), ["e-1", "hb 1"]);
    }

    #[test]
    fn watchers_are_told_when_their_number_changes() {
        let start = Instant::now();
        let two = Notices { watchers: 2, ..ONE };
        let mut feed = Feed::new(frame(0), two, None, PACE);
        assert_eq!(drain(&mut feed, start), ["e-0", "watchers 2"]);
        feed.show(frame(0), two);
        assert_eq!(drain(&mut feed, start), Vec::<String>::new());
        feed.show(frame(0), ONE);
        assert_eq!(drain(&mut feed, start), ["watchers 1"]);
    }

    #[test]
    fn a_farewell_comes_after_the_last_state_and_ends_the_stream() {
        let start = Instant::now();
        let mut feed = Feed::new(frame(0), ONE, None, PACE);
        assert_eq!(drain(&mut feed, start), ["e-0"]);
        feed.show(frame(1), Notices { farewell: Some(ByeReason::Closed), ..ONE });
        feed.close(ByeReason::Shutdown);
        assert_eq!(drain(&mut feed, start), ["e-1", "bye closed", "end"]);
    }

    #[test]
    fn a_wish_for_speed_is_clamped_and_rubbish_ignored() {
        let check = |fps, expected: f64| {
            assert_eq!(interval(fps), Duration::from_secs_f64(1.0 / expected), "{fps:?}");
        };
        check(None, 60.0);
        check(Some("10"), 10.0);
        check(Some("0"), 1.0);
        check(Some("1000"), 60.0);
        check(Some("fast"), 60.0);
        check(Some("NaN"), 60.0);
        check(Some("-3"), 1.0);
    }
}
