//! What can be done beside serving: with the stored games, also while a server has them open, and with a server that
//! runs.

use std::{fs, io, path::Path};

use store::{Sqlite, Store as _, StoreError};

use crate::{
    config::{StoreChoice, Task},
    doctor::{self, DoctorError, Finding, Patience},
};

/// What came of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What to tell the person who asked.
    pub lines: Vec<String>,
    /// Whether nothing wrong was found.
    pub all_is_well: bool,
}

/// Why a task was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// There is no file to do it with.
    #[error("games in memory can't be verified or copied: leave --store memory out")]
    Memory,
    /// The folder for the copy can't be made.
    #[error("the folder {folder} can't be made: {source}")]
    Folder {
        /// The folder.
        folder: String,
        /// Why.
        source: io::Error,
    },
    /// There is no server to look at.
    #[error(transparent)]
    Doctor(#[from] DoctorError),
    /// The store can't be read or copied.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Carries out `task` on the games of `choice`.
///
/// # Errors
/// - [`TaskError`], one sentence; a wrong game is no error but in the report.
pub async fn carry_out(task: &Task, choice: &StoreChoice) -> Result<Report, TaskError> {
    let store = || {
        let StoreChoice::Sqlite { folder, .. } = choice else { return Err(TaskError::Memory) };
        Ok(Sqlite::open_beside(folder)?)
    };
    match task {
        Task::Verify => verify(&store()?).await,
        Task::Backup { folder } => backup(&store()?, folder).await,
        Task::Doctor { url } => examine(url).await,
    }
}

async fn examine(url: &str) -> Result<Report, TaskError> {
    // As for the clients: a token on the command line would be seen in the list of processes.
    let token = std::env::var("SERVE2048_TOKEN").ok();
    let found = doctor::examine(url, token.as_deref(), Patience::default()).await?;
    let lines = found.iter().map(ToString::to_string).collect();
    Ok(Report { lines, all_is_well: !found.iter().any(Finding::is_bad) })
}

async fn verify(store: &Sqlite) -> Result<Report, TaskError> {
    let verified = store::verify(store).await?;
    let wrong = verified.wrong.len();
    let mut lines: Vec<String> =
        verified.wrong.iter().map(|wrong| format!("game {}: {}", wrong.game, wrong.what)).collect();
    lines.push(format!(
        "{} games of {} moves replay to what was stored; {wrong} do not",
        verified.games, verified.moves
    ));
    Ok(Report { lines, all_is_well: wrong == 0 })
}

async fn backup(store: &Sqlite, folder: &Path) -> Result<Report, TaskError> {
    let shown = folder.display().to_string();
    fs::create_dir_all(folder)
        .map_err(|source| TaskError::Folder { folder: shown.clone(), source })?;
    store.backup(&folder.join(Sqlite::FILE)).await?;
    let line = format!("copied to {shown}: start a server on it with --data {shown}");
    Ok(Report { lines: vec![line], all_is_well: true })
}
