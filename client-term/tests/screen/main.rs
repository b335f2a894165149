//! The program as a person meets it: in a terminal, in a pipe, with a server that comes and goes.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod needs;
mod pty;
mod real;
mod table;

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
    sync::Arc,
};

use nix::{
    sys::signal::{
        Signal::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP},
        kill,
    },
    unistd::Pid,
};
use protocol::{Direction, State};

use self::{pty::Pty, table::Table};

pub(crate) fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_client-term"))
}

/// An example, built along with the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let path = here.parent().unwrap().parent().unwrap().join("examples").join(name);
    assert!(path.exists(), "{} is not built", path.display());
    path
}

fn start(table: &Table, options: &[&str], environment: &[(&str, &str)]) -> Pty {
    let address = table.address();
    let options = [&["--server", address.as_str(), "--no-anim"], options].concat();
    Pty::start(&program(), &options, environment)
}

/// Starts the program and waits for its first picture.
async fn playing(seed: u64) -> (Arc<Table>, Pty) {
    let table = Table::open(seed).await;
    let pty = start(&table, &[], &[]);
    pty.until_shown("Your move");
    (table, pty)
}

/// A direction that changes the board, as the key for it.
fn legal_key(state: &State) -> &'static str {
    match state.legal[0] {
        Direction::Up => "w",
        Direction::Down => "s",
        Direction::Left => "a",
        Direction::Right => "d",
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_play_and_q_leaves() {
    let (table, mut pty) = playing(7).await;
    pty.press(legal_key(&table.state()));
    pty.until_shown("Moves 1 ");
    assert_eq!(table.state().moves, 1);
    pty.press("q");
    assert!(pty.until_ended().success());
    pty.is_restored();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_do_is_seen() {
    let (table, pty) = playing(7).await;
    let legal = table.state().legal[0];
    assert!(table.play(legal, "rules"));
    pty.until_shown("Moves 1 ");
    pty.until_shown("by rules");
    table.change(|state| state.score = 12_340);
    pty.until_shown("Score 12,340");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_takes_the_game_over_from_a_player() {
    let (table, mut pty) = playing(7).await;
    pty.press("p3 ");
    pty.until_shown("Corner rules (up and right) plays");
    pty.until(" a move of it", |screen| !screen.contents().contains("Moves 0 "));
    pty.press(legal_key(&table.state()));
    pty.until_shown("You took over from rules");
    pty.until_shown("Your move");
    assert!(!table.state().agent.running);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_survives_every_size_and_draws_again() {
    let (table, mut pty) = playing(7).await;
    for (cols, rows) in [(1, 1), (0, 0), (28, 8), (500, 2), (2, 200)] {
        pty.resize(cols, rows);
        table.change(|state| state.score += 4);
        let score = table.state().score;
        pty.resize(80, 24);
        pty.until_shown(&format!("Score {score} "));
    }
    pty.resize(20, 6);
    pty.until_shown("(20x6): 29x9 needed");
    pty.resize(29, 9);
    pty.until_shown("┌──────┬");
    pty.press("q");
    assert!(pty.until_ended().success());
    pty.is_restored();
}

#[tokio::test(flavor = "multi_thread")]
async fn signals_end_it_and_the_terminal_is_restored() {
    for (signal, status) in [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] {
        let (_table, mut pty) = playing(7).await;
        pty.signal(signal);
        assert_eq!(pty.until_ended().exit_code(), status, "{signal:?}");
        pty.is_restored();
    }
    let (_table, mut pty) = playing(7).await;
    pty.press("\u{3}");
    assert!(pty.until_ended().success(), "control and C");
    pty.is_restored();
}

#[tokio::test(flavor = "multi_thread")]
async fn it_stops_and_continues_by_key_and_by_signal() {
    let (table, mut pty) = playing(7).await;
    for by_key in [true, false] {
        if by_key {
            pty.press("\u{1a}");
        } else {
            pty.signal(SIGTSTP);
        }
        pty.until("the first screen", |screen| !screen.alternate_screen() && !screen.hide_cursor());
        pty.until_stopped();
        pty.signal(SIGCONT);
        pty.until("the other screen", |screen| screen.alternate_screen() && screen.hide_cursor());
        table.change(|state| state.score += 4);
        let score = table.state().score;
        pty.until_shown(&format!("Score {score} "));
    }
    pty.press("q");
    assert!(pty.until_ended().success());
    pty.is_restored();
}

#[test]
fn a_panic_is_reported_after_the_terminal_is_restored() {
    let mut pty = Pty::start(&example("panics"), &[], &[]);
    assert_eq!(pty.until_ended().exit_code(), 101);
    pty.is_restored();
    assert!(pty.contents().contains("the floor is gone"), "{}", pty.contents());
    assert!(pty.raw().contains("falling"), "it was drawn on the other screen");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_no_color_there_are_no_colours() {
    let table = Table::open(7).await;
    let coloured = |raw: &str| {
        let mut parts = raw.split("\u{1b}[").skip(1).filter_map(|part| part.split_once('m'));
        parts.any(|(codes, _)| {
            let mut codes = codes.split(';').filter_map(|code| code.parse::<u16>().ok());
            codes.any(|code| matches!(code, 30..=38 | 40..=48 | 90..=97 | 100..=107))
        })
    };
    let pty = start(&table, &[], &[("NO_COLOR", "1")]);
    pty.until_shown("Your move");
    assert!(!coloured(&pty.raw()));
    let pty = start(&table, &[], &[]);
    pty.until_shown("Your move");
    assert!(coloured(&pty.raw()), "the test knows colours when it sees them");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dumb_terminal_gets_lines_only() {
    let table = Table::open(7).await;
    let mut pty = start(&table, &[], &[("TERM", "dumb")]);
    pty.until_shown("move 0, score 0");
    pty.press("b\n");
    pty.until_shown(". .");
    pty.press("q\n");
    assert!(pty.until_ended().success());
    assert!(!pty.raw().contains('\u{1b}'));
    pty.is_restored();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_comes_back_is_found_again() {
    let (table, mut pty) = playing(7).await;
    for _ in 0..2 {
        table.stop().await;
        pty.until_shown("Reconnecting");
        pty.press("a");
        pty.until_shown("Not sent: reconnecting");
        table.change(|state| {
            state.boot.push('x');
            state.moves += 3;
        });
        table.start().await;
        let moves = table.state().moves;
        pty.until_shown(&format!("The server restarted; the game continues at move {moves}."));
        pty.until_shown(&format!("Moves {moves} "));
        pty.until_shown("Live");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_a_game_that_is_over_prints_its_summary() {
    let (table, mut pty) = playing(7).await;
    table.change(|state| {
        state.game_over = true;
        state.legal.clear();
        (state.score, state.moves, state.merge_count) = (2900, 301, 240);
        (state.max_tile, state.grid[2][1]) = (256, Some(256));
    });
    pty.until_shown("2,900 points, 301 moves");
    pty.press("q");
    assert!(pty.until_ended().success());
    let contents = pty.contents();
    let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
    let summary = [
        "Number of successful moves: 301",
        "Score: 2900",
        "Merge count: 240",
        "Max tile: 256",
        "Max tile coordinates: row 3, column 2",
    ];
    assert!(lines.windows(5).any(|window| window == summary), "{contents}");
}

/// Runs the program with pipes on all sides, `input` being typed into it.
async fn piped(table: &Table, options: &[&str], input: String) -> Output {
    let mut command = Command::new(program());
    command.args(["--server", &table.address()]).args(options).env_remove("NO_COLOR");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = move || {
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        child.wait_with_output().unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_plays_a_seed_to_its_known_end() {
    let table = Table::open(1).await;
    let mut game = engine::Game::new(42);
    let directions = [
        (engine::Direction::Up, "up"),
        (engine::Direction::Left, "left"),
        (engine::Direction::Down, "down"),
        (engine::Direction::Right, "right"),
    ];
    let mut script = String::from("# a script\n");
    let mut expected = Vec::new();
    while !game.board().is_over() {
        for (direction, word) in directions {
            if game.board().is_over() {
                break;
            }
            script.push_str(word);
            script.push('\n');
            if game.play(direction).is_ok() {
                expected.push(format!("score {}", game.score()));
            }
        }
    }
    let output = piped(&table, &["--seed", "42"], script).await;
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}{}", text(&output.stderr));
    assert!(!out.contains('\u{1b}'), "a pipe gets lines only");
    let scores: Vec<&str> = out
        .lines()
        .filter(|line| line.contains("; new ") || line.contains(": new "))
        .filter_map(|line| line.rsplit("; ").next())
        .collect();
    assert_eq!(scores, expected);
    let summary =
        format!("Number of successful moves: {}\nScore: {}\n", game.moves(), game.score());
    assert!(out.contains(&summary), "{out}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_with_a_mistake_goes_on_and_fails() {
    let table = Table::open(7).await;
    let output = piped(&table, &["--plain"], "sideways\nb\n".into()).await;
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert!(out.contains("\"sideways\" is not a command") && out.contains(". ."), "{out}");
}

#[tokio::test(flavor = "multi_thread")]
async fn once_prints_the_state_and_exits() {
    let table = Table::open(7).await;
    let output = piped(&table, &["--once"], String::new()).await;
    assert!(output.status.success());
    assert_eq!(text(&output.stdout).lines().count(), 5);
    let output = piped(&table, &["--once", "--json"], String::new()).await;
    let state: State = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(state, table.state());
    table.stop().await;
    let output = piped(&table, &["--once"], String::new()).await;
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""));
    let said = text(&output.stderr);
    assert!(said.contains(&format!("{}: server not reachable", table.address())), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn json_prints_every_state_on_a_line() {
    use std::io::{BufRead, BufReader};

    let table = Table::open(7).await;
    let mut command = Command::new(program());
    command.args(["--server", &table.address(), "--json"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || {
        let line = tokio::task::block_in_place(|| lines.next().unwrap().unwrap());
        serde_json::from_str::<State>(&line).unwrap()
    };
    assert_eq!(next(), table.state());
    table.play(table.state().legal[0], "human");
    assert_eq!(next(), table.state());
    kill(Pid::from_raw(child.id().try_into().unwrap()), SIGTERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn help_and_version_are_printed() {
    let run = |option| Command::new(program()).arg(option).output().unwrap();
    let help = run("--help");
    for option in ["--server", "--session", "--token", "--seed", "--color", "--ascii", "--plain"] {
        assert!(text(&help.stdout).contains(option), "{option}");
    }
    assert!(text(&run("--version").stdout).starts_with("client-term 0."));
    assert_eq!(run("--sideways").status.code(), Some(2));
}
