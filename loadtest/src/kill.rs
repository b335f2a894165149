//! `kill`: the server is killed during moves, started again, and asked again for what it had not answered.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant},
};

use clap::{Args, value_parser};
use futures_util::future::{join_all, join3};
use rand::RngExt as _;
use server::{
    config::{Durability, StoreChoice, Task},
    tasks::carry_out,
};

use crate::{
    latency::Latency,
    process::{Process, Program},
    report::Report,
    seat::Seat,
    serve::Level,
    table::{Look, check, progress, seats, shares},
    watched::{self, Watched},
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
    /// Sessions in which an AI plays as fast as it can, and is watched
    #[arg(long, default_value_t = 2)]
    agents: u32,
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
    report.put("agents", options.agents);
    report.put("level", format!("{:?}", options.level).to_lowercase());
    let folder = program.folder()?;
    let launch = program.server(folder.path(), options.level);
    let mut process = launch.start()?;
    let created = seats(&process.client()?, options.sessions as usize).await?;
    let players = shares(created, usize::from(options.connections))
        .into_iter()
        .map(|seats| Player { seats, unanswered: 0, touched: BTreeSet::new() })
        .filter(|player| !player.seats.is_empty())
        .collect();
    let agents = watched::start(process.address, options.agents as usize).await?;
    let (first, all) = (Latency::new(), Latency::new());
    let mut scene = Scene { players, agents, first, all, report };
    let bar = progress("killing", options.rounds.into());
    for _ in 0..options.rounds {
        let played_for = Duration::from_millis(rand::rng().random_range(1..=options.play_ms));
        scene.play_and_kill(process, played_for).await?;
        process = launch.start()?;
        scene.look_again(&process).await?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    process.stop()?;
    let process = launch.start()?;
    scene.sum_up(process, folder.path()).await
}

/// Who plays, and what was found so far.
struct Scene {
    players: Vec<Player>,
    agents: Vec<Watched>,
    first: Latency,
    all: Latency,
    report: Report,
}

impl Scene {
    /// Lets everybody play and watch, and kills the server in the middle of it.
    async fn play_and_kill(
        &mut self,
        process: Process,
        played_for: Duration,
    ) -> anyhow::Result<()> {
        let address = process.address;
        let playing = join_all(self.players.iter_mut().map(|player| player.play(address)));
        let watching = join_all(self.agents.iter_mut().map(|agent| agent.watch(address)));
        let killing = async {
            tokio::time::sleep(played_for).await;
            process.kill()
        };
        let (faults, went_back, killed) = join3(playing, watching, killing).await;
        killed?;
        for fault in faults.into_iter().chain(went_back).flatten() {
            self.report.fault(format!("{fault:#}"));
        }
        Ok(())
    }

    /// Asks again for what was not answered, and looks whether everything else is there.
    async fn look_again(&mut self, process: &Process) -> anyhow::Result<()> {
        let (begun, address) = (process.begun, process.address);
        let asked = self.players.iter_mut().map(|player| player.again(address, begun));
        let mut back = Vec::new();
        for outcome in join_all(asked).await {
            match outcome {
                Ok(took) => back.push(took),
                Err(fault) => self.report.fault(format!("{fault:#}")),
            }
        }
        back.iter().min().into_iter().for_each(|took| self.first.add(*took));
        back.iter().max().into_iter().for_each(|took| self.all.add(*took));
        for agent in &mut self.agents {
            if let Err(fault) = agent.look_again(address).await {
                self.report.fault(format!("{fault:#}"));
            }
        }
        let touched = self
            .players
            .iter()
            .flat_map(|player| player.touched.iter().map(|&place| &player.seats[place]));
        check(address, touched, Look::States, &mut self.report).await?;
        self.players.iter_mut().for_each(|player| player.touched.clear());
        Ok(())
    }

    /// Looks at every session and every stored game.
    async fn sum_up(self, process: Process, folder: &Path) -> anyhow::Result<Report> {
        let Self { players, agents, first, all, mut report } = self;
        let seats: Vec<_> = players.iter().flat_map(|player| &player.seats).collect();
        check(process.address, seats.iter().copied(), Look::Games, &mut report).await?;
        process.stop()?;
        let choice =
            StoreChoice::Sqlite { folder: folder.to_owned(), durability: Durability::Process };
        let verdict = carry_out(&Task::Verify, &choice).await?;
        report.expect(verdict.all_is_well, || verdict.lines.join("; "));
        report.put("verified", verdict.lines.join("; "));
        report.put("acknowledged_moves", seats.iter().map(|seat| seat.moves()).sum::<u64>());
        report.put("watched_states", agents.iter().map(|agent| agent.seen).sum::<u64>());
        report.latency("back_", &first);
        report.latency("all_back_", &all);
        report.expect(first.percentile(100.0) <= BACK_WITHIN.as_secs_f64() * 1e3, || {
            format!("it took {:.0} ms until a move was acknowledged again", first.percentile(100.0))
        });
        Ok(report)
    }
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
