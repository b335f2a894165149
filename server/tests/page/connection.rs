//! The server goes and comes, and so does the network.

use serde_json::{Value, json};

use crate::{
    browser::{browse, browse_with},
    playing::arrow,
    process::Process,
    tab::Tab,
    table::Table,
    wire::Wire,
};

#[tokio::test]
async fn a_server_that_is_killed_and_started_again_is_found_by_itself() {
    browse(async |browser| {
        let mut server = Process::start();
        let table = server.caller();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        let mut state = table.state().await;
        for _ in 0..3 {
            state = table.play(state["legal"][0].as_str().unwrap()).await["state"].clone();
        }
        tab.shows(&state).await;
        server.kill();
        tab.said("phase", "Reconnecting").await;
        // The board stays, and a move is not sent.
        tab.shows(&state).await;
        tab.press("ArrowLeft").await;
        tab.said("line-text", "Not sent: reconnecting.").await;
        assert_eq!(tab.js("return hooks.calls.sent").await, 0);
        server.start_again();
        tab.said("line-text", "The server restarted; the game continues at move 3.").await;
        tab.is_live().await;
        let state = table.state().await;
        tab.shows(&state).await;
        tab.press(&arrow(state["legal"][0].as_str().unwrap())).await;
        tab.until("return hooks.newest().moves", 4).await;

        server.kill();
        tab.said("phase", "Reconnecting").await;
        server.start_empty();
        tab.says_part("line-text", "the game that was here is gone").await;
        tab.shows(&table.state().await).await;
    })
    .await;
}

#[tokio::test]
async fn a_network_that_is_cut_and_comes_back_costs_nothing() {
    let table = Table::open();
    let mut wire = Wire::to(table.url()).await;
    browse_with(&[wire.option()], async |browser| {
        let tab = browser.first(&wire.url()).await;
        tab.is_live().await;
        let mut state = table.state().await;
        tab.shows(&state).await;
        wire.cut().await;
        tab.said("phase", "Reconnecting").await;
        tab.press("ArrowLeft").await;
        tab.said("line-text", "Not sent: reconnecting.").await;
        for _ in 0..3 {
            state = table.play(state["legal"][0].as_str().unwrap()).await["state"].clone();
        }
        wire.mend().await;
        tab.said("line-text", "Back. 3 moves were played meanwhile.").await;
        tab.is_live().await;
        tab.shows(&state).await;
        tab.press(&arrow(state["legal"][0].as_str().unwrap())).await;
        tab.until("return hooks.newest().moves", 4).await;

        // The browser itself knows that there is no network, as on a plane.
        offline(&tab, true).await;
        wire.cut().await;
        tab.says_part("line-text", "Server not reachable.").await;
        tab.until("return document.getElementById('link').dataset.dot", "bad").await;
        tab.says_part("urgent", "Server not reachable.").await;
        wire.mend().await;
        offline(&tab, false).await;
        tab.said("line-text", "Back.").await;
        tab.is_live().await;
    })
    .await;
}

#[tokio::test]
async fn a_stream_that_says_nothing_for_40_seconds_is_given_up() {
    browse(async |browser| {
        let mut server = Process::start();
        let table = server.caller();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        // Up to then, silence is no trouble.
        tab.js("hooks.pass(35_000)").await;
        tab.shows(&table.state().await).await;
        assert_eq!(tab.js("return hooks.take('phase', 'Reconnecting')").await, Value::Null);
        let streams = tab.js("return hooks.streams.length").await.as_u64();
        tab.js("hooks.pass(41_000)").await;
        tab.said("phase", "Reconnecting").await;
        let more = |count: &Value| count.as_u64() > streams;
        tab.until_such("return hooks.streams.length", more, "another stream").await;
        tab.is_live().await;
        tab.said("line-text", "Back.").await;

        // With nobody there for half a minute it says so, and when it tries again; look-back still works.
        let mut state = table.state().await;
        for _ in 0..3 {
            state = table.play(state["legal"][0].as_str().unwrap()).await["state"].clone();
        }
        tab.shows(&state).await;
        tab.press(",").await;
        tab.until("return hooks.board()[3]", 2).await;
        tab.press("End").await;
        tab.until("return hooks.board()[3]", 3).await;
        server.kill();
        tab.said("phase", "Reconnecting").await;
        tab.js("hooks.pass(31_000)").await;
        tab.said("phase", "Not reachable").await;
        tab.says_part("line-text", "Server not reachable.").await;
        tab.says("line-action", "Try now").await;
        tab.press(",").await;
        tab.until("return hooks.board()[3]", 2).await;
        server.start_again();
        tab.click("line-action").await;
        tab.is_live().await;
    })
    .await;
}

async fn offline(tab: &Tab, offline: bool) {
    tab.cdp("Network.enable", json!({})).await;
    let how = json!({
        "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    });
    tab.cdp("Network.emulateNetworkConditions", how).await;
}
