//! The hosted model as a player, with a stand-in behind it. No test calls the live one.

#[path = "../stub/model.rs"]
mod model;

mod payload;

mod replies;

mod meanwhile;

mod budgets;

mod transcript;

mod secrecy;

use std::time::Duration;

use serde_json::{Value, json};
use server::{
    config::{Config, TranscriptTo},
    jev::{KeySource, Secret, Settings},
};

use self::model::{Model, Reply};
use crate::table::{Caller, Table};

/// A key that must not turn up anywhere.
const KEY: &str = "apikey_canary_4d3f2a1b0c9e8d7f6a5b";

/// The deadline of these tests: longer than a good answer takes on any machine.
const DEADLINE: Duration = Duration::from_mins(2);

/// The deadline of those that wait for it.
const SHORT: Duration = Duration::from_secs(4);

/// A board where the model's move and the one of the rules differ: DOWN and RIGHT are legal, and the rules play RIGHT.
const BOARD: [[u32; 4]; 4] = [[2, 0, 0, 0], [4, 0, 0, 0], [0; 4], [0; 4]];

/// The settings for a model at `url`.
fn settings(url: &str) -> Settings {
    Settings {
        key: KeySource::Given(Secret::new(KEY).unwrap()),
        base_url: url.parse().unwrap(),
        deadline: DEADLINE,
        backoff: Duration::from_millis(10),
        ..Settings::default()
    }
}

/// A server whose model answers so.
async fn table(script: impl IntoIterator<Item = Reply>) -> (Table, Model) {
    let model = Model::start(script).await;
    (open(settings(&model.url())), model)
}

fn open(jev: Settings) -> Table {
    Table::with(Config { jev, transcript: TranscriptTo::Memory, ..Config::default() })
}

/// One move of the model on [`BOARD`], and the state after it.
async fn step(caller: &Caller) -> Value {
    caller.deal(BOARD).await;
    caller.post("agent/step", &json!({ "player": "jev" })).await.ok()["state"].clone()
}

/// The model's answer of [`Reply::Legal`], which comes when it is let go.
fn held() -> Reply {
    Reply::Held(Box::new(Reply::Legal(0, 0.7)))
}

/// The transcript of a session, the newest first.
async fn records(caller: &Caller) -> Vec<Value> {
    caller.transcript().await["items"].as_array().unwrap().clone()
}
