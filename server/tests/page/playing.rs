//! Playing, watching an AI, looking back, the end of a game.

use serde_json::{Value, json};

use crate::{browser::browse, tab::Tab, table::Table};

/// What is on the frame of the board: `data-looking` and the like.
const LOOKING: &str = "return document.getElementById('frame').dataset.looking";

/// A quick player that does not die soon.
fn quick() -> Value {
    json!({ "player": "rules", "intervalSeconds": 0.05 })
}

/// One move before the end, whatever spawns: only the last row can slide, and it can do so once.
pub(crate) const DYING: [[u32; 4]; 4] = [[2, 4, 2, 4], [4, 2, 4, 2], [32, 4, 2, 4], [8, 16, 8, 0]];

#[tokio::test]
async fn a_key_takes_the_game_over_and_every_tab_says_so() {
    browse(async |browser| {
        let table = Table::open();
        let tabs = [browser.first(table.url()).await, browser.open(table.url()).await];
        for tab in &tabs {
            tab.is_live().await;
        }
        let mut stream = table.watch("").await;
        table.start_agent(json!({ "player": "rules", "intervalSeconds": 0.3 })).await;
        tabs[1].until("return document.getElementById('frame').dataset.playing", "true").await;
        let before = stream.state_where(|state| state["moves"].as_u64() >= Some(3)).await;
        let direction = before["legal"][0].as_str().unwrap();
        tabs[1].press(&arrow(direction)).await;
        let after = stream.state_where(|state| state["agent"]["running"] == false).await;
        assert_eq!(after["driver"]["kind"], "human");
        for tab in &tabs {
            let said = tab.says_part("line-text", "You took over from Corner rules").await;
            assert!(said.contains(" at move "), "{said}");
            tab.shows(&after).await;
        }
    })
    .await;
}

#[tokio::test]
async fn one_looks_back_while_an_ai_plays_on() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        table.start_agent(quick()).await;
        let mut stream = table.watch("").await;
        let state = stream.state_where(|state| state["moves"].as_u64() >= Some(15)).await;
        let game = state["game"].as_str().unwrap().to_owned();

        tab.press("Home").await;
        tab.until(LOOKING, "true").await;
        shows_past(&table, &tab, &game, 0).await;
        for _ in 0..3 {
            tab.press(".").await;
        }
        shows_past(&table, &tab, &game, 3).await;
        tab.press(",").await;
        shows_past(&table, &tab, &game, 2).await;
        let said = tab.says_part("line-text", "Move 2 of ").await;
        assert!(said.contains("The live game goes on"), "{said}");

        // The live game goes on, and a move's key does not play.
        tab.press("ArrowLeft").await;
        tab.says("line-text", "You are looking at move 2. End goes back to live.").await;
        let on = stream.state_where(|state| state["moves"].as_u64() >= Some(25)).await;
        assert_eq!(on["driver"]["kind"], "player");
        let last = "return Number(document.getElementById('look-range').max)";
        tab.until_such(last, |last| last.as_u64() >= Some(25), "25 or more").await;

        // With the slider, to any place.
        tab.js("const range = document.getElementById('look-range');
             range.value = 11;
             range.dispatchEvent(new Event('input'));")
            .await;
        shows_past(&table, &tab, &game, 11).await;
        tab.press("End").await;
        tab.until(LOOKING, "false").await;
        table.post_empty("agent/stop").await.ok();
        tab.shows(&table.state().await).await;
    })
    .await;
}

/// Waits until the page shows the board after move `n`.
async fn shows_past(table: &Table, tab: &Tab, game: &str, n: u64) {
    let past = table.get(&format!("/api/games/{game}/at/{n}")).await.ok();
    tab.shows(&past).await;
}

#[tokio::test]
async fn a_reload_finds_the_game_as_it_is() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        for _ in 0..4 {
            let state = table.state().await;
            tab.shows(&state).await;
            tab.press(&arrow(state["legal"][0].as_str().unwrap())).await;
            tab.until_such(
                "return hooks.newest().moves",
                |moves| moves.as_u64() > state["moves"].as_u64(),
                "one more",
            )
            .await;
        }
        tab.reload().await;
        let state = table.state().await;
        assert_eq!(state["moves"], 4);
        tab.shows(&state).await;
    })
    .await;
}

#[tokio::test]
async fn the_end_of_a_game_is_told_on_a_card_that_can_be_put_away() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        let dealt = table.deal(DYING).await;
        tab.shows(&dealt).await;
        tab.press("ArrowRight").await;
        let card = "return document.getElementById('card')?.checkVisibility() ?? false";
        tab.until(card, true).await;
        let state = table.state().await;
        assert_eq!(state["gameOver"], true);
        tab.shows(&state).await;
        tab.says("card-title", "Game over").await;
        tab.says_part("card-text", "0 points in 1 move.").await;
        let urgent = tab.text("urgent").await;
        assert!(urgent.starts_with("Game over."), "{urgent}");
        tab.click("card-close").await;
        tab.until(card, false).await;
        // No question: there is nothing to lose.
        tab.press("n").await;
        tab.until("return hooks.newest().gameOver", false).await;
        tab.shows(&table.state().await).await;
        assert_eq!(tab.js(card).await, false);
    })
    .await;
}

#[tokio::test]
async fn a_finished_game_is_replayed_in_the_same_viewer() {
    const OPEN_FIRST_OVER: &str = "
        const lines = [...document.querySelectorAll('dialog .session-line')];
        const over = lines.find((line) => line.textContent.includes('over'));
        over?.querySelector('button').click();
        return over !== undefined;
    ";
    browse(async |browser| {
        let table = Table::open();
        let mut stream = table.watch("").await;
        table.start_agent(json!({ "player": "random", "pace": "max" })).await;
        let over = stream.state_where(|state| state["gameOver"] == true).await;
        let fresh = table.post_empty("new").await.ok();
        table.post_empty("agent/stop").await.ok();
        let (game, moves) = (over["game"].as_str().unwrap(), over["moves"].as_u64().unwrap());

        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        tab.until("return document.getElementById('games-open').checkVisibility()", true).await;
        tab.click("games-open").await;
        tab.until(OPEN_FIRST_OVER, true).await;
        tab.until(LOOKING, "true").await;
        shows_past(&table, &tab, game, moves).await;
        tab.press("Home").await;
        shows_past(&table, &tab, game, 0).await;
        tab.js("document.getElementById('look-speed').value = '32';
             document.getElementById('look-play').click();")
            .await;
        let at = "return [hooks.board()[3], document.getElementById('look-play').textContent]";
        tab.until(at, json!([moves, "Replay"])).await;
        shows_past(&table, &tab, game, moves).await;
        tab.press("Escape").await;
        tab.until(LOOKING, "false").await;
        let state = table.state().await;
        assert_eq!(state["game"], fresh["game"]);
        tab.shows(&state).await;
    })
    .await;
}

/// The key of a direction.
pub(crate) fn arrow(direction: &str) -> String {
    format!("Arrow{}{}", &direction[..1], direction[1..].to_lowercase())
}
