//! What each key does. The handlers and the help are made from this one table.

use client::seat::Action;
use protocol::Direction;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Something of the game, as in every client.
    Act(Action),
    /// Open the list of players.
    Players,
    /// Open the list of games.
    Games,
    /// Type a command.
    Type,
    /// Show the position as a code, and copy it.
    Code,
    /// Show what the server says of itself.
    Server,
    /// Don't wait for the next attempt to reconnect.
    TryNow,
    /// Show the keys.
    Help,
    /// Close what is open, or go back to live.
    Close,
    /// Leave.
    Quit,
    /// Stop the process, as the shell's job control does.
    Suspend,
    /// Draw everything again.
    Redraw,
}

/// One line of the help and the keys behind it.
struct Binding {
    /// The keys as the help shows them.
    shown: &'static str,
    /// The same without characters beyond ASCII.
    ascii: &'static str,
    does: &'static str,
    keys: &'static [(KeyCode, Wish)],
}

const fn char(key: char, action: Action) -> (KeyCode, Wish) {
    (KeyCode::Char(key), Wish::Act(action))
}

const fn other(key: char, wish: Wish) -> (KeyCode, Wish) {
    (KeyCode::Char(key), wish)
}

use Direction::{Down, Left, Right, Up};

const BINDINGS: &[Binding] = &[
    Binding {
        shown: "← ↑ ↓ →",
        ascii: "arrows",
        does: "move, or take over from a player",
        keys: &[
            (KeyCode::Left, Wish::Act(Action::Move(Left))),
            (KeyCode::Up, Wish::Act(Action::Move(Up))),
            (KeyCode::Down, Wish::Act(Action::Move(Down))),
            (KeyCode::Right, Wish::Act(Action::Move(Right))),
        ],
    },
    Binding {
        shown: "wasd hjkl 8426",
        ascii: "wasd hjkl 8426",
        does: "the same",
        keys: &[
            char('w', Action::Move(Up)),
            char('a', Action::Move(Left)),
            char('s', Action::Move(Down)),
            char('d', Action::Move(Right)),
            char('h', Action::Move(Left)),
            char('j', Action::Move(Down)),
            char('k', Action::Move(Up)),
            char('l', Action::Move(Right)),
            char('8', Action::Move(Up)),
            char('4', Action::Move(Left)),
            char('2', Action::Move(Down)),
            char('6', Action::Move(Right)),
        ],
    },
    Binding {
        shown: "space",
        ascii: "space",
        does: "let the player play, or stop it",
        keys: &[char(' ', Action::Agent)],
    },
    Binding {
        shown: "enter",
        ascii: "enter",
        does: "let it play one move",
        keys: &[(KeyCode::Enter, Wish::Act(Action::Step))],
    },
    Binding {
        shown: "i",
        ascii: "i",
        does: "hint: what it would do",
        keys: &[char('i', Action::Hint)],
    },
    Binding {
        shown: "p",
        ascii: "p",
        does: "choose the player",
        keys: &[other('p', Wish::Players)],
    },
    Binding {
        shown: "+ -",
        ascii: "+ -",
        does: "faster, slower",
        keys: &[char('+', Action::Faster), char('=', Action::Faster), char('-', Action::Slower)],
    },
    Binding {
        shown: "b",
        ascii: "b",
        does: "thinking time: Fast, Balanced, Strong",
        keys: &[char('b', Action::Budget)],
    },
    Binding { shown: "n", ascii: "n", does: "new game", keys: &[char('n', Action::NewGame)] },
    Binding {
        shown: ", .  < >",
        ascii: ", .  < >",
        does: "look back and forward: by one, by ten",
        keys: &[
            char(',', Action::Back(1)),
            char('.', Action::Forward(1)),
            char('<', Action::Back(10)),
            char('>', Action::Forward(10)),
        ],
    },
    Binding {
        shown: "Home End",
        ascii: "Home End",
        does: "the start, the live game",
        keys: &[(KeyCode::Home, Wish::Act(Action::First)), (KeyCode::End, Wish::Act(Action::Live))],
    },
    Binding {
        shown: "t",
        ascii: "t",
        does: "play it again from here; + - its speed",
        keys: &[char('t', Action::Replay)],
    },
    Binding {
        shown: "f",
        ascii: "f",
        does: "on to the next merge to 512 or more",
        keys: &[char('f', Action::NextMerge)],
    },
    Binding {
        shown: "g",
        ascii: "g",
        does: "the games of this session",
        keys: &[other('g', Wish::Games)],
    },
    Binding {
        shown: "c",
        ascii: "c",
        does: "this position as a code, copied",
        keys: &[other('c', Wish::Code)],
    },
    Binding { shown: "v", ascii: "v", does: "the server", keys: &[other('v', Wish::Server)] },
    Binding {
        shown: ":",
        ascii: ":",
        does: "type a command, such as :help",
        keys: &[other(':', Wish::Type)],
    },
    Binding { shown: "r", ascii: "r", does: "reconnect now", keys: &[other('r', Wish::TryNow)] },
    Binding {
        shown: "?",
        ascii: "?",
        does: "these keys",
        keys: &[other('?', Wish::Help), (KeyCode::F(1), Wish::Help)],
    },
    Binding {
        shown: "Esc",
        ascii: "Esc",
        does: "close, back to live",
        keys: &[(KeyCode::Esc, Wish::Close)],
    },
    Binding {
        shown: "q ^C",
        ascii: "q ^C",
        does: "leave; the game stays on the server",
        keys: &[other('q', Wish::Quit)],
    },
];

/// Keys with Ctrl. They are the terminal's own customs.
const WITH_CTRL: &[(char, Wish)] = &[('c', Wish::Quit), ('z', Wish::Suspend), ('l', Wish::Redraw)];

/// What `key` asks for. Alt and other modifiers are not ours; a letter is the same with Shift or Caps Lock.
pub fn wish(key: &KeyEvent) -> Option<Wish> {
    let modifiers = key.modifiers - KeyModifiers::SHIFT;
    let code = match key.code {
        KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
        other => other,
    };
    if modifiers == KeyModifiers::CONTROL {
        let found = WITH_CTRL.iter().find(|(letter, _)| KeyCode::Char(*letter) == code);
        return found.map(|(_, wish)| *wish);
    }
    let mut all = BINDINGS.iter().flat_map(|binding| binding.keys);
    all.find(|(bound, _)| modifiers.is_empty() && *bound == code).map(|(_, wish)| *wish)
}

/// The help: keys, and what they do.
pub fn help(ascii: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    BINDINGS
        .iter()
        .map(move |binding| (if ascii { binding.ascii } else { binding.shown }, binding.does))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn pressed(code: KeyCode, modifiers: KeyModifiers) -> Option<Wish> {
        wish(&KeyEvent::new(code, modifiers))
    }

    #[test]
    fn no_key_does_two_things() {
        let keys: Vec<KeyCode> =
            BINDINGS.iter().flat_map(|binding| binding.keys).map(|(code, _)| *code).collect();
        let different: HashSet<&KeyCode> = keys.iter().collect();
        assert_eq!(different.len(), keys.len());
    }

    #[test]
    fn every_direction_has_its_keys() {
        for (keys, direction) in [("wk8", Up), ("sj2", Down), ("ah4", Left), ("dl6", Right)] {
            for key in keys.chars() {
                let expected = Some(Wish::Act(Action::Move(direction)));
                assert_eq!(pressed(KeyCode::Char(key), KeyModifiers::NONE), expected, "{key}");
            }
        }
        assert_eq!(pressed(KeyCode::Up, KeyModifiers::NONE), Some(Wish::Act(Action::Move(Up))));
    }

    #[test]
    fn letters_are_the_same_with_caps_lock() {
        assert_eq!(
            pressed(KeyCode::Char('W'), KeyModifiers::SHIFT),
            Some(Wish::Act(Action::Move(Up)))
        );
        assert_eq!(pressed(KeyCode::Char('?'), KeyModifiers::SHIFT), Some(Wish::Help));
    }

    #[test]
    fn keys_with_modifiers_are_not_moves() {
        for modifiers in [KeyModifiers::ALT, KeyModifiers::CONTROL, KeyModifiers::SUPER] {
            assert_eq!(pressed(KeyCode::Left, modifiers), None);
            assert_eq!(pressed(KeyCode::Char('s'), modifiers), None);
        }
        assert_eq!(pressed(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Wish::Quit));
        assert_eq!(pressed(KeyCode::Char('z'), KeyModifiers::CONTROL), Some(Wish::Suspend));
    }

    #[test]
    fn the_help_can_be_shown_in_ascii() {
        assert!(help(true).all(|(keys, does)| keys.is_ascii() && does.is_ascii()));
        assert_eq!(help(true).count(), help(false).count());
    }
}
