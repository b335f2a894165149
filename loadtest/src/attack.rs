//! `attack`: everything that strangers do to a server at once, while people play and watch. They must not notice more than that
//! they wait a little longer, and nothing may be lost.

use std::{
    io::{self, Write as _},
    process::Stdio,
    rc::Rc,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum, value_parser};
use serde_json::{Map, Value};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader},
    process::{Child, ChildStdout},
    time::{Instant, sleep, timeout},
};

use crate::{
    assault::{self, Count, Counts, Kind},
    audience::Temper,
    play::{Acks, Players},
    process::Program,
    report::Report,
    scene::{Crowd, PATIENCE, Scene, pass},
    table::shares,
    target::{Meter, TargetOptions},
    wire::{Figures, Wire},
};

/// How often its memory is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The most by which the others' p99 may grow.
const RATIO: f64 = 2.0;

/// The least share of their tries to which the attackers must come, or the attack shows little.
const SHARE: f64 = 0.8;

/// Seconds after all attackers came that are not measured.
const COMING: f64 = 2.0;

/// Who plays, who attacks, for how long.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Sessions that people play in
    #[arg(long, default_value_t = 60, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Subscribers of these
    #[arg(long, default_value_t = 300)]
    subscribers: u32,
    /// Moves a second, of all people together
    #[arg(long, default_value_t = 100.0)]
    rate: f64,
    /// Connections that the moves come by
    #[arg(long, default_value_t = 30, value_parser = value_parser!(u32).range(1..))]
    connections: u32,
    /// Seconds that are measured without the attack, and then with it
    #[arg(long, default_value_t = 20.0)]
    seconds: f64,
    /// Kinds of attack [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    kinds: Vec<Kind>,
    /// Attackers of each kind, each kind from an address of its own
    #[arg(long, default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    attackers: u32,
    /// Tries a second of each kind, as long as they are answered at once
    #[arg(long, default_value_t = 200.0)]
    tries: f64,
    /// Which processor time the attackers get
    #[arg(long, value_enum, default_value_t = Priority::Idle)]
    priority: Priority,
    /// Connections from one address on which nothing is said
    #[arg(long, default_value_t = 10_000)]
    held: u32,
    /// Megabytes by which the server's memory may grow
    #[arg(long, default_value_t = 256)]
    most_mb: u64,
    /// Attack a server of its own that limits no address: shows what the limits are for
    #[arg(long)]
    unlimited: bool,
    #[command(flatten)]
    target: TargetOptions,
}

/// Attackers are meant to be elsewhere, and must not win processors from the server that they share a machine with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Priority {
    /// What nobody else wants; on a busy machine that is nothing.
    Idle,
    /// Less than others.
    Low,
}

impl Priority {
    /// The program that starts another so.
    fn through(self) -> &'static [&'static str] {
        match self {
            Self::Idle => &["chrt", "--idle", "0"],
            Self::Low => &["nice", "-n", "10"],
        }
    }
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("attack");
    report.put("sessions", options.sessions);
    report.put("subscribers", options.subscribers);
    report.number("rate", options.rate);
    report.put("limited", !options.unlimited);
    let crowd = Crowd {
        sessions: options.sessions as usize,
        subscribers: options.subscribers as usize,
        connections: options.connections as usize + options.held as usize,
        ramp: Duration::from_secs(1),
        temper: Temper::Strict,
    };
    let limits = if options.unlimited { "here" } else { "elsewhere" };
    let target = options.target.with_many_homes(&[("--limits", limits)]);
    let (mut scene, seats) = Scene::set(report, &crowd, &target, program).await?;
    let attacked = seats.first().context("no session")?.id().to_owned();
    let shares = shares(seats, options.connections as usize);
    let place = scene.target.place.clone();
    let players = Players::begin(&place, shares, options.rate, crowd.temper, &scene.tally);
    let acks = Rc::clone(&players.acks);
    pass("warming up", 2.0).await;

    let before = part(&mut scene, &acks, options.seconds, "baseline_").await?;
    let resident = resident(&scene)?;
    let figures = figures(&scene).await;
    let assault = Assault::begin(options, &scene, &attacked, program).await?;
    let coming = watch(&scene, COMING).await?;
    let during = part(&mut scene, &acks, options.seconds, "").await?;
    let counts = assault.end().await?;
    tell_refusals(&mut scene, figures).await;
    tell(&mut scene.report, counts);

    let report = &mut scene.report;
    for (name, before, during) in
        [("ack", before.ack, during.ack), ("delivery", before.delivery, during.delivery)]
    {
        let ratio = during / before;
        report.number(&format!("{name}_p99_ratio"), ratio);
        report.aim(ratio <= RATIO, || {
            format!("under attack the p99 of {name} is {ratio:.1} times what it was")
        });
    }
    if let Some(before) = resident {
        let most = during.most.max(coming);
        report.put("resident_bytes_before", before);
        report.put("resident_bytes_most", most);
        report.expect(most < before + (options.most_mb << 20), || {
            format!("the server's memory grew from {before} to {most} bytes")
        });
    }
    if let Some(panics) = scene.target.panics()? {
        scene.report.put("panics", panics);
        scene.report.expect(panics == 0, || format!("something panicked {panics} times"));
    }
    let seats = players.end().await?;
    scene.settle(&seats).await
}

/// What people had of the server for a while.
struct Part {
    /// Milliseconds.
    ack: f64,
    delivery: f64,
    /// The most memory that the server took.
    most: u64,
}

async fn part(scene: &mut Scene, acks: &Acks, seconds: f64, name: &str) -> anyhow::Result<Part> {
    let (tally, commands) = (Rc::clone(&scene.tally), acks.count.get());
    let meter = Meter::begin(&scene.target)?;
    acks.latency.borrow_mut().begin(seconds);
    tally.delivery.borrow_mut().begin(seconds);
    let most = watch(scene, seconds).await?;
    acks.latency.borrow_mut().end();
    tally.delivery.borrow_mut().end();
    let used = meter.used(&scene.target)?;
    let with = if name.is_empty() { "under attack" } else { "without an attack" };
    let report = &mut scene.report;
    if let Some(cpu) = used.server_cpu {
        report.number(&format!("{name}server_cores"), cpu / used.seconds);
    }
    report.number(&format!("{name}commands"), (acks.count.get() - commands) as f64);
    let what = format!("from when a move was due to its reply, {with}");
    report.timeline(&format!("{name}ack_"), &what, &acks.latency.borrow());
    let what = format!("from sending a move to a subscriber, {with}");
    report.timeline(&format!("{name}delivery_"), &what, &tally.delivery.borrow());
    let p99 = |latency: &crate::latency::Timeline| latency.all.percentile(99.0);
    Ok(Part { ack: p99(&acks.latency.borrow()), delivery: p99(&tally.delivery.borrow()), most })
}

/// Lets the time pass; gives the most memory that the server took.
async fn watch(scene: &Scene, seconds: f64) -> anyhow::Result<u64> {
    let (begun, mut most) = (Instant::now(), 0);
    while begun.elapsed().as_secs_f64() < seconds {
        sleep(LOOK_EVERY).await;
        most = most.max(resident(scene).context("the server is gone")?.unwrap_or_default());
    }
    Ok(most)
}

fn resident(scene: &Scene) -> anyhow::Result<Option<u64>> {
    Ok(scene.target.usage()?.map(|usage| usage.resident))
}

/// What the server counts of itself; nothing where it does not tell.
async fn figures(scene: &Scene) -> Option<Figures> {
    let mut wire = Wire::open(scene.target.place.clone()).await.ok()?;
    wire.figures().await.ok()
}

/// What was refused since `before`, as the server counted it.
async fn tell_refusals(scene: &mut Scene, before: Option<Figures>) {
    let Some((before, after)) = before.zip(figures(scene).await) else { return };
    let refused = after.iter().filter_map(|(name, value)| {
        let limit = name.strip_prefix("game2048_refusals_total{limit=\"")?.strip_suffix("\"}")?;
        let more = value - before.get(name).copied().unwrap_or_default();
        (more > 0.0).then(|| (limit.to_owned(), Value::from(more)))
    });
    scene.report.put("refusals_by_limit", refused.collect::<Map<_, _>>());
}

/// What the attackers were answered.
fn tell(report: &mut Report, counts: Counts) {
    let sum = |of: fn(&Count) -> u64| counts.values().map(of).sum::<u64>();
    report.put("tried", sum(|count| count.tried));
    let due = counts.values().filter_map(|count| Some((count.tried as f64, count.due?)));
    let (tried, due) = due.fold((0.0, 0.0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    if due > 0.0 {
        let share = tried / due;
        report.number("tried_of_due", share);
        report.aim(share >= SHARE, || {
            let share = 100.0 * share;
            format!("the attackers came to {share:.0} % of their tries: the machine is too busy")
        });
    }
    report.put("refused_in_words", sum(|count| count.worded));
    report.put("refused_by_a_bare_status", sum(|count| count.bare));
    report.put("closed", sum(|count| count.closed));
    for (kind, count) in &counts {
        let name = kind.to_possible_value().map(|value| value.get_name().to_owned());
        let name = name.unwrap_or_default();
        report.expect(count.connected > 0, || format!("{name}: no attacker got a connection"));
        report.faults(
            count.wrong,
            count.told.iter().map(|told| format!("{name}: answered {told}")).collect(),
        );
    }
    report.put("attacks", serde_json::to_value(counts).unwrap_or_default());
}

/// The attackers' process.
struct Assault {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Assault {
    /// Begins it, and waits until all attackers are there.
    async fn begin(
        options: &Options,
        scene: &Scene,
        session: &str,
        program: &Program,
    ) -> anyhow::Result<Self> {
        let place = &scene.target.place;
        let kinds = if options.kinds.is_empty() { Kind::value_variants() } else { &options.kinds };
        let kinds = kinds.iter().filter_map(ValueEnum::to_possible_value);
        let kinds: Vec<_> = kinds.map(|kind| kind.get_name().to_owned()).collect();
        let through = options.priority.through();
        let mut part = program.part("assault", through);
        part.args(["--address", &place.address.to_string(), "--host", place.host()])
            .args(["--session", session, "--kinds", &kinds.join(",")])
            .args(["--attackers", &options.attackers.to_string()])
            .args(["--rate", &options.tries.to_string(), "--held", &options.held.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let child = part.spawn();
        let mut child = child.with_context(|| format!("start the attackers by {}", through[0]))?;
        let mut said = BufReader::new(child.stdout.take().context("attackers without an output")?);
        let mut line = String::new();
        let here = timeout(PATIENCE, said.read_line(&mut line)).await;
        ensure!(here.context("the attackers do not come")?? > 0, "the attackers ended");
        Ok(Self { child, said })
    }

    /// Calls them off; gives what they were answered.
    async fn end(mut self) -> anyhow::Result<Counts> {
        drop(self.child.stdin.take());
        let mut text = Vec::new();
        let said = timeout(PATIENCE, self.said.read_to_end(&mut text)).await;
        said.context("the attackers do not end")??;
        serde_json::from_slice(&text).context("what the attackers say")
    }
}

/// The attackers, in the process that [`Assault`] starts.
pub(crate) async fn assault(options: &assault::Options) -> anyhow::Result<String> {
    let say = |line: &str| {
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()
    };
    Ok(serde_json::to_string(&assault::run(options, say).await?)?)
}
