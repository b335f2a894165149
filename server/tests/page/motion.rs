//! What moves on the board, how fast, and how often it is drawn.

use serde_json::{Value, json};

use crate::{browser::browse, events::Events, table::Table};

/// So many moves are watched at every pace.
const MOVES: usize = 10_000;

/// So many games are handed to the page at a time: a script may take only so long, on a busy machine too.
const GAMES: usize = 8;

/// Times between two moves, in milliseconds: the paces of the page, then the two without a beat.
const PACES: [(&str, &[u32], bool); 8] = [
    ("0.05 s", &[50], true),
    ("0.1 s", &[100], true),
    ("0.25 s", &[250], true),
    ("0.5 s", &[500], true),
    ("1, 2 and 5 s", &[1000, 2000, 5000], true),
    ("adaptive", &[70, 400, 130, 55, 900, 210, 310, 119], true),
    ("max", &[0, 3, 16, 33], true),
    ("without motion", &[400], false),
];

#[tokio::test]
async fn every_animation_ends_on_the_grid() {
    browse(async |browser| {
        let table = Table::open();
        let games = random_games(&table).await;
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        tab.js(include_str!("motion.js")).await;
        for (name, intervals, motion) in PACES {
            let (mut moves, mut animations, mut ms) = (0, 0, 0.0);
            for games in games.chunks(GAMES) {
                let report = tab
                    .js_with("return drive(...arguments)", json!([games, intervals, motion]))
                    .await;
                assert_eq!(report["wrong"], json!([]), "{name}: {report}");
                assert_eq!(report["resyncs"], 0, "{name}");
                // Sixteen at rest, and as many that are about to go.
                assert!(report["most"].as_u64() <= Some(32), "{name}: {report}");
                moves += report["moves"].as_u64().unwrap();
                animations += report["animations"].as_u64().unwrap();
                ms += report["ms"].as_f64().unwrap();
            }
            println!("{name}: {moves} moves in {ms:.0} ms, {animations} animations");
            assert!(moves >= MOVES as u64, "{name}: {moves}");
            assert_eq!(animations > moves, name != "max" && motion, "{name}: {animations}");
        }
    })
    .await;
}

/// Games of random moves from the server, as it tells them: the first board and every transition.
async fn random_games(table: &Table) -> Vec<Value> {
    let mut stream = table.watch("").await;
    let (mut games, mut count) = (Vec::new(), 0);
    while count < MOVES {
        table.start_agent(json!({ "player": "random", "pace": "max" })).await;
        let over = stream.state_where(|state| state["gameOver"] == true).await;
        let game = over["game"].as_str().unwrap();
        let start = table.get(&format!("/api/games/{game}/at/0")).await.ok();
        let moves = table.get(&format!("/api/games/{game}/moves?from=1&to=500")).await.ok();
        let moves = moves["items"].as_array().unwrap().clone();
        count += moves.len();
        games.push(json!({ "game": game, "grid": start["grid"], "moves": moves }));
        fresh(table, &mut stream, game).await;
    }
    games
}

async fn fresh(table: &Table, stream: &mut Events, before: &str) {
    table.post_empty("new").await.ok();
    stream.state_where(|state| state["game"] != before).await;
    table.post_empty("agent/stop").await.ok();
}

#[tokio::test]
async fn reduced_motion_moves_nothing() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first("about:blank").await;
        let media = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        tab.cdp("Emulation.setEmulatedMedia", media).await;
        tab.go(table.url()).await;
        tab.is_live().await;
        // Whatever starts to move is noted: what is animated from a script and what a style sheet lets move.
        tab.js(
            "hooks.moved = [];
             hooks.marked = { merged: new Set(), spawned: new Set() };
             new MutationObserver((changes) => changes.forEach(({ target }) => {
               for (const mark of ['merged', 'spawned']) {
                 if (target.classList.contains(`mark-${mark}`)) hooks.marked[mark].add(target);
               }
             })).observe(document.getElementById('tiles'), { subtree: true, attributeFilter: ['class'] });
             const animate = Element.prototype.animate;
             Element.prototype.animate = function (...how) {
               hooks.moved.push(this.className);
               return animate.apply(this, how);
             };
             for (const kind of ['animationstart', 'transitionrun']) {
               addEventListener(kind, (event) => hooks.moved.push(`${kind} of ${event.target.id}`), true);
             }",
        )
        .await;
        let dealt = table.deal([[2, 2, 4, 4], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]).await;
        tab.shows(&dealt).await;
        // Moves that come one after the other at once have no marks.
        tab.until("return hooks.quiet() > 400", true).await;
        tab.press("ArrowLeft").await;
        let marked = "return [hooks.marked.merged.size, hooks.marked.spawned.size]";
        tab.until(marked, json!([2, 1])).await;
        tab.shows(&table.state().await).await;
        // A thought that is shown, and a move that changes nothing.
        tab.press("i").await;
        tab.says_part("decision-move", "Hint").await;
        let dealt = table.deal([[2, 0, 0, 0], [4, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]).await;
        tab.shows(&dealt).await;
        tab.press("ArrowLeft").await;
        tab.said("line-text", "Left changes nothing.").await;
        assert_eq!(tab.js("return hooks.moved").await, json!([]));
    })
    .await;
}

#[tokio::test]
async fn a_fast_ai_costs_one_drawing_a_frame_and_nothing_waits() {
    browse(async |browser| {
        let table = Table::open();
        let tab = browser.first(table.url()).await;
        tab.is_live().await;
        tab.js(include_str!("frames.js")).await;
        let idle = tab.js("return frames_of.idle(1500)").await.as_f64().unwrap();
        tab.js("frames_of.watch()").await;
        // One game may be over before that many frames: another one follows until enough is seen.
        let wish = json!({ "player": "expectimax", "budgetMs": 1, "pace": "max", "series": {} });
        table.start_agent(wish).await;
        tab.until_such("return frames_of.seen().states", |n| n.as_u64() > Some(600), "600").await;
        let seen = tab.js("return frames_of.seen()").await;
        table.post_empty("agent/stop").await.ok();
        tab.shows(&table.state().await).await;
        assert_eq!(seen["mostInAFrame"], 1, "{seen}");
        assert_eq!(seen["late"], 0, "{seen}");
        assert!(seen["draws"].as_u64() > Some(50), "{seen}");
        let busy = seen["perSecond"].as_f64().unwrap();
        println!("{busy:.0} frames a second while the AI plays, {idle:.0} before: {seen}");
    })
    .await;
}
