//! What the server writes into its log, and what it never does.

use std::io::{BufRead as _, Read as _};

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    process::{Process, command},
    table::{Caller, Reply},
};

#[tokio::test]
async fn a_request_is_called_the_same_in_the_log_and_in_its_answer() {
    let mut command = command(&["--port", "0", "--store", "memory", "--log", "json"]);
    command.env("RUST_LOG", "info,server=debug");
    let mut process = Process::start(command);
    let caller = process.caller();
    let mut events = caller.watch("").await;
    let stream = events.response().headers()["x-request-id"].to_str().unwrap().to_owned();
    events.state().await;
    let refused = caller.post("move", &json!({ "direction": "SIDEWAYS" })).await;
    refused.refused(422);
    let refused = refused.header("x-request-id").to_owned();
    assert_ne!(refused, stream);
    let mut log = process.take_stderr();
    let reading = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });
    process.signal("TERM");
    while events.next().await.is_some() {}
    let text = reading.await.unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let about = |id: &str, message: &str| {
        lines
            .iter()
            .any(|line| line["fields"]["request"] == *id && line["fields"]["message"] == *message)
    };
    assert!(about(&stream, "stream opened"), "{text}");
    assert!(about(&refused, "request"), "{text}");
    let closed = lines.iter().find(|line| line["fields"]["message"] == "stream closed").unwrap();
    assert_eq!((&closed["fields"]["sent"], &closed["fields"]["skipped"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn no_token_is_ever_in_the_log() {
    const WRONG: &str = "canary-5e2b7c90d1f34a68";
    let mut command = command(&["--port", "0", "--store", "memory", "--public"]);
    // All that any part of the program has to say.
    command.env("RUST_LOG", "trace");
    let mut process = Process::start(command);
    let caller = process.caller();
    let mut log = process.take_stderr();
    let main = process.greeting().trim().rsplit_once("#token=").unwrap().1.to_owned();
    let (mut operator, mut line) = (String::new(), String::new());
    while operator.is_empty() {
        line.clear();
        log.read_line(&mut line).unwrap();
        if let Some((_, token)) =
            line.split_once("The operator's token, to list and create sessions: ")
        {
            token.trim().clone_into(&mut operator);
        }
    }
    let reading = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });
    let create = caller.with_token(&operator).request(Method::POST, "/api/sessions");
    let created = Reply::of(create).await.ok();
    let control = created["control"].as_str().unwrap().to_owned();
    let session = caller.in_session(created["id"].as_str().unwrap());
    for token in [&main, &operator, &control, WRONG] {
        let with: [Caller; 2] = [caller.with_token(token), session.with_token(token)];
        for caller in with {
            for call in ["move", "hint", "agent/step", "agent/start", "agent/stop"] {
                let body = json!({ "direction": "UP", "player": "rules" });
                assert!(caller.post(call, &body).await.status.as_u16() < 500);
            }
            caller.get("/metrics").await;
            caller.get("/api/sessions").await;
            caller.watch("").await.state().await;
        }
    }
    process.signal("TERM");
    let text = reading.await.unwrap();
    assert!(text.contains("TRACE") && text.contains("stream opened"), "the log has all there is");
    for token in [&main, &operator, &control, WRONG] {
        assert!(
            !text.contains(token),
            "{}",
            text.lines().find(|line| line.contains(token)).unwrap()
        );
    }
}
