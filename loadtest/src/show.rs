//! What a session's subscribers must be shown, and whether they are.
//!
//! Whoever plays in the session says before each move what it will lead to; what nobody announced, since an AI plays, is
//! known from the first subscriber who is shown it. The first to be shown a position has it read in full, and everybody
//! else must be shown the same bytes, which is quick.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use protocol::State;
use tokio::time::Instant;

/// Positions that are remembered.
const WINDOW: usize = 128;

/// A session that is watched.
#[derive(Debug)]
pub(crate) struct Show {
    session: String,
    epoch: String,
    path: String,
    /// Positions of which the bytes are kept, too.
    texts: usize,
    window: RefCell<Window>,
    /// The newest position that whoever plays was answered with.
    acknowledged: Cell<u64>,
}

/// What is known of the newest positions.
#[derive(Debug, Default)]
struct Window {
    first: u64,
    known: VecDeque<Known>,
}

#[derive(Debug, Default)]
struct Known {
    sent: Option<Instant>,
    expected: Option<Expected>,
    text: Option<Box<[u8]>>,
}

/// What a position must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    /// `None` for a game whose id is not known yet.
    pub(crate) game: Option<String>,
    pub(crate) grid: [[Option<u32>; 4]; 4],
    pub(crate) moves: u32,
    pub(crate) score: u64,
}

/// What one subscriber was shown last.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The position.
    pub(crate) last: Option<u64>,
    /// Whether it came by this connection, so that it may not come again.
    pub(crate) here: bool,
}

/// A state that was shown as it must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) seq: u64,
    /// Positions between this and the one before it, which are left out for who reads slowly.
    pub(crate) skipped: u64,
    /// How long after the command was sent that led to it; `None` for the first state of a connection.
    pub(crate) took: Option<Duration>,
}

impl Show {
    /// A session; the bytes of so many positions are kept, for more than one subscriber.
    pub(crate) fn new(session: &str, epoch: &str, texts: usize) -> Self {
        Self {
            session: session.to_owned(),
            epoch: epoch.to_owned(),
            path: format!("/api/sessions/{session}/events"),
            texts,
            window: RefCell::default(),
            acknowledged: Cell::default(),
        }
    }

    /// Where its stream is.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The id of the event that shows `seq`.
    pub(crate) fn event_id(&self, seq: u64) -> String {
        format!("{}-{seq}", self.epoch)
    }

    /// Whoever plays was answered with `seq`.
    pub(crate) fn acknowledge(&self, seq: u64) {
        self.acknowledged.set(seq);
    }

    /// The newest position that whoever plays was answered with.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged.get()
    }

    /// A command that leads to `seq` is about to be sent.
    pub(crate) fn announce(&self, seq: u64, expected: Expected) {
        if let Some(known) = self.window.borrow_mut().at(seq) {
            known.sent.get_or_insert_with(Instant::now);
            known.expected = Some(expected);
        }
    }

    /// Whether a subscriber who has `seen` may be shown this state now; notes that it was.
    ///
    /// # Errors
    /// - What is wrong with it.
    pub(crate) fn judge(
        &self,
        seen: &mut Seen,
        id: &[u8],
        text: &[u8],
        now: Instant,
    ) -> anyhow::Result<Delivery> {
        let seq = self.position(id)?;
        let before = std::mem::replace(seen, Seen { last: Some(seq), here: true });
        if let Some(last) = before.last {
            ensure!(
                seq > last || (seq == last && !before.here),
                "session {}: a subscriber at {last} was shown {seq}",
                self.session
            );
        }
        let mut window = self.window.borrow_mut();
        // One that is too old to be known must be whole at least.
        let mut unknown = Known::default();
        let known = window.at(seq).unwrap_or(&mut unknown);
        let sent = known.sent;
        if known.text.as_deref() != Some(text) {
            self.read(seq, text, known)?;
            if self.texts > 0 && known.text.is_none() {
                known.text = Some(text.into());
                window.forget_text(seq, self.texts);
            }
        }
        Ok(Delivery {
            seq,
            skipped: before.last.map_or(0, |last| seq.saturating_sub(last + 1)),
            took: sent.filter(|_| before.here).map(|sent| now.saturating_duration_since(sent)),
        })
    }

    /// The position that an event's id names.
    fn position(&self, id: &[u8]) -> anyhow::Result<u64> {
        let named = || {
            let id = std::str::from_utf8(id).ok()?;
            let seq = id.strip_prefix(self.epoch.as_str())?.strip_prefix('-')?;
            seq.parse().ok()
        };
        named().with_context(|| {
            let id = String::from_utf8_lossy(id);
            format!(
                "session {}: a state with the id {id}, not of epoch {}",
                self.session, self.epoch
            )
        })
    }

    /// Reads a state in full, and holds it against what is known of its position.
    fn read(&self, seq: u64, text: &[u8], known: &mut Known) -> anyhow::Result<()> {
        let session = &self.session;
        let state: State = serde_json::from_slice(text)
            .with_context(|| format!("session {session}: a state that can't be read"))?;
        ensure!(
            state.session == *session && state.epoch == self.epoch && state.seq == seq,
            "session {session}: the event {seq} holds {} of {}",
            state.seq,
            state.session
        );
        let shown = Expected {
            game: Some(state.game),
            grid: state.grid,
            moves: state.moves,
            score: state.score,
        };
        match &mut known.expected {
            None => known.expected = Some(shown),
            Some(expected) => {
                let same_game = expected.game.is_none() || expected.game == shown.game;
                expected.game.clone_from(&shown.game);
                ensure!(
                    same_game && *expected == shown,
                    "session {session}: {seq} was shown as {shown:?}, it is {expected:?}"
                );
            }
        }
        Ok(())
    }
}

impl Window {
    /// What is known of a position; `None` for one that is too old.
    fn at(&mut self, seq: u64) -> Option<&mut Known> {
        let end = self.first + self.known.len() as u64;
        if self.known.is_empty() || seq >= end + WINDOW as u64 {
            self.known.clear();
            self.first = seq;
        }
        let place = usize::try_from(seq.checked_sub(self.first)?).ok()?;
        while self.known.len() <= place {
            self.known.push_back(Known::default());
        }
        let over = self.known.len().saturating_sub(WINDOW);
        self.known.drain(..over);
        self.first += over as u64;
        self.known.get_mut(place - over)
    }

    /// Keeps the bytes of `texts` positions up to `seq`.
    fn forget_text(&mut self, seq: u64, texts: usize) {
        let place = seq.checked_sub(self.first + texts as u64);
        let known = place.and_then(|place| self.known.get_mut(usize::try_from(place).ok()?));
        if let Some(known) = known {
            known.text = None;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use engine::Game;

    use super::*;

    /// A state at `seq` of a session, with a game of so many moves.
    pub(crate) fn state(seq: u64, moves: u32) -> State {
        let golden = include_str!("../../protocol/golden/state-new-game.json");
        let mut state: State = serde_json::from_str(golden).unwrap();
        let game = game(moves);
        "s".clone_into(&mut state.session);
        "e".clone_into(&mut state.epoch);
        "g".clone_into(&mut state.game);
        state.seq = seq;
        state.grid = protocol::grid_of(game.board());
        (state.moves, state.score) = (game.moves(), game.score());
        state
    }

    fn game(moves: u32) -> Game {
        let mut game = Game::new(7);
        for _ in 0..moves {
            let direction = game.board().legal().first().unwrap();
            game.play(direction).unwrap();
        }
        game
    }

    fn expected(moves: u32) -> Expected {
        let game = game(moves);
        let (moves, score) = (game.moves(), game.score());
        let grid = protocol::grid_of(game.board());
        Expected { game: Some("g".to_owned()), grid, moves, score }
    }

    fn text(state: &State) -> Vec<u8> {
        serde_json::to_vec(state).unwrap()
    }

    fn show() -> Show {
        Show::new("s", "e", 4)
    }

    fn judge(show: &Show, seen: &mut Seen, seq: u64, moves: u32) -> anyhow::Result<Delivery> {
        let id = show.event_id(seq);
        show.judge(seen, id.as_bytes(), &text(&state(seq, moves)), Instant::now())
    }

    #[test]
    fn a_subscriber_that_is_shown_a_move_back_is_reported() {
        let (show, mut seen) = (show(), Seen::default());
        judge(&show, &mut seen, 5, 1).unwrap();
        let told = judge(&show, &mut seen, 4, 0).unwrap_err().to_string();
        assert_eq!(told, "session s: a subscriber at 5 was shown 4");
    }

    #[test]
    fn a_position_comes_twice_only_over_a_reconnect() {
        let (show, mut seen) = (show(), Seen::default());
        judge(&show, &mut seen, 5, 1).unwrap();
        judge(&show, &mut seen, 5, 1).unwrap_err();
        seen.here = false;
        judge(&show, &mut seen, 5, 1).unwrap();
        seen.here = false;
        judge(&show, &mut seen, 4, 0).unwrap_err();
    }

    #[test]
    fn a_position_shows_what_was_announced() {
        let show = show();
        show.announce(5, expected(3));
        let delivery = judge(&show, &mut Seen::default(), 5, 3).unwrap();
        assert_eq!((delivery.seq, delivery.took), (5, None));
        let mut seen = Seen { last: Some(2), here: true };
        let delivery = judge(&show, &mut seen, 5, 3).unwrap();
        assert_eq!(delivery.skipped, 2);
        assert!(delivery.took.is_some());
        show.announce(6, expected(4));
        let told = judge(&show, &mut seen, 6, 5).unwrap_err().to_string();
        assert!(told.contains("session s: 6 was shown as"), "{told}");
    }

    #[test]
    fn what_nobody_announced_is_the_same_for_everybody() {
        let show = show();
        judge(&show, &mut Seen::default(), 5, 3).unwrap();
        judge(&show, &mut Seen::default(), 5, 3).unwrap();
        judge(&show, &mut Seen::default(), 5, 4).unwrap_err();
        let mut other = state(5, 3);
        other.watchers += 1;
        let seen = &mut Seen::default();
        show.judge(seen, b"e-5", &text(&other), Instant::now()).unwrap();
    }

    #[test]
    fn a_state_of_something_else_is_wrong() {
        let (show, now) = (show(), Instant::now());
        let right = text(&state(5, 1));
        for (id, text) in [
            ("f-5", right.as_slice()),
            ("e5", &right),
            ("e-6", &right),
            ("e-5", &right[1..]),
            ("e-5", &text(&State { session: "t".to_owned(), ..state(5, 1) })),
        ] {
            show.judge(&mut Seen::default(), id.as_bytes(), text, now).unwrap_err();
        }
        show.judge(&mut Seen::default(), b"e-5", &right, now).unwrap();
    }

    #[test]
    fn old_positions_are_forgotten() {
        let mut window = Window::default();
        window.at(10).unwrap().text = Some([1].into());
        window.forget_text(12, 2);
        assert!(window.at(10).unwrap().text.is_none());
        assert!(window.at(9).is_none());
        window.at(10 + WINDOW as u64).unwrap();
        assert!(window.at(10).is_none());
        assert_eq!((window.known.len(), window.first), (WINDOW, 11));
        window.at(1_000_000).unwrap();
        assert_eq!((window.known.len(), window.first), (1, 1_000_000));
    }
}
