//! `disk`: the store can write nothing any more, and can again; its file is damaged, byte by byte.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use clap::{Args, value_parser};
use client::{Client, Update};
use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
use server::{
    config::{Durability, StoreChoice, Task},
    tasks::{Report as Verdict, carry_out},
};

use crate::{
    latency::Latency,
    process::{Process, Program},
    report::Report,
    serve::Level,
    table::{Look, check, progress, seats},
    wire::Wire,
};

/// Bytes that are written at once to fill a disk.
const CHUNK: usize = 1 << 16;

/// The largest disk that is filled: nobody's system is to be.
const MOST_ROOM: u64 = 1 << 30;

/// How long play may take to resume.
const RESUMES_WITHIN: Duration = Duration::from_secs(3);

/// The file of a store.
const STORE: &str = "serve2048.db";

/// How often, and what is done to the disk.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How often there is no room, and room again
    #[arg(long, default_value_t = 20)]
    rounds: u32,
    /// Sessions that are played
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    sessions: u32,
    /// Fill the disk that `--folder` is on, which must be a small one made for this; else the server's files are kept
    /// from growing
    #[arg(long)]
    fill: bool,
    /// Of the bytes of the header and of the last page, change each one of this many
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    every: u16,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("disk");
    report.put("rounds", options.rounds);
    report.put("no_room_by", if options.fill { "a full disk" } else { "a limit on file sizes" });
    let folder = program.folder()?;
    let process = program.server(folder.path(), Level::Power).start()?;
    let mut seats = seats(&process.client()?, options.sessions as usize).await?;
    let mut stream = client::Subscription::open(Client::new(
        &process.address.to_string(),
        Some(seats[0].id().to_owned()),
        None,
    )?);
    let mut resumed = Latency::new();
    let mut refused = 0;
    let bar = progress("filling", options.rounds.into());
    for _ in 0..options.rounds {
        let mut wire = Wire::open(process.address).await?;
        for seat in &mut seats {
            seat.act(&mut wire).await?;
        }
        let no_room = NoRoom::make(options.fill, folder.path(), &process)?;
        for seat in &mut seats {
            match seat.refused(&mut wire).await {
                Ok(()) => refused += 1,
                Err(fault) => report.fault(format!("{fault:#}")),
            }
        }
        check(process.address, seats.iter(), Look::States, &mut report).await?;
        drop(no_room);
        let begun = Instant::now();
        while let Err(error) = seats[0].act(&mut wire).await {
            ensure!(begun.elapsed() < RESUMES_WITHIN, "play does not resume: {error:#}");
        }
        resumed.add(begun.elapsed());
        for seat in &mut seats[1..] {
            if let Err(fault) = seat.act(&mut wire).await {
                report.fault(format!("there is room again: {fault:#}"));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    follow(&mut stream, seats[0].seq(), &mut report).await;
    check(process.address, seats.iter(), Look::Games, &mut report).await?;
    process.stop()?;
    report.put("refused_moves", refused);
    report.latency("resumed_", &resumed);
    damage(options, folder.path(), &mut report).await?;
    Ok(report)
}

/// The stream that was opened at the beginning must come to `seq`, in order, without having been lost.
async fn follow(stream: &mut client::Subscription, seq: u64, report: &mut Report) {
    let mut last = 0;
    while last < seq {
        match tokio::time::timeout(RESUMES_WITHIN, stream.next()).await {
            Ok(Some(Update::State(snapshot))) => {
                let now = snapshot.state.seq;
                report.expect(now >= last, || format!("the stream went back from {last} to {now}"));
                last = now;
            }
            Ok(Some(Update::Connection(client::Connection::Lost { fault, .. }))) => {
                report.fault(format!("the stream was lost: {fault:?}"));
            }
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => {
                return report.fault(format!("the stream stands at {last} and not at {seq}"));
            }
        }
    }
}

/// As long as it lives, the server can't store anything.
enum NoRoom<'a> {
    Full(PathBuf),
    Limited { process: &'a Process, before: Rlimit },
}

impl<'a> NoRoom<'a> {
    fn make(fill: bool, folder: &Path, process: &'a Process) -> anyhow::Result<Self> {
        if fill {
            return Self::fill(folder);
        }
        let before = getrlimit(Resource::Fsize);
        let none = Rlimit { current: Some(0), ..before };
        prlimit(Some(process.pid()?), Resource::Fsize, none).context("limit the server's files")?;
        Ok(Self::Limited { process, before })
    }

    fn fill(folder: &Path) -> anyhow::Result<Self> {
        let room = rustix::fs::statvfs(folder)?;
        let bytes = room.f_blocks * room.f_frsize;
        ensure!(
            bytes <= MOST_ROOM,
            "a disk of {bytes} bytes is too large to be filled: use a small one"
        );
        let path = folder.join("filler");
        let mut filler = File::create(&path)?;
        let mut size = CHUNK;
        while size > 0 {
            // The last bytes too.
            if filler.write_all(&vec![0; size]).is_err() {
                size /= 2;
            }
        }
        Ok(Self::Full(path))
    }
}

impl Drop for NoRoom<'_> {
    fn drop(&mut self) {
        let room = match self {
            Self::Full(path) => fs::remove_file(path).map_err(Into::into),
            Self::Limited { process, before } => process
                .pid()
                .and_then(|pid| Ok(prlimit(Some(pid), Resource::Fsize, *before).map(drop)?)),
        };
        room.expect("what was taken from the disk can be given back");
    }
}

/// Changes one byte after the other in a copy of the store, and has each copy verified: the truth, or one sentence.
async fn damage(options: &Options, folder: &Path, report: &mut Report) -> anyhow::Result<()> {
    let whole = fs::read(folder.join(STORE)).context("read the store")?;
    let copy = tempfile::tempdir()?;
    let file = copy.path().join(STORE);
    let choice =
        StoreChoice::Sqlite { folder: copy.path().to_owned(), durability: Durability::Process };
    fs::write(&file, &whole)?;
    let truth = carry_out(&Task::Verify, &choice).await?;
    report.expect(truth.all_is_well, || truth.lines.join("; "));
    let last_page = whole.len().saturating_sub(4096);
    let places: Vec<_> =
        (0..100).chain(last_page..whole.len()).step_by(options.every.into()).collect();
    let bar = progress("damaging", places.len() as u64);
    let (mut told, mut harmless) = (0, 0);
    for &place in &places {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x10;
        fs::write(&file, &damaged)?;
        match carry_out(&Task::Verify, &choice).await {
            Ok(verdict) if verdict == truth => harmless += 1,
            Ok(Verdict { lines, all_is_well: false }) => {
                told += 1;
                report.expect(!lines.is_empty(), || format!("byte {place}: wrong without a word"));
            }
            Ok(verdict) => {
                report.fault(format!("byte {place}: silently {}", verdict.lines.join("; ")));
            }
            Err(error) => {
                told += 1;
                let text = error.to_string();
                report.expect(text.contains(STORE) && !text.contains('\n'), || {
                    format!("byte {place}: {text}")
                });
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    report.put("damaged_bytes", places.len());
    report.put("damage_told", told);
    report.put("damage_without_effect", harmless);
    Ok(())
}
