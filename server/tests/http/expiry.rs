//! Sessions that nobody plays in any more.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use server::{
    clock::{Clock, UnixMillis},
    config::Config,
};

use crate::table::Table;

/// How far the server's clock is ahead of the machine's, in milliseconds.
type Ahead = Arc<AtomicI64>;

/// A server whose sessions expire after `after`, and its clock.
fn expiring(after: Duration) -> (Table, Ahead) {
    let ahead = Ahead::default();
    let (shift, machine) = (Arc::clone(&ahead), Clock::system());
    let clock = Clock::new(move || UnixMillis(machine.now().0 + shift.load(Ordering::Relaxed)));
    let config = Config { clock, expire_after: Some(after), ..Config::default() };
    (Table::with(config), ahead)
}

#[tokio::test]
async fn whoever_watches_is_warned_before_a_session_expires() {
    let (table, _) = expiring(Duration::from_millis(400));
    let created = table.post("sessions", &json!({ "seed": "1" })).await.ok();
    let session = table.in_session(created["id"].as_str().unwrap());
    let mut events = session.watch("").await;
    let note = events.named("note").await.json();
    assert_eq!(note["kind"], "expiry", "{note}");
    assert_eq!(events.named("bye").await.json()["reason"], "closed");
    session
        .get(&format!("/api/sessions/{}/state", created["id"].as_str().unwrap()))
        .await
        .refused(404);
    // Its games stay, and `main` always exists.
    assert!(
        table
            .get(&format!("/api/games/{}", created["state"]["game"].as_str().unwrap()))
            .await
            .status
            .as_u16()
            == 404,
        "it had no move"
    );
    assert_eq!(table.state().await["session"], "main");
}

#[tokio::test]
async fn a_clock_that_jumps_an_hour_ends_no_session() {
    let (table, ahead) = expiring(Duration::from_mins(30));
    let mut ids = Vec::new();
    for _ in 0..20 {
        let created = table.post("sessions", &json!({})).await.ok();
        ids.push(created["id"].as_str().unwrap().to_owned());
    }
    let mut events = table.in_session(&ids[0]).watch("").await;
    for hours in [1, -1, 0] {
        ahead.store(hours * 3_600_000, Ordering::Relaxed);
        if hours == 1 {
            // That people are warned shows that it was looked at.
            assert_eq!(events.named("note").await.json()["kind"], "expiry");
        }
        for id in &ids {
            assert_eq!(table.in_session(id).state().await["session"], id.as_str(), "{hours}");
        }
    }
}
