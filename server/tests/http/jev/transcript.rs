//! The transcript: what is in it, who may read it, and that it is not made where nobody asked for it.

use std::process::{Command, Stdio};

use serde_json::{Value, json};
use server::config::{Config, TranscriptTo};

use super::{BOARD, KEY, Model, Reply, records, settings, step, table};
use crate::{
    process::{Process, command},
    table::Table,
};

#[tokio::test]
async fn a_record_holds_the_whole_exchange() {
    let (table, model) = table([Reply::Legal(0, 0.71)]).await;
    let before = table.deal(BOARD).await;
    step(&table).await;
    let record = records(&table).await.remove(0);
    let asked = model.requests().remove(0).json();
    assert_eq!(record["sent"]["state"], asked["state"]);
    assert_eq!(record["sent"]["questions"], asked["questions"]);
    assert_eq!(record["sent"]["state"]["board"]["grid"], before["grid"]);
    let received = &record["received"];
    assert_eq!((&received["choice"], &received["confidence"]), (&json!("RIGHT"), &json!(0.71)));
    assert_eq!((&received["risk"], &received["model"]), (&json!(0.9), &json!("jev-1.13.0")));
    assert_eq!(received["probabilities"], json!({ "DOWN": 0.4, "RIGHT": 0.6 }));
    assert_eq!((&received["input_tokens"], &received["output_tokens"]), (&json!(1500), &json!(34)));
    assert_eq!(received["estimated_cost_usd"], json!(0.000_063));
    assert_eq!((&record["request_id"], &record["attempts"]), (&json!("req_stub"), &json!(1)));
    assert_eq!((&record["outcome"], record.get("error")), (&json!("played RIGHT"), None));
    assert!(record["latency_ms"].is_u64());
    let at = record["at"].as_str().unwrap();
    assert!(at.len() == 24 && at.ends_with('Z'), "{at}");
}

#[tokio::test]
async fn a_failed_exchange_says_why() {
    let (table, _model) = table([Reply::error(400, &json!({ "detail": "no" }))]).await;
    step(&table).await;
    let record = records(&table).await.remove(0);
    assert_eq!(record["error"], "the service answered 400: no");
    assert_eq!(
        (&record["outcome"], &record["received"]),
        (&json!("fell back to RIGHT"), &Value::Null)
    );
}

#[tokio::test]
async fn the_last_200_are_kept_and_fewer_may_be_asked_for() {
    let (table, _model) = table([Reply::Legal(0, 0.7)]).await;
    let narrow = json!({ "grid": [[2, 0, 0, 0], [4, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]] });
    for _ in 0..201 {
        table.post("new", &narrow).await.ok();
        table.post("agent/step", &json!({ "player": "jev" })).await.ok();
    }
    step(&table).await;
    let records = records(&table).await;
    assert_eq!((records.len(), &records[0]["outcome"]), (200, &json!("played RIGHT")));
    let few = table.get("/api/transcript?limit=2").await.ok();
    assert_eq!(few["items"], json!(records[..2]));
    table.get("/api/transcript?limit=0").await.refused(422);
}

#[tokio::test]
async fn a_session_shows_its_own_to_who_may_play_in_it() {
    let (table, _model) = table([Reply::Legal(0, 0.7)]).await;
    let created = table.post("sessions", &json!({})).await.ok();
    let watcher = table.in_session(created["id"].as_str().unwrap());
    let player = watcher.with_token(created["control"].as_str().unwrap());
    step(&player).await;
    let path = format!("/api/sessions/{}/transcript", created["id"].as_str().unwrap());
    watcher.get(&path).await.refused(401);
    watcher.with_token("another").get(&path).await.refused(403);
    assert_eq!(records(&player).await.len(), 1);
    assert_eq!(records(&table).await.len(), 0);
}

#[tokio::test]
async fn whoever_embeds_the_server_has_none_unless_they_ask() {
    let model = Model::start([Reply::Legal(0, 0.7)]).await;
    let table = Table::with(Config { jev: settings(&model.url()), ..Config::default() });
    assert_eq!(step(&table).await["decision"]["source"], "jev");
    let transcript = table.transcript().await;
    assert_eq!((&transcript["on"], &transcript["items"]), (&json!(false), &json!([])));
    assert_eq!(transcript["spending"]["session"], 1);
    assert_eq!(Config::default().transcript, TranscriptTo::Nowhere);
}

/// A server that asks `model`, with its transcript going to `jq` as people would have it.
fn piped(model: &Model, more: &[&str]) -> (Process, Command) {
    let mut command = command(&[&["--port", "0", "--store", "memory"], more].concat());
    command.env("TYPESAFE_API_KEY", KEY).env("TYPESAFE_BASE_URL", model.url());
    let mut process = Process::start(command);
    let mut jq = Command::new("jq");
    jq.args(["-c", "{move: .move_number, outcome}"]).stdin(process.take_stdout());
    jq.stdout(Stdio::piped()).stderr(Stdio::piped());
    (process, jq)
}

#[tokio::test]
async fn the_transcript_on_standard_output_is_a_stream_for_jq() {
    let bad = Reply::error(400, &json!({ "detail": "no\n\"such\" ü" }));
    let model = Model::start([Reply::Legal(0, 0.7), bad, Reply::Legal(1, 0.02)]).await;
    let (process, mut jq) = piped(&model, &[]);
    let jq = jq.spawn().expect("jq is installed: ./check.sh does that");
    let caller = process.caller();
    for _ in 0..3 {
        step(&caller).await;
    }
    caller.deal([[2, 0, 0, 0], [4, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]]).await;
    caller.post("agent/step", &json!({ "player": "jev" })).await.ok();
    process.signal("TERM");
    let output = tokio::task::spawn_blocking(|| jq.wait_with_output().unwrap()).await.unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let lines = String::from_utf8(output.stdout).unwrap();
    let expected = [
        r#"{"move":1,"outcome":"played RIGHT"}"#,
        r#"{"move":1,"outcome":"fell back to RIGHT"}"#,
        r#"{"move":1,"outcome":"confidence below 0.15, fell back to RIGHT"}"#,
        r#"{"move":1,"outcome":"not asked: only one legal move"}"#,
    ];
    assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_call_that_the_end_of_the_server_cuts_short_is_told_before_it() {
    let model = Model::start([Reply::Silence]).await;
    let (process, mut jq) = piped(&model, &["--jev-deadline-seconds", "120"]);
    let jq = jq.spawn().expect("jq is installed: ./check.sh does that");
    let caller = process.caller();
    caller.deal(BOARD).await;
    caller.start_agent(json!({ "player": "jev" })).await;
    model.asked(1).await;
    process.signal("TERM");
    let output = tokio::task::spawn_blocking(|| jq.wait_with_output().unwrap()).await.unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines, "{\"move\":1,\"outcome\":\"cancelled\"}\n");
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn without_a_transcript_standard_output_is_empty() {
    let model = Model::start([Reply::Legal(0, 0.7)]).await;
    let (process, mut jq) = piped(&model, &["--no-transcript"]);
    let jq = jq.spawn().expect("jq is installed: ./check.sh does that");
    assert_eq!(step(&process.caller()).await["decision"]["source"], "jev");
    assert_eq!(process.caller().transcript().await["on"], false);
    process.signal("TERM");
    let output = tokio::task::spawn_blocking(|| jq.wait_with_output().unwrap()).await.unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
}
