//! One tab: what it shows, and the hands of somebody who sits at it.

use std::fmt::Debug;

use fantoccini::wd::WindowHandle;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::{
    browser::{AGAIN, Browser},
    table::PATIENCE,
};

/// A tab of a browser.
pub(crate) struct Tab {
    browser: &'static Browser,
    handle: WindowHandle,
}

/// Keys as Chromium names them: what they type, where they are, their number.
const KEYS: [(&str, &str, u32); 16] = [
    ("ArrowUp", "ArrowUp", 38),
    ("ArrowDown", "ArrowDown", 40),
    ("ArrowLeft", "ArrowLeft", 37),
    ("ArrowRight", "ArrowRight", 39),
    ("Enter", "Enter", 13),
    ("Escape", "Escape", 27),
    ("Home", "Home", 36),
    ("End", "End", 35),
    ("Tab", "Tab", 9),
    (" ", "Space", 32),
    (",", "Comma", 188),
    (".", "Period", 190),
    ("?", "Slash", 191),
    ("+", "Equal", 187),
    ("-", "Minus", 189),
    ("1", "Digit1", 49),
];

/// Alt, Control, Meta and Shift in the protocol of Chromium.
pub(crate) const ALT: u32 = 1;
pub(crate) const CONTROL: u32 = 2;
pub(crate) const META: u32 = 4;
pub(crate) const SHIFT: u32 = 8;

impl Tab {
    pub(crate) fn new(browser: &'static Browser, handle: WindowHandle) -> Self {
        Self { browser, handle }
    }

    /// Lets a script run before the page's own, from the next page on.
    pub(crate) async fn prepare(&self, script: &str) {
        self.cdp("Page.enable", json!({})).await;
        self.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    }

    pub(crate) async fn go(&self, url: &str) {
        self.browser.switch(&self.handle).await;
        self.browser.client.goto(url).await.expect("the page loads");
    }

    pub(crate) async fn reload(&self) {
        self.browser.switch(&self.handle).await;
        self.browser.client.refresh().await.expect("the page loads again");
    }

    /// Goes back to the page before.
    pub(crate) async fn back(&self) {
        self.browser.switch(&self.handle).await;
        self.browser.client.back().await.expect("there is a page before");
    }

    /// Hides the tab with its whole window: without a screen, tabs behind others count as seen.
    pub(crate) async fn minimize(&self) {
        self.browser.switch(&self.handle).await;
        self.browser.client.minimize_window().await.expect("a window can be minimized");
    }

    /// Shows a hidden window again.
    pub(crate) async fn restore(&self) {
        self.browser.switch(&self.handle).await;
        self.browser.client.set_window_size(1280, 900).await.expect("a window can be restored");
    }

    pub(crate) async fn close(self) {
        self.browser.switch(&self.handle).await;
        self.browser.client.close_window().await.expect("a tab can be closed");
    }

    pub(crate) async fn cdp(&self, command: &str, parameters: Value) -> Value {
        self.browser.switch(&self.handle).await;
        self.browser.cdp(command, parameters).await
    }

    /// What it looks like, as PNG.
    pub(crate) async fn picture(&self) -> Vec<u8> {
        self.browser.switch(&self.handle).await;
        self.browser.client.screenshot().await.expect("a picture can be taken")
    }

    /// What the function body `script` returns in the page.
    pub(crate) async fn js(&self, script: &str) -> Value {
        self.js_with(script, json!([])).await
    }

    /// The same with `arguments`, an array.
    pub(crate) async fn js_with(&self, script: &str, arguments: Value) -> Value {
        self.browser.switch(&self.handle).await;
        let Value::Array(arguments) = arguments else { panic!("{arguments} is no list") };
        let client = &self.browser.client;
        client.execute(script, arguments).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until `script` returns what is `wanted`.
    pub(crate) async fn until<T: Debug>(&self, script: &str, wanted: T)
    where
        Value: PartialEq<T>,
    {
        self.until_such(script, |seen| *seen == wanted, &format!("{wanted:?}")).await;
    }

    /// Waits until `script` returns something that `holds`, and gives it back.
    pub(crate) async fn until_such(
        &self,
        script: &str,
        holds: impl Fn(&Value) -> bool,
        wanted: &str,
    ) -> Value {
        let begin = Instant::now();
        loop {
            let seen = self.js(script).await;
            if holds(&seen) {
                return seen;
            }
            if begin.elapsed() > PATIENCE {
                let page = self.js("return document.body.innerText").await;
                let heard = self.js("return hooks.heard.map(({ text }) => text)").await;
                panic!("{script} gives {seen}, not {wanted}; it said {heard}; the page is\n{page}");
            }
            sleep(AGAIN).await;
        }
    }

    /// Waits until the element with this id says `text`.
    pub(crate) async fn says(&self, id: &str, text: &str) {
        self.until(&text_of(id), text).await;
    }

    /// Waits until it says something with `part` in it, and gives it back.
    pub(crate) async fn says_part(&self, id: &str, part: &str) -> String {
        let has = |seen: &Value| seen.as_str().is_some_and(|text| text.contains(part));
        let seen = self.until_such(&text_of(id), has, &format!("… {part} …")).await;
        seen.as_str().unwrap().to_owned()
    }

    /// Waits until it has said something with `part` in it since what was asked for before, and gives that back. For
    /// what stands there for some seconds only.
    pub(crate) async fn said(&self, id: &str, part: &str) -> String {
        let script = format!("return hooks.take({}, {})", json!(id), json!(part));
        let seen = self.until_such(&script, Value::is_string, part).await;
        seen.as_str().unwrap().to_owned()
    }

    /// Waits until the tab hears the server.
    pub(crate) async fn is_live(&self) {
        self.until("return document.getElementById('link').dataset.dot", "good").await;
    }

    /// Waits until both layers of the board, the score and the number of moves are those of `state`.
    pub(crate) async fn shows(&self, state: &Value) {
        let squares: Vec<_> = state["grid"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_array().unwrap().iter().map(|square| square.as_u64().unwrap_or(0)))
            .map(Iterator::collect::<Vec<_>>)
            .collect();
        let score = state["score"].as_u64().unwrap();
        let moves = state["moves"].as_u64().unwrap();
        self.until("return hooks.board()", json!([squares, squares, score, moves])).await;
    }

    /// Presses a key and lets it go.
    pub(crate) async fn press(&self, key: &str) {
        self.chord(key, 0).await;
    }

    /// The same with these modifiers held.
    pub(crate) async fn chord(&self, key: &str, modifiers: u32) {
        let (typed, code, number) = named(key);
        self.key("keyDown", &typed, &code, number, modifiers).await;
        self.key("keyUp", &typed, &code, number, modifiers).await;
    }

    /// A key that types `typed` where another keyboard may have another.
    pub(crate) async fn press_at(&self, code: &str, typed: &str) {
        let number = u32::from(typed.to_ascii_uppercase().as_bytes()[0]);
        self.key("keyDown", typed, code, number, 0).await;
        self.key("keyUp", typed, code, number, 0).await;
    }

    /// One more signal of a key that is held down.
    pub(crate) async fn holds(&self, key: &str, again: bool) {
        let (typed, code, number) = named(key);
        let parameters = json!({
            "type": "rawKeyDown", "key": typed, "code": code, "windowsVirtualKeyCode": number,
            "autoRepeat": again,
        });
        self.cdp("Input.dispatchKeyEvent", parameters).await;
    }

    pub(crate) async fn lets_go(&self, key: &str) {
        let (typed, code, number) = named(key);
        self.key("keyUp", &typed, &code, number, 0).await;
    }

    async fn key(&self, kind: &str, typed: &str, code: &str, number: u32, modifiers: u32) {
        let text = match typed {
            "Enter" => "\r",
            _ if typed.chars().count() == 1 && modifiers & !SHIFT == 0 => typed,
            _ => "",
        };
        let mut parameters = json!({
            "type": kind, "key": typed, "code": code, "modifiers": modifiers,
            "windowsVirtualKeyCode": number,
        });
        if kind == "keyDown" {
            parameters["text"] = json!(text);
        }
        self.cdp("Input.dispatchKeyEvent", parameters).await;
    }

    /// Clicks the element with this id.
    pub(crate) async fn click(&self, id: &str) {
        self.js_with("document.getElementById(arguments[0]).click()", json!([id])).await;
    }
}

fn text_of(id: &str) -> String {
    format!("return document.getElementById('{id}')?.textContent ?? ''")
}

/// A key by what it types: its own name, the place of it on an American keyboard, its number.
fn named(key: &str) -> (String, String, u32) {
    if let Some((typed, code, number)) = KEYS.iter().find(|(typed, ..)| *typed == key) {
        return ((*typed).to_owned(), (*code).to_owned(), *number);
    }
    let letter = key.chars().next().unwrap().to_ascii_uppercase();
    assert!(key.len() == 1 && letter.is_ascii_uppercase(), "no test presses {key}");
    (key.to_owned(), format!("Key{letter}"), u32::from(letter))
}
