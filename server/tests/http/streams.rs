//! The event stream: what comes first, what is left out, how it ends.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use server::config::{Config, Timing};
use socket2::{Domain, Socket, Type};

use crate::{
    metrics::reaches,
    table::{PATIENCE, Reply, Table},
};

fn seq(state: &Value) -> u64 {
    state["seq"].as_u64().unwrap()
}

fn id(state: &Value) -> String {
    format!("{}-{}", state["epoch"].as_str().unwrap(), state["seq"])
}

#[tokio::test]
async fn it_begins_with_the_time_to_come_back_and_the_state() {
    let table = Table::open();
    let mut events = table.watch("").await;
    let headers = events.response().headers().clone();
    assert_eq!(headers["content-type"], "text/event-stream; charset=utf-8");
    assert_eq!(headers["cache-control"], "no-cache, no-transform");
    assert_eq!(headers["x-accel-buffering"], "no");
    assert!(!headers.contains_key("content-encoding"));
    let retry = events.next().await.unwrap().retry.unwrap();
    assert!((1000..=3000).contains(&retry), "{retry}");
    let first = events.next().await.unwrap();
    let state = table.state().await;
    assert_eq!((first.name.clone(), first.id.clone()), (None, Some(id(&state))));
    assert_eq!(first.json(), state);
}

#[tokio::test]
async fn whoever_has_the_state_is_sent_a_heartbeat_instead() {
    let table = Table::open();
    let state = table.state().await;
    let known = id(&state);
    for (query, header) in [
        (String::new(), Some(known.as_str())),
        (format!("?lastEventId={known}"), None),
        ("?lastEventId=rubbish".to_owned(), Some(known.as_str())),
    ] {
        let mut events = table.watch_from(&query, header).await;
        assert!(events.next().await.unwrap().retry.is_some());
        let event = events.next().await.unwrap();
        assert_eq!(
            (event.name.as_deref(), event.json()),
            (Some("hb"), json!({ "seq": seq(&state) }))
        );
    }
}

#[tokio::test]
async fn whoever_has_another_state_is_sent_the_newest() {
    let table = Table::open();
    table.post_empty("new").await.ok();
    let state = table.state().await;
    let epoch = state["epoch"].as_str().unwrap();
    for other in
        [format!("{epoch}-0"), format!("{epoch}-99"), "other-1".into(), "%%%".into(), "é".into()]
    {
        let mut events = table.watch(&format!("?lastEventId={other}")).await;
        assert!(events.next().await.unwrap().retry.is_some());
        assert_eq!(events.next().await.unwrap().json(), state, "{other}");
    }
    let query = format!("?lastEventId={}", id(&state));
    let mut events = table.watch_from(&query, Some("old-1")).await;
    assert!(events.next().await.unwrap().retry.is_some());
    assert!(events.next().await.unwrap().is_state(), "the header wins");
}

#[tokio::test]
async fn every_watcher_sees_each_state_as_the_server_has_it() {
    let table = Table::open();
    let mut watchers = Vec::new();
    for _ in 0..4 {
        watchers.push(table.watch("").await);
    }
    for turn in 0..40 {
        let legal = table.state().await["legal"].clone();
        let reply = match legal[0].as_str() {
            Some(direction) => table.play(direction).await["state"].clone(),
            None => table.post_empty("new").await.ok(),
        };
        for events in &mut watchers {
            let seen = events.state_where(|state| seq(state) >= seq(&reply)).await;
            assert_eq!(seen, reply, "turn {turn}");
        }
        assert_eq!(table.state().await, reply, "turn {turn}");
    }
}

#[tokio::test]
async fn a_wish_for_fewer_states_gets_the_newest_of_them() {
    let table = Table::open();
    let mut events = table.watch("?fps=1").await;
    let first = seq(&events.state().await);
    for _ in 0..5 {
        table.post_empty("new").await.ok();
    }
    assert_eq!(seq(&events.state().await), first + 5);
    for rubbish in ["0", "-1", "1e9", "many", "NaN", ""] {
        table.watch(&format!("?fps={rubbish}")).await.state().await;
    }
    // Neither is a wish that is given twice: a browser that is refused a stream does not come back.
    table.watch("?fps=1&fps=2").await.state().await;
}

#[tokio::test]
async fn heartbeats_name_the_newest_position() {
    let timing = Timing { heartbeat: Duration::from_millis(200), ..Timing::default() };
    let table = Table::with(Config { timing, ..Config::default() });
    let mut events = table.watch("").await;
    for expected in 0..3 {
        assert_eq!(events.named("hb").await.json(), json!({ "seq": expected }));
        table.post_empty("new").await.ok();
        events.state_where(|state| seq(state) == expected + 1).await;
    }
}

#[tokio::test]
async fn watchers_are_counted() {
    let table = Table::open();
    let mut first = table.watch("").await;
    let second = table.watch("").await;
    let told = |event: crate::events::Event| event.json()["count"].as_u64().unwrap();
    while told(first.named("watchers").await) != 2 {}
    drop(second);
    while told(first.named("watchers").await) != 1 {}
    assert_eq!(table.post_empty("new").await.ok()["watchers"], 1);
    let before = table.state().await["seq"].clone();
    drop(table.watch("").await);
    assert_eq!(table.state().await["seq"], before, "watching is no change");
}

#[tokio::test]
async fn over_the_cap_it_says_so_and_a_place_that_is_left_is_free_again() {
    for config in [
        Config { max_streams: 1, ..Config::default() },
        Config { max_streams_per_address: Some(1), ..Config::default() },
    ] {
        let table = Table::with(config);
        let mut first = table.watch("").await;
        first.state().await;
        let mut second = table.watch("").await;
        let retry = second.next().await.unwrap().retry.unwrap();
        assert!((1000..=3000).contains(&retry));
        let bye = second.next().await.unwrap();
        assert_eq!(
            (bye.name.as_deref(), bye.json()["reason"].as_str()),
            (Some("bye"), Some("overload"))
        );
        assert!(bye.json()["retryMs"].is_u64());
        assert_eq!(second.next().await, None);
        table.get("/api/sessions/unknown/events").await.refused(404);

        drop(first);
        let freed = Instant::now();
        loop {
            let mut events = table.watch("").await;
            events.next().await.unwrap();
            if events.next().await.unwrap().is_state() {
                break;
            }
            assert!(freed.elapsed() < PATIENCE, "the place is never free");
        }
    }
}

/// A watcher whose buffers hold next to nothing, and who need not read.
fn raw_watcher(table: &Table) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(2048).unwrap();
    socket.connect(&table.server.address().into()).unwrap();
    let mut stream = TcpStream::from(socket);
    let port = table.server.address().port();
    write!(stream, "GET /api/events HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n").unwrap();
    stream
}

#[tokio::test]
async fn a_reader_that_sleeps_holds_up_nobody_and_is_never_led_back() {
    const CHANGES: u64 = 400;
    let table = Table::open();
    let mut sleeper = raw_watcher(&table);
    let mut awake = table.watch("").await;
    awake.state().await;
    for _ in 0..CHANGES {
        table.post_empty("new").await.ok();
    }
    awake.state_where(|state| seq(state) == CHANGES).await;

    let newest = id(&table.state().await);
    sleeper.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut text = String::new();
    let mut buffer = [0; 4096];
    while !text.contains(&format!("id: {newest}\n")) {
        let count = sleeper.read(&mut buffer).expect("the newest state");
        assert_ne!(count, 0, "the stream is still open");
        text.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    let ids = text.lines().filter_map(|line| line.strip_prefix("id: "));
    let seen: Vec<u64> = ids.map(|id| id.rsplit_once('-').unwrap().1.parse().unwrap()).collect();
    assert!(seen.is_sorted_by(|one, next| one < next), "{seen:?}");
    assert!((seen.len() as u64) < CHANGES, "it was sent every state");
}

#[tokio::test]
async fn a_reader_that_never_reads_is_dropped() {
    let timing = Timing { stall: Duration::from_secs(1), ..Timing::default() };
    let table = Table::with(Config { timing, ..Config::default() });
    let _stuck = raw_watcher(&table);
    let watchers = async |count: u64| {
        while table.post_empty("new").await.ok()["watchers"] != count {}
    };
    tokio::time::timeout(PATIENCE, watchers(1)).await.expect("it is there");
    tokio::time::timeout(PATIENCE, watchers(0)).await.expect("it is dropped");
    reaches(&table, "refusals_total{limit=\"stalled\"}", 1.0).await;
    reaches(&table, "streams_closed_total{reason=\"stalled\"}", 1.0).await;
}

#[tokio::test]
async fn a_stream_takes_no_other_method() {
    let table = Table::open();
    Reply::of(table.request(Method::HEAD, "/api/events")).await.refused_silently(405);
    let reply = Reply::of(table.request(Method::POST, "/api/events")).await;
    reply.refused(405);
    assert_eq!(reply.header("allow"), "GET");
}
