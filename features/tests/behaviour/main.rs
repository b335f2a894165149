//! Runs every `*.feature` file of this package; a step without code is a failure.
//!
//! `cargo test -p features --test behaviour -- --name PATTERN` runs the scenarios whose names match.

mod paper;
mod thought;

mod browser;
#[expect(dead_code, reason = "the server's own tests make it do more than scenarios do")]
#[path = "../../../server/tests/stub/model.rs"]
mod model;

mod programs;
mod server;
mod table;
mod watcher;

#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the terminal client's own tests make it do more than scenarios do"
)]
#[path = "../../../client-term/tests/screen/pty.rs"]
mod pty;
mod screens;
mod stream;
mod terminal;
mod window;

mod world;

mod steps;

use std::process::ExitCode;

use cucumber::{ScenarioType, World as _, WriterExt as _, gherkin, writer, writer::Stats as _};
use world::World;

/// Scenarios at once: each of them may have a server of its own, and the machine two cores.
const AT_ONCE: usize = 4;

#[tokio::main]
async fn main() -> ExitCode {
    let writer = World::cucumber()
        .max_concurrent_scenarios(AT_ONCE)
        .which_scenario(|feature, _, scenario| {
            let background = feature.background.iter().flat_map(|background| &background.steps);
            if background.chain(&scenario.steps).any(has_a_window) {
                ScenarioType::Serial
            } else {
                ScenarioType::Concurrent
            }
        })
        .after(|_, _, _, _, world| {
            Box::pin(async {
                if let Some(world) = world {
                    world.close().await;
                }
            })
        })
        .with_writer(writer::Basic::stdout().summarized().fail_on_skipped())
        .run(env!("CARGO_MANIFEST_DIR"))
        .await;
    close(*writer.scenarios_stats(), writer.parsing_errors() + writer.hook_errors())
}

/// A window that is drawn without a graphics card wants the machine for itself.
fn has_a_window(step: &gherkin::Step) -> bool {
    step.value.contains("the window is open") || step.value.contains("every kind of screen")
}

/// Prints the closing line that the check counts; the run fails when a scenario did, or when none ran.
#[expect(clippy::print_stdout, reason = "the closing line of a test runner")]
fn close(scenarios: writer::summarize::Stats, broken: usize) -> ExitCode {
    let failed = scenarios.failed + scenarios.skipped + broken;
    println!("{} passed, {failed} failed", scenarios.passed);
    if failed == 0 && scenarios.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
