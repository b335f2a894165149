//! How the server is set up: plain values, checked, from wherever they came.
//!
//! The command line wins over the environment, the environment over the configuration file, the file over the defaults;
//! [`options`] is that order, this file is what comes out of it.

pub mod options;

pub mod open_files;

mod model;

mod caps;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use protocol::VersionLimits;

use crate::{clock::Clock, tls};

pub use caps::Caps;
pub use options::{Durability, LogFormat, Options, StoreKind, Task};

use crate::jev;

/// The port that is taken when none is named.
pub const DEFAULT_PORT: u16 = 2048;

/// Streams of one address when the server is reachable from elsewhere.
const STREAMS_PER_ADDRESS: usize = 64;

/// Open sessions in all, unless the operator says otherwise.
const MAX_SESSIONS: u64 = 100_000;

/// Agents that play at the same time, likewise.
const MAX_AGENTS: usize = 10_000;

/// Steps and hints of one session that are thought about at the same time, likewise.
const MAX_ADVICE: usize = 4;

/// Bytes of a game that is imported as text.
pub const IMPORT_BYTES: usize = 1024 * 1024;

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The address to listen on.
    pub bind: IpAddr,
    /// The port to listen on; 0 takes a free one.
    pub port: u16,
    /// Where the figures are to be had without a token; `None` is nowhere but beside the page.
    pub metrics_bind: Option<SocketAddr>,
    /// The certificate to show; `None` is plain HTTP.
    pub tls: Option<tls::Files>,
    /// Whether playing needs a token though only this machine can reach the server: a proxy on it may let others in.
    pub public: bool,
    /// Where games are kept.
    pub store: StoreChoice,
    /// How log lines look.
    pub log: LogFormat,
    /// Names, beside the loopback ones, by which the server may be called.
    pub allowed_hosts: Vec<String>,
    /// Origins of other pages whose scripts may call the server.
    pub allow_origins: Vec<String>,
    /// Open streams in all.
    pub max_streams: usize,
    /// Open streams of one address; `None` is without limit.
    pub max_streams_per_address: Option<usize>,
    /// Searches that think at the same time.
    pub searches: usize,
    /// How long after its last change a session is closed; `None` is never.
    pub expire_after: Option<Duration>,
    /// Open sessions in all.
    pub max_sessions: u64,
    /// Agents that play at the same time.
    pub max_agents: usize,
    /// Steps and hints of one session that are thought about at the same time.
    pub max_advice_per_session: usize,
    /// How long a session that nobody watches and no agent plays stays in memory.
    pub idle: Duration,
    /// The file of the weights of the learned player; `None` for those that come with the server.
    pub weights: Option<PathBuf>,
    /// How the hosted model is asked, if there is a key for it.
    pub jev: jev::Settings,
    /// Where the transcript of the questions to it goes.
    pub transcript: TranscriptTo,
    /// What one caller may have, beside the streams.
    pub caps: Caps,
    /// Deadlines and the heartbeat.
    pub timing: Timing,
    /// What tells the time of day.
    pub clock: Clock,
}

/// The times that the protocol names. Tests shorten them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Time between two heartbeats of a stream.
    pub heartbeat: Duration,
    /// How long a request's head may take to arrive.
    pub head: Duration,
    /// How long its body may take.
    pub body: Duration,
    /// How long a connection may stay without write progress.
    pub stall: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(15),
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            stall: Duration::from_secs(10),
        }
    }
}

/// Where the transcript of the questions to the hosted model goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TranscriptTo {
    /// Nowhere: none is made.
    #[default]
    Nowhere,
    /// Into memory, the newest of it, for the page.
    Memory,
    /// There, and to standard output.
    Output,
}

/// Where games are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreChoice {
    /// In memory: gone when the server stops.
    Memory,
    /// In one SQLite file.
    Sqlite {
        /// The folder it lies in.
        folder: PathBuf,
        /// What an acknowledged move survives.
        durability: Durability,
    },
}

impl StoreChoice {
    /// The folder that outlives the server, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Memory => None,
            Self::Sqlite { folder, .. } => Some(folder),
        }
    }
}

/// Settings that make no sense together, or a file of settings that can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The server would be reachable from elsewhere, and nobody said that it should be.
    #[error(
        "{0} can be reached from other machines: add --public if that is meant (playing then needs the token that is \
         printed at start), or leave --bind out to stay on this machine"
    )]
    NotPublic(IpAddr),
    /// There is no folder to keep games in.
    #[error(
        "no folder to keep games in is known for this user: name one with --data, or use --store memory"
    )]
    NoDataFolder,
    /// No key may be sent to that address.
    #[error("--jev-base-url: {0}")]
    JevBaseUrl(#[from] jev::settings::BaseUrlError),
    /// A number is out of its range.
    #[error("{option}: a number from {range} is needed")]
    Range {
        /// The option at fault.
        option: &'static str,
        /// What it may be.
        range: &'static str,
    },
    /// A certificate without its key, or the other way round.
    #[error("{given} needs {missing} too")]
    HalfOfTls {
        /// The option that was given.
        given: &'static str,
        /// The one that was not.
        missing: &'static str,
    },
    /// A number is out of its range.
    #[error("{option} must be at least 1")]
    Zero {
        /// The option at fault.
        option: &'static str,
    },
    /// What should be an origin is none.
    #[error(
        "--allow-origin {0}: an origin is a scheme and a host such as https://example.org, with a port if it is not \
         the usual one, and nothing after that"
    )]
    Origin(String),
    /// The configuration file can't be read.
    #[error("the configuration file {} can't be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The configuration file is not what it should be.
    #[error("the configuration file {}, line {line}: {text}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The line at fault, from 1.
        line: usize,
        /// What is wrong with it.
        text: String,
    },
}

impl Default for Config {
    /// A server for this machine alone, on the usual port, that keeps its games in memory.
    fn default() -> Self {
        Self {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: DEFAULT_PORT,
            metrics_bind: None,
            tls: None,
            public: false,
            store: StoreChoice::Memory,
            log: LogFormat::Human,
            allowed_hosts: Vec::new(),
            allow_origins: Vec::new(),
            max_streams: open_files::streams_that_fit(),
            max_streams_per_address: None,
            searches: cores(),
            expire_after: None,
            max_sessions: MAX_SESSIONS,
            max_agents: MAX_AGENTS,
            max_advice_per_session: MAX_ADVICE,
            idle: Duration::from_mins(1),
            weights: None,
            jev: jev::Settings::default(),
            transcript: TranscriptTo::Nowhere,
            caps: Caps::default(),
            timing: Timing::default(),
            clock: Clock::system(),
        }
    }
}

impl Config {
    /// The settings that `options` come to, with the defaults for what they leave open.
    ///
    /// # Errors
    /// - [`ConfigError`] when a value is out of range, or two of them contradict each other.
    pub fn new(options: Options) -> Result<Self, ConfigError> {
        let default = Self::default();
        let (jev, transcript) = (model::settings(&options)?, model::transcript(&options));
        let bind = options.bind.unwrap_or(default.bind);
        let public = options.public.unwrap_or(default.public);
        if !bind.is_loopback() && !public {
            return Err(ConfigError::NotPublic(bind));
        }
        let per_address = match options.max_streams_per_address {
            Some(limit) => Some(at_least_one("--max-streams-per-address", limit)?),
            None => (!bind.is_loopback() || (public && options.trust_proxy == Some(true)))
                .then_some(STREAMS_PER_ADDRESS),
        };
        let caps = caps::caps(&options, bind, public)?;
        let timing = caps::timing(&options)?;
        let allow_origins = options.allow_origin.unwrap_or_default();
        if let Some(wrong) = allow_origins.iter().find(|origin| !is_origin(origin)) {
            return Err(ConfigError::Origin(wrong.clone()));
        }
        Ok(Self {
            bind,
            port: options.port.unwrap_or(default.port),
            metrics_bind: options.metrics_bind,
            tls: tls_files(options.tls_cert, options.tls_key)?,
            public,
            store: store(options.store, options.data, options.durability)?,
            log: options.log.unwrap_or_default(),
            allowed_hosts: options.allowed_host.unwrap_or_default(),
            allow_origins,
            max_streams: at_least_one(
                "--max-streams",
                options.max_streams.unwrap_or(default.max_streams),
            )?,
            max_streams_per_address: per_address,
            searches: at_least_one("--searches", options.searches.unwrap_or(default.searches))?,
            expire_after: options.expire_days.map(days).transpose()?,
            max_sessions: match options.max_sessions {
                Some(0) => return Err(ConfigError::Zero { option: "--max-sessions" }),
                limit => limit.unwrap_or(default.max_sessions),
            },
            max_agents: at_least_one(
                "--max-agents",
                options.max_agents.unwrap_or(default.max_agents),
            )?,
            max_advice_per_session: at_least_one(
                "--max-advice-per-session",
                options.max_advice_per_session.unwrap_or(default.max_advice_per_session),
            )?,
            idle: options.idle_seconds.map_or(default.idle, Duration::from_secs),
            weights: options.weights.clone(),
            jev,
            transcript,
            caps,
            timing,
            clock: default.clock,
        })
    }

    /// Where to listen.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(self.bind, self.port)
    }

    /// Whether others can reach the server, so that playing needs a token.
    pub fn is_public(&self) -> bool {
        self.public || !self.bind.is_loopback()
    }

    /// The limits, as `/api/version` tells them.
    pub fn limits(&self) -> VersionLimits {
        VersionLimits {
            body_bytes: self.caps.body_bytes as u64,
            streams: self.max_streams as u64,
            streams_per_address: self.max_streams_per_address.map(|limit| limit as u64),
            searches: self.searches as u64,
        }
    }
}

fn tls_files(
    cert: Option<PathBuf>,
    key: Option<PathBuf>,
) -> Result<Option<tls::Files>, ConfigError> {
    let half = |given, missing| Err(ConfigError::HalfOfTls { given, missing });
    match (cert, key) {
        (Some(cert), Some(key)) => Ok(Some(tls::Files { cert, key })),
        (None, None) => Ok(None),
        (Some(_), None) => half("--tls-cert", "--tls-key"),
        (None, Some(_)) => half("--tls-key", "--tls-cert"),
    }
}

fn days(days: u64) -> Result<Duration, ConfigError> {
    match days.checked_mul(24 * 60 * 60) {
        Some(seconds @ 1..) => Ok(Duration::from_secs(seconds)),
        _ => Err(ConfigError::Zero { option: "--expire-days" }),
    }
}

fn store(
    kind: Option<StoreKind>,
    data: Option<PathBuf>,
    durability: Option<Durability>,
) -> Result<StoreChoice, ConfigError> {
    Ok(match kind.unwrap_or_default() {
        StoreKind::Memory => StoreChoice::Memory,
        StoreKind::Sqlite => StoreChoice::Sqlite {
            folder: data.or_else(platform_folder).ok_or(ConfigError::NoDataFolder)?,
            durability: durability.unwrap_or_default(),
        },
    })
}

fn platform_folder() -> Option<PathBuf> {
    let project = directories::ProjectDirs::from("", "", "serve2048")?;
    Some(project.data_dir().to_owned())
}

fn at_least_one(option: &'static str, value: usize) -> Result<usize, ConfigError> {
    if value == 0 { Err(ConfigError::Zero { option }) } else { Ok(value) }
}

fn is_origin(text: &str) -> bool {
    let Some((scheme, authority)) = text.split_once("://") else { return false };
    let parsed = authority.parse::<actix_web::http::uri::Authority>();
    matches!(scheme, "http" | "https")
        && parsed.is_ok_and(|authority| !authority.as_str().contains('@'))
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn config(args: &[&str]) -> Result<Config, ConfigError> {
        Config::new(Options::try_parse_from([&["serve2048"], args].concat()).unwrap())
    }

    #[test]
    fn another_address_needs_to_be_meant() {
        let text = config(&["--bind", "0.0.0.0"]).unwrap_err().to_string();
        assert!(text.starts_with("0.0.0.0 can be reached from other machines"), "{text}");
        let public = config(&["--bind", "0.0.0.0", "--public"]).unwrap();
        assert!(public.is_public());
        assert_eq!(public.max_streams_per_address, Some(64));
        assert!(!config(&["--bind", "::1"]).unwrap().is_public());
        let behind_a_proxy = config(&["--public"]).unwrap();
        assert!(behind_a_proxy.is_public());
        assert_eq!(behind_a_proxy.max_streams_per_address, None);
    }

    #[test]
    fn the_usual_is_this_machine_alone_and_a_file() {
        let usual = config(&["--data", "somewhere"]).unwrap();
        assert_eq!(usual.address().to_string(), "127.0.0.1:2048");
        assert_eq!(usual.max_streams_per_address, None);
        assert_eq!(usual.idle, Duration::from_mins(1));
        let folder = PathBuf::from("somewhere");
        assert_eq!(usual.store, StoreChoice::Sqlite { folder, durability: Durability::Power });
        assert_eq!(config(&["--store", "memory"]).unwrap().store, StoreChoice::Memory);
    }

    #[test]
    fn what_is_no_limit_or_no_origin_is_refused_by_name() {
        let zero = config(&["--max-streams", "0"]).unwrap_err().to_string();
        assert_eq!(zero, "--max-streams must be at least 1");
        for wrong in ["*", "example.org", "https://example.org/", "https://me@example.org"] {
            let text = config(&["--allow-origin", wrong]).unwrap_err().to_string();
            assert!(text.starts_with(&format!("--allow-origin {wrong}: an origin is")), "{text}");
        }
        assert!(config(&["--allow-origin", "https://example.org:8443"]).is_ok());
        let half = config(&["--tls-key", "key.pem"]).unwrap_err().to_string();
        assert_eq!(half, "--tls-key needs --tls-cert too");
    }
}
