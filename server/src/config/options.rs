//! The options, by their names on the command line, in the environment and in the configuration file alike.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
};

use clap::{Parser, Subcommand, ValueEnum, builder::BoolishValueParser};
use serde::Deserialize;

use super::ConfigError;

const AFTER_HELP: &str = "\
Every option can be given in three places: on the command line (--port 2050), in the environment (SERVE2048_PORT=2050; \
several values separated by commas), and in a file named with --config, which is TOML with the option's name as the key \
(port = 2050, allowed-host = [\"play.example.org\"]).
The command line wins over the environment, the environment over the file, the file over the defaults.

Examples:
  serve2048                          play at http://127.0.0.1:2048/
  serve2048 --port 0                 take any free port and say which
  serve2048 --store memory           try it without leaving anything on the disk
  serve2048 --bind 0.0.0.0 --public  let other machines in; prints the link that lets you play
  serve2048 --public --allowed-host play.example.org
                                     the same behind a proxy on this machine that serves that name
  serve2048 verify                   replay every game that is kept
  serve2048 backup DIR               copy them, also while they are played
  serve2048 doctor URL               look at a running deployment, and say what to mend";

/// What the limits of callers are listed under.
const LIMITS: &str = "Limits, beside the numbers of streams, sessions and agents";

/// What its options are listed under. Its key has no option: it would be seen in the list of processes.
const JEV: &str =
    "The hosted model, which plays where TYPESAFE_API_KEY is set (in the environment or in .env)";

/// Serves a game of 2048 that people and AI players share: play in one window, watch in another, hand over, take back.
///
/// Start it without any option and open the address that it prints.
#[derive(Debug, Clone, Default, PartialEq, Parser, Deserialize)]
#[command(name = "serve2048", version, after_help = AFTER_HELP, after_long_help = AFTER_HELP)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Port to listen on; 0 takes a free one [default: 2048]
    #[arg(long, env = "SERVE2048_PORT", value_name = "PORT")]
    pub port: Option<u16>,

    /// Address to listen on; one that other machines can reach needs --public too [default: 127.0.0.1]
    #[arg(long, env = "SERVE2048_BIND", value_name = "ADDRESS")]
    pub bind: Option<IpAddr>,

    /// Let other machines in: everybody may watch, playing needs the token in the link that is printed
    #[arg(long, env = "SERVE2048_PUBLIC", value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true", value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    pub public: Option<bool>,

    /// Folder to keep the games in [default: this user's data folder]
    #[arg(long, env = "SERVE2048_DATA", value_name = "DIR", global = true)]
    pub data: Option<PathBuf>,

    /// Where to keep the games: in a file, or in memory until the server stops [default: sqlite]
    #[arg(long, env = "SERVE2048_STORE", value_name = "KIND")]
    pub store: Option<StoreKind>,

    /// What a move that was acknowledged survives: a power cut, or only the end of the process [default: power]
    #[arg(long, env = "SERVE2048_DURABILITY", value_name = "LEVEL")]
    pub durability: Option<Durability>,

    /// Address and port where /metrics is to be had without a token, such as 127.0.0.1:9464, for Prometheus beside a
    /// public server [default: nowhere]
    #[arg(long, env = "SERVE2048_METRICS_BIND", value_name = "ADDRESS:PORT")]
    pub metrics_bind: Option<SocketAddr>,

    /// How log lines look [default: human]
    #[arg(long, env = "SERVE2048_LOG", value_name = "FORMAT")]
    pub log: Option<LogFormat>,

    /// Name by which the server may be called, beside localhost (repeatable)
    #[arg(long, env = "SERVE2048_ALLOWED_HOST", value_name = "NAME", value_delimiter = ',')]
    pub allowed_host: Option<Vec<String>>,

    /// Origin of another page whose scripts may call the server, such as `https://example.org` (repeatable)
    #[arg(long, env = "SERVE2048_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',')]
    pub allow_origin: Option<Vec<String>>,

    /// Open event streams in all [default: three quarters of the limit on open files]
    #[arg(long, env = "SERVE2048_MAX_STREAMS", value_name = "N")]
    pub max_streams: Option<usize>,

    /// Open event streams of one address [default: no limit on this machine, 64 with --public]
    #[arg(long, env = "SERVE2048_MAX_STREAMS_PER_ADDRESS", value_name = "N")]
    pub max_streams_per_address: Option<usize>,

    /// Searches of AI players that think at the same time [default: number of cores]
    #[arg(long, env = "SERVE2048_SEARCHES", value_name = "N")]
    pub searches: Option<usize>,

    /// File of weights for the player ntuple, made by `lab weights` [default: those that come with the server]
    #[arg(long, env = "SERVE2048_WEIGHTS", value_name = "FILE")]
    pub weights: Option<PathBuf>,

    /// Seconds that a game nobody watches and no AI plays stays in memory [default: 60]
    #[arg(long, env = "SERVE2048_IDLE_SECONDS", value_name = "SECONDS")]
    pub idle_seconds: Option<u64>,

    /// Where the service is: https, or http on this machine [default: `https://api.typesafe.ai`]
    #[arg(help_heading = JEV, long, env = "TYPESAFE_BASE_URL", hide_env_values = true, value_name = "URL")]
    pub jev_base_url: Option<String>,

    /// The model to ask [default: jev-latest]
    #[arg(help_heading = JEV, long, env = "TYPESAFE_DEFAULT_MODEL", value_name = "NAME")]
    pub jev_model: Option<String>,

    /// An answer less sure than this is not played, 0 to 1 [default: 0.15]
    #[arg(help_heading = JEV, long, env = "SERVE2048_JEV_THRESHOLD", value_name = "SHARE")]
    pub jev_threshold: Option<f64>,

    /// Seconds for one decision, repetitions included; after that the rules player moves [default: 20]
    #[arg(help_heading = JEV, long, env = "SERVE2048_JEV_DEADLINE_SECONDS", value_name = "SECONDS")]
    pub jev_deadline_seconds: Option<f64>,

    /// Requests that one session may make until the server is started again [default: 5000]
    #[arg(help_heading = JEV, long, env = "SERVE2048_JEV_SESSION_BUDGET", value_name = "N")]
    pub jev_session_budget: Option<u64>,

    /// Requests that all sessions together may make in a day (UTC) [default: 50000]
    #[arg(help_heading = JEV, long, env = "SERVE2048_JEV_DAY_BUDGET", value_name = "N")]
    pub jev_day_budget: Option<u64>,

    /// Do not print the transcript of the questions and answers, and do not keep it for the page
    #[arg(help_heading = JEV, long, env = "SERVE2048_NO_TRANSCRIPT", value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true", value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    pub no_transcript: Option<bool>,

    /// Days after its last move at which a session is closed, `main` excepted [default: never]
    #[arg(long, env = "SERVE2048_EXPIRE_DAYS", value_name = "DAYS")]
    pub expire_days: Option<u64>,

    /// Open sessions in all [default: 100000]
    #[arg(long, env = "SERVE2048_MAX_SESSIONS", value_name = "N")]
    pub max_sessions: Option<u64>,

    /// AI players that play by themselves at the same time [default: 10000]
    #[arg(long, env = "SERVE2048_MAX_AGENTS", value_name = "N")]
    pub max_agents: Option<usize>,

    /// Hints and single steps of one session that are thought about at the same time [default: 4]
    #[arg(long, env = "SERVE2048_MAX_ADVICE_PER_SESSION", value_name = "N")]
    pub max_advice_per_session: Option<usize>,

    /// Bytes of a request's body, imported games excepted [default: 16384]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_MAX_BODY_BYTES", value_name = "BYTES")]
    pub max_body_bytes: Option<usize>,

    /// Bytes of a request's headers, all together [default: 8192]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_MAX_HEADER_BYTES", value_name = "BYTES")]
    pub max_header_bytes: Option<usize>,

    /// Seconds in which a request's head must arrive [default: 10]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_HEAD_SECONDS", value_name = "SECONDS")]
    pub head_seconds: Option<u32>,

    /// Seconds in which its body must [default: 10]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_BODY_SECONDS", value_name = "SECONDS")]
    pub body_seconds: Option<u32>,

    /// Seconds after which a reader that takes nothing is dropped [default: 10]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_STALL_SECONDS", value_name = "SECONDS")]
    pub stall_seconds: Option<u32>,

    /// Commands a second of one session, twice as many at once [default: no limit, 60 with --public]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_MOVES_PER_SESSION", value_name = "N")]
    pub moves_per_session: Option<u32>,

    /// Commands a second of one address, twice as many at once [default: no limit on this machine, 120 elsewhere]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_MOVES_PER_ADDRESS", value_name = "N")]
    pub moves_per_address: Option<u32>,

    /// Sessions that one address may create in a minute, twice as many at once [default: no limit on this machine, 60
    /// elsewhere]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_SESSIONS_PER_ADDRESS", value_name = "N")]
    pub sessions_per_address: Option<u32>,

    /// Open connections of one address [default: no limit on this machine, 256 elsewhere]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_MAX_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub max_connections_per_address: Option<usize>,

    /// Requests a second of one address, twice as many at once; a connection counts as one [default: no limit on this
    /// machine, 300 elsewhere]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_REQUESTS_PER_ADDRESS", value_name = "N")]
    pub requests_per_address: Option<u32>,

    /// Commands that wait to be saved at the same time [default: 256]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_MAX_COMMANDS", value_name = "N")]
    pub max_commands: Option<usize>,

    /// Open event streams of one session [default: no limit]
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_MAX_STREAMS_PER_SESSION", value_name = "N")]
    pub max_streams_per_session: Option<usize>,

    /// Count callers by the last address in X-Forwarded-For, where a proxy on this machine asks
    #[arg(help_heading = LIMITS, long, env = "SERVE2048_TRUST_PROXY", value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true", value_parser = BoolishValueParser::new(), hide_possible_values = true)]
    pub trust_proxy: Option<bool>,

    /// Certificate chain in PEM, to speak https and HTTP/2; needs --tls-key too [default: plain http]
    #[arg(long, env = "SERVE2048_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// Its private key in PEM
    #[arg(long, env = "SERVE2048_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// File of options, in TOML
    #[arg(long, env = "SERVE2048_CONFIG", value_name = "FILE", global = true)]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// What to do instead of serving
    #[command(subcommand)]
    #[serde(skip)]
    pub task: Option<Task>,
}

/// What can be done beside serving: with the games that are kept, also while a server is playing them on, and with a
/// server that runs.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Task {
    /// Replay every game that is kept, and name the first wrong move of any
    Verify,
    /// Look at a running deployment as its players see it, and say what to mend; `SERVE2048_TOKEN` may hold its operator's
    /// token
    Doctor {
        /// Its address, such as `https://play.example.org`
        url: String,
    },
    /// Copy all games to a new folder that a server can be started on
    Backup {
        /// The folder, which must not hold games yet
        folder: PathBuf,
    },
}

/// Where games are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoreKind {
    /// One file in the data folder.
    #[default]
    Sqlite,
    /// Memory, until the server stops.
    Memory,
}

/// What an acknowledged move survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// A power cut.
    #[default]
    Power,
    /// The end of the process, however sudden.
    Process,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
}

impl Options {
    /// These options, with what they leave open taken from the configuration file, if they name one.
    ///
    /// # Errors
    /// - [`ConfigError`] when the file can't be read, or holds what it should not.
    pub fn with_file(self) -> Result<Self, ConfigError> {
        let Some(path) = &self.config else { return Ok(self) };
        let file = Self::of_file(path)?;
        Ok(self.or(file))
    }

    fn of_file(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        toml::from_str(&text).map_err(|error| ConfigError::File {
            path: path.to_owned(),
            line: 1 + text[..error.span().map_or(0, |span| span.start)].matches('\n').count(),
            text: error.message().replace('\n', " "),
        })
    }

    /// These options, with what they leave open taken from `other`.
    fn or(self, other: Self) -> Self {
        Self {
            port: self.port.or(other.port),
            bind: self.bind.or(other.bind),
            public: self.public.or(other.public),
            data: self.data.or(other.data),
            store: self.store.or(other.store),
            durability: self.durability.or(other.durability),
            metrics_bind: self.metrics_bind.or(other.metrics_bind),
            log: self.log.or(other.log),
            allowed_host: self.allowed_host.or(other.allowed_host),
            allow_origin: self.allow_origin.or(other.allow_origin),
            max_streams: self.max_streams.or(other.max_streams),
            max_streams_per_address: self.max_streams_per_address.or(other.max_streams_per_address),
            searches: self.searches.or(other.searches),
            weights: self.weights.or(other.weights),
            idle_seconds: self.idle_seconds.or(other.idle_seconds),
            jev_base_url: self.jev_base_url.or(other.jev_base_url),
            jev_model: self.jev_model.or(other.jev_model),
            jev_threshold: self.jev_threshold.or(other.jev_threshold),
            jev_deadline_seconds: self.jev_deadline_seconds.or(other.jev_deadline_seconds),
            jev_session_budget: self.jev_session_budget.or(other.jev_session_budget),
            jev_day_budget: self.jev_day_budget.or(other.jev_day_budget),
            no_transcript: self.no_transcript.or(other.no_transcript),
            expire_days: self.expire_days.or(other.expire_days),
            max_sessions: self.max_sessions.or(other.max_sessions),
            max_body_bytes: self.max_body_bytes.or(other.max_body_bytes),
            max_header_bytes: self.max_header_bytes.or(other.max_header_bytes),
            head_seconds: self.head_seconds.or(other.head_seconds),
            body_seconds: self.body_seconds.or(other.body_seconds),
            stall_seconds: self.stall_seconds.or(other.stall_seconds),
            moves_per_session: self.moves_per_session.or(other.moves_per_session),
            moves_per_address: self.moves_per_address.or(other.moves_per_address),
            sessions_per_address: self.sessions_per_address.or(other.sessions_per_address),
            max_connections_per_address: self
                .max_connections_per_address
                .or(other.max_connections_per_address),
            requests_per_address: self.requests_per_address.or(other.requests_per_address),
            max_commands: self.max_commands.or(other.max_commands),
            max_streams_per_session: self.max_streams_per_session.or(other.max_streams_per_session),
            trust_proxy: self.trust_proxy.or(other.trust_proxy),
            tls_cert: self.tls_cert.or(other.tls_cert),
            tls_key: self.tls_key.or(other.tls_key),
            max_agents: self.max_agents.or(other.max_agents),
            max_advice_per_session: self.max_advice_per_session.or(other.max_advice_per_session),
            config: self.config,
            task: self.task,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(file: &str, args: &[&str]) -> Result<Options, ConfigError> {
        let mut config = tempfile::NamedTempFile::new().unwrap();
        config.write_all(file.as_bytes()).unwrap();
        let path = config.path().to_str().unwrap();
        let args = [&["serve2048", "--config", path], args].concat();
        Options::try_parse_from(args).unwrap().with_file()
    }

    #[test]
    fn the_command_line_wins_over_the_file() {
        let file = "port = 1\nstore = \"memory\"\nallowed-host = [\"a.example\", \"b.example\"]";
        let options = read(file, &["--port", "2"]).unwrap();
        assert_eq!(options.port, Some(2));
        assert_eq!(options.store, Some(StoreKind::Memory));
        assert_eq!(
            options.allowed_host,
            Some(vec!["a.example".to_owned(), "b.example".to_owned()])
        );
    }

    #[test]
    fn an_unknown_key_is_refused_by_name_and_line() {
        let text = read("port = 1\nprot = 2", &[]).unwrap_err().to_string();
        assert!(text.contains("line 2: unknown field `prot`, expected one of `port`"), "{text}");
    }

    #[test]
    fn a_flag_may_be_given_bare_or_with_a_value() {
        let public = |args: &[&str]| {
            Options::try_parse_from([&["serve2048"], args].concat()).unwrap().public
        };
        assert_eq!(public(&[]), None);
        assert_eq!(public(&["--public"]), Some(true));
        assert_eq!(public(&["--public=no"]), Some(false));
    }

    #[test]
    fn a_list_grows_by_repetition() {
        let args = ["serve2048", "--allowed-host", "a", "--allowed-host", "b"];
        let hosts = Options::try_parse_from(args).unwrap().allowed_host;
        assert_eq!(hosts, Some(vec!["a".to_owned(), "b".to_owned()]));
    }
}
