//! The players on offer: the register that the API, the runner and every menu read.

use std::{sync::Arc, time::Duration};

use actix::{Actor, Recipient};
use tokio::sync::Semaphore;

use crate::actors::player::{ChooseMove, Player};

/// The players of this server, in the order to offer them.
#[derive(Debug)]
pub struct Roster {
    players: Vec<Offer>,
    permits: Arc<Semaphore>,
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
    /// Makes its mind.
    pub make: fn() -> Box<dyn players::Player>,
    /// Why it cannot be started, if it cannot.
    pub missing: Option<String>,
}

impl Roster {
    /// The players of this build, of which at most `searches` think at the same time.
    ///
    /// # Panics
    /// When there is no player at all.
    pub fn new(players: Vec<Offer>, searches: usize) -> Self {
        assert!(players.iter().any(Offer::is_available), "a server needs a player");
        Self { players, permits: Arc::new(Semaphore::new(searches.max(1))) }
    }

    /// The players that every build has.
    pub fn built_in(searches: usize) -> Self {
        let offer = |entry: &players::Entry| Offer {
            name: entry.name,
            title: entry.title,
            budget: entry.budget,
            make: entry.build,
            missing: None,
        };
        Self::new(players::roster().iter().map(offer).collect(), searches)
    }

    /// Names of the available players, in order.
    pub fn names(&self) -> Vec<String> {
        self.available().map(|offer| offer.name.to_owned()).collect()
    }

    /// All players as they cross the wire.
    pub fn entries(&self) -> Vec<protocol::RosterEntry> {
        let entry = |offer: &Offer| protocol::RosterEntry {
            name: offer.name.to_owned(),
            title: offer.title.to_owned(),
            available: offer.is_available(),
            reason: offer.missing.clone(),
        };
        self.players.iter().map(entry).collect()
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
        let offer = self.find(name)?;
        Ok(Player::new(offer.make, offer.budget, Arc::clone(&self.permits)).start().recipient())
    }

    fn find(&self, name: &str) -> Result<&Offer, String> {
        let known = || self.names().join(", ");
        match self.players.iter().find(|offer| offer.name == name) {
            None => Err(format!("{name} is not one of {}", known())),
            Some(Offer { missing: Some(reason), .. }) => {
                Err(format!("{name} is not available: {reason}; the players are {}", known()))
            }
            Some(offer) => Ok(offer),
        }
    }

    fn available(&self) -> impl Iterator<Item = &Offer> {
        self.players.iter().filter(|offer| offer.is_available())
    }
}

impl Offer {
    fn is_available(&self) -> bool {
        self.missing.is_none()
    }
}
