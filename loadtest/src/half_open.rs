//! `half-open`: readers that go without a word, in three ways, and how long the server keeps what it holds for them.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::{Args, value_parser};
use socket2::{SockFilter, SockRef};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};

use crate::{
    audience::Temper,
    process::Program,
    report::Report,
    scene::{Crowd, PATIENCE, Scene},
    slow_readers::stall,
    target::{Target, TargetOptions},
};

/// How often it is looked whether they are gone.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The instruction of a socket filter that says how many bytes of a packet are let through.
const LET_THROUGH: u16 = 0x06;

/// How many.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Readers that go in each way
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    clients: u32,
    /// Ways to go [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    by: Vec<Way>,
    #[command(flatten)]
    target: TargetOptions,
}

/// A way to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Way {
    /// The connection is closed.
    Fin,
    /// It is reset.
    Rst,
    /// The reader's machine is gone: no packet is answered any more.
    Silence,
}

impl Way {
    const ALL: [Self; 3] = [Self::Fin, Self::Rst, Self::Silence];

    /// How long what it held may stay.
    fn within(self) -> Duration {
        match self {
            Self::Fin | Self::Rst => Duration::from_secs(1),
            Self::Silence => Duration::from_secs(45),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Fin => "fin",
            Self::Rst => "rst",
            Self::Silence => "silence",
        }
    }

    /// The readers go; what is given back must be kept until it was looked at.
    fn go(self, readers: Vec<TcpStream>) -> anyhow::Result<Vec<TcpStream>> {
        match self {
            Self::Fin => Ok(Vec::new()),
            Self::Rst => {
                for reader in &readers {
                    SockRef::from(reader).set_linger(Some(Duration::ZERO))?;
                }
                Ok(Vec::new())
            }
            Self::Silence => {
                // The kernel drops every packet for it before TCP sees it.
                let nothing = [SockFilter::new(LET_THROUGH, 0, 0, 0)];
                for reader in &readers {
                    SockRef::from(reader).attach_filter(&nothing).context("filter packets")?;
                }
                Ok(readers)
            }
        }
    }
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("half-open");
    report.put("clients", options.clients);
    let nobody = Crowd {
        sessions: 1,
        subscribers: 0,
        connections: options.clients as usize,
        ramp: Duration::ZERO,
        temper: Temper::Strict,
    };
    let (mut scene, seats) = Scene::set(report, &nobody, &options.target, program).await?;
    ensure!(scene.target.is_own(), "only a server of the tool's own can be looked into");
    let ways = if options.by.is_empty() { &Way::ALL[..] } else { &options.by };
    for &way in ways {
        let count = options.clients as usize;
        let readers = stall(&scene, count).await?;
        for reader in &readers {
            // Its stream has begun.
            timeout(PATIENCE, reader.readable()).await.context("a reader is not let in")??;
        }
        let there = files(&scene.target)?;
        let gone = way.go(readers)?;
        let freed = looks(&scene.target, way.within() * 4, |files| files + count <= there).await?;
        drop(gone);
        let name = way.name();
        match freed {
            Some(took) => {
                scene.report.number(&format!("{name}_freed_ms"), took.as_secs_f64() * 1e3);
                scene.report.aim(took <= way.within(), || {
                    format!("{name}: what the readers held was freed after {took:.1?}")
                });
            }
            None => scene.report.fault(format!("{name}: what the readers held is not freed")),
        }
    }
    scene.settle(&seats).await
}

/// Waits until so many files are open as it must be; gives how long it took.
async fn looks(
    target: &Target,
    within: Duration,
    enough: impl Fn(usize) -> bool,
) -> anyhow::Result<Option<Duration>> {
    let begun = Instant::now();
    while !enough(files(target)?) {
        if begun.elapsed() > within {
            return Ok(None);
        }
        sleep(LOOK_EVERY).await;
    }
    Ok(Some(begun.elapsed()))
}

fn files(target: &Target) -> anyhow::Result<usize> {
    target.files()?.context("a server that can't be looked into")
}
