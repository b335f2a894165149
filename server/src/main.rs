//! The server's binary: reads the options, starts the server, waits until it shall stop.

use std::{
    io::{self, IsTerminal as _, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use clap::Parser as _;
use server::{
    config::{Config, LogFormat, Options},
    server::Server,
    tasks,
};
use tokio::{runtime, time::interval};
use tracing_subscriber::EnvFilter;

/// A fifth less processor time for each move than with glibc's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What is logged unless `RUST_LOG` says otherwise.
const FILTER: &str = "info,actix_server=warn";

/// How often the server is looked at: it only ends by itself when it crashed.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The status of a process that a second Ctrl+C ended.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let options = Options::parse();
    run(options).unwrap_or_else(|error| {
        tell(&format!("serve2048: {}", sentence(&error)));
        ExitCode::FAILURE
    })
}

fn run(options: Options) -> anyhow::Result<ExitCode> {
    let options = options.with_file()?;
    let task = options.task.clone();
    let config = Config::new(options)?;
    let format = config.log;
    log_to_stderr(format);
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the server cannot wait for signals")?;
    if let Some(task) = task {
        let report = runtime.block_on(tasks::carry_out(&task, &config.store))?;
        report.lines.iter().for_each(|line| tell(line));
        return Ok(if report.all_is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    // Before it says where it is: whoever reads that may end it.
    let signals = runtime.block_on(async { Signals::listen() });
    let signals = signals.context("the server cannot wait for signals")?;
    let server = Server::start(config)?;
    for line in greeting(&server) {
        match format {
            LogFormat::Human => tell(&line),
            LogFormat::Json => tracing::info!("{line}"),
        }
    }
    let code = runtime.block_on(serve(server, signals));
    // A stop that was cut short is not waited for.
    runtime.shutdown_background();
    code
}

/// Runs until a signal, then stops; a second signal ends it at once.
async fn serve(server: Server, mut signals: Signals) -> anyhow::Result<ExitCode> {
    let mut look = interval(LOOK_EVERY);
    while !server.is_over() {
        tokio::select! {
            () = signals.next() => break,
            _ = look.tick() => {}
        }
    }
    tracing::info!("stopping");
    let stopped = tokio::task::spawn_blocking(move || server.stop());
    tokio::select! {
        stopped = stopped => {
            stopped.context("the server did not stop in order")??;
            Ok(ExitCode::SUCCESS)
        }
        () = signals.next() => Ok(ExitCode::from(INTERRUPTED)),
    }
}

/// The signals that ask for an end.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let [interrupt, terminate] = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
        Ok(Self { interrupt: interrupt?, terminate: terminate? })
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}

/// The error and its causes, those left out that the sentence names already.
fn sentence(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |told, cause| {
        match (told.is_empty(), told.contains(&cause)) {
            (true, _) => cause,
            (false, true) => told,
            (false, false) => format!("{told}: {cause}"),
        }
    })
}

/// What the person who started it wants to know.
fn greeting(server: &Server) -> Vec<String> {
    let url = server.url();
    let Some(tokens) = server.tokens() else { return vec![format!("serve2048 is at {url}")] };
    vec![
        format!("serve2048 is at {url}#token={}", tokens.main),
        "Everybody who can reach it may watch; that link lets them play.".to_owned(),
        format!("The operator's token, to list and create sessions: {}", tokens.operator),
    ]
}

fn log_to_stderr(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| FILTER.into());
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Human => log.init(),
        LogFormat::Json => log.json().init(),
    }
}

/// Standard output is for a transcript alone; whoever closed standard error does not want to be told.
fn tell(line: &str) {
    writeln!(io::stderr(), "{line}").unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_that_was_named_is_not_named_again() {
        let cause = || anyhow::anyhow!("read-only");
        assert_eq!(
            sentence(&cause().context("the folder can't be used: read-only")),
            "the folder can't be used: read-only"
        );
        assert_eq!(
            sentence(&cause().context("the folder can't be used")),
            "the folder can't be used: read-only"
        );
        assert_eq!(sentence(&cause()), "read-only");
    }
}
