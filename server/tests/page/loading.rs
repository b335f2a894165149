//! What a visit costs: bytes, requests, and the time to the first picture.

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    browser::browse,
    tab::Tab,
    table::{PATIENCE, Table},
};

/// All that a first visit may load before somebody does something, without compression.
const BYTES: u64 = 150_000;

/// The longest to the first picture, on this machine alone.
const FIRST_PAINT_MS: f64 = 300.0;

/// What the page has asked for: address and length of the body.
const ASKED: &str = "
    const [page] = performance.getEntriesByType('navigation');
    return [page, ...performance.getEntriesByType('resource')].map(({ name, decodedBodySize }) => [name, decodedBodySize]);
";

async fn asked(tab: &Tab) -> Vec<(String, u64)> {
    let asked = tab.js(ASKED).await;
    let entry = |entry: &Value| (entry[0].as_str().unwrap().to_owned(), entry[1].as_u64().unwrap());
    asked.as_array().unwrap().iter().map(entry).collect()
}

#[tokio::test]
async fn a_first_visit_is_light_and_asks_nobody_else() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        tab.shows(&table.state().await).await;
        tab.until("return hooks.calls.paths.length > 1 && hooks.calls.open === 0", true).await;
        let files: Vec<_> = asked(&tab).await;
        let files = files.iter().filter(|(name, _)| !name.contains("/api/"));
        let bytes: u64 = files.clone().map(|(_, bytes)| bytes).sum();
        println!("a first visit: {} files, {bytes} bytes", files.clone().count());
        assert!(bytes < BYTES, "{bytes} bytes");
        assert!(bytes > 50_000, "too little to be the page: {bytes} bytes");

        // Nor does anything that one can open.
        table.play(table.state().await["legal"][0].as_str().unwrap()).await;
        tab.until("return document.getElementById('look-range') !== null", true).await;
        for id in ["share", "games-open", "settings-open", "help-open"] {
            tab.click(id).await;
            tab.until("return document.querySelector('dialog[open]') !== null", true).await;
            tab.press("Escape").await;
            tab.until("return document.querySelector('dialog[open]')", Value::Null).await;
        }
        for (name, _) in asked(&tab).await {
            assert!(name.starts_with(table.url()), "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_first_picture_comes_at_once() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first("about:blank").await;
        tab.cdp("Network.enable", json!({})).await;
        tab.cdp("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await;
        let mut times: Vec<f64> = Vec::new();
        let begin = Instant::now();
        // Until the machine has had a moment for it: what else it does is not the page's.
        while times.len() < 9 || times[0] >= FIRST_PAINT_MS && begin.elapsed() < PATIENCE {
            tab.go(table.url()).await;
            tab.is_live().await;
            let paint = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null";
            let paint = tab.until_such(paint, Value::is_number, "a picture").await;
            times.push(paint.as_f64().unwrap());
            times.sort_by(f64::total_cmp);
        }
        let median = times[times.len() / 2];
        println!("first picture after {median:.0} ms (median of {}: {times:.0?})", times.len());
        assert!(times[0] < FIRST_PAINT_MS, "{times:?}");
    })
    .await;
}
