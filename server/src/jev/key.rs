//! Where the key comes from. It is looked up whenever it is needed, so that one that is taken away is gone.

use std::{
    env, fs,
    io::ErrorKind::{IsADirectory, NotFound},
    path::{Path, PathBuf},
    sync::Once,
};

use super::Secret;

/// The name of the key in the environment and in a `.env` file.
pub const KEY_NAME: &str = "TYPESAFE_API_KEY";

/// Where to look for the key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum KeySource {
    /// Nowhere: there is none, whatever the environment holds.
    #[default]
    Nowhere,
    /// It was given.
    Given(Secret),
    /// In the environment, and if that has none, in this file.
    Environment {
        /// A file of `NAME=value` lines, which need not be there.
        file: PathBuf,
    },
}

impl KeySource {
    /// What a program looks at that was started in a folder: the environment, then `.env`.
    pub fn of_process() -> Self {
        Self::Environment { file: PathBuf::from(".env") }
    }

    /// The key as it is now.
    pub fn read(&self) -> Option<Secret> {
        match self {
            Self::Nowhere => None,
            Self::Given(secret) => Some(secret.clone()),
            Self::Environment { file } => {
                let set = env::var(KEY_NAME).ok().and_then(|text| Secret::new(&text));
                set.or_else(|| in_file(file))
            }
        }
    }
}

fn in_file(file: &Path) -> Option<Secret> {
    /// It is looked at for every move.
    static TOLD: Once = Once::new();

    match fs::read(file) {
        Ok(bytes) => in_text(&String::from_utf8_lossy(&bytes)),
        // Some keep an environment of Python's in a folder of that name.
        Err(error) if matches!(error.kind(), NotFound | IsADirectory) => None,
        Err(error) => {
            TOLD.call_once(|| {
                tracing::warn!(file = %file.display(), %error, "the file cannot be read for a key");
            });
            None
        }
    }
}

/// The last value of the key in `text`, as shells read such files: `export` and quotes are allowed, `#` begins a remark.
fn in_text(text: &str) -> Option<Secret> {
    let mut values = text.trim_start_matches('\u{feff}').lines().filter_map(|line| {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=')?;
        (name.trim() == KEY_NAME).then(|| unquoted(value.trim()))
    });
    values.next_back().and_then(Secret::new)
}

fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inner, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote))
        {
            return inner;
        }
    }
    if value.starts_with('#') { "" } else { value.split(" #").next().unwrap_or(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        in_text(text).map(|secret| secret.reveal().to_owned())
    }

    #[test]
    fn a_file_is_read_as_shells_read_it() {
        let key = Some("abc".to_owned());
        for text in [
            "TYPESAFE_API_KEY=abc",
            "# mine\r\nOTHER=1\r\nTYPESAFE_API_KEY=abc\r\n",
            "export TYPESAFE_API_KEY=\"abc\" # mine",
            "\u{feff}TYPESAFE_API_KEY = 'abc'",
            "TYPESAFE_API_KEY=abc # mine",
            "TYPESAFE_API_KEY=old\nTYPESAFE_API_KEY=abc",
        ] {
            assert_eq!(read(text), key, "{text}");
        }
    }

    #[test]
    fn blank_counts_as_absent() {
        for text in [
            "",
            "TYPESAFE_API_KEY=",
            "TYPESAFE_API_KEY=\"  \"",
            "#TYPESAFE_API_KEY=abc",
            "TYPESAFE_API_KEY= # none",
            "TYPESAFE_API_KEYS=abc",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_key_that_is_taken_out_of_the_file_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(".env");
        assert_eq!(in_file(&file), None);
        fs::write(&file, "TYPESAFE_API_KEY=abc").unwrap();
        assert_eq!(in_file(&file), Secret::new("abc"));
        fs::write(&file, "").unwrap();
        assert_eq!(in_file(&file), None);
        fs::write(&file, b"NAME=\xff\nTYPESAFE_API_KEY=abc").unwrap();
        assert_eq!(in_file(&file), Secret::new("abc"), "whatever else is in it");
        assert_eq!(in_file(folder.path()), None, "a folder is no file");
    }

    #[test]
    fn only_the_environment_is_looked_at_that_was_asked_for() {
        assert_eq!(KeySource::default().read(), None);
        let given = Secret::new("abc").unwrap();
        assert_eq!(KeySource::Given(given.clone()).read(), Some(given));
    }
}
