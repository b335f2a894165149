//! `overload`: far more than the server can take. Its memory must stay bounded, what it refuses it must refuse at once and in
//! words, and afterwards it must be as it was.

use std::{rc::Rc, time::Duration};

use clap::{Args, value_parser};
use tokio::time::{Instant, sleep};

use crate::{
    audience::Temper,
    latency::Latency,
    play::Players,
    process::Program,
    report::Report,
    scene::{Crowd, Scene},
    seat::Seat,
    table::shares,
    target::{Meter, TargetOptions},
};

/// Commands a second of the one who looks how the server is, before and after.
const LOOKS_PER_SECOND: f64 = 20.0;

/// Whoever was answered asks again at once.
const AT_ONCE: f64 = f64::INFINITY;

/// How long those who ask too much have for coming.
const COMING: Duration = Duration::from_secs(2);

/// How often its memory is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// From how many connections on some must be refused.
const ENOUGH: u32 = 1024;

/// The longest that a refusal may take.
const REFUSED_WITHIN_MS: f64 = 10.0;

/// How much, and for how long.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Connections that ask for the next thing as soon as they are answered, and again after a second when they are
    /// refused: ten times as many as may wait
    #[arg(long, default_value_t = 2560, value_parser = value_parser!(u32).range(1..))]
    connections: u32,
    /// Sessions that they play in
    #[arg(long, default_value_t = 2560, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Seconds of too much
    #[arg(long, default_value_t = 15.0)]
    seconds: f64,
    /// Seconds of looking how the server is, before and after
    #[arg(long, default_value_t = 5.0)]
    look_seconds: f64,
    #[command(flatten)]
    target: TargetOptions,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("overload");
    report.put("connections", options.connections);
    report.put("sessions", options.sessions);
    let crowd = Crowd {
        sessions: options.sessions as usize + 1,
        subscribers: 0,
        connections: options.connections as usize + 1,
        ramp: Duration::ZERO,
        temper: Temper::Patient,
    };
    let (mut scene, mut seats) = Scene::set(report, &crowd, &options.target, program).await?;
    let one = vec![seats.remove(0)];
    let one = look(&mut scene, "before_", one, options.look_seconds).await?;

    let shares = shares(seats, (options.connections as usize).min(options.sessions as usize));
    let place = scene.target.place.clone();
    let before = resident(&scene)?;
    let players = Players::begin(&place, shares, AT_ONCE, crowd.temper, &scene.tally);
    let acks = Rc::clone(&players.acks);
    // Until all have connected.
    sleep(COMING).await;
    *acks.refusal.borrow_mut() = Latency::new();
    let (commands, meter) = (acks.count.get(), Meter::begin(&scene.target)?);
    acks.latency.borrow_mut().begin(options.seconds);
    let mut most = before;
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < options.seconds {
        sleep(LOOK_EVERY).await;
        most = most.max(resident(&scene)?);
    }
    acks.latency.borrow_mut().end();
    let used = meter.used(&scene.target)?;
    let mut seats = players.end().await?;
    used.tell(&mut scene.report);
    let report = &mut scene.report;
    report.timeline("", "from asking to the reply, with too many asking", &acks.latency.borrow());
    report.number("commands_per_s", (acks.count.get() - commands) as f64 / used.seconds);
    report.put("refused", acks.refused.get());
    report.latency("refusal_", &acks.refusal.borrow());
    let refused = acks.refused.get();
    // As few connections as may all wait at once are not too many.
    report.aim(refused > 0 || options.connections < ENOUGH, || "nothing was refused".to_owned());
    let longest = acks.refusal.borrow().percentile(99.0);
    report.aim(longest <= REFUSED_WITHIN_MS, || format!("a refusal took {longest} ms (p99)"));
    if let Some((before, most)) = before.zip(most) {
        report.put("resident_bytes_before", before);
        report.put("resident_bytes_most", most);
    }
    seats.extend(look(&mut scene, "after_", one, options.look_seconds).await?);
    scene.settle(&seats).await
}

/// One player at an easy pace: how the server is for the others.
async fn look(
    scene: &mut Scene,
    name: &str,
    one: Vec<Seat>,
    seconds: f64,
) -> anyhow::Result<Vec<Seat>> {
    let place = &scene.target.place;
    let players = Players::begin(place, vec![one], LOOKS_PER_SECOND, Temper::Strict, &scene.tally);
    let acks = Rc::clone(&players.acks);
    acks.latency.borrow_mut().begin(seconds);
    sleep(Duration::from_secs_f64(seconds)).await;
    let seats = players.end().await?;
    scene.report.latency(name, &acks.latency.borrow().all);
    Ok(seats)
}

fn resident(scene: &Scene) -> anyhow::Result<Option<u64>> {
    Ok(scene.target.usage()?.map(|usage| usage.resident))
}
