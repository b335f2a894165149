//! The key: in the one header, and nowhere else.

use std::{fs, io::Read as _, net::TcpListener, path::Path};

use serde_json::{Value, json};
use server::{
    clock::Clock,
    config::Config,
    jev::{Desk, Workplace},
    transcript::Transcript,
};

use super::{BOARD, KEY, Model, Reply, settings};
use crate::{
    process::{Process, command},
    table::Caller,
};

/// Parts of the key that are as secret as the whole.
fn parts() -> [&'static str; 2] {
    [&KEY[..16], &KEY[KEY.len() - 16..]]
}

fn assert_secret(place: &str, text: &str) {
    for part in parts() {
        assert!(!text.contains(part), "{place}: {text}");
    }
}

/// What a service might say that quotes the key, each followed by a good answer, so that the next is asked, too.
fn quotes(target: &str) -> Vec<Reply> {
    let quoted = format!("Authorization: Bearer {KEY}");
    let headers = format!("x-typesafe-request-id: {KEY}\r\nlocation: {target}/{KEY}\r\n");
    let answer = |choice: &str| {
        json!({
            "model": KEY,
            "answers": { "move": {
                "choice": choice, "confidence": 0.9, "probabilities": { KEY: 0.5, choice: 0.5 },
            } },
        })
    };
    let faults = [
        (400, json!({ "detail": quoted })),
        (400, json!({ "detail": { "message": format!("{}… is no key", &KEY[..20]) } })),
        (422, json!({ "detail": [{ "msg": quoted, "input": quoted }] })),
        (302, json!(quoted)),
        (404, json!({ "error": { "message": format!("a\n{KEY}\tb") } })),
        (200, json!(quoted)),
        (200, answer(KEY)),
        (200, answer("DOWN")),
    ];
    let faults =
        faults.map(|(status, body)| Reply::Whole(status, headers.clone(), body.to_string()));
    faults.into_iter().flat_map(|fault| [fault, Reply::Legal(0, 0.9)]).collect()
}

/// Everything that a client can see.
async fn look(caller: &Caller) -> String {
    let mut seen = String::new();
    for path in
        ["/api/state", "/api/transcript", "/api/version", "/api/games", "/metrics", "/readyz"]
    {
        seen.push_str(&caller.get(path).await.text);
    }
    let game = caller.state().await["game"].as_str().unwrap().to_owned();
    for path in ["", "/moves?from=1&to=1", "/at/1", "/export"] {
        seen.push_str(&caller.get(&format!("/api/games/{game}{path}")).await.text);
    }
    seen
}

/// Every file of a folder, as text as far as it is one.
fn files(folder: &Path) -> String {
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

#[tokio::test]
async fn the_key_is_in_nothing_that_leaves_the_process_but_one_header() {
    let target = Model::start([Reply::Legal(0, 0.9)]).await;
    let script = quotes(&target.url());
    let moves = script.len();
    let model = Model::start(script).await;
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(&["--port", "0", "--data", folder.path().to_str().unwrap()]);
    command.env("TYPESAFE_API_KEY", KEY).env("TYPESAFE_BASE_URL", model.url());
    // All that any part of the program has to say.
    command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "full");
    let mut process = Process::start(command);
    let caller = process.caller();
    let mut out = process.take_stdout();
    let mut err = process.take_stderr();
    let reading = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).unwrap();
        text
    });
    let logging = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).unwrap();
        text
    });
    let mut events = caller.watch("").await;
    let mut seen = String::new();
    for _ in 0..moves {
        caller.deal(BOARD).await;
        let stepped = caller.post("agent/step", &json!({ "player": "jev" })).await;
        seen.push_str(&stepped.text);
        seen.push_str(&events.state_where(|state| state["moves"] == 1).await.to_string());
        seen.push_str(&look(&caller).await);
    }
    seen.push_str(&caller.post("agent/start", &json!({ "player": "x" })).await.refused(422));
    assert!(seen.contains("[key]") && seen.contains("fell back"), "what quotes it is shown");
    assert_secret("seen", &seen);

    process.signal("TERM");
    let printed = reading.await.unwrap();
    assert_eq!(printed.matches("\"outcome\"").count(), moves, "each is in the transcript");
    assert_secret("standard output", &printed);
    let logged = logging.await.unwrap();
    assert!(logged.contains("hyper_util"), "the log has all there is");
    assert_secret("standard error", &logged);
    assert_secret("files", &files(folder.path()));

    assert!(target.requests().is_empty(), "a redirect's target");
    let asked = model.requests();
    assert_eq!(asked.len(), moves);
    for request in &asked {
        let header = format!("authorization: Bearer {KEY}\r\n");
        assert_eq!(format!("{}\r\n", request.head).matches(&header).count(), 1);
        assert_secret("the body", &request.body);
        assert_secret("the other headers", &request.head.replace(KEY, ""));
        assert!(request.head.starts_with("POST /v1/systemone HTTP/1.1"), "{}", request.head);
    }
}

#[test]
fn a_panic_that_has_everything_at_hand_does_not_tell_the_key() {
    let settings = settings("http://127.0.0.1:9");
    let clock = Clock::system();
    let config = Config { jev: settings.clone(), ..Config::default() };
    let place = Workplace::open().unwrap();
    let desk = Desk::new(settings, Transcript::kept(), clock, &place, None).unwrap();
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        panic!("{config:?} {config:#?} {desk:?}");
    }));
    let said = panic.unwrap_err();
    let said = said.downcast_ref::<String>().unwrap();
    assert!(said.contains("Given(Secret)"), "{said}");
    assert_secret("panic", said);
}

#[test]
fn an_address_with_a_password_is_refused_without_it() {
    for scheme in ["https", "http"] {
        let url = format!("{scheme}://me:{KEY}@example.org");
        let output = command(&["--store", "memory", "--jev-base-url", &url]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.starts_with("serve2048: --jev-base-url: a name or password"), "{said}");
        assert_secret("standard error", &said);
        let help = command(&["--help"]).env("TYPESAFE_BASE_URL", &url).output().unwrap();
        assert!(help.status.success());
        assert_secret("help", &String::from_utf8(help.stdout).unwrap());
    }
}

#[tokio::test]
async fn where_nobody_is_trusted_it_is_missing_and_that_is_said() {
    let mut command = command(&["--port", "0", "--store", "memory"]);
    command.env("TYPESAFE_API_KEY", KEY).env("TYPESAFE_BASE_URL", "https://localhost:1");
    command.env("SSL_CERT_FILE", "/nonexistent").env("SSL_CERT_DIR", "/nonexistent");
    let process = Process::start(command);
    let agent = process.caller().state().await["agent"].clone();
    assert_eq!((&agent["players"][0], &agent["keyConfigured"]), (&json!("mcts"), &json!(true)));
    let reason = agent["roster"][0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("this system has no root certificates"), "{reason}");
}

#[tokio::test]
async fn over_https_nothing_is_said_before_the_service_has_proved_who_it_is() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let mut command = command(&["--port", "0", "--store", "memory"]);
    command.env("TYPESAFE_API_KEY", KEY).env("TYPESAFE_BASE_URL", url);
    // Somebody's root certificate, so that this does not hang on those of the machine.
    command.env("SSL_CERT_FILE", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/http/jev/ca.pem"));
    let listening = tokio::task::spawn_blocking(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut hello = [0; 2048];
        let count = stream.read(&mut hello).unwrap();
        drop(listener);
        hello[..count].to_vec()
    });
    let process = Process::start(command);
    let decision = super::step(&process.caller()).await["decision"].clone();
    let hello = listening.await.unwrap();
    assert_eq!(hello[..2], [0x16, 3], "a TLS handshake");
    assert_secret("what was said", &String::from_utf8_lossy(&hello));
    let reason = decision["reason"].as_str().unwrap();
    assert!(reason.starts_with("the service cannot be reached: "), "{reason}");
}

#[tokio::test]
async fn a_key_in_a_file_beside_the_program_is_found() {
    let model = Model::start([Reply::Legal(0, 0.9)]).await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".env"), format!("TYPESAFE_API_KEY=\"{KEY}\"\n")).unwrap();
    let start = |env: Option<&str>| {
        let mut command = command(&["--port", "0", "--store", "memory"]);
        command.current_dir(folder.path()).env("TYPESAFE_BASE_URL", model.url());
        if let Some(key) = env {
            command.env("TYPESAFE_API_KEY", key);
        }
        Process::start(command)
    };
    // Blank counts as absent, so that the file is looked at.
    for env in [None, Some(" ")] {
        let process = start(env);
        let caller = process.caller();
        assert_eq!(caller.state().await["agent"]["players"][0], "jev");
        assert_eq!(super::step(&caller).await["decision"]["source"], "jev");
    }
    let process = start(Some("another"));
    super::step(&process.caller()).await;
    let heads: Vec<_> = model.requests().into_iter().map(|request| request.head).collect();
    assert!(heads[1].contains(KEY) && heads[2].contains("Bearer another"), "{heads:?}");

    fs::write(folder.path().join(".env"), "TYPESAFE_API_KEY=\n").unwrap();
    let process = start(None);
    let agent: Value = process.caller().state().await["agent"].clone();
    assert_eq!((&agent["players"][0], &agent["keyConfigured"]), (&json!("mcts"), &json!(false)));
}
