//! A server inside another program, for when there is none to play on. It speaks the same protocol over loopback.

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
        match Config::new(options(port)) {
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

/// The usual ones. Standard output is the other program's, so that no transcript is printed there.
fn options(port: u16) -> Options {
    Options { port: Some(port), no_transcript: Some(true), ..Options::default() }
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
        let config = Config::new(Options { data: Some("somewhere".into()), ..options(0) });
        assert_eq!(config.unwrap().transcript, TranscriptTo::Nowhere);
    }
}
