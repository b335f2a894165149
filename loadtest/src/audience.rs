//! Subscribers, thousands of them: what each is shown is checked, and how long it was on its way.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
    time::Duration,
};

use anyhow::{Context as _, ensure};
use protocol::{Bye, ByeReason, Heartbeat, Watchers};
use rand::RngExt as _;
use tokio::{
    io::{AsyncRead as _, AsyncWriteExt as _, ReadBuf},
    net::TcpStream,
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep},
};

use crate::{
    latency::{Latency, Timeline},
    place::Place,
    report::Report,
    show::{Seen, Show},
    stream::{Decoder, Event},
};

/// Bytes that are read at once.
const BUFFER: usize = 64 << 10;

/// How often a condition is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Milliseconds before a subscriber whose stream broke comes back.
const PAUSE_MS: std::ops::Range<u64> = 50..250;

/// Faults that are kept in words; all are counted.
const KEPT: usize = 10;

/// What subscribers do when their stream ends though nobody told them to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Temper {
    /// It is a fault.
    Strict,
    /// They come back, with what they saw last: the server is restarted.
    Patient,
}

/// What all subscribers are told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Watch,
    /// Close the connection, and wait.
    Away,
    Leave,
}

/// What subscribers saw, all together.
#[derive(Debug)]
pub(crate) struct Tally {
    /// From sending a command to the subscriber's socket.
    pub(crate) delivery: RefCell<Timeline>,
    /// From connecting to being told where the session is.
    pub(crate) arrival: RefCell<Latency>,
    pub(crate) states: Cell<u64>,
    pub(crate) bytes: Cell<u64>,
    pub(crate) skipped: Cell<u64>,
    pub(crate) heartbeats: Cell<u64>,
    /// Farewells, for want of room left out.
    pub(crate) byes: Cell<u64>,
    /// Farewells for want of room.
    pub(crate) turned_away: Cell<u64>,
    /// Streams that ended though nobody told them to.
    pub(crate) lost: Cell<u64>,
    /// Subscribers whose connection has told them where the session is.
    pub(crate) watching: Cell<usize>,
    /// The newest number of watchers that anybody was told.
    pub(crate) watchers: Cell<u32>,
    faults: RefCell<Vec<String>>,
    fault_count: Cell<u64>,
    buffer: RefCell<Box<[u8]>>,
}

/// A group of subscribers.
#[derive(Debug)]
pub(crate) struct Audience {
    place: Place,
    temper: Temper,
    pub(crate) tally: Rc<Tally>,
    orders: watch::Sender<Order>,
    members: Vec<Rc<Member>>,
    tasks: Vec<JoinHandle<()>>,
}

/// One subscriber.
#[derive(Debug)]
struct Member {
    show: Rc<Show>,
    seen: Cell<Seen>,
}

/// How a connection ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Ended {
    /// When to come back, if the server said so.
    retry: Option<Duration>,
}

impl Tally {
    pub(crate) fn new() -> Rc<Self> {
        Rc::new(Self {
            delivery: RefCell::new(Timeline::new()),
            arrival: RefCell::new(Latency::new()),
            states: Cell::default(),
            bytes: Cell::default(),
            skipped: Cell::default(),
            heartbeats: Cell::default(),
            byes: Cell::default(),
            turned_away: Cell::default(),
            lost: Cell::default(),
            watching: Cell::default(),
            watchers: Cell::default(),
            faults: RefCell::default(),
            fault_count: Cell::default(),
            buffer: RefCell::new(vec![0; BUFFER].into()),
        })
    }

    /// Adds something that is wrong.
    pub(crate) fn fault(&self, what: &anyhow::Error) {
        add(&self.fault_count, 1);
        let mut faults = self.faults.borrow_mut();
        if faults.len() < KEPT {
            faults.push(format!("{what:#}"));
        }
    }

    /// Hands what was wrong over to the report.
    pub(crate) fn give_faults(&self, report: &mut Report) {
        report.faults(self.fault_count.take(), self.faults.take());
    }
}

/// Adds to a count.
pub(crate) fn add<T: Copy + std::ops::Add<Output = T>>(count: &Cell<T>, more: T) {
    count.set(count.get() + more);
}

/// Waits until something holds, at most so long; says whether it does.
pub(crate) async fn holds_within(within: Duration, holds: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while !holds() {
        if begun.elapsed() > within {
            return false;
        }
        sleep(LOOK_EVERY).await;
    }
    true
}

impl Audience {
    /// Nobody yet.
    pub(crate) fn new(place: Place, temper: Temper, tally: &Rc<Tally>) -> Self {
        Self {
            place,
            temper,
            tally: Rc::clone(tally),
            orders: watch::Sender::new(Order::Watch),
            members: Vec::new(),
            tasks: Vec::new(),
        }
    }

    /// Another subscriber. Must be called within a `LocalSet`.
    pub(crate) fn join(&mut self, show: &Rc<Show>) {
        let member = Rc::new(Member { show: Rc::clone(show), seen: Cell::default() });
        let task = Task {
            place: self.place.clone(),
            temper: self.temper,
            tally: Rc::clone(&self.tally),
            member: Rc::clone(&member),
        };
        self.members.push(member);
        self.tasks.push(tokio::task::spawn_local(task.run(self.orders.subscribe())));
    }

    /// So many more subscribers, of each of `shows` in turn, who come within `ramp`.
    pub(crate) async fn fill(&mut self, shows: &[Rc<Show>], count: usize, ramp: Duration) {
        let begun = Instant::now();
        for number in 0..count {
            self.join(&shows[number % shows.len()]);
            let due = begun + ramp.mul_f64(number as f64 / count as f64);
            if due > Instant::now() + LOOK_EVERY {
                tokio::time::sleep_until(due).await;
            } else if number % 64 == 0 {
                tokio::task::yield_now().await;
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// How many have seen a position of at least `seq` of the session, on the connection they have now.
    pub(crate) fn at(&self, seq: u64) -> usize {
        self.count(|seen| seen.here && seen.last.is_some_and(|last| last >= seq))
    }

    /// How many were told where their session is, by the connection they have now.
    pub(crate) fn here(&self) -> usize {
        self.count(|seen| seen.here)
    }

    fn count(&self, is: impl Fn(Seen) -> bool) -> usize {
        self.members.iter().filter(|member| is(member.seen.get())).count()
    }

    /// How many are not where `position` says that their session is.
    pub(crate) fn behind(&self, position: impl Fn(&Rc<Show>) -> u64) -> usize {
        let is_behind =
            |member: &&Rc<Member>| member.seen.get().last != Some(position(&member.show));
        self.members.iter().filter(is_behind).count()
    }

    /// Everybody closes their connection at once, and waits.
    pub(crate) fn send_away(&self) {
        self.orders.send_replace(Order::Away);
    }

    /// Everybody comes back at once.
    pub(crate) fn call_back(&self) {
        self.orders.send_replace(Order::Watch);
    }

    /// Everybody leaves.
    pub(crate) async fn leave(&mut self) {
        self.orders.send_replace(Order::Leave);
        for task in self.tasks.drain(..) {
            if let Err(error) = task.await {
                self.tally.fault(&anyhow::Error::new(error).context("a subscriber crashed"));
            }
        }
        self.members.clear();
        // Others may come.
        self.orders.send_replace(Order::Watch);
    }
}

/// What a subscriber's task has.
struct Task {
    place: Place,
    temper: Temper,
    tally: Rc<Tally>,
    member: Rc<Member>,
}

impl Task {
    /// Watches as it is told.
    async fn run(self, mut orders: watch::Receiver<Order>) {
        loop {
            let order = *orders.borrow_and_update();
            match order {
                Order::Watch => {
                    let outcome = tokio::select! {
                        biased;
                        changed = orders.changed() => {
                            self.gone();
                            if changed.is_err() { return }
                            continue;
                        }
                        outcome = self.listen() => outcome,
                    };
                    self.gone();
                    let ended = match (outcome, self.temper) {
                        (Ok(ended), Temper::Patient) => ended,
                        (Ok(_), Temper::Strict) => {
                            let session = self.member.show.path();
                            self.tally.fault(&anyhow::anyhow!("{session} ended by itself"));
                            return;
                        }
                        (Err(fault), _) => {
                            self.tally.fault(&fault);
                            return;
                        }
                    };
                    add(&self.tally.lost, 1);
                    let pause = || Duration::from_millis(rand::rng().random_range(PAUSE_MS));
                    tokio::select! {
                        changed = orders.changed() => if changed.is_err() { return },
                        () = sleep(ended.retry.unwrap_or_else(pause)) => {}
                    }
                }
                Order::Away => {
                    if orders.changed().await.is_err() {
                        return;
                    }
                }
                Order::Leave => return,
            }
        }
    }

    /// The connection is closed.
    fn gone(&self) {
        let seen = self.member.seen.get();
        if seen.here {
            self.tally.watching.set(self.tally.watching.get() - 1);
        }
        self.member.seen.set(Seen { here: false, ..seen });
    }

    /// One connection, to its end.
    async fn listen(&self) -> anyhow::Result<Ended> {
        let begun = Instant::now();
        let Ok(mut socket) = self.connect().await else { return Ok(Ended::default()) };
        let mut line = Line { task: self, begun, decoder: Decoder::new(), retry: None };
        poll_fn(|cx| line.poll(&mut socket, cx)).await
    }

    async fn connect(&self) -> io::Result<TcpStream> {
        let mut socket = self.place.connect().await?;
        let (path, host) = (self.member.show.path(), self.place.host());
        let resume = self.member.seen.get().last.map_or_else(String::new, |last| {
            format!("Last-Event-ID: {}\r\n", self.member.show.event_id(last))
        });
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n{resume}\r\n"
        );
        socket.write_all(request.as_bytes()).await?;
        Ok(socket)
    }
}

/// A connection that is read.
struct Line<'a> {
    task: &'a Task,
    begun: Instant,
    decoder: Decoder,
    retry: Option<Duration>,
}

impl Line<'_> {
    fn poll(
        &mut self,
        socket: &mut TcpStream,
        cx: &mut Context<'_>,
    ) -> Poll<anyhow::Result<Ended>> {
        loop {
            let mut buffer = self.task.tally.buffer.borrow_mut();
            let mut read = ReadBuf::new(&mut buffer);
            let outcome = ready!(Pin::new(&mut *socket).poll_read(cx, &mut read));
            let ended = Ended { retry: self.retry };
            if outcome.is_err() || read.filled().is_empty() {
                return Poll::Ready(Ok(ended));
            }
            let (task, begun, now) = (self.task, self.begun, Instant::now());
            let retry = &mut self.retry;
            self.decoder.push(read.filled(), |event| task.take(event, begun, now, retry))?;
            if self.decoder.is_over() {
                return Poll::Ready(Ok(Ended { retry: self.retry }));
            }
        }
    }
}

impl Task {
    fn take(
        &self,
        event: Event<'_>,
        begun: Instant,
        now: Instant,
        retry: &mut Option<Duration>,
    ) -> anyhow::Result<()> {
        let (tally, mut seen) = (&self.tally, self.member.seen.get());
        match event.name {
            b"" => {
                let outcome = self.member.show.judge(&mut seen, event.id, event.data, now);
                self.told(seen, begun, now);
                let delivery = outcome?;
                add(&tally.states, 1);
                add(&tally.bytes, event.data.len() as u64);
                add(&tally.skipped, delivery.skipped);
                if let Some(took) = delivery.took {
                    tally.delivery.borrow_mut().add(took, now);
                }
            }
            b"hb" => {
                let Heartbeat { seq } = read(event)?;
                let path = self.member.show.path();
                ensure!(
                    seen.last == Some(seq),
                    "{path}: a subscriber at {:?} was told that the session is at {seq}",
                    seen.last
                );
                add(&tally.heartbeats, 1);
                self.told(Seen { here: true, ..seen }, begun, now);
            }
            b"watchers" => tally.watchers.set(read::<Watchers>(event)?.count),
            b"bye" => {
                let Bye { reason, retry_ms } = read(event)?;
                *retry = Some(Duration::from_millis(retry_ms));
                let count =
                    if reason == ByeReason::Overload { &tally.turned_away } else { &tally.byes };
                add(count, 1);
            }
            _ => {}
        }
        Ok(())
    }

    /// The subscriber has been told where its session is.
    fn told(&self, seen: Seen, begun: Instant, now: Instant) {
        if !self.member.seen.replace(seen).here {
            add(&self.tally.watching, 1);
            self.tally.arrival.borrow_mut().add(now.saturating_duration_since(begun));
        }
    }
}

fn read<'a, T: serde::Deserialize<'a>>(event: Event<'a>) -> anyhow::Result<T> {
    let name = String::from_utf8_lossy(event.name);
    serde_json::from_slice(event.data).with_context(|| format!("an event {name}"))
}

#[cfg(test)]
mod tests;
