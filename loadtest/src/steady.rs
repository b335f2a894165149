//! `fanout` and `sessions`: commands at a steady rate, and who is shown what they lead to.

use std::{rc::Rc, time::Duration};

use clap::{Args, value_parser};

use crate::{
    audience::Temper,
    play::Players,
    process::Program,
    report::Report,
    scene::{Crowd, Scene, pass},
    table::shares,
    target::{Meter, TargetOptions},
};

/// How long, and where.
#[derive(Debug, Args)]
pub(crate) struct Course {
    /// Seconds that are measured
    #[arg(long, default_value_t = 20.0)]
    seconds: f64,
    /// Seconds of play before that
    #[arg(long, default_value_t = 2.0)]
    warm_up: f64,
    /// Seconds in which the subscribers come
    #[arg(long, default_value_t = 5.0)]
    ramp_seconds: f64,
    #[command(flatten)]
    target: TargetOptions,
}

/// One session, many who watch.
#[derive(Debug, Args)]
pub(crate) struct One {
    /// Subscribers of the one session
    #[arg(long, default_value_t = 5000, value_parser = value_parser!(u32).range(1..))]
    subscribers: u32,
    /// Moves a second
    #[arg(long, default_value_t = 10.0)]
    rate: f64,
    #[command(flatten)]
    course: Course,
}

/// Many sessions, few who watch each.
#[derive(Debug, Args)]
pub(crate) struct Many {
    /// Sessions, each of which is played
    #[arg(long, default_value_t = 5000, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Moves a second in each session
    #[arg(long, default_value_t = 1.0)]
    rate: f64,
    /// Subscribers of each session
    #[arg(long, default_value_t = 1)]
    watchers: u32,
    /// Connections that the moves come by
    #[arg(long, default_value_t = 256, value_parser = value_parser!(u32).range(1..))]
    connections: u32,
    #[command(flatten)]
    course: Course,
}

/// What is asked of the server.
struct Load {
    sessions: u32,
    subscribers: u32,
    connections: u32,
    /// Of all sessions together.
    rate: f64,
}

pub(crate) async fn fan_out(options: &One, program: &Program) -> anyhow::Result<Report> {
    let One { subscribers, rate, course } = options;
    let load = Load { sessions: 1, subscribers: *subscribers, connections: 1, rate: *rate };
    let mut report = Report::new("fanout");
    report.put("subscribers", *subscribers);
    report.number("rate", *rate);
    drive(&load, course, program, report, "").await
}

pub(crate) async fn sessions(options: &Many, program: &Program) -> anyhow::Result<Report> {
    let Many { sessions, rate, watchers, connections, course } = options;
    let load = Load {
        sessions: *sessions,
        subscribers: watchers * sessions,
        connections: (*connections).min(*sessions),
        rate: rate * f64::from(*sessions),
    };
    let mut report = Report::new("sessions");
    report.put("sessions", *sessions);
    report.put("watchers", *watchers);
    report.put("connections", load.connections);
    report.number("rate", *rate);
    drive(&load, course, program, report, "delivery_").await
}

/// Plays and watches; `delivery` stands before the figures of what subscribers were shown.
async fn drive(
    load: &Load,
    course: &Course,
    program: &Program,
    report: Report,
    delivery: &str,
) -> anyhow::Result<Report> {
    let crowd = Crowd {
        sessions: load.sessions as usize,
        subscribers: load.subscribers as usize,
        connections: load.connections as usize,
        ramp: Duration::from_secs_f64(course.ramp_seconds),
        temper: Temper::Strict,
    };
    let (mut scene, seats) = Scene::set(report, &crowd, &course.target, program).await?;
    let shares = shares(seats, crowd.connections);
    let place = scene.target.place.clone();
    let players = Players::begin(&place, shares, load.rate, crowd.temper, &scene.tally);
    let (tally, acks) = (Rc::clone(&scene.tally), Rc::clone(&players.acks));
    pass("warming up", course.warm_up).await;

    let meter = Meter::begin(&scene.target)?;
    let before = (tally.states.get(), tally.bytes.get(), tally.skipped.get(), acks.count.get());
    tally.delivery.borrow_mut().begin(course.seconds);
    acks.latency.borrow_mut().begin(course.seconds);
    pass("playing", course.seconds).await;
    let used = meter.used(&scene.target)?;
    used.tell(&mut scene.report);
    tally.delivery.borrow_mut().end();
    acks.latency.borrow_mut().end();

    let states = (tally.states.get() - before.0) as f64;
    let moves = (acks.count.get() - before.3) as f64;
    let report = &mut scene.report;
    let ack = if delivery.is_empty() { "ack_" } else { "" };
    report.timeline(delivery, "from sending a move to a subscriber", &tally.delivery.borrow());
    report.timeline(ack, "from when a move was due to its reply", &acks.latency.borrow());
    report.latency("arrival_", &tally.arrival.borrow());
    report.number("moves", moves);
    report.number("moves_per_s", moves / used.seconds);
    report.number("deliveries", states);
    report.number("deliveries_per_s", states / used.seconds);
    report.number("delivered_bytes_per_s", (tally.bytes.get() - before.1) as f64 / used.seconds);
    report.put("skipped", tally.skipped.get() - before.2);
    if let Some(cpu) = used.server_cpu {
        report.number("deliveries_per_server_cpu_s", states / cpu);
        report.number("moves_per_server_cpu_s", moves / cpu);
    }
    let seats = players.end().await?;
    scene.settle(&seats).await
}
