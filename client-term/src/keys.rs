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

const fn row(shown: &'static str, does: &'static str, keys: &'static [(KeyCode, Wish)]) -> Binding {
    Binding { shown, ascii: shown, does, keys }
}

impl Binding {
    const fn in_ascii(self, ascii: &'static str) -> Self {
        Self { ascii, ..self }
    }
}

const fn char(key: char, action: Action) -> (KeyCode, Wish) {
    (KeyCode::Char(key), Wish::Act(action))
}

const fn other(key: char, wish: Wish) -> (KeyCode, Wish) {
    (KeyCode::Char(key), wish)
}

use Direction::{Down, Left, Right, Up};

const BINDINGS: &[Binding] = &[
    row(
        "← ↑ ↓ →",
        "move, or take over from a player",
        &[
            (KeyCode::Left, Wish::Act(Action::Move(Left))),
            (KeyCode::Up, Wish::Act(Action::Move(Up))),
            (KeyCode::Down, Wish::Act(Action::Move(Down))),
            (KeyCode::Right, Wish::Act(Action::Move(Right))),
        ],
    )
    .in_ascii("arrows"),
    row(
        "wasd hjkl 8426",
        "the same",
        &[
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
    ),
    row("space", "let the player play, or stop it", &[char(' ', Action::Agent)]),
    row("enter", "let it play one move", &[(KeyCode::Enter, Wish::Act(Action::Step))]),
    row("i", "hint: what it would do", &[char('i', Action::Hint)]),
    row("p", "choose the player", &[other('p', Wish::Players)]),
    row(
        "+ -",
        "faster, slower",
        &[char('+', Action::Faster), char('=', Action::Faster), char('-', Action::Slower)],
    ),
    row("b", "thinking time: Fast, Balanced, Strong", &[char('b', Action::Budget)]),
    row("n", "new game", &[char('n', Action::NewGame)]),
    row(
        ", .  < >",
        "look back and forward: by one, by ten",
        &[
            char(',', Action::Back(1)),
            char('.', Action::Forward(1)),
            char('<', Action::Back(10)),
            char('>', Action::Forward(10)),
        ],
    ),
    row(
        "Home End",
        "the start, the live game",
        &[(KeyCode::Home, Wish::Act(Action::First)), (KeyCode::End, Wish::Act(Action::Live))],
    ),
    row("t", "play it again from here; + - its speed", &[char('t', Action::Replay)]),
    row("f", "on to the next merge to 512 or more", &[char('f', Action::NextMerge)]),
    row("g", "the games of this session", &[other('g', Wish::Games)]),
    row("c", "this position as a code, copied", &[other('c', Wish::Code)]),
    row("v", "the server", &[other('v', Wish::Server)]),
    row(":", "type a command, such as :help", &[other(':', Wish::Type)]),
    row("r", "reconnect now", &[other('r', Wish::TryNow)]),
    row("?", "these keys", &[other('?', Wish::Help), (KeyCode::F(1), Wish::Help)]),
    row("Esc", "close, back to live", &[(KeyCode::Esc, Wish::Close)]),
    row("q ^C", "leave; the game stays on the server", &[other('q', Wish::Quit)]),
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
