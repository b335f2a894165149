//! What typed commands and the list of games lead to.

use client::{
    Answer, CallError, ServerFacts,
    seat::{
        Earlier,
        games::{Show, Sort},
    },
    view::palette::Palette,
};
use protocol::{GameRecord, GameStatus, Page, PastState, Series};

use super::*;
use crate::{
    model::tests::{golden, live, person},
    options::Depth,
    theme::Theme,
};

const THEME: Theme = Theme { depth: Depth::None, palette: Palette::Classic, ascii: false };

fn press(model: &mut Model, code: KeyCode, now: Instant) -> Vec<Effect> {
    model.key(&KeyEvent::new(code, KeyModifiers::NONE), now)
}

/// Types a command after a colon.
fn type_line(model: &mut Model, line: &str, now: Instant) -> Vec<Effect> {
    for letter in format!(":{line}").chars() {
        assert_eq!(press(model, KeyCode::Char(letter), now), [], "{letter} only types");
    }
    press(model, KeyCode::Enter, now)
}

fn at(state: protocol::State) -> (Model, Instant) {
    let now = Instant::now();
    (live(state, THEME, now), now)
}

fn one(effects: &[Effect]) -> Command {
    match effects {
        [Effect::Call(command)] => command.clone(),
        other => panic!("not one call: {other:?}"),
    }
}

fn record(game: &str, moves: u32) -> GameRecord {
    serde_json::from_value(serde_json::json!({
        "game": game, "session": "main", "status": "over", "custom": false, "startedAt": 0, "endedAt": 1,
        "score": 12_340, "moves": moves, "maxTile": 1024, "mergeCount": 760,
        "drivers": [{"kind": "player", "name": "mcts", "from": 0, "to": moves, "why": null}],
        "class": "ai", "seed": null
    }))
    .unwrap()
}

#[test]
fn a_game_begins_on_a_position_and_by_a_seed() {
    let (mut model, now) = at(person());
    let code = "2.0.0.0-0.0.0.0-0.0.0.0-0.0.0.131072";
    let grid = client::position::read(code).unwrap();
    let effects = type_line(&mut model, &format!("start {code}"), now);
    assert_eq!(one(&effects), Command::StartFrom(Box::new(grid)));
    assert_eq!(one(&type_line(&mut model, "new 7", now)), Command::NewGame(Some(7)));
    assert_eq!(type_line(&mut model, "start 2.4", now), []);
    assert!(model.said(now).unwrap().starts_with("\"2.4\" is not a position"));
    model.key(&KeyEvent::new(KeyCode::Char(','), KeyModifiers::NONE), now);
    assert_eq!(type_line(&mut model, &format!("start {code}"), now), [], "while one looks back");
}

#[test]
fn the_position_is_shown_as_a_code_and_copied() {
    let (mut model, now) = at(person());
    let effects = press(&mut model, KeyCode::Char('c'), now);
    let code = "128.64.16.4-4.4.0.0-4.4.2.0-8.0.0.0";
    assert_eq!(effects, [Effect::Copy(code.into())]);
    assert_eq!(model.said(now), Some("Position 128.64.16.4-4.4.0.0-4.4.2.0-8.0.0.0"));
}

#[test]
fn a_series_is_played_until_its_end() {
    let (mut model, now) = at(person());
    let Command::Start(start) = one(&type_line(&mut model, "series 5 2048", now)) else {
        panic!("no start")
    };
    assert_eq!(start.series, Some(Series { games: Some(5), until_tile: Some(2048) }));
    assert_eq!(start.player.as_deref(), Some("mcts"));
}

#[test]
fn a_game_is_copied_into_a_file_and_added_from_one() {
    let (mut model, now) = at(person());
    let game = person().game;
    let exported = one(&type_line(&mut model, "export one.ndjson", now));
    assert_eq!(exported, Command::Export { game, file: "one.ndjson".into() });
    model.answered(Answer::Exported(Ok("one.ndjson".into())), now);
    assert_eq!(model.said(now), Some("The game is in one.ndjson."));
    let imported = one(&type_line(&mut model, "import one.ndjson", now));
    assert_eq!(imported, Command::Import("one.ndjson".into()));
    let refused = CallError::Refused {
        status: 422,
        detail: "move 4 changes nothing".into(),
        state: None,
        retry_after: None,
    };
    model.answered(Answer::Imported(Err(refused.into())), now);
    assert_eq!(model.said(now), Some("move 4 changes nothing"));
}

#[test]
fn games_are_filtered_sorted_leafed_through_and_looked_at() {
    let (mut model, now) = at(person());
    let mut query = GamesQuery::default();
    assert_eq!(one(&press(&mut model, KeyCode::Char('g'), now)), Command::Games(query.clone()));
    query.show = Show::Only(GameStatus::Over);
    let effects = press(&mut model, KeyCode::Char('f'), now);
    assert_eq!(one(&effects), Command::Games(query.clone()));
    query.sort = Sort::Score;
    let effects = press(&mut model, KeyCode::Char('o'), now);
    assert_eq!(one(&effects), Command::Games(query.clone()));
    let items = vec![record("first", 300), record("second", 812)];
    model.answered(Answer::Games(query.clone(), Ok(Page { items, next: Some("c".into()) })), now);
    query.cursor = Some("c".into());
    let effects = press(&mut model, KeyCode::Char('n'), now);
    assert_eq!(one(&effects), Command::Games(query.clone()));
    let items = vec![record("third", 3), record("fourth", 4)];
    model.answered(Answer::Games(query, Ok(Page { items, next: None })), now);
    assert_eq!(press(&mut model, KeyCode::Char('n'), now), [], "there is no page after it");
    press(&mut model, KeyCode::Down, now);
    let looked = one(&press(&mut model, KeyCode::Enter, now));
    assert_eq!(looked, Command::Past { game: "fourth".into(), number: 0 });
    assert_eq!(model.seat.visited, Some(Earlier { game: "fourth".into(), moves: 4 }));
    assert_eq!(model.overlay, Overlay::None);
    // From there it plays itself again.
    let past =
        PastState { game: "fourth".into(), moves: 0, ..PastState::from(&golden("state-new-game")) };
    model.answered(Answer::Past(0, Ok(past)), now);
    assert_eq!(press(&mut model, KeyCode::Char('t'), now), []);
    press(&mut model, KeyCode::Char('+'), now);
    assert_eq!(model.said(now), Some("Replay at 2x"));
    let due = now + std::time::Duration::from_millis(250);
    let next = one(&model.tick(due));
    assert_eq!(next, Command::Past { game: "fourth".into(), number: 1 });
}

#[test]
fn the_server_says_what_it_is_and_whether_it_is_ready() {
    let (mut model, now) = at(person());
    assert_eq!(one(&press(&mut model, KeyCode::Char('v'), now)), Command::AskServer);
    let version = serde_json::from_value(serde_json::json!({
        "name": "serve2048", "version": "0.1.0", "protocol": 1, "boot": "b", "players": ["mcts"],
        "keyConfigured": false, "networkBytes": null, "store": {"kind": "sqlite", "durability": "power"},
        "limits": {"bodyBytes": 16384, "streams": 1000, "streamsPerAddress": null, "searches": 2}
    }))
    .unwrap();
    let facts = ServerFacts { version, ready: Err("the server is stopping".into()) };
    model.answered(Answer::Server(Ok(facts)), now);
    let lines = model.seat.server.as_ref().unwrap().as_ref().unwrap().lines();
    assert_eq!(lines[0], "serve2048 0.1.0, protocol 1, not ready: the server is stopping");
    assert_eq!(lines[1], "Games are kept in sqlite (power).");
    press(&mut model, KeyCode::Esc, now);
    assert_eq!(model.overlay, Overlay::None);
}

#[test]
fn what_is_typed_plays_nothing_until_it_is_entered() {
    let (mut model, now) = at(person());
    assert_eq!(press(&mut model, KeyCode::Char(':'), now), []);
    for letter in "quit a".chars() {
        assert_eq!(press(&mut model, KeyCode::Char(letter), now), [], "{letter}");
    }
    assert_eq!(model.typed, "quit a");
    let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(model.key(&ctrl_c, now), [Effect::Quit]);
    press(&mut model, KeyCode::Esc, now);
    assert_eq!((model.overlay, type_line(&mut model, "help", now)), (Overlay::None, vec![]));
    assert_eq!(model.overlay, Overlay::Commands);
    press(&mut model, KeyCode::Esc, now);
    assert_eq!(type_line(&mut model, "q", now), [Effect::Quit]);
}
