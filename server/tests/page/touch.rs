//! Fingers on the board: swipes, taps, and what is neither.

use serde_json::{Value, json};

use crate::{browser::browse, tab::Tab, table::Table};

/// Any direction changes this board.
const ANY: [[u32; 4]; 4] = [[0, 0, 0, 0], [0, 2, 4, 0], [0, 4, 2, 0], [0, 0, 0, 0]];

/// Puts fingers down, moves or lifts them; each at so many pixels from the middle of the board.
async fn fingers(tab: &Tab, kind: &str, places: &[(f64, f64)]) {
    let middle = "const box = document.getElementById('board').getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];";
    let middle = tab.js(middle).await;
    let (x, y) = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
    let point =
        |(id, (dx, dy)): (usize, &(f64, f64))| json!({ "x": x + dx, "y": y + dy, "id": id });
    let points: Vec<_> = places.iter().enumerate().map(point).collect();
    let parameters = json!({ "type": kind, "touchPoints": points });
    tab.cdp("Input.dispatchTouchEvent", parameters).await;
}

/// One finger along these places.
async fn swipe(tab: &Tab, path: &[(f64, f64)]) {
    fingers(tab, "touchStart", &path[..1]).await;
    for place in &path[1..] {
        fingers(tab, "touchMove", std::slice::from_ref(place)).await;
    }
    fingers(tab, "touchEnd", &[]).await;
}

#[tokio::test]
async fn a_swipe_is_one_move_and_what_is_none_plays_nothing() {
    const NEWEST: &str =
        "return [hooks.newest().game, hooks.newest().lastMove, hooks.newest().moves]";
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first("about:blank").await;
        tab.cdp("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await;
        tab.go(table.url()).await;
        tab.is_live().await;
        tab.until("return document.getElementById('touch-hint').checkVisibility()", true).await;
        for (direction, path) in [
            ("LEFT", vec![(0.0, 0.0), (-20.0, 4.0), (-90.0, 10.0)]),
            ("RIGHT", vec![(0.0, 0.0), (90.0, -10.0)]),
            ("UP", vec![(0.0, 0.0), (10.0, -90.0)]),
            // It is decided once: where the finger goes after that is no second move.
            ("DOWN", vec![(0.0, 0.0), (0.0, 90.0), (120.0, 90.0), (120.0, -90.0)]),
        ] {
            let dealt = table.deal(ANY).await;
            tab.shows(&dealt).await;
            swipe(&tab, &path).await;
            tab.until(NEWEST, json!([dealt["game"], direction, 1])).await;
        }
        let dealt = table.deal(ANY).await;
        tab.shows(&dealt).await;
        tab.js("hooks.calls.sent = 0").await;
        // Too short, between two directions, with a second finger.
        swipe(&tab, &[(0.0, 0.0), (20.0, 0.0)]).await;
        swipe(&tab, &[(0.0, 0.0), (70.0, 65.0), (140.0, 0.0)]).await;
        fingers(&tab, "touchStart", &[(0.0, 0.0)]).await;
        fingers(&tab, "touchStart", &[(0.0, 0.0), (40.0, 40.0)]).await;
        fingers(&tab, "touchMove", &[(-90.0, 0.0), (-50.0, 40.0)]).await;
        fingers(&tab, "touchEnd", &[]).await;
        assert_eq!(tab.js("return [hooks.calls.sent, scrollX, scrollY]").await, json!([0, 0, 0]));

        // A tap reads what is under it: the second square of the second row.
        swipe(&tab, &[(-40.0, -40.0)]).await;
        tab.said("polite", "row 2 column 2, 2").await;
        assert_eq!(tab.js("return hooks.calls.sent").await, 0);
        assert_eq!(table.state().await["seq"], dealt["seq"]);

        // The pad, for either hand, with room for a thumb.
        tab.js(
            "localStorage.setItem('serve2048.settings', JSON.stringify({ pad: 'left' }));
             dispatchEvent(new Event('storage'));",
        )
        .await;
        let least = "const boxes = [...document.querySelectorAll('#pad button')].map((b) => b.getBoundingClientRect());
            return Math.min(...boxes.flatMap(({ width, height }) => [width, height]))";
        tab.until_such(least, |px: &Value| px.as_f64() >= Some(48.0), "48 px or more").await;
        tab.js("document.querySelector('[data-move=LEFT]').click()").await;
        tab.until(NEWEST, json!([dealt["game"], "LEFT", 1])).await;
    })
    .await;
}
