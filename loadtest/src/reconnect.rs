//! `reconnect`: everybody loses their stream in the same moment, and is back.

use std::{rc::Rc, time::Duration};

use clap::{Args, ValueEnum, value_parser};
use tokio::time::Instant;

use crate::{
    audience::{Temper, holds_within},
    latency::Latency,
    play::{Acks, Players},
    process::Program,
    report::Report,
    scene::{Crowd, PATIENCE, Scene, pass},
    table::shares,
    target::{Ending, TargetOptions},
};

/// How long a server may take to end when it is asked to.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// How many, and how they lose it.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Subscribers
    #[arg(long, default_value_t = 5000, value_parser = value_parser!(u32).range(1..))]
    subscribers: u32,
    /// Sessions that they watch, and that are played meanwhile
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Moves a second, in all sessions together
    #[arg(long, default_value_t = 10.0)]
    rate: f64,
    /// Connections that the moves come by
    #[arg(long, default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    connections: u32,
    /// How everybody loses their stream
    #[arg(long, value_enum, default_value_t)]
    by: By,
    /// How often
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    rounds: u32,
    /// Seconds of play between the rounds
    #[arg(long, default_value_t = 2.0)]
    play_seconds: f64,
    /// Seconds in which the subscribers come at first
    #[arg(long, default_value_t = 5.0)]
    ramp_seconds: f64,
    #[command(flatten)]
    target: TargetOptions,
}

/// How everybody loses their stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum By {
    /// They all close it, and come back at once.
    #[default]
    Network,
    /// The server is ended by SIGTERM and started again.
    Term,
    /// The server is ended by `kill -9` and started again.
    Kill,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("reconnect");
    report.put("subscribers", options.subscribers);
    report.put("sessions", options.sessions);
    report.put("by", format!("{:?}", options.by).to_lowercase());
    report.put("rounds", options.rounds);
    report.number("rate", options.rate);
    let crowd = Crowd {
        sessions: options.sessions as usize,
        subscribers: options.subscribers as usize,
        connections: options.connections as usize,
        ramp: Duration::from_secs_f64(options.ramp_seconds),
        temper: Temper::Patient,
    };
    let (mut scene, seats) = Scene::set(report, &crowd, &options.target, program).await?;
    anyhow::ensure!(
        options.by == By::Network || scene.target.is_own(),
        "only a server of the tool's own is ended: leave --url out"
    );
    let place = scene.target.place.clone();
    let shares = shares(seats, crowd.connections);
    let players = Players::begin(&place, shares, options.rate, crowd.temper, &scene.tally);
    let acks = Rc::clone(&players.acks);
    acks.latency.borrow_mut().begin(f64::from(options.rounds) * (options.play_seconds + 5.0));
    let (all_back, ended) = rounds(&mut scene, options).await?;
    acks.latency.borrow_mut().end();
    tell(&mut scene, options, &acks, &all_back, &ended);
    let seats = players.end().await?;
    scene.settle(&seats).await
}

/// Lets everybody lose their stream, again and again; gives how long it took until all were back, and until a server had
/// ended.
async fn rounds(scene: &mut Scene, options: &Options) -> anyhow::Result<(Latency, Latency)> {
    let (mut all_back, mut ended) = (Latency::new(), Latency::new());
    *scene.tally.arrival.borrow_mut() = Latency::new();
    for _ in 0..options.rounds {
        pass("playing", options.play_seconds).await;
        let begun = match options.by {
            By::Network => {
                scene.audience.send_away();
                scene.expect_gone().await;
                scene.audience.call_back();
                Instant::now()
            }
            By::Term => scene.restart(Ending::Term, &mut ended).await?,
            By::Kill => scene.restart(Ending::Kill, &mut ended).await?,
        };
        let positions: u64 = scene.shows.iter().map(|show| show.acknowledged()).min().unwrap_or(0);
        scene.all_here().await;
        all_back.add(begun.elapsed());
        let (at, all) = (scene.audience.at(positions), scene.audience.len());
        scene.report.expect(at == all, || {
            format!("{} of {all} came back to a position before {positions}", all - at)
        });
    }
    Ok((all_back, ended))
}

fn tell(scene: &mut Scene, options: &Options, acks: &Acks, all_back: &Latency, ended: &Latency) {
    let report = &mut scene.report;
    report.latency("", &scene.tally.arrival.borrow());
    report.latency("all_back_", all_back);
    report.timeline("ack_", "from when a move was due to its reply", &acks.latency.borrow());
    report.put("commands", acks.count.get());
    report.put("refused", acks.refused.get());
    report.put("byes", scene.tally.byes.get());
    report.put("turned_away", scene.tally.turned_away.get());
    if options.by != By::Network {
        report.latency("ended_", ended);
    }
    if options.by == By::Term {
        let (byes, due) = (scene.tally.byes.get(), u64::from(options.subscribers * options.rounds));
        report.expect(byes == due, || format!("{byes} farewells where {due} were due"));
        let longest = ended.percentile(100.0);
        report.aim(longest <= ENDS_WITHIN.as_secs_f64() * 1e3, || {
            format!("the server took {longest} ms to end")
        });
    }
}

impl Scene {
    /// Waits until everybody has closed their connection.
    async fn expect_gone(&mut self) {
        let audience = &self.audience;
        let gone = holds_within(PATIENCE, || audience.here() == 0).await;
        self.report.expect(gone, || "subscribers did not close their connections".to_owned());
    }

    /// Ends the server and starts it again; the subscribers see for themselves. Gives when it was there again.
    ///
    /// # Errors
    /// - When it does not end, or does not start.
    pub(crate) async fn restart(
        &mut self,
        how: Ending,
        ended: &mut Latency,
    ) -> anyhow::Result<Instant> {
        let begun = Instant::now();
        let process = self.target.end(how)?;
        // The subscribers go on reading meanwhile.
        let waited =
            tokio::task::spawn_blocking(move || process.map(crate::process::Process::wait));
        let status = waited.await?.transpose()?;
        ended.add(begun.elapsed());
        self.expect_gone().await;
        let in_order = status.is_none_or(|status| status.success());
        self.report.expect(in_order || how == Ending::Kill, || {
            format!("the server ended with {}", status.unwrap_or_default())
        });
        let launch = self.target.launch();
        let process = tokio::task::spawn_blocking(move || launch.map(|launch| launch.start()));
        self.target.take(process.await?.transpose()?);
        Ok(Instant::now())
    }
}
