//! A person who watches by the event stream of the server.

use client::{Client, Subscription, Update};
use protocol::State;
use tokio::{sync::watch, task::JoinHandle};

use crate::table::PATIENCE;

/// Somebody who watches, or did until they left.
#[derive(Debug)]
pub(crate) struct Watcher {
    client: Client,
    /// `None` after they left.
    eyes: Option<Eyes>,
}

#[derive(Debug)]
struct Eyes {
    seen: watch::Receiver<Seen>,
    task: JoinHandle<()>,
}

/// What the stream has told so far.
#[derive(Debug, Default)]
struct Seen {
    newest: Option<State>,
    /// How many watch.
    watchers: u32,
    /// What came in a wrong order.
    disorder: Option<String>,
}

impl Watcher {
    /// Somebody who has come and seen the first state.
    pub(crate) async fn come(client: &Client) -> Self {
        let mut watcher = Self { client: client.clone(), eyes: None };
        watcher.come_back().await;
        watcher
    }

    /// Watches again, and has seen a state when this returns.
    pub(crate) async fn come_back(&mut self) {
        let (sender, seen) = watch::channel(Seen::default());
        let subscription = Subscription::open(self.client.clone());
        let task = tokio::spawn(look(subscription, sender));
        self.eyes = Some(Eyes { seen, task });
        self.wait(|seen| seen.newest.is_some()).await;
    }

    /// Stops watching.
    pub(crate) fn leave(&mut self) {
        self.eyes.take().expect("they were watching").task.abort();
    }

    /// Whether they are watching.
    pub(crate) fn is_there(&self) -> bool {
        self.eyes.is_some()
    }

    /// Waits until they see the position of `state`; it must be the same in everything.
    pub(crate) async fn check_sees(&mut self, state: &State) {
        let holds = |seen: &Seen| seen.newest.as_ref().is_some_and(|seen| seen.seq >= state.seq);
        let mut seen = self.wait(holds).await.expect("it was waited for");
        // Who else is watching is told apart from the states.
        seen.watchers = state.watchers;
        assert_eq!(seen, *state);
    }

    /// Waits until they are told that so many are watching.
    pub(crate) async fn check_knows(&mut self, watchers: u32) {
        self.wait(|seen| seen.watchers == watchers).await;
    }

    async fn wait(&mut self, until: impl Fn(&Seen) -> bool) -> Option<State> {
        let eyes = self.eyes.as_mut().expect("they are watching");
        let arrived = eyes.seen.wait_for(|seen| seen.disorder.is_some() || until(seen));
        let seen = tokio::time::timeout(PATIENCE, arrived).await.expect("it is seen in time");
        let seen = seen.expect("the watcher goes on watching");
        assert_eq!(seen.disorder, None);
        seen.newest.clone()
    }
}

/// Takes in what the stream tells until nobody wants to know.
async fn look(mut subscription: Subscription, seen: watch::Sender<Seen>) {
    while let Some(update) = subscription.next().await {
        match update {
            Update::State(snapshot) => seen.send_modify(|seen| seen.take(snapshot.state)),
            Update::Watchers(count) => seen.send_modify(|seen| seen.watchers = count),
            _ => {}
        }
    }
}

impl Seen {
    fn take(&mut self, state: State) {
        if let Some(before) = &self.newest
            && before.epoch == state.epoch
            && before.seq > state.seq
        {
            self.disorder = Some(format!("{} came after {}", state.seq, before.seq));
        }
        self.watchers = state.watchers;
        self.newest = Some(state);
    }
}
