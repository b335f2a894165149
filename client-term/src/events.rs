//! The events as lines of JSON, for scripts: states as they came, others as `{"event":NAME,"data":...}`.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use client::{Client, Subscription, Update};
use protocol::{Heartbeat, Watchers};
use serde_json::json;

use crate::{
    printable::printable_json,
    signals::{Signal, Signals},
};

/// Prints until the session ends or a signal comes.
///
/// # Errors
/// - if `out` can't be written to
pub async fn run(client: Client, mut out: impl Write) -> io::Result<ExitCode> {
    let mut signals = Signals::listen()?;
    let mut subscription = Subscription::open(client);
    loop {
        let update = tokio::select! {
            update = subscription.next() => update,
            signal = signals.next() => match signal {
                Signal::Stop => {
                    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
                    continue;
                }
                Signal::Continue => continue,
                ending => return Ok(ExitCode::from(ending.exit_status())),
            },
        };
        let Some(update) = update else { return Ok(ExitCode::SUCCESS) };
        if let Some(line) = line(update)? {
            writeln!(out, "{}", printable_json(&line))?;
            out.flush()?;
        }
    }
}

fn line(update: Update) -> io::Result<Option<String>> {
    let (event, data) = match update {
        Update::State(snapshot) => return Ok(Some(snapshot.json)),
        // It is ours and not the server's.
        Update::Connection(_) => return Ok(None),
        Update::Watchers(count) => ("watchers", serde_json::to_value(Watchers { count })?),
        Update::Heartbeat(seq) => ("hb", serde_json::to_value(Heartbeat { seq })?),
        Update::Note(note) => ("note", serde_json::to_value(note)?),
        Update::Bye(bye) => ("bye", serde_json::to_value(bye)?),
    };
    Ok(Some(json!({ "event": event, "data": data }).to_string()))
}

#[cfg(test)]
mod tests {
    use client::{Connection, Snapshot};
    use protocol::Note;

    use super::*;

    #[test]
    fn states_come_as_they_are_and_others_with_their_name() {
        let text = include_str!("../../protocol/golden/state-new-game.json");
        let json = String::from(r#"{"protocol":1,"and":"more"}"#);
        let state = serde_json::from_str(text).unwrap();
        let snapshot = Box::new(Snapshot { state, json: json.clone() });
        assert_eq!(line(Update::State(snapshot)).unwrap(), Some(json));
        assert_eq!(line(Update::Connection(Connection::Live)).unwrap(), None);
        let note = Note { text: "new top tile".into(), kind: "milestone".into() };
        assert_eq!(
            line(Update::Note(note)).unwrap().unwrap(),
            r#"{"data":{"kind":"milestone","text":"new top tile"},"event":"note"}"#
        );
        assert_eq!(
            line(Update::Heartbeat(7)).unwrap().unwrap(),
            r#"{"data":{"seq":7},"event":"hb"}"#
        );
    }
}
