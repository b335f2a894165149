//! The doctor, and what it says of proxies that stand between.

use std::time::Duration;

use server::{
    config::{Config, Timing},
    doctor::{Finding, Patience, examine},
};

use crate::{
    process::{Process, command},
    proxy::{self, Manner},
    table::{PATIENCE, Table},
};

/// Enough on a busy machine for what comes at once, and short for what does not come at all.
const PATIENT: Patience = Patience { answer: PATIENCE, first: PATIENCE, heartbeat: PATIENCE };

fn hasty() -> Patience {
    Patience { first: Duration::from_secs(2), heartbeat: Duration::from_secs(2), ..PATIENT }
}

/// A server whose heart beats often.
fn table() -> Table {
    let timing = Timing { heartbeat: Duration::from_millis(200), ..Timing::default() };
    Table::with(Config { timing, ..Config::default() })
}

/// What is to be mended, by a proxy of this manner.
async fn behind(manner: Manner, patience: Patience) -> Vec<String> {
    let table = table();
    let url = proxy::start(table.server.address(), manner, true).await;
    bad(&examine(&url, None, patience).await.unwrap())
}

fn bad(found: &[Finding]) -> Vec<String> {
    found.iter().filter(|found| found.is_bad()).map(ToString::to_string).collect()
}

#[tokio::test]
async fn a_server_in_order_has_nothing_to_be_mended() {
    let table = table();
    let found = examine(table.url(), None, PATIENT).await.unwrap();
    let said: Vec<_> = found.iter().map(ToString::to_string).collect();
    for expected in [
        "good: it answers, and is of this version",
        "good: its clock agrees",
        "good: events come at once",
        "good: the stream stays open, its heartbeat came",
        "good: its games are in memory",
    ] {
        assert!(said.iter().any(|said| said.starts_with(expected)), "{expected}: {said:?}");
    }
    // How many files may be open is this machine's to say.
    let bad = bad(&found);
    assert!(bad.iter().all(|bad| bad.contains("files")), "{bad:?}");
}

#[tokio::test]
async fn a_proxy_that_passes_everything_on_is_not_noticed() {
    let bad = behind(Manner::Passes, PATIENT).await;
    assert!(bad.iter().all(|bad| bad.contains("files")), "{bad:?}");
}

#[tokio::test]
async fn a_proxy_that_holds_events_back_is_named() {
    let bad = behind(Manner::HoldsBack(1 << 20), hasty()).await;
    assert!(
        bad.iter().any(|bad| bad.starts_with("to be mended: events are held back")
            && bad.contains("proxy_buffering off")),
        "{bad:?}"
    );
}

#[tokio::test]
async fn a_proxy_that_cuts_streams_off_is_named() {
    // After the first state, before any heartbeat.
    let table = Table::open();
    let url = proxy::start(table.server.address(), Manner::CutsOff(600), true).await;
    let bad = bad(&examine(&url, None, PATIENT).await.unwrap());
    assert!(
        bad.iter()
            .any(|bad| bad.contains("was cut off after") && bad.contains("proxy_read_timeout")),
        "{bad:?}"
    );
}

#[tokio::test]
async fn a_name_that_the_server_does_not_know_is_said() {
    let table = Table::open();
    let url = proxy::start(table.server.address(), Manner::Passes, false).await;
    let found = examine(&url, None, PATIENT).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].text.contains("start it with --allowed-host 127.0.0.1"), "{found:?}");
}

#[tokio::test]
async fn a_public_server_shows_its_room_to_its_operator() {
    let timing = Timing { heartbeat: Duration::from_millis(200), ..Timing::default() };
    let table = Table::with(Config { public: true, timing, ..Config::default() });
    let said = async |token: Option<&str>| {
        let found = examine(table.url(), token, PATIENT).await.unwrap();
        found.iter().map(ToString::to_string).collect::<String>()
    };
    let without = said(None).await;
    assert!(
        without.contains("not looked at: disk, open files and streams, since /metrics answers 401")
    );
    let operator = table.server.tokens().unwrap().operator.clone();
    let with = said(Some(&operator)).await;
    assert!(with.contains("files are open") || with.contains("files only"), "{with}");
    assert!(!with.contains(&operator));
}

#[tokio::test]
async fn it_is_a_command_whose_status_says_whether_all_is_well() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (url, said) in [
        (format!("http://{nobody}"), "to be mended: http://127.0.0.1:"),
        ("nonsense".to_owned(), "serve2048: nonsense is no address of a server: give one such as"),
        ("ftp://example.org".to_owned(), "serve2048: ftp://example.org is no address of a server"),
        (
            "http://me:secret@example.org".to_owned(),
            "serve2048: an address with a name in it is no",
        ),
    ] {
        let output = command(&["doctor", &url]).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.starts_with(said), "{text}");
    }
    let process = Process::start(command(&["--port", "0", "--store", "memory"]));
    let url = process.caller().url().to_owned();
    let output = tokio::task::spawn_blocking(move || command(&["doctor", &url]).output().unwrap());
    let text = String::from_utf8(output.await.unwrap().stderr).unwrap();
    assert!(
        text.contains("good: it answers") && text.contains("its heartbeat came after"),
        "{text}"
    );
}
