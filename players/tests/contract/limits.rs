//! Limits for tests, and what a player does when one of them is reached.

use std::{
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use engine::Board;
use players::{Clock, Entry, Limits, roster};

use crate::choose;

/// A position that no search comes to the end of.
const HARD: &str = "8192 2048 512 64 2 8 128 32 4 16 2 4 . . 2 .";

/// A clock for which no time passes.
pub(crate) struct Frozen;

impl Clock for Frozen {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Work for so many nodes, as long as it takes.
pub(crate) fn nodes(most: u64, seed: u64) -> Limits<'static> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Limits { budget: None, nodes: Some(most), clock: &Frozen, stop: &NEVER, seed }
}

/// A clock for which no time passes. At the look with the number `at`, it lets somebody else act and waits for them.
struct Meeting {
    at: u32,
    looks: AtomicU32,
    arrived: mpsc::SyncSender<()>,
    acted: std::sync::Mutex<mpsc::Receiver<()>>,
}

impl Clock for Meeting {
    fn elapsed(&self) -> Duration {
        if self.looks.fetch_add(1, Ordering::SeqCst) + 1 == self.at {
            self.arrived.send(()).unwrap();
            self.acted.lock().unwrap().recv().unwrap();
        }
        Duration::ZERO
    }
}

/// Lets a thought of ten seconds run, by a clock that never advances, until its `at`-th look at the clock; sets the
/// stop flag from another thread; and gives how often it looked in all, and how much it did.
#[expect(clippy::disallowed_methods, reason = "a test owns its threads")]
fn looks_until_stopped(entry: &Entry, board: Board, at: u32) -> (u32, u64) {
    let stop = AtomicBool::new(false);
    let (arrived, wait_for_arrival) = mpsc::sync_channel(0);
    let (act, acted) = mpsc::sync_channel(0);
    let clock = Meeting { at, looks: AtomicU32::new(0), arrived, acted: acted.into() };
    let stop = &stop;
    thread::scope(|scope| {
        // The thought owns the clock, so that its end is an end of waiting for it.
        let thought = scope.spawn(move || {
            let budget = Some(Duration::from_secs(10));
            let limits = Limits { budget, nodes: None, clock: &clock, stop, seed: 1 };
            let effort = choose(entry, board, &limits).effort;
            (clock.looks.load(Ordering::SeqCst), effort.rollouts.max(effort.nodes))
        });
        if wait_for_arrival.recv().is_ok() {
            stop.store(true, Ordering::Relaxed);
            act.send(()).unwrap();
        }
        thought.join().unwrap()
    })
}

#[test]
fn a_stop_flag_ends_a_long_thought() {
    let board = HARD.parse().unwrap();
    for entry in roster().iter().filter(|entry| entry.budget.is_some()) {
        for at in [1, 2, 50] {
            // The stop is seen at the next look, before the clock is read again.
            let (looks, _) = looks_until_stopped(entry, board, at);
            assert_eq!(looks, at, "{} went on", entry.name);
        }
    }
}

#[test]
fn a_thought_looks_at_its_limits_often() {
    let board = HARD.parse().unwrap();
    for entry in roster().iter().filter(|entry| entry.budget.is_some()) {
        let (_, before) = looks_until_stopped(entry, board, 100);
        let (_, after) = looks_until_stopped(entry, board, 200);
        // A rollout has thirty moves and a board four slides, each of at most a tenth of a microsecond.
        let work = after - before;
        assert!(work <= 100 * 2_000, "{}: {work} in 100 looks", entry.name);
    }
}

/// A clock that advances by a millisecond whenever it is looked at.
#[derive(Default)]
struct Ticking(AtomicU32);

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(u64::from(self.0.fetch_add(1, Ordering::SeqCst)))
    }
}

#[test]
fn a_thought_ends_when_its_time_is_up() {
    let board = HARD.parse().unwrap();
    for entry in roster().iter().filter(|entry| entry.budget.is_some()) {
        let clock = Ticking::default();
        let limits = Limits {
            budget: Some(Duration::from_millis(20)),
            nodes: None,
            clock: &clock,
            ..nodes(0, 1)
        };
        choose(entry, board, &limits);
        // A search may see that its time is too short for more, but it never looks again when its time is up.
        assert!((2..=21).contains(&clock.0.load(Ordering::SeqCst)), "{}", entry.name);
    }
}
