//! Who may call: names, origins, tokens.

use std::net::{IpAddr, Ipv4Addr};

use reqwest::{Method, header};
use serde_json::json;
use server::config::Config;

use crate::table::{Caller, Reply, Table};

const MOVE: &str = r#"{"direction":"UP"}"#;

async fn host(table: &Table, path: &str, name: &str) -> Reply {
    Reply::of(table.request(Method::GET, path).header(header::HOST, name)).await
}

#[tokio::test]
async fn only_names_of_the_server_are_answered() {
    let table =
        Table::with(Config { allowed_hosts: vec!["play.example.org".into()], ..Config::default() });
    let port = table.server.address().port();
    for name in ["localhost", "127.0.0.1", "[::1]", "play.example.org"] {
        host(&table, "/api/state", name).await.ok();
        host(&table, "/api/state", &format!("{name}:{port}")).await.ok();
    }
    for path in ["/api/state", "/api/events", "/", "/api/version", "/nothing"] {
        let detail = host(&table, path, "rebound.example").await.refused(403);
        assert!(detail.contains("rebound.example"), "{detail}");
        host(&table, path, &format!("localhost:{}", port ^ 1)).await.refused(403);
    }
    for path in ["/healthz", "/readyz"] {
        host(&table, path, "10.0.0.1:80").await.ok();
    }
}

#[tokio::test]
async fn a_page_of_another_site_changes_nothing() {
    let table = Table::open();
    let own = table.url().to_owned();
    let before = table.state().await;
    let post = |name: &'static str, value: &str| {
        let request = table
            .request(Method::POST, "/api/move")
            .header(header::CONTENT_TYPE, "application/json");
        Reply::of(request.header(name, value).body(MOVE))
    };
    for origin in ["https://evil.example", "http://localhost:1", "null"] {
        post("origin", origin).await.refused(403);
    }
    for site in ["cross-site", "same-site"] {
        post("sec-fetch-site", site).await.refused(403);
    }
    assert_eq!(table.state().await, before);
    post("origin", &own).await.ok();
    post("sec-fetch-site", "same-origin").await.ok();
    let read = table.request(Method::GET, "/api/state").header("origin", "https://evil.example");
    let read = Reply::of(read).await;
    read.ok();
    assert_eq!(read.header("access-control-allow-origin"), "", "no other page can read it");
}

#[tokio::test]
async fn a_page_that_was_let_in_may_call() {
    let friend = "https://friend.example";
    let table = Table::with(Config { allow_origins: vec![friend.into()], ..Config::default() });
    let ask = table
        .request(Method::OPTIONS, "/api/move")
        .header("origin", friend)
        .header("access-control-request-method", "POST");
    let allowed = Reply::of(ask).await;
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.header("access-control-allow-origin"), friend);
    assert!(allowed.header("access-control-allow-headers").contains("content-type"));
    let play = table
        .request(Method::POST, "/api/move")
        .header("origin", friend)
        .header("sec-fetch-site", "cross-site")
        .header("content-type", "application/json");
    let played = Reply::of(play.body(MOVE)).await;
    played.ok();
    assert_eq!(played.header("access-control-allow-origin"), friend);
    let other = table
        .request(Method::OPTIONS, "/api/move")
        .header("origin", "https://other.example")
        .header("access-control-request-method", "POST");
    assert_eq!(Reply::of(other).await.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn only_json_changes_something() {
    let table = Table::open();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
        let request = table.request(Method::POST, "/api/new").header("content-type", kind);
        Reply::of(request.body("{}")).await.refused(415);
    }
    Reply::of(table.request(Method::POST, "/api/new").body("{}")).await.refused(415);
    let spelled = "Application/JSON; charset=utf-8";
    let request = table.request(Method::POST, "/api/new").header("content-type", spelled);
    Reply::of(request.body("{}")).await.ok();
    table.post_empty("new").await.ok();
}

/// A server that other machines can reach; called here by this one.
fn public() -> (Table, Caller, Caller) {
    let table =
        Table::with(Config { bind: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..Config::default() });
    let tokens = table.server.tokens().expect("a public server has tokens").clone();
    let player = table.with_token(&tokens.main);
    let operator = table.with_token(&tokens.operator);
    (table, player, operator)
}

#[tokio::test]
async fn on_a_public_server_playing_needs_the_token() {
    let (table, player, operator) = public();
    table.state().await;
    for (call, body) in [
        ("move", json!({ "direction": "UP" })),
        ("new", json!({})),
        ("agent/start", json!({})),
        ("agent/stop", json!({})),
        ("agent/step", json!({})),
        ("hint", json!({})),
    ] {
        let refused = table.post(call, &body).await;
        refused.refused(401);
        assert_eq!(refused.header("www-authenticate"), "Bearer");
        operator.post(call, &body).await.refused(403);
        table.with_token("wrong").post(call, &body).await.refused(403);
    }
    assert_eq!(table.state().await["seq"], 0);
    player.play("UP").await;
    player.post("hint", &json!({ "player": "rules" })).await.ok();
}

#[tokio::test]
async fn on_a_public_server_what_concerns_all_sessions_is_the_operators() {
    let (table, player, operator) = public();
    table.get("/api/sessions").await.refused(401);
    player.get("/api/sessions").await.refused(403);
    operator.get("/api/sessions").await.ok();
    let create = |caller: &Caller| {
        let request = caller
            .request(Method::POST, "/api/sessions")
            .header("content-type", "application/json");
        Reply::of(request.body("{}"))
    };
    create(&table).await.refused(401);
    create(&player).await.refused(403);
    create(&operator).await.ok();
}

#[tokio::test]
async fn on_a_public_server_the_address_called_is_a_name_of_it() {
    let (table, ..) = public();
    host(&table, "/api/state", &format!("127.0.0.1:{}", table.server.address().port())).await.ok();
    host(&table, "/api/state", "192.0.2.7").await.refused(403);
    host(&table, "/api/state", "rebound.example").await.refused(403);
}
