//! The list of the session's games: which of them, in which order, a page at a time.

use std::fmt;

use protocol::{DriverKind, GameRecord, GameStatus, Page};

use super::Seat;
use crate::{command::Command, view::spoken::grouped};

/// Games on a page.
pub const PAGE: usize = 15;

/// By what the list is sorted, the most of it first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// When it began.
    #[default]
    Newest,
    /// Its points.
    Score,
    /// Its largest tile.
    MaxTile,
    /// Its moves.
    Moves,
}

impl Sort {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Newest, Self::Score, Self::MaxTile, Self::Moves];

    /// As a call has it.
    pub const fn on_the_wire(self) -> &'static str {
        match self {
            Self::Newest => "-startedAt",
            Self::Score => "-score",
            Self::MaxTile => "-maxTile",
            Self::Moves => "-moves",
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Newest => "newest",
            Self::Score => "score",
            Self::MaxTile => "largest tile",
            Self::Moves => "moves",
        })
    }
}

/// Which games are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Show {
    /// All of them.
    #[default]
    All,
    /// Those that stand so.
    Only(GameStatus),
}

impl Show {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::All,
        Self::Only(GameStatus::Over),
        Self::Only(GameStatus::Abandoned),
        Self::Only(GameStatus::Imported),
        Self::Only(GameStatus::Running),
    ];

    /// As a call has it; `None` for all of them.
    pub const fn on_the_wire(self) -> Option<&'static str> {
        match self {
            Self::All => None,
            Self::Only(GameStatus::Running) => Some("running"),
            Self::Only(GameStatus::Over) => Some("over"),
            Self::Only(GameStatus::Abandoned) => Some("abandoned"),
            Self::Only(GameStatus::Imported) => Some("imported"),
        }
    }
}

impl fmt::Display for Show {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all",
            Self::Only(status) => status_word(*status),
        })
    }
}

/// "over", or "left" for one that another game took the place of.
pub const fn status_word(status: GameStatus) -> &'static str {
    match status {
        GameStatus::Running => "running",
        GameStatus::Over => "over",
        GameStatus::Abandoned => "left",
        GameStatus::Imported => "imported",
    }
}

/// "12,340 points, 812 moves, largest 1024, over, by mcts and a person": a line of the list.
pub fn record_words(game: &GameRecord) -> String {
    let mut who: Vec<&str> = Vec::new();
    for stretch in &game.drivers {
        let name = if stretch.kind == DriverKind::Human { "a person" } else { &stretch.name };
        if !who.contains(&name) {
            who.push(name);
        }
    }
    let by = if who.is_empty() { String::new() } else { format!(", by {}", who.join(" and ")) };
    format!(
        "{} points, {} moves, largest {}, {}{}{by}",
        grouped(game.score),
        grouped(game.moves.into()),
        game.max_tile,
        status_word(game.status),
        if game.custom { ", custom start" } else { "" },
    )
}

/// What is asked for: one page of one list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GamesQuery {
    /// Which games.
    pub show: Show,
    /// In which order.
    pub sort: Sort,
    /// Where the page begins; the first when `None`.
    pub cursor: Option<String>,
}

/// The list as far as it is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Games {
    /// What is asked for.
    pub query: GamesQuery,
    /// The page, or why there is none; `None` while it is on its way.
    pub page: Option<Result<Page<GameRecord>, String>>,
    /// Where the pages before this one begin.
    before: Vec<Option<String>>,
}

impl Games {
    /// The number of the page, from 1.
    pub fn number(&self) -> usize {
        self.before.len() + 1
    }

    /// The games of the page.
    pub fn items(&self) -> &[GameRecord] {
        match &self.page {
            Some(Ok(page)) => &page.items,
            _ => &[],
        }
    }

    /// Whether there is a page after this one.
    pub fn has_more(&self) -> bool {
        matches!(&self.page, Some(Ok(Page { next: Some(_), .. })))
    }
}

/// What a person wants of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// The first page anew.
    Anew,
    /// Other games.
    Show(Show),
    /// Another order.
    Sort(Sort),
    /// The next page.
    Next,
    /// The page before.
    Back,
}

impl Seat {
    /// Turns to another page of the list. `None` when there is no such page.
    pub fn leaf(&mut self, leaf: Leaf) -> Option<Command> {
        let games = &mut self.games;
        match leaf {
            Leaf::Next => {
                let Some(Ok(Page { next: Some(next), .. })) = &games.page else { return None };
                let here = games.query.cursor.replace(next.clone());
                games.before.push(here);
            }
            Leaf::Back => games.query.cursor = games.before.pop()?,
            Leaf::Anew | Leaf::Show(_) | Leaf::Sort(_) => {
                games.before.clear();
                games.query.cursor = None;
            }
        }
        match leaf {
            Leaf::Show(show) => games.query.show = show,
            Leaf::Sort(sort) => games.query.sort = sort,
            Leaf::Anew | Leaf::Next | Leaf::Back => {}
        }
        games.page = None;
        Some(Command::Games(games.query.clone()))
    }

    /// A page came. One that nobody waits for any more is not shown.
    pub(super) fn listed(&mut self, query: &GamesQuery, page: Result<Page<GameRecord>, String>) {
        if *query == self.games.query {
            self.games.page = Some(page);
        }
    }
}

/// The one after `value` in `all`, and after the last the first.
pub fn after<T: Copy + PartialEq>(all: &[T], value: T) -> T {
    let place = all.iter().position(|each| *each == value).map_or(0, |place| place + 1);
    all.get(place).or(all.first()).copied().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::view::animation::Motion;

    fn page(next: Option<&str>) -> Page<GameRecord> {
        Page { items: Vec::new(), next: next.map(str::to_owned) }
    }

    #[test]
    fn pages_are_leafed_through_and_another_order_begins_anew() {
        let mut seat = Seat::new(true, Motion::Off, Instant::now());
        let first = GamesQuery::default();
        assert_eq!(seat.leaf(Leaf::Anew), Some(Command::Games(first.clone())));
        seat.listed(&first, Ok(page(Some("c1"))));
        let second = GamesQuery { cursor: Some("c1".into()), ..first.clone() };
        assert_eq!(seat.leaf(Leaf::Next), Some(Command::Games(second.clone())));
        assert_eq!(seat.leaf(Leaf::Next), None, "the page is still on its way");
        seat.listed(&first, Ok(page(None)));
        assert_eq!(seat.games.page, None, "that was another page");
        seat.listed(&second, Ok(page(None)));
        assert_eq!((seat.games.number(), seat.games.has_more()), (2, false));
        assert_eq!(seat.leaf(Leaf::Next), None);
        assert_eq!(seat.leaf(Leaf::Back), Some(Command::Games(first.clone())));
        assert_eq!(seat.leaf(Leaf::Back), None);
        let sorted = GamesQuery { sort: Sort::Score, ..first };
        assert_eq!(seat.leaf(Leaf::Sort(Sort::Score)), Some(Command::Games(sorted)));
    }

    #[test]
    fn what_can_be_chosen_goes_round() {
        let mut seen = vec![Show::All];
        while seen.len() < 6 {
            seen.push(after(&Show::ALL, seen[seen.len() - 1]));
        }
        assert_eq!((seen[1], seen[5]), (Show::Only(GameStatus::Over), Show::All));
        let words: Vec<_> = Sort::ALL.iter().map(Sort::to_string).collect();
        assert_eq!(words, ["newest", "score", "largest tile", "moves"]);
    }
}
