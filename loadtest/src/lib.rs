//! Drives a server hard, breaks it on purpose, and checks that nothing was lost.
//!
//! A scenario plays on a server of its own, with a temporary store on a free port, unless it is given the address of
//! one. It knows each game that it plays: it holds the seeds and the rules, so that it can say of every reply, every
//! board and every stored game what it must be. One thing that is wrong makes the exit status 1.

mod report;

mod latency;

mod place;

mod open_files;

mod wire;

mod stream;

mod show;

mod seat;

mod table;

mod watched;

mod process;

mod serve;

mod target;

mod audience;

mod play;

mod scene;

mod steady;

mod reconnect;

mod slow_readers;

mod half_open;

mod overload;

mod assault;

mod attack;

mod broken;

mod faults;

mod fuzz;

mod soak;

mod visits;

mod agents;

mod mixed;

mod moves;

mod kill;

mod disk;

mod clock;

mod rest;

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use tokio::{runtime, task::LocalSet};

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

    /// Count a missed target as an error: for a machine that does nothing else
    #[arg(long, global = true)]
    strict: bool,

    /// Draw the latency curves into this file: a picture if its name ends in .svg, else a page with the figures
    #[arg(long, value_name = "FILE", global = true)]
    report: Option<PathBuf>,

    /// Folder for the temporary stores: measures the disk that it is on [default: the system's]
    #[arg(long, value_name = "DIR", global = true)]
    folder: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Scenario {
    /// One session, thousands of subscribers: how long a move takes to each
    Fanout(steady::One),
    /// Thousands of sessions, each played and watched
    Sessions(steady::Many),
    /// Plays over many connections, each as fast as it is answered: acknowledged moves a second
    Moves(moves::Options),
    /// Kills the server during moves, many times: no acknowledged move may be lost or doubled
    Kill(kill::Options),
    /// Takes the room from the store and gives it back, then damages its file byte by byte
    Disk(disk::Options),
    /// Has the server's clock jump, and stops its process for a while: nothing may come in a burst
    Clock(clock::Options),
    /// Thousands of subscribers lose their stream at once, and are back
    Reconnect(reconnect::Options),
    /// Some subscribers never read: the others must not notice, and the server must get rid of them
    SlowReaders(slow_readers::Options),
    /// Readers go without a word: how long the server keeps what it holds for them
    HalfOpen(half_open::Options),
    /// Far more than the server can take: it must refuse in words, and be as before afterwards
    Overload(overload::Options),
    /// Everything that strangers do to a server, while people play: nothing may be lost, and nobody kept waiting
    Attack(attack::Options),
    /// Players that panic and hang, and sessions that panic: nobody elsewhere must notice, and the game goes on
    Faults(faults::Options),
    /// Requests, JSON and games that are valid but for random changes: no panic, and every refusal in words
    Fuzz(fuzz::Options),
    /// Everything at once, and the server is restarted in the middle of it
    Mixed(mixed::Options),
    /// Little load for a long time: what the server holds must not grow
    Soak(soak::Options),
    /// Measures what sessions cost that nobody needs
    Rest(rest::Options),
    /// The server that the scenarios start
    #[command(hide = true)]
    Serve(serve::Options),
    /// The attackers that `attack` starts
    #[command(hide = true)]
    Assault(assault::Options),
}

/// Runs a scenario and writes its report to `out`.
///
/// # Errors
/// - When the scenario cannot be run at all, or `out` can't be written; what it found wrong is in the report, and makes
///   the exit status 1.
pub fn run(arguments: Arguments, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let Arguments { scenario, json, strict, report: drawing, folder } = arguments;
    if let Scenario::Serve(options) = &scenario {
        return serve::run(options);
    }
    let program = Program::this(folder)?;
    // One thread: what it takes from the server's processors is known.
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("no runtime for the load")?;
    if let Scenario::Assault(options) = &scenario {
        let said = LocalSet::new().block_on(&runtime, attack::assault(options))?;
        writeln!(out, "{said}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut report: Report = LocalSet::new().block_on(&runtime, async {
        match &scenario {
            Scenario::Fanout(options) => steady::fan_out(options, &program).await,
            Scenario::Sessions(options) => steady::sessions(options, &program).await,
            Scenario::Reconnect(options) => reconnect::run(options, &program).await,
            Scenario::SlowReaders(options) => slow_readers::run(options, &program).await,
            Scenario::Mixed(options) => mixed::run(options, &program).await,
            Scenario::HalfOpen(options) => half_open::run(options, &program).await,
            Scenario::Overload(options) => overload::run(options, &program).await,
            Scenario::Soak(options) => soak::run(options, &program).await,
            Scenario::Moves(options) => moves::run(options, &program).await,
            Scenario::Kill(options) => kill::run(options, &program).await,
            Scenario::Disk(options) => disk::run(options, &program).await,
            Scenario::Clock(options) => clock::run(options, &program).await,
            Scenario::Rest(options) => rest::run(options, &program).await,
            Scenario::Faults(options) => faults::run(options, &program).await,
            Scenario::Fuzz(options) => fuzz::run(options, &program).await,
            Scenario::Attack(options) => attack::run(options, &program).await,
            Scenario::Serve(_) | Scenario::Assault(_) => {
                unreachable!("what a scenario starts is none")
            }
        }
    })?;
    if strict {
        report.be_strict();
    }
    report.write(json, out).context("write the report")?;
    if let Some(path) = drawing {
        report.draw(&path)?;
    }
    Ok(if report.is_well() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
