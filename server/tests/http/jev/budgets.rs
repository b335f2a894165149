//! What is asked no more: a budget that is spent, a service that fails, a key that has gone, a move without a choice.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use serde_json::{Value, json};
use server::{
    clock::{Clock, UnixMillis},
    config::{Config, Durability, StoreChoice, TranscriptTo},
    jev::{KeySource, Settings},
};

use super::{BOARD, Model, Reply, open, records, settings, step, table};
use crate::table::{DEAD, Table};

/// RIGHT is the only legal direction.
const NARROW: [[u32; 4]; 4] = [[2, 0, 0, 0], [4, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]];

async fn outcomes(table: &Table) -> Vec<String> {
    let records = records(table).await.into_iter().rev();
    records.map(|record| record["outcome"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_session_whose_budget_is_spent_stops_and_says_so() {
    let model = Model::start([Reply::Legal(0, 0.7)]).await;
    let table = open(Settings { session_budget: 3, ..settings(&model.url()) });
    let mut events = table.watch("").await;
    // A game in which none of the first moves is the only one: those are not asked about.
    table.deal(BOARD).await;
    table.start_agent(json!({ "player": "jev", "intervalSeconds": 0.05 })).await;
    let stopped =
        events.state_where(|state| state["agent"]["running"] == false && state["moves"] == 3);
    let stopped = stopped.await;
    let said = "the 3 requests of this session are spent";
    assert_eq!(stopped["decision"]["reason"], format!("agent stopped: Budget: {said}"));
    assert_eq!(stopped["decision"]["source"], "fallback");
    assert_eq!(model.requests().len(), 3);
    assert_eq!(outcomes(&table).await[3], format!("not asked: {said}"));
    let refused = table.post("hint", &json!({ "player": "jev" })).await.refused(503);
    assert_eq!(refused, format!("jev gave no answer: Budget: {said}"));
    assert_eq!(model.requests().len(), 3, "a hard stop");
    let spending = table.transcript().await["spending"].clone();
    assert_eq!((&spending["session"], &spending["sessionBudget"]), (&json!(3), &json!(3)));

    // Others go on.
    let created = table.post("sessions", &json!({})).await.ok();
    let other = table.in_session(created["id"].as_str().unwrap());
    let other = other.with_token(created["control"].as_str().unwrap());
    assert_eq!(step(&other).await["decision"]["source"], "jev");
}

#[tokio::test]
async fn the_budget_of_the_day_is_for_all_sessions_and_repetitions_count() {
    let model = Model::start([Reply::error(503, &json!({})), Reply::Legal(0, 0.7)]).await;
    let table = open(Settings { day_budget: 2, ..settings(&model.url()) });
    assert_eq!(step(&table).await["decision"]["source"], "jev", "at the second attempt");
    let created = table.post("sessions", &json!({})).await.ok();
    let other = table.in_session(created["id"].as_str().unwrap());
    let other = other.with_token(created["control"].as_str().unwrap());
    other.deal(BOARD).await;
    let refused = other.post("agent/step", &json!({ "player": "jev" })).await.refused(503);
    assert!(refused.contains("the 2 requests of this day (UTC) are spent"), "{refused}");
    assert_eq!(other.transcript().await["spending"]["day"], 2);
}

#[tokio::test]
async fn the_next_day_has_its_own_budget() {
    let model = Model::start([Reply::Legal(0, 0.7)]).await;
    let now = Arc::new(AtomicI64::new(1_700_000_000_000));
    let told = Arc::clone(&now);
    let clock = Clock::new(move || UnixMillis(told.load(Ordering::Relaxed)));
    let jev = Settings { day_budget: 1, ..settings(&model.url()) };
    let transcript = TranscriptTo::Memory;
    let table = Table::with(Config { jev, clock, transcript, ..Config::default() });
    assert_eq!(step(&table).await["decision"]["source"], "jev");
    table.deal(BOARD).await;
    table.post("agent/step", &json!({ "player": "jev" })).await.refused(503);
    let day = 24 * 60 * 60 * 1000;
    now.fetch_add(day, Ordering::Relaxed);
    assert_eq!(step(&table).await["decision"]["source"], "jev");
    assert_eq!(records(&table).await[0]["at"], "2023-11-15T22:13:20.000Z");
    // A clock that is set back gives no day twice.
    now.fetch_sub(day, Ordering::Relaxed);
    table.post("agent/step", &json!({ "player": "jev" })).await.refused(503);
}

#[tokio::test]
async fn a_new_start_gives_the_day_no_new_budget() {
    let model = Model::start([Reply::Legal(0, 0.7)]).await;
    let folder = tempfile::tempdir().unwrap();
    let start = || {
        let durability = Durability::Process;
        Table::with(Config {
            jev: Settings { day_budget: 2, ..settings(&model.url()) },
            store: StoreChoice::Sqlite { folder: folder.path().to_owned(), durability },
            clock: Clock::new(|| UnixMillis(1_700_000_000_000)),
            ..Config::default()
        })
    };
    for _ in 0..2 {
        assert_eq!(step(&start()).await["decision"]["source"], "jev");
    }
    let table = start();
    table.deal(BOARD).await;
    let refused = table.post("agent/step", &json!({ "player": "jev" })).await.refused(503);
    assert!(refused.contains("the 2 requests of this day (UTC) are spent"), "{refused}");
    let spending = table.transcript().await["spending"].clone();
    assert_eq!((&spending["day"], &spending["session"]), (&json!(2), &json!(0)));
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn a_service_that_fails_is_left_alone_and_found_again() {
    let bad = || Reply::error(400, &json!({ "detail": "no" }));
    let (table, model) = table([bad(), bad(), bad(), bad(), Reply::Legal(0, 0.7)]).await;
    let mut reasons = Vec::new();
    for _ in 0..23 {
        reasons.push(step(&table).await["decision"]["reason"].clone());
    }
    let mut expected = vec![json!("the service answered 400: no"); 3];
    // The tenth of them asked in vain, which is no news.
    expected.extend(vec![json!("Jev unavailable, rules is playing"); 19]);
    expected.push(Value::Null);
    assert_eq!(reasons, expected);
    assert_eq!(model.requests().len(), 5);
    assert_eq!(step(&table).await["decision"]["source"], "jev");
    let records = records(&table).await;
    assert_eq!(records[records.len() - 13]["error"], "the service answered 400: no");
    let outcomes = outcomes(&table).await;
    assert_eq!(
        outcomes[3],
        "not asked: the service fails and is left alone, to be asked again in 9 moves"
    );
    assert_eq!(outcomes[12], "fell back to RIGHT");
    assert_eq!(outcomes[22..], ["played RIGHT", "played RIGHT"]);
}

#[tokio::test]
async fn a_refused_key_is_not_tried_again_at_once() {
    let (table, model) = table([Reply::error(401, &json!({ "detail": "no" }))]).await;
    step(&table).await;
    assert_eq!(step(&table).await["decision"]["reason"], "Jev unavailable, rules is playing");
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn a_move_without_a_choice_is_not_asked_about() {
    let (table, model) = table([Reply::Legal(0, 0.7)]).await;
    table.deal(NARROW).await;
    let state = table.post("agent/step", &json!({ "player": "jev" })).await.ok()["state"].clone();
    let decision = &state["decision"];
    assert_eq!((&decision["source"], &decision["move"]), (&json!("fallback"), &json!("RIGHT")));
    assert_eq!(decision["reason"], "only one legal move");
    table.deal(DEAD).await;
    let dead = table.post("agent/step", &json!({ "player": "jev" })).await.ok();
    assert_eq!(dead["moved"], false);
    assert!(model.requests().is_empty());
    let expected = ["not asked: only one legal move", "not asked: no legal moves"];
    assert_eq!(outcomes(&table).await, expected);
}

#[tokio::test]
async fn a_key_that_goes_away_is_missed_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(".env");
    std::fs::write(&file, format!("TYPESAFE_API_KEY={}", super::KEY)).unwrap();
    let model = Model::start([Reply::Legal(0, 0.7)]).await;
    let key = KeySource::Environment { file: file.clone() };
    let table = open(Settings { key, ..settings(&model.url()) });
    assert_eq!(step(&table).await["decision"]["source"], "jev");
    std::fs::write(&file, "TYPESAFE_API_KEY=\"\"").unwrap();
    let state = step(&table).await;
    assert_eq!(state["decision"]["reason"], "no TYPESAFE_API_KEY set");
    assert_eq!(state["agent"]["players"][0], "jev", "the list is the one of the start");
    std::fs::write(&file, format!("TYPESAFE_API_KEY={}", super::KEY)).unwrap();
    assert_eq!(step(&table).await["decision"]["source"], "jev");
    assert_eq!(outcomes(&table).await[1], "not asked: no TYPESAFE_API_KEY set");
}

#[tokio::test]
async fn it_is_offered_first_with_a_key_and_missed_by_name_without() {
    let (with, _model) = table([Reply::Legal(0, 0.7)]).await;
    let agent = with.state().await["agent"].clone();
    assert_eq!((&agent["players"][0], &agent["player"]), (&json!("jev"), &json!("jev")));
    assert_eq!(agent["keyConfigured"], true);
    assert_eq!(with.get("/api/version").await.ok()["keyConfigured"], true);

    let without = Table::open();
    let agent = without.state().await["agent"].clone();
    assert_eq!((&agent["players"][0], &agent["keyConfigured"]), (&json!("mcts"), &json!(false)));
    let entry = json!({
        "name": "jev", "title": "Jev (TypeSafe AI)", "available": false, "reason": "no TYPESAFE_API_KEY set",
    });
    assert_eq!(agent["roster"][0], entry);
    let refused = without.post("agent/start", &json!({ "player": "jev" })).await.refused(422);
    assert!(
        refused.starts_with("jev is not available: no TYPESAFE_API_KEY set; the players are mcts")
    );
}
