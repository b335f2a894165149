//! The server goes and comes, and so does the network.

use serde_json::json;

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
        tab.says("phase", "Reconnecting").await;
        // The board stays, and a move is not sent.
        tab.shows(&state).await;
        tab.press("ArrowLeft").await;
        tab.says("line-text", "Not sent: reconnecting.").await;
        assert_eq!(tab.js("return hooks.calls.sent").await, 0);
        server.start_again();
        tab.says("line-text", "The server restarted; the game continues at move 3.").await;
        tab.is_live().await;
        let state = table.state().await;
        tab.shows(&state).await;
        tab.press(&arrow(state["legal"][0].as_str().unwrap())).await;
        tab.until("return hooks.newest().moves", 4).await;

        server.kill();
        tab.says("phase", "Reconnecting").await;
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
        tab.says("phase", "Reconnecting").await;
        tab.press("ArrowLeft").await;
        tab.says("line-text", "Not sent: reconnecting.").await;
        for _ in 0..3 {
            state = table.play(state["legal"][0].as_str().unwrap()).await["state"].clone();
        }
        wire.mend().await;
        tab.says("line-text", "Back. 3 moves were played meanwhile.").await;
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
        tab.says("line-text", "Back.").await;
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
