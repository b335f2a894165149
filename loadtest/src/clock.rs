//! `clock`: the time of day jumps, and the process is stopped for a while, as when a laptop sleeps.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use client::Client;
use futures_util::future::try_join_all;
use protocol::{AgentStart, NewGame};
use rustix::process::Signal;

use crate::{
    process::{Process, Program},
    report::Report,
    seat::Seat,
    serve::Level,
    table::{Look, check, seats},
};

/// Seconds between two moves of an agent.
const INTERVAL: f64 = 0.2;

/// Moves by which an agent may be off: one at each end of the time that is looked at, and one for a crowded machine.
const SLACK: f64 = 3.0;

/// How far the clock jumps, how long the process is stopped, and what runs meanwhile.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Sessions that nobody plays
    #[arg(long, default_value_t = 1000)]
    sessions: u32,
    /// Sessions in which an AI plays
    #[arg(long, default_value_t = 20)]
    agents: u32,
    /// Seconds by which the clock jumps, ahead and then back
    #[arg(long, default_value_t = 3600)]
    jump_seconds: i64,
    /// Seconds for which the process is stopped
    #[arg(long, default_value_t = 60.0)]
    stop_seconds: f64,
    /// Seconds that are looked at after each
    #[arg(long, default_value_t = 5.0)]
    look_seconds: f64,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("clock");
    report.put("sessions", options.sessions);
    report.put("agents", options.agents);
    let folder = program.folder()?;
    let clock = folder.path().join("clock");
    fs::write(&clock, "0")?;
    let process = program
        .server(folder.path(), Level::Process)
        .with("--clock-file", &clock.display().to_string())
        // Half of the jump: by the time of day, every idle session is long past it.
        .with("--expire-seconds", &(options.jump_seconds / 2).to_string())
        .start()?;
    let idle = seats(&process.client()?, options.sessions as usize).await?;
    let playing = seats(&process.client()?, options.agents as usize).await?;
    let mut scene = Scene { options, process, clock: &clock, idle, playing, report };
    scene.look("steady", |_| Ok(())).await?;
    scene.look("ahead", |scene| scene.set(options.jump_seconds)).await?;
    scene.look("back", |scene| scene.set(0)).await?;
    scene.look("far_back", |scene| scene.set(-options.jump_seconds)).await?;
    scene.look("stopped", Scene::stop).await?;
    let Scene { process, report, .. } = scene;
    process.stop()?;
    Ok(report)
}

struct Scene<'a> {
    options: &'a Options,
    process: Process,
    clock: &'a Path,
    idle: Vec<Seat>,
    playing: Vec<Seat>,
    report: Report,
}

impl Scene<'_> {
    /// Lets the agents play, does something, and counts what they play in the time after it.
    async fn look(
        &mut self,
        name: &str,
        happens: impl FnOnce(&Self) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let clients = self.clients()?;
        let start = AgentStart {
            player: Some("rules".to_owned()),
            interval_seconds: Some(INTERVAL),
            ..AgentStart::default()
        };
        for client in &clients {
            client.new_game(&NewGame::default()).await?;
            client.agent_start(&start).await?;
        }
        happens(self)?;
        let (begun, before) = (Instant::now(), moves(&clients).await?);
        tokio::time::sleep(Duration::from_secs_f64(self.options.look_seconds)).await;
        let after = moves(&clients).await?;
        let expected = begun.elapsed().as_secs_f64() / INTERVAL;
        let played: Vec<_> =
            before.iter().zip(&after).map(|(before, after)| after - before).collect();
        for &moves in &played {
            self.report.expect(moves <= expected + SLACK && moves >= 1.0, || {
                format!("{name}: an AI played {moves} moves where {expected:.1} were due")
            });
        }
        self.report.number(&format!("{name}_moves_due"), expected);
        self.report
            .number(&format!("{name}_moves_most"), played.iter().copied().fold(0.0, f64::max));
        self.report.number(
            &format!("{name}_moves_fewest"),
            played.iter().copied().fold(f64::MAX, f64::min),
        );
        // Every session is there still, and where it was.
        let errors = self.report.errors();
        check(self.process.address, self.idle.iter(), Look::States, &mut self.report).await?;
        self.report.put(&format!("{name}_sessions_lost"), self.report.errors() - errors);
        Ok(())
    }

    fn set(&self, seconds: i64) -> anyhow::Result<()> {
        fs::write(self.clock, seconds.to_string()).context("set the clock")
    }

    /// Stops every thread of the process, and lets them go on.
    fn stop(&self) -> anyhow::Result<()> {
        self.process.signal(Signal::STOP)?;
        std::thread::sleep(Duration::from_secs_f64(self.options.stop_seconds));
        self.process.signal(Signal::CONT)
    }

    fn clients(&self) -> anyhow::Result<Vec<Client>> {
        let client = Client::new(&self.process.address.to_string(), None, None)?;
        let at = |seat: &Seat| {
            client.with_session(Some(seat.id().to_owned()), Some(seat.token().to_owned()))
        };
        Ok(self.playing.iter().map(at).collect())
    }
}

async fn moves(clients: &[Client]) -> anyhow::Result<Vec<f64>> {
    let moves =
        clients.iter().map(async |client| anyhow::Ok(f64::from(client.state().await?.moves)));
    try_join_all(moves).await
}
