//! The players on offer: the register that the API, the runner and every menu read.

use std::{sync::Arc, time::Duration};

use actix::{Actor, Recipient};
use prometheus::Histogram;

use crate::{
    actors::{
        jev::Jev,
        player::{ChooseMove, Figures, Permits, Player},
    },
    jev::{self, Desk},
    metrics::Metrics,
    network::{self, Learned, Network},
};

/// The players of this server, in the order to offer them.
#[derive(Debug)]
pub struct Roster {
    players: Vec<Offer>,
    names: Arc<[String]>,
    entries: Arc<[protocol::RosterEntry]>,
    has_key: bool,
    permits: Arc<Permits>,
    metrics: Arc<Metrics>,
    /// Where the time that each of them thinks is counted.
    think_seconds: Vec<Histogram>,
}

/// A player on offer.
#[derive(Debug, Clone)]
pub struct Offer {
    /// Its name in calls.
    pub name: &'static str,
    /// Its title for people.
    pub title: &'static str,
    /// Its time for a decision when nobody names one; `None` for a player that needs no time.
    pub budget: Option<Duration>,
    /// What it decides with.
    pub mind: Mind,
}

/// What a player decides with.
#[derive(Debug, Clone)]
pub enum Mind {
    /// It thinks here; this makes one.
    Thinks(fn() -> Box<dyn players::Player>),
    /// It asks the hosted model at this desk.
    Asks(Arc<Desk>),
    /// It judges by this network, which all its players share.
    Judges(Arc<Network>),
    /// It cannot be had, for this reason.
    Missing(String),
}

impl Roster {
    /// The players of this build, of which at most `searches` think at the same time.
    ///
    /// # Panics
    /// When there is no player at all.
    pub fn new(players: Vec<Offer>, searches: usize) -> Self {
        assert!(players.iter().any(Offer::is_available), "a server needs a player");
        let permits = Arc::new(Permits::new(searches.max(1)));
        let (names, entries, metrics) = (Arc::default(), Arc::default(), Metrics::new());
        let think_seconds = Vec::new();
        Self { players, names, entries, has_key: false, permits, metrics, think_seconds }.listed()
    }

    /// The same, whose thoughts are counted in `metrics`.
    #[must_use]
    pub fn counted_in(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }.listed()
    }

    /// The same, and before them the hosted model, asked at `desk`; or why it is missing.
    #[must_use]
    pub fn with_jev(mut self, desk: Result<Arc<Desk>, String>) -> Self {
        let mind = desk.map_or_else(Mind::Missing, Mind::Asks);
        let offer = Offer { name: jev::NAME, title: jev::TITLE, budget: None, mind };
        self.has_key = offer.missing() != Some(jev::NO_KEY);
        self.players.insert(0, offer);
        self.listed()
    }

    /// The same with the lists that every state shares.
    fn listed(mut self) -> Self {
        self.names = self.available().map(|offer| offer.name.to_owned()).collect();
        self.entries = self.players.iter().map(Offer::entry).collect();
        let think_seconds = |offer: &Offer| self.metrics.players.think_seconds(offer.name);
        self.think_seconds = self.players.iter().map(think_seconds).collect();
        self
    }

    /// The same, and after the player that looks ahead as it does the learned one with its network; or why it is missing.
    #[must_use]
    pub fn with_network(mut self, network: Result<Arc<Network>, String>) -> Self {
        let mind = network.map_or_else(Mind::Missing, Mind::Judges);
        let budget = Some(players::BALANCED);
        let offer = Offer { name: network::NAME, title: network::TITLE, budget, mind };
        let before = self.players.iter().position(|offer| offer.name == "expectimax");
        self.players.insert(before.map_or(self.players.len(), |place| place + 1), offer);
        self.listed()
    }

    /// The same, and after them those of the program that embeds the server.
    #[must_use]
    pub fn with_guests(mut self, players: Vec<Offer>) -> Self {
        self.players.extend(players);
        self.listed()
    }

    /// Whether the hosted model's key was there at the start.
    pub fn has_key(&self) -> bool {
        self.has_key
    }

    /// The players that every build has.
    pub fn built_in(searches: usize) -> Self {
        let offer = |entry: &players::Entry| Offer {
            name: entry.name,
            title: entry.title,
            budget: entry.budget,
            mind: Mind::Thinks(entry.build),
        };
        Self::new(players::roster().iter().map(offer).collect(), searches)
    }

    /// Names of the available players, in order.
    pub fn names(&self) -> Arc<[String]> {
        Arc::clone(&self.names)
    }

    /// All players as they cross the wire.
    pub fn entries(&self) -> Arc<[protocol::RosterEntry]> {
        Arc::clone(&self.entries)
    }

    /// The player that is offered first.
    ///
    /// # Panics
    /// Never: a roster has an available player.
    pub fn first(&self) -> &'static str {
        self.available().next().expect("a roster has an available player").name
    }

    /// Whether `name` can be started.
    ///
    /// # Errors
    /// - One sentence that names it and the known ones.
    pub fn check(&self, name: &str) -> Result<(), String> {
        self.find(name).map(|_| ())
    }

    /// Starts a mind of `name` on this arbiter.
    ///
    /// # Errors
    /// - As [`Roster::check`].
    pub fn start(&self, name: &str) -> Result<Recipient<ChooseMove>, String> {
        let (place, offer) = self.find(name)?;
        let figures = Figures {
            think_seconds: self.think_seconds[place].clone(),
            metrics: Arc::clone(&self.metrics),
        };
        let permits = Arc::clone(&self.permits);
        Ok(match &offer.mind {
            Mind::Thinks(make) => {
                Player::new(*make, offer.budget, permits, figures).start().recipient()
            }
            Mind::Judges(network) => {
                let network = Arc::clone(network);
                let make = move || Box::new(Learned::new(Arc::clone(&network))) as _;
                Player::new(make, offer.budget, permits, figures).start().recipient()
            }
            Mind::Asks(desk) => Jev::new(Arc::clone(desk), figures).start().recipient(),
            Mind::Missing(reason) => return Err(self.unavailable(name, reason)),
        })
    }

    fn find(&self, name: &str) -> Result<(usize, &Offer), String> {
        match self.players.iter().enumerate().find(|(_, offer)| offer.name == name) {
            None => Err(format!("{name} is not one of {}", self.names().join(", "))),
            Some((_, Offer { mind: Mind::Missing(reason), .. })) => {
                Err(self.unavailable(name, reason))
            }
            Some(found) => Ok(found),
        }
    }

    fn unavailable(&self, name: &str, reason: &str) -> String {
        format!("{name} is not available: {reason}; the players are {}", self.names().join(", "))
    }

    fn available(&self) -> impl Iterator<Item = &Offer> {
        self.players.iter().filter(|offer| offer.is_available())
    }
}

impl Offer {
    /// Why it cannot be started, if it cannot.
    pub fn missing(&self) -> Option<&str> {
        if let Mind::Missing(reason) = &self.mind { Some(reason) } else { None }
    }

    fn entry(&self) -> protocol::RosterEntry {
        protocol::RosterEntry {
            name: self.name.to_owned(),
            title: self.title.to_owned(),
            available: self.is_available(),
            reason: self.missing().map(str::to_owned),
        }
    }

    fn is_available(&self) -> bool {
        self.missing().is_none()
    }
}
