//! The process of a server: started, measured, stopped, killed.

use std::{
    ffi::OsStr,
    fs,
    io::{self, BufRead as _, BufReader, Read, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use clap::ValueEnum as _;
use client::Client;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::serve::Level;

/// Bytes of a server's complaints that are kept.
const KEPT: usize = 16 << 10;

/// What a server is started from, and where its stores are.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    path: PathBuf,
    folder: Option<PathBuf>,
}

/// How to start a server.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    program: PathBuf,
    arguments: Vec<String>,
}

/// A server's process; killed when it is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    said: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
    /// When it was started.
    pub(crate) begun: Instant,
}

/// What a process has used so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    pub(crate) cpu: Duration,
    pub(crate) resident: u64,
}

impl Program {
    /// This program, which can be a server too; stores are made in `folder`.
    pub(crate) fn this(folder: Option<PathBuf>) -> anyhow::Result<Self> {
        let path = std::env::current_exe().context("find this program's own file")?;
        Ok(Self { path, folder })
    }

    /// A new folder for a store; removed when it is dropped.
    pub(crate) fn folder(&self) -> anyhow::Result<TempDir> {
        let made = match &self.folder {
            Some(folder) => TempDir::with_prefix_in("loadtest-", folder),
            None => TempDir::with_prefix("loadtest-"),
        };
        made.context("make a folder for the store")
    }

    /// Another part of this program, in a process of its own, which `through` starts: a program with its arguments that becomes
    /// another.
    pub(crate) fn part(&self, name: &str, through: &[&str]) -> tokio::process::Command {
        let own = self.path.as_os_str();
        let mut words = through.iter().map(OsStr::new).chain([own, OsStr::new(name)]);
        let mut command = tokio::process::Command::new(words.next().unwrap_or(own));
        command.args(words).kill_on_drop(true);
        command
    }

    /// A server on the store in `folder`.
    pub(crate) fn server(&self, folder: &Path, level: Level) -> Launch {
        let level = level.to_possible_value().map(|value| value.get_name().to_owned());
        let launch = Launch { program: self.path.clone(), arguments: vec!["serve".to_owned()] };
        launch
            .with("--data", &folder.display().to_string())
            .with("--level", &level.unwrap_or_default())
    }
}

impl Launch {
    /// With another option.
    #[must_use]
    pub(crate) fn with(mut self, option: &str, value: &str) -> Self {
        self.arguments.extend([option.to_owned(), value.to_owned()]);
        self
    }

    /// Starts it and waits until it says where it listens.
    ///
    /// # Errors
    /// - When it does not start, with what it said.
    pub(crate) fn start(&self) -> anyhow::Result<Process> {
        let begun = Instant::now();
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("start a server")?;
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().context("a server without an output")?);
        let stderr = child.stderr.take().context("a server without an error output")?;
        // Read to its end, so that the server never waits for somebody to listen.
        let complaint = thread::spawn(move || last_of(stderr));
        said.read_line(&mut line)?;
        if let Ok(address) = line.trim().parse() {
            Ok(Process { child, said, address, begun })
        } else {
            child.wait()?;
            let text = complaint.join().ok().and_then(Result::ok).unwrap_or_default();
            bail!("{}", String::from_utf8_lossy(&text).trim())
        }
    }
}

impl Process {
    /// A client of its session `main`.
    ///
    /// # Errors
    /// - When the HTTP client does not start.
    pub(crate) fn client(&self) -> anyhow::Result<Client> {
        Ok(Client::new(&self.address.to_string(), None, None)?)
    }

    /// How many files it has open.
    ///
    /// # Errors
    /// - When the system does not tell.
    pub(crate) fn files(&self) -> anyhow::Result<usize> {
        let path = format!("/proc/{}/fd", self.child.id());
        Ok(fs::read_dir(&path).with_context(|| format!("read {path}"))?.count())
    }

    /// What it has used so far.
    ///
    /// # Errors
    /// - When the system does not tell: it is read from `/proc`.
    pub(crate) fn usage(&self) -> anyhow::Result<Usage> {
        usage_of(&self.child.id().to_string())
    }

    /// How many sessions it has in memory.
    ///
    /// # Errors
    /// - When it is gone.
    pub(crate) fn sessions(&mut self) -> anyhow::Result<u64> {
        self.ask("sessions")
    }

    /// How often anything in it panicked.
    ///
    /// # Errors
    /// - When it is gone.
    pub(crate) fn panics(&mut self) -> anyhow::Result<u64> {
        self.ask("panics")
    }

    /// Has a session panic with its next change, in a server that is broken on purpose.
    ///
    /// # Errors
    /// - When it is gone.
    pub(crate) fn condemn(&mut self, session: &str) -> anyhow::Result<()> {
        self.ask(&format!("condemn {session}")).map(drop)
    }

    fn ask(&mut self, what: &str) -> anyhow::Result<u64> {
        let asked = self.child.stdin.as_mut().context("a server without an input")?;
        writeln!(asked, "{what}").context("the server is gone")?;
        let mut line = String::new();
        self.said.read_line(&mut line)?;
        line.trim().parse().with_context(|| format!("no number of {what}: is the server gone?"))
    }

    /// Sends it a signal.
    ///
    /// # Errors
    /// - When it is gone.
    pub(crate) fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        kill_process(self.pid()?, signal).context("send a signal")
    }

    /// Its number.
    pub(crate) fn pid(&self) -> anyhow::Result<Pid> {
        let number = i32::try_from(self.child.id()).ok();
        number.and_then(Pid::from_raw).context("a process without a number")
    }

    /// Kills it: no thread of it does anything any more.
    ///
    /// # Errors
    /// - When it cannot be killed.
    pub(crate) fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill().context("kill the server")?;
        self.child.wait().context("wait for the killed server")?;
        Ok(())
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    /// - When the system does not tell.
    pub(crate) fn wait(mut self) -> anyhow::Result<ExitStatus> {
        self.child.wait().context("wait for the server")
    }

    /// Has it stop in order, and waits until it has.
    ///
    /// # Errors
    /// - When it ends in any other way, with what it said.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        drop(self.child.stdin.take());
        let status = self.child.wait().context("wait for the server")?;
        anyhow::ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

/// Reads to the end; gives the last of it.
fn last_of(mut from: impl Read) -> io::Result<Vec<u8>> {
    let (mut last, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(last),
            length => {
                last.drain(..last.len().saturating_sub(KEPT));
                last.extend_from_slice(&piece[..length]);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A server that has ended already can't be killed, and need not be.
        if self.child.kill().is_ok() {
            self.child.wait().map(drop).unwrap_or_default();
        }
    }
}

/// What this process has used so far.
///
/// # Errors
/// - When the system does not tell.
pub(crate) fn own_usage() -> anyhow::Result<Usage> {
    usage_of("self")
}

fn usage_of(process: &str) -> anyhow::Result<Usage> {
    let read = |file: &str| {
        let path = format!("/proc/{process}/{file}");
        fs::read_to_string(&path).with_context(|| format!("read {path}"))
    };
    let stat = read("stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    let cpu =
        Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
    let status = read("status")?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes =
        resident.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    Ok(Usage { cpu, resident: kilobytes.context("no resident memory in /proc")? * 1024 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_memory() {
        assert!(own_usage().unwrap().resident > 1 << 20);
    }
}
