//! Every scenario in small: the same command, with a few rounds instead of many.

use std::{
    io::{BufRead as _, BufReader},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// Runs a scenario to its end, which must be a good one; gives its report.
fn run(arguments: &[&str]) -> Value {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_loadtest"))
        .args(arguments)
        .arg("--json")
        .output()
        .expect("the tool starts");
    let [stdout, stderr] =
        [stdout, stderr].map(|text| String::from_utf8(text).expect("what it prints is text"));
    assert!(status.success(), "{stdout} {stderr}");
    let report: Value = serde_json::from_str(&stdout).expect("one report");
    assert_eq!((&report["errors"], &report["scenario"]), (&0.into(), &arguments[0].into()));
    report
}

fn number(report: &Value, name: &str) -> f64 {
    report[name].as_f64().unwrap_or_else(|| panic!("no {name} in {report}"))
}

#[test]
fn moves_are_acknowledged_and_stored_once() {
    for level in ["power", "process", "none"] {
        let size =
            ["--connections", "8", "--sessions", "20", "--warm-up", "0.1", "--seconds", "0.5"];
        let report = run(&[&["moves", "--level", level], &size[..]].concat());
        assert!(number(&report, "moves") > 0.0, "{report}");
        assert!(number(&report, "p50_ms") <= number(&report, "p99_ms"), "{report}");
        assert!(number(&report, "server_resident_bytes") > 0.0, "{report}");
    }
}

#[test]
fn a_server_that_is_killed_loses_nothing() {
    let report = run(&["kill", "--rounds", "4", "--sessions", "40", "--connections", "8"]);
    assert!(number(&report, "acknowledged_moves") > 0.0, "{report}");
}

#[test]
fn a_store_without_room_refuses_and_goes_on_when_there_is_room() {
    let report = run(&["disk", "--rounds", "2", "--sessions", "3", "--every", "101"]);
    assert!((5.5..6.5).contains(&number(&report, "refused_moves")), "{report}");
    assert!(number(&report, "damage_told") > 0.0, "{report}");
}

#[test]
fn a_clock_that_jumps_and_a_process_that_is_stopped_change_nothing() {
    let size = ["--sessions", "20", "--agents", "3"];
    let time = ["--stop-seconds", "1", "--look-seconds", "2"];
    let report = run(&[&["clock"], &size[..], &time[..]].concat());
    assert!(number(&report, "ahead_sessions_lost") < 1.0, "{report}");
}

#[test]
fn idle_sessions_leave_memory() {
    let size = ["--sessions", "40", "--moves", "2", "--idle-seconds", "5", "--subscribers", "0"];
    let report = run(&[&["rest"], &size[..]].concat());
    assert!(number(&report, "resident_empty_bytes") > 0.0, "{report}");
}

#[test]
fn idle_subscribers_are_counted() {
    let size = ["--sessions", "0", "--subscribers", "40", "--look-seconds", "1"];
    let report = run(&[&["rest"], &size[..]].concat());
    assert!(number(&report, "server_resident_bytes") > 0.0, "{report}");
}

#[test]
fn every_subscriber_is_shown_every_last_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("report.html");
    let size = ["--subscribers", "40", "--rate", "20", "--seconds", "1", "--warm-up", "0.2"];
    let drawing = ["--ramp-seconds", "0.1", "--report", page.to_str().expect("a path in Unicode")];
    let report = run(&[&["fanout"], &size[..], &drawing[..]].concat());
    assert!(number(&report, "deliveries") >= 40.0, "{report}");
    assert!(number(&report, "p50_ms") > 0.0, "{report}");
    assert!(number(&report, "server_resident_bytes") > 0.0, "{report}");
    let page = std::fs::read_to_string(page).expect("the report was drawn");
    assert!(page.contains("from sending a move to a subscriber"), "{page}");
}

#[test]
fn many_sessions_are_played_and_watched_at_once() {
    let size = ["--sessions", "20", "--watchers", "2", "--rate", "2", "--connections", "4"];
    let time = ["--seconds", "1", "--warm-up", "0.2", "--ramp-seconds", "0.1", "--level", "none"];
    let report = run(&[&["sessions"], &size[..], &time[..]].concat());
    assert!(number(&report, "moves") >= 20.0, "{report}");
    assert!(number(&report, "deliveries") >= 40.0, "{report}");
}

#[test]
fn everybody_is_back_however_they_lost_their_stream() {
    for by in ["network", "term", "kill"] {
        let size = ["--subscribers", "30", "--sessions", "3", "--rounds", "2", "--rate", "30"];
        let time = ["--play-seconds", "0.3", "--ramp-seconds", "0.1", "--by", by];
        let report = run(&[&["reconnect"], &size[..], &time[..]].concat());
        assert!(number(&report, "all_back_max_ms") > 0.0, "{report}");
        assert!(number(&report, "commands") > 0.0, "{report}");
    }
}

#[test]
fn readers_that_stall_are_dropped() {
    let size = ["--subscribers", "10", "--stalled", "2", "--rate", "200"];
    let time = ["--seconds", "1", "--ramp-seconds", "0.1", "--level", "none"];
    let report = run(&[&["slow-readers"], &size[..], &time[..]].concat());
    assert!(number(&report, "all_dropped_after_s") > 0.0, "{report}");
}

#[test]
fn readers_that_go_without_a_word_are_forgotten() {
    let report = run(&["half-open", "--clients", "10"]);
    for way in ["fin", "rst", "silence"] {
        assert!(number(&report, &format!("{way}_freed_ms")) > 0.0, "{report}");
    }
}

#[test]
fn too_much_is_answered_or_refused_in_words() {
    let size = ["--sessions", "40", "--connections", "20", "--level", "none"];
    let report =
        run(&[&["overload"], &size[..], &["--seconds", "1", "--look-seconds", "1"]].concat());
    assert!(number(&report, "commands_per_s") > 0.0, "{report}");
    assert!(number(&report, "after_p99_ms") > 0.0, "{report}");
}

#[test]
fn people_play_on_while_strangers_attack() {
    let size = ["--sessions", "5", "--subscribers", "10", "--connections", "5", "--rate", "20"];
    let hard = ["--held", "300", "--attackers", "4", "--tries", "40", "--seconds", "2"];
    // Other tests run beside this one.
    let attack = ["attack", "--level", "none", "--priority", "low"];
    let report = run(&[&attack[..], &size[..], &hard[..]].concat());
    for kind in ["methods", "headers", "hosts", "origins", "tokens", "json", "imports"] {
        let count = &report["attacks"][kind];
        assert!(number(count, "tried") > 0.0, "{kind}: {report}");
        assert!(number(count, "worded") > 0.0, "{kind}: {report}");
    }
    let refused = &report["refusals_by_limit"];
    for limit in ["connections_per_address", "host", "origin", "token", "headers", "body"] {
        assert!(number(refused, limit) > 0.0, "{limit}: {report}");
    }
    assert!(number(&report, "commands") > 0.0, "{report}");
}

#[test]
fn what_breaks_in_one_game_is_not_noticed_in_another() {
    let size = ["--sessions", "4", "--subscribers", "8", "--rate", "20"];
    let time = ["--rounds", "2", "--hangs", "1", "--level", "none"];
    let report = run(&[&["faults"], &size[..], &time[..]].concat());
    assert_eq!(report["panics"], 4, "{report}");
    assert!(number(&report, "session_panicked_and_answered_p50_ms") > 0.0, "{report}");
    assert!(number(&report, "hung_and_given_up_p50_ms") > 200.0, "{report}");
}

#[test]
fn what_is_nearly_a_request_is_answered_in_words() {
    let report = run(&["fuzz", "--seconds", "3", "--seed", "7"]);
    assert!(number(&report, "tried") > 0.0, "{report}");
    assert!(number(&report, "refused_in_words") > 0.0, "{report}");
    assert!(number(&report["statuses"], "200") > 0.0, "{report}");
}

#[test]
fn everything_at_once_survives_restarts() {
    let size = ["--sessions", "6", "--subscribers", "20", "--agents", "2", "--stalled", "2"];
    let time = ["--seconds", "4", "--restart-every", "1", "--rate", "40", "--churn", "10"];
    let report = run(&[&["mixed"], &size[..], &time[..]].concat());
    assert!(number(&report, "restarts") >= 2.0, "{report}");
    assert!(number(&report, "commands") > 0.0, "{report}");
}

#[test]
fn a_long_time_leaves_nothing_behind() {
    let size = ["--sessions", "5", "--subscribers", "10", "--rate", "20", "--churn", "20"];
    let time = ["--minutes", "0.05", "--warm-up", "1", "--looks", "4"];
    let report = run(&[&["soak"], &size[..], &time[..]].concat());
    assert!(number(&report, "resident_bytes_middle") > 0.0, "{report}");
    assert!(number(&report, "visits") > 0.0, "{report}");
}

#[test]
fn a_server_that_runs_somewhere_is_played_on_too() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_loadtest"))
        .args(["serve", "--level", "none", "--data", "unused"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a server starts");
    let mut address = String::new();
    let said = server.stdout.take().expect("its output");
    BufReader::new(said).read_line(&mut address).expect("it says where it is");
    let url = format!("http://{}/", address.trim());
    let size = ["--subscribers", "5", "--rate", "20", "--seconds", "0.5", "--warm-up", "0"];
    let report = run(&[&["fanout", "--url", &url, "--ramp-seconds", "0"], &size[..]].concat());
    assert!(number(&report, "deliveries") >= 5.0, "{report}");
    assert_eq!(report["server_cpu_s"], Value::Null);
    drop(server.stdin.take());
    assert!(server.wait().expect("it ends").success());
}
