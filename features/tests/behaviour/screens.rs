//! The four kinds of client, on one game at the same time.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

use engine::Board;
use futures_util::future::join_all;
use protocol::State;
use tokio::time::sleep;

use crate::{
    browser::Browser,
    stream::Stream,
    table::{PATIENCE, board_of},
    terminal::Terminal,
    window::Window,
};

/// How often a screen is looked at again.
const AGAIN: Duration = Duration::from_millis(5);

/// A kind of client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Page,
    Window,
    Terminal,
    Stream,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Page, Self::Window, Self::Terminal, Self::Stream];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Page => "page",
            Self::Window => "window",
            Self::Terminal => "terminal",
            Self::Stream => "stream",
        })
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.to_string() == word);
        found.ok_or_else(|| format!("there is no {word}"))
    }
}

/// What a screen shows of the game; numbers that are not on it are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) board: Board,
    pub(crate) score: Option<u64>,
    pub(crate) moves: Option<u32>,
}

impl Seen {
    /// Whether it is this state.
    pub(crate) fn is(&self, state: &State) -> bool {
        self.board == board_of(state)
            && self.score.is_none_or(|score| score == state.score)
            && self.moves.is_none_or(|moves| moves == state.moves)
    }
}

/// The screens that are open.
#[derive(Default)]
pub(crate) struct Screens {
    page: Option<Browser>,
    window: Option<Window>,
    terminal: Option<Terminal>,
    stream: Option<Stream>,
}

impl fmt::Debug for Screens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.open_ones()).finish()
    }
}

impl Screens {
    /// Opens a screen of this kind on the game at `address`.
    pub(crate) async fn open(&mut self, kind: Kind, address: &str) {
        match kind {
            Kind::Page => self.page = Some(Browser::open(address, 1).await),
            Kind::Window => self.window = Some(Window::open(address).await),
            Kind::Terminal => self.terminal = Some(Terminal::open(address)),
            Kind::Stream => self.stream = Some(Stream::open(address)),
        }
    }

    /// Opens one of each kind.
    pub(crate) async fn open_all(&mut self, address: &str) {
        for kind in Kind::ALL {
            self.open(kind, address).await;
        }
    }

    /// The kinds that are open.
    pub(crate) fn open_ones(&self) -> Vec<Kind> {
        let open = |kind: &Kind| match kind {
            Kind::Page => self.page.is_some(),
            Kind::Window => self.window.is_some(),
            Kind::Terminal => self.terminal.is_some(),
            Kind::Stream => self.stream.is_some(),
        };
        Kind::ALL.into_iter().filter(open).collect()
    }

    /// Presses these keys in a screen, one right after the other.
    pub(crate) async fn press(&mut self, kind: Kind, keys: &[&str]) {
        match kind {
            Kind::Page => {
                for key in keys {
                    self.page.as_ref().expect("the page is open").press(key).await;
                }
            }
            Kind::Window => {
                for key in keys {
                    self.window().press(key);
                }
            }
            Kind::Terminal => self.terminal().press(keys),
            Kind::Stream => panic!("a stream has no keys"),
        }
    }

    /// Plays this direction in a screen, or with a plain call beside the stream.
    pub(crate) async fn play(&mut self, kind: Kind, direction: &str) {
        if let (Kind::Stream, Some(stream)) = (kind, &self.stream) {
            return stream.play(direction).await;
        }
        let key = match direction {
            "UP" => "ArrowUp",
            "DOWN" => "ArrowDown",
            "LEFT" => "ArrowLeft",
            _ => "ArrowRight",
        };
        self.press(kind, &[key]).await;
    }

    pub(crate) fn window(&mut self) -> &mut Window {
        self.window.as_mut().expect("the window is open")
    }

    pub(crate) fn terminal(&mut self) -> &mut Terminal {
        self.terminal.as_mut().expect("the terminal is open")
    }

    /// What a screen shows now.
    pub(crate) async fn seen(&self, kind: Kind) -> Option<Seen> {
        match kind {
            Kind::Page => self.page.as_ref()?.seen().await,
            Kind::Window => {
                let board = self.window.as_ref()?.board()?;
                Some(Seen { board, score: None, moves: None })
            }
            Kind::Terminal => self.terminal.as_ref()?.seen(),
            Kind::Stream => {
                let state = self.stream.as_ref()?.newest()?;
                let (score, moves) = (Some(state.score), Some(state.moves));
                Some(Seen { board: board_of(&state), score, moves })
            }
        }
    }

    /// Waits until a screen shows what is wanted, and gives how long that was after `begin`.
    async fn until_seen(&self, kind: Kind, begin: Instant, is: impl Fn(&Seen) -> bool) -> Duration {
        loop {
            let seen = self.seen(kind).await;
            let elapsed = begin.elapsed();
            if seen.as_ref().is_some_and(&is) {
                return elapsed;
            }
            assert!(elapsed < PATIENCE, "the {kind} shows {seen:#?}{}", self.hint(kind));
            sleep(AGAIN).await;
        }
    }

    /// Waits until every screen shows what is wanted, and gives how long each took from `begin` on.
    pub(crate) async fn until_all_see(
        &self,
        begin: Instant,
        is: impl Fn(&Seen) -> bool,
    ) -> Vec<(Kind, Duration)> {
        let wait = async |kind| (kind, self.until_seen(kind, begin, &is).await);
        join_all(self.open_ones().into_iter().map(wait)).await
    }

    /// Waits until a screen has said these words, in any letters.
    pub(crate) async fn until_said(&self, kind: Kind, words: &str) {
        let begin = Instant::now();
        while !self.has_said(kind, words).await {
            let elapsed = begin.elapsed();
            assert!(elapsed < PATIENCE, "the {kind} never says {words:?}{}", self.hint(kind));
            sleep(AGAIN).await;
        }
    }

    async fn has_said(&self, kind: Kind, words: &str) -> bool {
        match kind {
            Kind::Page => self.page.as_ref().expect("the page is open").has_said(words).await,
            Kind::Window => self.window.as_ref().expect("the window is open").has_said(words),
            Kind::Terminal => self.terminal.as_ref().expect("the terminal is open").says(words),
            Kind::Stream => panic!("a stream says nothing"),
        }
    }

    /// Waits until each screen has said that a person took over from `player`, and the one of kind `by` that it was them
    /// who sit at it. A stream names both in its states.
    pub(crate) async fn until_takeover_is_named(&self, player: &str, by: Kind) {
        let wait = async |kind| match kind {
            Kind::Stream => {
                let stream = self.stream.as_ref().expect("the stream is open");
                let begin = Instant::now();
                while !stream.names_takeover(player) {
                    assert!(begin.elapsed() < PATIENCE, "the stream names no takeover");
                    sleep(AGAIN).await;
                }
            }
            kind => {
                let who = match kind {
                    _ if kind == by => "You ",
                    // Its tabs don't know which of them it was, or whether it was one of them.
                    Kind::Page => "",
                    _ => "A person ",
                };
                self.until_said(kind, &format!("{who}took over from {player} at move")).await;
            }
        };
        join_all(self.open_ones().into_iter().map(wait)).await;
    }

    /// What the screens have said so far is forgotten.
    pub(crate) async fn forget(&self) {
        if let Some(page) = &self.page {
            page.forget().await;
        }
        if let Some(window) = &self.window {
            window.forget();
        }
    }

    fn hint(&self, kind: Kind) -> String {
        match (&self.terminal, &self.window, kind) {
            (Some(terminal), _, Kind::Terminal) => format!("\n{}", terminal.contents()),
            (_, Some(window), Kind::Window) => format!("\n{}", window.keep_picture().display()),
            _ => String::new(),
        }
    }

    /// Closes the browser; everything else ends by itself.
    pub(crate) async fn close(&mut self) {
        if let Some(page) = self.page.take() {
            page.close().await;
        }
    }
}
