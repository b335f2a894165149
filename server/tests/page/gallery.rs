//! Every state of the page, looked at: by axe in every palette, on narrow screens, and as a picture.
//!
//! The pictures are in `page` in the folder for what tests leave behind (`target/tmp`).

use std::{fs, path::Path};

use serde_json::{Value, json};
use server::config::Config;
use tokio::time::sleep;

use crate::{
    browser::{AGAIN, Browser, browse},
    events::Events,
    playing::{DYING, LONG},
    tab::Tab,
    table::Table,
};

/// Palettes and themes that each state is looked at in.
const DRESSES: [(&str, &str); 4] =
    [("classic", "light"), ("classic", "dark"), ("colour-blind", "light"), ("plain", "dark")];

/// A page, its server, and what to look at it with.
struct Gallery {
    table: Table,
    tab: Tab,
    axe: String,
}

impl Gallery {
    async fn open(browser: &'static Browser, config: Config) -> Self {
        let table = Table::with(config);
        let tab = browser.first(table.url()).await;
        Self { table, tab, axe: axe() }
    }

    /// The page anew, with a clock that runs.
    async fn again(&self) -> &Tab {
        self.tab.go(self.table.url()).await;
        self.tab.is_live().await;
        self.tab.shows(&self.table.state().await).await;
        &self.tab
    }

    /// Looks at the state that the page is in.
    async fn look(&self, name: &str) {
        let tab = &self.tab;
        tab.js(include_str!("gallery.js")).await;
        tab.js(&self.axe).await;
        // Messages that go after some seconds stay.
        tab.js("look.freeze()").await;
        for (palette, theme) in DRESSES {
            let faults = tab.js_with("return look.faults(...arguments)", json!([palette, theme]));
            assert_eq!(faults.await, json!([]), "{name} in {palette}, {theme}");
        }
        // 320 px is also a window of 1280 px at 400 %.
        for (width, height) in [(320, 256), (320, 640), (768, 1024), (900, 700)] {
            size(tab, width, height, 1).await;
            let sideways = tab.js("return look.sideways()").await;
            assert_eq!(sideways, "", "{name} at {width} x {height}");
            assert_eq!(
                tab.js("return look.cut()").await,
                json!([]),
                "{name} at {width} x {height}"
            );
        }
        size(tab, 390, 844, 1).await;
        assert_eq!(tab.js("return look.small()").await, json!([]), "{name} on a phone");
        for (kind, theme, width, height, scale) in [
            ("light", "light", 1280, 860, 1),
            ("dark", "dark", 1280, 860, 1),
            ("phone", "light", 390, 844, 2),
        ] {
            size(tab, width, height, scale).await;
            tab.js_with("look.dress({ theme: arguments[0] })", json!([theme])).await;
            picture(tab, &format!("{name}-{kind}")).await;
        }
        tab.cdp("Emulation.clearDeviceMetricsOverride", json!({})).await;
        tab.js("localStorage.clear(); dispatchEvent(new Event('storage'))").await;
    }

    /// Hands the page a state that this server would not send, and looks at it.
    async fn pushed(&self, name: &str, change: Value, line: &str) {
        let tab = self.again().await;
        tab.js(include_str!("gallery.js")).await;
        tab.js("look.freeze()").await;
        tab.js_with("hooks.push(arguments[0])", json!([change])).await;
        tab.says_part("line-text", line).await;
        self.look(name).await;
    }
}

/// Watches, as soon as there is a place: one that was given up is noticed a little later.
async fn take_the_place(table: &Table) -> Events {
    loop {
        let mut stream = table.watch("").await;
        while let Some(event) = stream.next().await {
            if event.is_state() {
                return stream;
            }
        }
        sleep(AGAIN).await;
    }
}

async fn size(tab: &Tab, width: u32, height: u32, scale: u32) {
    let metrics = json!({
        "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false,
    });
    tab.cdp("Emulation.setDeviceMetricsOverride", metrics).await;
}

async fn picture(tab: &Tab, name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.png")), tab.picture().await).unwrap();
}

/// The checker of accessibility, as npm has brought it.
fn axe() -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/node_modules/axe-core/axe.min.js");
    fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; `npm ci --prefix static` brings it, as ./check.sh does",
            path.display()
        )
    })
}

/// A board with every tile that there can be.
const EVERY_TILE: [[u32; 4]; 4] = [
    [131_072, 65_536, 32_768, 16_384],
    [1024, 2048, 4096, 8192],
    [512, 256, 128, 64],
    [4, 8, 16, 32],
];

/// A board in the middle of a game.
const MIDDLE: [[u32; 4]; 4] = [[2, 16, 64, 256], [0, 8, 32, 128], [0, 2, 4, 16], [0, 0, 2, 4]];

#[tokio::test]
async fn playing_by_hand() {
    browse(async |browser| {
        let gallery = Gallery::open(browser, Config::default()).await;
        let (table, tab) = (&gallery.table, &gallery.tab);
        gallery.again().await;
        gallery.look("start").await;

        table.deal(MIDDLE).await;
        gallery.again().await.press("ArrowLeft").await;
        tab.until("return hooks.board()[3]", 1).await;
        tab.press("i").await;
        tab.says_part("decision-move", "Hint").await;
        gallery.look("hint").await;

        gallery.again().await.press("x").await;
        tab.says_part("polite", "row 1 column 1").await;
        gallery.look("exploring").await;

        table.deal(EVERY_TILE).await;
        gallery.again().await;
        gallery.look("every-tile").await;
        let digits = "return [...document.fonts].map(({ family, status }) => `${family} ${status}`)";
        tab.until(digits, json!(["digits loaded"])).await;
        // Where the system chooses the colours, tiles are boxes with a line round them.
        let media = json!({ "features": [{ "name": "forced-colors", "value": "active" }] });
        tab.cdp("Emulation.setEmulatedMedia", media).await;
        let lines = "return [...document.querySelectorAll('.face')].map((face) => getComputedStyle(face).borderTopWidth)";
        assert_eq!(tab.js(lines).await, json!(vec!["2px"; 16]));
        picture(tab, "every-tile-forced").await;
        tab.cdp("Emulation.setEmulatedMedia", json!({ "features": [] })).await;

        table.deal(DYING).await;
        gallery.again().await.press("ArrowRight").await;
        tab.until("return document.getElementById('card')?.checkVisibility() ?? false", true).await;
        gallery.look("game-over").await;
    })
    .await;
}

#[tokio::test]
async fn watching_an_ai() {
    browse(async |browser| {
        let gallery = Gallery::open(browser, Config::default()).await;
        let (table, tab) = (&gallery.table, &gallery.tab);
        gallery.again().await;
        table.start_agent(json!({ "player": "mcts", "budgetMs": 10, "pace": "max" })).await;
        let mut stream = table.watch("").await;
        stream.state_where(|state| state["moves"].as_u64() >= Some(300)).await;
        let rest = json!({ "budgetMs": 200, "pace": "fixed", "intervalSeconds": 10 });
        table.start_agent(rest).await;
        tab.until("return document.getElementById('frame').dataset.playing", "true").await;
        gallery.look("ai-driving").await;

        tab.press("Home").await;
        for _ in 0..2 {
            tab.chord(".", crate::tab::SHIFT).await;
        }
        tab.until("return hooks.board()[3]", 20).await;
        gallery.look("looking-back").await;
        table.post_empty("agent/stop").await.ok();

        let decision = json!({
            "move": "LEFT", "source": "fallback", "reason": "confidence 0.02 below 0.15",
            "detail": "chosen by the corner rules", "confidence": 0.02, "risk": 1.4, "latencyMs": 301,
            "probabilities": { "UP": 0.31, "DOWN": 0.22, "LEFT": 0.33, "RIGHT": 0.14 },
        });
        gallery.again().await;
        for _ in 0..3 {
            let moves = tab.js("return hooks.newest().moves").await.as_u64().unwrap();
            let change = json!([{ "decision": decision, "moves": moves + 1 }]);
            tab.js_with("hooks.push(arguments[0])", change).await;
        }
        tab.says("decision-fallback", "Fell back: confidence 0.02 below 0.15 × 3").await;
        gallery.look("fallback").await;

        gallery.again().await;
        let agent = tab.js("return hooks.newest().agent").await;
        let running = |running: bool| {
            let mut agent = agent.clone();
            agent["running"] = json!(running);
            agent
        };
        tab.js_with("hooks.push({ agent: arguments[0] })", json!([running(true)])).await;
        let reason = "agent stopped: Panic: index out of bounds";
        let stopped = json!({ "move": null, "source": "mcts", "reason": reason });
        let change = json!([{ "agent": running(false), "decision": stopped }]);
        tab.js_with("hooks.push(arguments[0])", change).await;
        tab.says_part("line-text", "The AI stopped: Panic: index out of bounds").await;
        gallery.look("ai-stopped").await;
    })
    .await;
}

#[tokio::test]
async fn what_a_server_may_say() {
    browse(async |browser| {
        let gallery = Gallery::open(browser, Config::default()).await;
        gallery.table.deal(MIDDLE).await;
        gallery
            .pushed("won", json!({ "won": true, "maxTile": 2048 }), "2048! The game goes on.")
            .await;
        gallery.pushed("restarted", json!({ "boot": "another" }), "the game continues at").await;
        let lost = json!({ "boot": "another", "epoch": "another", "game": "another" });
        gallery.pushed("restarted-without-history", lost, "is gone").await;
        gallery.pushed("out-of-date", json!({ "protocol": 2 }), "This page is out of date.").await;

        let tab = gallery.again().await;
        tab.js("hooks.say('bye', { reason: 'closed', retryMs: 0 })").await;
        tab.says("phase", "Closed").await;
        gallery.look("closed").await;
    })
    .await;
}

#[tokio::test]
async fn dialogs() {
    browse(async |browser| {
        let gallery = Gallery::open(browser, Config::default()).await;
        let (table, tab) = (&gallery.table, &gallery.tab);
        let title = "return document.querySelector('dialog[open] h2')?.textContent ?? ''";
        gallery.again().await;
        tab.until("return document.getElementById('games-open').checkVisibility()", true).await;
        tab.click("games-open").await;
        tab.until(title, "Games of this session").await;
        gallery.look("no-games").await;

        for _ in 0..3 {
            let mut stream = table.watch("").await;
            table.start_agent(json!({ "player": "random", "pace": "max" })).await;
            stream.state_where(|state| state["gameOver"] == true).await;
            table.post_empty("new").await.ok();
            table.post_empty("agent/stop").await.ok();
        }
        table.play(table.state().await["legal"][0].as_str().unwrap()).await;
        gallery.again().await;
        tab.until("return document.getElementById('games-open').checkVisibility()", true).await;
        tab.click("games-open").await;
        tab.until("return document.querySelectorAll('dialog .session-line').length > 2", true)
            .await;
        gallery.look("games").await;

        for (name, button, heading) in [
            ("help", "help-open", "Keys and touch"),
            ("settings", "settings-open", "Settings"),
            ("share", "share", "Share and sessions"),
        ] {
            gallery.again().await.click(button).await;
            tab.until(title, heading).await;
            gallery.look(name).await;
        }
        gallery.again().await.press("n").await;
        tab.until(title, "Start a new game?").await;
        gallery.look("question").await;
    })
    .await;
}

#[tokio::test]
async fn not_connected() {
    browse(async |browser| {
        let gallery = Gallery::open(browser, Config { max_streams: 1, ..Config::default() }).await;
        let (table, tab) = (&gallery.table, &gallery.tab);
        table.deal(MIDDLE).await;
        gallery.again().await;
        gallery.look("one-stream").await;

        // Somebody else has the one place there is.
        tab.go("about:blank").await;
        let other = take_the_place(table).await;
        tab.go(table.url()).await;
        tab.says_part("line-text", "viewers are full").await;
        tab.shows(&table.state().await).await;
        gallery.look("viewers-full").await;
        drop(other);

        tab.go(&format!("{}/s/nobody", table.url())).await;
        tab.says("phase", "Closed").await;
        gallery.look("no-such-session").await;

        let made = table.request(reqwest::Method::POST, "/api/sessions").send().await.unwrap();
        let made: Value = serde_json::from_str(&made.text().await.unwrap()).unwrap();
        tab.go(&format!("{}/s/{}", table.url(), made["id"].as_str().unwrap())).await;
        tab.says_part("line-text", "Watching.").await;
        assert_eq!(
            tab.js("return document.getElementById('controls').checkVisibility()").await,
            false
        );
        gallery.look("watching").await;
    })
    .await;
}

#[tokio::test]
async fn side_by_side() {
    browse(async |browser| {
        let gallery = Gallery::open(browser, Config::default()).await;
        let (table, tab) = (&gallery.table, &gallery.tab);
        let mut ids = Vec::new();
        for player in ["mcts", "expectimax", "rules"] {
            let request = table.request(reqwest::Method::POST, "/api/sessions");
            let request = request.header("content-type", "application/json");
            let made = request.body(json!({ "seed": LONG }).to_string()).send().await.unwrap();
            let made: Value = serde_json::from_str(&made.text().await.unwrap()).unwrap();
            let id = made["id"].as_str().unwrap().to_owned();
            let session = table.in_session(&id).with_token(made["control"].as_str().unwrap());
            let wish = json!({ "player": player, "budgetMs": 5, "intervalSeconds": 0.05 });
            session.start_agent(wish).await;
            let mut stream = session.watch("").await;
            stream.state_where(|state| state["moves"].as_u64() >= Some(60)).await;
            session.post_empty("agent/stop").await.ok();
            ids.push(id);
        }
        tab.go(&format!("{}/?side={}", table.url(), ids.join(","))).await;
        let boards = "return [...document.querySelectorAll('.lane')].filter((lane) => lane.querySelector('.tile')).length";
        tab.until(boards, 3).await;
        gallery.look("side-by-side").await;
    })
    .await;
}
