//! `kill`: the server is killed during moves, started again, and asked again for what it had not answered.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    time::{Duration, Instant},
};

use clap::{Args, value_parser};
use futures_util::future::{join, join_all};
use rand::RngExt as _;

use crate::{
    latency::Latency,
    process::Program,
    report::Report,
    seat::Seat,
    serve::Level,
    table::{Look, check, progress, seats, shares},
    wire::{self, Wire},
};

/// How long the server may take to answer again.
const BACK_WITHIN: Duration = Duration::from_secs(2);

/// How often, and among how many sessions.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How often the server is killed
    #[arg(long, default_value_t = 200)]
    rounds: u32,
    /// Sessions in the store
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Connections that play
    #[arg(long, default_value_t = 64, value_parser = value_parser!(u16).range(1..))]
    connections: u16,
    /// Milliseconds that are played before a kill, at most
    #[arg(long, default_value_t = 300, value_parser = value_parser!(u64).range(1..))]
    play_ms: u64,
    /// What an acknowledged move survives
    #[arg(long, value_enum, default_value_t)]
    level: Level,
}

/// One connection's sessions, and where it was when the server was killed.
struct Player {
    seats: Vec<Seat>,
    /// The session whose last command was not answered.
    unanswered: usize,
    /// Those that it has played in since the last look.
    touched: BTreeSet<usize>,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("kill");
    report.put("rounds", options.rounds);
    report.put("sessions", options.sessions);
    report.put("level", format!("{:?}", options.level).to_lowercase());
    let folder = program.folder()?;
    let launch = program.server(folder.path(), options.level);
    let mut process = launch.start()?;
    let created = seats(process.address, options.sessions as usize).await?;
    let mut players: Vec<_> = shares(created, usize::from(options.connections))
        .into_iter()
        .map(|seats| Player { seats, unanswered: 0, touched: BTreeSet::new() })
        .filter(|player| !player.seats.is_empty())
        .collect();
    let (mut first, mut all) = (Latency::new(), Latency::new());
    let bar = progress("killing", options.rounds.into());
    for _ in 0..options.rounds {
        let address = process.address;
        let playing = join_all(players.iter_mut().map(|player| player.play(address)));
        let played_for = Duration::from_millis(rand::rng().random_range(1..=options.play_ms));
        let killing = async {
            tokio::time::sleep(played_for).await;
            process.kill()
        };
        let (faults, killed) = join(playing, killing).await;
        killed?;
        faults.into_iter().flatten().for_each(|fault| report.fault(format!("{fault:#}")));
        process = launch.start()?;
        let (begun, address) = (process.begun, process.address);
        let mut back = Vec::new();
        for outcome in join_all(players.iter_mut().map(|player| player.again(address, begun))).await
        {
            match outcome {
                Ok(took) => back.push(took),
                Err(fault) => report.fault(format!("{fault:#}")),
            }
        }
        back.iter().min().into_iter().for_each(|took| first.add(*took));
        back.iter().max().into_iter().for_each(|took| all.add(*took));
        let touched = players
            .iter()
            .flat_map(|player| player.touched.iter().map(|&place| &player.seats[place]));
        check(address, touched, Look::States, &mut report).await?;
        players.iter_mut().for_each(|player| player.touched.clear());
        bar.inc(1);
    }
    bar.finish_and_clear();
    process.stop()?;
    let process = launch.start()?;
    let seats: Vec<_> = players.iter().flat_map(|player| &player.seats).collect();
    check(process.address, seats.iter().copied(), Look::Games, &mut report).await?;
    process.stop()?;
    report.put("acknowledged_moves", seats.iter().map(|seat| seat.moves()).sum::<u64>());
    report.latency("back_", &first);
    report.latency("all_back_", &all);
    report.expect(first.percentile(100.0) <= BACK_WITHIN.as_secs_f64() * 1e3, || {
        format!("it took {:.0} ms until a move was acknowledged again", first.percentile(100.0))
    });
    Ok(report)
}

impl Player {
    /// Plays in one session after another until the connection breaks; gives what else is wrong.
    async fn play(&mut self, address: SocketAddr) -> Option<anyhow::Error> {
        let broken =
            |error: anyhow::Error| if wire::is_broken(&error) { None } else { Some(error) };
        let mut wire = match Wire::open(address).await {
            Ok(wire) => wire,
            Err(error) => return broken(error),
        };
        loop {
            self.unanswered = rand::rng().random_range(0..self.seats.len());
            self.touched.insert(self.unanswered);
            if let Err(error) = self.seats[self.unanswered].act(&mut wire).await {
                return broken(error);
            }
        }
    }

    /// Asks again for what was not answered; gives how long after `begun` the answer came.
    async fn again(&mut self, address: SocketAddr, begun: Instant) -> anyhow::Result<Duration> {
        let mut wire = Wire::open(address).await?;
        self.seats[self.unanswered].act(&mut wire).await?;
        Ok(begun.elapsed())
    }
}
