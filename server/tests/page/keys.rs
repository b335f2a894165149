//! Keys: floods, chords, keyboards of other countries, and everything without a mouse.

use serde_json::{Value, json};

use crate::{
    browser::browse,
    tab::{ALT, CONTROL, META, SHIFT, Tab},
    table::Table,
};

/// Calls of a move: sent in all, and the most at a time.
const CALLS: &str = "return [hooks.calls.sent, hooks.calls.most, hooks.calls.flying]";

async fn seat(browser: &'static crate::browser::Browser, table: &Table) -> Tab {
    let tab = browser.first(table.url()).await;
    tab.is_live().await;
    tab.shows(&table.state().await).await;
    tab
}

#[tokio::test]
async fn a_key_that_is_held_sends_one_move_at_a_time() {
    browse(async |browser| {
        let table = Table::open();
        let tab = seat(browser, &table).await;
        // Three seconds at the 30 signals a second of a keyboard.
        for signal in 0..90 {
            tab.holds("ArrowLeft", signal > 0).await;
        }
        tab.lets_go("ArrowLeft").await;
        tab.until(CALLS, json!([1, 1, 0])).await;

        // With the setting, it goes on playing: eight times a second, and still one at a time.
        tab.js("localStorage.setItem('serve2048.settings', JSON.stringify({ hold: true }));
             dispatchEvent(new Event('storage'));
             hooks.calls.sent = 0;")
            .await;
        let begin = tokio::time::Instant::now();
        for signal in 0..90 {
            tab.holds("ArrowLeft", signal > 0).await;
        }
        tab.lets_go("ArrowLeft").await;
        let most = begin.elapsed().as_millis() / 125 + 2;
        let none_flies = |calls: &Value| calls[2] == 0;
        let calls = tab.until_such(CALLS, none_flies, "none on its way").await;
        assert_eq!(calls[1], 1, "at a time");
        let sent = u128::from(calls[0].as_u64().unwrap());
        assert!((2..=most).contains(&sent), "{sent} of at most {most}");
    })
    .await;
}

#[tokio::test]
async fn a_flood_of_different_keys_has_one_in_flight_and_one_waiting() {
    browse(async |browser| {
        let table = Table::open();
        let tab = seat(browser, &table).await;
        // All before the first can be answered.
        tab.js(
            "for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown']) {
               for (const kind of ['keydown', 'keyup']) {
                 document.body.dispatchEvent(new KeyboardEvent(kind, { key, code: key, bubbles: true, cancelable: true }));
               }
             }",
        )
        .await;
        tab.until(CALLS, json!([2, 1, 0])).await;
    })
    .await;
}

#[tokio::test]
async fn chords_and_two_directions_together_do_nothing() {
    browse(async |browser| {
        let table = Table::open();
        let tab = seat(browser, &table).await;
        for modifier in [ALT, CONTROL, META] {
            for key in ["ArrowLeft", "ArrowDown", "h", "a", "j", "s"] {
                // Alt with an arrow would leave the page: those reach the page as events only.
                if modifier == ALT && key.starts_with("Arrow") {
                    continue;
                }
                tab.chord(key, modifier).await;
            }
        }
        tab.js(
            "for (const key of ['ArrowLeft', 'ArrowDown']) {
               const press = new KeyboardEvent('keydown', { key, code: key, altKey: true, bubbles: true, cancelable: true });
               if (!document.body.dispatchEvent(press)) throw new Error('taken');
             }",
        )
        .await;
        assert_eq!(tab.js(CALLS).await, json!([0, 0, 0]));
        tab.holds("ArrowLeft", false).await;
        tab.holds("ArrowDown", false).await;
        tab.holds("ArrowDown", true).await;
        tab.lets_go("ArrowDown").await;
        tab.lets_go("ArrowLeft").await;
        tab.until(CALLS, json!([1, 1, 0])).await;
        // Shift is no chord.
        tab.chord("ArrowDown", SHIFT).await;
        tab.until(CALLS, json!([2, 1, 0])).await;
    })
    .await;
}

#[tokio::test]
async fn a_select_with_the_focus_keeps_its_keys() {
    browse(async |browser| {
        let table = Table::open();
        let tab = seat(browser, &table).await;
        tab.js("document.getElementById('pace').focus()").await;
        for key in ["ArrowDown", "ArrowUp", "h", " ", "Escape"] {
            tab.press(key).await;
        }
        assert_eq!(tab.js(CALLS).await, json!([0, 0, 0]));
        assert_eq!(table.state().await["agent"]["running"], false);
        // On a button, space presses the button and does not start the AI.
        tab.js("document.getElementById('help-open').focus()").await;
        tab.press(" ").await;
        tab.until(
            "return document.querySelector('dialog[open] h2')?.textContent",
            "Keys and touch",
        )
        .await;
        // A dialog has the keys.
        tab.press("ArrowLeft").await;
        tab.press("n").await;
        tab.press("Escape").await;
        tab.until("return document.querySelector('dialog[open]')", Value::Null).await;
        assert_eq!(tab.js("return document.activeElement.id").await, "help-open");
        assert_eq!(tab.js(CALLS).await, json!([0, 0, 0]));
        assert_eq!(table.state().await["agent"]["running"], false);
    })
    .await;
}

#[tokio::test]
async fn letters_are_where_the_hand_expects_them() {
    // Where the key is, what it types there, and where it moves.
    const PRESSES: [(&str, &str, &str); 12] = [
        // A French keyboard: Z Q S D stand where W A S D are.
        ("KeyW", "z", "UP"),
        ("KeyA", "q", "LEFT"),
        ("KeyS", "s", "DOWN"),
        ("KeyD", "d", "RIGHT"),
        // An American one.
        ("KeyW", "w", "UP"),
        ("KeyA", "a", "LEFT"),
        // The letters of vi go by what is typed, wherever it is.
        ("KeyH", "h", "LEFT"),
        ("KeyC", "j", "DOWN"),
        ("KeyV", "k", "UP"),
        ("KeyP", "l", "RIGHT"),
        // With caps lock.
        ("KeyH", "H", "LEFT"),
        ("KeyS", "S", "DOWN"),
    ];
    browse(async |browser| {
        let table = Table::open();
        let tab = seat(browser, &table).await;
        for (code, typed, direction) in PRESSES {
            // Any direction changes this board.
            let dealt = table.deal([[0, 0, 0, 0], [0, 2, 4, 0], [0, 4, 2, 0], [0, 0, 0, 0]]).await;
            tab.shows(&dealt).await;
            tab.press_at(code, typed).await;
            let last = "return [hooks.newest().game, hooks.newest().lastMove]";
            tab.until(last, json!([dealt["game"], direction])).await;
        }
        // The Q of an American keyboard, the W and the A of a French one.
        let before = table.state().await;
        for (code, typed) in [("KeyQ", "q"), ("KeyZ", "w"), ("KeyQ", "a")] {
            tab.press_at(code, typed).await;
        }
        tab.until("return hooks.calls.flying", 0).await;
        assert_eq!(table.state().await["seq"], before["seq"]);
    })
    .await;
}
