//! `moves`: many connections, each of which plays its next move as soon as the last is acknowledged.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use clap::{Args, value_parser};
use futures_util::future::join_all;

use crate::{
    latency::Latency,
    place::Place,
    process::Program,
    report::Report,
    seat::Seat,
    table::{Look, check, progress, seats, shares},
    target::{Meter, Target, TargetOptions},
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
    #[command(flatten)]
    target: TargetOptions,
}

/// What is going on, for all connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    WarmUp,
    Measured,
    Over,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("moves");
    report.put("connections", options.connections);
    report.put("sessions", options.sessions);
    options.target.tell(&mut report);
    let target = options.target.open(program, options.connections.into())?;
    let seats = seats(&target.client()?, options.sessions as usize).await?;
    let seats = measure(options, &target, seats, &mut report).await?;
    report.put("games", seats.iter().map(Seat::games).sum::<usize>());
    check(target.place.clone(), seats.iter(), Look::Games, &mut report).await?;
    target.close(&mut report).await?;
    Ok(report)
}

async fn measure(
    options: &Options,
    target: &Target,
    seats: Vec<Seat>,
    report: &mut Report,
) -> anyhow::Result<Vec<Seat>> {
    let phase = Cell::new(Phase::WarmUp);
    let players = shares(seats, usize::from(options.connections))
        .into_iter()
        .map(|share| play(target.place.clone(), share, &phase));
    let clock = async {
        let bar = progress("playing", Duration::from_secs_f64(options.seconds.ceil()).as_secs());
        tokio::time::sleep(Duration::from_secs_f64(options.warm_up)).await;
        let meter = Meter::begin(target)?;
        phase.set(Phase::Measured);
        tokio::time::sleep(Duration::from_secs_f64(options.seconds)).await;
        phase.set(Phase::Over);
        bar.finish_and_clear();
        meter.used(target)
    };
    let (played, used) = futures_util::join!(join_all(players), clock);
    let used = used?;
    used.tell(report);
    let (mut latency, mut seats) = (Latency::new(), Vec::new());
    for (took, share, fault) in played {
        latency.merge(&took);
        seats.extend(share);
        if let Some(fault) = fault {
            report.fault(format!("{fault:#}"));
        }
    }
    let moves = latency.count() as f64;
    report.put("moves", latency.count());
    report.number("moves_per_s", moves / used.seconds);
    report.latency("", &latency);
    report.number("load_cpu_us_per_move", used.load_cpu * 1e6 / moves);
    if let Some(cpu) = used.server_cpu {
        report.number("server_cpu_us_per_move", cpu * 1e6 / moves);
        report.number("moves_per_server_cpu_s", moves / cpu);
    }
    Ok(seats)
}

/// One connection: its sessions in turn, until it is over or something is wrong.
async fn play(
    place: Place,
    mut share: Vec<Seat>,
    phase: &Cell<Phase>,
) -> (Latency, Vec<Seat>, Option<anyhow::Error>) {
    let mut latency = Latency::new();
    let played = async {
        let mut wire = Wire::open(place).await?;
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
