//! What is too much or makes no sense is refused with one sentence, whatever it is.

use std::{net::SocketAddr, time::Duration};

use futures_util::future::join_all;
use reqwest::{Method, header};
use serde_json::json;
use server::config::{Caps, Config, Timing};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::{
    metrics::reaches,
    table::{PATIENCE, Reply, Table},
};

/// Sends bytes that no client library would, and reads what comes until the server closes.
async fn raw(table: &Table, request: &str) -> String {
    let mut socket = TcpStream::connect(table.server.address()).await.unwrap();
    socket.write_all(request.as_bytes()).await.unwrap();
    read_all(&mut socket).await
}

async fn read_all(socket: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let read = socket.read_to_end(&mut answer);
    tokio::time::timeout(PATIENCE, read).await.expect("an end").unwrap();
    String::from_utf8(answer).unwrap()
}

/// A request whose body is announced and does not come.
pub(crate) async fn half_a_request(server: SocketAddr) -> TcpStream {
    let mut socket = TcpStream::connect(server).await.unwrap();
    let head = "POST /api/new HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{";
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

#[tokio::test]
async fn what_is_unknown_is_not_found() {
    let table = Table::open();
    for path in [
        "/api/nothing",
        "/api",
        "/api/",
        "/api/agent",
        "/nothing.js",
        "/a/b/c",
        "/api/sessions/0f3c5e9a7b1d2c4e6f8091a2b3c4d5e6/state",
        "/api/sessions/0f3c5e9a7b1d2c4e6f8091a2b3c4d5e6/events",
        "/api/sessions/no%20id/state",
        "/package.json",
        "/.npmrc",
        "/tests%2Fsamples.js",
        "/../Cargo.toml",
        "/%2e%2e%2fCargo.toml",
    ] {
        table.get(path).await.refused(404);
    }
}

#[tokio::test]
async fn another_method_is_told_which_one_it_is() {
    let table = Table::open();
    for (method, path, allow) in [
        (Method::GET, "/api/move", "POST"),
        (Method::PUT, "/api/new", "POST"),
        (Method::POST, "/api/state", "GET"),
        (Method::DELETE, "/api/agent/start", "POST"),
        (Method::POST, "/", "GET"),
        (Method::GET, "/api/sessions/main", "DELETE"),
        (Method::POST, "/healthz", "GET"),
    ] {
        let reply = Reply::of(table.request(method.clone(), path)).await;
        reply.refused(405);
        assert!(reply.header("allow").contains(allow), "{method} {path}: {reply:?}");
    }
}

#[tokio::test]
async fn a_body_has_its_limit() {
    let table = Table::open();
    let body = |length: usize| format!("{:length$}", "{}");
    table.post_text("new", body(16 * 1024)).await.ok();
    table.post_text("new", body(16 * 1024 + 1)).await.refused(413);
    // Without a length in advance.
    let chunks = [body(10_000), body(10_000)].map(Ok::<_, std::io::Error>);
    let chunks = futures_util::stream::iter(chunks);
    table.post_text("new", reqwest::Body::wrap_stream(chunks)).await.refused(413);
}

#[tokio::test]
async fn an_address_and_headers_have_their_limits() {
    let table = Table::open();
    table.get(&format!("/api/state?{}", "x".repeat(5000))).await.refused(414);
    let request = table.request(Method::GET, "/api/state").header("x-long", "x".repeat(9000));
    Reply::of(request).await.refused(431);
}

#[tokio::test]
async fn the_limits_of_a_request_can_be_set() {
    let caps = Caps { body_bytes: 2048, header_bytes: 1024, ..Caps::default() };
    let table = Table::with(Config { caps, ..Config::default() });
    let detail = table.post_text("new", " ".repeat(2049)).await.refused(413);
    assert_eq!(detail, "the body is larger than 2048 bytes");
    let large = table.request(Method::GET, "/api/state").header("x-long", "x".repeat(1024));
    assert_eq!(Reply::of(large).await.refused(431), "the headers are larger than 1024 bytes");
    assert_eq!(table.get("/api/version").await.ok()["limits"]["bodyBytes"], 2048);
}

/// Plays until it is refused; gives the refusal.
async fn play_on(caller: &crate::table::Caller) -> Reply {
    let body = json!({ "direction": "UP" });
    let play = async {
        loop {
            let replies = join_all((0..8).map(|_| caller.post("move", &body))).await;
            if let Some(refused) = replies.into_iter().find(|reply| reply.status != 200) {
                return refused;
            }
        }
    };
    tokio::time::timeout(PATIENCE, play).await.expect("a refusal")
}

#[tokio::test]
async fn a_session_takes_so_many_commands_a_second() {
    // One in a while: a machine that is busy must not be too slow to run into it.
    let caps = Caps { moves_per_session: Some(1), ..Caps::default() };
    let table = Table::with(Config { caps, ..Config::default() });
    let refused = play_on(&table).await;
    let detail = refused.refused(429);
    assert!(
        detail.starts_with(
            "more than 1 commands a second come to this session (--moves-per-session)"
        )
    );
    assert_eq!(refused.header("retry-after"), "1");
    reaches(&table, "refusals_total{limit=\"moves_per_session\"}", 1.0).await;
    // Another session is not held up by it, and looking on is free.
    let created = Reply::of(table.request(Method::POST, "/api/sessions")).await.ok();
    let other = table.in_session(created["id"].as_str().unwrap());
    let other = other.with_token(created["control"].as_str().unwrap());
    other.play("UP").await;
    table.state().await;
}

#[tokio::test]
async fn an_address_sends_so_many_commands_a_second() {
    let caps = Caps { moves_per_address: Some(1), trust_proxy: true, ..Caps::default() };
    let table = Table::with(Config { caps, ..Config::default() });
    let detail = play_on(&table).await.refused(429);
    assert!(detail.contains("come from your address (--moves-per-address)"), "{detail}");
    reaches(&table, "refusals_total{limit=\"moves_per_address\"}", 1.0).await;
    let elsewhere = table
        .request(Method::POST, "/api/move")
        .header("x-forwarded-for", "192.0.2.7")
        .header("content-type", "application/json");
    Reply::of(elsewhere.body(r#"{"direction":"UP"}"#)).await.ok();
}

#[tokio::test]
async fn an_address_asks_so_much_a_second() {
    let caps = Caps { requests_per_address: Some(1), ..Caps::default() };
    let metrics_bind = Some("127.0.0.1:0".parse().unwrap());
    let table = Table::with(Config { caps, metrics_bind, ..Config::default() });
    let mut socket = TcpStream::connect(table.server.address()).await.unwrap();
    let mut refused = String::new();
    while !refused.starts_with("HTTP/1.1 429") {
        refused = ask(&mut socket, "/healthz").await;
    }
    assert!(
        refused.contains(
            "more than 1 requests a second come from your address (--requests-per-address)"
        ),
        "{refused}"
    );
    // Who asks again at once is made to wait, and may ask then.
    let begun = std::time::Instant::now();
    while ask(&mut socket, "/healthz").await.starts_with("HTTP/1.1 429") {}
    assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
    let figures = table.server.metrics_address().unwrap();
    let figures = ask(&mut TcpStream::connect(figures).await.unwrap(), "/metrics").await;
    let line =
        figures.lines().find(|line| line.contains("limit=\"requests_per_address\"")).unwrap();
    assert!(!line.ends_with(" 0"), "{line}");
}

/// Asks for something on a connection that stays; gives the answer.
async fn ask(socket: &mut TcpStream, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let is_whole = |answer: &str| {
        let Some((head, body)) = answer.split_once("\r\n\r\n") else { return false };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        body.len() >= length.expect("an answer with its length").parse::<usize>().unwrap()
    };
    while !is_whole(&answer) {
        let mut piece = [0; 4096];
        let read = tokio::time::timeout(PATIENCE, socket.read(&mut piece)).await;
        let read = read.expect("an answer").unwrap();
        assert!(read > 0, "the connection stays: {answer}");
        answer.push_str(std::str::from_utf8(&piece[..read]).unwrap());
    }
    answer
}

#[tokio::test]
async fn an_address_has_so_many_connections() {
    let caps = Caps { connections_per_address: Some(3), ..Caps::default() };
    let table = Table::with(Config { caps, ..Config::default() });
    let before = table.state().await;
    let legal = before["legal"][0].clone();
    let body = json!({ "direction": legal }).to_string();
    let move_ = format!(
        "POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    // The caller of the tests has one already.
    let mut held = Vec::new();
    let refused = loop {
        let mut socket = TcpStream::connect(table.server.address()).await.unwrap();
        let mut piece = [0; 1024];
        let said = tokio::time::timeout(Duration::from_millis(300), socket.read(&mut piece)).await;
        if let Ok(Ok(read @ 1..)) = said {
            break String::from_utf8(piece[..read].to_vec()).unwrap();
        }
        assert!(held.len() < 3, "it is refused");
        held.push(socket);
    };
    assert!(refused.starts_with("HTTP/1.1 429"), "{refused}");
    assert!(
        refused.contains(
            "your address has 3 connections, and no more may be (--max-connections-per-address)"
        ),
        "{refused}"
    );
    // What is asked on it all the same is not done.
    let mut socket = TcpStream::connect(table.server.address()).await.unwrap();
    if socket.write_all(move_.as_bytes()).await.is_ok() {
        let mut answer = Vec::new();
        let _end = tokio::time::timeout(PATIENCE, socket.read_to_end(&mut answer)).await;
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 429"), "{answer:?}");
    }
    drop(held);
    reaches(&table, "refusals_total{limit=\"connections_per_address\"}", 2.0).await;
    assert_eq!(table.state().await["moves"], before["moves"]);
}

#[tokio::test]
async fn so_many_commands_wait_to_be_saved() {
    let caps = Caps { commands: 1, ..Caps::default() };
    let table = Table::with(Config { caps, ..Config::default() });
    let refused = play_on(&table).await;
    assert_eq!(
        refused.refused(503),
        "1 commands wait to be saved, and no more may (--max-commands): ask again"
    );
    assert_eq!(refused.header("retry-after"), "1");
    reaches(&table, "refusals_total{limit=\"commands\"}", 1.0).await;
}

#[tokio::test]
async fn an_address_creates_so_many_sessions_a_minute() {
    let caps = Caps { sessions_per_address: Some(1), ..Caps::default() };
    let table = Table::with(Config { caps, ..Config::default() });
    let create = || Reply::of(table.request(Method::POST, "/api/sessions"));
    for _ in 0..2 {
        create().await.ok();
    }
    let refused = create().await;
    let detail = refused.refused(429);
    assert!(detail.contains("more than 1 sessions a minute (--sessions-per-address)"), "{detail}");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 1);
    reaches(&table, "refusals_total{limit=\"sessions_per_address\"}", 1.0).await;
}

#[tokio::test]
async fn so_many_agents_play() {
    let table = Table::with(Config { max_agents: 1, ..Config::default() });
    let body = json!({ "player": "rules", "intervalSeconds": 10, "commandId": "a" });
    let first = table.post("agent/start", &body).await.ok();
    let created = Reply::of(table.request(Method::POST, "/api/sessions")).await.ok();
    let other = table.in_session(created["id"].as_str().unwrap());
    let other = other.with_token(created["control"].as_str().unwrap());
    let detail = other.post("agent/start", &json!({ "player": "rules" })).await.refused(429);
    assert_eq!(detail, "1 agents are playing, and no more may (--max-agents): stop one first");
    reaches(&table, "refusals_total{limit=\"agents\"}", 1.0).await;
    // What was done is told again, and the one that plays may be changed.
    assert_eq!(table.post("agent/start", &body).await.ok(), first);
    table.start_agent(json!({ "player": "random" })).await;
    table.post_empty("agent/stop").await.ok();
    other.start_agent(json!({ "player": "rules" })).await;
}

#[tokio::test]
async fn so_many_hints_of_a_session_are_thought_about() {
    let table = Table::with(Config { searches: 1, max_advice_per_session: 2, ..Config::default() });
    let long = || {
        let caller = table.caller.clone();
        let body = json!({ "player": "mcts", "budgetMs": 60_000 });
        tokio::spawn(async move { caller.post("hint", &body).await })
    };
    // The second waits for the first, which gives way after a second; so there are two for a while.
    let refused = async {
        loop {
            let all = [long(), long(), long(), long()];
            for hint in all {
                let reply = hint.await.unwrap();
                if reply.status == 429 {
                    return reply.refused(429);
                }
            }
        }
    };
    let detail = tokio::time::timeout(PATIENCE, refused).await.expect("a refusal");
    assert!(
        detail.starts_with("2 hints and steps of this session are being thought about"),
        "{detail}"
    );
}

#[tokio::test]
async fn so_many_streams_of_a_session_are_open() {
    let caps = Caps { streams_per_session: Some(1), ..Caps::default() };
    let table = Table::with(Config { caps, ..Config::default() });
    let _first = table.watch("").await;
    assert_eq!(table.watch("").await.named("bye").await.json()["reason"], "overload");
    reaches(&table, "refusals_total{limit=\"streams_per_session\"}", 1.0).await;
    let created = Reply::of(table.request(Method::POST, "/api/sessions")).await.ok();
    let other = table.in_session(created["id"].as_str().unwrap());
    other.watch("").await.state().await;
}

#[tokio::test]
async fn what_is_not_json_is_not_understood() {
    let table = Table::open();
    for body in ["{", "move up", "\u{feff}{}", "{\"direction\":\"UP\"", "[".repeat(9000).as_str()] {
        table.post_text("move", body.to_owned()).await.refused(400);
    }
    table.post_text("move", vec![b'{', 0xff, b'}']).await.refused(400);
    for (body, named) in
        [("[]", "object"), ("7", "object"), ("", "direction"), ("null", "direction")]
    {
        let detail = table.post_text("move", body).await.refused(422);
        assert!(detail.contains(named), "{body}: {detail}");
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored_and_null_is_absent() {
    let table = Table::open();
    table.post("new", &json!({ "seed": null, "grid": null, "colour": "red" })).await.ok();
    let body =
        json!({ "player": null, "intervalSeconds": null, "pace": null, "budgetMs": null, "x": [] });
    assert_eq!(table.post("agent/start", &body).await.ok()["started"], true);
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_given_up() {
    let timing = Timing { body: Duration::from_millis(300), ..Timing::default() };
    let table = Table::with(Config { timing, ..Config::default() });
    let mut half = half_a_request(table.server.address()).await;
    let answer = read_all(&mut half).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("{\"detail\":\"the body did not arrive within 0.3 s\"}"), "{answer}");
}

#[tokio::test]
async fn a_head_that_does_not_arrive_is_given_up() {
    let timing = Timing { head: Duration::from_millis(300), ..Timing::default() };
    let table = Table::with(Config { timing, ..Config::default() });
    let answer = raw(&table, "GET /api/state HTTP/1.1\r\nHost: local").await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[tokio::test]
async fn a_request_without_a_name_or_with_nonsense_is_refused() {
    let table = Table::open();
    let answer = raw(&table, "GET /api/state HTTP/1.0\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.0 403 "), "{answer}");
    let answer = raw(&table, "nonsense\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    let absolute = "GET http://rebound.example/api/state HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answer = raw(&table, absolute).await;
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
}

#[tokio::test]
async fn every_answer_is_safe_to_show() {
    let table = Table::open();
    for path in ["/", "/api/state", "/api/nothing", "/healthz", "/main.js"] {
        let reply = table.get(path).await;
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe"));
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
        if path.starts_with("/api") {
            assert_eq!(reply.header("cache-control"), "no-store");
        }
    }
}

#[tokio::test]
async fn it_says_what_it_is() {
    let table = Table::open();
    let version = table.get("/api/version").await.ok();
    let read: protocol::Version = serde_json::from_value(version).unwrap();
    assert_eq!(
        (read.name.as_str(), read.protocol, read.limits.body_bytes),
        ("serve2048", 1, 16_384)
    );
    assert_eq!(read.store.kind, "memory");
    assert_eq!(read.boot, table.state().await["boot"]);
    table.get("/healthz").await.ok();
    table.get("/readyz").await.ok();
    let head = Reply::of(table.request(Method::HEAD, "/api/state")).await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
    assert_ne!(head.header(header::CONTENT_LENGTH.as_str()), "0");
}
