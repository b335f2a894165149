//! What survives: the network with its sums, and how far it is.

use std::{
    fs::File,
    io::{BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use crc32fast::Hasher;
use engine::Tile;
use players::ntuple::{self, Memory, WEIGHTS};
use serde::{Deserialize, Serialize};

/// How a network learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Method {
    /// Temporal coherence.
    Tc,
    /// TD(0).
    Td,
}

/// What decides, with the number of games, which network comes out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(super) method: Method,
    pub(super) rate: f32,
    /// What every board is worth at first.
    pub(crate) optimistic: f32,
    /// The tiles with which the second stage and those after it begin.
    pub(crate) stages: Vec<u32>,
    pub(crate) seed: u64,
    /// The fewest moves after which a game begins again from its middle, if it does.
    #[serde(default)]
    pub(super) restart: Option<u32>,
    /// The largest tile that is learned, if not all are.
    #[serde(default)]
    pub(crate) largest: Option<u32>,
    /// The file of weights that it began with, if it did.
    #[serde(default)]
    pub(super) from: Option<String>,
}

impl Settings {
    /// The network that has learned nothing.
    pub(crate) fn memory(&self) -> Result<Memory> {
        let begins = self.stages.iter().map(|&value| Tile::from_value(value.into()));
        let method = match self.method {
            Method::Tc => ntuple::Method::Tc,
            Method::Td => ntuple::Method::Td,
        };
        let memory = Memory::new(method, &begins.collect::<Result<Vec<_>, _>>()?, self.optimistic)
            .context("get the memory for a network")?;
        let largest = self.largest.map(|value| Tile::from_value(value.into())).transpose()?;
        Ok(match largest {
            Some(largest) => memory.up_to(largest),
            None => memory,
        })
    }

    /// The options of `lab train` that come to this.
    pub(crate) fn command(&self, games: u64) -> String {
        let method = if self.method == Method::Tc { "tc" } else { "td" };
        let Self { rate, optimistic, seed, .. } = self;
        let stages: Vec<_> = self.stages.iter().map(u32::to_string).collect();
        let stages = if stages.is_empty() {
            String::new()
        } else {
            format!(" --stages {}", stages.join(","))
        };
        let restart = self.restart.map(|moves| format!(" --restart {moves}")).unwrap_or_default();
        let largest = self.largest.map(|tile| format!(" --largest {tile}")).unwrap_or_default();
        let from = if self.from.is_some() { " --from FILE" } else { "" };
        format!(
            "FOLDER --games {games} --method {method} --rate {rate} --optimistic {optimistic} --seed {seed}{stages}{restart}{largest}{from}"
        )
    }
}

/// How far a network is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) games: u64,
    pub(super) moves: u64,
    /// Spent on learning, all threads together.
    pub(super) cpu_seconds: f64,
}

/// The first line of the file, with its version.
const MAGIC: &str = "serve2048 training 1\n";

/// The file: its magic, a line of JSON, then for each 64 cells a mask of those that have learned, and these: the bits
/// of the weight, and of the sums where there are some; at the end the CRC-32 of all after the JSON. Little endian.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    path: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    settings: Settings,
    progress: Progress,
    /// The options of `lab train` that it began with, and went on with until others were given.
    #[serde(default)]
    history: Vec<String>,
}

impl Checkpoint {
    /// The checkpoint of a folder.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { path: folder.join("checkpoint") }
    }

    /// What it was made with.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let context = || format!("read the checkpoint {}", self.path.display());
        let file = File::open(&self.path).with_context(context)?;
        Ok(read_header(&mut BufReader::new(file)).with_context(context)?.settings)
    }

    /// Writes the file anew; the old one stays until the new one is complete and on the disk.
    pub(super) fn save(
        &self,
        settings: &Settings,
        progress: &Progress,
        history: &[String],
        memory: &Memory,
    ) -> Result<()> {
        let new = self.path.with_extension("new");
        let context = || format!("write the checkpoint {}", new.display());
        let file = File::create(&new).with_context(context)?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        let history = history.to_vec();
        let header = Header { settings: settings.clone(), progress: *progress, history };
        out.write_all(MAGIC.as_bytes()).with_context(context)?;
        serde_json::to_writer(&mut out, &header).with_context(context)?;
        out.write_all(b"\n").with_context(context)?;
        let mut sum = Hasher::new();
        let mut block = Vec::with_capacity(Memory::BLOCK * 12 + 8);
        for first in (0..memory.len()).step_by(Memory::BLOCK) {
            encode(memory, first, settings.method, &mut block);
            sum.update(&block);
            out.write_all(&block).with_context(context)?;
        }
        out.write_all(&sum.finalize().to_le_bytes()).with_context(context)?;
        let file = out.into_inner().map_err(std::io::IntoInnerError::into_error);
        file.and_then(|file| file.sync_all()).with_context(context)?;
        std::fs::rename(&new, &self.path).with_context(context)
    }

    /// Reads the file into `memory`, which must be new, and gives how far it is and the options that it came so far by
    /// before those of `settings`; `None` when there is no file.
    pub(crate) fn load(
        &self,
        settings: &Settings,
        memory: &Memory,
    ) -> Result<Option<(Progress, Vec<String>)>> {
        let context = || format!("read the checkpoint {}", self.path.display());
        if !self.path.exists() {
            return Ok(None);
        }
        let damaged = || format!("the checkpoint {} is damaged", self.path.display());
        let file = File::open(&self.path).with_context(context)?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let header = read_header(&mut file).with_context(context)?;
        check(&header.settings, settings).with_context(context)?;
        let stages = header.settings.stages.len() + 1;
        let mut file = Summed { file, sum: Hasher::new() };
        for first in (0..stages * WEIGHTS).step_by(Memory::BLOCK) {
            decode(&mut file, memory, first, settings.method).with_context(damaged)?;
        }
        let found = file.sum.clone().finalize();
        let told = u32::from_le_bytes(file.read().with_context(damaged)?);
        ensure!(found == told, damaged());
        memory.spread(stages);
        let Header { settings: before, progress, mut history } = header;
        if before != *settings {
            history.push(before.command(progress.games));
        }
        Ok(Some((progress, history)))
    }
}

fn read_header(file: &mut impl BufRead) -> Result<Header> {
    let (mut magic, mut json) = (String::new(), String::new());
    file.take(64).read_line(&mut magic)?;
    ensure!(magic == MAGIC, "it is not a checkpoint of this version");
    file.take(1 << 16).read_line(&mut json)?;
    Ok(serde_json::from_str(&json)?)
}

/// Refuses to go on with other settings; but the rate, restarts and the largest tile may change, and stages may be added. What it began with
/// need not be said again.
fn check(before: &Settings, now: &Settings) -> Result<()> {
    let Settings { rate, restart, largest, .. } = *now;
    let from = if now.from.is_some() { before.from.clone() } else { None };
    let same =
        Settings { rate, restart, largest, from, stages: now.stages.clone(), ..before.clone() };
    ensure!(
        same == *now && now.stages.starts_with(&before.stages),
        "it was made with {}: use the same options, or another folder",
        serde_json::to_string(before)?,
    );
    Ok(())
}

fn encode(memory: &Memory, first: usize, method: Method, block: &mut Vec<u8>) {
    let mut cells = [(0, 0); Memory::BLOCK];
    let mask = memory.learned(first, &mut cells);
    block.clear();
    block.extend(mask.to_le_bytes());
    for (_, (weight, sums)) in cells.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1) {
        block.extend(weight.to_le_bytes());
        if method == Method::Tc {
            block.extend(sums.to_le_bytes());
        }
    }
}

fn decode(
    file: &mut Summed<impl Read>,
    memory: &Memory,
    first: usize,
    method: Method,
) -> std::io::Result<()> {
    let mut mask = u64::from_le_bytes(file.read()?);
    while mask != 0 {
        let weight = u32::from_le_bytes(file.read()?);
        let sums = if method == Method::Tc { u64::from_le_bytes(file.read()?) } else { 0 };
        memory.put(first + mask.trailing_zeros() as usize, (weight, sums));
        mask &= mask - 1;
    }
    Ok(())
}

/// A file whose bytes are summed up as they are read.
struct Summed<R> {
    file: R,
    sum: Hasher,
}

impl<R: Read> Summed<R> {
    fn read<const N: usize>(&mut self) -> std::io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        self.sum.update(&bytes);
        Ok(bytes)
    }
}
