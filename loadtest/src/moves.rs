//! `moves`: many connections, each of which plays its next move as soon as the last is acknowledged.

use std::{
    cell::Cell,
    net::{SocketAddr, ToSocketAddrs as _},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::{Args, value_parser};
use futures_util::future::join_all;

use crate::{
    latency::Latency,
    process::{Process, Program, own_usage},
    report::Report,
    seat::Seat,
    serve::Level,
    table::{Look, check, progress, seats, shares},
    wire::Wire,
};

/// What is played, where and for how long.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Connections that are kept open
    #[arg(long, default_value_t = 64, value_parser = value_parser!(u16).range(1..))]
    connections: u16,
    /// Sessions that are played, each by one connection
    #[arg(long, default_value_t = 1024, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Seconds that are measured
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Seconds before that
    #[arg(long, default_value_t = 2.0)]
    warm_up: f64,
    /// What an acknowledged move survives, on a server of its own
    #[arg(long, value_enum, default_value_t)]
    level: Level,
    /// Play on the server at this address, such as `127.0.0.1:2048`, instead of one of its own
    #[arg(long, value_name = "ADDRESS", conflicts_with = "level")]
    url: Option<String>,
}

/// What is going on, for all connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    WarmUp,
    Measured,
    Over,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let folder = program.folder()?;
    let process = match options.url {
        Some(_) => None,
        None => Some(program.server(folder.path(), options.level).start()?),
    };
    let address = match (&options.url, &process) {
        (Some(url), _) => address_of(url)?,
        (None, Some(process)) => process.address,
        (None, None) => unreachable!("without an address there is a server"),
    };
    let mut report = Report::new("moves");
    report.put("connections", options.connections);
    report.put("sessions", options.sessions);
    if options.url.is_none() {
        report.put("level", format!("{:?}", options.level).to_lowercase());
    }
    let seats = seats(address, options.sessions as usize).await?;
    let seats = measure(options, address, process.as_ref(), seats, &mut report).await?;
    report.put("games", seats.iter().map(Seat::games).sum::<usize>());
    check(address, seats.iter(), Look::Games, &mut report).await?;
    process.map_or(Ok(()), Process::stop)?;
    Ok(report)
}

async fn measure(
    options: &Options,
    address: SocketAddr,
    process: Option<&Process>,
    seats: Vec<Seat>,
    report: &mut Report,
) -> anyhow::Result<Vec<Seat>> {
    let phase = Cell::new(Phase::WarmUp);
    let players = shares(seats, usize::from(options.connections))
        .into_iter()
        .map(|share| play(address, share, &phase));
    let clock = async {
        let bar = progress("playing", Duration::from_secs_f64(options.seconds.ceil()).as_secs());
        tokio::time::sleep(Duration::from_secs_f64(options.warm_up)).await;
        let usage = || process.map(Process::usage).transpose();
        let (begun, before, own) = (Instant::now(), usage()?, own_usage()?);
        phase.set(Phase::Measured);
        tokio::time::sleep(Duration::from_secs_f64(options.seconds)).await;
        phase.set(Phase::Over);
        bar.finish_and_clear();
        anyhow::Ok((
            begun.elapsed(),
            before.zip(usage()?),
            own_usage()?.cpu.saturating_sub(own.cpu),
        ))
    };
    let (played, clock) = futures_util::join!(join_all(players), clock);
    let (elapsed, server, own) = clock?;
    let (mut latency, mut seats) = (Latency::new(), Vec::new());
    for (took, share, fault) in played {
        latency.merge(&took);
        seats.extend(share);
        if let Some(fault) = fault {
            report.fault(format!("{fault:#}"));
        }
    }
    let moves = latency.count() as f64;
    report.number("seconds", elapsed.as_secs_f64());
    report.put("moves", latency.count());
    report.number("moves_per_s", moves / elapsed.as_secs_f64());
    report.latency("", &latency);
    report.number("load_cpu_us_per_move", own.as_secs_f64() * 1e6 / moves);
    if let Some((before, after)) = server {
        let cpu = after.cpu.saturating_sub(before.cpu).as_secs_f64();
        report.number("server_cpu_s", cpu);
        report.number("server_cpu_us_per_move", cpu * 1e6 / moves);
        report.number("moves_per_server_cpu_s", moves / cpu);
        report.put("server_resident_bytes", after.resident);
    }
    Ok(seats)
}

/// One connection: its sessions in turn, until it is over or something is wrong.
async fn play(
    address: SocketAddr,
    mut share: Vec<Seat>,
    phase: &Cell<Phase>,
) -> (Latency, Vec<Seat>, Option<anyhow::Error>) {
    let mut latency = Latency::new();
    let played = async {
        let mut wire = Wire::open(address).await?;
        let mut turn = 0;
        while phase.get() != Phase::Over && !share.is_empty() {
            let place = turn % share.len();
            turn += 1;
            let (measured, asked) = (phase.get() == Phase::Measured, Instant::now());
            let moved = share[place].act(&mut wire).await?;
            if moved && measured {
                latency.add(asked.elapsed());
            }
        }
        Ok(())
    };
    let fault = played.await.err();
    (latency, share, fault)
}

fn address_of(url: &str) -> anyhow::Result<SocketAddr> {
    let bare = url.trim_start_matches("http://").trim_end_matches('/');
    let found = bare.to_socket_addrs().with_context(|| format!("look {url} up"))?.next();
    found.with_context(|| format!("{url} has no address"))
}
