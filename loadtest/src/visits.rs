//! Those who come and go: somebody watches for a moment, and a session is created, played and closed.

use std::{cell::Cell, rc::Rc, time::Duration};

use client::Client;
use futures_util::future::try_join;
use protocol::{CreateSession, MoveRequest};
use rand::{RngExt as _, seq::IndexedRandom as _};
use tokio::{sync::watch, task::JoinHandle, time::sleep};

use crate::{
    audience::{Audience, Tally, Temper, add},
    place::Place,
    scene::Scene,
    show::Show,
};

/// Visitors, until they are told to stay away.
#[derive(Debug)]
pub(crate) struct Visits {
    /// Visits that went as they should.
    pub(crate) count: Rc<Cell<u64>>,
    over: watch::Sender<bool>,
    task: JoinHandle<()>,
}

struct Visitor {
    client: Client,
    tally: Rc<Tally>,
    place: Place,
    shows: Vec<Rc<Show>>,
    temper: Temper,
    every: Duration,
}

impl Visits {
    /// So many visits a second from now on.
    ///
    /// # Errors
    /// - When the HTTP client does not start.
    pub(crate) fn begin(scene: &Scene, rate: f64, temper: Temper) -> anyhow::Result<Self> {
        let visitor = Visitor {
            client: scene.target.client()?,
            tally: Rc::clone(&scene.tally),
            place: scene.target.place.clone(),
            shows: scene.shows.clone(),
            temper,
            every: Duration::from_secs_f64(1.0 / rate.max(1e-3)),
        };
        let (over, count) = (watch::Sender::new(false), Rc::new(Cell::new(0)));
        let (mut told, visits) = (over.subscribe(), Rc::clone(&count));
        let task = tokio::task::spawn_local(async move {
            while !*told.borrow() {
                match visitor.visit().await {
                    Ok(()) => add(&visits, 1),
                    // The server was restarted meanwhile.
                    Err(_) if visitor.temper == Temper::Patient => {}
                    Err(fault) => visitor.tally.fault(&fault),
                }
                let pause = sleep(visitor.every / 4);
                tokio::select! {
                    _ = told.wait_for(|over| *over) => return,
                    () = pause => {}
                }
            }
        });
        Ok(Self { count, over, task })
    }

    /// The last visitor leaves.
    ///
    /// # Errors
    /// - When a visitor crashed.
    pub(crate) async fn end(self) -> anyhow::Result<()> {
        self.over.send_replace(true);
        Ok(self.task.await?)
    }
}

impl Visitor {
    /// Takes about three quarters of the time between two visits.
    async fn visit(&self) -> anyhow::Result<()> {
        let watches = async {
            let mut visitor = Audience::new(self.place.clone(), self.temper, &self.tally);
            if let Some(show) = self.shows.choose(&mut rand::rng()) {
                visitor.join(show);
            }
            sleep(self.every.mul_f64(rand::rng().random_range(0.5..1.0))).await;
            visitor.leave().await;
            anyhow::Ok(())
        };
        let plays = async {
            let created = self.client.create_session(&CreateSession::default()).await?;
            let session = self.client.with_session(Some(created.id), Some(created.control));
            for direction in &created.state.legal {
                let direction = engine::Direction::from(*direction).name().to_owned();
                session.move_(&MoveRequest { direction, ..MoveRequest::default() }).await?;
            }
            session.close_session().await?;
            anyhow::Ok(())
        };
        try_join(watches, plays).await.map(drop)
    }
}
