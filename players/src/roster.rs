//! Which players there are, and in what order they are offered. Adding one is its file and an entry here.

use std::{fmt, time::Duration};

use crate::{Expectimax, Flat, HowHigh, Mcts, Minimax, Player, Random, Rules, Tutorial};

/// One player on offer.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name on the wire and on the command line.
    pub name: &'static str,
    /// Its name as people read it.
    pub title: &'static str,
    /// How long it thinks about a move unless told otherwise; `None` for a player that needs no time.
    pub budget: Option<Duration>,
    /// Makes one, with its default settings.
    pub build: fn() -> Box<dyn Player>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("title", &self.title)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

/// Every player of this crate, in the order they are offered; the first one is the default.
pub fn roster() -> &'static [Entry] {
    &ROSTER
}

/// A budget for many moves a second.
pub const FAST: Duration = Duration::from_millis(5);
/// A budget for watching.
pub const BALANCED: Duration = Duration::from_millis(60);
/// A budget for strong play.
pub const STRONG: Duration = Duration::from_millis(250);

/// The budget called `name`, in any mix of capitals and small letters: fast, balanced or strong.
pub fn budget(name: &str) -> Option<Duration> {
    let budgets = [("fast", FAST), ("balanced", BALANCED), ("strong", STRONG)];
    budgets.into_iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, time)| time)
}

/// The player called `name`.
pub fn find(name: &str) -> Option<&'static Entry> {
    ROSTER.iter().find(|entry| entry.name == name)
}

static ROSTER: [Entry; 6] = [
    Entry {
        name: "mcts",
        title: "Monte Carlo Tree Search",
        budget: Some(Mcts::THINKING_TIME),
        build: || Box::new(Mcts::default()),
    },
    Entry {
        name: "rules",
        title: "Corner rules (up and right)",
        budget: None,
        build: || Box::new(Rules::default()),
    },
    Entry { name: "random", title: "Random", budget: None, build: || Box::new(Random) },
    Entry {
        name: "expectimax",
        title: "Expectimax",
        budget: Some(BALANCED),
        build: || Box::new(Expectimax::<HowHigh>::default()),
    },
    Entry {
        name: "minimax",
        title: "Minimax (expects the worst)",
        budget: Some(Minimax::<Tutorial>::THINKING_TIME),
        build: || Box::new(Minimax::<Tutorial>::default()),
    },
    Entry {
        name: "flat",
        title: "Flat Monte Carlo",
        budget: Some(Mcts::THINKING_TIME),
        build: || Box::new(Flat::default()),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_offered_in_the_agreed_order() {
        let names: Vec<_> = roster().iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["mcts", "rules", "random", "expectimax", "minimax", "flat"]);
    }

    #[test]
    fn budgets_have_names() {
        assert_eq!(
            ["Fast", "balanced", "STRONG"].map(budget),
            [5, 60, 250].map(|ms| { Some(Duration::from_millis(ms)) })
        );
        assert_eq!(budget("slow"), None);
    }

    #[test]
    fn a_player_is_found_by_its_own_name_only() {
        for entry in roster() {
            assert_eq!(find(entry.name).unwrap().title, entry.title);
        }
        assert!(find("MCTS").is_none());
        assert!(find("").is_none());
    }
}
