//! The terminal client: a screen to play and watch on, or lines for those who can't use one.
//!
//! It holds no rule of the game; it draws what the server says.

pub mod options;

pub mod local;

pub mod keys;

pub mod theme;

pub mod model;

pub mod draw;

pub mod screen;

pub mod signals;

pub mod app;

pub mod order;

pub mod plain;

pub mod events;

pub mod printable;

use std::{
    io::{self, Write, stdout},
    process::ExitCode,
    time::Instant,
};

use client::{
    AddressError, CallError, Client, Link,
    view::spoken::{board_lines, summary_lines},
};
use protocol::{CreateSession, NewGame, Seed, State};

use self::{
    app::Ended,
    local::LocalError,
    model::Model,
    options::{Manner, Options, Surroundings},
    plain::Commands,
    printable::{printable, printable_json},
    theme::Theme,
};

/// Why the program could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The server's address is none.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// There is no server, and none can be started.
    #[error(transparent)]
    Local(#[from] LocalError),
    /// A call without which there is nothing to show.
    #[error("{address}: {source}")]
    Call {
        /// The server.
        address: String,
        /// What went wrong.
        source: CallError,
    },
    /// The terminal or a stream.
    #[error("the terminal can't be used")]
    Terminal(#[from] io::Error),
}

/// Does what the options say.
///
/// # Errors
/// - [`RunError`], to be shown to the person who started it
pub async fn run(options: &Options, around: &Surroundings) -> Result<ExitCode, RunError> {
    let named = named(options)?;
    if !options.local {
        return play(named, options, around, None).await;
    }
    let local::Local { client, server, warning } = local::open(named).await?;
    let played = play(client, options, around, warning).await;
    local::close(server).await?;
    played
}

/// The session that the options name.
fn named(options: &Options) -> Result<Client, AddressError> {
    if let Some(link) = &options.watch {
        let Link { server, session, secret } = Link::read(link);
        let client = Client::new(server.as_ref().unwrap_or(&options.server), session, None)?;
        return Ok(match secret {
            Some(secret) => client.by_link(secret),
            None => client.looking_on(),
        });
    }
    let token = options.token.clone().filter(|token| !token.is_empty());
    Client::new(&options.server, options.session.clone(), token)
}

/// Plays in the manner that the options and the surroundings ask for. `warning` is said once.
async fn play(
    named: Client,
    options: &Options,
    around: &Surroundings,
    warning: Option<String>,
) -> Result<ExitCode, RunError> {
    let client = with_seed(&named, options).await.map_err(|source| failed(&named, source))?;
    match options.manner(around) {
        Manner::Once => {
            let state = client.state().await.map_err(|source| failed(&client, source))?;
            quiet(once(&state, options.json))
        }
        Manner::Json => quiet(events::run(client, stdout()).await),
        Manner::Plain => {
            let commands =
                if around.stdin_is_terminal { Commands::Typed } else { Commands::Scripted };
            quiet(plain::run(client, commands, warning, stdout()).await.and_then(|finished| {
                let status = u8::from(finished.failed);
                farewell(&finished.ended, ExitCode::from(status))
            }))
        }
        Manner::Screen => {
            let theme = Theme {
                depth: options.depth(around),
                palette: options.palette,
                ascii: options.ascii,
            };
            let (may_play, motion) = (client.may_play(), options.motion());
            let now = Instant::now();
            let mut model = Model::new(may_play, motion, theme, options.held(), now);
            if let Some(warning) = warning {
                model.warn(&warning, now);
            }
            let ended = app::run(client, model).await?;
            quiet(farewell(&ended, ExitCode::SUCCESS))
        }
    }
}

/// The session to play in: the one named, with a new game if a seed asks for it, or a new session of our own.
async fn with_seed(client: &Client, options: &Options) -> Result<Client, CallError> {
    let Some(seed) = options.seed.map(Seed) else { return Ok(client.clone()) };
    if options.session.is_some() {
        let request = NewGame { seed: Some(seed), ..NewGame::default() };
        client.new_game(&request).await?;
        return Ok(client.clone());
    }
    let request = CreateSession { seed: Some(seed), name: Some("terminal".into()) };
    let created = client.create_session(&request).await?;
    Ok(client.with_session(Some(created.id), Some(created.control)))
}

fn failed(client: &Client, source: CallError) -> RunError {
    RunError::Call { address: client.address().into(), source }
}

fn once(state: &State, json: bool) -> io::Result<ExitCode> {
    let mut out = stdout().lock();
    if json {
        let text = serde_json::to_string(state)?;
        writeln!(out, "{}", printable_json(&text))?;
    } else {
        writeln!(out, "{}", printable(&plain::summary(state)))?;
        for line in board_lines(&state.grid) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What is printed on leaving a game that is over, and the exit status.
fn farewell(ended: &Ended, status: ExitCode) -> io::Result<ExitCode> {
    if let Some(state) = ended.state.as_ref().filter(|state| state.game_over) {
        let mut out = stdout().lock();
        for line in summary_lines(state) {
            writeln!(out, "{}", printable(&line))?;
        }
        out.flush()?;
    }
    Ok(ended.signal.map_or(status, |signal| ExitCode::from(signal.exit_status())))
}

/// A reader that has had enough (`| head`) is no error.
fn quiet(result: io::Result<ExitCode>) -> Result<ExitCode, RunError> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        other => Ok(other?),
    }
}

#[cfg(test)]
#[path = "../../protocol/golden/states.rs"]
mod golden;
