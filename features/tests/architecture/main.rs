//! What the folders promise each other, checked on the dependency graph and on the sources.

mod sources;

use std::{collections::BTreeSet, process::Command};

use sources::{Source, features, sources};

/// Crates that bring a runtime, a socket, a database or a screen.
const SHELL: [&str; 8] =
    ["actix", "tokio", "reqwest", "hyper", "rusqlite", "ratatui", "egui", "tracing"];

/// Parts of `impl Session` and `impl Lobby` in files of their own, by what they do; all else in an actor's folder is its
/// core.
const SHELL_PARTS: [&str; 9] = [
    "server/src/actors/lobby/expiring.rs",
    "server/src/actors/lobby/loading.rs",
    "server/src/actors/lobby/requests.rs",
    "server/src/actors/session/agent.rs",
    "server/src/actors/session/carrying.rs",
    "server/src/actors/session/leaving.rs",
    "server/src/actors/session/links.rs",
    "server/src/actors/session/requests.rs",
    "server/src/actors/session/saving.rs",
];

/// The files of the clients that may start a server inside themselves.
const SERVING: [&str; 3] =
    ["client-egui/src/link/local.rs", "client-egui/src/link/worker.rs", "client-term/src/local.rs"];

/// Files that may be long, each with its reason.
const LONG: [(&str, &str); 1] = [(
    "store/src/contract/archive.rs",
    "a test suite, in the library because every adapter runs it",
)];

#[test]
fn engine_and_players_know_no_shell() {
    for package in ["engine", "players"] {
        let shells = depends_on(package, &SHELL);
        assert!(shells.is_empty(), "{package} depends on {shells:?}");
    }
}

#[test]
fn engine_and_players_see_no_clock_no_thread_and_no_socket() {
    let (mut seen, mut lines) = (Vec::new(), 0);
    let pure = |source: &&Source| source.is_under("engine/src") || source.is_under("players/src");
    for source in sources().iter().filter(pure) {
        for line in source.code() {
            lines += 1;
            // Atomics and once-cells are no threads; everything that starts, waits or connects has its module's name.
            for banned in
                ["Instant", "SystemTime", "thread::", "std::thread", "std::net", "std::process"]
            {
                if line.contains(banned) {
                    seen.push(format!("{}: {line}", source.path));
                }
            }
        }
    }
    assert!(lines > 1_000, "the check finds {lines} lines");
    assert!(seen.is_empty(), "{seen:#?}");
}

/// The lints say it to whoever writes it, and know a call under every name.
#[test]
fn the_lints_of_engine_and_players_ban_clocks_threads_and_sockets() {
    for package in ["engine", "players"] {
        let path = format!("{}/../{package}/clippy.toml", env!("CARGO_MANIFEST_DIR"));
        let lints = std::fs::read_to_string(&path).expect("the package has its own lints");
        for banned in [
            "std::time::Instant::now",
            "std::time::SystemTime::now",
            "std::thread::spawn",
            "std::thread::scope",
            "std::thread::Builder::new",
            "std::thread::sleep",
            "std::net::TcpStream::connect",
            "std::net::TcpListener::bind",
            "std::net::UdpSocket::bind",
        ] {
            assert!(lints.contains(&format!("\"{banned}\"")), "{path} lets {banned} pass");
        }
    }
}

#[test]
fn engine_types_know_no_wire() {
    assert!(depends_on("engine", &["serde"]).is_empty());
}

#[test]
fn only_the_server_knows_actix() {
    for package in ["engine", "players", "protocol", "store", "client", "lab"] {
        let actix = depends_on(package, &["actix"]);
        assert!(actix.is_empty(), "{package} depends on {actix:?}");
    }
    // The terminal, the window and the load tests start whole servers inside themselves; they see nothing of what these
    // are made of.
    for package in ["client-term", "client-egui", "loadtest"] {
        assert!(names_itself(package, &["actix"]).is_empty(), "{package} names actix");
    }
    assert!(!names_itself("server", &["actix"]).is_empty(), "the check finds no actix at all");
}

#[test]
fn clients_reach_the_rules_only_through_the_wire() {
    let inside = depends_on("client", &["server", "store", "players"]);
    assert!(inside.is_empty(), "client depends on {inside:?}");
    let screens = depends_on("client", &["ratatui", "egui"]);
    assert!(screens.is_empty(), "the shared client knows a screen: {screens:?}");
    for client in ["client-term", "client-egui"] {
        let rules = names_itself(client, &["engine", "players", "store"]);
        assert!(rules.is_empty(), "{client} names {rules:?}");
    }
    for source in sources() {
        if !(source.is_under("client-term/src") || source.is_under("client-egui/src")) {
            continue;
        }
        let starts_one = SERVING.contains(&source.path.as_str());
        let names_it = source.code().any(|line| line.contains("use server"));
        assert_eq!(names_it, starts_one, "{}: another file starts a server", source.path);
    }
}

#[test]
fn the_terminal_client_needs_no_window() {
    const WINDOWS: [&str; 9] =
        ["egui", "eframe", "winit", "glutin", "glow", "wgpu", "x11", "wayland", "accesskit"];
    for package in ["client", "client-term", "server"] {
        let windows = depends_on(package, &WINDOWS);
        assert!(windows.is_empty(), "{package} depends on {windows:?}");
    }
    assert!(!depends_on("client-egui", &WINDOWS).is_empty(), "the check finds no window at all");
}

#[test]
fn no_actor_holds_a_lock() {
    for source in sources().iter().filter(|source| source.is_under("server/src/actors")) {
        for lock in ["Mutex", "RwLock"] {
            assert!(!source.code().any(|line| line.contains(lock)), "{} has a {lock}", source.path);
        }
    }
}

/// A program inherits the environment of the one that starts it, and the key of the hosted model may be in there.
#[test]
fn nothing_that_may_hold_the_key_starts_programs() {
    let product = |source: &&Source| source.path.contains("/src/");
    let starts = |source: &&Source| source.code().any(|line| line.contains("Command::new("));
    let found: Vec<_> =
        sources().iter().filter(product).filter(starts).map(|s| s.path.clone()).collect();
    assert_eq!(
        found,
        ["loadtest/src/process.rs"],
        "the load test starts servers, nothing else starts anything"
    );
}

#[test]
fn the_core_of_an_actor_never_sees_actix() {
    let inner = |source: &&Source| source.is_under("server/src/actors") && source.depth() > 4;
    let core = |source: &&Source| !SHELL_PARTS.iter().any(|part| source.is_under(part));
    let sources = sources();
    for source in sources.iter().filter(inner).filter(core) {
        assert!(!source.code().any(|line| line.contains("actix")), "{} sees actix", source.path);
    }
    let table = "server/src/actors/session/table.rs";
    assert!(sources.iter().any(|source| source.path == table), "the core has moved");
}

#[test]
fn no_test_is_ignored() {
    let marker = concat!("#[", "ignore");
    for source in sources() {
        assert!(!source.text.contains(marker), "{} ignores a test", source.path);
    }
}

#[test]
fn files_stay_readable() {
    let long: Vec<_> = sources()
        .iter()
        .map(|source| (source.code().count(), source.path.clone()))
        .filter(|(lines, path)| *lines > 400 && !LONG.iter().any(|(long, _)| long == path))
        .collect();
    assert!(long.is_empty(), "split these: {long:?}");
}

#[test]
fn features_are_short() {
    for feature in features() {
        let scenarios = feature.scenarios();
        assert!(scenarios.len() <= 8, "{} has {} scenarios", feature.path, scenarios.len());
        for (name, steps) in scenarios {
            assert!(steps <= 8, "{}: \"{name}\" has {steps} steps", feature.path);
        }
    }
}

#[test]
fn features_speak_the_words_of_a_player() {
    for feature in features() {
        let words: BTreeSet<_> =
            feature.text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        for technical in ["http", "json", "api", "post", "get", "id", "url", "status", "sse"] {
            assert!(!words.contains(technical), "{} says {technical}", feature.path);
        }
    }
}

#[test]
fn every_player_is_held_to_the_contract() {
    let players = features().into_iter().find(|feature| feature.path == "features/players.feature");
    let players = players.expect("there is a feature about players");
    let examples = players.text.matches("Examples:").count();
    for player in players::roster() {
        let row = format!("| {} ", player.name);
        assert_eq!(players.text.matches(&row).count(), examples, "{}", player.name);
    }
}

#[test]
fn the_features_need_few_step_texts() {
    let steps: usize = sources()
        .iter()
        .filter(|source| source.is_under("features/tests/behaviour"))
        .flat_map(Source::code)
        .filter(|line| ["#[given(", "#[when(", "#[then("].iter().any(|step| line.starts_with(step)))
        .count();
    // Two to three texts for each of some twenty features; more means that one of them says a thing in its own way.
    assert!((1..=60).contains(&steps), "{steps} step texts");
}

/// The crates in the dependency tree of `package`, itself left out, whose names begin like one of `names`.
fn depends_on(package: &str, names: &[&str]) -> Vec<String> {
    tree(package, names, &[])
}

/// Those of them that `package` itself asks for.
fn names_itself(package: &str, names: &[&str]) -> Vec<String> {
    tree(package, names, &["--depth", "1"])
}

fn tree(package: &str, names: &[&str], options: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--edges", "normal,build", "--prefix", "none", "-p", package])
        .args(options)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let crates: BTreeSet<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    crates
        .into_iter()
        .filter(|&found| found != package && names.iter().any(|&name| found.starts_with(name)))
        .map(str::to_owned)
        .collect()
}
