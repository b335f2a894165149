//! The screen's state: what is shown and what keys mean now. Nothing here draws or waits.

use std::time::{Duration, Instant};

use client::{
    Answer, Command, Seat, Update,
    seat::NewGame,
    view::{About, animation::Motion, said},
};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::{
    keys::{Action, action},
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
    /// The keys.
    Help,
}

/// What the outside is to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Make this call.
    Call(Command),
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
    held: Held,
}

impl Model {
    /// Of a client that knows nothing yet.
    pub fn new(may_play: bool, motion: Motion, theme: Theme, held: Held, now: Instant) -> Self {
        let seat = Seat::new(may_play, motion, now);
        Self { seat, theme, overlay: Overlay::None, held }
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
        let action = action(key);
        match (self.overlay, action) {
            (_, Some(Action::Quit)) => return vec![Effect::Quit],
            (_, Some(Action::Suspend)) => return vec![Effect::Suspend],
            (_, Some(Action::Redraw)) => return vec![Effect::Redraw],
            _ => {}
        }
        match self.overlay {
            Overlay::None => action.map_or_else(Vec::new, |action| self.act(action, now)),
            Overlay::NewGame => self.answer_new_game(key),
            Overlay::Players(marked) => self.choose_player(marked, key, action, now),
            Overlay::Help => {
                self.overlay = Overlay::None;
                Vec::new()
            }
        }
    }

    fn act(&mut self, action: Action, now: Instant) -> Vec<Effect> {
        let seat = &mut self.seat;
        let command = match action {
            Action::Move(direction) => seat.press(direction, now),
            Action::Agent => seat.toggle_agent(now),
            Action::Step => seat.step(now),
            Action::Hint => seat.ask_hint(now),
            Action::Faster => seat.pace().and_then(|pace| seat.set_pace(pace.faster(), now)),
            Action::Slower => seat.pace().and_then(|pace| seat.set_pace(pace.slower(), now)),
            Action::Budget => seat.budget().and_then(|budget| seat.set_budget(budget.next(), now)),
            Action::Back(moves) => seat.look_from_here(-i64::from(moves), now),
            Action::Forward(moves) => seat.look_from_here(i64::from(moves), now),
            Action::First => seat.look_at(0, now),
            Action::NewGame => match seat.wish_new_game(now) {
                NewGame::Begin(command) => Some(command),
                NewGame::Refused => None,
                NewGame::Ask => {
                    self.overlay = Overlay::NewGame;
                    None
                }
            },
            Action::Players => {
                self.open_players();
                None
            }
            Action::Help => {
                self.overlay = Overlay::Help;
                None
            }
            Action::Live | Action::Close if action == Action::Live || seat.look.is_some() => {
                seat.live();
                None
            }
            Action::Live | Action::Close => {
                seat.card_closed = true;
                None
            }
            Action::TryNow => return vec![Effect::TryNow],
            Action::Quit => return vec![Effect::Quit],
            Action::Suspend => return vec![Effect::Suspend],
            Action::Redraw => return vec![Effect::Redraw],
        };
        call(command)
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

    fn choose_player(
        &mut self,
        marked: usize,
        key: &KeyEvent,
        action: Option<Action>,
        now: Instant,
    ) -> Vec<Effect> {
        let Some(state) = self.seat.view.state() else { return Vec::new() };
        let last = state.agent.roster.len().saturating_sub(1);
        let number = match key.code {
            KeyCode::Char(digit @ '1'..='9') => Some(digit as usize - '1' as usize),
            KeyCode::Enter | KeyCode::Char(' ') => Some(marked),
            _ => None,
        };
        let Some(number) = number else {
            self.overlay = match (key.code, action) {
                (KeyCode::Up | KeyCode::Char('k' | 'w'), _) => {
                    Overlay::Players(marked.saturating_sub(1))
                }
                (KeyCode::Down | KeyCode::Char('j' | 's'), _) => {
                    Overlay::Players((marked + 1).min(last))
                }
                _ => Overlay::None,
            };
            return Vec::new();
        };
        let (chosen, command) = self.seat.choose_player(number, now);
        if chosen {
            self.overlay = Overlay::None;
        }
        call(command)
    }
}

fn call(command: Option<Command>) -> Vec<Effect> {
    command.map(Effect::Call).into_iter().collect()
}

#[cfg(test)]
pub(crate) mod tests;
