//! Counts what the streams of one thread are sent.
//!
//! Thousands of times a second, on every thread: so it is counted here without touching what other threads count in, and
//! told to the metrics once a second.

use std::{
    cell::Cell,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use prometheus::local::LocalHistogram;

use super::feed::Event;
use crate::metrics::{Label as _, Metrics, StreamEvent};

/// How often it is told to the metrics.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// What one thread has counted and not told yet.
#[derive(Debug)]
pub(in crate::http) struct Tally {
    metrics: Arc<Metrics>,
    events: [Cell<u64>; StreamEvent::ALL.len()],
    bytes: Cell<u64>,
    conflated: Cell<u64>,
    delivery: LocalHistogram,
    telling: Cell<bool>,
}

impl Tally {
    /// One that has counted nothing.
    pub(in crate::http) fn new(metrics: Arc<Metrics>) -> Rc<Self> {
        let delivery = metrics.streams.delivery_seconds.local();
        let (events, bytes, conflated) = Default::default();
        Rc::new(Self { metrics, events, bytes, conflated, delivery, telling: Cell::new(false) })
    }

    /// Counts `event`, which is `bytes` long; `fresh` is whether it is a state that was published while its reader
    /// was there.
    pub(super) fn sent(self: &Rc<Self>, event: &Event, bytes: usize, fresh: bool, now: Instant) {
        let kind = match event {
            Event::State(frame) => {
                if let Some(published) = frame.published().filter(|_| fresh) {
                    let took = now.saturating_duration_since(published);
                    self.delivery.observe(took.as_secs_f64());
                }
                StreamEvent::State
            }
            Event::Heartbeat(_) => StreamEvent::Heartbeat,
            Event::Watchers(_) => StreamEvent::Watchers,
            Event::Note(_) => StreamEvent::Note,
            Event::Bye(_) => StreamEvent::Bye,
        };
        add(&self.events[kind.index()], 1);
        add(&self.bytes, bytes as u64);
        self.tell_soon();
    }

    /// Counts states that were left out.
    pub(super) fn left_out(&self, states: u64) {
        add(&self.conflated, states);
    }

    fn tell_soon(self: &Rc<Self>) {
        if !self.telling.replace(true) {
            let tally = Rc::clone(self);
            actix_web::rt::spawn(async move {
                tokio::time::sleep(TELL_EVERY).await;
                tally.tell();
            });
        }
    }

    fn tell(&self) {
        self.telling.set(false);
        let figures = &self.metrics.streams;
        for (kind, count) in StreamEvent::ALL.iter().zip(&self.events) {
            figures.events.of(*kind).inc_by(count.take());
        }
        figures.bytes.inc_by(self.bytes.take());
        figures.conflated.inc_by(self.conflated.take());
        self.delivery.flush();
    }
}

fn add(count: &Cell<u64>, more: u64) {
    count.set(count.get() + more);
}
