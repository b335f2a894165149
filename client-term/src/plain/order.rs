//! The commands of the plain manner.

use protocol::Direction;

/// What can be typed.
pub(super) const HELP: &str = "\
left, right, up, down  move (also a d w s, h l k j, 4 6 8 2)
b                      the board
state                  move, score, driver in one line
play [PLAYER]          let a player play
stop                   stop it
step [PLAYER]          let it play one move
hint [PLAYER]          what it would do
players                the players to choose from
new [SEED]             new game
q                      leave
";

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Order {
    Move(Direction),
    Board,
    State,
    Players,
    New(Option<u64>),
    Play(Option<String>),
    Stop,
    Step(Option<String>),
    Hint(Option<String>),
    Help,
    Quit,
}

impl Order {
    /// Reads a line: one command, or nothing if it is empty or begins with `#`. The error is what to answer.
    pub(super) fn read(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default().to_lowercase();
        let rest: Vec<&str> = words.collect();
        let order = match (word.as_str(), rest.as_slice()) {
            ("left" | "a" | "h" | "4", []) => Self::Move(Direction::Left),
            ("right" | "d" | "l" | "6", []) => Self::Move(Direction::Right),
            ("up" | "w" | "k" | "8", []) => Self::Move(Direction::Up),
            ("down" | "s" | "j" | "2", []) => Self::Move(Direction::Down),
            ("b" | "board", []) => Self::Board,
            ("state", []) => Self::State,
            ("p" | "players", []) => Self::Players,
            ("n" | "new", []) => Self::New(None),
            ("n" | "new", [seed]) => match seed.parse() {
                Ok(seed) => Self::New(Some(seed)),
                Err(_) => return Err(format!("{seed:?} is not a seed: a whole number below 2^64")),
            },
            ("play" | "ai", rest @ ([] | [_])) => Self::Play(name(rest)),
            ("stop", []) => Self::Stop,
            ("step", rest @ ([] | [_])) => Self::Step(name(rest)),
            ("i" | "hint", rest @ ([] | [_])) => Self::Hint(name(rest)),
            ("?" | "help", []) => Self::Help,
            ("q" | "quit" | "exit", []) => Self::Quit,
            _ => return Err(format!("{line:?} is not a command; ? lists them")),
        };
        Ok(Some(order))
    }
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
        ] {
            assert_eq!(Order::read(line).unwrap_err(), said);
        }
    }

    #[test]
    fn the_help_names_every_word() {
        for line in HELP.lines() {
            let word = line.split([' ', ',']).next().unwrap();
            assert!(Order::read(word).unwrap().is_some(), "{word}");
        }
    }
}
