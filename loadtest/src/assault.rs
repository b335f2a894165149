//! The attackers, in a process of their own, as if they were on another machine: each kind of attack from an address of its
//! own, until standard input ends. It prints a line when all are there, and at the end what they were answered.

mod samples;

mod tries;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use rand::RngExt as _;
use serde::{Deserialize, Serialize};
use tokio::{
    net::TcpStream,
    time::{Instant, sleep, sleep_until},
};

use self::tries::Outcome;
use crate::place;

/// Wrong answers of a kind that are kept in words.
const KEPT: usize = 3;

/// Seconds after which a held connection that was closed is opened again.
const AGAIN: std::ops::Range<f64> = 2.5..7.5;

/// How long whoever got no connection waits.
const PAUSE: Duration = Duration::from_millis(100);

/// A kind of attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Methods that do not exist, and request lines that are none.
    Methods,
    /// Heads, addresses and bodies without an end.
    Huge,
    /// Heads that come byte by byte.
    SlowHeads,
    /// Bodies that come byte by byte.
    SlowBodies,
    /// Many headers, and large ones.
    Headers,
    /// For a name that is not the server's.
    Hosts,
    /// From somebody else's page.
    Origins,
    /// Guesses at a token.
    Tokens,
    /// Bodies that are no JSON, or the wrong JSON.
    Json,
    /// Games that are none.
    Imports,
    /// Thousands of connections on which nothing is said.
    Connections,
}

/// What is attacked, and how hard.
#[derive(Debug, Clone, Args)]
pub(crate) struct Options {
    /// The server's address.
    #[arg(long)]
    pub(crate) address: SocketAddr,
    /// Its name.
    #[arg(long)]
    pub(crate) host: String,
    /// A session that others play in.
    #[arg(long)]
    pub(crate) session: String,
    /// Kinds of attack.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) kinds: Vec<Kind>,
    /// Attackers of each kind.
    #[arg(long)]
    pub(crate) attackers: u32,
    /// Tries a second of each kind.
    #[arg(long)]
    pub(crate) rate: f64,
    /// Connections that are only held.
    #[arg(long)]
    pub(crate) held: u32,
}

/// What the attackers of a kind were answered.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Count {
    /// What they tried.
    pub(crate) tried: u64,
    /// What they were to try, if they try so many a second: what they had tried when all were there, and so many a second since.
    pub(crate) due: Option<f64>,
    /// Refusals in words.
    pub(crate) worded: u64,
    /// Refusals by a bare status: what the parser of HTTP did not understand.
    pub(crate) bare: u64,
    /// Connections that were closed without an answer.
    pub(crate) closed: u64,
    /// Connections that they got.
    pub(crate) connected: u64,
    /// Tries that came to no connection.
    pub(crate) unconnected: u64,
    /// By status.
    pub(crate) statuses: BTreeMap<u16, u64>,
    /// Answers that nobody may be given for that.
    pub(crate) wrong: u64,
    /// The first of them.
    pub(crate) told: Vec<String>,
    /// Connections that are open.
    pub(crate) open: u64,
    /// The most that were.
    pub(crate) most_open: u64,
}

/// What all were answered.
pub(crate) type Counts = BTreeMap<Kind, Count>;

/// The attackers of one kind.
#[derive(Debug, Clone)]
struct Gang {
    kind: Kind,
    options: Arc<Options>,
    /// Where they come from; `None` from anywhere.
    home: Option<Ipv4Addr>,
    count: Rc<RefCell<Count>>,
    /// Attackers that have not tried to connect yet.
    to_come: Rc<Cell<u32>>,
    came: Cell<bool>,
    /// When all attackers of all kinds were there, and what those of this kind had tried.
    all_here: Rc<Cell<Option<(Instant, u64)>>>,
}

/// Attacks until standard input ends, and has `say` say when all are there; gives what came of it. Must be called within
/// a `LocalSet`.
///
/// # Errors
/// - When the system does not let it wait.
pub(crate) async fn run(
    options: &Options,
    say: impl Fn(&str) -> io::Result<()> + 'static,
) -> anyhow::Result<Counts> {
    let options = Arc::new(options.clone());
    let here = matches!(options.address.ip(), IpAddr::V4(ip) if ip.is_loopback());
    let to_come = Rc::new(Cell::new(0));
    let gang = |kind: &Kind| Gang {
        kind: *kind,
        options: Arc::clone(&options),
        home: here.then(|| Ipv4Addr::new(127, 6, 6, 1 + *kind as u8)),
        count: Rc::default(),
        to_come: Rc::clone(&to_come),
        came: Cell::new(false),
        all_here: Rc::default(),
    };
    let gangs: Vec<Gang> = options.kinds.iter().map(gang).collect();
    to_come.set(gangs.iter().map(Gang::size).sum());
    for gang in &gangs {
        for number in 0..gang.size() {
            tokio::task::spawn_local(gang.clone().attack(number));
        }
    }
    let waiting = gangs.clone();
    tokio::task::spawn_local(async move {
        while to_come.get() > 0 {
            sleep(PAUSE).await;
        }
        for gang in &waiting {
            gang.all_here.set(Some((Instant::now(), gang.count.borrow().tried)));
        }
        say("all are here")
    });
    let told = tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink()));
    told.await?.context("wait for the end")?;
    Ok(gangs.iter().map(|gang| (gang.kind, gang.counted())).collect())
}

impl Gang {
    fn size(&self) -> u32 {
        match self.kind {
            Kind::Connections => self.options.held,
            // Each is busy for ten seconds.
            Kind::SlowHeads | Kind::SlowBodies => self.options.attackers * 16,
            _ => self.options.attackers,
        }
    }

    /// Whether each try begins when it is due, and not when the one before has ended.
    fn keeps_time(&self) -> bool {
        !matches!(self.kind, Kind::Connections | Kind::SlowHeads | Kind::SlowBodies | Kind::Huge)
    }

    /// What came of all tries.
    fn counted(&self) -> Count {
        let all_here = self.all_here.get().filter(|_| self.keeps_time());
        let due = all_here
            .map(|(when, tried)| tried as f64 + self.options.rate * when.elapsed().as_secs_f64());
        Count { due, ..self.count.borrow().clone() }
    }

    /// One attacker.
    async fn attack(self, number: u32) {
        let every = Duration::from_secs_f64(f64::from(self.options.attackers) / self.options.rate);
        let mut due = Instant::now() + every.mul_f64(f64::from(number) / f64::from(self.size()));
        let (mut open, mut turn) = (None, u64::from(number));
        loop {
            let outcome = match self.kind {
                Kind::Connections => self.hold().await,
                Kind::SlowHeads | Kind::SlowBodies => self.dawdle().await,
                Kind::Huge => self.pour(turn).await,
                _ => {
                    sleep_until(due).await;
                    // Who was kept waiting does not catch up.
                    due = (due + every).max(Instant::now());
                    self.ask(&mut open, turn).await
                }
            };
            turn += u64::from(self.size());
            let unconnected = outcome.is_err();
            self.take(outcome);
            match self.kind {
                Kind::Connections => {
                    sleep(Duration::from_secs_f64(rand::rng().random_range(AGAIN))).await;
                }
                Kind::Huge => sleep(every).await,
                _ if unconnected => sleep(PAUSE).await,
                _ => {}
            }
        }
    }

    async fn connect(&self) -> io::Result<TcpStream> {
        let stream = match self.home {
            Some(home) => place::from(home, self.options.address).await,
            None => TcpStream::connect(self.options.address).await,
        };
        if !self.came.replace(true) {
            self.to_come.set(self.to_come.get() - 1);
        }
        let stream = stream?;
        stream.set_nodelay(true)?;
        self.count.borrow_mut().connected += 1;
        Ok(stream)
    }

    fn take(&self, outcome: io::Result<Outcome>) {
        let mut count = self.count.borrow_mut();
        count.tried += 1;
        match outcome {
            Err(_) => count.unconnected += 1,
            Ok(Outcome::Closed) => count.closed += 1,
            Ok(Outcome::Answered { status, worded, said }) => {
                *count.statuses.entry(status).or_default() += 1;
                if worded {
                    count.worded += 1;
                } else {
                    count.bare += 1;
                }
                let refused = (400..500).contains(&status) || (status == 503 && worded);
                if !refused {
                    count.wrong += 1;
                    if count.told.len() < KEPT {
                        count.told.push(format!("{status} {said:.200}"));
                    }
                }
            }
        }
    }
}
