//! How much was asked today, in a file beside the games: a new start gives no new budget.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use serde::{Deserialize, Serialize};

/// The file, in the folder of the games.
const FILE: &str = "jev-requests.json";

/// The file, if there is a folder for it.
#[derive(Debug, Default)]
pub struct DayBook {
    file: Option<PathBuf>,
    /// Whether it was told that the file cannot be written: it is tried for every request.
    fails: AtomicBool,
}

/// The requests of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// Its number, counted from 1970-01-01 (UTC).
    pub day: i64,
    /// The requests on it.
    pub requests: u64,
}

impl DayBook {
    /// One in this folder; without a folder, nothing is kept.
    pub fn beside(games: Option<&Path>) -> Self {
        Self { file: games.map(|folder| folder.join(FILE)), fails: AtomicBool::new(false) }
    }

    /// What was kept; nothing if that cannot be read, which is told.
    pub fn read(&self) -> Day {
        let Some(file) = &self.file else { return Day::default() };
        let kept = match fs::read(file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Day::default(),
            Err(error) => Err(error),
        };
        kept.unwrap_or_else(|error| {
            tracing::warn!(file = %file.display(), %error, "the model's requests of today are counted anew");
            Day::default()
        })
    }

    /// Keeps this, whole or not at all. What cannot be kept is counted all the same, as long as the server runs.
    pub fn write(&self, day: Day) {
        let Some(file) = &self.file else { return };
        let text = serde_json::to_vec(&day).map_err(io::Error::other);
        let beside = file.with_extension("new");
        let kept =
            text.and_then(|text| fs::write(&beside, text)).and_then(|()| fs::rename(&beside, file));
        if let Err(error) = &kept
            && !self.fails.load(Ordering::Relaxed)
        {
            tracing::warn!(file = %file.display(), %error, "the model's requests of today are not kept");
        }
        self.fails.store(kept.is_err(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_last_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let book = DayBook::beside(Some(folder.path()));
        assert_eq!(book.read(), Day::default());
        for requests in [1, 2] {
            book.write(Day { day: 20_787, requests });
        }
        let again = DayBook::beside(Some(folder.path()));
        assert_eq!(again.read(), Day { day: 20_787, requests: 2 });
        let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
        assert_eq!(files.collect::<Vec<_>>(), [FILE]);
    }

    #[test]
    fn what_cannot_be_read_or_written_stops_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "{\"day\":").unwrap();
        let book = DayBook::beside(Some(folder.path()));
        assert_eq!(book.read(), Day::default());
        let nowhere = DayBook::beside(Some(&folder.path().join("gone")));
        nowhere.write(Day { day: 1, requests: 1 });
        assert_eq!(nowhere.read(), Day::default());
        DayBook::default().write(Day { day: 1, requests: 1 });
    }
}
