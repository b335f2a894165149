//! What keys, updates and answers lead to.

use client::{
    CallError, Connection, Fault, Snapshot,
    seat::{Budget, STANDS},
    view::palette::Palette,
};
use protocol::{Moved, Pace, PastState, State};
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers};

use super::*;
pub(crate) use crate::golden::{golden, person};
use crate::options::Depth;

pub(crate) fn update(state: State) -> Update {
    Update::State(Box::new(Snapshot { state, json: String::new() }))
}

/// A model that is live at `state`.
pub(crate) fn live(state: State, theme: Theme, now: Instant) -> Model {
    let mut model = Model::new(true, Motion::Off, theme, Held::PressOnce, now);
    model.update(Update::Connection(Connection::Live), now);
    model.update(update(state), now);
    model
}

/// What no terminal may be sent: a colour, a title for its window, another line, and the same by the characters of C1.
pub(crate) const HOSTILE: &str = "a\u{1b}[31mb\u{1b}]0;c\u{7}d\r\ne\u{9b}2Jf";

/// A state of which every text that may be anything is hostile.
pub(crate) fn hostile() -> State {
    let mut json = serde_json::to_value(golden("state-after-a-move")).unwrap();
    let texts = paths(&json, "");
    let mut changed = 0;
    for path in &texts {
        let text = json.pointer_mut(path).unwrap();
        let before = std::mem::replace(text, HOSTILE.into());
        if serde_json::from_value::<State>(json.clone()).is_ok() {
            changed += 1;
        } else {
            *json.pointer_mut(path).unwrap() = before;
        }
    }
    assert!(changed > 5, "{changed} of {texts:?}");
    serde_json::from_value(json).unwrap()
}

/// Where there are texts in `value`, which is at `path`.
fn paths(value: &serde_json::Value, path: &str) -> Vec<String> {
    match value {
        serde_json::Value::String(_) => vec![path.to_owned()],
        serde_json::Value::Array(items) => {
            let items = items.iter().enumerate();
            items.flat_map(|(i, item)| paths(item, &format!("{path}/{i}"))).collect()
        }
        serde_json::Value::Object(fields) => {
            fields.iter().flat_map(|(name, item)| paths(item, &format!("{path}/{name}"))).collect()
        }
        _ => Vec::new(),
    }
}

const THEME: Theme = Theme { depth: Depth::None, palette: Palette::Classic, ascii: false };

struct Play {
    model: Model,
    now: Instant,
}

impl Play {
    fn at(state: State) -> Self {
        let now = Instant::now();
        Self { model: live(state, THEME, now), now }
    }

    fn press(&mut self, code: KeyCode) -> Vec<Effect> {
        self.model.key(&KeyEvent::new(code, KeyModifiers::NONE), self.now)
    }

    fn type_char(&mut self, key: char) -> Vec<Effect> {
        self.press(KeyCode::Char(key))
    }

    fn command(&mut self, code: KeyCode) -> Command {
        match self.press(code).as_slice() {
            [Effect::Call(command)] => command.clone(),
            other => panic!("not one call: {other:?}"),
        }
    }

    fn said(&self) -> &str {
        self.model.said(self.now).unwrap_or_default()
    }
}

fn next(state: &State, change: impl FnOnce(&mut State)) -> State {
    let mut next = State { seq: state.seq + 1, transition: None, ..state.clone() };
    change(&mut next);
    next
}

#[test]
fn a_key_sends_a_move_and_the_next_one_waits_for_its_answer() {
    let mut play = Play::at(person());
    let Command::Move(direction, request) = play.command(KeyCode::Left) else { panic!("no move") };
    assert_eq!((direction, request.if_moves), (protocol::Direction::Left, Some(214)));
    assert_eq!(play.press(KeyCode::Up), []);
    assert_eq!(play.press(KeyCode::Down), []);
    let state = next(&person(), |state| state.moves += 1);
    let answer = Answer::Moved(direction, Ok(Moved { moved: true, state }));
    let effects = play.model.answered(answer, play.now);
    let [Effect::Call(Command::Move(direction, request))] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!((*direction, request.if_moves), (protocol::Direction::Up, Some(215)));
}

#[test]
fn releases_never_count_and_repeats_only_when_asked_for() {
    let mut play = Play::at(person());
    let key = |kind| KeyEvent::new_with_kind(KeyCode::Left, KeyModifiers::NONE, kind);
    assert_eq!(play.model.key(&key(KeyEventKind::Release), play.now), []);
    assert_eq!(play.model.key(&key(KeyEventKind::Repeat), play.now), []);
    play.model.held = Held::Repeat;
    assert_eq!(play.model.key(&key(KeyEventKind::Repeat), play.now).len(), 1);
    assert_eq!(play.model.key(&key(KeyEventKind::Release), play.now), []);
}

#[test]
fn while_reconnecting_a_key_is_answered_and_not_sent() {
    let mut play = Play::at(person());
    let lost = Connection::Lost { since: play.now, next_try: play.now, fault: Fault::Unreachable };
    play.model.update(Update::Connection(lost), play.now);
    for key in [KeyCode::Left, KeyCode::Char(' '), KeyCode::Enter, KeyCode::Char('n')] {
        assert_eq!(play.press(key), []);
        assert_eq!(play.said(), "Not sent: reconnecting", "{key:?}");
    }
    assert_eq!(play.type_char('r'), [Effect::TryNow]);
    assert_eq!(play.type_char('q'), [Effect::Quit]);
}

#[test]
fn space_starts_and_stops_the_player() {
    let mut play = Play::at(person());
    let Command::Start(start) = play.command(KeyCode::Char(' ')) else { panic!("no start") };
    assert_eq!((start.player.as_deref(), start.pace), (Some("mcts"), None));
    let mut play = Play::at(golden("state-after-a-move"));
    assert_eq!(play.command(KeyCode::Char(' ')), Command::Stop);
}

#[test]
fn the_chosen_player_and_pace_are_started() {
    let mut play = Play::at(person());
    assert_eq!(play.type_char('p'), []);
    assert_eq!(play.type_char('3'), []);
    assert_eq!(play.model.seat.player(), Some("rules"));
    assert_eq!(play.type_char('+'), []);
    assert_eq!(play.said(), "Pace: 0.25 s");
    let Command::Start(start) = play.command(KeyCode::Char(' ')) else { panic!("no start") };
    assert_eq!(start.player.as_deref(), Some("rules"));
    assert_eq!((start.interval_seconds, start.pace), (Some(0.25), Some(Pace::Fixed)));
}

#[test]
fn the_thinking_time_is_asked_for_by_one_key() {
    let mut play = Play::at(person());
    assert_eq!(play.model.seat.budget(), Some(Budget::Other(300)));
    assert_eq!((play.type_char('b'), play.said()), (Vec::new(), "Thinking time: Fast"));
    play.type_char('b');
    let Command::Start(start) = play.command(KeyCode::Char(' ')) else { panic!("no start") };
    assert_eq!(start.budget_ms, Some(200.0));
    let Command::Hint(hint) = play.command(KeyCode::Char('i')) else { panic!("no hint") };
    assert_eq!(hint.budget_ms, Some(200.0));
    let mut play = Play::at(golden("state-after-a-move"));
    let Command::Start(start) = play.command(KeyCode::Char('b')) else { panic!("no start") };
    assert_eq!((start.player, start.budget_ms), (None, Some(50.0)));
}

#[test]
fn another_player_takes_over_at_once_while_one_plays() {
    let mut play = Play::at(golden("state-after-a-move"));
    play.type_char('p');
    play.press(KeyCode::Down);
    let Command::Start(start) = play.command(KeyCode::Enter) else { panic!("no start") };
    assert_eq!(start.player.as_deref(), Some("rules"));
    let Command::Start(start) = play.command(KeyCode::Char('-')) else { panic!("no start") };
    assert_eq!((start.player, start.interval_seconds), (None, Some(1.0)));
}

#[test]
fn a_player_that_is_not_there_says_why() {
    let mut play = Play::at(person());
    play.type_char('p');
    assert_eq!(play.type_char('1'), []);
    assert_eq!(play.said(), "Jev (TypeSafe AI): no TYPESAFE_API_KEY set");
    assert_eq!(play.model.seat.player(), Some("mcts"));
}

#[test]
fn a_new_game_is_asked_about_while_one_is_running() {
    let new = Command::NewGame(None);
    let mut play = Play::at(person());
    assert_eq!(play.type_char('n'), []);
    assert_eq!(play.model.overlay, Overlay::NewGame);
    assert_eq!(play.type_char('x'), [], "any other key cancels");
    assert_eq!(play.model.overlay, Overlay::None);
    play.type_char('n');
    assert_eq!(play.type_char('y'), [Effect::Call(new.clone())]);
    assert_eq!(Play::at(golden("state-new-game")).command(KeyCode::Char('n')), new);
    assert_eq!(Play::at(golden("state-game-over")).command(KeyCode::Char('n')), new);
}

#[test]
fn quitting_asks_nothing() {
    for overlay in [Overlay::None, Overlay::Help, Overlay::Players(0), Overlay::NewGame] {
        let mut play = Play::at(person());
        play.model.overlay = overlay;
        assert_eq!(play.type_char('q'), [Effect::Quit]);
    }
}

#[test]
fn a_hint_is_shown_until_the_board_changes() {
    let mut play = Play::at(person());
    let Command::Hint(hint) = play.command(KeyCode::Char('i')) else { panic!("no hint") };
    assert_eq!(hint.player.as_deref(), Some("mcts"));
    let reply = include_str!("../../../protocol/golden/reply-hint.json");
    let answer = Answer::Hint(Ok(serde_json::from_str(reply).unwrap()));
    play.model.answered(answer, play.now);
    assert_eq!(play.said(), "Hint: Left");
    assert!(play.model.seat.hint().is_some());
    let state = next(&person(), |state| state.moves += 1);
    play.model.update(update(state), play.now);
    assert!(play.model.seat.hint().is_none());
}

#[test]
fn a_hint_for_a_board_that_is_gone_is_not_shown() {
    let mut play = Play::at(person());
    play.command(KeyCode::Char('i'));
    let state = next(&person(), |state| state.moves += 1);
    play.model.update(update(state), play.now);
    let reply = include_str!("../../../protocol/golden/reply-hint.json");
    play.model.answered(Answer::Hint(Ok(serde_json::from_str(reply).unwrap())), play.now);
    assert_eq!(play.said(), "The hint came too late: the board is another.");
    assert!(play.model.seat.hint().is_none());
}

#[test]
fn looking_back_takes_what_was_seen_and_asks_for_the_rest() {
    let first = person();
    let mut play = Play::at(first.clone());
    let second = next(&first, |state| state.moves += 1);
    play.model.update(update(second), play.now);
    assert_eq!(play.type_char(','), [], "this board was seen");
    let look = play.model.seat.look.clone().unwrap();
    assert_eq!((look.number, look.past), (214, Some(PastState::from(&first))));

    let game = first.game.clone();
    let ask = Command::Past { game, number: 204 };
    assert_eq!(play.type_char('<'), [Effect::Call(ask)]);
    assert_eq!(play.press(KeyCode::Left), []);
    assert_eq!(play.said(), "You are looking at move 204. End goes back to live.");
    let past = PastState { moves: 204, ..PastState::from(&first) };
    play.model.answered(Answer::Past(204, Ok(past.clone())), play.now);
    assert_eq!(play.model.seat.look.as_ref().unwrap().past, Some(past));
    assert_eq!(play.press(KeyCode::End), []);
    assert_eq!(play.model.seat.look, None);
    assert!(matches!(play.command(KeyCode::Left), Command::Move(..)));
}

#[test]
fn looking_back_ends_at_both_ends() {
    let mut play = Play::at(person());
    assert_eq!(play.type_char('.'), []);
    assert_eq!(play.said(), "This is the live game.");
    assert!(matches!(play.command(KeyCode::Home), Command::Past { number: 0, .. }));
    assert!(matches!(play.command(KeyCode::Char('<')), Command::Past { number: 0, .. }));
    for _ in 0..22 {
        play.type_char('>');
    }
    assert_eq!(play.model.seat.look, None, "past the end it is live again");
}

#[test]
fn a_board_that_the_server_does_not_have_is_said() {
    let mut play = Play::at(person());
    play.type_char(',');
    let detail = "no such move".into();
    let error = CallError::Refused { status: 404, detail, state: None, retry_after: None };
    play.model.answered(Answer::Past(213, Err(error)), play.now);
    assert_eq!((play.said(), &play.model.seat.look), ("no such move", &None));
}

#[test]
fn the_log_has_the_moves_of_this_game() {
    let mut play = Play::at(golden("state-after-a-move"));
    let logged = play.model.seat.log.back().unwrap();
    assert_eq!((logged.number, logged.direction, logged.gained), (214, "Left", 12));
    assert_eq!(logged.by, "mcts");
    let new = next(&golden("state-after-a-move"), |state| {
        state.game = "next".into();
        state.moves = 0;
    });
    play.model.update(update(new), play.now);
    assert!(play.model.seat.log.is_empty());
    assert_eq!(play.said(), "New game.");
}

#[test]
fn a_sentence_stands_for_six_seconds() {
    let mut play = Play::at(person());
    play.type_char('+');
    assert_eq!(play.model.next_change(play.now), Some(STANDS));
    play.now += STANDS;
    assert_eq!((play.said(), play.model.next_change(play.now)), ("", None));
}

#[test]
fn nothing_changes_by_itself_while_nothing_happens() {
    let play = Play::at(person());
    assert_eq!(play.model.next_change(play.now), None);
}

#[test]
fn an_animation_is_drawn_at_most_thirty_times_a_second() {
    let before = person();
    let mut play = Play::at(before.clone());
    play.model.seat.view.set_motion(Motion::Full);
    let slides = before.grid.iter().enumerate().flat_map(|(row, line)| {
        line.iter().enumerate().filter_map(move |(column, value)| {
            let at = [row as u8, column as u8];
            value.map(|value| protocol::Slide { from: at, to: at, value, merges: false })
        })
    });
    let mut transition = golden("state-after-a-move").transition.unwrap();
    transition.slides = slides.collect();
    let after = next(&before, |state| state.moves += 1);
    let after = State { transition: Some(transition), ..after };
    let later = play.now + Duration::from_secs(5);
    play.model.update(update(after), later);
    assert_eq!(play.model.next_change(later), Some(FRAME));
    assert_eq!(play.model.next_change(later + Duration::from_secs(1)), None);
}
