//! What keys ask of the server beside moves: its player, another player, another pace, a new game.

use std::time::Instant;

use client::{
    Connection,
    view::{About, said, status::Keys},
};
use protocol::{AgentStart, AgentStep, Hint};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::{Budget, Effect, Model, Overlay, PaceChoice};
use crate::{command::Command, keys::Action};

impl Model {
    /// Space, enter and hint: they need the server and the right to play, as moves do.
    pub(super) fn ask_player(&mut self, action: Action, now: Instant) -> Vec<Effect> {
        let Some((state, player)) = self.view.state().zip(self.player()) else { return Vec::new() };
        let (running, player) = (state.agent.running, Some(player.to_owned()));
        if let Keys::Off(why) = self.view.status(now).keys
            // What runs can be stopped, also over a game that takes no moves.
            && !(running && action == Action::Agent && *self.view.connection() == Connection::Live)
        {
            self.say(said(About::Answer, &why), now);
            return Vec::new();
        }
        let budget_ms = self.budget.and_then(Budget::on_the_wire);
        let command = match action {
            Action::Agent if running => Command::Stop,
            Action::Agent => Command::Start(self.start(player)),
            Action::Step => Command::Step(AgentStep { player, budget_ms, ..AgentStep::default() }),
            _ => {
                self.hint_asked = self.board();
                self.say(said(About::Answer, "Thinking about a hint..."), now);
                Command::Hint(Hint { player, budget_ms })
            }
        };
        vec![Effect::Call(command)]
    }

    fn start(&self, player: Option<String>) -> AgentStart {
        let (interval_seconds, pace) = self.pace.map(PaceChoice::on_the_wire).unwrap_or_default();
        let budget_ms = self.budget.and_then(Budget::on_the_wire);
        AgentStart { player, interval_seconds, pace, budget_ms, command_id: None }
    }

    pub(super) fn change_budget(&mut self, now: Instant) -> Vec<Effect> {
        let Some((budget, state)) = self.budget().zip(self.view.state()) else { return Vec::new() };
        let (budget, running) = (budget.next(), state.agent.running);
        self.budget = Some(budget);
        if running {
            return vec![Effect::Call(Command::Start(self.start(None)))];
        }
        self.say(said(About::Answer, &format!("Thinking time: {budget}")), now);
        Vec::new()
    }

    pub(super) fn change_pace(
        &mut self,
        change: fn(PaceChoice) -> PaceChoice,
        now: Instant,
    ) -> Vec<Effect> {
        let Some((pace, state)) = self.pace().zip(self.view.state()) else { return Vec::new() };
        let (pace, running) = (change(pace), state.agent.running);
        self.pace = Some(pace);
        if running {
            return vec![Effect::Call(Command::Start(self.start(None)))];
        }
        self.say(said(About::Answer, &format!("Pace: {pace}")), now);
        Vec::new()
    }

    pub(super) fn ask_new_game(&mut self, now: Instant) -> Vec<Effect> {
        let Some(state) = self.view.state() else { return Vec::new() };
        let (asks, over) = (state.moves > 0 && !state.game_over, state.game_over);
        if let Keys::Off(why) = self.view.status(now).keys
            && (!over || *self.view.connection() != Connection::Live || self.look.is_some())
        {
            self.say(said(About::Answer, &why), now);
        } else if asks {
            self.overlay = Overlay::NewGame;
        } else {
            return vec![Effect::Call(Command::NewGame(None))];
        }
        Vec::new()
    }

    pub(super) fn answer_new_game(&mut self, key: &KeyEvent) -> Vec<Effect> {
        self.overlay = Overlay::None;
        if matches!(key.code, KeyCode::Char('y' | 'Y')) {
            return vec![Effect::Call(Command::NewGame(None))];
        }
        Vec::new()
    }

    pub(super) fn open_players(&mut self) {
        let Some((state, player)) = self.view.state().zip(self.player()) else { return };
        let marked = state.agent.roster.iter().position(|entry| entry.name == player);
        self.overlay = Overlay::Players(marked.unwrap_or(0));
    }

    pub(super) fn choose_player(
        &mut self,
        marked: usize,
        key: &KeyEvent,
        action: Option<Action>,
        now: Instant,
    ) -> Vec<Effect> {
        let Some(state) = self.view.state() else { return Vec::new() };
        let (roster, running) = (&state.agent.roster, state.agent.running);
        let last = roster.len().saturating_sub(1);
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
        let Some(entry) = roster.get(number).cloned() else { return Vec::new() };
        if !entry.available {
            let reason = entry.reason.unwrap_or_else(|| "not available".into());
            self.say(said(About::Answer, &format!("{}: {reason}", entry.title)), now);
            return Vec::new();
        }
        self.overlay = Overlay::None;
        self.player = Some(entry.name.clone());
        if running {
            return vec![Effect::Call(Command::Start(self.start(Some(entry.name))))];
        }
        Vec::new()
    }
}
