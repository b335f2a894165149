//! A browser without a window, and the one chromedriver that starts it.

use std::{
    io::{BufRead as _, BufReader},
    os::unix::fs::MetadataExt as _,
    panic::AssertUnwindSafe,
    process::{Child, ChildStdin, Command, Stdio},
    sync::OnceLock,
    thread,
    time::Duration,
};

use fantoccini::{Client, ClientBuilder, wd::WindowHandle};
use futures_util::FutureExt as _;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::{tab::Tab, table::PATIENCE};

/// One test has the machine at a time.
static TURN: Mutex<()> = Mutex::const_new(());

/// Ends when this process does, however it ends: the shell waits for its standard input to be closed.
const DRIVER: &str = "chromedriver --port=0 & driver=$!; read -r _; kill $driver";

/// Runs before any script of the page, in every tab.
const HOOKS: &str = include_str!("hooks.js");

struct Driver {
    port: u16,
    _shell: Child,
    _stdin: ChildStdin,
}

fn driver() -> &'static Driver {
    static DRIVER_OF_ALL: OnceLock<Driver> = OnceLock::new();
    DRIVER_OF_ALL.get_or_init(|| {
        let mut shell = Command::new("sh")
            .args(["-c", DRIVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell starts");
        let stdin = shell.stdin.take().unwrap();
        let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let port = port.expect("chromedriver is installed: ./check.sh does that");
        // What it says later must not fill the pipe.
        thread::spawn(move || lines.for_each(drop));
        Driver { port, _shell: shell, _stdin: stdin }
    })
}

/// One browser with a profile of its own.
pub(crate) struct Browser {
    pub(crate) client: Client,
    http: reqwest::Client,
    session: String,
}

/// Runs a test in a browser, and closes that whatever comes of it: it would outlive its driver.
pub(crate) async fn browse(test: impl AsyncFnOnce(&'static Browser)) {
    browse_with(&[], test).await;
}

/// The same in a browser with more options.
pub(crate) async fn browse_with(options: &[String], test: impl AsyncFnOnce(&'static Browser)) {
    let _turn = TURN.lock().await;
    let client = ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities(options))
        .connect(&format!("http://127.0.0.1:{}", driver().port))
        .await
        .expect("a browser starts");
    let session = client.session_id().await.unwrap().expect("a session has an id");
    let http = reqwest::Client::builder().timeout(PATIENCE).build().unwrap();
    // A handful of them, in a process that ends soon.
    let browser: &'static Browser = Box::leak(Box::new(Browser { client, http, session }));
    let outcome = AssertUnwindSafe(test(browser)).catch_unwind().await;
    browser.client.clone().close().await.expect("a browser can be closed");
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

impl Browser {
    /// The page at `url` in the tab that a browser begins with.
    pub(crate) async fn first(&'static self, url: &str) -> Tab {
        let tab = Tab::new(self, self.client.window().await.unwrap());
        tab.prepare(HOOKS).await;
        tab.go(url).await;
        tab
    }

    /// The page in one more tab, in front of the others.
    pub(crate) async fn open(&'static self, url: &str) -> Tab {
        let handle = self.client.new_window(true).await.expect("another tab opens").handle;
        let tab = Tab::new(self, handle);
        tab.prepare(HOOKS).await;
        tab.go(url).await;
        tab
    }

    /// A command of Chromium's own protocol, for the tab that is switched to.
    pub(crate) async fn cdp(&self, command: &str, parameters: Value) -> Value {
        let port = driver().port;
        let url = format!("http://127.0.0.1:{port}/session/{}/goog/cdp/execute", self.session);
        let body = json!({ "cmd": command, "params": parameters });
        let reply = self.http.post(url).body(body.to_string()).send().await.unwrap();
        let text = reply.text().await.unwrap();
        let reply: Value = serde_json::from_str(&text).unwrap();
        assert!(reply["value"]["error"].is_null(), "{command}: {text}");
        reply["value"].clone()
    }

    pub(crate) async fn switch(&self, tab: &WindowHandle) {
        self.client.switch_to_window(tab.clone()).await.expect("a tab can be switched to");
    }
}

fn capabilities(options: &[String]) -> serde_json::Map<String, Value> {
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
        "--window-size=1280,900",
        "--hide-scrollbars",
    ];
    // Chromium refuses its sandbox to the superuser, whom it would not protect.
    if std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
        args.push("--no-sandbox");
    }
    args.extend(options.iter().map(String::as_str));
    let options = json!({ "args": args });
    let timeouts = json!({ "script": PATIENCE.as_millis(), "pageLoad": PATIENCE.as_millis() });
    [("goog:chromeOptions", options), ("timeouts", timeouts)]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
}

/// How often something is looked at again.
pub(crate) const AGAIN: Duration = Duration::from_millis(20);
