//! Taking the game back from an AI in the middle of a thought.

use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use serde_json::{Value, json};
use server::config::Config;

use crate::{events::Events, table::Table};

/// The longest thought of the agent, in milliseconds.
const BUDGET_MS: u64 = 40;

/// A full board with one pair: only LEFT and RIGHT are legal.
const NARROW: [[u32; 4]; 4] =
    [[2, 2, 8, 16], [32, 64, 128, 256], [2, 4, 8, 16], [32, 64, 128, 256]];

fn number(state: &Value, field: &str) -> u64 {
    state[field].as_u64().unwrap()
}

#[tokio::test]
async fn an_arrow_key_stops_the_agent_and_plays_as_one_change() {
    let table = Table::open();
    table.deal([[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]]).await;
    let mut events = table.watch("").await;
    let thoughtful = json!({ "player": "mcts", "budgetMs": 500, "intervalSeconds": 0.5 });
    let started = table.start_agent(thoughtful).await["state"].clone();
    let body = json!({ "direction": "RIGHT", "takeover": true });
    let taken = table.post("move", &body).await.ok();
    let state = &taken["state"];
    assert_eq!((&taken["moved"], &state["agent"]["running"]), (&json!(true), &json!(false)));
    assert_eq!(number(state, "seq"), number(&started, "seq") + 1);
    assert_eq!(state["driver"], json!({ "kind": "human", "name": "human", "sinceMove": 0 }));
    assert_eq!(events.state_where(|seen| seen["seq"] == state["seq"]).await, *state);
    still(&table, state, 600).await;
}

#[tokio::test]
async fn a_takeover_that_moves_nothing_stops_the_agent_all_the_same() {
    let table = Table::open();
    table.deal(NARROW).await;
    let started =
        table.start_agent(json!({ "player": "mcts", "budgetMs": 500 })).await["state"].clone();
    let body = json!({ "direction": "UP", "takeover": true });
    let taken = table.post("move", &body).await.ok();
    assert_eq!(
        (&taken["moved"], &taken["state"]["agent"]["running"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(number(&taken["state"], "seq"), number(&started, "seq") + 1);
    still(&table, &taken["state"], 600).await;
}

/// Nothing is played, though there was time for the thought that was under way.
async fn still(table: &Table, state: &Value, milliseconds: u64) {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    assert_eq!(table.state().await, *state);
}

/// What somebody does in the middle of a thought.
#[derive(Debug, Clone, Copy)]
enum Interruption {
    Takeover,
    Stop,
    NewGame,
    OtherPlayer,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_thought_is_played_after_200_random_interruptions() {
    let seed: u64 = rand::random();
    println!("seed {seed}");
    let mut rng = StdRng::seed_from_u64(seed);
    let table = Table::open();
    let mut events = table.watch("").await;
    let kinds = [
        Interruption::Takeover,
        Interruption::Stop,
        Interruption::NewGame,
        Interruption::OtherPlayer,
    ];
    for repetition in 0..200 {
        let kind = *kinds.choose(&mut rng).unwrap();
        let game = table.post("new", &json!({ "seed": rng.random_range(0..1000) })).await.ok();
        let budget = rng.random_range(5..=BUDGET_MS);
        table.start_agent(json!({ "player": "mcts", "budgetMs": budget, "pace": "max" })).await;
        let moves = rng.random_range(0..3);
        events
            .state_where(|state| state["game"] == game["game"] && number(state, "moves") >= moves)
            .await;
        tokio::time::sleep(Duration::from_millis(rng.random_range(0..=budget))).await;
        interrupt(&table, &mut events, kind, &format!("seed {seed}, {repetition}: {kind:?}")).await;
        table.post_empty("agent/stop").await.ok();
    }
}

async fn interrupt(table: &Table, events: &mut Events, kind: Interruption, named: &str) {
    let legal = table.state().await["legal"].clone();
    match kind {
        Interruption::Takeover => {
            let body = json!({ "direction": legal[0], "takeover": true });
            let state = table.post("move", &body).await.ok()["state"].clone();
            assert_eq!(state["agent"]["running"], false, "{named}");
            still(table, &state, BUDGET_MS + 20).await;
        }
        Interruption::Stop => {
            let state = table.post_empty("agent/stop").await.ok()["state"].clone();
            assert_eq!(state["agent"]["running"], false, "{named}");
            still(table, &state, BUDGET_MS + 20).await;
        }
        Interruption::NewGame => {
            let game = table.deal(NARROW).await["game"].clone();
            let state = events
                .state_where(|state| state["game"] == game && number(state, "moves") >= 1)
                .await;
            if number(&state, "moves") == 1 {
                // A thought about the game before would weigh what cannot be played here.
                let weighed = state["decision"]["probabilities"].as_object();
                let strange =
                    weighed.is_some_and(|all| all.contains_key("UP") || all.contains_key("DOWN"));
                assert!(!strange, "{named}: {state}");
            }
        }
        Interruption::OtherPlayer => {
            let state =
                table.start_agent(json!({ "player": "random", "pace": "max" })).await["state"]
                    .clone();
            let (game, moves) = (&state["game"], number(&state, "moves"));
            let next = events
                .state_where(|next| {
                    next["game"] == *game
                        && (number(next, "moves") > moves || next["gameOver"] == true)
                })
                .await;
            assert_ne!(next["transition"]["by"], "mcts", "{named}: {next}");
        }
    }
}

/// More than a search of two seconds makes while as many are played beside it.
const MOVES: u64 = 41;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_blocks_neither_a_move_nor_a_stream_of_another_session() {
    let table = Table::open();
    let mut searchers = Vec::new();
    for number in 0..Config::default().searches {
        let created = table
            .request(reqwest::Method::POST, "/api/sessions")
            .header("content-type", "application/json")
            .body("{}");
        let created = crate::table::Reply::of(created).await.ok();
        let searcher = table
            .in_session(created["id"].as_str().unwrap())
            .with_token(created["control"].as_str().unwrap());
        let player = ["mcts", "flat"][number % 2];
        searcher.start_agent(json!({ "player": player, "budgetMs": 2000, "pace": "max" })).await;
        searchers.push(searcher);
    }
    let mut events = table.watch("").await;
    for _ in 0..MOVES {
        let legal = table.state().await["legal"].clone();
        let reply = match legal[0].as_str() {
            Some(direction) => table.play(direction).await["state"].clone(),
            None => table.post_empty("new").await.ok(),
        };
        assert_eq!(events.state_where(|state| state["seq"] == reply["seq"]).await, reply);
    }
    for searcher in &searchers {
        let state = searcher.state().await;
        assert_eq!(state["agent"]["running"], true, "it searched all the while");
        // A move that waited for a search would have come after a move of that search.
        assert!(number(&state, "moves") < MOVES, "{state}");
    }
}
