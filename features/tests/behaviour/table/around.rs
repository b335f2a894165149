//! The screens around a table: what is done and seen on them.

use std::time::{Duration, Instant};

use protocol::{DriverKind, State};

use super::{PATIENCE, Table, board_of, state_of};
use crate::screens::{Kind, Seen};

impl Table {
    /// Opens a screen of this kind on the game, or one of each, and waits until it shows the game.
    pub(crate) async fn open_screens(&mut self, kind: Option<Kind>) {
        let address = self.server.address();
        match kind {
            Some(kind) => self.screens.open(kind, &address).await,
            None => self.screens.open_all(&address).await,
        }
        self.check_shown_on(None).await;
    }

    /// Plays an open move in a screen and waits until every screen shows another board.
    pub(crate) async fn play_in(&mut self, kind: Kind) {
        let (before, direction) = (board_of(&self.state), self.open_move());
        let begin = Instant::now();
        self.screens.play(kind, direction).await;
        let sent = Instant::now();
        let seen = self.screens.until_all_see(sent, |seen| seen.board != before).await;
        let moves = self.state.moves;
        self.wait(|state| state.moves > moves).await;
        tell(kind, sent - begin, &seen);
        self.check_shown_on(None).await;
    }

    /// Plays a move in a screen while a player has the game, and waits until that is seen. Should the player have moved
    /// meanwhile so that the key changes nothing, only the one at the screen knows who stopped it: the player goes on
    /// then, and the next move is tried.
    pub(crate) async fn take_over_in(&mut self, kind: Kind) {
        let player = self.state.driver.name.clone();
        loop {
            for screen in self.screens.open_ones() {
                self.until_player_is_shown(screen).await;
            }
            self.screens.forget().await;
            let state = state_of(&self.client).await;
            self.take(state);
            self.screens.play(kind, self.open_move()).await;
            self.wait(|state| state.driver.kind == DriverKind::Human).await;
            if self.state.transition.as_ref().is_some_and(|last| last.by == "human") {
                break;
            }
            self.hand(&player, true).await;
        }
        self.taken_over_by = Some(kind);
    }

    /// Whoever plays is known to a screen before a key there takes the game over.
    async fn until_player_is_shown(&self, kind: Kind) {
        let words = match kind {
            // It has every state; the others say who plays.
            Kind::Stream => return,
            _ => format!("{} plays", self.state.driver.name),
        };
        self.screens.until_said(kind, &words).await;
    }

    /// Every screen has named who took over from `player`, in its own words.
    pub(crate) async fn check_takeover_named(&self, player: &str) {
        let by = self.taken_over_by.expect("somebody took over");
        self.screens.until_takeover_is_named(player, by).await;
    }

    /// Presses these keys in a screen.
    pub(crate) async fn press_in(&mut self, kind: Kind, keys: &[&str]) {
        self.screens.press(kind, keys).await;
    }

    /// Waits until so many moves have been played, where a screen may have sent them; nobody else waits.
    pub(crate) async fn until_moves(&mut self, count: u32) {
        if !self.screens.open_ones().is_empty() {
            self.wait(|state| state.moves == count).await;
        }
    }

    /// Clicks on the board of the window, or beside it, where nothing can be pressed.
    pub(crate) fn click(&mut self, beside: bool) {
        let across = if beside { 0.97 } else { 0.3 };
        self.screens.window().click(across, 0.5);
    }

    /// Makes the terminal as large as this.
    pub(crate) fn resize(&mut self, columns: u16, lines: u16) {
        self.screens.terminal().resize(columns, lines);
    }

    /// Waits until a screen, or every one, shows the game as the server has it.
    pub(crate) async fn check_shown_on(&mut self, kind: Option<Kind>) {
        let kinds = kind.map_or_else(|| self.screens.open_ones(), |kind| vec![kind]);
        for kind in kinds {
            let begin = Instant::now();
            loop {
                let state = state_of(&self.client).await;
                self.take(state);
                let seen = self.screens.seen(kind).await;
                if seen.as_ref().is_some_and(|seen| seen.is(&self.state)) {
                    break;
                }
                let state = &self.state;
                assert!(begin.elapsed() < PATIENCE, "the {kind} shows {seen:#?}, not {state:#?}");
                tokio::time::sleep(super::AGAIN).await;
            }
        }
    }

    /// Waits until a screen has said these words.
    pub(crate) async fn check_says(&self, kind: Kind, words: &str) {
        self.screens.until_said(kind, words).await;
    }

    /// Waits until a screen's program has ended as it should.
    pub(crate) async fn check_closed(&mut self, kind: Kind) {
        match kind {
            Kind::Window => self.screens.window().until_left().await,
            Kind::Terminal => {
                tokio::task::block_in_place(|| self.screens.terminal().until_left());
            }
            Kind::Page | Kind::Stream => panic!("a {kind} is no program"),
        }
    }

    /// Keeps a picture of the window.
    pub(crate) fn keep_picture(&mut self) {
        let file = self.screens.window().keep_picture();
        let picture = image::image_dimensions(&file).expect("the picture can be read");
        assert!(picture.0 >= 300 && picture.1 >= 300, "{picture:?}");
    }

    /// Kills the server and starts it again so many times. Each time every screen finds the game by itself, and what it
    /// then shows is a position that the game has come to since.
    pub(crate) async fn kill_and_start_times(&mut self, times: u32) {
        for number in 1..=times {
            let before = self.state.moves;
            self.kill_and_start().await;
            let begin = Instant::now();
            let mut took = Vec::new();
            for kind in self.screens.open_ones() {
                self.check_caught_up(kind, before).await;
                took.push((kind, begin.elapsed()));
            }
            tell_return(number, &took);
        }
    }

    async fn check_caught_up(&mut self, kind: Kind, before: u32) {
        let begin = Instant::now();
        loop {
            self.wait(|_| true).await;
            let seen = self.screens.seen(kind).await;
            if let Some(seen) = seen
                && self.has_been(&seen, before).await
            {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "the {kind} does not come back");
            tokio::time::sleep(super::AGAIN).await;
        }
    }

    /// Whether the game was at this position after move `before`.
    async fn has_been(&mut self, seen: &Seen, before: u32) -> bool {
        let state = state_of(&self.client).await;
        self.take(state);
        if self.state.moves <= before {
            return false;
        }
        for number in before + 1..=self.state.moves {
            let past = self.client.past(&self.state.game, number).await;
            let past = past.expect("the server has the game's positions");
            let is = State {
                moves: past.moves,
                score: past.score,
                grid: past.grid,
                ..self.state.clone()
            };
            if seen.is(&is) {
                return true;
            }
        }
        false
    }

    fn open_move(&self) -> &'static str {
        let direction = self.state.legal.first().expect("a direction is open");
        client::calls::direction_name(*direction)
    }
}

#[expect(clippy::print_stdout, reason = "a figure for whoever reads the test's output")]
fn tell(kind: Kind, sent: Duration, seen: &[(Kind, Duration)]) {
    let after = |(kind, took): &(Kind, Duration)| format!("{kind} {} ms", took.as_millis());
    let seen: Vec<_> = seen.iter().map(after).collect();
    println!("a move in the {kind} (sent in {} ms) is in: {}", sent.as_millis(), seen.join(", "));
}

#[expect(clippy::print_stdout, reason = "a figure for whoever reads the test's output")]
fn tell_return(number: u32, took: &[(Kind, Duration)]) {
    let after = |(kind, took): &(Kind, Duration)| format!("{kind} {} ms", took.as_millis());
    let took: Vec<_> = took.iter().map(after).collect();
    println!("return {number} of the server is in: {}", took.join(", "));
}
