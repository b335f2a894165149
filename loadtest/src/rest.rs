//! `rest`: what a session costs that nobody needs, while it is loaded and when it has left memory; and what a subscriber
//! costs to whom nothing is shown.

mod subscribers;

use std::time::Duration;

use clap::{Args, value_parser};

use crate::{
    process::{Process, Program},
    report::Report,
    seat::Seat,
    serve::Level,
    table::{Look, check, seats},
};

/// The most bytes of a loaded session.
const MOST_BYTES: f64 = 4096.0;

/// From how many sessions on the figure means something.
const ENOUGH: u32 = 1000;

/// How often the server is looked at until the idle sessions have left.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How many sessions, and how long they stay.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Sessions; 0 leaves them out
    #[arg(long, default_value_t = 10_000)]
    sessions: u32,
    /// Moves that were played in each
    #[arg(long, default_value_t = 5)]
    moves: u32,
    /// Seconds after which an idle session leaves memory: longer than all of them take to be loaded
    #[arg(long, default_value_t = 30, value_parser = value_parser!(u64).range(1..))]
    idle_seconds: u64,
    /// Subscribers; 0 leaves them out
    #[arg(long, default_value_t = 10_000)]
    subscribers: u32,
    /// Seconds for which the subscribers are looked at
    #[arg(long, default_value_t = 40.0)]
    look_seconds: f64,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("rest");
    if options.sessions > 0 {
        sessions(options, program, &mut report).await?;
    }
    if options.subscribers > 0 {
        report = subscribers::measure(options, program, report).await?;
    }
    Ok(report)
}

/// Half of the sessions are loaded, then the others, and then nobody asks for them any more.
async fn sessions(options: &Options, program: &Program, report: &mut Report) -> anyhow::Result<()> {
    report.put("sessions", options.sessions);
    report.put("moves_each", options.moves);
    let folder = program.folder()?;
    let process = program.server(folder.path(), Level::Process).start()?;
    let mut seats = seats(&process.client()?, options.sessions as usize).await?;
    let mut wire = crate::wire::Wire::open(process.address).await?;
    for seat in &mut seats {
        for _ in 0..options.moves {
            seat.act(&mut wire).await?;
        }
    }
    process.stop()?;

    let idle = options.idle_seconds;
    let launch = program.server(folder.path(), Level::Process);
    let mut process = launch.with("--idle-seconds", &idle.to_string()).start()?;
    let (first, second) = seats.split_at(seats.len() / 2);
    let empty = process.usage()?.resident;
    // Twice, so that the connections and buffers of the looking itself are there before it counts.
    let half = loaded(&process, first, report).await?.max(loaded(&process, first, report).await?);
    let all = loaded(&process, second, report).await?;
    let here = process.sessions()?;
    report.expect(here >= u64::from(options.sessions), || {
        format!("only {here} sessions are loaded: give them more time with --idle-seconds")
    });
    let before = process.usage()?.cpu;
    while process.sessions()? > 1 {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let passivated = process.usage()?;
    let again = {
        loaded(&process, first, report).await?;
        loaded(&process, second, report).await?
    };
    process.stop()?;

    let each = |more: u64, less: u64, of: usize| (more as f64 - less as f64) / of as f64;
    let bytes = each(all, half, second.len());
    report.number("bytes_each_loaded", bytes);
    report.number("bytes_each_loaded_with_what_all_share", each(all, empty, seats.len()));
    report.number(
        "bytes_each_still_resident_when_passivated",
        each(passivated.resident, empty, seats.len()),
    );
    report.number("bytes_each_more_when_loaded_again", each(again, all, seats.len()));
    report.number("resident_empty_bytes", empty as f64);
    report.number("cpu_s_until_passivated", passivated.cpu.saturating_sub(before).as_secs_f64());
    // Of a few sessions, a page more or less says nothing.
    report.aim(bytes <= MOST_BYTES || options.sessions < ENOUGH, || {
        format!("a loaded session takes {bytes:.0} bytes")
    });
    Ok(())
}

/// Loads sessions by looking at each; gives the server's resident memory then.
async fn loaded(process: &Process, seats: &[Seat], report: &mut Report) -> anyhow::Result<u64> {
    check(process.address, seats.iter(), Look::States, report).await?;
    Ok(process.usage()?.resident)
}
