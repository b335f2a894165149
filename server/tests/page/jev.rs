//! What the page shows of the hosted model, with a stand-in behind it.

use std::time::Duration;

use serde_json::{Value, json};
use server::{
    config::{Config, TranscriptTo},
    jev::{KeySource, Secret, Settings},
};

use crate::{
    browser::browse,
    model::{Model, Reply},
    tab::Tab,
    table::Table,
};

/// RIGHT and DOWN are legal.
const BOARD: [[u32; 4]; 4] = [[2, 0, 0, 0], [4, 0, 0, 0], [0; 4], [0; 4]];

/// The first line of the transcript.
const NEWEST: &str = "return document.querySelector('.exchange summary')?.innerText ?? ''";

async fn says(tab: &Tab, script: &str, part: &str) {
    let has = |seen: &Value| seen.as_str().is_some_and(|text| text.contains(part));
    tab.until_such(script, has, part).await;
}

async fn step(table: &Table) {
    table.deal(BOARD).await;
    table.post("agent/step", &json!({ "player": "jev" })).await;
}

#[tokio::test]
async fn the_transcript_has_a_tab_and_failures_are_seen() {
    let model = Model::start([Reply::Legal(0, 0.71)]).await;
    let jev = Settings {
        key: KeySource::Given(Secret::new("a key").unwrap()),
        base_url: model.url().parse().unwrap(),
        backoff: Duration::from_millis(1),
        session_budget: 4,
        ..Settings::default()
    };
    let table = Table::with(Config { jev, transcript: TranscriptTo::Memory, ..Config::default() });
    browse(async |browser| {
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        tab.until("return document.getElementById('view-tab-1').checkVisibility()", true).await;
        tab.click("view-tab-1").await;
        tab.until("return document.querySelector('.exchanges') !== null", true).await;
        says(&tab, "return document.querySelector('.spent').textContent", "Nothing has been asked")
            .await;

        step(&table).await;
        says(&tab, NEWEST, "played RIGHT").await;
        says(&tab, NEWEST, "71 % sure of 2 moves").await;
        tab.js("document.querySelector('.exchange').open = true").await;
        says(&tab, "return document.querySelector('.exchange')?.textContent ?? ''", "\"grid\"")
            .await;

        model.answer([Reply::error(503, &json!({ "detail": "being moved" }))]);
        step(&table).await;
        let reason = "the service answered 503: being moved";
        tab.says_part("decision-fallback", reason).await;
        says(&tab, NEWEST, "fell back to RIGHT").await;
        says(&tab, "return document.querySelector('.exchange-error').textContent", reason).await;

        table.start_agent(json!({ "player": "jev" })).await;
        let spent = "agent stopped: Budget: the 4 requests of this session are spent";
        tab.says_part("decision-fallback", spent).await;
        says(&tab, "return document.querySelector('.spent').textContent", "Nothing more is asked")
            .await;
    })
    .await;
}

#[tokio::test]
async fn without_a_key_the_page_says_what_to_do() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        let said = "Set TYPESAFE_API_KEY in .env to add Jev to that list.";
        tab.says_part("missing", said).await;
        tab.until("return document.querySelector('.exchanges')", Value::Null).await;
    })
    .await;
}
