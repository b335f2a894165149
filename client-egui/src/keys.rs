//! What each key does, and how the board gets its keys before anything else in the window.
//!
//! The handlers and the help are made from one table.

use client::seat::Action;
use eframe::egui::{Context, Event, Id, Key, Memory, Modifiers, Plugin, RawInput};
use protocol::Direction;

use crate::settings::Held;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Something of the game, as in every client.
    Act(Action),
    /// Walk over the board square by square, or stop that.
    Explore,
    /// Show the keys.
    Help,
    /// Close what is open, go back to live, or leave.
    Close,
}

/// One line of the help and the keys behind it.
struct Binding {
    shown: &'static str,
    does: &'static str,
    keys: &'static [(Match, Wish)],
}

const fn row(shown: &'static str, does: &'static str, keys: &'static [(Match, Wish)]) -> Binding {
    Binding { shown, does, keys }
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
    row(
        "Arrows",
        "move, or take over from a player",
        &[
            (Sign(Key::ArrowUp), Wish::Act(Action::Move(Up))),
            (Sign(Key::ArrowDown), Wish::Act(Action::Move(Down))),
            (Sign(Key::ArrowLeft), Wish::Act(Action::Move(Left))),
            (Sign(Key::ArrowRight), Wish::Act(Action::Move(Right))),
        ],
    ),
    row(
        "W A S D by place",
        "the same",
        &[
            (Place(Key::W), Wish::Act(Action::Move(Up))),
            (Place(Key::A), Wish::Act(Action::Move(Left))),
            (Place(Key::S), Wish::Act(Action::Move(Down))),
            (Place(Key::D), Wish::Act(Action::Move(Right))),
        ],
    ),
    row(
        "H J K L",
        "left, down, up, right",
        &[
            (Sign(Key::H), Wish::Act(Action::Move(Left))),
            (Sign(Key::J), Wish::Act(Action::Move(Down))),
            (Sign(Key::K), Wish::Act(Action::Move(Up))),
            (Sign(Key::L), Wish::Act(Action::Move(Right))),
        ],
    ),
    row(
        "Space",
        "let the player play, or stop it",
        &[(Sign(Key::Space), Wish::Act(Action::Agent))],
    ),
    row("Enter", "let it play one move", &[(Sign(Key::Enter), Wish::Act(Action::Step))]),
    row("I", "hint: what it would do", &[(Sign(Key::I), Wish::Act(Action::Hint))]),
    row(
        "N or R",
        "new game",
        &[(Sign(Key::N), Wish::Act(Action::NewGame)), (Sign(Key::R), Wish::Act(Action::NewGame))],
    ),
    row(
        ", .  [ ]",
        "look back and forward; with Shift by ten",
        &[
            (Sign(Key::Comma), Wish::Act(Action::Back(1))),
            (Sign(Key::OpenBracket), Wish::Act(Action::Back(1))),
            (Sign(Key::Period), Wish::Act(Action::Forward(1))),
            (Sign(Key::CloseBracket), Wish::Act(Action::Forward(1))),
            (Shifted(Key::Comma), Wish::Act(Action::Back(10))),
            (Shifted(Key::OpenBracket), Wish::Act(Action::Back(10))),
            (Shifted(Key::OpenCurlyBracket), Wish::Act(Action::Back(10))),
            (Shifted(Key::Period), Wish::Act(Action::Forward(10))),
            (Shifted(Key::CloseBracket), Wish::Act(Action::Forward(10))),
            (Shifted(Key::CloseCurlyBracket), Wish::Act(Action::Forward(10))),
        ],
    ),
    row(
        "Home End",
        "the start, the live game",
        &[(Sign(Key::Home), Wish::Act(Action::First)), (Sign(Key::End), Wish::Act(Action::Live))],
    ),
    row(
        "+ -",
        "faster, slower",
        &[
            (Sign(Key::Plus), Wish::Act(Action::Faster)),
            (Sign(Key::Equals), Wish::Act(Action::Faster)),
            (Sign(Key::Minus), Wish::Act(Action::Slower)),
        ],
    ),
    row(
        "1 to 9",
        "choose a player",
        &[
            (Sign(Key::Num1), Wish::Act(Action::Player(0))),
            (Sign(Key::Num2), Wish::Act(Action::Player(1))),
            (Sign(Key::Num3), Wish::Act(Action::Player(2))),
            (Sign(Key::Num4), Wish::Act(Action::Player(3))),
            (Sign(Key::Num5), Wish::Act(Action::Player(4))),
            (Sign(Key::Num6), Wish::Act(Action::Player(5))),
            (Sign(Key::Num7), Wish::Act(Action::Player(6))),
            (Sign(Key::Num8), Wish::Act(Action::Player(7))),
            (Sign(Key::Num9), Wish::Act(Action::Player(8))),
        ],
    ),
    row(
        "T",
        "play it again from here; + - its speed",
        &[(Sign(Key::T), Wish::Act(Action::Replay))],
    ),
    row(
        "F",
        "on to the next merge to 512 or more",
        &[(Sign(Key::F), Wish::Act(Action::NextMerge))],
    ),
    row("X", "walk over the board and hear each square", &[(Sign(Key::X), Wish::Explore)]),
    row("B", "say the board", &[(Sign(Key::B), Wish::Act(Action::Read))]),
    row("?", "these keys", &[(Sign(Key::Questionmark), Wish::Help), (Sign(Key::F1), Wish::Help)]),
    row("Esc", "close, back to live, leave", &[(Sign(Key::Escape), Wish::Close)]),
];

/// Signs that some keyboards have only with Shift.
const WITH_SHIFT_TOO: [Key; 2] = [Key::Plus, Key::Questionmark];

/// What the key with this sign, at this place, asks for. Keys with Ctrl, Alt and their like are not ours.
pub fn wish(sign: Key, place: Option<Key>, modifiers: Modifiers) -> Option<Wish> {
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
    all.find(|(bound, _)| meant(bound)).map(|(_, wish)| *wish)
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
    pressed: Vec<Wish>,
    down: Vec<Direction>,
}

impl Keys {
    /// Says who gets the keys from now on.
    pub fn belong_to(&mut self, reader: Reader, held: Held) {
        (self.reader, self.held) = (reader, held);
    }

    /// What was pressed since the last time.
    pub fn take(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.pressed)
    }

    /// Whether the event is the board's, and so nobody else's.
    fn is_ours(&mut self, event: &Event, focused: Option<Id>) -> bool {
        let Event::Key { key, physical_key, pressed, repeat, modifiers } = event else {
            return false;
        };
        let Some(wish) = wish(*key, *physical_key, *modifiers) else { return false };
        // Space and Enter press the button that has the focus, if one has.
        let pushes = matches!(wish, Wish::Act(Action::Agent | Action::Step));
        if pushes && focused.is_some_and(|id| id != board_id()) {
            return false;
        }
        if let Wish::Act(Action::Move(direction)) = wish {
            self.down.retain(|down| *down != direction);
            if *pressed {
                self.down.push(direction);
            }
            // Two directions held together mean neither.
            if self.down.len() > 1 {
                return true;
            }
        }
        if *pressed
            && (!*repeat
                || self.held == Held::Repeat
                || !matches!(wish, Wish::Act(Action::Move(_))))
        {
            self.pressed.push(wish);
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

    fn plain(key: Key) -> Option<Wish> {
        wish(key, Some(key), Modifiers::NONE)
    }

    const fn act(action: Action) -> Wish {
        Wish::Act(action)
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
                assert_eq!(plain(key), Some(act(Action::Move(direction))), "{key:?}");
            }
        }
    }

    #[test]
    fn wasd_is_a_place_and_hjkl_a_sign() {
        // A French keyboard has Z where an American one has W.
        assert_eq!(wish(Key::Z, Some(Key::W), Modifiers::NONE), Some(act(Action::Move(Up))));
        assert_eq!(wish(Key::W, Some(Key::Z), Modifiers::NONE), None);
        assert_eq!(wish(Key::H, Some(Key::M), Modifiers::NONE), Some(act(Action::Move(Left))));
    }

    #[test]
    fn shift_looks_by_ten_and_other_modifiers_are_not_ours() {
        let shifted = |key| wish(key, Some(key), Modifiers::SHIFT);
        assert_eq!(plain(Key::Comma), Some(act(Action::Back(1))));
        assert_eq!(shifted(Key::Comma), Some(act(Action::Back(10))));
        assert_eq!(shifted(Key::Period), Some(act(Action::Forward(10))));
        assert_eq!(shifted(Key::A), Some(act(Action::Move(Left))), "Caps Lock does no harm");
        assert_eq!(wish(Key::Questionmark, Some(Key::Slash), Modifiers::SHIFT), Some(Wish::Help));
        for modifiers in [Modifiers::CTRL, Modifiers::ALT, Modifiers::COMMAND] {
            assert_eq!(wish(Key::ArrowLeft, None, modifiers), None);
            assert_eq!(wish(Key::Plus, None, modifiers), None, "Ctrl and + is zoom");
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
