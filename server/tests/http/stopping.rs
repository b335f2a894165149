//! An orderly end.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::{limits::half_a_request, table::Table};

/// A thought that nobody waits for.
const THOUGHT_MS: u64 = 60_000;

/// Whoever ends this long after `begun` has not waited for the thought, on a busy machine either.
fn has_not_waited(begun: Instant) {
    assert!(begun.elapsed() < Duration::from_millis(THOUGHT_MS / 2), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_stops_amid_a_thought_with_a_hundred_open_streams() {
    let table = Table::open();
    table.start_agent(json!({ "player": "mcts", "budgetMs": THOUGHT_MS })).await;
    let mut streams = Vec::new();
    for _ in 0..100 {
        let mut events = table.watch("").await;
        events.state().await;
        streams.push(events);
    }
    let Table { server, caller } = table;
    let begun = Instant::now();
    let stopped = tokio::task::spawn_blocking(move || server.stop());
    for events in &mut streams {
        let bye = events.named("bye").await.json();
        assert_eq!(bye["reason"], "shutdown");
        assert!((1000..=3000).contains(&bye["retryMs"].as_u64().unwrap()));
        assert_eq!(events.next().await, None);
    }
    stopped.await.unwrap().unwrap();
    has_not_waited(begun);
    let refused = caller.request(reqwest::Method::GET, "/healthz").send().await.unwrap_err();
    assert!(refused.is_connect(), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_in_flight_are_answered_or_not_carried_out() {
    let folder = tempfile::tempdir().unwrap();
    let store = server::config::StoreChoice::Sqlite {
        folder: folder.path().to_owned(),
        durability: server::config::Durability::Process,
    };
    let config = server::config::Config { store, ..server::config::Config::default() };
    let Table { server, caller } = Table::with(config.clone());
    let before = caller.state().await["seq"].as_u64().unwrap();
    let started = caller.clone();
    let sender = tokio::spawn(async move {
        let mut acknowledged = 0;
        loop {
            let request = started
                .request(reqwest::Method::POST, "/api/new")
                .header("content-type", "application/json");
            match request.body("{}").send().await {
                Ok(answer) if answer.status() == 200 => acknowledged += 1,
                _ => return acknowledged,
            }
        }
    });
    let mut events = caller.watch("").await;
    events.state_where(|state| state["seq"].as_u64() >= Some(before + 20)).await;
    tokio::task::spawn_blocking(move || server.stop()).await.unwrap().unwrap();
    let acknowledged = sender.await.unwrap();
    let after = Table::with(config).state().await["seq"].as_u64().unwrap();
    // At most the one whose answer was lost with the connection is there beside those that were acknowledged.
    assert!(
        (acknowledged..=acknowledged + 1).contains(&(after - before)),
        "{after} - {before}, {acknowledged}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_thought_and_half_a_request_do_not_hold_it_up() {
    let table = Table::open();
    let _half = half_a_request(table.server.address()).await;
    let thinker = table.caller.clone();
    let hint = tokio::spawn(async move {
        let body = json!({ "player": "mcts", "budgetMs": THOUGHT_MS }).to_string();
        let request = thinker.request(reqwest::Method::POST, "/api/hint").body(body);
        request.header("content-type", "application/json").send().await.map(|reply| reply.status())
    });
    let state = table.caller.clone();
    table.start_agent(json!({ "player": "flat", "budgetMs": THOUGHT_MS })).await;
    state.state().await;
    let Table { server, .. } = table;
    let begun = Instant::now();
    tokio::task::spawn_blocking(move || server.stop()).await.unwrap().unwrap();
    has_not_waited(begun);
    let answered = hint.await.unwrap();
    assert!(
        answered.as_ref().map_or(true, |status| *status == 503 || *status == 200),
        "{answered:?}"
    );
}
