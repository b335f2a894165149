//! The server that the scenarios start: the whole server in a process of its own, so that it can be measured and killed.

use std::{
    io, panic,
    path::PathBuf,
    process::ExitCode,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use clap::{Args, ValueEnum};
use server::{
    clock::{Clock, UnixMillis},
    config::{Caps, Config, Durability, StoreChoice},
    server::{Guests, Server},
};
use tokio::{
    runtime,
    signal::unix::{SignalKind, signal},
};

use crate::broken;

/// What an acknowledged move survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// A power cut.
    #[default]
    Power,
    /// The end of the process.
    Process,
    /// Nothing: the games are in memory.
    None,
}

/// Whose callers it is limited for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Limits {
    /// This machine's, which are not limited.
    #[default]
    Here,
    /// Those of a server that others reach.
    Elsewhere,
}

/// What the server is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Parts {
    /// What is shipped.
    #[default]
    Whole,
    /// That, and what is broken on purpose.
    Broken,
}

/// Streams of one address, where others reach the server.
const STREAMS_PER_ADDRESS: usize = 64;

/// How often anything panicked.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// How the server is set up.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The data folder.
    #[arg(long)]
    data: PathBuf,
    /// The port; any free one for 0.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// What an acknowledged move survives.
    #[arg(long, value_enum, default_value_t)]
    level: Level,
    /// Seconds after which an idle session leaves memory.
    #[arg(long)]
    idle_seconds: Option<u64>,
    /// Seconds after its last change at which a session is closed.
    #[arg(long)]
    expire_seconds: Option<u64>,
    /// Whether its callers are limited as those of a server that others reach.
    #[arg(long, value_enum, default_value_t)]
    limits: Limits,
    /// What the server is made of.
    #[arg(long, value_enum, default_value_t)]
    parts: Parts,
    /// Open sessions in all.
    #[arg(long)]
    max_sessions: Option<u64>,
    /// File with the seconds by which its clock is ahead of the machine's; read again and again.
    #[arg(long)]
    clock_file: Option<PathBuf>,
}

/// A clock that jumps when somebody writes another number into `file`.
fn jumping(file: PathBuf) -> Clock {
    let machine = Clock::system();
    let ahead = move || std::fs::read_to_string(&file).ok()?.trim().parse::<i64>().ok();
    Clock::new(move || UnixMillis(machine.now().0 + ahead().unwrap_or(0) * 1000))
}

/// Serves until it is killed, or told to stop by the end of its standard input.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    // Before it says where it is: whoever reads that may end it.
    let (tell_main, told) = mpsc::channel();
    listen(tell_main)?;
    let (says, quiet) = (panic::take_hook(), options.parts == Parts::Broken);
    panic::set_hook(Box::new(move |what| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        // What is broken on purpose says nothing new.
        if !quiet {
            says(what);
        }
    }));
    let elsewhere = options.limits == Limits::Elsewhere;
    let sqlite = |durability| StoreChoice::Sqlite { folder: options.data.clone(), durability };
    let default = Config::default();
    let guests = match options.parts {
        Parts::Whole => Guests::default(),
        Parts::Broken => broken::guests(),
    };
    let config = Config {
        port: options.port,
        store: match options.level {
            Level::Power => sqlite(Durability::Power),
            Level::Process => sqlite(Durability::Process),
            Level::None => StoreChoice::Memory,
        },
        idle: options.idle_seconds.map_or(default.idle, Duration::from_secs),
        expire_after: options.expire_seconds.map(Duration::from_secs),
        clock: options.clock_file.clone().map_or(default.clock, jumping),
        caps: if elsewhere { Caps::from_elsewhere() } else { default.caps },
        max_streams_per_address: elsewhere.then_some(STREAMS_PER_ADDRESS),
        max_sessions: options.max_sessions.unwrap_or(default.max_sessions),
        ..Config::default()
    };
    let server = Server::start_with(config, guests)?;
    tell(server.address());
    let runtime = runtime::Builder::new_current_thread().build()?;
    while let Ok(told) = told.recv() {
        match told {
            Told::Sessions => tell(runtime.block_on(server.sessions())),
            Told::Condemn(session) => {
                broken::condemn(&session);
                tell(1);
            }
            Told::Panics => tell(PANICS.load(Ordering::SeqCst)),
            Told::Stop => break,
        }
    }
    server.stop()?;
    Ok(ExitCode::SUCCESS)
}

/// What the server is told while it serves.
enum Told {
    /// Somebody asks how many sessions are loaded.
    Sessions,
    /// Somebody asks how often anything panicked.
    Panics,
    /// The session of that id shall panic, if the server is broken.
    Condemn(String),
    /// It shall stop.
    Stop,
}

/// Listens to standard input and to SIGTERM. Whoever started the server holds the other end of its input; a killed one
/// holds nothing.
fn listen(tell: mpsc::Sender<Told>) -> io::Result<()> {
    let stop = tell.clone();
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut terminate = {
        let _entered = runtime.enter();
        signal(SignalKind::terminate())?
    };
    thread::spawn(move || {
        runtime.block_on(terminate.recv());
        stop.send(Told::Stop).unwrap_or_default();
    });
    thread::spawn(move || {
        for line in io::stdin().lines() {
            let Ok(line) = line else { break };
            let asked = match line.split_once(' ') {
                Some(("condemn", session)) => Told::Condemn(session.to_owned()),
                _ if line == "panics" => Told::Panics,
                _ => Told::Sessions,
            };
            if tell.send(asked).is_err() {
                break;
            }
        }
        tell.send(Told::Stop).unwrap_or_default();
    });
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the process that started it reads its answers there")]
fn tell(answer: impl std::fmt::Display) {
    println!("{answer}");
}
