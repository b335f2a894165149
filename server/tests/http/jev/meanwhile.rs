//! What goes on while the model is being asked: everything else.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use server::{
    config::{Config, Timing, TranscriptTo},
    jev::Settings,
};

use super::{BOARD, Model, Reply, held, open, records, settings, step, table};
use crate::table::{Caller, Reply as Answer, Table};

async fn start(caller: &Caller) {
    caller.start_agent(json!({ "player": "jev", "intervalSeconds": 0.05 })).await;
}

#[tokio::test]
async fn streams_get_their_heartbeats_while_the_model_is_silent() {
    let model = Model::start([held()]).await;
    let timing = Timing { heartbeat: Duration::from_millis(20), ..Timing::default() };
    let table = Table::with(Config { jev: settings(&model.url()), timing, ..Config::default() });
    let mut events = table.watch("").await;
    table.deal(BOARD).await;
    start(&table).await;
    model.asked(1).await;
    for _ in 0..20 {
        events.named("hb").await;
    }
    assert_eq!(table.state().await["moves"], 0, "the model was silent all the time");
    model.let_go();
    let state = events.state_where(|state| state["moves"] == 1).await;
    assert_eq!(state["decision"]["source"], "jev");
}

#[tokio::test]
async fn stop_takeover_new_game_and_another_player_drop_the_call_at_once() {
    for (call, body) in [
        ("agent/stop", json!({})),
        ("move", json!({ "direction": "DOWN", "takeover": true })),
        ("new", json!({ "grid": [[2, 0, 0, 0], [4, 0, 0, 0], [0, 0, 0, 0], [2, 0, 0, 0]] })),
        ("agent/start", json!({ "player": "rules", "intervalSeconds": 10 })),
    ] {
        let model = Model::start([held()]).await;
        // Without the drop the call would go on for longer than this test has patience.
        let table = open(Settings { deadline: Duration::from_mins(10), ..settings(&model.url()) });
        table.deal(BOARD).await;
        start(&table).await;
        model.asked(1).await;
        let before = table.state().await;
        let done = table.post(call, &body).await.ok();
        model.hung_up(1).await;
        let after = if call == "new" { &done } else { &done["state"] };
        assert!(after["seq"].as_u64() > before["seq"].as_u64(), "{call}");
        let records = records(&table).await;
        let of_first = records.last().unwrap();
        let told = (&of_first["outcome"], &of_first["attempts"], &of_first["game"]);
        assert_eq!(told, (&json!("cancelled"), &json!(1), &before["game"]));
        assert_eq!(of_first["sent"]["state"]["board"]["grid"], before["grid"], "{call}");
    }
}

#[tokio::test]
async fn a_hint_that_nobody_waits_for_is_dropped() {
    let model = Model::start([held()]).await;
    let table = open(Settings { deadline: Duration::from_mins(10), ..settings(&model.url()) });
    table.deal(BOARD).await;
    let request =
        table.request(Method::POST, "/api/hint").header("content-type", "application/json");
    let asking = tokio::spawn(Answer::of(request.body(json!({ "player": "jev" }).to_string())));
    model.asked(1).await;
    asking.abort();
    model.hung_up(1).await;
}

#[tokio::test]
async fn a_session_that_is_closed_drops_its_call() {
    let model = Model::start([held()]).await;
    let table = open(Settings { deadline: Duration::from_mins(10), ..settings(&model.url()) });
    let created = table.post("sessions", &json!({})).await.ok();
    let id = created["id"].as_str().unwrap();
    let player = table.in_session(id).with_token(created["control"].as_str().unwrap());
    start(&player).await;
    model.asked(1).await;
    let path = format!("/api/sessions/{id}");
    assert!(Answer::of(player.request(Method::DELETE, &path)).await.status.is_success());
    model.hung_up(1).await;
}

#[tokio::test]
async fn a_step_that_comes_too_late_is_refused_as_stale() {
    let (table, model) = table([held()]).await;
    table.deal(BOARD).await;
    let caller = table.caller.clone();
    let step =
        tokio::spawn(async move { caller.post("agent/step", &json!({ "player": "jev" })).await });
    model.asked(1).await;
    table.play("DOWN").await;
    model.hung_up(1).await;
    let refused = step.await.unwrap();
    assert_eq!(refused.status, 409, "{refused:?}");
    assert_eq!(refused.json()["state"]["moves"], 1);
}

#[tokio::test]
async fn an_answer_that_is_not_played_is_told_as_cancelled() {
    let (table, model) = table([Reply::Legal(0, 0.7)]).await;
    table.deal(BOARD).await;
    let mut events = table.watch("").await;
    // The second move is decided at once, and waits for its time.
    table.start_agent(json!({ "player": "jev", "intervalSeconds": 10 })).await;
    events.state_where(|state| state["moves"] == 1).await;
    model.asked(2).await;
    let state = table.post("agent/stop", &json!({})).await.ok()["state"].clone();
    assert_eq!(state["moves"], 1);
    let told = loop {
        let told = records(&table).await;
        if told.len() > 1 {
            break told;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let outcomes: Vec<_> = told.iter().map(|record| &record["outcome"]).collect();
    assert_eq!(outcomes, ["cancelled", "played RIGHT"]);
    assert_eq!((&told[0]["move_number"], &told[0]["attempts"]), (&json!(2), &json!(1)));
}

#[tokio::test]
async fn an_agent_plays_on_and_a_hint_plays_nothing() {
    let (table, model) = table([Reply::Legal(0, 0.7)]).await;
    // A game in which none of the first moves is the only one: those are not asked about.
    table.deal(BOARD).await;
    let mut events = table.watch("").await;
    start(&table).await;
    let state = events.state_where(|state| state["moves"] == 5).await;
    assert_eq!(
        (&state["decision"]["source"], &state["driver"]["name"]),
        (&json!("jev"), &json!("jev"))
    );
    table.post_empty("agent/stop").await.ok();
    let before = table.deal(BOARD).await;
    let hint = table.post("hint", &json!({ "player": "jev" })).await.ok();
    assert_eq!(
        (&hint["decision"]["source"], &hint["decision"]["move"]),
        (&json!("jev"), &json!("RIGHT"))
    );
    assert_eq!(hint["moves"]["RIGHT"]["legal"], true);
    assert_eq!(table.state().await, before);
    assert_eq!(records(&table).await[0]["outcome"], "advised RIGHT");
    let played = model.requests().into_iter().map(|request| request.json());
    let recent: Vec<_> =
        played.map(|body| body["state"]["history"]["moves_played"].clone()).collect();
    assert_eq!(recent[..5], (0..5).map(Value::from).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_service_that_wants_to_be_left_alone_is_if_there_is_time() {
    let wants = |wait: &str| Reply::Whole(429, format!("{wait}\r\n"), String::new());
    let (table, model) = table([wants("retry-after-ms: 700"), Reply::Legal(0, 0.7)]).await;
    assert_eq!(step(&table).await["decision"]["source"], "jev");
    let requests = model.requests();
    assert!(requests[1].at - requests[0].at >= Duration::from_millis(700));

    // Longer than the deadline, and longer than any clock goes.
    for (asked, wait) in [(3, "3600"), (4, "1000000000000000000")] {
        model.answer([wants(&format!("retry-after: {wait}"))]);
        let reason = step(&table).await["decision"]["reason"].clone();
        assert_eq!(reason, format!("the service answered 429, to be asked again in {wait} s"));
        assert_eq!(model.requests().len(), asked, "it is not asked again");
    }
}

#[tokio::test]
async fn a_service_that_is_not_there_is_named() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let table = open(settings(&format!("http://{address}")));
    let decision = step(&table).await["decision"].clone();
    let reason = decision["reason"].as_str().unwrap();
    assert!(reason.starts_with("the service cannot be reached: Connection refused"), "{reason}");
}

/// How many sessions ask at once.
const SESSIONS: usize = 20;

/// How long the model takes then, at the least.
const SLOW: Duration = Duration::from_secs(5);

/// Everything that people do on a table of their own, so many times: what was answered, and how long each took, in order.
async fn play_about(table: &Table) -> (Vec<Value>, Vec<Duration>) {
    let (mut answers, mut took) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        for (call, body) in [
            ("new", json!({ "grid": BOARD, "seed": "7" })),
            ("move", json!({ "direction": "DOWN" })),
            ("hint", json!({ "player": "expectimax", "budgetMs": 1 })),
            ("agent/step", json!({ "player": "rules" })),
        ] {
            let begun = Instant::now();
            let answer = table.post(call, &body).await.ok();
            took.push(begun.elapsed());
            answers.push(answer.get("state").unwrap_or(&answer)["grid"].clone());
        }
        let begun = Instant::now();
        answers.push(table.state().await["grid"].clone());
        took.push(begun.elapsed());
    }
    took.sort_unstable();
    (answers, took)
}

/// Sessions of their own, each with the right to play.
async fn sessions(table: &Table) -> Vec<Caller> {
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        let created = table.post("sessions", &json!({})).await.ok();
        let session = table.in_session(created["id"].as_str().unwrap());
        sessions.push(session.with_token(created["control"].as_str().unwrap()));
    }
    sessions
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_20_sessions_at_a_slow_model_everything_else_answers_as_before() {
    // It takes five seconds, and on a slow machine until everything else has been seen.
    let model = Model::start([Reply::After(SLOW, Box::new(held()))]).await;
    let timing = Timing { heartbeat: Duration::from_millis(20), ..Timing::default() };
    let transcript = TranscriptTo::Memory;
    let table = Table::with(Config {
        jev: settings(&model.url()),
        timing,
        transcript,
        ..Config::default()
    });
    let (expected, alone) = play_about(&table).await;
    let players = sessions(&table).await;
    for player in &players {
        start(player).await;
    }
    model.asked(SESSIONS).await;

    let (answers, beside) = play_about(&table).await;
    assert_eq!(answers, expected);
    let mut events = players[0].watch("").await;
    for _ in 0..20 {
        events.named("hb").await;
    }
    let mut others = table.watch("").await;
    table.deal(BOARD).await;
    table.start_agent(json!({ "player": "rules", "intervalSeconds": 0.05 })).await;
    others.state_where(|state| state["moves"].as_u64() >= Some(20)).await;
    // All of that while the model was silent to every one of them, so that nothing can have waited for it.
    for player in &players {
        assert_eq!(player.state().await["moves"], 0);
    }
    assert_eq!(model.requests().len(), SESSIONS);
    let [median, worst] =
        [alone.len() / 2, alone.len() - 1].map(|place| (alone[place], beside[place]));
    println!("median and worst of a call, alone and beside: {median:?}, {worst:?}");

    model.let_go();
    for player in &players {
        let mut events = player.watch("").await;
        let moved = events.state_where(|state| state["moves"].as_u64() > Some(0)).await;
        assert_eq!(moved["decision"]["source"], "jev");
        assert!(moved["decision"]["latencyMs"].as_u64() >= Some(5000));
    }
}
