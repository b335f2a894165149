//! Many tabs of one browser.

use serde_json::{Value, json};

use crate::{browser::browse, playing::arrow, table::Table};

/// The longest that a move may take from a tab to its answer, with many tabs open, once the machine has nothing else to
/// do. A tab that waits for a connection waits for ever.
const AT_ONCE_MS: f64 = 200.0;

/// A board with room for many moves.
const ROOMY: [[u32; 4]; 4] = [[0, 0, 0, 0], [0, 2, 4, 0], [0, 4, 2, 0], [0, 0, 0, 0]];

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
            let dealt = table.deal(ROOMY).await;
            tab.shows(&dealt).await;
            let soon = |took: &Value| took.as_f64().unwrap() < AT_ONCE_MS;
            let took = tab.until_such(MOVE_TAKES, soon, "soon").await;
            println!("tab {place}: a move is answered after {took} ms");
            // Browsers open six connections to a server of plain HTTP: twenty streams would leave none for a move.
            table.begins_watched_by(1).await;
        }
        let state = table.state().await;
        for tab in &tabs {
            tab.shows(&state).await;
        }
    })
    .await;
}

/// The time of a move from a tab to its answer, in milliseconds.
const MOVE_TAKES: &str = "
    return (async () => {
      const begin = performance.now();
      const direction = ['UP', 'LEFT', 'DOWN', 'RIGHT'][Math.floor(4 * Math.random())];
      const body = JSON.stringify({ direction });
      const reply = await fetch('/api/move', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
      await reply.json();
      return Math.round(performance.now() - begin);
    })();
";

#[tokio::test]
async fn another_tab_takes_the_stream_over_when_its_holder_goes() {
    browse(async |browser| {
        let table = Table::open();
        let first = browser.first(table.url()).await;
        first.is_live().await;
        let second = browser.open(table.url()).await;
        second.is_live().await;
        first.close().await;
        second
            .until_such("return hooks.streams.length", |n| n.as_u64() > Some(0), "a stream")
            .await;
        let state = table.play(table.state().await["legal"][0].as_str().unwrap()).await;
        second.shows(&state["state"]).await;
        table.begins_watched_by(1).await;
    })
    .await;
}

#[tokio::test]
async fn who_comes_back_to_the_page_sees_the_game_as_it_is() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        tab.go(&format!("{}/icon.svg", table.url())).await;
        table.begins_watched_by(0).await;
        let state = table.play(table.state().await["legal"][0].as_str().unwrap()).await;
        tab.back().await;
        tab.is_live().await;
        tab.shows(&state["state"]).await;
        let state = table.play(table.state().await["legal"][0].as_str().unwrap()).await;
        tab.shows(&state["state"]).await;
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
