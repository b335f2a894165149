//! The event stream as a script reads it: with `curl`.

use std::process::Stdio;

use protocol::{DriverKind, State};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader},
    process::{Child, Command},
    sync::watch,
};

/// A `curl` that reads the events of a session. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Stream {
    _curl: Child,
    address: String,
    states: watch::Receiver<Vec<State>>,
}

impl Stream {
    /// Reads the events at `address`.
    pub(crate) fn open(address: &str) -> Self {
        let mut curl = curl(&["--no-buffer", &format!("{address}/api/events")]);
        let mut curl = curl.spawn().expect("curl is installed: ./check.sh does that");
        let events = curl.stdout.take().expect("its standard output is piped");
        let (sender, states) = watch::channel(Vec::new());
        tokio::spawn(read(events, sender));
        Self { _curl: curl, address: address.to_owned(), states }
    }

    /// The newest state that came.
    pub(crate) fn newest(&self) -> Option<State> {
        self.states.borrow().last().cloned()
    }

    /// Plays a move as a script does.
    pub(crate) async fn play(&self, direction: &str) {
        let body = json!({ "direction": direction, "takeover": true }).to_string();
        let url = format!("{}/api/move", self.address);
        let arguments = ["--fail", "-H", "content-type: application/json", "-d", &body, &url];
        let output = curl(&arguments).output().await.expect("curl starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Whether a state has named `player` as the one who has the game, and a later one a person.
    pub(crate) fn names_takeover(&self, player: &str) -> bool {
        let states = self.states.borrow();
        let had = states.iter().rposition(|state| state.driver.name == player);
        let person = states.iter().rposition(|state| state.driver.kind == DriverKind::Human);
        had.zip(person).is_some_and(|(had, person)| person > had)
    }
}

fn curl(arguments: &[&str]) -> Command {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--noproxy", "*"]).args(arguments);
    curl.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    curl
}

/// Takes in every state that comes; what has a name of its own is no state.
async fn read(events: impl AsyncRead + Unpin, states: watch::Sender<Vec<State>>) {
    let mut lines = BufReader::new(events).lines();
    let mut named = false;
    while let Ok(Some(line)) = lines.next_line().await {
        if line.is_empty() {
            named = false;
        }
        named |= line.starts_with("event:");
        if let Some(data) = line.strip_prefix("data:").filter(|_| !named) {
            let state = serde_json::from_str(data).expect("an event without a name is a state");
            states.send_modify(|states| states.push(state));
        }
    }
}
