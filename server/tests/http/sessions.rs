//! Sessions beside `main`.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use server::config::Config;

use crate::table::{Caller, Reply, Table};

async fn create(table: &Table, body: Value) -> (Value, Caller) {
    let request =
        table.request(Method::POST, "/api/sessions").header("content-type", "application/json");
    let created = Reply::of(request.body(body.to_string())).await.ok();
    let read: protocol::SessionCreated = serde_json::from_value(created.clone()).unwrap();
    (created, table.in_session(&read.id).with_token(&read.control))
}

#[tokio::test]
async fn a_session_is_a_table_of_its_own() {
    let table = Table::open();
    let before = table.state().await;
    let (created, player) = create(&table, json!({ "seed": "7", "name": "Ann's" })).await;
    let id = created["id"].as_str().unwrap();
    assert!(id.len() >= 32, "128 random bits: {id}");
    assert_eq!(created["state"], player.state().await);
    assert_eq!(created["state"]["seed"], "7");
    player.deal([[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
    assert_eq!(player.play("LEFT").await["moved"], true);
    assert_eq!(table.state().await, before);
}

#[tokio::test]
async fn watching_a_session_is_free_and_playing_needs_its_token() {
    let table = Table::open();
    let (created, player) = create(&table, json!({})).await;
    let (other, _) = create(&table, json!({})).await;
    let watcher = table.in_session(created["id"].as_str().unwrap());
    watcher.state().await;
    watcher.watch("").await.state().await;
    let body = json!({ "direction": "UP" });
    watcher.post("move", &body).await.refused(401);
    watcher.with_token(other["control"].as_str().unwrap()).post("move", &body).await.refused(403);
    player.post("move", &body).await.ok();
}

#[tokio::test]
async fn a_closed_session_says_goodbye_and_is_gone() {
    let table = Table::open();
    let (created, player) = create(&table, json!({})).await;
    let path = format!("/api/sessions/{}", created["id"].as_str().unwrap());
    let mut events = player.watch("").await;
    events.state().await;
    Reply::of(table.request(Method::DELETE, &path)).await.refused(401);
    assert_eq!(Reply::of(player.request(Method::DELETE, &path)).await.status, 200);
    assert_eq!(events.named("bye").await.json()["reason"], "closed");
    assert_eq!(events.next().await, None);
    player.get(&format!("{path}/state")).await.refused(404);
    player.get(&format!("{path}/events")).await.refused(404);
    Reply::of(player.request(Method::DELETE, &path)).await.refused(404);
}

#[tokio::test]
async fn main_cannot_be_closed() {
    let table = Table::open();
    Reply::of(table.request(Method::DELETE, "/api/sessions/main")).await.refused(409);
    table.state().await;
}

#[tokio::test]
async fn the_list_comes_in_pages_newest_first() {
    let table = Table::open();
    let mut created = Vec::new();
    for number in 0..5 {
        created.push(create(&table, json!({ "name": format!("n{number}") })).await.0["id"].clone());
    }
    let (mut seen, mut path) = (Vec::new(), "/api/sessions?limit=2".to_owned());
    loop {
        let page = table.get(&path).await.ok();
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 2);
        seen.extend(items.iter().map(|item| item["id"].clone()));
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/api/sessions?limit=2&cursor={next}");
    }
    created.reverse();
    created.push(json!("main"));
    assert_eq!(seen, created);
    for wrong in ["0", "201", "x"] {
        table.get(&format!("/api/sessions?limit={wrong}")).await.refused(422);
        let twice = table.get(&format!("/api/sessions?limit={wrong}&limit=1")).await;
        assert_eq!(twice.refused(422), "limit: give it once");
    }
    table.get("/api/sessions?cursor=rubbish").await.refused(422);
}

#[tokio::test]
async fn a_session_that_leaves_memory_all_the_time_loses_nothing() {
    let table = Table::with(Config { idle: Duration::from_millis(1), ..Config::default() });
    let (created, player) = create(&table, json!({})).await;
    let mut seq = created["state"]["seq"].as_u64().unwrap();
    for _ in 0..150 {
        // Somewhere between at once and well after it has left.
        tokio::time::sleep(Duration::from_micros(rand::random_range(0..4000))).await;
        let state = player.post_empty("new").await.ok();
        seq += 1;
        assert_eq!(state["seq"], seq);
        assert_eq!(player.state().await, state);
    }
}
