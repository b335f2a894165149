//! Games of the past, positions, the server, and the board square by square.

use std::time::Duration;

use client::{
    Answer, Command, ServerFacts,
    seat::games::{GamesQuery, Leaf, Show, Sort},
};
use client_egui::desktop::{Dialog, Tab};
use eframe::egui::{Key, accesskit};
use egui_kittest::kittest::{NodeT, Queryable};
use protocol::{GameRecord, GameStatus, Page, PastState, Version};

use crate::stage::{Stage, golden, person};

fn press(stage: &mut Stage, key: Key) {
    stage.window.key_press(key);
    stage.settle();
}

fn click(stage: &mut Stage, label: &str) {
    stage.window.get_by_label(label).click();
    stage.settle();
}

fn said(stage: &Stage) -> String {
    let now = stage.now();
    stage.window.state().seat.said(now).unwrap().text.clone()
}

#[test]
fn games_are_filtered_sorted_leafed_through_and_played_again() {
    let mut stage = Stage::live(person());
    click(&mut stage, "Games");
    let mut query = GamesQuery::default();
    assert_eq!(stage.called(), Command::Games(query.clone()));
    for leaf in [Leaf::Show(Show::Only(GameStatus::Over)), Leaf::Sort(Sort::Score)] {
        let command = stage.window.state_mut().seat.leaf(leaf);
        stage.window.state_mut().call(command);
    }
    (query.show, query.sort) = (Show::Only(GameStatus::Over), Sort::Score);
    assert_eq!(stage.ordered().len(), 2);
    let game: GameRecord = serde_json::from_value(serde_json::json!({
        "game": "earlier", "session": "main", "status": "over", "custom": false, "startedAt": 0, "endedAt": 1,
        "score": 12_340, "moves": 812, "maxTile": 1024, "mergeCount": 760, "drivers": [], "class": "human",
        "seed": null
    }))
    .unwrap();
    let page = |next: Option<&str>| Page { items: vec![game.clone()], next: next.map(Into::into) };
    stage.answer(Answer::Games(query.clone(), Ok(page(Some("c1")))));
    click(&mut stage, "Next page");
    query.cursor = Some("c1".into());
    assert_eq!(stage.called(), Command::Games(query.clone()));
    stage.answer(Answer::Games(query, Ok(page(None))));
    assert!(stage.window.query_by_label("Next page").is_none());
    assert!(stage.window.query_by_label("12,340 points").is_some());
    click(&mut stage, "Look");
    assert_eq!(stage.called(), Command::Past { game: "earlier".into(), number: 812 });
    let past = |number| PastState {
        game: "earlier".into(),
        moves: number,
        ..PastState::from(&golden("state-new-game"))
    };
    stage.answer_past(past(812));
    click(&mut stage, "Replay");
    assert_eq!(stage.called(), Command::Past { game: "earlier".into(), number: 0 });
    stage.answer_past(past(0));
    assert_eq!(said(&stage), "Replay at 1x");
    press(&mut stage, Key::Plus);
    assert_eq!(said(&stage), "Replay at 2x");
    stage.pass(Duration::from_secs(1));
    assert_eq!(stage.called(), Command::Past { game: "earlier".into(), number: 4 });
    stage.answer_past(past(4));
    click(&mut stage, "Next big merge");
    let search = Command::NextMerge { game: "earlier".into(), from: 5, to: 812 };
    assert_eq!(stage.called(), search);
}

#[test]
fn a_game_begins_on_a_position() {
    let mut stage = Stage::live(person());
    click(&mut stage, "Position");
    assert_eq!(stage.window.state().code, "128.64.16.4-4.4.0.0-4.4.2.0-8.0.0.0");
    "2.4".clone_into(&mut stage.window.state_mut().code);
    click(&mut stage, "Play from here");
    assert!(said(&stage).starts_with("\"2.4\" is not a position"));
    assert_eq!(stage.window.state().dialog, Dialog::Position);
    let code = "2.0.0.0-0.0.0.0-0.0.0.0-0.0.0.131072";
    code.clone_into(&mut stage.window.state_mut().code);
    stage.settle();
    click(&mut stage, "Play from here");
    assert_eq!(stage.called(), Command::StartFrom(Box::new(client::position::read(code).unwrap())));
    assert_eq!(stage.window.state().dialog, Dialog::None);
}

#[test]
fn the_server_says_what_it_is_and_whether_it_is_ready() {
    let mut stage = Stage::live(person());
    click(&mut stage, "Server");
    assert_eq!(stage.called(), Command::AskServer);
    let version: Version = serde_json::from_value(serde_json::json!({
        "name": "serve2048", "version": "0.1.0", "protocol": 1, "boot": "b", "players": ["mcts"],
        "keyConfigured": false, "networkBytes": null, "store": {"kind": "sqlite", "durability": "power"},
        "limits": {"bodyBytes": 16384, "streams": 1000, "streamsPerAddress": null, "searches": 2}
    }))
    .unwrap();
    stage.answer(Answer::Server(Ok(ServerFacts { version, ready: Ok(()) })));
    assert!(stage.window.query_by_label("serve2048 0.1.0, protocol 1, ready").is_some());
}

#[test]
fn the_board_is_walked_over_and_heard_square_by_square() {
    let mut stage = Stage::live(person());
    press(&mut stage, Key::X);
    assert_eq!(said(&stage), "row 1 column 1, 128");
    for (key, heard) in [
        (Key::ArrowRight, "row 1 column 2, 64"),
        (Key::ArrowDown, "row 2 column 2, 4"),
        (Key::ArrowRight, "row 2 column 3, empty"),
        (Key::ArrowUp, "row 1 column 3, 16"),
        (Key::ArrowUp, "row 1 column 3, 16"),
    ] {
        press(&mut stage, key);
        assert_eq!(said(&stage), heard, "{key:?}");
    }
    assert!(stage.ordered().is_empty(), "nothing is played meanwhile");
    let is_told = stage
        .window
        .get_all_by_label("row 1 column 3, 16")
        .any(|line| line.accesskit_node().live() == accesskit::Live::Polite);
    assert!(is_told, "it is read out");
    press(&mut stage, Key::Escape);
    press(&mut stage, Key::ArrowLeft);
    assert!(matches!(stage.called(), Command::Move(..)), "then the keys play again");
    press(&mut stage, Key::X);
    assert_eq!(said(&stage), "row 1 column 3, 16", "it goes on where it was");
}

#[test]
fn the_log_tells_the_tile_that_came_and_how_it_was_decided() {
    let mut stage = Stage::live(golden("state-after-a-move"));
    stage.window.state_mut().tab = Tab::Log;
    stage.settle();
    assert!(stage.window.query_by_label("2 at 3,3").is_some());
    assert!(stage.window.query_by_label_contains("99 %, 7660 rollouts").is_some());
}

#[test]
fn the_best_scores_are_told_by_who_chose_the_moves() {
    let mut state = person();
    state.best_by = Some(protocol::BestBy { human: 1_284, ai: 27_168, mixed: 0 });
    let mut stage = Stage::live(state);
    let best = stage.window.get_by_label_contains("Best ").rect().center();
    stage.window.hover_at(best);
    stage.pass(Duration::from_secs(1));
    let told = "People 1,284, players 27,168, together 0";
    assert!(stage.window.query_by_label(told).is_some());
}
