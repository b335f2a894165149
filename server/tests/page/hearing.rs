//! The page for those who hear it, and for those without a mouse.

use serde_json::{Value, json};

use crate::{
    browser::browse,
    playing::{DYING, begin_a_long_game},
    tab::Tab,
    table::Table,
};

/// Notes what the live regions say, from now on.
const LISTEN: &str = "
    hooks.said = [];
    hooks.said_at = [];
    for (const id of ['polite', 'urgent']) {
      new MutationObserver(() => {
        hooks.said.push([id, document.getElementById(id).textContent]);
        hooks.said_at.push(Date.now());
      })
        .observe(document.getElementById(id), { childList: true });
    }
";

/// When it told of a move by the time alone.
const LINES: &str = "
    return hooks.said_at.filter((_, i) => /^Move .*Top tile/.test(hooks.said[i][1]) && !/New top/.test(hooks.said[i][1]));
";

async fn hears(tab: &Tab, wanted: Value) {
    let has = |said: &Value| said.as_array().unwrap().contains(&wanted);
    tab.until_such("return hooks.said", has, &wanted.to_string()).await;
}

#[tokio::test]
async fn a_move_is_told_in_one_sentence() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        let dealt = table.deal([[4, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]).await;
        tab.shows(&dealt).await;
        tab.js(LISTEN).await;
        tab.press("ArrowLeft").await;
        tab.until("return hooks.newest().moves", 1).await;
        let spawn = tab.js("return hooks.newest().transition.spawn").await;
        let at = |place: usize| spawn["at"][place].as_u64().unwrap() + 1;
        let (row, column) = (at(0), at(1));
        let new = format!("New {}, row {row} column {column}", spawn["value"]);
        hears(&tab, json!(["polite", format!("Left. 4 and 4 made 8. {new}. Score 8.")])).await;

        // A move that changes nothing.
        let dealt = table.deal([[2, 0, 0, 0], [4, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]).await;
        tab.shows(&dealt).await;
        tab.press("ArrowLeft").await;
        hears(&tab, json!(["polite", "Left changes nothing."])).await;

        // The cells, one by one; the arrows walk over them and do not play.
        tab.press("x").await;
        hears(&tab, json!(["polite", "row 1 column 1, 2"])).await;
        tab.press("ArrowDown").await;
        hears(&tab, json!(["polite", "row 2 column 1, 4"])).await;
        tab.press("ArrowRight").await;
        hears(&tab, json!(["polite", "row 2 column 2, empty"])).await;
        tab.press("Escape").await;
        tab.press("b").await;
        let row = |n: u32, first: &str| format!("Row {n}: {first}, empty, empty, empty.");
        let rows = [row(1, "2"), row(2, "4"), row(3, "empty"), row(4, "empty")];
        hears(&tab, json!(["polite", rows.join(" ")])).await;
        assert_eq!(table.state().await["moves"], 0);

        let dealt = table.deal(DYING).await;
        tab.shows(&dealt).await;
        tab.press("ArrowRight").await;
        hears(&tab, json!(["urgent", "Game over. 0 points in 1 move."])).await;
    })
    .await;
}

#[tokio::test]
async fn an_ai_is_not_talked_over() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        begin_a_long_game(&table).await;
        tab.until("return hooks.newest().moves", 0).await;
        tab.js(LISTEN).await;
        table.start_agent(json!({ "player": "rules", "intervalSeconds": 0.05 })).await;
        tab.until_such("return hooks.newest().moves", |moves| moves.as_u64() > Some(60), "60")
            .await;
        for lines in 1..=2 {
            tab.js("hooks.pass(5_000)").await;
            let enough = |times: &Value| times.as_array().unwrap().len() >= lines;
            tab.until_such(LINES, enough, "one more line").await;
        }
        table.post_empty("agent/stop").await.ok();
        tab.said("line-text", "stopped at move").await;
        // A line now and then: at the start, at the end, every five seconds, and for a new top tile from 256 on.
        let said = tab.js("return hooks.said").await;
        assert!(said.as_array().unwrap().iter().all(|line| line[0] == "polite"), "{said}");
        let times = tab.js(LINES).await;
        let times: Vec<_> = times.as_array().unwrap().iter().filter_map(Value::as_i64).collect();
        let gaps: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|gap| *gap >= 4_900), "{gaps:?} of {said}");
        let others = said.as_array().unwrap().len() - times.len();
        assert!(others <= 6, "{said}");
    })
    .await;
}

#[tokio::test]
async fn everything_is_reached_and_worked_by_keyboard() {
    const ALL: &str = "
        const all = document.querySelectorAll('button, select, input, a[href], summary, [tabindex=\"0\"]');
        const can = [...all].filter((node) => node.checkVisibility() && node.tabIndex >= 0 && !node.disabled);
        return can.map((node) => node.id || node.getAttribute('aria-label') || node.textContent).sort();
    ";
    const HERE: &str = "
        const node = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        const name = node === document.body ? '' : node.id || node.getAttribute('aria-label') || node.textContent;
        return [name, outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2];
    ";
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        table.play(table.state().await["legal"][0].as_str().unwrap()).await;
        let ready = "return document.getElementById('look-range') !== null
            && document.getElementById('games-open').checkVisibility()
            && document.querySelectorAll('.log-line').length > 0";
        tab.until(ready, true).await;
        let wanted = tab.js(ALL).await;
        let wanted: Vec<_> = wanted.as_array().unwrap().clone();
        let mut reached = Vec::new();
        for _ in 0..wanted.len() {
            tab.press("Tab").await;
            let here = tab.js(HERE).await;
            assert_eq!(here[1], true, "no ring can be seen round {here}");
            reached.push(here[0].clone());
        }
        reached.sort_by_key(ToString::to_string);
        assert_eq!(json!(reached), json!(wanted));

        // A whole visit without a mouse: start the AI, stop it, look back, come back, ask for a new game, decline.
        tab.js("document.activeElement.blur()").await;
        tab.press(" ").await;
        tab.until("return hooks.newest().agent.running", true).await;
        tab.press(" ").await;
        tab.until("return hooks.newest().agent.running", false).await;
        tab.press("Home").await;
        tab.says_part("line-text", "Move 0 of ").await;
        tab.press("End").await;
        tab.until("return document.getElementById('frame').dataset.looking", "false").await;
        let game = table.state().await["game"].clone();
        tab.press("n").await;
        let title = "return document.querySelector('dialog[open] h2')?.textContent ?? ''";
        tab.until(title, "Start a new game?").await;
        tab.press("Enter").await;
        tab.until(title, "").await;
        assert_eq!(table.state().await["game"], game, "the first button keeps the game");
        tab.press("n").await;
        tab.until(title, "Start a new game?").await;
        tab.press("Tab").await;
        tab.press("Enter").await;
        tab.said("line-text", "New game.").await;
        tab.said("line-action", "Back to the previous one").await;
        tab.click("line-action").await;
        tab.says_part("line-text", "The game before. Move ").await;
    })
    .await;
}
