//! The terminal as a screen: entered once, left in every case.

use std::{
    io::{self, Stdout, stdout},
    panic,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

use ratatui::{
    Frame, Terminal,
    backend::CrosstermBackend,
    crossterm::{
        clipboard::CopyToClipboard,
        cursor::{Hide, Show},
        event::{
            KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
        },
        execute,
        terminal::{
            Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
            enable_raw_mode,
        },
    },
};
use signal_hook::{consts::SIGTSTP, low_level::emulate_default_handler};

/// Whether the terminal is ours now: leaving must happen once, from wherever it comes first.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// The screen. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the terminal, and from now on gives it back before a panic is reported, so that the report can be read.
    ///
    /// # Errors
    /// - if the terminal can't be set up; it is as before then
    pub fn enter() -> io::Result<Self> {
        report_panics_after_leaving();
        take()?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout()));
        Ok(Self { terminal: terminal.inspect_err(|_| leave())? })
    }

    /// Draws one picture.
    ///
    /// # Errors
    /// - if the terminal can't be written to
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(draw).map(drop)
    }

    /// Gives the terminal back and stops the process, as the shell's job control does. Returns when it is continued.
    ///
    /// # Errors
    /// - if the terminal can't be taken again
    pub fn suspend(&mut self) -> io::Result<()> {
        leave();
        emulate_default_handler(SIGTSTP)?;
        self.resume()
    }

    /// Takes the terminal again, after whatever happened to it, and draws everything at the next picture.
    ///
    /// # Errors
    /// - if the terminal can't be taken again
    pub fn resume(&mut self) -> io::Result<()> {
        if ENTERED.load(Ordering::SeqCst) {
            // Who stopped us without asking may have put the terminal's settings back.
            leave();
        }
        take()?;
        self.redraw()
    }

    /// Puts a text on the clipboard of the terminal that has one; the others ignore it.
    ///
    /// # Errors
    /// - if the terminal can't be written to
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(stdout(), CopyToClipboard::to_clipboard_from(text))
    }

    /// Draws everything at the next picture. A terminal that was made smaller and larger again has forgotten what it
    /// showed, even if nobody saw it smaller.
    ///
    /// # Errors
    /// - if the terminal can't be written to
    pub fn redraw(&mut self) -> io::Result<()> {
        execute!(stdout(), Clear(ClearType::All))?;
        // Not `Terminal::clear`: it asks the terminal where the cursor is, and not every terminal answers.
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    ENTERED.store(true, Ordering::SeqCst);
    // Terminals that can tell a key that is held down from one that is pressed again are asked to do so.
    let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
        | KeyboardEnhancementFlags::REPORT_EVENT_TYPES;
    let taken = execute!(stdout(), EnterAlternateScreen, PushKeyboardEnhancementFlags(flags), Hide);
    taken.inspect_err(|_| leave())
}

/// Gives the terminal back, if it is ours.
fn leave() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let left = execute!(stdout(), PopKeyboardEnhancementFlags, LeaveAlternateScreen, Show);
    let cooked = disable_raw_mode();
    // A terminal that is gone needs nothing back, and there is nobody to tell.
    drop((left, cooked));
}

fn report_panics_after_leaving() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            leave();
            report(info);
        }));
    });
}
