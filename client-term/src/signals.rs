//! The signals of the operating system that concern a terminal.

use std::io;

use tokio::signal::unix::{self, SignalKind, signal};

/// A signal that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT: leave.
    Interrupt,
    /// SIGTERM: leave.
    Terminate,
    /// SIGHUP: the terminal is gone.
    HangUp,
    /// SIGTSTP: give the terminal back and stop.
    Stop,
    /// SIGCONT: take it again.
    Continue,
}

impl Signal {
    /// The exit status that shells give to a process that a signal ended.
    pub const fn exit_status(self) -> u8 {
        match self {
            Self::Interrupt => 128 + 2,
            Self::Terminate => 128 + 15,
            Self::HangUp => 128 + 1,
            Self::Stop | Self::Continue => 0,
        }
    }
}

/// Listens to them in place of what they do by default.
#[derive(Debug)]
pub struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
    hang_up: unix::Signal,
    stop: unix::Signal,
    go_on: unix::Signal,
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// - if the operating system refuses
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            stop: signal(SignalKind::from_raw(signal_hook::consts::SIGTSTP))?,
            go_on: signal(SignalKind::from_raw(signal_hook::consts::SIGCONT))?,
        })
    }

    /// The next one.
    pub async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
            _ = self.hang_up.recv() => Signal::HangUp,
            _ = self.stop.recv() => Signal::Stop,
            _ = self.go_on.recv() => Signal::Continue,
        }
    }
}
