//! What each key does, and how the board gets its keys before anything else in the window.
//!
//! The handlers and the help are made from one table.

use eframe::egui::{Context, Event, Id, Key, Memory, Modifiers, Plugin, RawInput};
use protocol::Direction;

use crate::settings::Held;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Play a move.
    Move(Direction),
    /// Start or stop the player.
    Agent,
    /// Let the player play one move.
    Step,
    /// Ask the player what it would do.
    Hint,
    /// Begin a new game, after a question.
    NewGame,
    /// Look that many moves back.
    Back(u32),
    /// Look that many moves forward.
    Forward(u32),
    /// Look at the start.
    First,
    /// Back to the live game.
    Live,
    /// Less time between the player's moves.
    Faster,
    /// More time between them.
    Slower,
    /// Choose the player of this number in the list, from 0.
    Player(usize),
    /// Say the board.
    Read,
    /// Show the keys.
    Help,
    /// Close what is open, go back to live, or leave.
    Close,
}

/// One line of the help and the keys behind it.
struct Binding {
    shown: &'static str,
    does: &'static str,
    keys: &'static [(Match, Action)],
}

/// Which key is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Match {
    /// The one with this sign on it.
    Sign(Key),
    /// The same, with Shift.
    Shifted(Key),
    /// The one at this place of an American keyboard.
    Place(Key),
}

use Direction::{Down, Left, Right, Up};
use Match::{Place, Shifted, Sign};

const BINDINGS: &[Binding] = &[
    Binding {
        shown: "Arrows",
        does: "move, or take over from a player",
        keys: &[
            (Sign(Key::ArrowUp), Action::Move(Up)),
            (Sign(Key::ArrowDown), Action::Move(Down)),
            (Sign(Key::ArrowLeft), Action::Move(Left)),
            (Sign(Key::ArrowRight), Action::Move(Right)),
        ],
    },
    Binding {
        shown: "W A S D by place",
        does: "the same",
        keys: &[
            (Place(Key::W), Action::Move(Up)),
            (Place(Key::A), Action::Move(Left)),
            (Place(Key::S), Action::Move(Down)),
            (Place(Key::D), Action::Move(Right)),
        ],
    },
    Binding {
        shown: "H J K L",
        does: "left, down, up, right",
        keys: &[
            (Sign(Key::H), Action::Move(Left)),
            (Sign(Key::J), Action::Move(Down)),
            (Sign(Key::K), Action::Move(Up)),
            (Sign(Key::L), Action::Move(Right)),
        ],
    },
    Binding {
        shown: "Space",
        does: "let the player play, or stop it",
        keys: &[(Sign(Key::Space), Action::Agent)],
    },
    Binding {
        shown: "Enter",
        does: "let it play one move",
        keys: &[(Sign(Key::Enter), Action::Step)],
    },
    Binding { shown: "I", does: "hint: what it would do", keys: &[(Sign(Key::I), Action::Hint)] },
    Binding {
        shown: "N or R",
        does: "new game",
        keys: &[(Sign(Key::N), Action::NewGame), (Sign(Key::R), Action::NewGame)],
    },
    Binding {
        shown: ", .  [ ]",
        does: "look back and forward; with Shift by ten",
        keys: &[
            (Sign(Key::Comma), Action::Back(1)),
            (Sign(Key::OpenBracket), Action::Back(1)),
            (Sign(Key::Period), Action::Forward(1)),
            (Sign(Key::CloseBracket), Action::Forward(1)),
            (Shifted(Key::Comma), Action::Back(10)),
            (Shifted(Key::OpenBracket), Action::Back(10)),
            (Shifted(Key::OpenCurlyBracket), Action::Back(10)),
            (Shifted(Key::Period), Action::Forward(10)),
            (Shifted(Key::CloseBracket), Action::Forward(10)),
            (Shifted(Key::CloseCurlyBracket), Action::Forward(10)),
        ],
    },
    Binding {
        shown: "Home End",
        does: "the start, the live game",
        keys: &[(Sign(Key::Home), Action::First), (Sign(Key::End), Action::Live)],
    },
    Binding {
        shown: "+ -",
        does: "faster, slower",
        keys: &[
            (Sign(Key::Plus), Action::Faster),
            (Sign(Key::Equals), Action::Faster),
            (Sign(Key::Minus), Action::Slower),
        ],
    },
    Binding {
        shown: "1 to 9",
        does: "choose a player",
        keys: &[
            (Sign(Key::Num1), Action::Player(0)),
            (Sign(Key::Num2), Action::Player(1)),
            (Sign(Key::Num3), Action::Player(2)),
            (Sign(Key::Num4), Action::Player(3)),
            (Sign(Key::Num5), Action::Player(4)),
            (Sign(Key::Num6), Action::Player(5)),
            (Sign(Key::Num7), Action::Player(6)),
            (Sign(Key::Num8), Action::Player(7)),
            (Sign(Key::Num9), Action::Player(8)),
        ],
    },
    Binding { shown: "B", does: "say the board", keys: &[(Sign(Key::B), Action::Read)] },
    Binding {
        shown: "?",
        does: "these keys",
        keys: &[(Sign(Key::Questionmark), Action::Help), (Sign(Key::F1), Action::Help)],
    },
    Binding {
        shown: "Esc",
        does: "close, back to live, leave",
        keys: &[(Sign(Key::Escape), Action::Close)],
    },
];

/// Signs that some keyboards have only with Shift.
const WITH_SHIFT_TOO: [Key; 2] = [Key::Plus, Key::Questionmark];

/// What the key with this sign, at this place, asks for. Keys with Ctrl, Alt and their like are not ours.
pub fn action(sign: Key, place: Option<Key>, modifiers: Modifiers) -> Option<Action> {
    if modifiers.ctrl || modifiers.alt || modifiers.command || modifiers.mac_cmd {
        return None;
    }
    let letter = sign.name().len() == 1 && sign.name().chars().all(char::is_alphabetic);
    let meant = |bound: &Match| match *bound {
        Place(key) => place.unwrap_or(sign) == key,
        Sign(key) => sign == key && (!modifiers.shift || letter || WITH_SHIFT_TOO.contains(&key)),
        Shifted(key) => modifiers.shift && (sign == key || place == Some(key)),
    };
    let mut all = BINDINGS.iter().flat_map(|binding| binding.keys);
    all.find(|(bound, _)| meant(bound)).map(|(_, action)| *action)
}

/// The help: keys, and what they do.
pub fn help() -> impl Iterator<Item = (&'static str, &'static str)> {
    BINDINGS.iter().map(|binding| (binding.shown, binding.does))
}

/// The board's id in the window.
pub fn board_id() -> Id {
    Id::unique("board")
}

/// Who gets the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reader {
    /// The board.
    #[default]
    Board,
    /// A dialog: Tab, Space, Enter and Esc are its own, and nothing plays.
    Dialog,
}

/// Takes the board's keys out of the input before the window sees it. Otherwise an arrow would walk from button to
/// button once one was clicked.
#[derive(Debug, Default)]
pub struct Keys {
    reader: Reader,
    held: Held,
    pressed: Vec<Action>,
    down: Vec<Direction>,
}

impl Keys {
    /// Says who gets the keys from now on.
    pub fn belong_to(&mut self, reader: Reader, held: Held) {
        (self.reader, self.held) = (reader, held);
    }

    /// What was pressed since the last time.
    pub fn take(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.pressed)
    }

    /// Whether the event is the board's, and so nobody else's.
    fn is_ours(&mut self, event: &Event, focused: Option<Id>) -> bool {
        let Event::Key { key, physical_key, pressed, repeat, modifiers } = event else {
            return false;
        };
        let Some(action) = action(*key, *physical_key, *modifiers) else { return false };
        // Space and Enter press the button that has the focus, if one has.
        let pushes = matches!(action, Action::Agent | Action::Step);
        if pushes && focused.is_some_and(|id| id != board_id()) {
            return false;
        }
        if let Action::Move(direction) = action {
            self.down.retain(|down| *down != direction);
            if *pressed {
                self.down.push(direction);
            }
            // Two directions held together mean neither.
            if self.down.len() > 1 {
                return true;
            }
        }
        if *pressed && (!*repeat || self.held == Held::Repeat || !matches!(action, Action::Move(_)))
        {
            self.pressed.push(action);
        }
        true
    }
}

impl Plugin for Keys {
    fn debug_name(&self) -> &'static str {
        "the board's keys"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        if !input.focused {
            self.down.clear();
        }
        if self.reader == Reader::Dialog || ctx.text_edit_focused() {
            self.down.clear();
            return;
        }
        let focused = ctx.memory(Memory::focused);
        input.events.retain(|event| !self.is_ours(event, focused));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(key: Key) -> Option<Action> {
        action(key, Some(key), Modifiers::NONE)
    }

    #[test]
    fn every_direction_has_its_keys() {
        for (keys, direction) in [
            ([Key::ArrowUp, Key::W, Key::K], Up),
            ([Key::ArrowDown, Key::S, Key::J], Down),
            ([Key::ArrowLeft, Key::A, Key::H], Left),
            ([Key::ArrowRight, Key::D, Key::L], Right),
        ] {
            for key in keys {
                assert_eq!(plain(key), Some(Action::Move(direction)), "{key:?}");
            }
        }
    }

    #[test]
    fn wasd_is_a_place_and_hjkl_a_sign() {
        // A French keyboard has Z where an American one has W.
        assert_eq!(action(Key::Z, Some(Key::W), Modifiers::NONE), Some(Action::Move(Up)));
        assert_eq!(action(Key::W, Some(Key::Z), Modifiers::NONE), None);
        assert_eq!(action(Key::H, Some(Key::M), Modifiers::NONE), Some(Action::Move(Left)));
    }

    #[test]
    fn shift_looks_by_ten_and_other_modifiers_are_not_ours() {
        let shifted = |key| action(key, Some(key), Modifiers::SHIFT);
        assert_eq!(plain(Key::Comma), Some(Action::Back(1)));
        assert_eq!(shifted(Key::Comma), Some(Action::Back(10)));
        assert_eq!(shifted(Key::Period), Some(Action::Forward(10)));
        assert_eq!(shifted(Key::A), Some(Action::Move(Left)), "Caps Lock does no harm");
        assert_eq!(
            action(Key::Questionmark, Some(Key::Slash), Modifiers::SHIFT),
            Some(Action::Help)
        );
        for modifiers in [Modifiers::CTRL, Modifiers::ALT, Modifiers::COMMAND] {
            assert_eq!(action(Key::ArrowLeft, None, modifiers), None);
            assert_eq!(action(Key::Plus, None, modifiers), None, "Ctrl and + is zoom");
        }
    }

    #[test]
    fn no_key_does_two_things() {
        let all: Vec<Match> =
            BINDINGS.iter().flat_map(|binding| binding.keys).map(|(bound, _)| *bound).collect();
        for (index, bound) in all.iter().enumerate() {
            assert!(!all[..index].contains(bound), "{bound:?}");
        }
    }
}
