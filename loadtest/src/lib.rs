//! Drives a server hard, breaks it on purpose, and checks that nothing was lost.
//!
//! A scenario plays on a server of its own, with a temporary store on a free port, unless it is given the address of
//! one. It knows each game that it plays: it holds the seeds and the rules, so that it can say of every reply, every
//! board and every stored game what it must be. One thing that is wrong makes the exit status 1.

mod report;

mod latency;

mod wire;

mod seat;

mod table;

mod watched;

mod process;

mod serve;

mod moves;

mod kill;

mod disk;

mod clock;

mod rest;

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use tokio::runtime;

use self::{process::Program, report::Report};

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "loadtest", about, version)]
pub struct Arguments {
    #[command(subcommand)]
    scenario: Scenario,

    /// Print one JSON object instead of lines to read
    #[arg(long, global = true)]
    json: bool,

    /// Folder for the temporary stores: measures the disk that it is on [default: the system's]
    #[arg(long, value_name = "DIR", global = true)]
    folder: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Scenario {
    /// Plays over many connections, each as fast as it is answered: acknowledged moves a second
    Moves(moves::Options),
    /// Kills the server during moves, many times: no acknowledged move may be lost or doubled
    Kill(kill::Options),
    /// Takes the room from the store and gives it back, then damages its file byte by byte
    Disk(disk::Options),
    /// Has the server's clock jump, and stops its process for a while: nothing may come in a burst
    Clock(clock::Options),
    /// Measures what sessions cost that nobody needs
    Rest(rest::Options),
    /// The server that the scenarios start
    #[command(hide = true)]
    Serve(serve::Options),
}

/// Runs a scenario and writes its report to `out`.
///
/// # Errors
/// - When the scenario cannot be run at all, or `out` can't be written; what it found wrong is in the report, and makes
///   the exit status 1.
pub fn run(arguments: Arguments, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let Arguments { scenario, json, folder } = arguments;
    if let Scenario::Serve(options) = &scenario {
        return serve::run(options);
    }
    let program = Program::this(folder)?;
    // One thread: what it takes from the server's processors is known.
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let report: Report = runtime.context("no runtime for the load")?.block_on(async {
        match &scenario {
            Scenario::Moves(options) => moves::run(options, &program).await,
            Scenario::Kill(options) => kill::run(options, &program).await,
            Scenario::Disk(options) => disk::run(options, &program).await,
            Scenario::Clock(options) => clock::run(options, &program).await,
            Scenario::Rest(options) => rest::run(options, &program).await,
            Scenario::Serve(_) => unreachable!("a server is no scenario"),
        }
    })?;
    report.write(json, out).context("write the report")?;
    Ok(if report.is_well() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
