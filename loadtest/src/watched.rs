//! A session in which an AI plays as fast as it can, and somebody who watches: positions never go back.

use std::net::SocketAddr;

use anyhow::{Context as _, ensure};
use client::{Client, Connection, Subscription, Update};
use protocol::{AgentStart, CreateSession, Pace, Series};

/// A watched session.
#[derive(Debug)]
pub(crate) struct Watched {
    id: String,
    /// The newest position that was shown.
    last: u64,
    /// How many states were shown.
    pub(crate) seen: u64,
}

/// Lets an AI play one game after the other in each of `count` new sessions.
///
/// # Errors
/// - When the server refuses.
pub(crate) async fn start(address: SocketAddr, count: usize) -> anyhow::Result<Vec<Watched>> {
    let client = Client::new(&address.to_string(), None, None)?;
    let mut all = Vec::new();
    for _ in 0..count {
        let created = client.create_session(&CreateSession::default()).await?;
        let start = AgentStart {
            player: Some("random".to_owned()),
            pace: Some(Pace::Max),
            series: Some(Series::default()),
            ..AgentStart::default()
        };
        let session = client.with_session(Some(created.id.clone()), Some(created.control));
        session.agent_start(&start).await.context("start an AI")?;
        all.push(Watched { id: created.id, last: 0, seen: 0 });
    }
    Ok(all)
}

impl Watched {
    /// Watches until the stream breaks; gives what is wrong.
    pub(crate) async fn watch(&mut self, address: SocketAddr) -> Option<anyhow::Error> {
        let client = match self.client(address) {
            Ok(client) => client,
            Err(error) => return Some(error),
        };
        let mut stream = Subscription::open(client);
        while let Some(update) = stream.next().await {
            match update {
                Update::State(snapshot) => {
                    if let Err(error) = self.take(snapshot.state.seq) {
                        return Some(error);
                    }
                }
                Update::Connection(Connection::Lost { .. }) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether what was shown is there, though the server was killed since.
    pub(crate) async fn look_again(&mut self, address: SocketAddr) -> anyhow::Result<()> {
        let state = self.client(address)?.state().await?;
        self.take(state.seq)
    }

    fn take(&mut self, seq: u64) -> anyhow::Result<()> {
        ensure!(seq >= self.last, "session {} went back from {} to {seq}", self.id, self.last);
        self.last = seq;
        self.seen += 1;
        Ok(())
    }

    fn client(&self, address: SocketAddr) -> anyhow::Result<Client> {
        Ok(Client::new(&address.to_string(), Some(self.id.clone()), None)?)
    }
}
