//! Many tabs of one browser.

use serde_json::{Value, json};

use crate::{browser::browse, playing::arrow, tab::Tab, table::Table};

/// The longest that a move may take from a tab to its answer, with many tabs open.
const AT_ONCE_MS: f64 = 200.0;

#[tokio::test]
async fn two_tabs_and_a_plain_stream_are_in_step() {
    browse(async |browser| {
        let table = Table::open();
        let mut stream = table.watch("").await;
        let tabs = [browser.first(table.url()).await, browser.open(table.url()).await];
        for tab in &tabs {
            tab.is_live().await;
        }
        for turn in 0..8 {
            let before = table.state().await;
            let tab = &tabs[turn % 2];
            tab.shows(&before).await;
            tab.press(&arrow(before["legal"][0].as_str().unwrap())).await;
            let moves = before["moves"].as_u64().unwrap() + 1;
            let state = stream.state_where(|state| state["moves"] == moves).await;
            for tab in &tabs {
                tab.shows(&state).await;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn twenty_tabs_share_one_stream_and_each_is_answered_at_once() {
    browse(async |browser| {
        let table = Table::open();
        let mut tabs = vec![browser.first(table.url()).await];
        for _ in 1..20 {
            tabs.push(browser.open(table.url()).await);
        }
        for (place, tab) in tabs.iter().enumerate() {
            tab.is_live().await;
            let state = table.state().await;
            tab.shows(&state).await;
            let took = move_takes(tab, &state).await;
            assert!(took < AT_ONCE_MS, "tab {place}: {took} ms");
            // Browsers open six connections to a server of plain HTTP: twenty streams would leave none for a move.
            assert_eq!(table.state().await["watchers"], 1, "tab {place}");
        }
        let state = table.state().await;
        for tab in &tabs {
            tab.shows(&state).await;
        }
    })
    .await;
}

/// The time of the fastest of three moves, so that what else the machine does is not counted.
async fn move_takes(tab: &Tab, state: &Value) -> f64 {
    const MOVES: &str = "
        return (async (directions) => {
          const times = [];
          for (const direction of directions) {
            const begin = performance.now();
            const body = JSON.stringify({ direction });
            const headers = { 'Content-Type': 'application/json' };
            const reply = await fetch('/api/move', { method: 'POST', body, headers });
            await reply.json();
            times.push(performance.now() - begin);
          }
          return Math.min(...times);
        })(arguments[0]);
    ";
    let legal = state["legal"][0].as_str().unwrap();
    tab.js_with(MOVES, json!([[legal, "LEFT", "DOWN"]])).await.as_f64().unwrap()
}

#[tokio::test]
async fn another_tab_takes_the_stream_over_when_its_holder_goes() {
    browse(async |browser| {
        let table = Table::open();
        let first = browser.first(table.url()).await;
        first.is_live().await;
        let second = browser.open(table.url()).await;
        second.is_live().await;
        first.close().await;
        second.until("return hooks.streams.length", 1).await;
        let state = table.play(table.state().await["legal"][0].as_str().unwrap()).await;
        second.shows(&state["state"]).await;
        assert_eq!(state["state"]["watchers"], 1);
    })
    .await;
}

#[tokio::test]
async fn a_hidden_tab_draws_nothing_and_is_right_at_once_when_it_is_shown() {
    const WATCH: &str = "
        hooks.drawn_while_hidden = 0;
        new MutationObserver((changes) => {
          if (document.hidden) hooks.drawn_while_hidden += changes.length;
        }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        addEventListener('visibilitychange', () => document.hidden || requestAnimationFrame(() => {
          requestAnimationFrame(() => (hooks.first_frame = [hooks.newest().moves, hooks.board()]));
        }), { once: true, capture: true });
    ";
    browse(async |browser| {
        let table = Table::open();
        let hidden = browser.first(table.url()).await;
        hidden.is_live().await;
        hidden.minimize().await;
        hidden.until("return document.hidden", true).await;
        hidden.js(WATCH).await;
        table.start_agent(json!({ "player": "random", "pace": "max" })).await;
        let mut stream = table.watch("").await;
        let over = stream.state_where(|state| state["gameOver"] == true).await;
        let moves = over["moves"].as_u64().unwrap();
        hidden.until("return hooks.newest().moves", moves).await;
        assert_eq!(hidden.js("return hooks.drawn_while_hidden").await, 0);
        assert_eq!(hidden.js("return document.hidden").await, true);
        hidden.restore().await;
        hidden.until_such("return hooks.first_frame ?? null", Value::is_array, "a frame").await;
        let seen = hidden.js("return hooks.first_frame").await;
        assert_eq!(seen[1][3], moves, "the first frame: {seen}");
        assert_eq!(seen[1][0], seen[1][1], "the first frame: {seen}");
        hidden.shows(&over).await;
    })
    .await;
}
