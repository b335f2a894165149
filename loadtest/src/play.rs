//! People who play: each connection a move when it is due, whether or not the one before was answered in time.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use rand::RngExt as _;
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    audience::{Tally, Temper, add},
    latency::{Latency, Timeline},
    place::Place,
    seat::Seat,
    wire::{self, Refused, Wire},
};

/// Before what was not answered is asked again.
const PAUSE: Duration = Duration::from_millis(50);

/// Before what was refused is asked again by who asks as fast as possible: what the refusal says, more or less.
const TOLD: std::ops::Range<f64> = 0.5..1.5;

/// Somebody so late does not catch up: the server was away.
const TOO_LATE: Duration = Duration::from_secs(1);

/// What the players got.
#[derive(Debug)]
pub(crate) struct Acks {
    /// From when a command was due to its acknowledgement.
    pub(crate) latency: RefCell<Timeline>,
    /// Acknowledged commands.
    pub(crate) count: Cell<u64>,
    /// Refusals in words, for a server that stops or has too much to do.
    pub(crate) refused: Cell<u64>,
    /// From asking to such a refusal.
    pub(crate) refusal: RefCell<Latency>,
    /// Connections that broke.
    pub(crate) lost: Cell<u64>,
    over: watch::Sender<bool>,
}

/// People who play, until they are told to stop.
#[derive(Debug)]
pub(crate) struct Players {
    pub(crate) acks: Rc<Acks>,
    tasks: Vec<JoinHandle<Vec<Seat>>>,
}

impl Players {
    /// Begins to play: all seats of a share by one connection, in turn, and all together `rate` commands a second; an
    /// infinite rate is each as soon as the one before is answered.
    pub(crate) fn begin(
        place: &Place,
        shares: Vec<Vec<Seat>>,
        rate: f64,
        temper: Temper,
        tally: &Rc<Tally>,
    ) -> Self {
        let acks = Rc::new(Acks {
            latency: RefCell::new(Timeline::new()),
            count: Cell::default(),
            refused: Cell::default(),
            refusal: RefCell::new(Latency::new()),
            lost: Cell::default(),
            over: watch::Sender::new(false),
        });
        let seats = shares.iter().map(Vec::len).sum::<usize>() as f64;
        let (begun, count) = (Instant::now(), shares.len() as f64);
        let player = |(number, share): (usize, Vec<Seat>)| {
            let every = Duration::from_secs_f64(seats / rate / share.len() as f64);
            let player = Player {
                place: place.clone(),
                acks: Rc::clone(&acks),
                tally: Rc::clone(tally),
                temper,
                // The connections take turns.
                due: begun + every.mul_f64(number as f64 / count),
                every,
            };
            tokio::task::spawn_local(player.play(share))
        };
        let shares = shares.into_iter().filter(|share| !share.is_empty()).enumerate();
        Self { tasks: shares.map(player).collect(), acks: Rc::clone(&acks) }
    }

    /// Ends it when what was asked is answered; gives the seats back.
    ///
    /// # Errors
    /// - When a player crashed.
    pub(crate) async fn end(self) -> anyhow::Result<Vec<Seat>> {
        self.acks.over.send_replace(true);
        let mut seats = Vec::new();
        for task in self.tasks {
            seats.extend(task.await?);
        }
        Ok(seats)
    }
}

struct Player {
    place: Place,
    acks: Rc<Acks>,
    tally: Rc<Tally>,
    temper: Temper,
    due: Instant,
    every: Duration,
}

impl Player {
    async fn play(mut self, mut share: Vec<Seat>) -> Vec<Seat> {
        let acks = Rc::clone(&self.acks);
        let mut over = acks.over.subscribe();
        let (mut wire, mut turn) = (None, 0);
        loop {
            tokio::select! {
                biased;
                _ = over.wait_for(|over| *over) => return share,
                () = sleep_until(self.due) => {}
            }
            let place = turn % share.len();
            turn += 1;
            if let Err(fault) = self.until_answered(&mut share[place], &mut wire).await {
                self.tally.fault(&fault);
                return share;
            }
            let now = Instant::now();
            acks.latency.borrow_mut().add(now.saturating_duration_since(self.due), now);
            add(&acks.count, 1);
            self.due += self.every;
            let at_once = self.every.is_zero();
            if at_once || (self.temper == Temper::Patient && self.due + TOO_LATE < now) {
                self.due = now;
            }
        }
    }

    /// Asks for one thing, again and again if it must be.
    async fn until_answered(&self, seat: &mut Seat, wire: &mut Option<Wire>) -> anyhow::Result<()> {
        loop {
            let begun = Instant::now();
            let asked = async {
                let open = match wire {
                    Some(wire) => wire,
                    None => wire.insert(Wire::open(self.place.clone()).await?),
                };
                seat.act(open).await
            };
            let Err(error) = asked.await else { return Ok(()) };
            let for_now = error.downcast_ref::<Refused>().is_some_and(Refused::is_for_now);
            if self.temper == Temper::Strict || !(for_now || wire::is_broken(&error)) {
                return Err(error);
            }
            if for_now {
                add(&self.acks.refused, 1);
                self.acks.refusal.borrow_mut().add(begun.elapsed());
            } else {
                add(&self.acks.lost, 1);
                *wire = None;
            }
            let told = for_now && self.every.is_zero();
            sleep(if told {
                Duration::from_secs_f64(rand::rng().random_range(TOLD))
            } else {
                PAUSE
            })
            .await;
        }
    }
}
