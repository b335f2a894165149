//! Watching at one's own pace, and from an address.

use serde_json::json;

use crate::{browser::browse, playing::begin_a_long_game, table::Table};

#[tokio::test]
async fn the_viewer_has_a_pace_of_their_own() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        tab.js(
            "localStorage.setItem('serve2048.settings', JSON.stringify({ view: '4' }));
             dispatchEvent(new Event('storage'));
             hooks.drawn_moves = [];
             new MutationObserver(() => hooks.drawn_moves.push(performance.now()))
               .observe(document.getElementById('moves'), { childList: true, characterData: true, subtree: true });",
        )
        .await;
        begin_a_long_game(&table).await;
        table.start_agent(json!({ "player": "rules", "intervalSeconds": 0.05 })).await;
        tab.until_such("return hooks.drawn_moves.length", |n| n.as_u64() > Some(12), "13").await;
        let mean = "const all = hooks.drawn_moves; return (all.at(-1) - all[1]) / (all.length - 2)";
        let mean = tab.js(mean).await.as_f64().unwrap();
        // 250 ms, but for a first frame that came late; boards that all were drawn would come every 50 ms.
        assert!(mean > 150.0, "{mean} ms from board to board");
        table.post_empty("agent/stop").await.ok();
        tab.shows(&table.state().await).await;
    })
    .await;
}

#[tokio::test]
async fn an_address_leads_to_a_move_and_a_reload_back_to_it() {
    browse(async |browser| {
        let table = Table::open();
        let mut state = table.state().await;
        for _ in 0..5 {
            state = table.play(state["legal"][0].as_str().unwrap()).await["state"].clone();
        }
        let game = state["game"].as_str().unwrap();
        let tab = browser.first(&format!("{}/?at=2", table.url())).await;
        tab.is_live().await;
        let past = table.get(&format!("/api/games/{game}/at/2")).await.ok();
        tab.shows(&past).await;
        tab.press(".").await;
        tab.until("return location.search", format!("?game={game}&at=3")).await;
        tab.reload().await;
        let past = table.get(&format!("/api/games/{game}/at/3")).await.ok();
        tab.shows(&past).await;
        tab.press("End").await;
        tab.until("return location.search", "").await;
        tab.shows(&state).await;
    })
    .await;
}
