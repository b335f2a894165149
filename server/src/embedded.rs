//! A server inside another program, for when there is none to play on. It speaks the same protocol over loopback.

use clap::{Command, CommandFactory as _, FromArgMatches as _, builder::Resettable};

use crate::{
    config::{Config, ConfigError, Options},
    server::{Server, StartError},
};

/// A server of this program's own.
#[derive(Debug)]
pub struct Embedded {
    /// The server.
    pub server: Server,
    /// What is not as it should be, though one can play.
    pub warning: Option<String>,
}

/// Why a server of one's own can't be had.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// Its settings.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// What its environment says of the hosted model.
    #[error("{0}")]
    Environment(String),
    /// The server itself.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl Embedded {
    /// Starts a server on loopback, on `port` or a free one for 0. It blocks: opening a store takes time.
    ///
    /// Games that can't be saved are played all the same, and that is said.
    ///
    /// # Errors
    /// - [`EmbedError`] if not even a server that saves nothing can be started
    pub fn start(port: u16) -> Result<Self, EmbedError> {
        let unsaved = || Server::start(Config { port, ..Config::default() });
        match Config::new(options(port)?) {
            Ok(config) => match Server::start(config) {
                Ok(server) => Ok(Self { server, warning: None }),
                Err(StartError::Store(error)) => {
                    Ok(Self { server: unsaved()?, warning: Some(not_saved(&error)) })
                }
                Err(error) => Err(error.into()),
            },
            Err(error @ ConfigError::NoDataFolder) => {
                Ok(Self { server: unsaved()?, warning: Some(not_saved(&error)) })
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The usual ones, and those of the hosted model as its environment has them: the key is found there too, and must go
/// where it is meant to. Standard output is the other program's, so that no transcript is printed there.
fn options(port: u16) -> Result<Options, EmbedError> {
    let read = environment_of_the_model().try_get_matches_from(["serve2048"]);
    let read = read.and_then(|matches| Options::from_arg_matches(&matches));
    let read = read.map_err(|error| EmbedError::Environment(first_line(&error)))?;
    Ok(Options { port: Some(port), no_transcript: Some(true), ..read })
}

/// The command line that looks for nothing in the environment but how to ask the hosted model: where a server of its own
/// listens and what it keeps is no business of a client.
fn environment_of_the_model() -> Command {
    Options::command().mut_args(|arg| {
        let asks = arg.get_id().as_str().starts_with("jev_");
        if asks { arg } else { arg.env(Resettable::Reset) }
    })
}

fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

fn not_saved(error: &impl std::error::Error) -> String {
    format!("Games are not saved: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{StoreChoice, TranscriptTo};

    #[test]
    fn without_settings_nothing_is_saved() {
        assert_eq!(Config::default().store, StoreChoice::Memory);
    }

    #[test]
    fn standard_output_is_left_to_the_program_around_it() {
        let config = Config::new(Options { data: Some("somewhere".into()), ..options(0).unwrap() });
        assert_eq!(config.unwrap().transcript, TranscriptTo::Nowhere);
    }

    #[test]
    fn of_the_environment_it_takes_how_to_ask_the_model() {
        let command = environment_of_the_model();
        let named: Vec<_> =
            command.get_arguments().filter_map(|arg| arg.get_env()?.to_str()).collect();
        assert!(named.contains(&"TYPESAFE_BASE_URL"), "{named:?}");
        let ours =
            |name: &&str| name.starts_with("TYPESAFE_") || name.starts_with("SERVE2048_JEV_");
        assert!(named.iter().all(ours), "{named:?}");
    }
}
