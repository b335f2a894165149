//! The commands that can be typed: a line each in the plain manner, after a colon on the screen.

use std::path::PathBuf;

use client::{
    position,
    seat::games::{Show, Sort},
};
use protocol::{Direction, GameStatus, Grid, Series};

/// What can be typed.
pub const HELP: &str = "\
left, right, up, down  move (also a d w s, h l k j, 4 6 8 2)
b                      the board
state                  move, score, driver in one line
best                   the best scores, by who chose the moves
play [PLAYER]          let a player play
stop                   stop it
step [PLAYER]          let it play one move
hint [PLAYER]          what it would do
series [N] [TILE]      let it play N games, or until it makes TILE
players                the players to choose from
new [SEED]             new game
start CODE             new game on a position
code                   this position as such a code
at MOVE                the board after that move
games [WHICH] [ORDER]  over, left, imported, running; score, tile, moves
more                   the next page of them
export FILE            copy this game into a new file
import FILE            add the game of a file
share                  a link by which others watch
revoke                 make all of them lead nowhere
server                 its version, and whether it is ready
q                      leave
";

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Play a move.
    Move(Direction),
    /// The board.
    Board,
    /// The game in one line.
    State,
    /// The best scores.
    Best,
    /// The players to choose from.
    Players,
    /// A new game, by a seed if one is named.
    New(Option<u64>),
    /// A new game on this position.
    Start(Box<Grid>),
    /// The position as a code.
    Code,
    /// The board after a move.
    At(u32),
    /// Let a player play.
    Play(Option<String>),
    /// One game after the other.
    Series(Series),
    /// Stop the player.
    Stop,
    /// One move of a player.
    Step(Option<String>),
    /// What a player would do.
    Hint(Option<String>),
    /// The games of the session.
    Games(Show, Sort),
    /// The next page of them.
    More,
    /// Copy the game into a file.
    Export(PathBuf),
    /// Add the game of a file.
    Import(PathBuf),
    /// A link to watch by.
    Share,
    /// No link any more.
    Revoke,
    /// What the server says of itself.
    Server,
    /// What can be typed.
    Help,
    /// Leave.
    Quit,
}

impl Order {
    /// Reads a line: one command, or nothing if it is empty or begins with `#`. The error is what to answer.
    ///
    /// # Errors
    /// - a sentence about what is no command
    pub fn read(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_lowercase(), rest.trim());
        let words: Vec<&str> = rest.split_whitespace().collect();
        let order = match (word.as_str(), words.as_slice()) {
            ("left" | "a" | "h" | "4", []) => Self::Move(Direction::Left),
            ("right" | "d" | "l" | "6", []) => Self::Move(Direction::Right),
            ("up" | "w" | "k" | "8", []) => Self::Move(Direction::Up),
            ("down" | "s" | "j" | "2", []) => Self::Move(Direction::Down),
            ("b" | "board", []) => Self::Board,
            ("state", []) => Self::State,
            ("best", []) => Self::Best,
            ("p" | "players", []) => Self::Players,
            ("n" | "new", []) => Self::New(None),
            ("n" | "new", [seed]) => match seed.parse() {
                Ok(seed) => Self::New(Some(seed)),
                Err(_) => return Err(format!("{seed:?} is not a seed: a whole number below 2^64")),
            },
            ("start", []) => return Err("start takes a position, as code prints one".into()),
            ("start", [code]) => {
                Self::Start(Box::new(position::read(code).map_err(|error| error.to_string())?))
            }
            ("code", []) => Self::Code,
            ("at", [number]) => Self::At(whole(number, "move")?),
            ("at", []) => return Err("at takes the number of a move".into()),
            ("play" | "ai", rest @ ([] | [_])) => Self::Play(name(rest)),
            ("series", words) => Self::Series(series(words)?),
            ("stop", []) => Self::Stop,
            ("step", rest @ ([] | [_])) => Self::Step(name(rest)),
            ("i" | "hint", rest @ ([] | [_])) => Self::Hint(name(rest)),
            ("g" | "games", words) => games(words)?,
            ("more", []) => Self::More,
            ("export" | "import", []) => return Err(format!("{word} takes the name of a file")),
            ("export", _) => Self::Export(rest.into()),
            ("import", _) => Self::Import(rest.into()),
            ("share", []) => Self::Share,
            ("revoke", []) => Self::Revoke,
            ("v" | "server" | "version", []) => Self::Server,
            ("?" | "help", []) => Self::Help,
            ("q" | "quit" | "exit", []) => Self::Quit,
            _ => return Err(format!("{line:?} is not a command; ? lists them")),
        };
        Ok(Some(order))
    }
}

fn whole(text: &str, what: &str) -> Result<u32, String> {
    text.parse().map_err(|_error| format!("{text:?} is not the number of a {what}"))
}

/// Without a word: without an end.
fn series(words: &[&str]) -> Result<Series, String> {
    let tile = |text: &str| {
        text.parse().map_err(|_error| format!("{text:?} is not a tile: a number such as 2048"))
    };
    Ok(match words {
        [] => Series::default(),
        ["until", last] => Series { games: None, until_tile: Some(tile(last)?) },
        [games] => Series { games: Some(count(games)?), until_tile: None },
        [games, last] => Series { games: Some(count(games)?), until_tile: Some(tile(last)?) },
        _ => return Err("series takes a number of games, and a tile that ends it".into()),
    })
}

fn count(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_error| format!("{text:?} is not a number of games"))
}

/// Which games and in which order, in any order.
fn games(words: &[&str]) -> Result<Order, String> {
    let (mut show, mut sort) = (Show::All, Sort::Newest);
    for word in words {
        match *word {
            "all" => show = Show::All,
            "over" => show = Show::Only(GameStatus::Over),
            "left" => show = Show::Only(GameStatus::Abandoned),
            "imported" => show = Show::Only(GameStatus::Imported),
            "running" => show = Show::Only(GameStatus::Running),
            "newest" => sort = Sort::Newest,
            "score" => sort = Sort::Score,
            "tile" => sort = Sort::MaxTile,
            "moves" => sort = Sort::Moves,
            _ => {
                let known = "all, over, left, imported, running; newest, score, tile, moves";
                return Err(format!("{word:?} is none of {known}"));
            }
        }
    }
    Ok(Order::Games(show, sort))
}

fn name(words: &[&str]) -> Option<String> {
    words.first().map(|name| (*name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Order) {
        assert_eq!(Order::read(line), Ok(Some(expected)), "{line}");
    }

    #[test]
    fn moves_have_words_and_letters() {
        check("left", Order::Move(Direction::Left));
        check("  DOWN ", Order::Move(Direction::Down));
        for (line, direction) in [
            ("w", Direction::Up),
            ("k", Direction::Up),
            ("8", Direction::Up),
            ("d", Direction::Right),
            ("l", Direction::Right),
        ] {
            check(line, Order::Move(direction));
        }
    }

    #[test]
    fn some_commands_take_a_word_more() {
        check("new", Order::New(None));
        check("n 18446744073709551615", Order::New(Some(u64::MAX)));
        check("play rules", Order::Play(Some("rules".into())));
        check("ai", Order::Play(None));
        check("hint mcts", Order::Hint(Some("mcts".into())));
    }

    #[test]
    fn games_and_positions_are_asked_for_in_words() {
        let series = |games, until_tile| Order::Series(Series { games, until_tile });
        check("series", series(None, None));
        check("series 5", series(Some(5), None));
        check("series 5 2048", series(Some(5), Some(2048)));
        check("series until 1024", series(None, Some(1024)));
        check("games", Order::Games(Show::All, Sort::Newest));
        check("g score left", Order::Games(Show::Only(GameStatus::Abandoned), Sort::Score));
        check("export My Games/one.ndjson", Order::Export("My Games/one.ndjson".into()));
        check("import ONE", Order::Import("ONE".into()));
        check("at 120", Order::At(120));
        check("version", Order::Server);
        check("share", Order::Share);
        check("revoke", Order::Revoke);
        let code = "2.0.0.0-0.0.0.0-0.0.0.0-0.0.0.4";
        check(&format!("start {code}"), Order::Start(Box::new(position::read(code).unwrap())));
    }

    #[test]
    fn empty_lines_and_comments_are_nothing() {
        for line in ["", "   ", "# left"] {
            assert_eq!(Order::read(line), Ok(None));
        }
    }

    #[test]
    fn what_is_no_command_is_said() {
        for (line, said) in [
            ("sideways", "\"sideways\" is not a command; ? lists them"),
            ("left left", "\"left left\" is not a command; ? lists them"),
            ("new x", "\"x\" is not a seed: a whole number below 2^64"),
            ("new -1", "\"-1\" is not a seed: a whole number below 2^64"),
            ("series x", "\"x\" is not a number of games"),
            ("series 2 x", "\"x\" is not a tile: a number such as 2048"),
            ("at last", "\"last\" is not the number of a move"),
            ("export", "export takes the name of a file"),
        ] {
            assert_eq!(Order::read(line).unwrap_err(), said);
        }
    }

    #[test]
    fn the_help_names_every_word() {
        for line in HELP.lines() {
            let word = line.split([' ', ',']).next().unwrap();
            match Order::read(word) {
                Ok(order) => assert!(order.is_some(), "{word}"),
                Err(why) => assert!(why.starts_with(&format!("{word} takes")), "{word}: {why}"),
            }
        }
    }
}
