//! Playing, watching an AI, looking back, the end of a game.

use serde_json::{Value, json};

use crate::{browser::browse, tab::Tab, table::Table};

/// What is on the frame of the board: `data-looking` and the like.
const LOOKING: &str = "return document.getElementById('frame').dataset.looking";

/// Begins a game in which the corner rules, which never choose otherwise, last for long.
pub(crate) async fn begin_a_long_game(table: &Table) -> Value {
    table.post("new", &json!({ "seed": LONG })).await.ok()
}

/// The seed of it: 485 moves.
pub(crate) const LONG: &str = "2601";

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
        begin_a_long_game(&table).await;
        table.start_agent(json!({ "player": "rules", "intervalSeconds": 0.05 })).await;
        tabs[1].until("return document.getElementById('frame').dataset.playing", "true").await;
        stream.state_where(|state| state["moves"].as_u64() >= Some(3)).await;
        // It plays on, but after one more move not before the key that is legal then has arrived.
        let rest = json!({ "player": "rules", "intervalSeconds": 10 });
        let moves = table.start_agent(rest).await["state"]["moves"].as_u64();
        let before = stream.state_where(|state| state["moves"].as_u64() > moves).await;
        tabs[1].shows(&before).await;
        tabs[1].press(&arrow(before["legal"][0].as_str().unwrap())).await;
        let after = stream.state_where(|state| state["agent"]["running"] == false).await;
        assert_eq!(after["driver"]["kind"], "human");
        for tab in &tabs {
            let said = tab.said("line-text", "You took over from Corner rules").await;
            assert!(said.contains(" at move "), "{said}");
            tab.shows(&after).await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_ai_goes_on_with_another_game_for_as_long_as_was_chosen() {
    const CHOOSE: &str = "
        const select = document.getElementById(arguments[0]);
        select.value = arguments[1];
        select.dispatchEvent(new Event('change'));
        return select.value === arguments[1];
    ";
    browse(async |browser| {
        let table = Table::open();
        let mut stream = table.watch("").await;
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        for (id, value) in [("player", "random"), ("pace", "2"), ("series", r#"{"games":3}"#)] {
            tab.until("return document.querySelectorAll('#player option').length > 1", true).await;
            assert_eq!(tab.js_with(CHOOSE, json!([id, value])).await, true, "{id}");
        }
        assert_eq!(table.state().await["agent"]["running"], false);
        tab.click("agent").await;
        tab.said("line-text", "is playing game 1 of 3").await;
        tab.until("return document.getElementById('frame').dataset.mark", "Ra").await;
        // Another pace is no other series.
        tab.js_with(CHOOSE, json!(["pace", "max"])).await;
        let over = stream.state_where(|state| state["agent"]["series"]["played"] == 3).await;
        assert_eq!((&over["gameOver"], &over["agent"]["running"]), (&json!(true), &json!(false)));
        let games = table.get("/api/games?session=main").await.ok();
        assert_eq!(games["items"].as_array().unwrap().len(), 3);
        tab.says("card-title", "Game over").await;
        tab.shows(&over).await;
        tab.click("share").await;
        let seed = format!("Seed {}.", over["seed"].as_str().unwrap());
        let told = "return document.querySelector('dialog[open]')?.textContent ?? ''";
        let has = |seen: &Value| seen.as_str().is_some_and(|text| text.contains(&seed));
        tab.until_such(told, has, &seed).await;
        tab.press("Escape").await;

        // One without an end is ended after the game that runs.
        table.post_empty("new").await.ok();
        tab.until("return hooks.newest().gameOver", false).await;
        tab.js_with(CHOOSE, json!(["pace", "5"])).await;
        tab.js_with(CHOOSE, json!(["series", "{}"])).await;
        tab.click("agent").await;
        let games =
            "const { running, series } = hooks.newest().agent; return [running, series?.games]";
        tab.until(games, json!([true, null])).await;
        tab.js_with(CHOOSE, json!(["series", ""])).await;
        tab.until(games, json!([true, 1])).await;
        tab.says_part("line-text", "is playing game 1 of 1").await;
    })
    .await;
}

#[tokio::test]
async fn one_looks_back_while_an_ai_plays_on() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        begin_a_long_game(&table).await;
        table.start_agent(json!({ "player": "rules", "intervalSeconds": 0.05 })).await;
        let mut stream = table.watch("").await;
        let state = stream.state_where(|state| state["moves"].as_u64() >= Some(15)).await;
        let game = state["game"].as_str().unwrap().to_owned();
        // However long what follows takes, the game goes on meanwhile and does not end.
        table.start_agent(json!({ "player": "rules", "intervalSeconds": 0.5 })).await;

        tab.press("Home").await;
        tab.until(LOOKING, "true").await;
        shows_past(&table, &tab, &game, 0).await;
        for _ in 0..3 {
            tab.press(".").await;
        }
        shows_past(&table, &tab, &game, 3).await;
        tab.press(",").await;
        shows_past(&table, &tab, &game, 2).await;
        let said = tab.said("line-text", "Move 2 of ").await;
        assert!(said.contains("The live game goes on"), "{said}");

        // The live game goes on, and a move's key does not play.
        tab.press("ArrowLeft").await;
        tab.said("line-text", "You are looking at move 2. End goes back to live.").await;
        let two_more = table.state().await["moves"].as_u64().unwrap() + 2;
        let on = stream.state_where(|state| state["moves"].as_u64() >= Some(two_more)).await;
        assert_eq!(on["driver"]["kind"], "player");
        assert_eq!(on["agent"]["running"], true);
        let last = "return Number(document.getElementById('look-range').max)";
        tab.until_such(last, |last| last.as_u64() >= Some(two_more), "the live game's").await;

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
        let urgent = tab.said("urgent", "Game over.").await;
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
