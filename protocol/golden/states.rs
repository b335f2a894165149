//! The golden states as values: a module of the tests of every client, by `#[path]`.

use protocol::{DriverKind, State};

/// The state of this golden file, named without its ending.
pub(crate) fn golden(name: &str) -> State {
    let text = match name {
        "state-new-game" => include_str!("state-new-game.json"),
        "state-after-a-move" => include_str!("state-after-a-move.json"),
        "state-game-over" => include_str!("state-game-over.json"),
        "state-fallback" => include_str!("state-fallback.json"),
        _ => panic!("no golden state {name}"),
    };
    serde_json::from_str(text).expect("a golden file has a state")
}

/// The state after a move, with a person playing.
pub(crate) fn person() -> State {
    let mut state = golden("state-after-a-move");
    state.agent.running = false;
    state.driver.kind = DriverKind::Human;
    state.driver.name = "human".into();
    state
}
