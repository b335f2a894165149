//! The program in a terminal of our own, and what is seen there.

use std::{
    io::{Read, Write},
    num::NonZero,
    path::Path,
    sync::{Arc, Condvar, Mutex},
    thread,
    time::Duration,
};

use nix::{
    sys::{
        signal::{Signal, kill},
        wait::{WaitPidFlag, WaitStatus, waitpid},
    },
    unistd::Pid,
};
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Wide room for a busy machine: whoever waits this long waits in vain.
const IN_VAIN: Duration = Duration::from_mins(1);

/// What came out of the program so far.
struct Output {
    raw: Vec<u8>,
    parser: vt100::Parser,
    ended: bool,
}

/// A terminal with a program in it.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Arc<(Mutex<Output>, Condvar)>,
    /// The terminal's settings before the program started.
    settings: String,
}

impl Pty {
    /// Starts `program` in 80 columns and 24 lines, with a home that can't be written to.
    pub(crate) fn start(program: &Path, options: &[&str], environment: &[(&str, &str)]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(options);
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("HOME", "/proc");
        for (name, value) in environment {
            command.env(name, value);
        }
        let settings = settings(&*pair.master);
        let child = pair.slave.spawn_command(command).unwrap();
        let output = Arc::new((
            Mutex::new(Output {
                raw: Vec::new(),
                parser: vt100::Parser::new(at_least_one(24), at_least_one(80), 0),
                ended: false,
            }),
            Condvar::new(),
        ));
        let reader = pair.master.try_clone_reader().unwrap();
        let read_into = Arc::clone(&output);
        thread::spawn(move || read(reader, &read_into));
        let keys = pair.master.take_writer().unwrap();
        Self { master: pair.master, child, keys, output, settings }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    pub(crate) fn resize(&self, cols: u16, rows: u16) {
        let (output, _) = &*self.output;
        output.lock().unwrap().parser.screen_mut().set_size(at_least_one(rows), at_least_one(cols));
        self.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).unwrap();
    }

    /// Waits until the program has stopped as job control stops it.
    pub(crate) fn until_stopped(&self) {
        let status = waitpid(self.pid(), Some(WaitPidFlag::WUNTRACED)).unwrap();
        assert_eq!(status, WaitStatus::Stopped(self.pid(), Signal::SIGSTOP));
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.process_id().unwrap().try_into().unwrap())
    }

    /// Waits until the screen is as wanted.
    pub(crate) fn until(&self, wanted: &str, is: impl Fn(&vt100::Screen) -> bool) {
        let (output, changed) = &*self.output;
        let output = output.lock().unwrap();
        let unlike = |output: &mut Output| !output.ended && !is(output.parser.screen());
        let (output, _) = changed.wait_timeout_while(output, IN_VAIN, unlike).unwrap();
        let screen = output.parser.screen();
        assert!(is(screen), "waited in vain for {wanted}:\n{}\n", screen.contents());
    }

    /// Waits until the screen shows `text`.
    pub(crate) fn until_shown(&self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    /// Waits until the program has ended, and gives how.
    pub(crate) fn until_ended(&mut self) -> ExitStatus {
        let (output, changed) = &*self.output;
        let output = output.lock().unwrap();
        let (output, waited) =
            changed.wait_timeout_while(output, IN_VAIN, |output| !output.ended).unwrap();
        assert!(!waited.timed_out(), "it does not end:\n{}\n", output.parser.screen().contents());
        drop(output);
        self.child.wait().unwrap()
    }

    /// What the terminal shows.
    pub(crate) fn contents(&self) -> String {
        self.output.0.lock().unwrap().parser.screen().contents()
    }

    /// Every byte that came out.
    pub(crate) fn raw(&self) -> String {
        String::from_utf8_lossy(&self.output.0.lock().unwrap().raw).into_owned()
    }

    /// The terminal is as it was before the program started.
    pub(crate) fn is_restored(&self) {
        let output = self.output.0.lock().unwrap();
        let screen = output.parser.screen();
        assert!(!screen.alternate_screen(), "the other screen is still there");
        assert!(!screen.hide_cursor(), "the cursor is still hidden");
        assert_eq!(settings(&*self.master), self.settings, "the settings are others");
    }
}

/// A test that failed leaves no program behind.
impl Drop for Pty {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.child.kill().unwrap();
        }
    }
}

/// The parser can't have an empty screen; what it would show of one nobody asks.
fn at_least_one(length: u16) -> NonZero<u16> {
    NonZero::new(length).unwrap_or(NonZero::<u16>::MIN)
}

fn settings(terminal: &dyn MasterPty) -> String {
    format!("{:?}", terminal.get_termios().expect("a terminal has settings"))
}

fn read(mut reader: Box<dyn Read + Send>, output: &(Mutex<Output>, Condvar)) {
    let (output, changed) = output;
    let mut bytes = [0; 4096];
    loop {
        // A terminal whose program has ended gives an error, and nothing on other systems.
        let read = reader.read(&mut bytes).unwrap_or(0);
        let mut output = output.lock().unwrap();
        output.ended = read == 0;
        output.raw.extend_from_slice(&bytes[..read]);
        output.parser.process(&bytes[..read]);
        changed.notify_all();
        if read == 0 {
            return;
        }
    }
}
