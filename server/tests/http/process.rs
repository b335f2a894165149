//! What only a process can show: its options, its end, its death.

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read},
    path::Path,
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::{
    limits::half_a_request,
    table::{Caller, DEAD},
};

/// How the names of our variables begin.
const OURS: [&str; 2] = ["SERVE2048_", "TYPESAFE_"];

/// The binary with these options, in an environment without any of ours.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_serve2048"));
    for (name, _) in
        std::env::vars().filter(|(name, _)| OURS.iter().any(|ours| name.starts_with(ours)))
    {
        command.env_remove(name);
    }
    command.env_remove("RUST_LOG").args(args).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it to its end.
fn refused(args: &[&str]) -> String {
    let Output { status, stdout, stderr } = command(args).output().unwrap();
    assert_eq!(status.code(), Some(1), "{args:?}");
    assert_eq!(stdout, b"", "{args:?}");
    String::from_utf8(stderr).unwrap()
}

/// What a process says.
type Said = BufReader<Box<dyn Read + Send>>;

/// A server that runs; killed when the test is over.
pub(crate) struct Process {
    child: Child,
    stderr: Said,
    /// The line that says where it is.
    greeting: String,
}

impl Process {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let stderr = BufReader::new(Box::new(child.stderr.take().unwrap()) as Box<dyn Read + Send>);
        let mut process = Self { child, stderr, greeting: String::new() };
        let mut said = String::new();
        while !process.greeting.contains("serve2048 is at http") {
            process.greeting.clear();
            let read = process.stderr.read_line(&mut process.greeting).unwrap();
            assert_ne!(read, 0, "it ended: {said}");
            said.push_str(&process.greeting);
        }
        process
    }

    fn at(folder: &Path, more: &[&str]) -> Self {
        let folder = folder.to_str().unwrap();
        Self::start(command(&[&["--port", "0", "--data", folder], more].concat()))
    }

    pub(crate) fn caller(&self) -> Caller {
        let (_, rest) = self.greeting.split_once("http://").unwrap();
        let host = rest.split('/').next().unwrap();
        Caller::new(format!("http://{host}"))
    }

    /// The line that says where it is.
    pub(crate) fn greeting(&self) -> &str {
        &self.greeting
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
    }

    /// Its standard output, to be read while it runs.
    pub(crate) fn take_stdout(&mut self) -> ChildStdout {
        self.child.stdout.take().unwrap()
    }

    /// Its standard error after the greeting, likewise.
    pub(crate) fn take_stderr(&mut self) -> Said {
        std::mem::replace(&mut self.stderr, BufReader::new(Box::new(io::empty())))
    }

    /// Ends it, and gives back its status and what it said on standard output and standard error.
    fn end(mut self, signal: &str) -> (Option<i32>, String, String) {
        self.signal(signal);
        let status = self.child.wait().unwrap();
        let (mut out, mut err) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.stderr.read_to_string(&mut err).unwrap();
        (status.code(), out, err)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn number(state: &Value, field: &str) -> u64 {
    state[field].as_u64().unwrap()
}

#[tokio::test]
async fn a_game_survives_kill_9_and_its_agent_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged: Option<Value> = None;
    for round in 0..5 {
        let process = Process::at(folder.path(), &[]);
        let caller = process.caller();
        let mut events = caller.watch("").await;
        if let Some(old) = acknowledged {
            let state = events.state().await;
            for same in ["game", "epoch", "session"] {
                assert_eq!(state[same], old[same], "round {round}");
            }
            assert_ne!(state["boot"], old["boot"]);
            assert!(number(&state, "seq") >= number(&old, "seq"), "round {round}: {old} {state}");
            assert!(number(&state, "moves") >= number(&old, "moves"), "round {round}");
            assert_eq!(state["agent"]["running"], true, "round {round}");
        } else {
            let settings = json!({ "player": "mcts", "budgetMs": 20, "intervalSeconds": 0.05 });
            caller.start_agent(settings).await;
        }
        let begin = number(&caller.state().await, "moves");
        events.state_where(|state| number(state, "moves") >= begin + 4).await;
        let legal = caller.state().await["legal"][0].clone();
        let last = caller.post("move", &json!({ "direction": legal })).await.ok()["state"].clone();
        // Dropping it is SIGKILL.
        drop(process);
        while events.next().await.is_some() {}
        acknowledged = Some(last);
    }
}

#[tokio::test]
async fn a_signal_ends_it_in_order() {
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let process = Process::at(folder.path(), &[]);
        let mut events = process.caller().watch("").await;
        events.state().await;
        let (status, out, err) = process_end(process, signal).await;
        assert_eq!((status, out.as_str()), (Some(0), ""), "{err}");
        assert_eq!(events.named("bye").await.json()["reason"], "shutdown");
    }
}

#[tokio::test]
async fn a_second_interrupt_ends_it_at_once() {
    let process = Process::start(command(&["--port", "0", "--store", "memory"]));
    let address = process.caller().url().trim_start_matches("http://").parse().unwrap();
    // It would wait for the rest of this.
    let _half = half_a_request(address).await;
    process.caller().state().await;
    let ended = tokio::task::spawn_blocking(move || {
        let mut process = process;
        process.signal("INT");
        let mut line = String::new();
        while !line.contains("stopping") {
            line.clear();
            assert_ne!(process.stderr.read_line(&mut line).unwrap(), 0, "it ended");
        }
        process.end("INT")
    });
    assert_eq!(ended.await.unwrap().0, Some(130));
}

async fn process_end(process: Process, signal: &'static str) -> (Option<i32>, String, String) {
    tokio::task::spawn_blocking(move || process.end(signal)).await.unwrap()
}

#[tokio::test]
async fn a_port_that_is_taken_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::at(folder.path(), &[]);
    let port = process.caller().url().rsplit_once(':').unwrap().1.to_owned();
    let said = refused(&["--port", &port, "--store", "memory"]);
    assert!(said.contains(&format!("port {port}")) && said.contains("--port 0"), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
}

#[tokio::test]
async fn a_folder_in_use_is_named_with_its_process() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::at(folder.path(), &[]);
    let path = folder.path().to_str().unwrap();
    let said = refused(&["--port", "0", "--data", path]);
    assert!(said.contains(path) && said.contains(&process.child.id().to_string()), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    process.caller().state().await;
}

#[tokio::test]
async fn a_damaged_store_is_named_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::at(folder.path(), &[]);
    process.caller().deal(DEAD).await;
    process_end(process, "TERM").await;
    let files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let largest = files.max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap();
    let mut bytes = fs::read(&largest).unwrap();
    bytes[..64].fill(0x55);
    fs::write(&largest, &bytes).unwrap();
    let said = refused(&["--port", "0", "--data", folder.path().to_str().unwrap()]);
    assert!(said.contains(largest.to_str().unwrap()), "{said}");
    assert_eq!(fs::read(&largest).unwrap(), bytes);
}

#[tokio::test]
async fn the_command_line_wins_over_the_environment_and_that_over_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("serve2048.toml");
    let text =
        "max-streams = 5\nmax-streams-per-address = 5\nsearches = 5\nstore = \"memory\"\nport = 0";
    fs::write(&file, text).unwrap();
    let mut command = command(&["--searches", "7", "--config", file.to_str().unwrap()]);
    command.env("SERVE2048_SEARCHES", "6").env("SERVE2048_MAX_STREAMS_PER_ADDRESS", "6");
    let process = Process::start(command);
    let limits = process.caller().get("/api/version").await.ok()["limits"].clone();
    assert_eq!(
        (&limits["streams"], &limits["streamsPerAddress"], &limits["searches"]),
        (&json!(5), &json!(6), &json!(7))
    );
}

#[test]
fn options_that_make_no_sense_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("serve2048.toml");
    fs::write(&file, "port = 0\nprot = 1").unwrap();
    let file = file.to_str().unwrap();
    for (args, named) in [
        (vec!["--bind", "0.0.0.0"], "--public"),
        (vec!["--config", file], "prot"),
        (vec!["--config", "nowhere.toml"], "nowhere.toml"),
        (vec!["--max-streams", "0"], "--max-streams"),
    ] {
        let said = refused(&args);
        assert!(said.starts_with("serve2048: ") && said.contains(named), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    }
}

#[test]
fn help_says_what_there_is_and_what_wins() {
    let help = command(&["--help"]).output().unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    for word in ["--port", "--data", "--public", "SERVE2048_PORT", "TOML", "wins over"] {
        assert!(text.contains(word), "{word}");
    }
    assert_eq!(help.status.code(), Some(0));
}

#[tokio::test]
async fn a_public_server_prints_the_link_that_lets_play() {
    let args = ["--port", "0", "--store", "memory", "--bind", "0.0.0.0", "--public"];
    let process = Process::start(command(&args));
    let (_, token) = process.greeting.trim_end().split_once("/#token=").expect("a token");
    let caller = process.caller();
    caller.post("move", &json!({ "direction": "UP" })).await.refused(401);
    caller.with_token(token).play("UP").await;
}

#[tokio::test]
async fn json_logs_are_json_alone() {
    let args = ["--port", "0", "--store", "memory", "--log", "json"];
    let process = Process::start(command(&args));
    let first = process.greeting.clone();
    let (status, out, err) = process_end(process, "TERM").await;
    assert_eq!((status, out.as_str()), (Some(0), ""));
    for line in std::iter::once(first.as_str()).chain(err.lines()) {
        serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    }
}

#[tokio::test]
async fn games_are_verified_and_copied_while_they_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::at(folder.path(), &[]);
    let caller = process.caller();
    caller.start_agent(json!({ "player": "rules", "pace": "max" })).await;
    let mut events = caller.watch("").await;
    events.state_where(|state| number(state, "moves") > 20).await;
    let data = folder.path().to_str().unwrap();
    let said = |args: &[&str]| {
        let output = command(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };

    let (status, text) = said(&["verify", "--data", data]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("replay to what was stored; 0 do not"), "{text}");

    let copy = folder.path().join("copy");
    let (status, text) = said(&["--data", data, "backup", copy.to_str().unwrap()]);
    assert_eq!(status, Some(0), "{text}");
    let copied = Process::at(&copy, &[]);
    let (there, here) = (copied.caller().state().await, caller.state().await);
    assert!(number(&there, "moves") > 20);
    assert_eq!(there["game"], here["game"]);
    assert_ne!(there["epoch"], here["epoch"], "a copy has a history of its own");

    let (status, text) = said(&["--data", data, "backup", copy.to_str().unwrap()]);
    assert_eq!(status, Some(1), "a copy is not written over another: {text}");
    let nowhere = folder.path().join("nowhere");
    let (status, _) = said(&["verify", "--data", nowhere.to_str().unwrap()]);
    assert_eq!(status, Some(1));
}
