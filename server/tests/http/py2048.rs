//! A page written for py2048 works unchanged: it knows no names of events, no ids, no fields that came later.

use reqwest::{Method, header::CONTENT_TYPE};
use serde_json::{Value, json};

use crate::table::{Reply, Table};

/// What that page reads of a state.
fn draw(state: &Value) -> u64 {
    assert_eq!(state["grid"].as_array().unwrap().len(), 4);
    for field in ["score", "mergeCount", "moves", "maxTile"] {
        assert!(state[field].is_u64(), "{field}: {state}");
    }
    assert!(state["gameOver"].is_boolean());
    assert!(state["lastMove"].is_string() || state["lastMove"].is_null());
    assert!(state["decision"].is_object() || state["decision"].is_null());
    let agent = &state["agent"];
    assert!(agent["running"].is_boolean() && agent["keyConfigured"].is_boolean());
    assert!(agent["intervalSeconds"].is_number() && agent["player"].is_string());
    assert!(agent["players"].as_array().unwrap().contains(&json!("mcts")));
    state["moves"].as_u64().unwrap()
}

#[tokio::test]
async fn its_page_plays_and_watches() {
    let table = Table::open();
    draw(&table.get("/api/state").await.ok());
    let mut events = table.watch("").await;
    draw(&events.state().await);

    // An unwrapped state, asked for without a body.
    assert_eq!(draw(&table.post_empty("new").await.ok()), 0);
    let mut moved = Value::Null;
    // Two tiles in a corner may have one or two directions that move nothing.
    for direction in ["up", "left", "down", "right"] {
        let reply = table.post("move", &json!({ "direction": direction })).await.ok();
        if reply["moved"] == true {
            moved = reply["state"].clone();
        }
    }
    assert!(draw(&moved) >= 2);
    assert_eq!(moved["decision"]["source"], "human");
    let seen = events.state_where(|state| state["moves"] == moved["moves"]).await;
    assert_eq!(seen["grid"], moved["grid"]);
}

#[tokio::test]
async fn its_unknown_direction_is_refused_in_the_words_it_shows() {
    let table = Table::open();
    let reply = table.post("move", &json!({ "direction": "SIDEWAYS" })).await;
    assert_eq!(reply.refused(422), "SIDEWAYS is not one of UP, DOWN, LEFT, RIGHT");
    assert_eq!(reply.text, r#"{"detail":"SIDEWAYS is not one of UP, DOWN, LEFT, RIGHT"}"#);
}

#[tokio::test]
async fn its_agent_starts_carries_on_and_stops() {
    let table = Table::open();
    let mut events = table.watch("").await;
    let settings = json!({ "intervalSeconds": 0.05, "player": "random" });
    let reply = table.post("agent/start", &settings).await.ok();
    assert_eq!(
        (&reply["started"], &reply["state"]["agent"]["running"]),
        (&json!(true), &json!(true))
    );
    let again =
        table.post("agent/start", &json!({ "player": "rules", "intervalSeconds": 0.05 })).await;
    assert_eq!(again.ok()["started"], false);
    table.post("agent/start", &json!({ "player": "nobody" })).await.refused(422);
    events.state_where(|state| state["decision"]["source"] == "rules").await;

    // A key pressed while the AI runs is played, and the AI carries on.
    let human = loop {
        let legal = table.state().await["legal"][0].clone();
        let reply = table.post("move", &json!({ "direction": legal })).await.ok();
        if reply["moved"] == true {
            break reply["state"].clone();
        }
    };
    assert_eq!(human["agent"]["running"], true);
    let moves = draw(&human);
    events
        .state_where(|state| {
            state["moves"].as_u64() > Some(moves) && state["decision"]["source"] == "rules"
        })
        .await;

    let reply = table.post_empty("agent/stop").await.ok();
    assert_eq!(
        (&reply["stopped"], &reply["state"]["agent"]["running"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn its_stream_has_unnamed_states_first() {
    let table = Table::open();
    let mut events = table.watch("").await;
    let retry = events.next().await.unwrap();
    assert!(retry.retry.is_some() && retry.data.is_empty());
    let first = events.next().await.unwrap();
    assert_eq!(first.name, None);
    assert_eq!(first.json(), table.state().await);
    let headers = events.response().headers();
    assert_eq!(headers["x-accel-buffering"], "no");
    assert!(headers["cache-control"].to_str().unwrap().contains("no-cache"));
}

#[tokio::test]
async fn its_requests_have_a_content_type_without_a_body_at_times() {
    let table = Table::open();
    let request = table.request(Method::POST, "/api/new").header(CONTENT_TYPE, "application/json");
    draw(&Reply::of(request).await.ok());
}

#[tokio::test]
async fn its_agent_stops_at_game_over() {
    let table = Table::open();
    let mut events = table.watch("").await;
    table.post("agent/start", &json!({ "player": "random", "pace": "max" })).await.ok();
    let over = events.state_where(|state| state["gameOver"] == true).await;
    assert_eq!(over["agent"]["running"], false);
    assert_eq!(over["driver"]["name"], "random", "game over does not change the driver");
}
