//! The terminal client in a terminal of our own.

use engine::Board;

use crate::{programs::program, pty::Pty, screens::Seen};

/// The first square of the board on a screen of 80 by 24: its column, its line.
const FIRST: (usize, usize) = (2, 5);
/// From one square to the next.
const STEP: (usize, usize) = (9, 4);
/// Columns of a square.
const WIDTH: usize = 8;

/// A terminal with the program in it. The program ends when this is dropped.
pub(crate) struct Terminal {
    pty: Pty,
}

impl Terminal {
    /// Opens a terminal on the game at `address`.
    pub(crate) fn open(address: &str) -> Self {
        let program = program("client-term", &["protocol", "client", "client-term"]);
        Self { pty: Pty::start(&program, &["--server", address, "--no-anim"], &[]) }
    }

    /// Types these keys, all at once.
    pub(crate) fn press(&mut self, keys: &[&str]) {
        let typed = keys.iter().map(|key| match *key {
            "ArrowUp" => "\u{1b}[A",
            "ArrowDown" => "\u{1b}[B",
            "ArrowRight" => "\u{1b}[C",
            "ArrowLeft" => "\u{1b}[D",
            "Home" => "\u{1b}[H",
            "End" => "\u{1b}[F",
            key if key.len() == 1 => key,
            key => panic!("no scenario presses {key}"),
        });
        self.pty.press(&typed.collect::<String>());
    }

    /// Makes it as large as this.
    pub(crate) fn resize(&self, columns: u16, lines: u16) {
        self.pty.resize(columns, lines);
    }

    /// What it shows of the game; `None` while something else is there.
    pub(crate) fn seen(&self) -> Option<Seen> {
        let shown = self.pty.contents();
        let lines: Vec<Vec<char>> = shown.lines().map(|line| line.chars().collect()).collect();
        let mut values = [[0; 4]; 4];
        for (row, line) in values.iter_mut().enumerate() {
            for (column, square) in line.iter_mut().enumerate() {
                let line = lines.get(FIRST.1 + row * STEP.1)?;
                let text = line.iter().skip(FIRST.0 + column * STEP.0).take(WIDTH);
                let digits: String = text.filter(|letter| letter.is_ascii_digit()).collect();
                *square = digits.parse().unwrap_or(0);
            }
        }
        let number = |name| number_after(&shown, name);
        Some(Seen {
            board: Board::from_values(values).ok()?,
            score: Some(number("Score ")?),
            moves: Some(u32::try_from(number("Moves ")?).ok()?),
        })
    }

    /// Whether it shows these words, in any letters.
    pub(crate) fn says(&self, words: &str) -> bool {
        self.pty.contents().to_lowercase().contains(&words.to_lowercase())
    }

    /// What it shows, as text.
    pub(crate) fn contents(&self) -> String {
        self.pty.contents()
    }

    /// Waits until the program has ended; the terminal is then as it was before.
    pub(crate) fn until_left(&mut self) {
        assert!(self.pty.until_ended().success());
        self.pty.is_restored();
    }
}

/// The number behind `name`, its thousands apart.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let rest = &text[text.find(name)? + name.len()..];
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == ',').collect();
    digits.replace(',', "").parse().ok()
}
