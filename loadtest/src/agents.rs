//! Sessions in which an AI plays, one game after the other.

use std::rc::Rc;

use anyhow::Context as _;
use client::{CallError, Client};
use protocol::{AgentStart, CreateSession, Series};

use crate::{show::Show, target::Target};

/// Seconds between two moves.
const INTERVAL: f64 = 0.1;

/// Positions of which the bytes are kept.
const TEXTS: usize = 8;

/// A session in which an AI plays.
#[derive(Debug)]
pub(crate) struct Agent {
    session: Client,
    pub(crate) show: Rc<Show>,
}

/// Lets an AI play in each of `count` new sessions.
///
/// # Errors
/// - When the server refuses.
pub(crate) async fn start(target: &Target, count: u32) -> anyhow::Result<Vec<Agent>> {
    let (client, mut all) = (target.client()?, Vec::new());
    for _ in 0..count {
        let created = client.create_session(&CreateSession::default()).await?;
        let show = Show::new(&created.id, &created.state.epoch, TEXTS);
        let session = client.with_session(Some(created.id), Some(created.control));
        let start = AgentStart {
            player: Some("rules".to_owned()),
            interval_seconds: Some(INTERVAL),
            series: Some(Series::default()),
            ..AgentStart::default()
        };
        session.agent_start(&start).await.context("start an AI")?;
        all.push(Agent { session, show: Rc::new(show) });
    }
    Ok(all)
}

/// Stops them all; gives how many moves their running games have.
///
/// # Errors
/// - When the server refuses.
pub(crate) async fn stop(agents: &[Agent]) -> Result<u64, CallError> {
    let mut moves = 0;
    for Agent { session, show } in agents {
        let state = session.agent_stop().await?.state;
        show.acknowledge(state.seq);
        moves += u64::from(state.moves);
    }
    Ok(moves)
}
