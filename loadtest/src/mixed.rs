//! `mixed`: everything at once, and the server is restarted in the middle of it, by SIGTERM and by `kill -9` in turn.

use std::{rc::Rc, time::Duration};

use clap::{Args, value_parser};
use tokio::time::{Instant, sleep};

use crate::{
    agents,
    audience::{Temper, holds_within},
    latency::Latency,
    play::Players,
    process::Program,
    report::Report,
    scene::{Crowd, PATIENCE, Scene},
    slow_readers::stall,
    table::{progress, shares},
    target::{Ending, Meter, TargetOptions, Used},
    visits::Visits,
};

/// How much of what, and for how long.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Seconds
    #[arg(long, default_value_t = 600.0)]
    seconds: f64,
    /// Seconds between two restarts; 0 is never
    #[arg(long, default_value_t = 30.0)]
    restart_every: f64,
    /// Sessions that people play in
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Subscribers of these
    #[arg(long, default_value_t = 500, value_parser = value_parser!(u32).range(1..))]
    subscribers: u32,
    /// Moves a second, of all people together
    #[arg(long, default_value_t = 100.0)]
    rate: f64,
    /// Connections that the moves come by
    #[arg(long, default_value_t = 32, value_parser = value_parser!(u32).range(1..))]
    connections: u32,
    /// Sessions in which an AI plays, each with two subscribers
    #[arg(long, default_value_t = 5)]
    agents: u32,
    /// Subscribers that never read
    #[arg(long, default_value_t = 5)]
    stalled: u32,
    /// Subscribers a second that come for a moment, and sessions that are created, played and closed
    #[arg(long, default_value_t = 2.0)]
    churn: f64,
    /// Seconds in which the subscribers come at first
    #[arg(long, default_value_t = 2.0)]
    ramp_seconds: f64,
    #[command(flatten)]
    target: TargetOptions,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("mixed");
    report.put("sessions", options.sessions);
    report.put("subscribers", options.subscribers);
    report.put("agents", options.agents);
    report.number("rate", options.rate);
    let watching_agents = 2 * options.agents as usize;
    let crowd = Crowd {
        sessions: options.sessions as usize,
        subscribers: options.subscribers as usize,
        connections: options.connections as usize + watching_agents + options.stalled as usize,
        ramp: Duration::from_secs_f64(options.ramp_seconds),
        temper: Temper::Patient,
    };
    let (mut scene, seats) = Scene::set(report, &crowd, &options.target, program).await?;
    let agents = agents::start(&scene.target, options.agents).await?;
    for agent in agents.iter().chain(&agents) {
        scene.audience.join(&agent.show);
    }
    scene.all_here().await;
    let place = scene.target.place.clone();
    let shares = shares(seats, options.connections as usize);
    let players = Players::begin(&place, shares, options.rate, crowd.temper, &scene.tally);
    let acks = Rc::clone(&players.acks);
    let visits = Visits::begin(&scene, options.churn, Temper::Patient)?;
    acks.latency.borrow_mut().begin(options.seconds);
    scene.tally.delivery.borrow_mut().begin(options.seconds);
    restarts(&mut scene, options, &acks).await?;

    let report = &mut scene.report;
    report.timeline("ack_", "from when a move was due to its reply", &acks.latency.borrow());
    report.timeline("", "from sending a move to a subscriber", &scene.tally.delivery.borrow());
    report.put("commands", acks.count.get());
    report.put("asked_again_after_a_refusal", acks.refused.get());
    report.put("asked_again_after_a_break", acks.lost.get());
    report.put("deliveries", scene.tally.states.get());
    report.put("streams_lost", scene.tally.lost.get());
    report.put("byes", scene.tally.byes.get());
    report.put("visits", visits.count.get());
    let seats = players.end().await?;
    visits.end().await?;
    let moves = agents::stop(&agents).await?;
    scene.report.put("moves_of_the_running_ai_games", moves);
    scene.settle(&seats).await
}

/// Ends the server and starts it again, as often as there is time for.
async fn restarts(
    scene: &mut Scene,
    options: &Options,
    acks: &Rc<crate::play::Acks>,
) -> anyhow::Result<()> {
    let bar = progress("mixing", Duration::from_secs_f64(options.seconds).as_secs());
    let begun = Instant::now();
    let (mut all_back, mut answered, mut count) = (Latency::new(), Latency::new(), 0_u64);
    let mut ended = [Latency::new(), Latency::new()];
    let restarts = options.restart_every > 0.0 && scene.target.is_own();
    let every = if restarts { options.restart_every } else { options.seconds };
    let (mut meter, mut used) = (Meter::begin(&scene.target)?, Used::default());
    loop {
        let stalled = stall(scene, options.stalled as usize).await?;
        let left = options.seconds - begun.elapsed().as_secs_f64();
        sleep(Duration::from_secs_f64(left.clamp(0.0, every))).await;
        bar.set_position(begun.elapsed().as_secs());
        used = used.and(meter.used(&scene.target)?);
        // Each way to end it at least once, however long that takes.
        if !restarts || (left <= every && count >= 2) {
            break;
        }
        let how = if count % 2 == 0 { Ending::Term } else { Ending::Kill };
        scene.restart(how, &mut ended[usize::from(how == Ending::Kill)]).await?;
        drop(stalled);
        let (back, commands) = (Instant::now(), acks.count.get());
        let is_answered = holds_within(PATIENCE, || acks.count.get() > commands).await;
        scene.report.expect(is_answered, || "nothing was acknowledged after a restart".to_owned());
        answered.add(back.elapsed());
        scene.all_here().await;
        all_back.add(back.elapsed());
        meter = Meter::begin(&scene.target)?;
        count += 1;
    }
    bar.finish_and_clear();
    let report = &mut scene.report;
    used.tell(report);
    report.put("restarts", count);
    report.latency("ended_by_term_", &ended[0]);
    report.latency("ended_by_kill_", &ended[1]);
    report.latency("answered_again_", &answered);
    report.latency("all_back_", &all_back);
    Ok(())
}
