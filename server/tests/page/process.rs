//! The real program, which can be killed and started again.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    thread,
};

use tempfile::TempDir;

use crate::table::Caller;

/// A server on a port and a folder of its own; killed when this is dropped.
pub(crate) struct Process {
    child: Child,
    port: u16,
    folder: TempDir,
}

impl Process {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (child, port) = spawn(&folder, 0);
        Self { child, port, folder }
    }

    /// Ends it without a warning.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it on the same port and folder.
    pub(crate) fn start_again(&mut self) {
        self.child = spawn(&self.folder, self.port).0;
    }

    /// Starts it on the same port, with nothing of what it had.
    pub(crate) fn start_empty(&mut self) {
        self.folder = tempfile::tempdir().unwrap();
        self.start_again();
    }

    pub(crate) fn caller(&self) -> Caller {
        Caller::new(format!("http://127.0.0.1:{}", self.port))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be dead already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The child, once it has said at which port it is.
fn spawn(folder: &TempDir, port: u16) -> (Child, u16) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_serve2048"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SERVE2048_")) {
        command.env_remove(name);
    }
    command.env_remove("RUST_LOG").args(["--port", &port.to_string()]).arg("--data");
    command.arg(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let port = lines.find_map(|line| {
        let line = line.ok()?;
        let (_, rest) = line.split_once("http://127.0.0.1:")?;
        rest.split(|sign: char| !sign.is_ascii_digit()).next()?.parse().ok()
    });
    thread::spawn(move || lines.for_each(drop));
    (child, port.expect("it says where it is"))
}
