//! The games played so far, kept in a file if one is named, so that an arena can be stopped and gone on with.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use super::{contestant::Contestant, game::Record};

/// Every record so far, and the file that they go to.
#[derive(Debug, Default)]
pub(super) struct Journal {
    records: Vec<Record>,
    file: Option<(PathBuf, File)>,
}

impl Journal {
    /// Reads the file if there is one. A last line that was cut short is dropped and its game played again.
    pub(super) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let context = || format!("open the journal {}", path.display());
        let text = if path.exists() {
            std::fs::read_to_string(path).with_context(context)?
        } else {
            String::new()
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let records = text[..whole]
            .lines()
            .map(|line| serde_json::from_str(line).with_context(|| format!("read {line}")))
            .collect::<Result<Vec<Record>>>()
            .with_context(context)?;
        let file = OpenOptions::new().create(true).append(true).open(path).with_context(context)?;
        file.set_len(whole as u64).with_context(context)?;
        Ok(Self { records, file: Some((path.to_owned(), file)) })
    }

    /// Refuses games that a contestant would not play today.
    pub(super) fn check(&self, contestants: &[Contestant]) -> Result<()> {
        for contestant in contestants {
            let (label, fingerprint) = (&contestant.label, &contestant.fingerprint);
            let limit = contestant.limit_in_words();
            for record in self.records.iter().filter(|record| record.player == *label) {
                ensure!(
                    record.fingerprint == *fingerprint && record.limit == limit,
                    "the journal has games of another {label} (fingerprint {}, {}; now {fingerprint}, {limit}): \
                     take another file",
                    record.fingerprint,
                    record.limit,
                );
            }
        }
        Ok(())
    }

    /// Keeps a finished game.
    pub(super) fn add(&mut self, record: Record) -> Result<()> {
        if let Some((path, file)) = &mut self.file {
            let line = serde_json::to_string(&record).context("write a record as JSON")? + "\n";
            file.write_all(line.as_bytes())
                .with_context(|| format!("write to the journal {}", path.display()))?;
        }
        self.records.push(record);
        Ok(())
    }

    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{contestant::Setup, game::play};

    #[test]
    fn a_journal_is_read_back_but_for_a_line_cut_short() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let contestant = Contestant::parse("random", &Setup::default()).unwrap();
        let records = [play(&contestant, 1), play(&contestant, 2)];
        let mut journal = Journal::open(Some(&path)).unwrap();
        for record in records.clone() {
            journal.add(record).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let mut journal = Journal::open(Some(&path)).unwrap();
        assert_eq!(journal.records(), &records[..1]);
        journal.add(records[1].clone()).unwrap();
        assert_eq!(Journal::open(Some(&path)).unwrap().records(), records);
    }

    #[test]
    fn games_of_another_version_are_refused() {
        let contestant = Contestant::parse("random", &Setup::default()).unwrap();
        let mut journal = Journal::default();
        journal.add(play(&contestant, 1)).unwrap();
        assert!(journal.check(std::slice::from_ref(&contestant)).is_ok());
        let mut other = contestant;
        other.fingerprint = "00000000".to_owned();
        assert!(journal.check(&[other]).unwrap_err().to_string().contains("another random"));
    }
}
