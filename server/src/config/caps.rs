//! How much of everything a caller may have, from the options.

use std::{net::IpAddr, time::Duration};

use super::{ConfigError, Options, Timing, at_least_one};

/// Commands a second of one session, where others can reach the server.
const MOVES_PER_SESSION: u32 = 60;

/// Commands a second of one address, likewise.
const MOVES_PER_ADDRESS: u32 = 120;

/// Sessions a minute of one address, likewise.
const SESSIONS_PER_ADDRESS: u32 = 60;

/// Connections of one address, where others than this machine's callers have addresses of their own.
const CONNECTIONS_PER_ADDRESS: usize = 256;

/// Requests a second of one address, likewise; a connection counts as one.
const REQUESTS_PER_ADDRESS: u32 = 300;

/// Commands that wait to be saved at the same time: some 20 ms of work.
const MAX_COMMANDS: usize = 256;

/// Bytes of a request's body.
const BODY_BYTES: usize = 16 * 1024;

/// Bytes of a request's headers.
const HEADER_BYTES: usize = 8 * 1024;

/// What one caller may have, beside the streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Bytes of a request's headers, all together.
    pub header_bytes: usize,
    /// Commands a second of one session; `None` is without limit.
    pub moves_per_session: Option<u32>,
    /// Commands a second of one address.
    pub moves_per_address: Option<u32>,
    /// Sessions created a minute by one address.
    pub sessions_per_address: Option<u32>,
    /// Open connections of one address.
    pub connections_per_address: Option<usize>,
    /// Requests a second of one address; a connection counts as one.
    pub requests_per_address: Option<u32>,
    /// Commands that wait to be saved at the same time.
    pub commands: usize,
    /// Open streams of one session.
    pub streams_per_session: Option<usize>,
    /// Whether a proxy on this machine says whose address it is that calls.
    pub trust_proxy: bool,
}

impl Default for Caps {
    /// For a server that only this machine reaches.
    fn default() -> Self {
        Self {
            body_bytes: BODY_BYTES,
            header_bytes: HEADER_BYTES,
            moves_per_session: None,
            moves_per_address: None,
            sessions_per_address: None,
            connections_per_address: None,
            requests_per_address: None,
            commands: MAX_COMMANDS,
            streams_per_session: None,
            trust_proxy: false,
        }
    }
}

impl Caps {
    /// For a server that others reach, each from an address of their own.
    pub fn from_elsewhere() -> Self {
        Self {
            moves_per_session: Some(MOVES_PER_SESSION),
            moves_per_address: Some(MOVES_PER_ADDRESS),
            sessions_per_address: Some(SESSIONS_PER_ADDRESS),
            connections_per_address: Some(CONNECTIONS_PER_ADDRESS),
            requests_per_address: Some(REQUESTS_PER_ADDRESS),
            ..Self::default()
        }
    }
}

/// The caps that `options` come to where the server listens at `bind`; `public` is whether others than this machine's may
/// call though that is this machine's own.
pub(super) fn caps(options: &Options, bind: IpAddr, public: bool) -> Result<Caps, ConfigError> {
    let default = Caps::default();
    let trust_proxy = options.trust_proxy.unwrap_or(false);
    let public = public || !bind.is_loopback();
    let by_address = !bind.is_loopback() || (public && trust_proxy);
    let rate = |option, given: Option<u32>, usual: u32, limited: bool| match given {
        Some(0) => Err(ConfigError::Zero { option }),
        Some(rate) => Ok(Some(rate)),
        None => Ok(limited.then_some(usual)),
    };
    Ok(Caps {
        body_bytes: bytes("--max-body-bytes", options.max_body_bytes, default.body_bytes)?,
        header_bytes: bytes("--max-header-bytes", options.max_header_bytes, default.header_bytes)?,
        moves_per_session: rate(
            "--moves-per-session",
            options.moves_per_session,
            MOVES_PER_SESSION,
            public,
        )?,
        moves_per_address: rate(
            "--moves-per-address",
            options.moves_per_address,
            MOVES_PER_ADDRESS,
            by_address,
        )?,
        sessions_per_address: rate(
            "--sessions-per-address",
            options.sessions_per_address,
            SESSIONS_PER_ADDRESS,
            by_address,
        )?,
        // A proxy's connections are those of all its callers.
        connections_per_address: match options.max_connections_per_address {
            Some(limit) => Some(at_least_one("--max-connections-per-address", limit)?),
            None => (!bind.is_loopback()).then_some(CONNECTIONS_PER_ADDRESS),
        },
        requests_per_address: rate(
            "--requests-per-address",
            options.requests_per_address,
            REQUESTS_PER_ADDRESS,
            by_address,
        )?,
        commands: at_least_one("--max-commands", options.max_commands.unwrap_or(MAX_COMMANDS))?,
        streams_per_session: options
            .max_streams_per_session
            .map(|limit| at_least_one("--max-streams-per-session", limit))
            .transpose()?,
        trust_proxy,
    })
}

/// The deadlines of a connection that `options` come to.
pub(super) fn timing(options: &Options) -> Result<Timing, ConfigError> {
    let default = Timing::default();
    let seconds = |option, given: Option<u32>, usual: Duration| match given {
        Some(0) => Err(ConfigError::Zero { option }),
        Some(seconds) => Ok(Duration::from_secs(seconds.into())),
        None => Ok(usual),
    };
    Ok(Timing {
        head: seconds("--head-seconds", options.head_seconds, default.head)?,
        body: seconds("--body-seconds", options.body_seconds, default.body)?,
        stall: seconds("--stall-seconds", options.stall_seconds, default.stall)?,
        ..default
    })
}

/// The parser takes a head of at most 128 KiB, and less than a kilobyte keeps everybody out.
fn bytes(option: &'static str, given: Option<usize>, usual: usize) -> Result<usize, ConfigError> {
    match given.unwrap_or(usual) {
        bytes @ 1024..=65_536 => Ok(bytes),
        _ => Err(ConfigError::Range { option, range: "1024 to 65536" }),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::config::Config;

    fn config(args: &[&str]) -> Result<Config, ConfigError> {
        let args = [&["serve2048", "--store", "memory"], args].concat();
        Config::new(Options::try_parse_from(args).unwrap())
    }

    #[test]
    fn this_machine_is_not_limited_and_others_are() {
        let own = config(&[]).unwrap();
        assert_eq!(own.caps, Caps::default());
        let public = config(&["--bind", "0.0.0.0", "--public"]).unwrap().caps;
        assert_eq!(public.moves_per_session, Some(60));
        assert_eq!(public.moves_per_address, Some(120));
        assert_eq!(public.sessions_per_address, Some(60));
        assert_eq!(public, Caps::from_elsewhere());
        // Everybody has the proxy's address, unless it is asked whose it is.
        let proxied = config(&["--public"]).unwrap().caps;
        assert_eq!((proxied.moves_per_session, proxied.moves_per_address), (Some(60), None));
        assert_eq!((proxied.connections_per_address, proxied.requests_per_address), (None, None));
        let trusted = config(&["--public", "--trust-proxy"]).unwrap();
        assert_eq!(trusted.caps.moves_per_address, Some(120));
        assert_eq!(trusted.caps.requests_per_address, Some(300));
        assert_eq!(trusted.caps.connections_per_address, None, "they are the proxy's");
        assert_eq!(trusted.max_streams_per_address, Some(64));
    }

    #[test]
    fn each_limit_can_be_set_and_none_to_nothing() {
        let set = config(&[
            "--max-body-bytes=2048",
            "--max-header-bytes=4096",
            "--moves-per-session=5",
            "--moves-per-address=6",
            "--sessions-per-address=7",
            "--max-streams-per-session=8",
            "--max-connections-per-address=9",
            "--requests-per-address=10",
            "--max-commands=11",
            "--head-seconds=1",
            "--body-seconds=2",
            "--stall-seconds=3",
        ])
        .unwrap();
        let caps = Caps {
            body_bytes: 2048,
            header_bytes: 4096,
            moves_per_session: Some(5),
            moves_per_address: Some(6),
            sessions_per_address: Some(7),
            connections_per_address: Some(9),
            requests_per_address: Some(10),
            commands: 11,
            streams_per_session: Some(8),
            trust_proxy: false,
        };
        assert_eq!(set.caps, caps);
        let [head, body, stall] = [1, 2, 3].map(Duration::from_secs);
        assert_eq!(set.timing, Timing { head, body, stall, ..Timing::default() });
        for option in [
            "--moves-per-session",
            "--moves-per-address",
            "--sessions-per-address",
            "--max-streams-per-session",
            "--max-connections-per-address",
            "--requests-per-address",
            "--max-commands",
            "--max-agents",
            "--max-advice-per-session",
            "--head-seconds",
            "--body-seconds",
            "--stall-seconds",
        ] {
            let text = config(&[&format!("{option}=0")]).unwrap_err().to_string();
            assert_eq!(text, format!("{option} must be at least 1"));
        }
        let text = config(&["--max-body-bytes=100"]).unwrap_err().to_string();
        assert_eq!(text, "--max-body-bytes: a number from 1024 to 65536 is needed");
    }
}
