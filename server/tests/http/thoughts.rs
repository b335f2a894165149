//! Long thoughts for which nobody has any use left: they keep no other from being thought.

use std::time::Duration;

use serde_json::{Value, json};
use server::config::Config;

use crate::table::{Caller, Reply, Table};

/// A server on which one player thinks at a time, and on which a caller who has hung up, but was not missed yet, takes
/// nobody's place among those who ask.
fn one_at_a_time() -> Table {
    Table::with(Config { searches: 1, max_advice_per_session: 100, ..Config::default() })
}

/// Thinks for a minute, which is longer than any caller here waits.
async fn think(caller: Caller, call: &str) -> Reply {
    caller.post(call, &json!({ "player": "mcts", "budgetMs": 60_000 })).await
}

/// Waits until a short thought has to wait for a long one.
async fn until_occupied(caller: &Caller) {
    while tokio::time::timeout(Duration::from_millis(300), short_hint(caller)).await.is_ok() {}
}

async fn short_hint(caller: &Caller) -> Value {
    caller.post("hint", &json!({ "player": "mcts", "budgetMs": 1 })).await.ok()
}

#[tokio::test]
async fn a_hint_ends_when_its_caller_hangs_up() {
    let table = one_at_a_time();
    let hint = tokio::spawn(think(table.caller.clone(), "hint"));
    until_occupied(&table).await;
    hint.abort();
    assert!(short_hint(&table).await["decision"]["move"].is_string());
}

#[tokio::test]
async fn a_step_ends_when_the_game_goes_on_without_it() {
    for (call, body) in [
        ("move", json!({ "direction": "LEFT" })),
        ("new", json!({ "seed": 1 })),
        ("agent/start", json!({ "player": "rules" })),
    ] {
        let table = one_at_a_time();
        table.deal([[0, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
        let step = tokio::spawn(think(table.caller.clone(), "agent/step"));
        until_occupied(&table).await;
        table.post(call, &body).await.ok();
        let refused = step.await.unwrap().refused(409);
        assert_eq!(refused, "the game went on while mcts was thinking", "{call}");
    }
}

#[tokio::test]
async fn a_step_ends_unplayed_when_its_caller_hangs_up() {
    let table = one_at_a_time();
    let before = table.state().await;
    let step = tokio::spawn(think(table.caller.clone(), "agent/step"));
    until_occupied(&table).await;
    step.abort();
    assert!(short_hint(&table).await["decision"]["move"].is_string());
    assert_eq!(table.state().await["seq"], before["seq"]);
    // What was not carried out is not remembered either.
    let body = json!({ "player": "rules", "commandId": "again" });
    assert_eq!(table.post("agent/step", &body).await.ok()["moved"], true);
}

#[tokio::test]
async fn long_thoughts_make_room_for_those_who_wait() {
    let table = one_at_a_time();
    let long: Vec<_> = ["hint", "agent/step", "hint"]
        .map(|call| tokio::spawn(think(table.caller.clone(), call)))
        .into();
    until_occupied(&table).await;
    // Three minutes' thoughts are before it.
    assert!(short_hint(&table).await["decision"]["move"].is_string());
    for reply in long {
        // Each gives what it had found until then; the last may be at it still.
        if reply.is_finished() {
            let reply = reply.await.unwrap().ok();
            assert!(reply["decision"]["move"].is_string() || reply["moved"] == true, "{reply}");
        } else {
            reply.abort();
        }
    }
}
