//! When to try again: the decisions about a lost stream, without a clock, a socket or a random number of its own.

use std::time::Duration;

use protocol::ByeReason;
use tokio::time::Instant;

use super::Fault;

/// The pauses between attempts, in milliseconds; the last one stays.
const PAUSES_MS: [u64; 6] = [500, 1_000, 2_000, 4_000, 8_000, 10_000];
/// A jitter of 1 is this share of a pause.
const JITTER: f64 = 0.2;
/// A stream that lived as long as this starts the pauses from the first again.
const PROVEN: Duration = Duration::from_secs(30);
/// A server that isn't there costs nobody anything to ask, and play should go on within 5 s of its return.
/// With jitter it is 4.2 s: the rest is for connecting and for the first state.
const MOST_WHEN_GONE: Duration = Duration::from_millis(3_500);
/// How often a server without room for another stream is asked.
const OVERLOADED: Duration = Duration::from_secs(5);
/// Whatever a server asks for, a person who waits is not left alone for longer.
const MOST_ASKED: Duration = Duration::from_mins(1);
/// No byte for as long as this, with a heartbeat every 15 s: the connection is dead.
const SILENCE: Duration = Duration::from_secs(40);
/// A heartbeat may overtake a state that is held back by the cap on the frame rate, by no more than this.
const OVERTAKEN: Duration = Duration::from_millis(500);

/// What is known about the connections so far.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    attempt: usize,
    live_since: Option<Instant>,
    /// The last `retry:` of the server.
    asked: Duration,
    /// The reconnection under way was made at once.
    hurried: bool,
}

impl Recovery {
    /// The server answered with a stream.
    pub(super) fn live(&mut self, now: Instant) {
        self.live_since = Some(now);
    }

    /// The server asked for a pause before the next reconnection.
    pub(super) fn asked(&mut self, pause: Duration) {
        self.asked = pause.min(MOST_ASKED);
    }

    /// A heartbeat named the state that we hold: hurrying was right.
    pub(super) fn agreed(&mut self) {
        self.hurried = false;
    }

    /// The attempt or the stream ended by `fault`: the pause before the next. `jitter` is -1 to 1.
    pub(super) fn lost(&mut self, fault: &Fault, now: Instant, jitter: f64) -> Duration {
        let live_since = self.live_since.take();
        if live_since.is_some_and(|since| now - since >= PROVEN) {
            self.attempt = 0;
        }
        match fault {
            Fault::Bye { reason: ByeReason::Overload, retry } => {
                (*retry).clamp(OVERLOADED, MOST_ASKED).mul_f64(1.0 + JITTER * jitter)
            }
            // The server spread its clients itself; what follows is a new story.
            Fault::Bye { retry, .. } => {
                self.attempt = 0;
                (*retry).min(MOST_ASKED)
            }
            // Twice in a row without agreement would be a loop.
            Fault::Behind if !self.hurried => {
                self.hurried = true;
                Duration::ZERO
            }
            Fault::Refused { retry_after, .. } => {
                self.step(jitter).max(retry_after.unwrap_or_default().min(MOST_ASKED))
            }
            Fault::Protocol(_) | Fault::Unreadable(_) => self.step(jitter),
            Fault::Unreachable | Fault::Ended | Fault::Silent | Fault::Behind => {
                let pause = self.step(jitter).min(MOST_WHEN_GONE.mul_f64(1.0 + JITTER * jitter));
                if live_since.is_some() { pause.max(self.asked) } else { pause }
            }
        }
    }

    fn step(&mut self, jitter: f64) -> Duration {
        let pause = PAUSES_MS[self.attempt.min(PAUSES_MS.len() - 1)];
        self.attempt += 1;
        Duration::from_millis(pause).mul_f64(1.0 + JITTER * jitter)
    }
}

/// Whether the stream that is open still tells the newest.
#[derive(Debug)]
pub(super) struct Freshness {
    heard: Instant,
    /// The `seq` of the newest state, over all connections.
    held: Option<u64>,
    /// A heartbeat named a newer one, then.
    overtaken: Option<Instant>,
}

impl Freshness {
    pub(super) fn new(held: Option<u64>, now: Instant) -> Self {
        Self { heard: now, held, overtaken: None }
    }

    /// A byte came.
    pub(super) fn heard(&mut self, now: Instant) {
        self.heard = now;
    }

    /// A state came.
    pub(super) fn holds(&mut self, seq: u64) {
        self.held = Some(seq);
        self.overtaken = None;
    }

    /// A heartbeat came. A `seq` older than ours can't be explained by a state on its way: behind at once.
    pub(super) fn beat(&mut self, seq: u64, now: Instant) -> Option<Fault> {
        match self.held {
            Some(held) if seq < held => return Some(Fault::Behind),
            Some(held) if seq == held => self.overtaken = None,
            _ => self.overtaken = self.overtaken.or(Some(now)),
        }
        None
    }

    /// When the stream is given up if nothing comes before, and why.
    pub(super) fn deadline(&self) -> (Instant, Fault) {
        match self.overtaken {
            Some(since) => (since + OVERTAKEN, Fault::Behind),
            None => (self.heard + SILENCE, Fault::Silent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses(recovery: &mut Recovery, fault: &Fault, jitter: f64) -> Vec<u128> {
        let now = Instant::now();
        (0..8).map(|_| recovery.lost(fault, now, jitter).as_millis()).collect()
    }

    fn nonsense() -> Fault {
        Fault::Unreadable(String::new())
    }

    #[test]
    fn the_pauses_grow_to_ten_seconds() {
        let expected = [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000];
        assert_eq!(pauses(&mut Recovery::default(), &nonsense(), 0.0), expected);
    }

    #[test]
    fn jitter_moves_a_pause_by_a_fifth_at_most() {
        assert_eq!(pauses(&mut Recovery::default(), &nonsense(), 1.0)[..2], [600, 1_200]);
        assert_eq!(pauses(&mut Recovery::default(), &nonsense(), -1.0)[5..7], [8_000, 8_000]);
    }

    #[test]
    fn a_server_that_is_gone_is_asked_at_least_every_five_seconds() {
        for fault in [Fault::Unreachable, Fault::Ended, Fault::Silent] {
            let longest = pauses(&mut Recovery::default(), &fault, 1.0);
            assert_eq!(longest, [600, 1_200, 2_400, 4_200, 4_200, 4_200, 4_200, 4_200]);
        }
    }

    #[test]
    fn thirty_seconds_of_stream_start_the_pauses_again() {
        let mut recovery = Recovery::default();
        let start = Instant::now();
        pauses(&mut recovery, &Fault::Silent, 0.0);
        recovery.live(start);
        let short = start + Duration::from_millis(29_999);
        assert_eq!(recovery.lost(&Fault::Silent, short, 0.0).as_millis(), 3_500);
        recovery.live(start);
        let long = start + Duration::from_secs(30);
        assert_eq!(recovery.lost(&Fault::Silent, long, 0.0).as_millis(), 500);
    }

    #[test]
    fn the_servers_retry_is_the_least_pause_after_a_stream() {
        let mut recovery = Recovery::default();
        recovery.live(Instant::now());
        recovery.asked(Duration::from_millis(2_300));
        assert_eq!(recovery.lost(&Fault::Ended, Instant::now(), 0.0).as_millis(), 2_300);
        assert_eq!(recovery.lost(&Fault::Unreachable, Instant::now(), 0.0).as_millis(), 1_000);
        recovery.asked(Duration::from_secs(1 << 40));
        recovery.live(Instant::now());
        assert_eq!(recovery.lost(&Fault::Ended, Instant::now(), 0.0).as_secs(), 60);
    }

    #[test]
    fn a_bye_says_itself_when_to_come_back() {
        let mut recovery = Recovery::default();
        pauses(&mut recovery, &Fault::Silent, 0.0);
        let bye = |reason, ms| Fault::Bye { reason, retry: Duration::from_millis(ms) };
        let mut lost = |fault| recovery.lost(&fault, Instant::now(), 0.0).as_millis();
        assert_eq!(lost(bye(ByeReason::Shutdown, 1_800)), 1_800);
        assert_eq!(lost(Fault::Unreachable), 500, "a new story");
        assert_eq!(lost(bye(ByeReason::Overload, 1_800)), 5_000);
        assert_eq!(lost(bye(ByeReason::Overload, 9_000)), 9_000);
    }

    #[test]
    fn a_refusal_that_names_a_pause_gets_it() {
        let refused = Fault::Refused {
            status: 429,
            detail: String::new(),
            retry_after: Some(Duration::from_secs(7)),
        };
        assert_eq!(pauses(&mut Recovery::default(), &refused, 0.0)[3..6], [7_000, 8_000, 10_000]);
    }

    #[test]
    fn a_stream_that_is_behind_is_opened_again_at_once_but_not_in_a_loop() {
        let mut recovery = Recovery::default();
        let lost = |recovery: &mut Recovery| {
            recovery.lost(&Fault::Behind, Instant::now(), 0.0).as_millis()
        };
        assert_eq!(lost(&mut recovery), 0);
        assert_eq!(lost(&mut recovery), 500);
        recovery.agreed();
        assert_eq!(lost(&mut recovery), 0);
    }

    #[test]
    fn forty_seconds_without_a_byte_are_silence() {
        let start = Instant::now();
        let mut freshness = Freshness::new(None, start);
        freshness.heard(start + Duration::from_secs(7));
        assert_eq!(freshness.deadline(), (start + Duration::from_secs(47), Fault::Silent));
    }

    #[test]
    fn a_heartbeat_may_overtake_a_state_for_half_a_second() {
        let start = Instant::now();
        let mut freshness = Freshness::new(Some(7), start);
        assert_eq!(freshness.beat(7, start), None);
        assert_eq!(freshness.deadline().1, Fault::Silent);
        assert_eq!(freshness.beat(9, start), None);
        assert_eq!(freshness.beat(10, start + Duration::from_millis(400)), None);
        assert_eq!(freshness.deadline(), (start + Duration::from_millis(500), Fault::Behind));
        freshness.holds(10);
        assert_eq!(freshness.deadline().1, Fault::Silent);
    }

    #[test]
    fn a_heartbeat_older_than_the_state_means_that_history_was_lost() {
        let mut freshness = Freshness::new(Some(7), Instant::now());
        assert_eq!(freshness.beat(6, Instant::now()), Some(Fault::Behind));
    }
}
