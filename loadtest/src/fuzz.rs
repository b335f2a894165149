//! `fuzz`: requests, JSON and games as text that are valid but for random changes, against a whole server. Nothing may
//! panic, every answer is one that the protocol knows, and memory stays bounded.

mod changes;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use bytes::BytesMut;
use clap::{Args, value_parser};
use client::Client;
use protocol::{AgentStart, CreateSession, NewGame, Pace, Seed};
use rand::{SeedableRng as _, rngs::SmallRng};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::{Instant, sleep, timeout},
};

use self::changes::{Valid, change};
use crate::{
    audience::{Tally, Temper},
    place::Place,
    play::Players,
    process::Program,
    report::Report,
    scene::{Crowd, Scene, pass},
    target::TargetOptions,
    wire::parse,
};

/// How long an answer is waited for: what is changed is often half a request, to which there is none.
const WITHIN: Duration = Duration::from_millis(200);

/// The most of an answer that is read: a stream has no end.
const MOST: usize = 256 << 10;

/// Moves a second of who plays beside it.
const RATE: f64 = 10.0;

/// Sessions that may be open.
const SESSIONS: &str = "200";

/// How long, and what.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Seconds
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// What the changes come from: the same number gives the same requests
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The first request of the series: to see one again that was told
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many requests, if not as many as there is time for
    #[arg(long)]
    count: Option<u64>,
    /// Connections at the same time
    #[arg(long, default_value_t = 32, value_parser = value_parser!(u32).range(1..))]
    connections: u32,
    /// Megabytes by which the server's memory may grow
    #[arg(long, default_value_t = 256)]
    most_mb: u64,
    #[command(flatten)]
    target: TargetOptions,
}

/// What came of all requests so far.
#[derive(Debug, Default)]
struct Outcomes {
    next: Cell<u64>,
    unanswered: Cell<u64>,
    worded: Cell<u64>,
    bare: Cell<u64>,
    statuses: RefCell<BTreeMap<String, u64>>,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("fuzz");
    report.put("seed", options.seed);
    let crowd = Crowd {
        sessions: 1,
        subscribers: 2,
        connections: options.connections as usize,
        ramp: Duration::ZERO,
        temper: Temper::Strict,
    };
    let target = options.target.with_many_homes(&[("--max-sessions", SESSIONS)]);
    let (mut scene, seats) = Scene::set(report, &crowd, &target, program).await?;
    let place = scene.target.place.clone();
    // Somebody plays beside it, and must be answered.
    let players = Players::begin(&place, vec![seats], RATE, crowd.temper, &scene.tally);
    let valid = Rc::new(valid(&scene.target.client()?, &place).await?);
    let before = scene.target.usage()?.map(|usage| usage.resident);
    let outcomes = Rc::new(Outcomes::default());
    outcomes.next.set(options.first);
    let last = options.count.map_or(u64::MAX, |count| options.first.saturating_add(count));
    let end = Instant::now() + Duration::from_secs_f64(options.seconds);
    let mut tasks = Vec::new();
    for _ in 0..options.connections {
        let fuzzer = Fuzzer {
            place: place.clone(),
            valid: Rc::clone(&valid),
            outcomes: Rc::clone(&outcomes),
            tally: Rc::clone(&scene.tally),
            seed: options.seed,
        };
        tasks.push(tokio::task::spawn_local(fuzzer.fuzz(last, end)));
    }
    pass("fuzzing", if options.count.is_some() { 0.0 } else { options.seconds }).await;
    for task in tasks {
        task.await.context("a fuzzer crashed")?;
    }
    // What it was made to think about is over a second later.
    sleep(Duration::from_secs(1)).await;
    let report = &mut scene.report;
    report.put("tried", outcomes.next.get().min(last) - options.first);
    report.put("refused_in_words", outcomes.worded.get());
    report.put("refused_by_a_bare_status", outcomes.bare.get());
    report.put("without_an_answer", outcomes.unanswered.get());
    report.put("statuses", serde_json::to_value(&*outcomes.statuses.borrow())?);
    if let Some((before, after)) = before.zip(scene.target.usage()?.map(|usage| usage.resident)) {
        scene.report.put("resident_bytes_before", before);
        scene.report.put("resident_bytes_after", after);
        scene.report.expect(after < before + (options.most_mb << 20), || {
            format!("the server's memory grew from {before} to {after} bytes")
        });
    }
    if let Some(panics) = scene.target.panics()? {
        scene.report.put("panics", panics);
        scene.report.expect(panics == 0, || format!("something panicked {panics} times"));
    }
    let seats = players.end().await?;
    scene.settle(&seats).await
}

/// What the requests are made from: a session that may be played in, and a game that is over.
async fn valid(client: &Client, place: &Place) -> anyhow::Result<Valid> {
    let created = client.create_session(&CreateSession::default()).await?;
    let (id, token) = (created.id.clone(), created.control.clone());
    let session = client.with_session(Some(created.id), Some(created.control));
    let game = session.state().await?.game;
    let start = AgentStart {
        player: Some("random".to_owned()),
        pace: Some(Pace::Max),
        ..AgentStart::default()
    };
    session.agent_start(&start).await?;
    let begun = Instant::now();
    while !session.state().await?.game_over {
        ensure!(begun.elapsed() < crate::scene::PATIENCE, "the game does not end");
        sleep(Duration::from_millis(20)).await;
    }
    let export = session.export(&game).await?;
    session.new_game(&NewGame { seed: Some(Seed(7)), ..NewGame::default() }).await?;
    Ok(Valid { host: place.host().to_owned(), id, token, game, export })
}

/// One connection after the other, on each of which a changed request is sent.
struct Fuzzer {
    place: Place,
    valid: Rc<Valid>,
    outcomes: Rc<Outcomes>,
    tally: Rc<Tally>,
    seed: u64,
}

impl Fuzzer {
    async fn fuzz(self, last: u64, end: Instant) {
        while Instant::now() < end {
            let number = self.outcomes.next.get();
            if number >= last {
                return;
            }
            self.outcomes.next.set(number + 1);
            // Any request is made again from the two numbers alone.
            let mut random =
                SmallRng::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let bytes = change(&self.valid, &mut random);
            if let Err(fault) = self.send(&bytes).await {
                let start = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]).into_owned();
                let fault = fault.context(format!(
                    "request {number} (--seed {} --first {number} --count 1), {start:?}",
                    self.seed
                ));
                self.tally.fault(&fault);
            }
        }
    }

    /// Sends `bytes`, and looks at what is answered, if anything is.
    async fn send(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut stream = self.place.connect().await.context("the server is gone")?;
        let mut read = BytesMut::new();
        let talks = async {
            // Whoever closes early may have said why.
            if stream.write_all(bytes).await.is_err() {
                tokio::task::yield_now().await;
            }
            while read.len() < MOST {
                if let Ok(Some((_, head, length))) = parse(&read)
                    && read.len() >= head + length
                {
                    return;
                }
                if !matches!(stream.read_buf(&mut read).await, Ok(1..)) {
                    return;
                }
            }
        };
        if timeout(WITHIN, talks).await.is_err() && read.is_empty() {
            self.outcomes.unanswered.set(self.outcomes.unanswered.get() + 1);
            return Ok(());
        }
        self.judge(&read)
    }

    fn judge(&self, read: &[u8]) -> anyhow::Result<()> {
        let count = |count: &Cell<u64>| count.set(count.get() + 1);
        if read.is_empty() {
            count(&self.outcomes.unanswered);
            return Ok(());
        }
        let status = read.get(9..12).and_then(|text| std::str::from_utf8(text).ok());
        let status: u16 =
            status.and_then(|text| text.parse().ok()).context("an answer that is no HTTP")?;
        *self.outcomes.statuses.borrow_mut().entry(status.to_string()).or_default() += 1;
        if status < 400 {
            return Ok(());
        }
        let said = parse(read).ok().flatten().and_then(|(_, head, length)| {
            serde_json::from_slice::<protocol::ErrorBody>(read.get(head..head + length)?).ok()
        });
        let worded = said.is_some_and(|said| !said.detail.is_empty());
        count(if worded { &self.outcomes.worded } else { &self.outcomes.bare });
        ensure!(status < 500 || (status == 503 && worded), "was answered {status}");
        Ok(())
    }
}
