//! Games looked back at, and games as text.

use reqwest::{Method, header::CONTENT_TYPE};
use serde_json::{Value, json};

use crate::table::{DEAD, Reply, Table};

/// Plays `moves` moves of the game of `seed` by hand and gives back its id.
async fn play_a_game(table: &Table, seed: u64, moves: usize) -> String {
    let mut state = table.post("new", &json!({ "seed": seed })).await.ok();
    for _ in 0..moves {
        let direction = state["legal"][0].as_str().expect("a game that goes on").to_owned();
        state = table.play(&direction).await["state"].clone();
    }
    state["game"].as_str().unwrap().to_owned()
}

async fn import(table: &Table, text: &str) -> Reply {
    let request = table.request(Method::POST, "/api/games/import");
    let request = request.header(CONTENT_TYPE, "application/x-ndjson");
    Reply::of(request.body(text.to_owned())).await
}

async fn items(table: &Table, query: &str) -> Vec<Value> {
    table.get(&format!("/api/games{query}")).await.ok()["items"].as_array().unwrap().clone()
}

fn ids(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["game"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_position_of_a_running_game_can_be_looked_at() {
    let table = Table::open();
    let start = table.post("new", &json!({ "seed": 5 })).await.ok();
    let game = start["game"].as_str().unwrap().to_owned();
    let mut states = vec![start];
    for _ in 0..20 {
        let legal = states[states.len() - 1]["legal"][0].as_str().unwrap().to_owned();
        states.push(table.play(&legal).await["state"].clone());
    }
    for (n, state) in states.iter().enumerate() {
        let reply = table.get(&format!("/api/games/{game}/at/{n}")).await;
        let past = reply.ok();
        for field in [
            "grid",
            "score",
            "mergeCount",
            "moves",
            "maxTile",
            "lastMove",
            "legal",
            "gameOver",
            "won",
        ] {
            assert_eq!(past[field], state[field], "{field} of move {n}");
        }
        assert!(past.get("seq").is_none() && past.get("agent").is_none());
        if n > 0 {
            assert_eq!(past["transition"], state["transition"]);
            assert_eq!(past["decision"]["source"], "human");
        }
        assert!(reply.header("cache-control").contains("immutable"));
    }
    let past_the_end = table.get(&format!("/api/games/{game}/at/21")).await.refused(404);
    assert_eq!(past_the_end, "the game has 20 moves: there is no position after move 21");
    let page = table.get(&format!("/api/games/{game}/moves?from=3&to=7")).await.ok();
    assert_eq!((&page["from"], &page["to"]), (&json!(3), &json!(7)));
    for (item, state) in page["items"].as_array().unwrap().iter().zip(&states[3..]) {
        assert_eq!(item["n"], state["moves"]);
        for field in ["direction", "by", "gained", "slides", "spawn"] {
            assert_eq!(item[field], state["transition"][field]);
        }
    }
    table.get(&format!("/api/games/{game}/moves?from=1&to=501")).await.refused(422);
    table.get("/api/games/nothing/at/0").await.refused(404);
}

#[tokio::test]
async fn a_record_shows_the_seed_when_it_gives_nothing_away() {
    let table = Table::open();
    let secret = table.post_empty("new").await.ok();
    let game = secret["game"].as_str().unwrap();
    let record = table.get(&format!("/api/games/{game}")).await.ok();
    assert_eq!((&record["status"], &record["seed"]), (&json!("running"), &Value::Null));
    let refusal = table.get(&format!("/api/games/{game}/export")).await.refused(409);
    assert!(refusal.contains("its seed is secret"), "{refusal}");
    table.play(secret["legal"][0].as_str().unwrap()).await;
    table.post_empty("new").await.ok();
    let record = table.get(&format!("/api/games/{game}")).await.ok();
    assert_eq!(record["status"], "abandoned");
    assert!(record["seed"].as_str().is_some_and(|seed| seed.parse::<u64>().is_ok()));
}

#[tokio::test]
async fn a_record_says_who_had_the_game_and_why_it_changed_hands() {
    let table = Table::open();
    let game = play_a_game(&table, 8, 3).await;
    table.start_agent(json!({ "player": "rules", "pace": "max" })).await;
    let mut events = table.watch("").await;
    events.state_where(|state| state["gameOver"] == true).await;
    let record = table.get(&format!("/api/games/{game}")).await.ok();
    assert_eq!((&record["status"], &record["class"]), (&json!("over"), &json!("mixed")));
    let drivers = record["drivers"].as_array().unwrap();
    assert_eq!(
        (&drivers[0]["name"], &drivers[0]["from"], &drivers[0]["to"]),
        (&json!("human"), &json!(1), &json!(3))
    );
    assert_eq!(
        (&drivers[1]["name"], &drivers[1]["from"], &drivers[1]["to"]),
        (&json!("rules"), &json!(4), &record["moves"])
    );
    assert_eq!(drivers[1]["why"], "was started");
}

#[tokio::test]
async fn lists_are_filtered_sorted_and_paged() {
    let table = Table::open();
    let mut games = Vec::new();
    for (seed, moves) in [(1, 5), (2, 15), (3, 10)] {
        games.push(play_a_game(&table, seed, moves).await);
    }
    table.deal(DEAD).await;
    let all = items(&table, "?session=main").await;
    assert_eq!(ids(&all)[1..], [&games[2], &games[1], &games[0]], "newest first");
    let by_moves = items(&table, "?session=main&sort=-moves&status=abandoned").await;
    assert_eq!(ids(&by_moves), [&games[1], &games[2], &games[0]]);
    let over = items(&table, "?session=main&status=over").await;
    assert_eq!((over.len(), &over[0]["custom"]), (1, &json!(true)));
    assert_eq!(items(&table, "?session=main&player=mcts").await, Vec::<Value>::new());
    let first = table.get("/api/games?session=main&limit=3").await.ok();
    let cursor = first["next"].as_str().expect("there is a second page");
    let second = table.get(&format!("/api/games?session=main&limit=3&cursor={cursor}")).await.ok();
    assert_eq!((second["items"].as_array().unwrap().len(), &second["next"]), (1, &Value::Null));
    table.get("/api/games?status=lost").await.refused(422);
    table.get("/api/games?cursor=rubbish").await.refused(422);
    assert_eq!(items(&table, "").await, all, "the operator's list has every session's");
}

#[tokio::test]
async fn what_is_exported_is_imported_elsewhere_and_exported_the_same() {
    let (table, elsewhere) = (Table::open(), Table::open());
    let game = play_a_game(&table, 9, 30).await;
    let text = table.get(&format!("/api/games/{game}/export")).await;
    assert_eq!(text.header("content-type"), "application/x-ndjson");
    let imported = import(&elsewhere, &text.text).await.ok();
    let id = imported["game"].as_str().unwrap();
    assert_eq!(elsewhere.get(&format!("/api/games/{id}/export")).await.text, text.text);
    let record = elsewhere.get(&format!("/api/games/{id}")).await.ok();
    assert_eq!((&record["status"], &record["moves"]), (&json!("imported"), &json!(30)));
    assert_eq!(
        elsewhere.state().await["best"],
        0,
        "what was played elsewhere is no best score here"
    );
}

#[tokio::test]
async fn a_game_that_was_changed_is_refused_with_its_move() {
    let table = Table::open();
    let game = play_a_game(&table, 9, 30).await;
    let text = table.get(&format!("/api/games/{game}/export")).await.text;
    let (header, moves) = text.split_once('\n').unwrap();
    let mut letters: Vec<char> = serde_json::from_str::<Value>(moves).unwrap()["directions"]
        .as_str()
        .unwrap()
        .chars()
        .collect();
    letters[11] = '?';
    let altered = format!("{header}\n{}", json!({ "directions": String::from_iter(letters) }));
    assert_eq!(
        import(&table, &altered).await.refused(422),
        "move 12 is '?', not one of U, D, L, R"
    );
    let score = table.state().await["score"].as_u64().unwrap();
    let altered = text.replace(&format!("\"score\":{score}"), &format!("\"score\":{}", score + 2));
    let refusal = import(&table, &altered).await.refused(422);
    assert_eq!(refusal, format!("after move 30 the score is {score}, not {}", score + 2));
    let large = import(&table, &"x".repeat(1024 * 1024 + 1)).await.refused(413);
    assert_eq!(large, "the body is larger than 1048576 bytes");
    assert_eq!(
        items(&table, "?session=main&status=imported").await,
        Vec::<Value>::new(),
        "nothing was filed"
    );
}

#[tokio::test]
async fn why_each_move_was_chosen_comes_back_with_it() {
    let table = Table::open();
    let mut shown = Vec::new();
    for player in ["mcts", "rules", "mcts"] {
        let step = json!({ "player": player, "budgetMs": 5 });
        shown.push(table.post("agent/step", &step).await.ok()["state"]["decision"].clone());
    }
    let game = table.state().await["game"].as_str().unwrap().to_owned();
    let items = table.get(&format!("/api/games/{game}/moves")).await.ok()["items"].clone();
    for (n, shown) in shown.iter().enumerate() {
        let at = table.get(&format!("/api/games/{game}/at/{}", n + 1)).await.ok();
        for kept in [&items[n]["decision"], &at["decision"]] {
            for same in ["move", "source", "reason", "latencyMs"] {
                assert_eq!(kept[same], shown[same], "{kept} {shown}");
            }
            for rounded in ["confidence", "risk"] {
                let (kept, shown) = (kept[rounded].as_f64(), shown[rounded].as_f64());
                assert_eq!(kept.is_some(), shown.is_some(), "{rounded}");
                assert!((kept.unwrap_or(0.0) - shown.unwrap_or(0.0)).abs() < 1e-4, "{rounded}");
            }
        }
    }
}
