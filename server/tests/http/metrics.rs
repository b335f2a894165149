//! What the server tells of itself, and to whom.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use reqwest::{Method, header};
use serde_json::json;
use server::config::{Config, StoreChoice, Timing};

use crate::{
    limits::half_a_request,
    table::{Caller, PATIENCE, Reply, Table},
};

/// The figures as they are now.
#[derive(Debug)]
pub(crate) struct Figures(String);

impl Figures {
    pub(crate) async fn of(caller: &Caller) -> Self {
        let reply = caller.get("/metrics").await;
        assert_eq!(reply.status, 200, "{reply:?}");
        Self(reply.text)
    }

    /// The figure of this name and these labels, without what every name begins with.
    pub(crate) fn get(&self, name: &str) -> f64 {
        let name = format!("game2048_{name} ");
        let found = self.0.lines().find_map(|line| line.strip_prefix(&name));
        found.unwrap_or_else(|| panic!("{name} is not in\n{}", self.0)).parse().unwrap()
    }

    /// How many lines there are that are no comment.
    fn lines(&self) -> usize {
        self.0.lines().filter(|line| !line.starts_with('#')).count()
    }
}

/// Waits until a figure is at least `wanted`: some are told once a second only.
pub(crate) async fn reaches(caller: &Caller, name: &str, wanted: f64) {
    let wait = async {
        while Figures::of(caller).await.get(name) < wanted {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let came = tokio::time::timeout(PATIENCE, wait).await;
    assert!(came.is_ok(), "{name} is {} and not {wanted}", Figures::of(caller).await.get(name));
}

/// The same, and it is no more.
async fn until(caller: &Caller, name: &str, wanted: f64) {
    reaches(caller, name, wanted).await;
    let wait = async {
        while Figures::of(caller).await.get(name) > wanted {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("{name} is more"));
}

/// The same for several.
async fn all(caller: &Caller, wanted: &[(&str, f64)]) {
    for (name, wanted) in wanted {
        until(caller, name, *wanted).await;
    }
}

#[tokio::test]
async fn commands_are_counted_by_what_came_of_them() {
    let table = Table::open();
    table.deal([[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
    table.play("LEFT").await;
    table.post("move", &json!({ "direction": "UP", "ifMoves": 7 })).await.refused(409);
    table.post("move", &json!({ "direction": "SIDEWAYS" })).await.refused(422);
    table.post("hint", &json!({ "player": "rules" })).await.ok();
    table.post("agent/step", &json!({ "player": "rules" })).await.ok();
    table.post("agent/start", &json!({ "player": "nobody" })).await.refused(422);
    table.start_agent(json!({ "player": "rules", "intervalSeconds": 10 })).await;
    until(&table, "agents_running", 1.0).await;
    table.post("agent/stop", &json!({})).await.ok();
    let figures = Figures::of(&table).await;
    for (kind, result, count) in [
        ("new", "done", 1.0),
        ("move", "done", 1.0),
        ("move", "stale", 1.0),
        ("hint", "done", 1.0),
        ("step", "done", 1.0),
        ("agent_start", "done", 1.0),
        ("agent_start", "invalid", 1.0),
        ("agent_stop", "done", 1.0),
    ] {
        let name = format!("commands_total{{kind=\"{kind}\",result=\"{result}\"}}");
        assert!((figures.get(&name) - count).abs() < f64::EPSILON, "{name} in {figures:?}");
    }
    assert!(figures.get("command_seconds_count{kind=\"move\"}") >= 2.0);
    assert!(figures.get("think_seconds_count{player=\"rules\"}") >= 2.0);
    all(
        &table,
        &[
            ("http_requests_total{code=\"200\",route=\"move\"}", 1.0),
            ("http_requests_total{code=\"409\",route=\"move\"}", 1.0),
            ("http_requests_total{code=\"422\",route=\"move\"}", 1.0),
            ("agents_running", 0.0),
        ],
    )
    .await;
}

#[tokio::test]
async fn an_agent_and_its_searches_are_counted() {
    let table = Table::open();
    table.deal([[2, 2, 0, 0], [4, 0, 0, 0], [0; 4], [0; 4]]).await;
    table.start_agent(json!({ "player": "mcts", "budgetMs": 1, "pace": "max" })).await;
    let moves = "commands_total{kind=\"agent_move\",result=\"done\"}";
    let wait = async { while Figures::of(&table).await.get(moves) < 3.0 {} };
    tokio::time::timeout(PATIENCE, wait).await.expect("it plays");
    let figures = Figures::of(&table).await;
    assert!(figures.get("think_seconds_count{player=\"mcts\"}") >= 3.0);
    assert!(figures.get("permit_wait_seconds_count") >= 3.0);
    // A move that there is no choice about.
    table.deal([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 4]]).await;
    table.post("agent/stop", &json!({})).await.ok();
    table.deal([[0, 2, 4, 8], [2, 4, 8, 16], [4, 8, 16, 32], [8, 16, 32, 64]]).await;
    let before = Figures::of(&table).await.get("fallbacks_total{reason=\"forced\"}");
    table.deal([[2, 4, 8, 16], [0; 4], [0; 4], [0; 4]]).await;
    table.deal([[0; 4], [0; 4], [0; 4], [2, 4, 8, 16]]).await;
    table.post("hint", &json!({ "player": "mcts", "budgetMs": 1 })).await.ok();
    until(&table, "fallbacks_total{reason=\"forced\"}", before + 1.0).await;
}

#[tokio::test]
async fn streams_and_what_they_are_sent_are_counted() {
    let timing = Timing { heartbeat: Duration::from_millis(300), ..Timing::default() };
    let table = Table::with(Config { timing, ..Config::default() });
    let mut events = table.watch("").await;
    let state = events.state().await;
    all(&table, &[("streams_open", 1.0), ("streams_opened_total{start=\"fresh\"}", 1.0)]).await;
    table.post_empty("new").await.ok();
    events.state().await;
    events.named("hb").await;
    all(
        &table,
        &[
            ("stream_events_total{event=\"state\"}", 2.0),
            // The first was there before its reader.
            ("stream_delivery_seconds_count", 1.0),
        ],
    )
    .await;
    let figures = Figures::of(&table).await;
    assert!(figures.get("stream_events_total{event=\"hb\"}") >= 1.0);
    assert!(figures.get("stream_bytes_total") > 2.0 * 500.0);
    assert!(figures.get("streams_limit") >= 1.0);
    drop(events);
    all(&table, &[("streams_open", 0.0), ("streams_closed_total{reason=\"gone\"}", 1.0)]).await;

    let id = format!("{}-1", state["epoch"].as_str().unwrap());
    let mut again = table.watch_from("?fps=1", Some(&id)).await;
    until(&table, "streams_opened_total{start=\"resume\"}", 1.0).await;
    for _ in 0..4 {
        table.post_empty("new").await.ok();
    }
    again.state_where(|state| state["seq"] == 5).await;
    // On a slow machine the games above may have come further apart than the stream takes them.
    let wait = async {
        while Figures::of(&table).await.get("stream_events_conflated_total") < 1.0 {
            table.post_empty("new").await.ok();
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("some were left out");
}

#[tokio::test]
async fn sessions_are_counted_wherever_they_are() {
    let idle = Duration::from_millis(400);
    let table = Table::with(Config { idle, ..Config::default() });
    let create = table.request(Method::POST, "/api/sessions");
    let created = Reply::of(create).await.ok();
    let (id, token) = (created["id"].as_str().unwrap(), created["control"].as_str().unwrap());
    until(&table, "sessions_created_total", 1.0).await;
    // Nobody needs either of them.
    all(&table, &[("sessions_passivations_total", 2.0), ("sessions_passivated", 2.0)]).await;
    let session = table.in_session(id).with_token(token);
    session.state().await;
    let figures = Figures::of(&table).await;
    assert!(figures.get("session_load_seconds_count") >= 3.0);
    let close = session.request(Method::DELETE, &format!("/api/sessions/{id}"));
    Reply::of(close).await.ok();
    until(&table, "sessions_closed_total{reason=\"asked\"}", 1.0).await;
    let seen = Figures::of(&table).await.0;
    assert!(!seen.contains(id) && !seen.contains(token), "{seen}");
}

#[tokio::test]
async fn the_store_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let store = StoreChoice::Sqlite {
        folder: folder.path().to_owned(),
        durability: server::config::Durability::Process,
    };
    let table = Table::with(Config { store, ..Config::default() });
    let before = Figures::of(&table).await;
    for _ in 0..5 {
        table.post_empty("new").await.ok();
    }
    let after = Figures::of(&table).await;
    let more = |name: &str| after.get(name) - before.get(name);
    assert!(more("store_append_seconds_count") >= 5.0, "{after:?}");
    assert!(more("store_commit_seconds_count") >= 5.0, "{after:?}");
    assert!(more("store_batch_size_sum") >= 5.0, "{after:?}");
    assert!(after.get("store_free_bytes") > 0.0);
    assert!(after.get("store_append_errors_total").abs() < f64::EPSILON);
}

#[tokio::test]
async fn what_is_refused_is_counted_by_what_it_ran_into() {
    let timing = Timing {
        head: Duration::from_millis(300),
        body: Duration::from_millis(300),
        ..Timing::default()
    };
    let table = Table::with(Config { timing, max_streams: 1, ..Config::default() });
    table.get(&format!("/api/state?{}", "x".repeat(5000))).await.refused(414);
    let large = table.request(Method::GET, "/api/state").header("x-long", "x".repeat(9000));
    Reply::of(large).await.refused(431);
    table.post_text("new", " ".repeat(20_000)).await.refused(413);
    let foreign = table.request(Method::POST, "/api/new").header("origin", "https://evil.example");
    Reply::of(foreign).await.refused(403);
    let other = table.request(Method::GET, "/").header(header::HOST, "rebound.example");
    Reply::of(other).await.refused(403);
    Reply::of(table.request(Method::POST, "/api/new").body("x")).await.refused(415);
    let _half = half_a_request(table.server.address()).await;
    let _silent = tokio::net::TcpStream::connect(table.server.address()).await.unwrap();
    let _first = table.watch("").await;
    let mut second = table.watch("").await;
    assert_eq!(second.named("bye").await.json()["reason"], "overload");
    for limit in [
        "address",
        "headers",
        "body",
        "origin",
        "host",
        "content_type",
        "body_deadline",
        "head_deadline",
        "streams",
    ] {
        reaches(&table, &format!("refusals_total{{limit=\"{limit}\"}}"), 1.0).await;
    }
    until(&table, "streams_closed_total{reason=\"overload\"}", 1.0).await;
}

#[tokio::test]
async fn nothing_that_a_request_says_becomes_a_label() {
    let table = Table::open();
    let canary = "canary-3f9d1c";
    let ask = async |n: usize| {
        let path = format!("/api/{canary}{n}/{n}?{canary}={n}");
        table.get(&path).await.refused(404);
        table.get(&format!("/api/sessions/{canary}{n}/state")).await.refused(404);
        table.get(&format!("/api/games/{canary}{n}/at/{n}")).await.refused(404);
        table.get(&format!("/{canary}{n}.js")).await.refused(404);
        let method = Method::from_bytes(format!("JUNK{n}").as_bytes()).unwrap();
        Reply::of(table.request(method, "/api/state").bearer_auth(canary)).await.refused(405);
        table.post("agent/start", &json!({ "player": format!("{canary}{n}") })).await.refused(422);
    };
    ask(0).await;
    // The first look is a request of its own.
    Figures::of(&table).await;
    let before = Figures::of(&table).await.lines();
    for n in 1..50 {
        ask(n).await;
    }
    let after = Figures::of(&table).await;
    assert_eq!(after.lines(), before, "{after:?}");
    assert!(!after.0.contains(canary), "{after:?}");
}

#[tokio::test]
async fn a_public_server_tells_its_operator_alone() {
    let bind = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let table = Table::with(Config { bind, ..Config::default() });
    let tokens = table.server.tokens().unwrap().clone();
    table.get("/metrics").await.refused(401);
    table.with_token(&tokens.main).get("/metrics").await.refused(403);
    let figures = Figures::of(&table.with_token(&tokens.operator)).await;
    assert!(figures.get("refusals_total{limit=\"token\"}") >= 2.0);
    for token in [&tokens.main, &tokens.operator] {
        assert!(!figures.0.contains(token.as_str()), "a token is in it");
    }
    assert!(table.server.metrics_address().is_none());
}

#[tokio::test]
async fn an_address_of_their_own_has_the_figures_without_a_token_and_nothing_else() {
    let metrics_bind = Some("127.0.0.1:0".parse().unwrap());
    let table = Table::with(Config { public: true, metrics_bind, ..Config::default() });
    table.get("/metrics").await.refused(401);
    let address = table.server.metrics_address().unwrap();
    let alone = Caller::new(format!("http://{address}"));
    let reply = alone.get("/metrics").await;
    assert_eq!(reply.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert!(Figures::of(&alone).await.get("sessions_active") >= 1.0);
    for path in ["/", "/api/state", "/api/sessions", "/healthz"] {
        alone.get(path).await.refused(404);
    }
    let rebound = alone.request(Method::GET, "/metrics").header(header::HOST, "rebound.example");
    Reply::of(rebound).await.refused(403);
    assert!(reply.text.contains("process_resident_memory_bytes"), "{}", reply.text);
}

#[tokio::test]
async fn the_dashboard_and_the_alerts_name_figures_that_there_are() {
    let table = Table::open();
    table.start_agent(json!({ "player": "mcts", "budgetMs": 1 })).await;
    reaches(&table, "think_seconds_count{player=\"mcts\"}", 1.0).await;
    let figures = Figures::of(&table).await.0;
    let there = |name: &str| {
        figures
            .lines()
            .any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '{'])))
    };
    for (file, least) in [("alerts.yml", 10), ("grafana.json", 30)] {
        let path = format!("{}/../docs/ops/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let named: std::collections::BTreeSet<_> = words
            .filter(|word| word.starts_with("game2048_") || word.starts_with("process_"))
            .collect();
        assert!(named.len() >= least, "{file} names {named:?}");
        for name in named {
            // Only Linux tells of its processes.
            assert!(
                there(name) || (name.starts_with("process_") && !cfg!(target_os = "linux")),
                "{file}: {name}"
            );
        }
    }
    let dashboard = include_str!("../../../docs/ops/grafana.json");
    let dashboard: serde_json::Value = serde_json::from_str(dashboard).unwrap();
    assert!(dashboard["panels"].as_array().unwrap().len() > 20);
}
