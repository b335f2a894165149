//! What the load is put on: a server of the tool's own, or one that runs somewhere.

use anyhow::Context as _;
use clap::Args;
use client::Client;
use rustix::process::Signal;
use server::{
    config::{Durability, StoreChoice, Task},
    tasks::carry_out,
};
use tempfile::TempDir;
use tokio::time::Instant;

use crate::{
    open_files,
    place::Place,
    process::{Launch, Process, Program, Usage, own_usage},
    report::Report,
    serve::Level,
};

/// Connections beside those that a scenario is about: for creating and checking.
const BESIDE: usize = 128;

/// Which server.
#[derive(Debug, Clone, Args)]
pub(crate) struct TargetOptions {
    /// What an acknowledged move survives, on a server of its own
    #[arg(long, value_enum, default_value_t)]
    level: Level,
    /// Play on the server at this address, such as `http://127.0.0.1:2048`, instead of one of its own
    #[arg(long, value_name = "URL", conflicts_with = "level")]
    url: Option<String>,
    /// The operator's token, where creating a session needs one
    #[arg(long, env = "LOADTEST_TOKEN", hide_env_values = true, requires = "url")]
    token: Option<String>,
    /// Further options of a server of its own.
    #[arg(skip)]
    set_up: Vec<(&'static str, String)>,
    /// Whether its callers come from many addresses.
    #[arg(skip)]
    many_homes: bool,
}

/// A server that answers.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) place: Place,
    token: Option<String>,
    own: Option<Own>,
}

/// A server of the tool's own.
#[derive(Debug)]
struct Own {
    launch: Launch,
    /// `None` while there is none.
    process: Option<Process>,
    level: Level,
    folder: TempDir,
}

/// How a server is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// SIGTERM: it says goodbye first.
    Term,
    /// `kill -9`.
    Kill,
}

impl TargetOptions {
    /// A server of the tool's own.
    pub(crate) fn own(level: Level) -> Self {
        Self { level, url: None, token: None, set_up: Vec::new(), many_homes: false }
    }

    /// The same, called from many addresses, with further options for a server of its own.
    pub(crate) fn with_many_homes(&self, set_up: &[(&'static str, &str)]) -> Self {
        let set_up = set_up.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self { set_up, many_homes: true, ..self.clone() }
    }

    /// The same, broken on purpose.
    pub(crate) fn broken(self) -> Self {
        Self { set_up: vec![("--parts", "broken".to_owned())], ..self }
    }

    /// The server, started if it is the tool's own, with room for so many connections.
    ///
    /// # Errors
    /// - When it can't be had.
    pub(crate) fn open(&self, program: &Program, connections: usize) -> anyhow::Result<Target> {
        open_files::make_room(connections.saturating_add(BESIDE))?;
        if let Some(url) = &self.url {
            let place = self.called_from(Place::of(url)?);
            return Ok(Target { place, token: self.token.clone(), own: None });
        }
        let folder = program.folder()?;
        let launch = program.server(folder.path(), self.level);
        let launch =
            self.set_up.iter().fold(launch, |launch, (name, value)| launch.with(name, value));
        let process = launch.start()?;
        Ok(Target {
            place: self.called_from(process.address.into()),
            token: None,
            own: Some(Own {
                // It comes back where it was.
                launch: launch.with("--port", &process.address.port().to_string()),
                process: Some(process),
                level: self.level,
                folder,
            }),
        })
    }

    fn called_from(&self, place: Place) -> Place {
        if self.many_homes { place.with_many_homes() } else { place }
    }

    /// What the report says of it.
    pub(crate) fn tell(&self, report: &mut Report) {
        match &self.url {
            Some(url) => report.put("url", url.as_str()),
            None => report.put("level", format!("{:?}", self.level).to_lowercase()),
        }
    }
}

impl Target {
    /// A client of its session `main`.
    ///
    /// # Errors
    /// - When the HTTP client does not start.
    pub(crate) fn client(&self) -> anyhow::Result<Client> {
        Ok(Client::new(&self.place.to_string(), None, self.token.clone())?)
    }

    fn process(&self) -> Option<&Process> {
        self.own.as_ref()?.process.as_ref()
    }

    /// Whether it is the tool's own, so that it can be measured and restarted.
    pub(crate) fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// What it has used so far; `None` for one that is not the tool's own.
    ///
    /// # Errors
    /// - When the system does not tell.
    pub(crate) fn usage(&self) -> anyhow::Result<Option<Usage>> {
        self.process().map(Process::usage).transpose()
    }

    /// How often anything in it panicked; `None` for one that is not the tool's own.
    ///
    /// # Errors
    /// - When it is gone.
    pub(crate) fn panics(&mut self) -> anyhow::Result<Option<u64>> {
        self.own.as_mut().and_then(|own| own.process.as_mut()).map(Process::panics).transpose()
    }

    /// Has a session panic with its next change.
    ///
    /// # Errors
    /// - When there is none of the tool's own, or it is gone.
    pub(crate) fn condemn(&mut self, session: &str) -> anyhow::Result<()> {
        let own = self.own.as_mut().and_then(|own| own.process.as_mut());
        own.context("only a server of the tool's own can be broken")?.condemn(session)
    }

    /// How many files it has open; `None` for one that is not the tool's own.
    ///
    /// # Errors
    /// - When the system does not tell.
    pub(crate) fn files(&self) -> anyhow::Result<Option<usize>> {
        self.process().map(Process::files).transpose()
    }

    /// Begins to end it; gives what is to be waited for.
    ///
    /// # Errors
    /// - When there is none of the tool's own.
    pub(crate) fn end(&mut self, how: Ending) -> anyhow::Result<Option<Process>> {
        let process = self.own.as_mut().and_then(|own| own.process.take());
        if let Some(process) = &process {
            process.signal(match how {
                Ending::Term => Signal::TERM,
                Ending::Kill => Signal::KILL,
            })?;
        }
        Ok(process)
    }

    /// What starts it again, on the store and the port that it had.
    pub(crate) fn launch(&self) -> Option<Launch> {
        self.own.as_ref().map(|own| own.launch.clone())
    }

    /// It was started again.
    pub(crate) fn take(&mut self, process: Option<Process>) {
        if let Some(own) = &mut self.own {
            own.process = process;
        }
    }

    /// Stops a server of the tool's own, which must end in order, and replays everything that it has stored.
    ///
    /// # Errors
    /// - When it does not end in order, or the store can't be read.
    pub(crate) async fn close(self, report: &mut Report) -> anyhow::Result<()> {
        let Some(Own { process, folder, level, .. }) = self.own else { return Ok(()) };
        process.map_or(Ok(()), Process::stop)?;
        if level == Level::None {
            return Ok(());
        }
        let folder = folder.path().to_owned();
        let choice = StoreChoice::Sqlite { folder, durability: Durability::Process };
        let verdict = carry_out(&Task::Verify, &choice).await?;
        report.expect(verdict.all_is_well, || verdict.lines.join("; "));
        report.put("verified", verdict.lines.join("; "));
        Ok(())
    }
}

/// Measures what is used from now on.
#[derive(Debug)]
pub(crate) struct Meter {
    begun: Instant,
    server: Option<Usage>,
    own: Usage,
}

/// What was used.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Used {
    pub(crate) seconds: f64,
    /// The tool's own processor time.
    pub(crate) load_cpu: f64,
    /// The server's processor time; `None` for one that is not the tool's own.
    pub(crate) server_cpu: Option<f64>,
    /// The server's resident memory at the end.
    resident: Option<u64>,
}

impl Meter {
    /// Begins.
    ///
    /// # Errors
    /// - When the system does not tell.
    pub(crate) fn begin(target: &Target) -> anyhow::Result<Self> {
        Ok(Self { begun: Instant::now(), server: target.usage()?, own: own_usage()? })
    }

    /// What was used since it began.
    ///
    /// # Errors
    /// - When the system does not tell.
    pub(crate) fn used(&self, target: &Target) -> anyhow::Result<Used> {
        let server = self.server.zip(target.usage()?);
        let cpu = |before: Usage, after: Usage| after.cpu.saturating_sub(before.cpu).as_secs_f64();
        Ok(Used {
            seconds: self.begun.elapsed().as_secs_f64(),
            load_cpu: cpu(self.own, own_usage()?),
            server_cpu: server.map(|(before, after)| cpu(before, after)),
            resident: server.map(|(_, after)| after.resident),
        })
    }
}

impl Used {
    /// This and what another process of the server used after it.
    #[must_use]
    pub(crate) fn and(self, more: Self) -> Self {
        Self {
            seconds: self.seconds + more.seconds,
            load_cpu: self.load_cpu + more.load_cpu,
            server_cpu: more.server_cpu.map(|cpu| cpu + self.server_cpu.unwrap_or(0.0)),
            resident: more.resident,
        }
    }

    /// Reports it.
    pub(crate) fn tell(&self, report: &mut Report) {
        report.number("seconds", self.seconds);
        report.number("load_cpu_s", self.load_cpu);
        if let Some(cpu) = self.server_cpu {
            report.number("server_cpu_s", cpu);
            report.number("server_cores", cpu / self.seconds);
        }
        if let Some(resident) = self.resident {
            report.put("server_resident_bytes", resident);
        }
    }
}
