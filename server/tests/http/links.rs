//! Links that let somebody watch, until they are revoked.

use std::net::{IpAddr, Ipv4Addr};

use reqwest::Method;
use serde_json::json;
use server::config::{Config, Durability, StoreChoice};

use crate::table::{Caller, Reply, Table};

/// A new link to the caller's session.
async fn give(caller: &Caller) -> String {
    caller.post_empty("links").await.ok()["link"].as_str().unwrap().to_owned()
}

async fn revoke(caller: &Caller, path: &str) -> Reply {
    Reply::of(caller.request(Method::DELETE, &format!("{path}/links"))).await
}

async fn create(table: &Table) -> (String, Caller) {
    let made = Reply::of(table.request(Method::POST, "/api/sessions")).await.ok();
    let id = made["id"].as_str().unwrap();
    (id.to_owned(), table.in_session(id).with_token(made["control"].as_str().unwrap()))
}

#[tokio::test]
async fn a_link_shows_the_session_and_not_its_id() {
    let table = Table::open();
    let (id, player) = create(&table).await;
    let link = give(&player).await;
    assert!(link.len() >= 32, "128 random bits: {link}");
    assert_ne!(give(&player).await, link);
    assert_eq!(table.get(&format!("/w/{link}")).await.text, table.get("/").await.text);

    let spectator = table.by_link(&link);
    let mut stream = spectator.watch("").await;
    let first = stream.state().await;
    let legal = first["legal"][0].as_str().unwrap();
    let after = player.play(legal).await["state"].clone();
    let seen = stream.state_where(|state| state["seq"] == after["seq"]).await;
    for state in [&first, &seen, &spectator.state().await] {
        assert_eq!(state["session"], "");
        assert!(!state.to_string().contains(&id), "{state}");
    }
    assert_eq!(seen["grid"], after["grid"]);

    let games = spectator.get(&format!("/api/watch/{link}/games?sort=-score")).await.ok();
    assert_eq!(games["items"][0]["game"], seen["game"]);
    assert!(!games.to_string().contains(&id), "{games}");
    player.begins_watched_by(1).await;
    drop(stream);
    player.begins_watched_by(0).await;
}

#[tokio::test]
async fn whatever_is_sent_by_a_link_changes_nothing() {
    let table = Table::open();
    let (id, player) = create(&table).await;
    let link = give(&player).await;
    let before = player.state().await;
    let calls = [
        ("move", json!({ "direction": "LEFT" })),
        ("new", json!({})),
        ("agent/start", json!({})),
        ("agent/stop", json!({})),
        ("agent/step", json!({})),
        ("hint", json!({})),
        ("links", json!({})),
        ("games/import", json!({})),
    ];
    // Nor with a token, be it the right one: who holds that has another address for it.
    let control = player.with_base(&format!("/api/watch/{link}"));
    for caller in [table.by_link(&link), control] {
        for (call, body) in &calls {
            let detail = caller.post(call, body).await.refused(403);
            assert_eq!(detail, "this link lets watch, and nothing else", "{call}");
        }
        for call in ["links", ""] {
            let path = format!("/api/watch/{link}/{call}");
            Reply::of(caller.request(Method::DELETE, &path)).await.refused(403);
        }
        for call in ["state", "events", "games"] {
            caller.post(call, &json!({})).await.refused(405);
        }
        for call in ["transcript", "nothing", "state/more"] {
            caller.get(&format!("/api/watch/{link}/{call}")).await.refused(404);
        }
    }
    // A link is no session's id, nor the other way round.
    table.in_session(&link).get(&format!("/api/sessions/{link}/state")).await.refused(404);
    table.get(&format!("/api/watch/{id}/state")).await.refused(404);
    assert_eq!(player.state().await, before);
}

#[tokio::test]
async fn revoked_links_end_with_their_streams_and_nothing_else_does() {
    let table = Table::open();
    let (id, player) = create(&table).await;
    let (_, other) = create(&table).await;
    let links = [give(&player).await, give(&player).await];
    let kept = give(&other).await;
    let mut own = player.watch("").await;
    own.state().await;
    let mut streams = Vec::new();
    for link in &links {
        let mut stream = table.by_link(link).watch("").await;
        stream.state().await;
        streams.push(stream);
    }
    let path = format!("/api/sessions/{id}");
    revoke(&table, &path).await.refused(401);
    revoke(&other, &path).await.refused(403);
    table.in_session(&id).post_empty("links").await.refused(401);
    table.by_link(&links[0]).state().await;

    assert_eq!(revoke(&player, &path).await.ok(), json!({ "revoked": 2 }));
    for mut stream in streams {
        assert_eq!(stream.named("bye").await.json()["reason"], "revoked");
        assert_eq!(stream.next().await, None);
    }
    for link in &links {
        let gone = table.get(&format!("/api/watch/{link}/state")).await.refused(404);
        assert!(gone.contains("revoked"), "{gone}");
        table.get(&format!("/api/watch/{link}/events")).await.refused(404);
        table.get(&format!("/api/watch/{link}/games")).await.refused(404);
    }
    table.by_link(&kept).state().await;
    let seq = player.post_empty("new").await.ok()["seq"].clone();
    own.state_where(|state| state["seq"] == seq).await;
    assert_eq!(revoke(&player, &path).await.ok(), json!({ "revoked": 0 }));

    // Those that are made afterwards are good until they are revoked in turn.
    let mut stream = table.by_link(&give(&player).await).watch("").await;
    stream.state().await;
    revoke(&player, &path).await.ok();
    assert_eq!(stream.named("bye").await.json()["reason"], "revoked");
}

#[tokio::test]
async fn links_end_with_their_session_and_are_counted() {
    let table = Table::open();
    let (id, player) = create(&table).await;
    let link = give(&player).await;
    for _ in 1..store::MOST_LINKS {
        give(&player).await;
    }
    let detail = player.post_empty("links").await.refused(409);
    assert_eq!(detail, "there are 100 links already: revoke them first");
    let mut stream = table.by_link(&link).watch("").await;
    stream.state().await;
    Reply::of(player.request(Method::DELETE, &format!("/api/sessions/{id}"))).await.ok();
    assert_eq!(stream.named("bye").await.json()["reason"], "closed");
    table.get(&format!("/api/watch/{link}/state")).await.refused(404);
}

#[tokio::test]
async fn a_link_outlives_the_server_and_so_does_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let store =
        StoreChoice::Sqlite { folder: folder.path().to_owned(), durability: Durability::Process };
    let config = Config { store, ..Config::default() };
    let table = Table::with(config.clone());
    let link = give(&table).await;
    let Table { server, .. } = table;
    server.stop().unwrap();

    let Table { server, caller } = Table::with(config.clone());
    caller.by_link(&link).state().await;
    assert_eq!(revoke(&caller, "/api").await.ok(), json!({ "revoked": 1 }));
    server.stop().unwrap();

    let table = Table::with(config);
    table.get(&format!("/api/watch/{link}/state")).await.refused(404);
}

#[tokio::test]
async fn on_a_public_server_a_game_does_not_lead_to_its_session() {
    let table =
        Table::with(Config { bind: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..Config::default() });
    let operator = table.with_token(&table.server.tokens().unwrap().operator);
    let made = Reply::of(operator.request(Method::POST, "/api/sessions")).await.ok();
    let (id, game) = (made["id"].as_str().unwrap(), made["state"]["game"].as_str().unwrap());
    let player = table.in_session(id).with_token(made["control"].as_str().unwrap());
    let link = give(&player).await;
    table.by_link(&link).state().await;
    let record = async |caller: &Caller| caller.get(&format!("/api/games/{game}")).await.ok();
    assert_eq!(record(&table).await["session"], "");
    assert_eq!(record(&operator).await["session"], id);
    let past = table.get(&format!("/api/games/{game}/at/0")).await.ok();
    assert!(!past.to_string().contains(id), "{past}");
}
