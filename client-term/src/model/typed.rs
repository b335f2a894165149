//! Commands that are typed on the screen, after a colon: those of the plain manner.

use std::time::Instant;

use client::{
    Command,
    seat::{
        Action,
        games::{GamesQuery, Leaf},
    },
    view::{About, said, spoken::best_words},
};
use protocol::AgentStart;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Effect, Model, Overlay, call};
use crate::{order::Order, plain::summary};

/// Longer than any command; a position of the largest tiles has 111 characters.
const LONGEST: usize = 500;

impl Model {
    /// A key while a command is typed.
    pub(super) fn type_key(&mut self, key: &KeyEvent, now: Instant) -> Vec<Effect> {
        let plain = (key.modifiers - KeyModifiers::SHIFT).is_empty();
        match key.code {
            KeyCode::Char(letter) if plain && self.typed.len() < LONGEST => self.typed.push(letter),
            KeyCode::Backspace if self.typed.pop().is_none() => self.overlay = Overlay::None,
            KeyCode::Enter => {
                self.overlay = Overlay::None;
                return match Order::read(&self.typed) {
                    Ok(order) => order.map_or_else(Vec::new, |order| self.carry_out(order, now)),
                    Err(why) => self.answer(&why, now),
                };
            }
            KeyCode::Esc => self.overlay = Overlay::None,
            _ => {}
        }
        Vec::new()
    }

    fn answer(&mut self, text: &str, now: Instant) -> Vec<Effect> {
        self.seat.say(said(About::Answer, text), now);
        Vec::new()
    }

    fn carry_out(&mut self, order: Order, now: Instant) -> Vec<Effect> {
        let game = self.seat.view.state().map(|state| state.game.clone());
        let command = match order {
            Order::Move(direction) => self.seat.press(direction, now),
            Order::New(seed) => self.seat.start_seed(seed, now),
            Order::Start(grid) => self.seat.start_from(*grid, now),
            Order::At(number) => self.seat.look_at(number, now),
            Order::Series(series) => self.seat.play_series(series, now),
            Order::Stop => Some(Command::Stop),
            Order::Play(player) => {
                // One that plays already is told of the change.
                let player = player.or_else(|| self.seat.player().map(str::to_owned));
                Some(Command::Start(AgentStart { player, ..AgentStart::default() }))
            }
            Order::Step(player) => return self.with_player(player, Action::Step, now),
            Order::Hint(player) => return self.with_player(player, Action::Hint, now),
            Order::Import(file) => Some(Command::Import(file)),
            Order::Share => Some(Command::Share),
            Order::Revoke => Some(Command::Revoke),
            Order::Export(file) => game.map(|game| Command::Export { game, file }),
            Order::Games(show, sort) => {
                self.seat.games.query = GamesQuery { show, sort, cursor: None };
                return self.open_games(Leaf::Anew);
            }
            Order::More => return self.open_games(Leaf::Next),
            Order::Server => return self.open_server(),
            Order::Code => return self.copy_code(now),
            Order::Players => {
                self.open_players();
                None
            }
            Order::Help => {
                self.overlay = Overlay::Commands;
                None
            }
            Order::Quit => return vec![Effect::Quit],
            Order::Board => {
                self.seat.act(Action::Read, now);
                None
            }
            Order::State | Order::Best => {
                let Some(state) = self.seat.view.state() else { return Vec::new() };
                let best = best_words(state).filter(|_| order == Order::Best);
                let text = best.unwrap_or_else(|| summary(state));
                return self.answer(&text, now);
            }
        };
        call(command)
    }

    fn with_player(&mut self, player: Option<String>, action: Action, now: Instant) -> Vec<Effect> {
        if let Some(player) = player {
            self.seat.want_player(player);
        }
        self.grant(crate::keys::Wish::Act(action), now)
    }
}

#[cfg(test)]
mod tests;
