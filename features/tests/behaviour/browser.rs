//! A real browser: Chromium without a window, driven by chromedriver.

use std::{os::unix::fs::MetadataExt as _, process::Stdio, time::Duration};

use engine::Board;
use fantoccini::{Client, ClientBuilder, Locator, key::Key, wd::WindowHandle};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::{
    process::{Child, Command},
    time::{Instant, sleep},
};

use crate::{screens::Seen, server::port_in, table::PATIENCE};

/// How often a tab is looked at again.
const AGAIN: Duration = Duration::from_millis(20);

/// One browser with the game in each of its tabs.
#[derive(Debug)]
pub(crate) struct Browser {
    client: Client,
    tabs: Vec<WindowHandle>,
    /// Killed when this is dropped.
    _driver: Child,
}

/// Keeps every sentence that the line over the board has had.
const LISTEN: &str = "
    const line = document.getElementById('line-text');
    window.said = [line.textContent];
    const keep = () => window.said.push(line.textContent);
    new MutationObserver(keep).observe(line, { childList: true, characterData: true, subtree: true });
";

/// What a tab shows: the text of the sixteen squares, row by row, the score and the number of moves.
const SHOWN: &str = "
    const text = (id) => document.getElementById(id).textContent;
    const cells = [...document.querySelectorAll('[role=table] [role=cell]')];
    return [cells.map((cell) => cell.textContent.trim()), text('score'), text('moves')];
";

impl Browser {
    /// Opens the page at `address` in `count` tabs.
    pub(crate) async fn open(address: &str, count: usize) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("chromedriver is installed: ./check.sh does that");
        let said = driver.stdout.take().expect("its standard output is piped");
        let port = port_in(said, "started successfully on port ").await;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities())
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .expect("a browser starts");
        let mut browser = Self { client, tabs: Vec::new(), _driver: driver };
        for number in 0..count {
            browser.open_tab(address, number == 0).await;
        }
        browser
    }

    async fn open_tab(&mut self, address: &str, first: bool) {
        if !first {
            let tab = self.client.new_window(true).await.expect("another tab opens").handle;
            self.client.switch_to_window(tab).await.expect("a tab can be shown");
        }
        self.client.goto(address).await.expect("the page loads");
        self.client.execute(LISTEN, Vec::new()).await.expect("a tab can be listened to");
        self.tabs.push(self.client.window().await.expect("a tab has a name"));
    }

    /// Presses a key in the tab that was opened first.
    pub(crate) async fn press(&self, key: &str) {
        let key = match key {
            "ArrowUp" => Key::Up,
            "ArrowDown" => Key::Down,
            "ArrowLeft" => Key::Left,
            "ArrowRight" => Key::Right,
            "Home" => Key::Home,
            "End" => Key::End,
            _ => panic!("no scenario presses {key}"),
        };
        self.show(&self.tabs[0]).await;
        let page = self.client.find(Locator::Css("body")).await.expect("a page has a body");
        page.send_keys(&key.to_string()).await.expect("a key can be pressed");
    }

    /// What the tab that is shown shows; `None` before it shows a game.
    pub(crate) async fn seen(&self) -> Option<Seen> {
        let shown = self.client.execute(SHOWN, Vec::new()).await.expect("a tab can be read");
        let (squares, score, moves): ([String; 16], String, String) =
            serde_json::from_value(shown).ok()?;
        let values: Vec<u64> = squares.iter().map(|text| text.parse().unwrap_or(0)).collect();
        let row = |row: usize| values[4 * row..][..4].try_into().expect("four of sixteen");
        let plain = |text: String| text.replace(',', "").parse().ok();
        Some(Seen {
            board: Board::from_values(std::array::from_fn(row)).ok()?,
            score: Some(plain(score)?),
            moves: Some(u32::try_from(plain(moves)?).ok()?),
        })
    }

    /// Whether the line over the board has had these words, in any letters.
    pub(crate) async fn has_said(&self, words: &str) -> bool {
        let said = self.client.execute("return window.said", Vec::new()).await;
        let said = said.expect("a tab can be read").to_string();
        said.to_lowercase().contains(&words.to_lowercase())
    }

    /// What the line over the board has had is forgotten.
    pub(crate) async fn forget(&self) {
        let emptied = self.client.execute("window.said = []", Vec::new()).await;
        emptied.expect("a tab can be told");
    }

    /// Waits until each tab shows this board, score and number of moves.
    pub(crate) async fn check_sees(&self, board: &Board, score: u64, moves: u32) {
        let squares = board.values().concat().into_iter();
        let squares: Vec<_> = squares
            .map(|value| if value == 0 { "empty".to_owned() } else { value.to_string() })
            .collect();
        let expected = json!([squares, number(score), number(moves.into())]);
        for tab in &self.tabs {
            self.show(tab).await;
            let begin = Instant::now();
            loop {
                let shown =
                    self.client.execute(SHOWN, Vec::new()).await.expect("a tab can be read");
                if shown == expected {
                    break;
                }
                assert!(begin.elapsed() < PATIENCE, "a tab shows {shown}, not {expected}");
                sleep(AGAIN).await;
            }
        }
    }

    async fn show(&self, tab: &WindowHandle) {
        self.client.switch_to_window(tab.clone()).await.expect("a tab can be shown");
    }

    /// Ends the browser; without this it would outlive its driver.
    pub(crate) async fn close(self) {
        self.client.close().await.expect("a browser can be closed");
    }
}

/// A number as the page writes it.
fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn capabilities() -> serde_json::Map<String, Value> {
    let mut args = vec![
        "--headless=new",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--lang=en",
    ];
    // Chromium refuses its sandbox to the superuser, whom it would not protect.
    if std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
        args.push("--no-sandbox");
    }
    let options = json!({ "args": args });
    [("goog:chromeOptions".to_owned(), options)].into_iter().collect()
}
