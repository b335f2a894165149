//! `slow-readers`: some subscribers never read. The others must not notice, and the server must get rid of them.

use std::{fs, rc::Rc, time::Duration};

use anyhow::Context as _;
use clap::{Args, value_parser};
use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{Instant, sleep},
};

use crate::{
    audience::Temper,
    play::Players,
    process::Program,
    report::Report,
    scene::{Crowd, Scene, pass},
    target::{Meter, TargetOptions},
};

/// How often it is looked whether the stalled ones are gone.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How many, how stalled, how long.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Subscribers of the one session
    #[arg(long, default_value_t = 5000, value_parser = value_parser!(u32).range(1..))]
    subscribers: u32,
    /// Further ones that never read
    #[arg(long, default_value_t = 50, value_parser = value_parser!(u32).range(1..))]
    stalled: u32,
    /// Moves a second
    #[arg(long, default_value_t = 10.0)]
    rate: f64,
    /// Seconds that are measured without them, and then with them
    #[arg(long, default_value_t = 20.0)]
    seconds: f64,
    /// Seconds until the server must have dropped all of them
    #[arg(long, default_value_t = 60.0)]
    dropped_within: f64,
    /// Seconds in which the subscribers come
    #[arg(long, default_value_t = 5.0)]
    ramp_seconds: f64,
    #[command(flatten)]
    target: TargetOptions,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let count = options.stalled as usize;
    let mut report = Report::new("slow-readers");
    report.put("subscribers", options.subscribers);
    report.put("stalled", count);
    report.number("rate", options.rate);
    let crowd = Crowd {
        sessions: 1,
        subscribers: options.subscribers as usize,
        connections: 1 + count,
        ramp: Duration::from_secs_f64(options.ramp_seconds),
        temper: Temper::Strict,
    };
    let (mut scene, seats) = Scene::set(report, &crowd, &options.target, program).await?;
    let place = scene.target.place.clone();
    let players = Players::begin(&place, vec![seats], options.rate, crowd.temper, &scene.tally);
    pass("warming up", 2.0).await;

    let before = part(&mut scene, options, "baseline_").await?;
    let held = Held::now(&scene)?;
    let begun = Instant::now();
    let stalled = stall(&scene, count).await?;
    let with = part(&mut scene, options, "").await?;
    let report = &mut scene.report;
    if before > 0.0 {
        report.number("p99_ratio", with / before);
    }
    if let (Some(less), Some(more)) = (held, Held::now(&scene)?) {
        let each = |more: u64, less: u64| (more as f64 - less as f64) / count as f64;
        scene.report.number("resident_bytes_each", each(more.resident, less.resident));
        // Of both ends: the server's unsent bytes and what the reader's kernel holds for it.
        scene.report.number("kernel_bytes_each_both_ends", each(more.kernel, less.kernel));
    }
    // Everybody is told how many watch, at most once a second.
    let watchers = || scene.tally.watchers.get() as usize;
    while watchers() > scene.audience.len()
        && begun.elapsed().as_secs_f64() < options.dropped_within
    {
        sleep(LOOK_EVERY).await;
    }
    let left = watchers().saturating_sub(scene.audience.len());
    let took = begun.elapsed().as_secs_f64();
    scene.report.number("all_dropped_after_s", took);
    scene.report.expect(left == 0, || {
        format!("{left} of {count} that never read are still there after {took:.0} s")
    });
    drop(stalled);
    let seats = players.end().await?;
    scene.settle(&seats).await
}

/// Measures for a while; gives the p99 in milliseconds.
async fn part(scene: &mut Scene, options: &Options, name: &str) -> anyhow::Result<f64> {
    let tally = Rc::clone(&scene.tally);
    let (meter, states) = (Meter::begin(&scene.target)?, tally.states.get());
    tally.delivery.borrow_mut().begin(options.seconds);
    pass("playing", options.seconds).await;
    tally.delivery.borrow_mut().end();
    let used = meter.used(&scene.target)?;
    used.tell(&mut scene.report);
    let what = if name.is_empty() { "with readers that stall" } else { "without" };
    let what = format!("from sending a move to a subscriber, {what}");
    scene.report.timeline(name, &what, &tally.delivery.borrow());
    let per_second = (tally.states.get() - states) as f64 / used.seconds;
    scene.report.number(&format!("{name}deliveries_per_s"), per_second);
    let p99 = tally.delivery.borrow().all.percentile(99.0);
    Ok(p99)
}

/// Opens streams that nobody reads.
pub(crate) async fn stall(scene: &Scene, count: usize) -> anyhow::Result<Vec<TcpStream>> {
    let (place, show) = (&scene.target.place, scene.shows.first().context("no session")?);
    let request = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", show.path(), place.host());
    let mut stalled = Vec::new();
    for _ in 0..count {
        let mut stream = place.connect().await.context("connect")?;
        stream.write_all(request.as_bytes()).await?;
        stalled.push(stream);
    }
    Ok(stalled)
}

/// What is held in memory.
#[derive(Debug, Clone, Copy)]
struct Held {
    resident: u64,
    kernel: u64,
}

impl Held {
    /// By the server, and for all sockets of this system; `None` for a server that is not the tool's own.
    fn now(scene: &Scene) -> anyhow::Result<Option<Self>> {
        let Some(usage) = scene.target.usage()? else { return Ok(None) };
        Ok(Some(Self { resident: usage.resident, kernel: kernel_bytes()? }))
    }
}

/// What TCP holds for all sockets of this system.
///
/// # Errors
/// - When the system does not tell: it is read from `/proc`.
pub(crate) fn kernel_bytes() -> anyhow::Result<u64> {
    let text = fs::read_to_string("/proc/net/sockstat").context("read /proc/net/sockstat")?;
    let pages = pages(&text).context("no TCP memory in /proc/net/sockstat")?;
    Ok(pages * rustix::param::page_size() as u64)
}

/// Pages that TCP holds, of `/proc/net/sockstat`.
fn pages(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("TCP:"))?;
    let mut words = line.split_whitespace().skip_while(|word| *word != "mem");
    words.nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_of_tcp_are_found() {
        let text =
            "sockets: used 57\nTCP: inuse 5 orphan 0 tw 3 alloc 9 mem 12\nUDP: inuse 0 mem 7\n";
        assert_eq!(pages(text), Some(12));
        assert_eq!(pages("sockets: used 57\n"), None);
    }
}
