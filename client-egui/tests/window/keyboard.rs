//! Keys reach the board whatever was clicked, and nothing else plays.

use client::{Answer, Command};
use client_egui::{
    desktop::{Dialog, Leave, Tab},
    link::{News, Order},
    settings::Held,
};
use eframe::egui::{Event, Key, Memory, Modifiers};
use egui_kittest::kittest::Queryable;
use protocol::{Direction, Moved, Page};

use crate::stage::{Stage, golden, person};

fn press(stage: &mut Stage, key: Key) {
    stage.window.key_press(key);
    stage.settle();
}

fn moved(stage: &mut Stage, key: Key) -> Option<Direction> {
    press(stage, key);
    let orders = stage.ordered();
    let direction = orders.iter().find_map(|order| match order {
        Order::Call(Command::Move(direction, _)) => Some(*direction),
        _ => None,
    });
    if let Some(direction) = direction {
        // Its answer, so that the next one is sent too.
        let state = stage.window.state().seat.view.state().unwrap().clone();
        stage.answer(Answer::Moved(direction, Ok(Moved { moved: false, state })));
    }
    direction
}

#[test]
fn every_key_of_the_table_plays() {
    let mut stage = Stage::live(person());
    for (keys, direction) in [
        ([Key::ArrowUp, Key::W, Key::K], Direction::Up),
        ([Key::ArrowDown, Key::S, Key::J], Direction::Down),
        ([Key::ArrowLeft, Key::A, Key::H], Direction::Left),
        ([Key::ArrowRight, Key::D, Key::L], Direction::Right),
    ] {
        for key in keys {
            assert_eq!(moved(&mut stage, key), Some(direction), "{key:?}");
        }
    }
}

#[test]
fn arrows_reach_the_board_whatever_was_clicked() {
    let mut stage = Stage::live(person());
    let arrows = [
        (Key::ArrowUp, Direction::Up),
        (Key::ArrowDown, Direction::Down),
        (Key::ArrowLeft, Direction::Left),
        (Key::ArrowRight, Direction::Right),
    ];
    for button in ["Hint", "Players", "Log", "Fast", "faster", "Board", "look back"] {
        let target = if button == "faster" { "+" } else { button };
        stage.window.get_by_label(target).click();
        stage.settle();
        stage.window.get_by_label(target).focus();
        stage.settle();
        stage.window.state_mut().seat.live();
        stage.ordered();
        for (key, direction) in arrows {
            assert_eq!(moved(&mut stage, key), Some(direction), "{key:?} after {button}");
        }
    }
    // Tab walks on as everywhere.
    let focused = stage.window.ctx.memory(Memory::focused);
    press(&mut stage, Key::Tab);
    assert_ne!(stage.window.ctx.memory(Memory::focused), focused);
}

#[test]
fn space_and_enter_are_the_boards_unless_a_button_has_the_focus() {
    let mut stage = Stage::live(person());
    press(&mut stage, Key::Space);
    assert!(matches!(stage.called(), Command::Start(_)));
    press(&mut stage, Key::Enter);
    assert!(matches!(stage.called(), Command::Step(_)));
    stage.window.get_by_label("Hint").focus();
    stage.settle();
    press(&mut stage, Key::Enter);
    assert!(matches!(stage.called(), Command::Hint(_)));
}

#[test]
fn while_one_types_no_key_plays() {
    let mut stage = Stage::live(person());
    stage.window.get_by_label("Server").click();
    stage.settle();
    assert_eq!(stage.window.state().dialog, Dialog::Server);
    assert_eq!(stage.called(), Command::AskServer);
    for key in [Key::ArrowLeft, Key::W, Key::N, Key::Space] {
        press(&mut stage, key);
        assert!(stage.ordered().is_empty(), "{key:?}");
    }
    press(&mut stage, Key::Escape);
    assert_eq!(
        (stage.window.state().dialog, stage.window.state().leave),
        (Dialog::None, Leave::No)
    );
    assert_eq!(moved(&mut stage, Key::ArrowLeft), Some(Direction::Left), "closed, the keys play");
}

#[test]
fn keys_with_ctrl_and_two_directions_at_once_play_nothing() {
    let mut stage = Stage::live(person());
    stage.window.key_press_modifiers(Modifiers::CTRL, Key::ArrowLeft);
    stage.settle();
    assert!(stage.ordered().is_empty());
    stage.window.key_down(Key::ArrowLeft);
    stage.settle();
    assert_eq!(stage.ordered().len(), 1);
    stage.window.key_down(Key::ArrowUp);
    stage.settle();
    assert!(stage.ordered().is_empty(), "both are down");
    stage.window.key_up(Key::ArrowLeft);
    stage.window.key_up(Key::ArrowUp);
    stage.settle();
}

#[test]
fn a_key_that_is_held_plays_once_unless_it_is_to_repeat() {
    let mut stage = Stage::live(person());
    let held = Event::Key {
        key: Key::ArrowLeft,
        physical_key: Some(Key::ArrowLeft),
        pressed: true,
        repeat: true,
        modifiers: Modifiers::NONE,
    };
    stage.window.event(held.clone());
    stage.settle();
    assert!(stage.ordered().is_empty());
    stage.window.state_mut().settings.held = Held::Repeat;
    stage.settle();
    for _ in 0..3 {
        stage.window.event(held.clone());
    }
    stage.settle();
    assert_eq!(stage.ordered().len(), 1, "eight a second at most");
}

#[test]
fn a_new_game_is_asked_about_and_r_is_as_good_as_n() {
    for key in [Key::N, Key::R] {
        let mut stage = Stage::live(person());
        press(&mut stage, key);
        assert_eq!(stage.window.state().dialog, Dialog::NewGame);
        press(&mut stage, Key::Escape);
        assert!(stage.ordered().is_empty());
        press(&mut stage, key);
        press(&mut stage, Key::Y);
        assert_eq!(stage.called(), Command::NewGame(None));
        press(&mut stage, key);
        press(&mut stage, Key::Enter);
        assert_eq!(stage.called(), Command::NewGame(None), "the button has the focus");
    }
    let mut stage = Stage::live(golden("state-game-over"));
    press(&mut stage, Key::N);
    assert_eq!(stage.called(), Command::NewGame(None), "a game that is over is not asked about");
}

#[test]
fn keys_that_come_together_mean_what_they_would_one_by_one() {
    let mut stage = Stage::live(golden("state-new-game"));
    for key in [Key::ArrowLeft, Key::N, Key::ArrowLeft] {
        stage.window.key_press(key);
    }
    stage.settle();
    assert!(matches!(stage.called(), Command::Move(Direction::Left, _)), "the second one is not");
    assert_eq!(stage.window.state().dialog, Dialog::NewGame, "a move is on its way: it is asked");
    press(&mut stage, Key::Escape);
    for key in [Key::N, Key::Escape] {
        stage.window.key_press(key);
    }
    stage.settle();
    assert_eq!(stage.window.state().dialog, Dialog::None);
    assert_eq!(stage.window.state().leave, Leave::No, "the question was closed, not the window");
}

#[test]
fn escape_goes_back_to_live_and_then_leaves() {
    let mut stage = Stage::live(person());
    press(&mut stage, Key::Comma);
    assert!(matches!(stage.called(), Command::Past { number: 213, .. }));
    press(&mut stage, Key::ArrowLeft);
    assert!(stage.ordered().is_empty(), "what is past is not played on");
    let now = stage.now();
    let said = stage.window.state().seat.said(now).unwrap().text.clone();
    assert_eq!(said, "You are looking at move 213. End goes back to live.");
    press(&mut stage, Key::Escape);
    assert_eq!((&stage.window.state().seat.look, stage.window.state().leave), (&None, Leave::No));
    press(&mut stage, Key::Escape);
    assert_eq!(stage.window.state().leave, Leave::Yes);
}

#[test]
fn leaving_while_a_player_plays_is_said_once() {
    let mut stage = Stage::live(golden("state-after-a-move"));
    press(&mut stage, Key::Escape);
    assert_eq!(stage.window.state().dialog, Dialog::Closing);
    stage.window.get_by_label("Stay").click();
    stage.settle();
    assert_eq!(stage.window.state().leave, Leave::No);
    press(&mut stage, Key::Escape);
    assert_eq!(stage.window.state().leave, Leave::Yes, "the second time it is known");
}

#[test]
fn numbers_choose_players_and_signs_the_pace() {
    let mut stage = Stage::live(person());
    let rules = golden("state-after-a-move")
        .agent
        .roster
        .iter()
        .position(|entry| entry.name == "rules")
        .unwrap();
    let key = Key::from_name(&(rules + 1).to_string()).unwrap();
    press(&mut stage, key);
    assert_eq!(stage.window.state().seat.player(), Some("rules"));
    press(&mut stage, Key::Plus);
    press(&mut stage, Key::Space);
    let Command::Start(start) = stage.called() else { panic!("no start") };
    assert_eq!((start.player.as_deref(), start.interval_seconds), (Some("rules"), Some(0.25)));
}

#[test]
fn a_spectator_has_no_controls() {
    let mut stage = Stage::live(person());
    stage.arrive(false);
    stage.connect(client::Connection::Live);
    stage.show(person());
    for button in ["Hint", "Step", "New game"] {
        assert!(stage.window.query_by_label(button).is_none(), "{button}");
    }
    press(&mut stage, Key::ArrowLeft);
    press(&mut stage, Key::Space);
    assert!(stage.ordered().is_empty());
}

#[test]
fn a_swipe_over_the_board_plays_once() {
    let mut stage = Stage::live(person());
    let board = stage.window.get_by_label("Board").rect();
    stage.window.drag_at(board.center());
    stage.settle();
    for step in 1..=4 {
        stage.window.hover_at(board.center() + eframe::egui::vec2(0.0, 40.0 * step as f32));
        stage.settle();
    }
    let Command::Move(direction, _) = stage.called() else { panic!("no move") };
    assert_eq!(direction, Direction::Down);
}

#[test]
fn lists_are_fetched_when_they_are_looked_at() {
    let mut stage = Stage::live(person());
    stage.window.get_by_label("Games").click();
    stage.settle();
    let Command::Games(query) = stage.called() else { panic!("no list") };
    stage.answer(Answer::Games(query, Ok(Page { items: Vec::new(), next: None })));
    stage.window.get_by_label("Sessions").click();
    stage.settle();
    assert!(matches!(stage.ordered().as_slice(), [Order::Sessions]));
    assert_eq!(stage.window.state().tab, Tab::Sessions);
    stage.tell(News::Sessions(Err("this needs the operator's token".into())));
    assert!(stage.window.query_by_label("this needs the operator's token").is_some());
}
