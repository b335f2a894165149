//! A picture of each state and palette, at scale 1 and 2.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p client-egui --test window` draws them anew: look at each that changes. The ones
//! that are kept have the same pixels, with a table of their colours, which makes them small.

#![expect(clippy::cast_sign_loss, reason = "a pixel's place is whole and not below zero")]

use std::{fs, time::Duration};

use client::{
    Answer, Connection, Fault,
    seat::{Action, games::GamesQuery},
    view::palette::Palette,
};
use client_egui::{
    desktop::{Dialog, Tab},
    link::News,
    settings::{Labels, Look, Moving, Settings},
};
use egui_kittest::{SnapshotOptions, kittest::Queryable, try_image_snapshot_options};
use image::{Rgba, RgbaImage};
use protocol::{ByeReason, Driver, DriverKind, GameRecord, Page, PastState, SessionItem, State};

use crate::{
    rest::before,
    stage::{NARROW, Stage, WIDE, golden, painted, person, settings},
};

/// How much two pictures of the same may differ. Letters are rounded a little otherwise by other processors; a digit,
/// a line or a colour that has changed is far more than this.
fn tolerance() -> SnapshotOptions {
    SnapshotOptions::new().threshold(0.1).max_failed_pixels(12)
}

/// With 16 shades a channel: all that is to be told apart still is, and the files are a third of the size.
fn coarse(mut picture: RgbaImage) -> RgbaImage {
    for pixel in picture.pixels_mut() {
        pixel.0 = pixel.0.map(|shade| shade.saturating_add(8) / 17 * 17);
    }
    picture
}

/// Sets a stage and takes its picture at both scales, the larger one of the narrow window.
fn picture(name: &str, settings: &Settings, set: impl Fn(&mut Stage)) {
    pictures(name, settings, &[(WIDE, 1.0), (NARROW, 2.0)], set);
}

/// The same at one scale: for what is no state of the game.
fn small_picture(name: &str, settings: &Settings, set: impl Fn(&mut Stage)) {
    pictures(name, settings, &[(WIDE, 1.0)], set);
}

fn pictures(name: &str, settings: &Settings, sizes: &[([f32; 2], f32)], set: impl Fn(&mut Stage)) {
    let mut failed = Vec::new();
    for &(size, scale) in sizes {
        let mut stage = Stage::open(settings.clone(), size, scale);
        set(&mut stage);
        stage.settle();
        let picture = coarse(stage.window.render().unwrap());
        let name = format!("{name}@{scale}");
        failed.extend(try_image_snapshot_options(&picture, name, &tolerance()).err());
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

fn live(stage: &mut Stage, state: State) {
    stage.arrive(true);
    stage.connect(Connection::Live);
    stage.show(state);
}

fn lost(stage: &mut Stage, after: Duration, fault: Fault) {
    let (since, next_try) = (stage.now(), stage.now() + after + Duration::from_secs(8));
    stage.connect(Connection::Lost { since, next_try, fault });
    stage.pass(after);
}

#[test]
fn connecting() {
    picture("connecting", &settings(), |stage| {
        stage.arrive(true);
        stage.connect(Connection::Connecting);
        stage.pass(Duration::from_millis(301));
    });
}

#[test]
fn without_a_server() {
    picture("no-server", &settings(), |stage| {
        stage.arrive(true);
        lost(stage, Duration::ZERO, Fault::Unreachable);
    });
}

#[test]
fn a_persons_move() {
    picture("your-move", &settings(), |stage| live(stage, person()));
}

#[test]
fn a_player_plays() {
    picture("player", &settings(), |stage| {
        live(stage, golden("state-after-a-move"));
        stage.pass(Duration::from_millis(700));
        assert!(stage.window.query_by_label_contains("thinking").is_none());
    });
}

#[test]
fn a_player_thinks() {
    picture("thinking", &settings(), |stage| {
        live(stage, golden("state-after-a-move"));
        stage.pass(Duration::from_millis(2_400));
        assert!(stage.window.query_by_label("thinking for 2.4 s").is_some());
    });
}

#[test]
fn a_fallback() {
    picture("fallback", &settings(), |stage| live(stage, golden("state-fallback")));
}

#[test]
fn a_hint() {
    picture("hint", &settings(), |stage| {
        live(stage, person());
        stage.window.state_mut().act(Action::Hint);
        let reply = include_str!("../../../protocol/golden/reply-hint.json");
        stage.answer(Answer::Hint(Ok(serde_json::from_str(reply).unwrap())));
    });
}

#[test]
fn reconnecting() {
    picture("reconnecting", &settings(), |stage| {
        live(stage, person());
        lost(stage, Duration::from_secs(3), Fault::Ended);
    });
}

#[test]
fn offline() {
    picture("offline", &settings(), |stage| {
        live(stage, person());
        lost(stage, Duration::from_secs(31), Fault::Unreachable);
    });
}

#[test]
fn refused() {
    picture("refused", &settings(), |stage| {
        stage.arrive(true);
        let detail = "there is no session abc".into();
        lost(stage, Duration::ZERO, Fault::Refused { status: 404, detail, retry_after: None });
    });
}

#[test]
fn ended() {
    picture("ended", &settings(), |stage| {
        live(stage, person());
        stage.connect(Connection::Ended(ByeReason::Closed));
    });
}

#[test]
fn watching() {
    picture("watching", &settings(), |stage| {
        stage.arrive(false);
        stage.connect(Connection::Live);
        stage.show(State { watchers: 4, ..person() });
    });
}

#[test]
fn looking_back() {
    picture("looking-back", &settings(), |stage| {
        live(stage, person());
        stage.window.state_mut().act(Action::Back(94));
        let past = PastState { moves: 120, score: 1_880, ..PastState::from(&before()) };
        stage.answer_past(past);
    });
}

#[test]
fn game_over() {
    picture("game-over", &settings(), |stage| live(stage, golden("state-game-over")));
}

#[test]
fn sliding() {
    let settings = Settings { moving: Moving::Full, ..settings() };
    small_picture("sliding", &settings, |stage| {
        live(stage, before());
        stage.pass(Duration::from_secs(5));
        stage.show(person());
        stage.pass(Duration::from_millis(50));
    });
    small_picture("popping", &settings, |stage| {
        live(stage, before());
        stage.pass(Duration::from_secs(5));
        stage.show(person());
        stage.pass(Duration::from_millis(200));
    });
}

#[test]
fn reduced_motion() {
    let settings = Settings { moving: Moving::Reduced, ..settings() };
    small_picture("reduced-motion", &settings, |stage| {
        live(stage, before());
        stage.pass(Duration::from_secs(5));
        stage.show(person());
    });
}

#[test]
fn dialogs() {
    for (name, dialog) in [
        ("new-game", Dialog::NewGame),
        ("keys", Dialog::Help),
        ("settings", Dialog::Settings),
        ("server", Dialog::Server),
        ("closing", Dialog::Closing),
    ] {
        small_picture(name, &settings(), |stage| {
            live(stage, golden("state-after-a-move"));
            stage.window.state_mut().dialog = dialog;
        });
    }
}

#[test]
fn lists() {
    small_picture("players", &settings(), |stage| {
        live(stage, person());
        stage.window.state_mut().tab = Tab::Players;
    });
    small_picture("games", &settings(), |stage| {
        live(stage, person());
        stage.window.state_mut().tab = Tab::Games;
        let game: GameRecord = serde_json::from_value(serde_json::json!({
            "game": "earlier", "session": "main", "status": "over", "custom": false, "startedAt": 0,
            "endedAt": 1, "score": 12_340, "moves": 812, "maxTile": 1024, "mergeCount": 760,
            "drivers": [], "class": "human", "seed": null
        }))
        .unwrap();
        let page = Page { items: vec![game], next: Some("more".into()) };
        stage.answer(Answer::Games(GamesQuery::default(), Ok(page)));
    });
    small_picture("sessions", &settings(), |stage| {
        live(stage, person());
        stage.window.state_mut().tab = Tab::Sessions;
        let driver = Driver { kind: DriverKind::Player, name: "mcts".into(), since_move: 3 };
        let session = |id: &str, name: Option<&str>| SessionItem {
            id: id.into(),
            name: name.map(str::to_owned),
            created_at: 0,
            changed_at: 0,
            game: "g".into(),
            score: 2_056,
            moves: 214,
            max_tile: 128,
            game_over: false,
            driver: driver.clone(),
            running: true,
        };
        let items = vec![session("main", None), session("0123456789abcdef", Some("terminal"))];
        stage.tell(News::Sessions(Ok(Page { items, next: None })));
    });
}

/// Every tile there is.
fn all_tiles() -> State {
    let value = |exponent: u32| (exponent <= 17).then(|| 1_u32 << exponent);
    let grid = std::array::from_fn(|row| {
        std::array::from_fn(|column| value(2 + (4 * row + column) as u32))
    });
    State { grid, score: 3_932_100, best: 3_932_100, moves: 131_072, max_tile: 131_072, ..person() }
}

#[test]
fn palettes() {
    for palette in Palette::ALL {
        for (look, shade) in [(Look::Light, "light"), (Look::Dark, "dark")] {
            let name = format!("{}-{shade}", palette.name());
            picture(&name, &painted(palette, look), |stage| live(stage, all_tiles()));
        }
    }
    let short = Settings { labels: Labels::Short, ..settings() };
    small_picture("short-labels", &short, |stage| live(stage, all_tiles()));
}

#[test]
fn the_largest_tile_fits() {
    for (size, scale) in [(WIDE, 1.0), (WIDE, 1.25), (NARROW, 2.0), ([340.0, 420.0], 1.0)] {
        let mut stage = Stage::open(settings(), size, scale);
        live(&mut stage, all_tiles());
        let label = "row 4 column 4, 131072";
        let middle = stage.window.get_by_label(label).rect().center() * scale;
        let board = stage.window.get_by_label("Board").rect();
        let tile = board.width() * (1.0 - 5.0 * 0.024) / 4.0 * scale;
        let picture = stage.window.render().unwrap();
        let at = |x: f32, y: f32| *picture.get_pixel((middle.x + x) as u32, (middle.y + y) as u32);
        let fill = at(0.0, -0.4 * tile);
        let mut inked = 0;
        for step in 0..100 {
            let y = (step as f32 / 100.0 - 0.5) * 0.8 * tile;
            for x in [-0.45, 0.45] {
                assert_eq!(at(x * tile, y), fill, "digits at the edge, {size:?} at scale {scale}");
            }
            let line = (-40..40).map(|x| at(x as f32 / 100.0 * tile, y));
            inked += line.filter(|pixel| *pixel != fill).count();
        }
        assert!(inked > 50, "there are digits");
    }
}

#[test]
fn a_picture_that_has_changed_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let options = tolerance().output_path(folder.path());
    let draw = |state: State| {
        let mut stage = Stage::open(settings(), WIDE, 1.0);
        live(&mut stage, state);
        coarse(stage.window.render().unwrap())
    };
    let picture: RgbaImage = draw(person());
    fs::create_dir_all(folder.path()).unwrap();
    picture.save(folder.path().join("board.png")).unwrap();
    try_image_snapshot_options(&picture, "board", &options).unwrap();
    let mut touched = picture.clone();
    touched.put_pixel(300, 300, Rgba([255, 0, 255, 255]));
    try_image_snapshot_options(&touched, "board", &options).unwrap();
    let mut score = person();
    score.score += 4;
    let mut tile = person();
    tile.grid[0][0] = Some(256);
    let mut transposed = person();
    let grid = transposed.grid;
    transposed.grid = std::array::from_fn(|row| std::array::from_fn(|column| grid[column][row]));
    for (what, state) in [("a digit", score), ("a tile", tile), ("rows and columns", transposed)] {
        try_image_snapshot_options(&draw(state), "board", &options).expect_err(what);
    }
}
