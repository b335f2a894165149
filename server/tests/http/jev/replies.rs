//! What each reply of the service leads to: the 24 of which the client must know.

use std::time::Duration;

use serde_json::{Value, json};
use server::{
    config::{Config, Timing, TranscriptTo},
    jev::Settings,
};

use super::{BOARD, DEADLINE, KEY, Model, Reply, SHORT, records, settings};
use crate::{events::Events, table::Table};

/// What a reply must lead to.
#[derive(Debug, Clone, Copy)]
enum Then {
    /// The model's move, DOWN.
    Plays,
    /// The move of the rules, RIGHT, for this reason.
    FallsBack(&'static str),
}

use Then::{FallsBack, Plays};

/// A reply and what it must lead to: its number, its replies, the requests it takes, the outcome in the transcript.
struct Case {
    number: u32,
    script: Vec<Reply>,
    requests: usize,
    then: Then,
    outcome: &'static str,
}

/// A good answer that chooses DOWN.
fn answer() -> Value {
    json!({
        "model": "jev-1.13.0",
        "answers": {
            "move": {
                "type": "choice",
                "choice": "DOWN",
                "probabilities": { "DOWN": 0.86, "RIGHT": 0.14 },
                "confidence": 0.71,
            },
            "risk": {
                "type": "score",
                "score": 0.9,
                "legend": { "0": "a", "1": "b", "2": "c" },
                "probabilities": { "0": 0.3, "1": 0.5, "2": 0.2 },
                "confidence": 0.6,
            },
        },
        "usage": { "input_tokens": 1500, "output_tokens": 34 },
    })
}

/// A good answer with one thing in it changed.
fn with(pointer: &str, value: Value) -> Reply {
    let mut answer = answer();
    *answer.pointer_mut(pointer).unwrap() = value;
    Reply::good(&answer)
}

fn without_risk() -> Reply {
    let mut answer = answer();
    answer["answers"].as_object_mut().unwrap().remove("risk").unwrap();
    Reply::good(&answer)
}

fn with_more_fields() -> Reply {
    let mut answer = answer();
    for pointer in ["", "/answers", "/answers/move", "/answers/risk", "/usage"] {
        let place = answer.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
        place.insert("provider".to_owned(), json!({ "cost": [1, "?"] }));
    }
    Reply::good(&answer)
}

/// The same answer with every object's fields the other way round.
fn in_another_order() -> Reply {
    let text = r#"{"usage":{"output_tokens":34,"input_tokens":1500},"answers":{
        "risk":{"confidence":0.6,"probabilities":{"2":0.2,"1":0.5,"0":0.3},"score":0.9,"type":"score"},
        "move":{"confidence":0.71,"probabilities":{"RIGHT":0.14,"DOWN":0.86},"choice":"DOWN","type":"choice"}},
        "model":"jev-1.13.0"}"#;
    Reply::Whole(200, String::new(), text.to_owned())
}

fn numbers_as_strings() -> Reply {
    let mut answer = answer();
    answer["answers"]["move"]["confidence"] = json!("0.71");
    answer["answers"]["move"]["probabilities"] = json!({ "DOWN": "0.86", "RIGHT": "0.14" });
    answer["answers"]["risk"]["score"] = json!("0.9");
    Reply::good(&answer)
}

fn huge() -> Reply {
    with("/model", json!("x".repeat(2 * 1024 * 1024)))
}

fn detail(status: u16, detail: &Value) -> Reply {
    Reply::error(status, &json!({ "detail": detail }))
}

fn case(
    number: u32,
    script: Vec<Reply>,
    requests: usize,
    then: Then,
    outcome: &'static str,
) -> Case {
    Case { number, script, requests, then, outcome }
}

const PLAYED: &str = "played DOWN";
const FELL_BACK: &str = "fell back to RIGHT";

fn good_and_doubtful() -> Vec<Case> {
    let shares = "/answers/move/probabilities";
    vec![
        case(1, vec![Reply::good(&answer())], 1, Plays, PLAYED),
        case(
            2,
            vec![with("/answers/move/confidence", json!(0.02))],
            1,
            FallsBack("confidence 0.02 below 0.15"),
            "confidence below 0.15, fell back to RIGHT",
        ),
        case(
            3,
            vec![with("/answers/move/choice", json!("UP"))],
            1,
            FallsBack("UP is not legal on this board"),
            "UP is not legal here, fell back to RIGHT",
        ),
        case(4, vec![with(shares, json!({ "DOWN": 0.49, "RIGHT": 0.51 }))], 1, Plays, PLAYED),
        case(5, vec![with(shares, json!({ "DOWN": 0.85, "RIGHT": 0.14 }))], 1, Plays, PLAYED),
        case(6, vec![without_risk()], 1, Plays, PLAYED),
        case(
            7,
            vec![with("/answers/move/confidence", Value::Null)],
            1,
            FallsBack("no confidence in the answer"),
            "no confidence, fell back to RIGHT",
        ),
        case(22, vec![with_more_fields()], 1, Plays, PLAYED),
        case(23, vec![in_another_order()], 1, Plays, PLAYED),
        case(
            24,
            vec![numbers_as_strings()],
            1,
            FallsBack("the answer's probabilities are not numbers from 0 to 1"),
            FELL_BACK,
        ),
    ]
}

fn refusals() -> Vec<Case> {
    let denied = |text| json!({ "error_type": "authentication_error", "message": text });
    let missing = "Must supply an API key! Check your request and try again.";
    let wrong = "Cannot authenticate with the server. Please check your API key and try again.";
    let list = json!([{ "type": "missing", "loc": ["body", "state"], "msg": "Field required", "input": "ECHO" }]);
    let quoted = json!(format!("Authorization: Bearer {KEY} is not known"));
    let fails = |number, status, body, reason| {
        case(number, vec![detail(status, &body)], 1, FallsBack(reason), FELL_BACK)
    };
    vec![
        fails(8, 403, denied(missing), "key refused (403): Must supply an API key"),
        fails(9, 401, denied(wrong), "key refused (401): Cannot authenticate with the server"),
        fails(
            10,
            400,
            json!("Too many choices. Must have at most 255 choices."),
            "the service answered 400: Too many choices",
        ),
        fails(
            11,
            400,
            json!({ "error_type": "max_tokens_exceeded" }),
            "the service answered 400: max_tokens_exceeded",
        ),
        fails(12, 422, list, "the service answered 422: Field required"),
        fails(21, 401, quoted, "key refused (401): Authorization: Bearer [key] is not known"),
    ]
}

fn troubles() -> Vec<Case> {
    let overloaded = || detail(529, &json!("Overloaded"));
    let html = "<html><body><h1>502 Bad Gateway</h1></body></html>".to_owned();
    let slow_down = json!({ "detail": "Rate limit exceeded" }).to_string();
    let then_good =
        vec![Reply::Whole(429, "retry-after: 1\r\n".to_owned(), slow_down), Reply::good(&answer())];
    let late = FallsBack("no answer in 4 s");
    let empty = Reply::Whole(200, String::new(), String::new());
    vec![
        case(13, then_good, 2, Plays, PLAYED),
        case(
            14,
            vec![overloaded(), overloaded(), overloaded()],
            3,
            FallsBack("the service answered 529: Overloaded"),
            FELL_BACK,
        ),
        case(
            15,
            vec![Reply::Whole(502, String::new(), html)],
            3,
            FallsBack("the service answered 502"),
            FELL_BACK,
        ),
        case(16, vec![Reply::Silence], 2, late, FELL_BACK),
        case(17, vec![Reply::Half(answer().to_string())], 2, late, FELL_BACK),
        case(18, vec![empty], 1, FallsBack("the answer is not JSON"), FELL_BACK),
        case(19, vec![huge()], 1, FallsBack("the answer is larger than 1 MiB"), FELL_BACK),
    ]
}

#[tokio::test]
async fn good_and_doubtful_answers_lead_where_they_should() {
    for case in good_and_doubtful() {
        check(case).await;
    }
}

#[tokio::test]
async fn refusals_fall_back_with_their_reason() {
    for case in refusals() {
        check(case).await;
    }
}

#[tokio::test]
async fn troubles_of_the_service_fall_back_within_the_deadline() {
    for case in troubles() {
        check(case).await;
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_its_target_never_sees_the_key() {
    let target = Model::start([Reply::good(&answer())]).await;
    let to = format!("location: {}/v1/systemone\r\n", target.url());
    let reason = "the service answered 302, a redirect, and the key is not taken elsewhere";
    for status in [301, 302, 303, 307, 308] {
        let script = vec![Reply::Whole(status, to.clone(), String::new())];
        if status == 302 {
            check(case(20, script, 1, FallsBack(reason), FELL_BACK)).await;
        } else {
            let (table, _model) = super::table(script).await;
            assert_eq!(super::step(&table).await["decision"]["source"], "fallback");
        }
    }
    assert!(target.requests().is_empty());
}

/// Has the model play one move, and looks at everything that there is to see of it.
async fn check(case: Case) {
    let Case { number, mut script, requests, then, outcome } = case;
    let hangs = matches!(script[0], Reply::Silence | Reply::Half(_));
    // The first reply comes when heartbeats have been seen that came while the model was silent.
    let first = script[0].clone();
    if script.len() == 1 {
        script.push(first.clone());
    }
    script[0] = Reply::Held(Box::new(first));
    let model = Model::start(script).await;
    let timing = Timing { heartbeat: Duration::from_millis(20), ..Timing::default() };
    let deadline = if hangs { SHORT } else { DEADLINE };
    let table = Table::with(Config {
        jev: Settings { deadline, ..settings(&model.url()) },
        transcript: TranscriptTo::Memory,
        timing,
        ..Config::default()
    });
    let mut events = table.watch("").await;
    table.deal(BOARD).await;
    let caller = table.caller.clone();
    let step =
        tokio::spawn(
            async move { caller.post("agent/step", &json!({ "player": "jev" })).await.ok() },
        );
    model.asked(1).await;
    for _ in 0..3 {
        events.named("hb").await;
    }
    assert_eq!(table.state().await["moves"], 0, "{number}: the model was silent meanwhile");
    model.let_go();
    let (seen, heartbeats) = until_moved(&mut events).await;
    assert!(!hangs || heartbeats > 3, "{number}: {heartbeats} heartbeats up to the deadline");
    let stepped = step.await.unwrap();
    let decision = &stepped["state"]["decision"];
    match then {
        Plays => check_played(number, decision),
        FallsBack(reason) => check_fallback(number, decision, reason),
    }
    assert_eq!(model.requests().len(), requests, "{number}");
    assert_eq!(seen["decision"], *decision, "{number}: on every screen");
    let record = records(&table).await.remove(0);
    assert_eq!(record["outcome"], outcome, "{number}");
    assert_eq!(record["attempts"], requests, "{number}");
    assert_eq!((&record["move_number"], &record["session"]), (&json!(1), &json!("main")));
    assert!(!record.to_string().contains("ECHO"), "{number}: what was sent is not echoed");
}

/// The state after one move, and how many heartbeats came before it.
async fn until_moved(events: &mut Events) -> (Value, usize) {
    let mut heartbeats = 0;
    loop {
        let event = events.next().await.expect("the stream goes on");
        heartbeats += usize::from(event.name.as_deref() == Some("hb"));
        if event.is_state() && event.json()["moves"] == 1 {
            return (event.json(), heartbeats);
        }
    }
}

fn check_played(number: u32, decision: &Value) {
    assert_eq!(
        (&decision["source"], &decision["move"]),
        (&json!("jev"), &json!("DOWN")),
        "{number}"
    );
    assert_eq!(decision["reason"], Value::Null, "{number}");
    assert_eq!(decision["confidence"], json!(0.71), "{number}");
    let shares = decision["probabilities"].as_object().unwrap();
    let expected = if number == 4 { (0.49, 0.51) } else { (0.86, 0.14) };
    let expected = if number == 5 { (0.85, 0.14) } else { expected };
    assert_eq!(*shares, *json!({ "DOWN": expected.0, "RIGHT": expected.1 }).as_object().unwrap());
    let said = decision["detail"].as_str().unwrap();
    if number == 6 {
        assert_eq!(decision["risk"], json!(0.0), "measured here: there is room");
        assert_eq!(said, "jev-1.13.0 chose among 2 moves; the risk is measured here");
    } else {
        assert_eq!(decision["risk"], json!(0.9), "{number}");
        assert_eq!(said, "jev-1.13.0 chose among 2 moves", "{number}");
    }
}

fn check_fallback(number: u32, decision: &Value, reason: &str) {
    assert_eq!(
        (&decision["source"], &decision["move"]),
        (&json!("fallback"), &json!("RIGHT")),
        "{number}"
    );
    let said = decision["reason"].as_str().unwrap();
    assert_eq!(said, reason, "{number}");
    let one_sentence =
        !said.contains(['\n', '{', '<']) && !said.contains(". ") && !said.ends_with('.');
    assert!(one_sentence && said.len() < 200, "{number}: {said}");
    assert_eq!(decision["detail"], "rules: ↑ → ↓ ←; the first legal one wins", "{number}");
}

#[test]
fn all_24_are_here() {
    let mut numbers: Vec<_> = [good_and_doubtful(), refusals(), troubles()]
        .into_iter()
        .flatten()
        .map(|case| case.number)
        .chain([20])
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=24).collect::<Vec<_>>());
}
