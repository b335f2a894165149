//! The way between the window, which must never wait, and the network, which always does.
//!
//! The network lives on a thread of its own. It puts what it hears into an [`Inbox`] that keeps the newest state only,
//! and wakes the window; the window's wishes go the other way.

mod local;

mod worker;

use std::{
    fmt, mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
};

use client::{Answer, Command, Update};
use protocol::{Page, SessionItem};
use tokio::sync::mpsc;

pub use self::worker::start;
use crate::options::Goal;

/// Sentences that wait for the window: more than a person reads within one picture.
const MOST_WAITING: usize = 256;

/// What the window wants.
#[derive(Debug)]
pub enum Order {
    /// Make this call.
    Call(Command),
    /// Go to another server or session.
    Go(Goal),
    /// Start a server in this program, if there is none, and play there.
    PlayHere(Goal),
    /// Fetch the list of sessions.
    Sessions,
    /// Create a session and go there.
    CreateSession,
    /// Reconnect without waiting.
    TryNow,
    /// End, and tell when that is done.
    End,
}

/// What the network says.
#[derive(Debug)]
pub enum News {
    /// It is somewhere else now: what follows is about this place.
    Arrived(Place),
    /// It can't go where it should, for this reason.
    Lost(String),
    /// Something came over the stream.
    Update(Update),
    /// A call has its answer.
    Answer(Box<Answer>),
    /// The sessions, or why there is no list.
    Sessions(Result<Page<SessionItem>, String>),
}

/// Where the window is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The server's address.
    pub server: String,
    /// The session; `None` is `main`.
    pub session: Option<String>,
    /// Whether one may play there, as far as is known.
    pub may_play: bool,
    /// Whether the server is a part of this program.
    pub own: bool,
    /// What is not as it should be, though one can play.
    pub warning: Option<String>,
}

/// What waits for the window.
pub struct Inbox {
    waiting: Mutex<Vec<News>>,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox").field("waiting", &self.lock().len()).finish_non_exhaustive()
    }
}

impl Inbox {
    /// An empty one; `wake` asks for a new picture.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { waiting: Mutex::default(), wake: Box::new(wake) }
    }

    /// Puts something in and wakes the window. A window that does not look, because nobody sees it, finds one state
    /// when it does: the newest.
    pub fn put(&self, news: News) {
        let mut waiting = self.lock();
        if let Some(kind) = replaces(&news) {
            waiting.retain(|older| replaces(older) != Some(kind));
        }
        if waiting.len() == MOST_WAITING {
            waiting.remove(0);
        }
        waiting.push(news);
        drop(waiting);
        (self.wake)();
    }

    /// Takes everything out.
    pub fn take(&self) -> Vec<News> {
        mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<News>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of which kind the newest is enough.
fn replaces(news: &News) -> Option<&'static str> {
    match news {
        News::Update(Update::State(_)) => Some("state"),
        News::Update(Update::Watchers(_)) => Some("watchers"),
        News::Update(Update::Heartbeat(_)) => Some("heartbeat"),
        News::Sessions(_) => Some("sessions"),
        _ => None,
    }
}

/// The window's end of the way.
#[derive(Debug)]
pub struct Link {
    orders: mpsc::UnboundedSender<Order>,
    inbox: Arc<Inbox>,
    thread: Option<JoinHandle<()>>,
}

impl Link {
    /// A link whose other end is in the caller's hands.
    pub fn loose() -> (Self, mpsc::UnboundedReceiver<Order>, Arc<Inbox>) {
        let (orders, received) = mpsc::unbounded_channel();
        let inbox = Arc::new(Inbox::new(|| {}));
        (Self { orders, inbox: Arc::clone(&inbox), thread: None }, received, inbox)
    }

    /// Sends an order. Whether there is still somebody to carry it out. It never waits; a person's wishes are few.
    pub fn order(&self, order: Order) -> bool {
        self.orders.send(order).is_ok()
    }

    /// What has come since the last time.
    pub fn news(&self) -> Vec<News> {
        self.inbox.take()
    }

    /// Ends the network's thread, and a server of our own with it. It waits until what was played is stored.
    pub fn close(&mut self) {
        if self.order(Order::End)
            && let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the network's thread panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_window_that_does_not_look_finds_the_newest_of_each_kind() {
        let woken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&woken);
        let inbox = Inbox::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        });
        for number in 0..1_000 {
            inbox.put(News::Update(Update::Watchers(number)));
            inbox.put(News::Update(Update::Heartbeat(number.into())));
        }
        let kinds: Vec<String> = inbox.take().iter().map(|news| format!("{news:?}")).collect();
        assert_eq!(kinds, ["Update(Watchers(999))", "Update(Heartbeat(999))"]);
        assert_eq!(woken.load(Ordering::Relaxed), 2_000);
        for number in 0..1_000 {
            inbox.put(News::Lost(number.to_string()));
        }
        assert_eq!(inbox.take().len(), MOST_WAITING, "nothing grows without an end");
    }
}
