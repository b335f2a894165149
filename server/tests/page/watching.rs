//! Watching by a link, at one's own pace, from an address.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    browser::browse,
    table::{Reply, Table},
};

#[tokio::test]
async fn a_link_to_watch_has_no_controls_and_ends_when_it_is_taken_back() {
    const WORKS: &str = "
        const works = ['controls', 'agent', 'hint', 'step', 'new', 'player', 'pace'];
        return works.filter((id) => document.getElementById(id).checkVisibility());
    ";
    browse(async |browser| {
        let table = Table::open();
        let made = Reply::of(table.request(Method::POST, "/api/sessions")).await.ok();
        let (id, token) = (made["id"].as_str().unwrap(), made["control"].as_str().unwrap());
        let owner = table.in_session(id).with_token(token);
        let player = browser.first(&format!("{}/s/{id}#token={token}", table.url())).await;
        player.is_live().await;
        player.click("share").await;
        let said = "return document.querySelector('dialog [role=status]')?.textContent ?? ''";
        let linked = |said: &Value| said.as_str().is_some_and(|said| said.contains("ink"));
        player.until_such(said, linked, "a link").await;

        let link = owner.post_empty("links").await.ok()["link"].as_str().unwrap().to_owned();
        let watcher = browser.open(&format!("{}/w/{link}", table.url())).await;
        watcher.is_live().await;
        watcher.says_part("line-text", "Watching. ").await;
        assert_eq!(watcher.js(WORKS).await, json!([]));
        let state = owner.play(made["state"]["legal"][0].as_str().unwrap()).await["state"].clone();
        watcher.shows(&state).await;
        // The keys of a player do nothing; those of a viewer do.
        for key in ["ArrowLeft", "ArrowUp", " ", "n", "i"] {
            watcher.press(key).await;
        }
        watcher.press("Home").await;
        watcher.until("return document.getElementById('frame').dataset.looking", "true").await;
        watcher.press("End").await;
        assert_eq!(watcher.js("return hooks.calls.sent").await, 0);
        assert_eq!(owner.state().await["seq"], state["seq"]);

        player.js(
            "[...document.querySelectorAll('dialog button')].find((button) => button.textContent === 'Revoke links').click()",
        )
        .await;
        watcher.says("phase", "Closed").await;
        player.until_such(said, |said| said.as_str().unwrap().contains("revoked"), "revoked").await;
    })
    .await;
}

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
        table.start_agent(json!({ "player": "rules", "intervalSeconds": 0.05 })).await;
        tab.until_such("return hooks.drawn_moves.length", |n| n.as_u64() > Some(6), "7").await;
        let gaps = "return Math.min(...hooks.drawn_moves.slice(1).map((at, i) => at - hooks.drawn_moves[i]))";
        let least = tab.js(gaps).await.as_f64().unwrap();
        // A frame may come a little late, and the next in time.
        assert!(least > 150.0, "{least} ms from board to board");
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
