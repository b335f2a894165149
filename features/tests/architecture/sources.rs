//! The project's own files as text.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One text file of the project.
pub(crate) struct Source {
    /// Its path from the root, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Whether it is somewhere in `folder`.
    pub(crate) fn is_under(&self, folder: &str) -> bool {
        Path::new(&self.path).starts_with(folder)
    }

    /// The number of parts of its path.
    pub(crate) fn depth(&self) -> usize {
        self.path.split('/').count()
    }

    /// Its lines of code: no blank ones, no comments, no unit tests.
    pub(crate) fn code(&self) -> impl Iterator<Item = &str> {
        self.text
            .lines()
            .map(str::trim)
            .take_while(|line| *line != "#[cfg(test)]")
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
    }

    /// The scenarios of a feature file: name and number of steps.
    pub(crate) fn scenarios(&self) -> Vec<(&str, usize)> {
        let mut scenarios = Vec::new();
        for line in self.text.lines().map(str::trim) {
            if let Some((keyword, name)) = line.split_once(": ")
                && keyword.starts_with("Scenario")
            {
                scenarios.push((name, 0));
            } else if ["Given ", "When ", "Then ", "And ", "But "]
                .iter()
                .any(|word| line.starts_with(word))
                && let Some((_, steps)) = scenarios.last_mut()
            {
                *steps += 1;
            }
        }
        scenarios
    }
}

/// The Rust and JavaScript files.
pub(crate) fn sources() -> Vec<Source> {
    files(&["rs", "js"])
}

/// The feature files.
pub(crate) fn features() -> Vec<Source> {
    files(&["feature"])
}

/// The files with one of these endings; never none.
fn files(endings: &[&str]) -> Vec<Source> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in the workspace");
    let mut found = Vec::new();
    collect(root, endings, &mut found);
    assert!(!found.is_empty(), "no file with {endings:?}");
    let source = |path: PathBuf| Source {
        text: fs::read_to_string(&path).expect("a source file can be read"),
        path: path
            .strip_prefix(root)
            .expect("it was found there")
            .to_string_lossy()
            .replace('\\', "/"),
    };
    found.into_iter().map(source).collect()
}

fn collect(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !matches!(name, "target" | "node_modules") {
            collect(&path, endings, found);
        } else if path.extension().is_some_and(|ending| endings.iter().any(|&e| ending == e)) {
            found.push(path);
        }
    }
}
