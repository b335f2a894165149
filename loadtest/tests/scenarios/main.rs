//! Every scenario in small: the same command, with a few rounds instead of many.

use std::process::{Command, Output};

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
    let report = run(&["rest", "--sessions", "40", "--moves", "2", "--idle-seconds", "5"]);
    assert!(number(&report, "resident_empty_bytes") > 0.0, "{report}");
}
