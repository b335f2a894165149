//! The project's own programs, as cargo built them beside this test.

use std::{
    env,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The program of this name. One that is older than the sources of `packages` would test the past.
pub(crate) fn program(name: &str, packages: &[&str]) -> PathBuf {
    let tests = env::current_exe().expect("a test knows where it is");
    let folder = tests.ancestors().nth(2).expect("tests are in <profile>/deps");
    let program = folder.join(name).with_extension(env::consts::EXE_EXTENSION);
    let hint = "build it with `cargo test --workspace --no-run`";
    let built = program.metadata().and_then(|file| file.modified());
    let built = built.unwrap_or_else(|_| panic!("{} is not there: {hint}", program.display()));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package has a parent");
    for package in packages {
        let changed = newest(&root.join(package).join("src"));
        assert!(changed <= built, "{} is older than {package}: {hint}", program.display());
    }
    program
}

/// When the newest file in the folder was changed.
fn newest(folder: &Path) -> SystemTime {
    let entries = folder.read_dir().expect("sources can be listed");
    let times = entries.map(|entry| {
        let entry = entry.expect("an entry can be read");
        let file = entry.metadata().expect("a file has a time");
        if file.is_dir() { newest(&entry.path()) } else { file.modified().expect("files have one") }
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}
