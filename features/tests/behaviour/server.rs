//! A server of its own for a scenario: the real program, on a free port.

use std::{
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader},
    process::{Child, Command},
};

use crate::programs::program;

/// How long a program may take to say that it is ready, on a machine that does much else.
pub(crate) const START: Duration = Duration::from_mins(1);

/// A running server. It is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    port: u16,
    /// Where it keeps its games; in memory without one.
    data: Option<TempDir>,
    /// What it has printed on standard output, where somebody reads that.
    printed: Arc<Mutex<String>>,
}

/// The key of the model in every scenario that has one.
pub(crate) const KEY: &str = "apikey_canary_0918273645546372";

impl Server {
    /// Starts a server that keeps its games in memory.
    pub(crate) async fn in_memory() -> Self {
        Self::start(None, 0).await
    }

    /// Starts a server that keeps its games in memory and asks the model at `url`, so many
    /// times at most.
    pub(crate) async fn with_model(url: &str, times: Option<u32>) -> Self {
        let mut command = command(0);
        command.args(["--store", "memory", "--jev-base-url", url]);
        if let Some(times) = times {
            command.args(["--jev-session-budget", &times.to_string()]);
        }
        command.env("TYPESAFE_API_KEY", KEY).stdout(Stdio::piped());
        Self::run(command, None).await
    }

    /// What it has printed so far.
    pub(crate) fn printed(&self) -> String {
        self.printed.lock().expect("nobody panicked with the lock").clone()
    }

    /// Starts a server that keeps its games in a folder of its own.
    pub(crate) async fn on_disk() -> Self {
        Self::start(Some(TempDir::new().expect("a temporary folder can be made")), 0).await
    }

    /// Kills it without a warning and starts another one on the same port and folder.
    pub(crate) async fn kill_and_start(&mut self) {
        self.process.kill().await.expect("the server can be killed");
        *self = Self::start(self.data.take(), self.port).await;
    }

    async fn start(data: Option<TempDir>, port: u16) -> Self {
        let mut command = command(port);
        match &data {
            Some(folder) => command.arg("--data").arg(folder.path()),
            None => command.args(["--store", "memory"]),
        };
        Self::run(command, data).await
    }

    async fn run(mut command: Command, data: Option<TempDir>) -> Self {
        let mut process = command.spawn().expect("the server starts");
        let said = process.stderr.take().expect("its standard error is piped");
        let port = port_in(said, "http://127.0.0.1:").await;
        let printed = Arc::<Mutex<String>>::default();
        if let Some(output) = process.stdout.take() {
            tokio::spawn(read_on(output, Arc::clone(&printed)));
        }
        Self { process, port, data, printed }
    }

    /// Where it answers.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

/// The program on this port, in an environment without anything of the person who runs this.
fn command(port: u16) -> Command {
    let sources = ["engine", "players", "protocol", "store", "server"];
    let mut command = Command::new(program("serve2048", &sources));
    command.args(["--port", &port.to_string()]);
    // A key of that person must not add a player.
    for ours in
        ["TYPESAFE_API_KEY", "TYPESAFE_BASE_URL", "TYPESAFE_DEFAULT_MODEL", "SERVE2048_CONFIG"]
    {
        command.env_remove(ours);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// Adds what a program prints to `printed`, as long as it prints.
async fn read_on(output: impl AsyncRead + Unpin, printed: Arc<Mutex<String>>) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let mut printed = printed.lock().expect("nobody panicked with the lock");
        printed.push_str(&line);
        printed.push('\n');
    }
}

/// Reads what a program says until a line has `before` and a port; goes on reading, so that it can go on talking.
pub(crate) async fn port_in(said: impl AsyncRead + Unpin + Send + 'static, before: &str) -> u16 {
    let mut lines = BufReader::new(said).lines();
    let log = Arc::new(Mutex::new(String::new()));
    let find = async {
        while let Ok(Some(line)) = lines.next_line().await {
            if let Some(port) = port_after(&line, before) {
                return Some(port);
            }
            let mut log = log.lock().expect("nobody panicked with the lock");
            log.push_str(&line);
            log.push('\n');
        }
        None
    };
    let port = tokio::time::timeout(START, find).await.ok().flatten();
    let Some(port) = port else {
        panic!("no \"{before}<port>\" in what it said:\n{}", log.lock().expect("no panic with it"));
    };
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    port
}

fn port_after(line: &str, before: &str) -> Option<u16> {
    let rest = &line[line.find(before)? + before.len()..];
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}
