//! Links to watch by: given, used and revoked on the page.

use serde_json::{Value, json};

use crate::{browser::browse, tab::Tab, table::Table};

/// Presses the button of the open dialog that says this.
const PRESS: &str = "
    const all = [...document.querySelectorAll('dialog[open] button')];
    all.find((button) => button.textContent === arguments[0]).click();
";

/// What the open dialog says of what was done last.
const STATUS: &str =
    "return document.querySelector('dialog[open] [role=status]')?.textContent ?? ''";

/// Opens the dialog, which copies a link at once, and gives that.
async fn share(host: &Tab) -> String {
    host.js("hooks.copied = null;
         Object.defineProperty(navigator, 'clipboard', {
           configurable: true, value: { writeText: async (text) => void (hooks.copied = text) },
         });")
        .await;
    host.click("share").await;
    let link = host.until_such("return hooks.copied", Value::is_string, "a link").await;
    host.until(STATUS, "Link to watch copied. It shows the game and lets nobody play.").await;
    link.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_link_lets_watch_until_it_is_revoked() {
    browse(async |browser| {
        let table = Table::open();
        for _ in 0..3 {
            table.play(table.state().await["legal"][0].as_str().unwrap()).await;
        }
        let host = browser.first(table.url()).await;
        host.is_live().await;
        let link = share(&host).await;
        assert!(link.starts_with(&format!("{}/w/", table.url())), "{link}");
        // The same one again, as long as it is good.
        host.js_with(PRESS, json!(["Copy link to watch"])).await;
        host.until("return hooks.copied", link.as_str()).await;

        let guest = browser.open(&link).await;
        guest.is_live().await;
        guest.shows(&table.state().await).await;
        guest.said("line-text", "Watching. 1 other.").await;
        for id in ["controls", "pad", "agent", "new", "hint"] {
            let seen = format!("return document.getElementById('{id}').checkVisibility()");
            assert_eq!(guest.js(&seen).await, false, "{id}");
        }
        let before = table.state().await;
        for key in
            ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", " ", "Enter", "n", "i", "1", "+"]
        {
            guest.press(key).await;
        }
        // It looks back, and sees what is played on.
        guest.press(",").await;
        guest.until("return hooks.board()[3]", 2).await;
        guest.press("End").await;
        assert_eq!(guest.js("return hooks.calls.sent").await, 0);
        assert_eq!(table.state().await["seq"], before["seq"]);
        let played = table.play(before["legal"][0].as_str().unwrap()).await;
        guest.shows(&played["state"]).await;

        host.js_with(PRESS, json!(["Revoke links"])).await;
        host.until(STATUS, "1 link was revoked.").await;
        guest.says("phase", "Closed").await;
        guest.says_part("line-text", "There is no such session or link here").await;
        table.begins_watched_by(1).await;
        guest.reload().await;
        guest.says("phase", "Closed").await;

        // Another one is another one.
        host.js_with(PRESS, json!(["Copy link to watch"])).await;
        let other = |copied: &Value| copied.as_str().is_some_and(|copied| copied != link);
        let other = host.until_such("return hooks.copied", other, "another link").await;
        guest.go(other.as_str().unwrap()).await;
        guest.is_live().await;
        guest.shows(&table.state().await).await;
    })
    .await;
}
