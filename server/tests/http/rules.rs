//! The rules of the protocol about states, moves and new games.

use serde_json::{Value, json};

use crate::table::{DEAD, Table};

fn tiles(state: &Value) -> usize {
    let rows = state["grid"].as_array().unwrap();
    rows.iter().flat_map(|row| row.as_array().unwrap()).filter(|cell| !cell.is_null()).count()
}

#[tokio::test]
async fn a_state_is_whole() {
    let table = Table::open();
    let state = table.state().await;
    let read: protocol::State = serde_json::from_value(state.clone()).unwrap();
    assert_eq!((read.protocol, read.session.as_str(), read.seq, read.moves), (1, "main", 0, 0));
    assert!(read.epoch.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    assert_eq!(tiles(&state), 2);
    assert!(read.seed.is_none(), "a secret seed is in no answer");
    assert_eq!(table.get("/api/sessions/main/state").await.ok(), state);
}

#[tokio::test]
async fn a_move_says_what_it_did() {
    let table = Table::open();
    table.deal([[2, 2, 2, 2], [0; 4], [0; 4], [0; 4]]).await;
    let reply = table.play("left").await;
    let state = &reply["state"];
    assert_eq!(reply["moved"], true);
    assert_eq!(
        (&state["score"], &state["mergeCount"], &state["moves"]),
        (&json!(8), &json!(2), &json!(1))
    );
    assert_eq!(state["lastMove"], "LEFT");
    assert_eq!(state["transition"]["gained"], 8);
    assert_eq!(state["transition"]["by"], "human");
    assert_eq!(state["decision"]["source"], "human");
    assert_eq!(tiles(state), 3);
    assert_eq!(*state, table.state().await);
}

#[tokio::test]
async fn a_direction_may_be_written_in_any_case() {
    let table = Table::open();
    for direction in ["right", "RIGHT", "Right"] {
        table.deal([[2, 0, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
        assert_eq!(table.play(direction).await["moved"], true);
    }
}

#[tokio::test]
async fn a_direction_that_changes_nothing_changes_nothing() {
    let table = Table::open();
    // One pair: after it is merged to the left, the board is full and no row has another.
    let rows = [[2, 2, 8, 16], [32, 64, 128, 256], [2, 4, 8, 16], [32, 64, 128, 256]];
    table.deal(rows).await;
    let played = table.play("LEFT").await["state"].clone();
    let again = table.play("LEFT").await;
    assert_eq!(
        (&again["moved"], &again["state"]),
        (&json!(false), &played),
        "seq, decision and all stay"
    );
}

#[tokio::test]
async fn a_dead_board_takes_no_move_and_no_agent() {
    let table = Table::open();
    let state = table.deal(DEAD).await;
    assert_eq!((&state["gameOver"], &state["legal"]), (&json!(true), &json!([])));
    for direction in ["UP", "DOWN", "LEFT", "RIGHT"] {
        assert_eq!(table.play(direction).await["moved"], false);
    }
    assert_eq!(table.start_agent(json!({})).await["started"], false);
    assert_eq!(table.post("agent/step", &json!({})).await.ok()["moved"], false);
    assert_eq!(table.state().await["moves"], 0);
}

#[tokio::test]
async fn a_given_grid_is_the_start() {
    let table = Table::open();
    let empty = [0; 4];
    let rows = json!([[131_072, 131_072, null, 0], empty, empty, empty]);
    let state = table.post("new", &json!({ "grid": rows })).await.ok();
    assert_eq!((&state["custom"], &state["best"], tiles(&state)), (&json!(true), &json!(0), 2));
    let state = table.play("RIGHT").await["state"].clone();
    assert_eq!((&state["score"], tiles(&state)), (&json!(0), 3), "two 131072 never merge");
}

#[tokio::test]
async fn a_custom_game_is_kept_out_of_the_best() {
    let table = Table::open();
    table.deal([[1024, 1024, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
    let state = table.play("LEFT").await["state"].clone();
    assert_eq!(
        (&state["score"], &state["best"], &state["won"]),
        (&json!(2048), &json!(0), &json!(true))
    );
}

#[tokio::test]
async fn a_grid_that_is_none_is_refused() {
    let table = Table::open();
    let before = table.state().await;
    let empty = json!([0, 0, 0, 0]);
    for (grid, named) in [
        (json!([empty, empty, empty, empty]), "grid"),
        (json!([[3, 0, 0, 0], empty, empty, empty]), "3 is not a tile"),
        (json!([[1, 0, 0, 0], empty, empty, empty]), "1 is not a tile"),
        (json!([[262_144, 0, 0, 0], empty, empty, empty]), "262144 is not a tile"),
        (json!([[-2, 0, 0, 0], empty, empty, empty]), "grid[0][0]"),
        (json!([["2", 0, 0, 0], empty, empty, empty]), "grid[0][0]"),
        (json!([empty, empty, empty]), "grid"),
        (json!([[2, 0, 0], empty, empty, empty]), "grid[0]"),
        (json!("2 2"), "grid"),
    ] {
        let detail = table.post("new", &json!({ "grid": grid })).await.refused(422);
        assert!(detail.contains(named), "{grid}: {detail}");
    }
    assert_eq!(table.state().await, before);
}

#[tokio::test]
async fn a_seed_makes_the_same_game_again_and_comes_back_as_text() {
    let table = Table::open();
    let largest = u64::MAX.to_string();
    let first = table.post("new", &json!({ "seed": largest })).await.ok();
    assert_eq!(first["seed"], json!(largest), "whoever gave it may see it");
    table.play("LEFT").await;
    table.play("UP").await;
    let again = table.post("new", &json!({ "seed": largest })).await.ok();
    assert_eq!(first["grid"], again["grid"]);
    assert_ne!(first["game"], again["game"]);
    let number = table.post("new", &json!({ "seed": 9_007_199_254_740_991_u64 })).await.ok();
    assert_eq!(number["seed"], "9007199254740991");
    for wrong in [
        json!(9_007_199_254_740_992_u64),
        json!("18446744073709551616"),
        json!(-1),
        json!(1.5),
        json!("x"),
    ] {
        let detail = table.post("new", &json!({ "seed": wrong })).await.refused(422);
        assert!(detail.starts_with("seed: "), "{detail}");
    }
}

#[tokio::test]
async fn seq_goes_up_by_one_with_every_change() {
    let table = Table::open();
    let seq = |state: &Value| state["seq"].as_u64().unwrap();
    let mut last = seq(&table.state().await);
    let mut next = |state: &Value| {
        assert_eq!(seq(state), last + 1, "{state}");
        last += 1;
    };
    next(&table.deal([[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await);
    next(&table.play("LEFT").await["state"]);
    let slow = json!({ "player": "random", "intervalSeconds": 10 });
    next(&table.start_agent(slow.clone()).await["state"]);
    let stopped = table.post_empty("agent/stop").await.ok();
    assert!(seq(&stopped["state"]) > last);
    assert_eq!(stopped["stopped"], true);
    assert_eq!(table.post_empty("agent/stop").await.ok()["stopped"], false);
}

#[tokio::test]
async fn a_stale_move_is_refused_with_the_state() {
    let table = Table::open();
    let state = table.deal([[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
    let game = state["game"].clone();
    let late = table.post("move", &json!({ "direction": "LEFT", "ifMoves": 7 })).await;
    assert_eq!(late.refused(409), "the game is at move 0, not 7");
    assert_eq!(late.json()["state"], state);
    let other = table.post("move", &json!({ "direction": "LEFT", "game": "another" })).await;
    other.refused(409);
    assert_eq!(other.json()["state"], state);
    let fits = json!({ "direction": "LEFT", "ifMoves": 0, "game": game });
    assert_eq!(table.post("move", &fits).await.ok()["moved"], true);
    assert_eq!(table.post("move", &fits).await.refused(409), "the game is at move 1, not 0");
}

#[tokio::test]
async fn a_hint_changes_nothing() {
    let table = Table::open();
    table.deal([[2, 2, 4, 0], [0; 4], [0; 4], [0; 4]]).await;
    let before = table.state().await;
    let hint = table.post("hint", &json!({ "player": "rules" })).await.ok();
    let read: protocol::HintReply = serde_json::from_value(hint.clone()).unwrap();
    assert_eq!(read.moves.len(), 4);
    assert_eq!(hint["moves"]["UP"], json!({ "legal": false }));
    assert_eq!(hint["moves"]["LEFT"]["gained"], 4);
    assert_eq!(table.state().await, before);
}

#[tokio::test]
async fn a_step_is_one_move_of_a_player() {
    let table = Table::open();
    let reply = table.post("agent/step", &json!({ "player": "rules" })).await.ok();
    let state = &reply["state"];
    assert_eq!((&reply["moved"], &state["moves"]), (&json!(true), &json!(1)));
    assert_eq!(state["decision"]["source"], "rules");
    assert_eq!(state["driver"]["kind"], "human", "a step does not hand the game over");
    table.start_agent(json!({ "player": "random", "intervalSeconds": 10 })).await;
    let busy = table.post("agent/step", &json!({})).await;
    busy.refused(409);
    assert_eq!(busy.json()["state"]["agent"]["running"], true);
}

#[tokio::test]
async fn starting_twice_takes_the_new_settings_over() {
    let table = Table::open();
    let first = table.start_agent(json!({ "player": "random", "intervalSeconds": 5 })).await;
    assert_eq!(
        (&first["started"], &first["state"]["agent"]["running"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(first["state"]["driver"]["name"], "random");
    let again = table
        .start_agent(json!({ "player": "rules", "intervalSeconds": 99, "pace": "adaptive", "budgetMs": 1e9 }))
        .await;
    let agent = &again["state"]["agent"];
    assert_eq!(again["started"], false);
    assert_eq!((&agent["player"], &agent["pace"]), (&json!("rules"), &json!("adaptive")));
    assert_eq!((&agent["intervalSeconds"], &agent["budgetMs"]), (&json!(10.0), &json!(60_000)));
}

#[tokio::test]
async fn settings_that_make_no_sense_are_refused_and_the_agent_stays() {
    let table = Table::open();
    table.start_agent(json!({ "player": "random", "intervalSeconds": 10 })).await;
    for (settings, named) in [
        (json!({ "player": "nobody" }), "nobody is not one of mcts, rules, random"),
        (json!({ "intervalSeconds": -1 }), "intervalSeconds"),
        (json!({ "intervalSeconds": "1" }), "intervalSeconds"),
        (json!({ "budgetMs": "1" }), "budgetMs"),
        (json!({ "pace": "fast" }), "pace"),
        (json!({ "player": 1 }), "player"),
        (json!({ "commandId": "" }), "commandId"),
        (json!({ "commandId": "x".repeat(65) }), "commandId"),
    ] {
        let detail = table.post("agent/start", &settings).await.refused(422);
        assert!(detail.contains(named), "{settings}: {detail}");
    }
    let agent = table.state().await["agent"].clone();
    assert_eq!((&agent["player"], &agent["running"]), (&json!("random"), &json!(true)));
    table.post_text("agent/start", r#"{"intervalSeconds":NaN}"#).await.refused(400);
}

#[tokio::test]
async fn a_new_game_leaves_the_agent_playing() {
    let table = Table::open();
    table.start_agent(json!({ "player": "random", "intervalSeconds": 0.05 })).await;
    let mut events = table.watch("").await;
    let game = table.post_empty("new").await.ok()["game"].clone();
    let state = events
        .state_where(|state| state["game"] == game && state["moves"].as_u64().unwrap() >= 3)
        .await;
    assert_eq!(state["agent"]["running"], true);
    assert_eq!(state["driver"]["name"], "random");
}
