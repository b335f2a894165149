//! Commands that are sent twice.

use serde_json::json;
use server::config::{Config, Durability, StoreChoice};

use crate::table::Table;

#[tokio::test]
async fn a_repeat_gets_the_first_reply_and_does_nothing() {
    let table = Table::open();
    table.deal([[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
    let command = json!({ "direction": "LEFT", "commandId": "one", "ifMoves": 0 });
    let first = table.post("move", &command).await;
    first.ok();
    table.play("RIGHT").await;
    let now = table.state().await;
    let again = table.post("move", &command).await;
    assert_eq!(again.ok(), first.ok(), "looked at before ifMoves");
    assert_eq!(table.state().await, now);
    let respelled = json!({ "commandId": "one", "direction": "left", "ifMoves": 0, "other": 1 });
    assert_eq!(table.post("move", &respelled).await.ok(), first.ok());
}

#[tokio::test]
async fn the_same_id_for_something_else_is_refused() {
    let table = Table::open();
    table.post("new", &json!({ "commandId": "one" })).await.ok();
    table.post("new", &json!({ "commandId": "one", "seed": 1 })).await.refused(422);
    table.post("agent/start", &json!({ "commandId": "one" })).await.refused(422);
    assert_eq!(table.state().await["agent"]["running"], false);
}

#[tokio::test]
async fn a_refusal_is_not_remembered() {
    let table = Table::open();
    table.deal([[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
    let command = json!({ "direction": "LEFT", "commandId": "one", "ifMoves": 1 });
    table.post("move", &command).await.refused(409);
    table.play("RIGHT").await;
    assert!(table.post("move", &command).await.status == 200);
}

#[tokio::test]
async fn every_command_can_be_repeated() {
    let table = Table::open();
    for (call, body) in [
        ("new", json!({ "seed": 5, "commandId": "a" })),
        ("agent/step", json!({ "player": "random", "commandId": "b" })),
        // Its first move is not there before it is stopped.
        ("agent/start", json!({ "player": "mcts", "budgetMs": 60_000, "commandId": "c" })),
        ("agent/stop", json!({ "commandId": "d" })),
    ] {
        let first = table.post(call, &body).await.ok();
        let seq = table.state().await["seq"].clone();
        assert_eq!(table.post(call, &body).await.ok(), first, "{call}");
        assert_eq!(table.state().await["seq"], seq, "{call}");
    }
}

#[tokio::test]
async fn a_repeat_after_a_restart_is_a_repeat() {
    let folder = tempfile::tempdir().unwrap();
    let store =
        StoreChoice::Sqlite { folder: folder.path().to_owned(), durability: Durability::Process };
    let config = Config { store, ..Config::default() };
    let command = json!({ "direction": "LEFT", "commandId": "one" });
    let table = Table::with(config.clone());
    table.deal([[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
    let first = table.post("move", &command).await.ok();
    let Table { server, .. } = table;
    server.stop().unwrap();

    let table = Table::with(config);
    let state = table.state().await;
    let old = &first["state"];
    for same in
        ["session", "game", "epoch", "seq", "grid", "score", "moves", "decision", "transition"]
    {
        assert_eq!(state[same], old[same], "{same}");
    }
    assert_ne!(state["boot"], old["boot"], "it says that it is another run");
    assert_eq!(table.post("move", &command).await.ok(), first);
    assert_eq!(table.state().await, state);
}
