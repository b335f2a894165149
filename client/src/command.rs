//! What the player asks the server for, and its answers.

use std::{io, path::PathBuf};

use protocol::{
    AgentStart, AgentStep, Direction, GameRecord, Grid, Hint, HintReply, Imported, MoveRequest,
    Moved, NewGame, Page, PastState, Seed, State, Version,
};

use crate::{
    calls::{CallError, Client},
    seat::{
        games::{GamesQuery, PAGE},
        replay::BIG,
    },
};

/// Moves that one call tells of.
const MOST_MOVES: u32 = 500;

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Play a move.
    Move(Direction, MoveRequest),
    /// Begin a new game, by this seed if one is named.
    NewGame(Option<u64>),
    /// Begin a game on this position.
    StartFrom(Box<Grid>),
    /// Let a player play.
    Start(AgentStart),
    /// Stop it.
    Stop,
    /// Let a player play one move.
    Step(AgentStep),
    /// Ask a player what it would do.
    Hint(Hint),
    /// Fetch the board of a game after a move.
    Past {
        /// The game's id.
        game: String,
        /// The move.
        number: u32,
    },
    /// Fetch a page of the session's games.
    Games(GamesQuery),
    /// Look for the first big merge among these moves of a game.
    NextMerge {
        /// The game's id.
        game: String,
        /// The first move.
        from: u32,
        /// The last one.
        to: u32,
    },
    /// Copy a game into a file.
    Export {
        /// The game's id.
        game: String,
        /// The file, which must not be there yet.
        file: PathBuf,
    },
    /// Add the game of a file to the session.
    Import(PathBuf),
    /// Make a link to watch by.
    Share,
    /// Make all of them lead nowhere.
    Revoke,
    /// Ask the server about itself.
    AskServer,
}

/// What the server says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerFacts {
    /// Its build and limits.
    pub version: Version,
    /// Whether it takes moves, or why it doesn't.
    pub ready: Result<(), String>,
}

impl ServerFacts {
    /// "serve2048 0.1.0, protocol 1, ready. Games are kept (sqlite, power). Key for jev: no.", a sentence a line.
    pub fn lines(&self) -> Vec<String> {
        let Version { name, version, protocol, store, limits, key_configured, .. } = &self.version;
        let ready = match &self.ready {
            Ok(()) => "ready".to_owned(),
            Err(why) => format!("not ready: {why}"),
        };
        vec![
            format!("{name} {version}, protocol {protocol}, {ready}"),
            format!("Games are kept in {} ({}).", store.kind, store.durability),
            format!("At most {} streams, {} searches at a time.", limits.streams, limits.searches),
            format!(
                "A key for the hosted model is {}.",
                if *key_configured { "set" } else { "not set" }
            ),
        ]
    }
}

/// "2 links lead nowhere now."
pub fn revoked_words(count: u64) -> String {
    match count {
        0 => "There is no link to revoke.".into(),
        1 => "1 link leads nowhere now.".into(),
        _ => format!("{count} links lead nowhere now."),
    }
}

/// Why a game was not copied into a file, or not out of one.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The server would not, or can't be reached.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The file can't be used.
    #[error("{file}: {source}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: io::Error,
    },
}

/// What came of a [`Command`].
#[derive(Debug)]
pub enum Answer {
    /// Of [`Command::Move`].
    Moved(Direction, Result<Moved, CallError>),
    /// Of a call that gives the state.
    State(Result<State, CallError>),
    /// Of [`Command::Hint`].
    Hint(Result<HintReply, CallError>),
    /// Of [`Command::Past`].
    Past(u32, Result<PastState, CallError>),
    /// Of [`Command::Games`].
    Games(GamesQuery, Result<Page<GameRecord>, CallError>),
    /// Of [`Command::NextMerge`], with the game's id: the move that made a big tile.
    Merge(String, Result<Option<u32>, CallError>),
    /// Of [`Command::Export`]: the file.
    Exported(Result<String, FileError>),
    /// Of [`Command::Import`].
    Imported(Result<Imported, FileError>),
    /// Of [`Command::Share`]: the link.
    Shared(Result<String, CallError>),
    /// Of [`Command::Revoke`]: how many there were.
    Revoked(Result<u64, CallError>),
    /// Of [`Command::AskServer`].
    Server(Result<ServerFacts, CallError>),
}

impl Command {
    /// Makes the call. Every command that changes something has an id of its own, so that a network that delivers it
    /// twice does no harm.
    pub async fn carry_out(self, client: Client) -> Answer {
        match self {
            Self::Move(direction, request) => {
                let request = MoveRequest { command_id: id(), ..request };
                Answer::Moved(direction, client.move_(&request).await)
            }
            Self::NewGame(seed) => {
                let request = NewGame { seed: seed.map(Seed), command_id: id(), grid: None };
                Answer::State(client.new_game(&request).await)
            }
            Self::StartFrom(grid) => {
                let request = NewGame { seed: None, command_id: id(), grid: Some(*grid) };
                Answer::State(client.new_game(&request).await)
            }
            Self::Start(request) => {
                let request = AgentStart { command_id: id(), ..request };
                Answer::State(client.agent_start(&request).await.map(|reply| reply.state))
            }
            Self::Stop => Answer::State(client.agent_stop().await.map(|reply| reply.state)),
            Self::Step(request) => {
                let request = AgentStep { command_id: id(), ..request };
                Answer::State(client.agent_step(&request).await.map(|reply| reply.state))
            }
            Self::Hint(request) => Answer::Hint(client.hint(&request).await),
            Self::Past { game, number } => Answer::Past(number, client.past(&game, number).await),
            Self::Games(query) => {
                let page = list(&client, &query).await;
                Answer::Games(query, page)
            }
            Self::NextMerge { game, from, to } => {
                let found = next_merge(&client, &game, from, to).await;
                Answer::Merge(game, found)
            }
            Self::Export { game, file } => Answer::Exported(export(&client, &game, file).await),
            Self::Import(file) => Answer::Imported(import(&client, file).await),
            Self::Share => Answer::Shared(client.give_link().await),
            Self::Revoke => Answer::Revoked(client.revoke_links().await),
            Self::AskServer => Answer::Server(ask_server(&client).await),
        }
    }
}

async fn list(client: &Client, query: &GamesQuery) -> Result<Page<GameRecord>, CallError> {
    let limit = PAGE.to_string();
    let mut asked = vec![("sort", query.sort.on_the_wire()), ("limit", limit.as_str())];
    asked.extend(query.show.on_the_wire().map(|status| ("status", status)));
    asked.extend(query.cursor.as_deref().map(|cursor| ("cursor", cursor)));
    client.find_games(&asked).await
}

/// The first move of them that made a big tile.
async fn next_merge(
    client: &Client,
    game: &str,
    from: u32,
    to: u32,
) -> Result<Option<u32>, CallError> {
    let mut first = from;
    while first <= to {
        let last = to.min(first.saturating_add(MOST_MOVES - 1));
        let page = client.moves(game, first, last).await?;
        let is_big = |slide: &protocol::Slide| slide.merges && slide.value >= BIG / 2;
        let found = page.items.iter().find(|item| item.transition.slides.iter().any(is_big));
        if let Some(found) = found {
            return Ok(Some(found.n));
        }
        first = last + 1;
    }
    Ok(None)
}

/// Nothing that is there is written over.
async fn export(client: &Client, game: &str, file: PathBuf) -> Result<String, FileError> {
    let text = client.export(game).await?;
    let name = file.display().to_string();
    let write = move || {
        let mut out = std::fs::File::create_new(&file)?;
        io::Write::write_all(&mut out, text.as_bytes())
    };
    let written = tokio::task::spawn_blocking(write).await;
    written
        .unwrap_or_else(|error| Err(io::Error::other(error)))
        .map_err(|source| FileError::File { file: name.clone(), source })?;
    Ok(name)
}

async fn import(client: &Client, file: PathBuf) -> Result<Imported, FileError> {
    let name = file.display().to_string();
    let read = tokio::task::spawn_blocking(move || std::fs::read_to_string(file)).await;
    let text = read
        .unwrap_or_else(|error| Err(io::Error::other(error)))
        .map_err(|source| FileError::File { file: name, source })?;
    Ok(client.import(text).await?)
}

async fn ask_server(client: &Client) -> Result<ServerFacts, CallError> {
    let version = client.version().await?;
    let ready = client.ready().await.map_err(|error| error.to_string());
    Ok(ServerFacts { version, ready })
}

#[expect(clippy::unnecessary_wraps, reason = "it is the value of an optional field")]
fn id() -> Option<String> {
    Some(format!("{:032x}", rand::random::<u128>()))
}
