//! A subscription that stays: it reconnects, resumes and notices a stream that went stale.

mod outbox;
mod recovery;

use std::{future::Future, sync::Arc, time, time::Duration};

use bytes::Bytes;
use futures_util::{StreamExt, stream::BoxStream};
use protocol::{Bye, ByeReason, Heartbeat, Note, PROTOCOL, State, Watchers};
use serde::Deserialize;
use tokio::{
    sync::Notify,
    task::AbortHandle,
    time::{Instant, sleep_until, timeout_at},
};

use self::{
    outbox::Outbox,
    recovery::{Freshness, Recovery},
};
use crate::{
    calls::{CallError, Client},
    sse::{Event, Item, Parser},
};

/// What a subscription tells, newest of its kind first.
#[derive(Debug, Clone, PartialEq)]
pub enum Update {
    /// How the connection is.
    Connection(Connection),
    /// The newest state.
    State(Box<Snapshot>),
    /// How many watch.
    Watchers(u32),
    /// Something worth saying.
    Note(Note),
    /// The server is about to close the stream.
    Bye(Bye),
    /// The stream lives and is at this `seq`.
    Heartbeat(u64),
}

/// A state as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// What we understand of it.
    pub state: State,
    /// The whole of it, on one line, fields that we don't know included.
    pub json: String,
}

/// How the connection is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connection {
    /// The first attempt is under way.
    Connecting,
    /// The stream is open.
    Live,
    /// The stream is lost, or never was.
    Lost {
        /// Since when, over all the attempts.
        since: time::Instant,
        /// When the next attempt is.
        next_try: time::Instant,
        /// Why the last one failed.
        fault: Fault,
    },
    /// The session is closed or the right to watch taken back: there is no next attempt.
    Ended(ByeReason),
}

/// Why a stream or an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No server answered.
    Unreachable,
    /// The stream ended or broke.
    Ended,
    /// No byte came for 40 s.
    Silent,
    /// A heartbeat named a position that we don't have.
    Behind,
    /// The server said goodbye.
    Bye {
        /// Why.
        reason: ByeReason,
        /// When to come back.
        retry: Duration,
    },
    /// The server refused the subscription.
    Refused {
        /// The HTTP status.
        status: u16,
        /// Its sentence.
        detail: String,
        /// How long to wait, where it said so.
        retry_after: Option<Duration>,
    },
    /// The server speaks another version of the protocol.
    Protocol(u32),
    /// What came is not of this protocol.
    Unreadable(String),
}

/// Where the bytes come from: a server, or a test.
pub trait Transport: Send + Sync + 'static {
    /// Opens the stream after the event `last_id`.
    fn open(
        &self,
        last_id: Option<String>,
    ) -> impl Future<Output = Result<BoxStream<'static, Result<Bytes, CallError>>, CallError>> + Send;

    /// The state, for a server that has no room for another stream.
    fn poll(&self) -> impl Future<Output = Result<State, CallError>> + Send;
}

impl Transport for Client {
    async fn open(
        &self,
        last_id: Option<String>,
    ) -> Result<BoxStream<'static, Result<Bytes, CallError>>, CallError> {
        Ok(self.events(last_id.as_deref()).await?.boxed())
    }

    async fn poll(&self) -> Result<State, CallError> {
        self.state().await
    }
}

/// A subscription. Its task ends when this is dropped.
#[derive(Debug)]
pub struct Subscription {
    outbox: Arc<Outbox>,
    hurry: Arc<Notify>,
    task: AbortHandle,
}

impl Subscription {
    /// Subscribes by a task of the current runtime.
    ///
    /// # Panics
    /// - outside a tokio runtime
    pub fn open(transport: impl Transport) -> Self {
        let (outbox, hurry) = (Arc::new(Outbox::default()), Arc::new(Notify::new()));
        let listener = Listener {
            transport,
            outbox: Arc::clone(&outbox),
            hurry: Arc::clone(&hurry),
            recovery: Recovery::default(),
            held: None,
            last_id: None,
            lost_since: None,
            live: false,
        };
        let task = tokio::spawn(listener.run()).abort_handle();
        Self { outbox, hurry, task }
    }

    /// The next update. A caller that is slow misses states, never the newest one. `None` once the task has ended:
    /// after [`Connection::Ended`], or by a panic. Safe to cancel.
    pub async fn next(&mut self) -> Option<Update> {
        self.outbox.next().await
    }

    /// Does not wait for the next attempt's time.
    pub fn try_now(&self) {
        self.hurry.notify_waiters();
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Listener<T: Transport> {
    transport: T,
    outbox: Arc<Outbox>,
    hurry: Arc<Notify>,
    recovery: Recovery,
    /// The newest state's `seq`.
    held: Option<u64>,
    /// The newest state's event id.
    last_id: Option<String>,
    lost_since: Option<Instant>,
    /// Whether the reader was told that the stream is live.
    live: bool,
}

/// However the task ends, by a panic too, the reader does not wait for more.
impl<T: Transport> Drop for Listener<T> {
    fn drop(&mut self) {
        self.outbox.close();
    }
}

impl<T: Transport> Listener<T> {
    async fn run(mut self) {
        self.tell(Update::Connection(Connection::Connecting));
        loop {
            let fault = self.listen().await;
            if let Fault::Bye {
                reason: reason @ (ByeReason::Closed | ByeReason::Revoked), ..
            } = fault
            {
                return self.tell(Update::Connection(Connection::Ended(reason)));
            }
            self.pause(fault).await;
        }
    }

    async fn pause(&mut self, fault: Fault) {
        tracing::debug!(?fault, "stream lost");
        let now = Instant::now();
        let since = *self.lost_since.get_or_insert(now);
        let next_try = now + self.recovery.lost(&fault, now, rand::random_range(-1.0..=1.0));
        if matches!(fault, Fault::Behind | Fault::Unreadable(_)) {
            // What we hold is in doubt: ask for the whole state.
            self.last_id = None;
        }
        let overloaded = matches!(fault, Fault::Bye { reason: ByeReason::Overload, .. });
        if next_try > now {
            self.live = false;
            let (since, next_try) = (since.into_std(), next_try.into_std());
            self.tell(Update::Connection(Connection::Lost { since, next_try, fault }));
        }
        tokio::select! {
            () = sleep_until(next_try) => {}
            () = self.hurry.notified() => {}
        }
        if overloaded && let Ok(state) = self.transport.poll().await {
            self.take(state);
        }
    }

    /// One connection, from the attempt to its end.
    async fn listen(&mut self) -> Fault {
        let mut bytes = match self.transport.open(self.last_id.clone()).await {
            Ok(bytes) => bytes,
            Err(error) => return error.into(),
        };
        let now = Instant::now();
        self.recovery.live(now);
        let mut freshness = Freshness::new(self.held, now);
        let (mut parser, mut items) = (Parser::default(), Vec::new());
        loop {
            let (deadline, overdue) = freshness.deadline();
            let chunk = match timeout_at(deadline, bytes.next()).await {
                Ok(Some(Ok(chunk))) => chunk,
                Ok(Some(Err(_)) | None) => return Fault::Ended,
                Err(_elapsed) => return overdue,
            };
            freshness.heard(Instant::now());
            let read = parser.push(&chunk, &mut items);
            for item in items.drain(..) {
                if let Some(fault) = self.item(item, &mut freshness) {
                    return fault;
                }
            }
            if let Err(too_large) = read {
                return Fault::Unreadable(too_large.to_string());
            }
        }
    }

    fn item(&mut self, item: Item, freshness: &mut Freshness) -> Option<Fault> {
        match item {
            Item::Retry(pause) => {
                self.recovery.asked(pause);
                None
            }
            Item::Event(event) => self.event(event, freshness).err(),
        }
    }

    fn event(&mut self, event: Event, freshness: &mut Freshness) -> Result<(), Fault> {
        match event.name.as_str() {
            "" | "message" => {
                let state = read_state(&event.data)?;
                freshness.holds(state.seq);
                self.held = Some(state.seq);
                self.last_id = Some(event.id).filter(|id| !id.is_empty());
                self.is_live();
                self.tell(Update::State(Box::new(Snapshot { state, json: event.data })));
            }
            "hb" => {
                let Heartbeat { seq } = read(&event.data)?;
                if let Some(behind) = freshness.beat(seq, Instant::now()) {
                    return Err(behind);
                }
                if self.held == Some(seq) {
                    self.recovery.agreed();
                }
                self.is_live();
                self.tell(Update::Heartbeat(seq));
            }
            "watchers" => {
                let Watchers { count } = read(&event.data)?;
                self.tell(Update::Watchers(count));
            }
            "note" => self.tell(Update::Note(read(&event.data)?)),
            "bye" => {
                let bye: Bye = read(&event.data)?;
                self.tell(Update::Bye(bye));
                return Err(Fault::Bye {
                    reason: bye.reason,
                    retry: Duration::from_millis(bye.retry_ms),
                });
            }
            // A newer server may say more than we know.
            _ => {}
        }
        Ok(())
    }

    /// The stream has said where it is. Before that, an open one may be a `bye` for want of room.
    fn is_live(&mut self) {
        self.lost_since = None;
        if !std::mem::replace(&mut self.live, true) {
            self.tell(Update::Connection(Connection::Live));
        }
    }

    /// A state that came by a call.
    fn take(&mut self, state: State) {
        self.held = Some(state.seq);
        // The next stream begins with the whole state, which may be newer.
        self.last_id = None;
        if let Ok(json) = serde_json::to_string(&state) {
            self.tell(Update::State(Box::new(Snapshot { state, json })));
        }
    }

    fn tell(&self, update: Update) {
        self.outbox.put(update);
    }
}

impl From<CallError> for Fault {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Unreachable(_) => Self::Unreachable,
            CallError::Silent => Self::Silent,
            CallError::Refused { status, detail, retry_after, .. } => {
                Self::Refused { status, detail, retry_after }
            }
            CallError::Unreadable(what) => Self::Unreadable(what),
        }
    }
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Result<T, Fault> {
    serde_json::from_str(data).map_err(|error| Fault::Unreadable(error.to_string()))
}

fn read_state(data: &str) -> Result<State, Fault> {
    #[derive(Deserialize)]
    struct Versioned {
        protocol: u32,
    }
    let Versioned { protocol } = read(data)?;
    if protocol == PROTOCOL { read(data) } else { Err(Fault::Protocol(protocol)) }
}

#[cfg(test)]
mod tests;
