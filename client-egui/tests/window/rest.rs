//! Nothing is drawn while nothing happens; and what those hear who don't see.

use std::time::Duration;

use client::{Connection, Fault};
use client_egui::settings::Moving;
use eframe::egui::{ViewportId, accesskit};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::stage::{Stage, golden, person, settings};

/// When the window is to be drawn again, if nothing happens until then.
fn next_picture(stage: &Stage) -> Duration {
    stage.window.output().viewport_output[&ViewportId::ROOT].repaint_delay
}

#[test]
fn at_rest_there_is_no_next_picture() {
    let mut stage = Stage::live(person());
    assert_eq!(next_picture(&stage), Duration::MAX);
    let drawn = stage.window.state().pictures;
    stage.window.run();
    assert!(stage.window.state().pictures <= drawn + 2, "it comes to rest at once");
    for state in [golden("state-game-over"), golden("state-new-game")] {
        assert_eq!(next_picture(&Stage::live(state)), Duration::MAX);
    }
}

#[test]
fn a_sentence_a_countdown_and_a_thought_are_drawn_when_they_change() {
    let mut stage = Stage::live(golden("state-after-a-move"));
    let delay = next_picture(&stage);
    assert!(
        delay <= Duration::from_millis(334) && delay >= Duration::from_millis(300),
        "{delay:?}"
    );
    let now = stage.now();
    let lost = Connection::Lost {
        since: now,
        next_try: now + Duration::from_secs(3),
        fault: Fault::Unreachable,
    };
    stage.connect(lost);
    assert_eq!(next_picture(&stage), Duration::from_millis(250));
    let mut stage = Stage::live(person());
    stage.window.state_mut().act(client::seat::Action::Faster);
    stage.settle();
    assert_eq!(next_picture(&stage), Duration::from_secs(6), "until the sentence goes");
}

#[test]
fn an_animation_is_drawn_to_its_end_and_no_further() {
    let mut settings = settings();
    settings.moving = Moving::Full;
    let mut stage = Stage::open(settings, crate::stage::WIDE, 1.0);
    stage.arrive(true);
    stage.connect(Connection::Live);
    let (before, after) = (before(), person());
    stage.show(before);
    stage.pass(Duration::from_secs(5));
    stage.show(after);
    assert_eq!(next_picture(&stage), Duration::ZERO);
    stage.pass(Duration::from_millis(699));
    assert_eq!(next_picture(&stage), Duration::ZERO);
    stage.pass(Duration::from_millis(2));
    assert_eq!(next_picture(&stage), Duration::MAX);
}

/// The state that the golden move was made from.
pub(crate) fn before() -> protocol::State {
    let grid = include_str!("../../../protocol/golden/grid-before-the-move.json");
    let after = person();
    protocol::State {
        grid: serde_json::from_str(grid).unwrap(),
        seq: after.seq - 1,
        moves: after.moves - 1,
        transition: None,
        ..after
    }
}

#[test]
fn every_square_is_told_row_by_row() {
    let stage = Stage::live(person());
    for (row, line) in person().grid.iter().enumerate() {
        for (column, value) in line.iter().enumerate() {
            let value = value.map_or_else(|| String::from("empty"), |value| value.to_string());
            let label = format!("row {} column {}, {value}", row + 1, column + 1);
            assert!(stage.window.query_by_label(&label).is_some(), "{label}");
        }
    }
}

#[test]
fn what_is_said_is_told_when_it_changes() {
    let mut stage = Stage::live(golden("state-after-a-move"));
    let mut state = person();
    state.seq += 1;
    state.transition.as_mut().unwrap().by = "human".into();
    state.driver.since_move = 215;
    stage.show(state);
    let line = stage.window.get_by_label("A person took over from mcts at move 215.");
    assert_eq!(line.accesskit_node().live(), accesskit::Live::Polite);
    let title = stage.window.state().title(stage.now());
    assert_eq!(title, "A person took over from mcts at move 215 - 2048");
}

#[test]
fn the_title_says_how_it_stands() {
    let mut stage = Stage::live(golden("state-after-a-move"));
    let title = |stage: &Stage| stage.window.state().title(stage.now());
    assert_eq!(title(&stage), "Monte Carlo Tree Search plays, 2056 points - 2048");
    let now = stage.now();
    stage.connect(Connection::Lost { since: now, next_try: now, fault: Fault::Ended });
    assert_eq!(title(&stage), "Reconnecting - 2048");
}
