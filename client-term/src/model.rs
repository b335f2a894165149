//! The screen's state: what is shown and what keys mean now. Nothing here draws or waits.

mod typed;

use std::time::{Duration, Instant};

use client::{
    Answer, Command, Seat, Update,
    seat::{
        Acted, Earlier,
        games::{Leaf, Show, Sort, after},
    },
    view::{About, animation::Motion, said},
};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::{
    keys::{Wish, wish},
    options::Held,
    theme::Theme,
};

/// One frame of an animation: more than a terminal can show helps nobody.
const FRAME: Duration = Duration::from_millis(33);

/// What lies over the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Overlay {
    /// Nothing.
    #[default]
    None,
    /// "Start a new game?"
    NewGame,
    /// The list of players, with the mark at this entry of the roster.
    Players(usize),
    /// The list of games, with the mark at this one of the page.
    Games(usize),
    /// A command is being typed.
    Typing,
    /// What can be typed.
    Commands,
    /// What the server says of itself.
    Server,
    /// The keys.
    Help,
}

/// What the outside is to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Make this call.
    Call(Command),
    /// Put this on the clipboard.
    Copy(String),
    /// Reconnect without waiting.
    TryNow,
    /// Stop the process until it is continued.
    Suspend,
    /// Draw everything again.
    Redraw,
    /// Leave.
    Quit,
}

/// The screen's state.
#[derive(Debug)]
pub struct Model {
    /// Where we sit at the session.
    pub seat: Seat,
    /// Colours and characters.
    pub theme: Theme,
    /// What lies over the board.
    pub overlay: Overlay,
    /// The command that is being typed.
    pub typed: String,
    held: Held,
}

impl Model {
    /// Of a client that knows nothing yet.
    pub fn new(may_play: bool, motion: Motion, theme: Theme, held: Held, now: Instant) -> Self {
        let seat = Seat::new(may_play, motion, now);
        Self { seat, theme, overlay: Overlay::None, typed: String::new(), held }
    }

    /// Says what is not as it should be.
    pub fn warn(&mut self, warning: &str, now: Instant) {
        self.seat.say(said(About::Note, warning), now);
    }

    /// The sentence of the status line.
    pub fn said(&self, now: Instant) -> Option<&str> {
        self.seat.said(now).map(|said| said.text.as_str())
    }

    /// When the screen changes by itself; `None` while it doesn't.
    pub fn next_change(&self, now: Instant) -> Option<Duration> {
        self.seat.next_change(now, FRAME)
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Instant) -> Vec<Effect> {
        call(self.seat.tick(now))
    }

    /// Something came over the stream.
    pub fn update(&mut self, update: Update, now: Instant) {
        self.seat.update(update, now);
    }

    /// A call has its answer.
    pub fn answered(&mut self, answer: Answer, now: Instant) -> Vec<Effect> {
        call(self.seat.answered(answer, now))
    }

    /// A key was pressed.
    pub fn key(&mut self, key: &KeyEvent, now: Instant) -> Vec<Effect> {
        if key.is_release() || (key.is_repeat() && self.held == Held::PressOnce) {
            return Vec::new();
        }
        let wish = wish(key);
        let letter = self.overlay == Overlay::Typing && matches!(key.code, KeyCode::Char(_));
        match wish {
            Some(Wish::Suspend) => return vec![Effect::Suspend],
            Some(Wish::Redraw) => return vec![Effect::Redraw],
            Some(Wish::Quit) if !letter || !key.modifiers.is_empty() => return vec![Effect::Quit],
            _ => {}
        }
        match self.overlay {
            Overlay::None => wish.map_or_else(Vec::new, |wish| self.grant(wish, now)),
            Overlay::NewGame => self.answer_new_game(key),
            Overlay::Players(marked) => self.choose_player(marked, key, now),
            Overlay::Games(marked) => self.choose_game(marked, key, now),
            Overlay::Typing => self.type_key(key, now),
            Overlay::Help | Overlay::Commands | Overlay::Server => {
                self.overlay = Overlay::None;
                Vec::new()
            }
        }
    }

    fn grant(&mut self, wish: Wish, now: Instant) -> Vec<Effect> {
        match wish {
            Wish::Act(action) => match self.seat.act(action, now) {
                Acted::Call(command) => return call(command),
                Acted::AskNewGame => self.overlay = Overlay::NewGame,
            },
            Wish::Players => self.open_players(),
            Wish::Games => return self.open_games(Leaf::Anew),
            Wish::Type => {
                self.typed.clear();
                self.overlay = Overlay::Typing;
            }
            Wish::Code => return self.copy_code(now),
            Wish::Server => return self.open_server(),
            Wish::Help => self.overlay = Overlay::Help,
            Wish::Close if self.seat.look.is_some() => self.seat.live(),
            Wish::Close => self.seat.card_closed = true,
            Wish::TryNow => return vec![Effect::TryNow],
            Wish::Quit => return vec![Effect::Quit],
            Wish::Suspend => return vec![Effect::Suspend],
            Wish::Redraw => return vec![Effect::Redraw],
        }
        Vec::new()
    }

    fn open_games(&mut self, leaf: Leaf) -> Vec<Effect> {
        self.overlay = Overlay::Games(0);
        call(self.seat.leaf(leaf))
    }

    fn open_server(&mut self) -> Vec<Effect> {
        self.seat.server = None;
        self.overlay = Overlay::Server;
        vec![Effect::Call(Command::AskServer)]
    }

    fn copy_code(&mut self, now: Instant) -> Vec<Effect> {
        let Some(code) = self.seat.code() else { return Vec::new() };
        self.seat.say(said(About::Answer, &format!("Position {code}")), now);
        vec![Effect::Copy(code)]
    }

    fn answer_new_game(&mut self, key: &KeyEvent) -> Vec<Effect> {
        self.overlay = Overlay::None;
        if matches!(key.code, KeyCode::Char('y' | 'Y')) {
            return vec![Effect::Call(Command::NewGame(None))];
        }
        Vec::new()
    }

    fn open_players(&mut self) {
        let Some((state, player)) = self.seat.view.state().zip(self.seat.player()) else { return };
        let marked = state.agent.roster.iter().position(|entry| entry.name == player);
        self.overlay = Overlay::Players(marked.unwrap_or(0));
    }

    fn choose_player(&mut self, marked: usize, key: &KeyEvent, now: Instant) -> Vec<Effect> {
        let Some(state) = self.seat.view.state() else { return Vec::new() };
        let last = state.agent.roster.len().saturating_sub(1);
        let number = match key.code {
            KeyCode::Char(digit @ '1'..='9') => Some(digit as usize - '1' as usize),
            KeyCode::Enter | KeyCode::Char(' ') => Some(marked),
            _ => None,
        };
        let Some(number) = number else {
            self.overlay = walk(marked, last, key).map_or(Overlay::None, Overlay::Players);
            return Vec::new();
        };
        let (chosen, command) = self.seat.choose_player(number, now);
        if chosen {
            self.overlay = Overlay::None;
        }
        call(command)
    }
}

impl Model {
    /// A key over the list of games.
    fn choose_game(&mut self, marked: usize, key: &KeyEvent, now: Instant) -> Vec<Effect> {
        let games = &self.seat.games;
        let query = games.query.clone();
        let leaf = match key.code {
            KeyCode::Char('f') => Leaf::Show(after(&Show::ALL, query.show)),
            KeyCode::Char('o') => Leaf::Sort(after(&Sort::ALL, query.sort)),
            KeyCode::Char('n') | KeyCode::PageDown => Leaf::Next,
            KeyCode::Char('p') | KeyCode::PageUp => Leaf::Back,
            KeyCode::Enter => return self.visit_game(marked, now),
            _ => {
                let last = games.items().len().saturating_sub(1);
                self.overlay = walk(marked, last, key).map_or(Overlay::None, Overlay::Games);
                return Vec::new();
            }
        };
        // Where there is no such page the list stays as it is.
        let command = self.seat.leaf(leaf);
        if command.is_some() {
            self.overlay = Overlay::Games(0);
        }
        call(command)
    }

    /// Looks at the game under the mark, from its start: it can be played again from there.
    fn visit_game(&mut self, marked: usize, now: Instant) -> Vec<Effect> {
        let Some(game) = self.seat.games.items().get(marked) else { return Vec::new() };
        let earlier = Earlier { game: game.game.clone(), moves: game.moves };
        let running = self.seat.view.state().is_some_and(|state| state.game == earlier.game);
        self.overlay = Overlay::None;
        if running {
            return call(self.seat.look_at(0, now));
        }
        call(self.seat.visit(earlier, 0, now))
    }
}

/// Where the mark of a list goes by this key; `None` for a key that closes the list.
fn walk(marked: usize, last: usize, key: &KeyEvent) -> Option<usize> {
    match key.code {
        KeyCode::Up | KeyCode::Char('k' | 'w') => Some(marked.saturating_sub(1)),
        KeyCode::Down | KeyCode::Char('j' | 's') => Some((marked + 1).min(last)),
        _ => None,
    }
}

fn call(command: Option<Command>) -> Vec<Effect> {
    command.map(Effect::Call).into_iter().collect()
}

#[cfg(test)]
pub(crate) mod tests;
