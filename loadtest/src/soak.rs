//! `soak`: little load for a long time. Subscribers and sessions come and go, and what the server holds must not grow.

use std::time::Duration;

use clap::{Args, value_parser};
use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until};

use crate::{
    audience::Temper,
    play::Players,
    process::Program,
    report::Report,
    scene::{Crowd, Scene},
    table::{progress, shares},
    target::{Meter, Target, TargetOptions},
    visits::Visits,
};

/// How much more memory at the end than in the middle is no growth: a share, and some.
const GROWTH: (f64, f64) = (0.05, 4e6);

/// Open files that come and go.
const FILES: f64 = 16.0;

/// How long, and how much.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Minutes that are measured
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Seconds of play before the first look
    #[arg(long, default_value_t = 60.0)]
    warm_up: f64,
    /// Looks at what the server holds
    #[arg(long, default_value_t = 60, value_parser = value_parser!(u32).range(2..))]
    looks: u32,
    /// Sessions that stay
    #[arg(long, default_value_t = 50, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Subscribers that stay
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u32).range(1..))]
    subscribers: u32,
    /// Moves a second, in all sessions together
    #[arg(long, default_value_t = 20.0)]
    rate: f64,
    /// Subscribers a second that come for a moment, and sessions that are created, played and closed
    #[arg(long, default_value_t = 1.0)]
    churn: f64,
    #[command(flatten)]
    target: TargetOptions,
}

/// What the server held at one moment.
#[derive(Debug, Clone, Copy)]
struct Sample {
    at: f64,
    resident: f64,
    files: f64,
    cpu: f64,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("soak");
    report.put("sessions", options.sessions);
    report.put("subscribers", options.subscribers);
    report.number("rate", options.rate);
    report.number("churn", options.churn);
    let crowd = Crowd {
        sessions: options.sessions as usize,
        subscribers: options.subscribers as usize,
        connections: 1,
        ramp: Duration::from_secs(1),
        temper: Temper::Strict,
    };
    let (mut scene, seats) = Scene::set(report, &crowd, &options.target, program).await?;
    let place = scene.target.place.clone();
    let shares = shares(seats, crowd.connections);
    let players = Players::begin(&place, shares, options.rate, crowd.temper, &scene.tally);
    let visits = Visits::begin(&scene, options.churn, crowd.temper)?;
    let seconds = options.minutes * 60.0;
    scene.tally.delivery.borrow_mut().begin(seconds + options.warm_up);
    players.acks.latency.borrow_mut().begin(seconds + options.warm_up);
    sleep(Duration::from_secs_f64(options.warm_up)).await;
    let meter = Meter::begin(&scene.target)?;
    let samples = look(&scene.target, seconds, options.looks).await?;
    meter.used(&scene.target)?.tell(&mut scene.report);
    let report = &mut scene.report;
    report.timeline("", "from sending a move to a subscriber", &scene.tally.delivery.borrow());
    report.timeline(
        "ack_",
        "from when a move was due to its reply",
        &players.acks.latency.borrow(),
    );
    report.put("moves", players.acks.count.get());
    report.put("deliveries", scene.tally.states.get());
    report.put("visits", visits.count.get());
    tell(&samples, report);
    let seats = players.end().await?;
    visits.end().await?;
    scene.settle(&seats).await
}

/// Looks at the server now and then, for `seconds`.
async fn look(target: &Target, seconds: f64, looks: u32) -> anyhow::Result<Vec<Sample>> {
    let bar = progress("soaking", looks.into());
    let (begun, mut samples) = (Instant::now(), Vec::new());
    for number in 0..=looks {
        sleep_until(
            begun + Duration::from_secs_f64(seconds * f64::from(number) / f64::from(looks)),
        )
        .await;
        bar.inc(1);
        let (Some(usage), Some(files)) = (target.usage()?, target.files()?) else { continue };
        samples.push(Sample {
            at: begun.elapsed().as_secs_f64(),
            resident: usage.resident as f64,
            files: files as f64,
            cpu: usage.cpu.as_secs_f64(),
        });
    }
    bar.finish_and_clear();
    Ok(samples)
}

/// Reports the first, the middle and the last sample, and whether anything grew in the second half.
fn tell(samples: &[Sample], report: &mut Report) {
    let [Some(start), Some(middle), Some(end)] =
        [samples.first(), samples.get(samples.len() / 2), samples.last()]
    else {
        return;
    };
    for (name, sample) in [("start", start), ("middle", middle), ("end", end)] {
        report.number(&format!("resident_bytes_{name}"), sample.resident);
        report.number(&format!("open_files_{name}"), sample.files);
        report.number(&format!("cpu_s_{name}"), sample.cpu);
    }
    let rows =
        samples.iter().map(|sample| json!([sample.at.round(), sample.resident, sample.files]));
    report.put("samples_s_bytes_files", rows.collect::<Vec<_>>());
    report.line(
        "resident memory of the server, MB",
        samples.iter().map(|s| (s.at, s.resident / 1e6)),
    );
    report.expect(end.resident <= middle.resident * (1.0 + GROWTH.0) + GROWTH.1, || {
        format!("resident memory grew from {} to {} bytes", middle.resident, end.resident)
    });
    report.expect(end.files <= middle.files + FILES, || {
        format!("open files grew from {} to {}", middle.files, end.files)
    });
}
