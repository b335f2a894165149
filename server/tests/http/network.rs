//! The learned player: with weights, without, and with a file that is none.

use std::path::Path;

use players::ntuple::{About, Learner, Memory, Method, WEIGHTS, write};
use serde_json::{Value, json};
use server::config::Config;

use crate::table::Table;

fn with_weights(file: &Path) -> Table {
    Table::with(Config { weights: Some(file.to_owned()), ..Config::default() })
}

/// The entry of the learned player.
async fn entry(table: &Table) -> Value {
    let state = table.state().await;
    let roster = state["agent"]["roster"].as_array().expect("a roster");
    roster.iter().find(|entry| entry["name"] == "ntuple").expect("it is listed").clone()
}

/// A file of a network that has learned a little.
fn trained() -> Vec<u8> {
    let memory = Memory::new(Method::Tc, &[], 0.0).unwrap();
    let mut learner = Learner::new(&memory, 1.0);
    for game in 0..100 {
        learner.learn(game);
    }
    write(&memory.quantised(1.0), &About { step: 1.0, ..About::default() }, 1).unwrap()
}

#[tokio::test]
async fn the_learned_player_plays_by_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.weights");
    std::fs::write(&file, trained()).unwrap();
    let table = with_weights(&file);
    assert_eq!(entry(&table).await["available"], true);
    assert_eq!(table.get("/api/version").await.ok()["networkBytes"], 2 * WEIGHTS);
    table.deal([[2, 2, 4, 8], [2, 4, 0, 0], [0; 4], [0; 4]]).await;
    let reply = table.post("agent/step", &json!({ "player": "ntuple", "budgetMs": 20 })).await.ok();
    let decision = &reply["state"]["decision"];
    assert_eq!(decision["source"], "ntuple", "{reply}");
    assert!(
        decision["detail"].as_str().is_some_and(|text| text.contains("more points")),
        "{reply}"
    );
}

#[tokio::test]
async fn a_file_that_is_no_network_is_named_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.weights");
    let mut damaged = trained();
    *damaged.last_mut().unwrap() ^= 1;
    for (content, wrong) in [
        (Some(&b"something else"[..]), "cannot be used: it is not a file of weights"),
        (Some(&damaged[..]), "cannot be used: it is damaged: its checksum is"),
        (None, "cannot be read: "),
    ] {
        match content {
            Some(content) => std::fs::write(&file, content).unwrap(),
            None => std::fs::remove_file(&file).unwrap(),
        }
        let table = with_weights(&file);
        let entry = entry(&table).await;
        let reason = entry["reason"].as_str().expect("a reason");
        assert_eq!(entry["available"], false);
        assert!(reason.starts_with(&format!("the weights {} {wrong}", file.display())), "{reason}");
        let refused = table.post("agent/start", &json!({ "player": "ntuple" })).await.refused(422);
        assert!(refused.starts_with(&format!("ntuple is not available: {reason}; ")), "{refused}");
        assert_eq!(table.get("/api/version").await.ok()["networkBytes"], Value::Null);
    }
}
