//! The wire contract: golden files that Rust and the page's tests both read, and the transition's promise.

use std::{fs, path::Path};

use engine::{Game, Start};
use proptest::prelude::*;
use protocol::{
    Acted, Bye, ErrorBody, Grid, Heartbeat, HintReply, Moved, SessionCreated, State, Transition,
};
use serde::{Serialize, de::DeserializeOwned};

/// Reads a golden file as `T` and writes it again: nothing may be lost or renamed.
fn golden<T: Serialize + DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let value: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected: serde_json::Value = serde_json::from_str(&text).expect("it was read just now");
    assert_eq!(serde_json::to_value(&value).expect("it has string keys"), expected, "{name}");
    value
}

#[test]
fn golden_states_are_read_and_written_the_same() {
    let fresh: State = golden("state-new-game.json");
    assert_eq!((fresh.seq, fresh.moves, fresh.decision), (0, 0, None));
    let played: State = golden("state-after-a-move.json");
    assert_eq!((played.seq, played.moves, played.transition.is_some()), (215, 214, true));
    let over: State = golden("state-game-over.json");
    assert!(over.game_over && over.legal.is_empty() && over.seed.is_some());
    let driven: State = golden("state-fallback.json");
    assert_eq!(driven.decision.unwrap().source, "fallback");
}

#[test]
fn golden_replies_are_read_and_written_the_same() {
    assert!(golden::<Moved>("reply-move.json").acted());
    golden::<HintReply>("reply-hint.json");
    golden::<SessionCreated>("reply-session-created.json");
    assert!(golden::<ErrorBody>("error-stale.json").state.is_some());
    assert!(golden::<ErrorBody>("error-unknown-direction.json").state.is_none());
}

#[test]
fn golden_events_are_read_and_written_the_same() {
    assert_eq!(golden::<Heartbeat>("event-hb.json").seq, 215);
    assert_eq!(golden::<Bye>("event-bye.json").reason.name(), "shutdown");
}

#[test]
fn golden_transition_leads_from_one_grid_to_the_next() {
    let after: State = golden("state-after-a-move.json");
    let before: Grid = golden("grid-before-the-move.json");
    let before = before.0.map(|row| row.map(|value| value.map(|value| value as u32)));
    assert_eq!(
        apply(before, after.transition.as_ref().unwrap()),
        (after.grid, after.transition.unwrap().gained)
    );
}

/// Applies a transition as a client does: slides, merges, spawn. Gives the grid and the sum of the merged values.
fn apply(before: [[Option<u32>; 4]; 4], transition: &Transition) -> ([[Option<u32>; 4]; 4], u32) {
    let (mut after, mut gained) = ([[None; 4]; 4], 0);
    let tiles = before.iter().flatten().flatten().count();
    assert_eq!(transition.slides.len(), tiles, "every tile once");
    for slide in &transition.slides {
        let [row, column] = slide.from.map(usize::from);
        assert_eq!(before[row][column], Some(slide.value));
        let [row, column] = slide.to.map(usize::from);
        let cell: &mut Option<u32> = &mut after[row][column];
        match cell {
            None => *cell = Some(slide.value),
            Some(value) => {
                assert!(slide.merges && *value == slide.value);
                *value *= 2;
                gained += *value;
            }
        }
    }
    let [row, column] = transition.spawn.at.map(usize::from);
    assert_eq!(after[row][column].replace(transition.spawn.value), None);
    (after, gained)
}

proptest! {
    #[test]
    fn every_transition_leads_from_one_grid_to_the_next(
        seed: u64,
        exponents in prop::array::uniform4(prop::array::uniform4(0_u32..=17)),
        direction in 0_usize..4,
    ) {
        let values = exponents.map(|row| row.map(|exponent| if exponent == 0 { 0 } else { 1_u64 << exponent }));
        let board = engine::Board::from_values(values).unwrap();
        let mut game = Game::begin(seed, Start::Custom(board));
        let before = protocol::grid_of(game.board());
        if let Ok(played) = game.play(engine::Direction::ALL[direction]) {
            let transition = protocol::transition_of(&played, "human");
            let merging = transition.slides.iter().filter(|slide| slide.merges).count();
            prop_assert_eq!(merging as u32, 2 * game.merges());
            prop_assert_eq!(apply(before, &transition), (protocol::grid_of(game.board()), transition.gained));
            prop_assert_eq!(u64::from(transition.gained), game.score());
        }
    }
}
