//! The screen's state: what is shown and what keys mean now. Nothing here draws or waits.

mod ask;

mod budget;

mod look;

mod pace;

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use client::{
    Connection, Update, View,
    view::{
        About, Press, Said, animation::Motion, driver::agent_button, said, spoken::direction_word,
    },
};
use protocol::{HintReply, MoveRequest, PastState, State};
use ratatui::crossterm::event::KeyEvent;

use self::look::Memory;
pub use self::{budget::Budget, look::Look, pace::PaceChoice};
use crate::{
    command::{Answer, Command},
    keys::{Action, action},
    options::Held,
    theme::Theme,
};

/// How long a sentence stands on the status line.
const STANDS: Duration = Duration::from_secs(6);
/// Moves in the log.
const MOST_LOGGED: usize = 200;
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

/// A move of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// Its number.
    pub number: u32,
    /// "Left"
    pub direction: &'static str,
    /// Points it gained.
    pub gained: u32,
    /// Who chose it.
    pub by: String,
}

/// What the player would do, and on which board.
type ShownHint = (HintReply, (String, u32));

/// The screen's state.
#[derive(Debug)]
pub struct Model {
    /// What is known of the session.
    pub view: View,
    /// Colours and characters.
    pub theme: Theme,
    /// What lies over the board.
    pub overlay: Overlay,
    /// The status line's sentence, and until when.
    said: Option<(Said, Instant)>,
    /// The newest moves, newest last.
    pub log: VecDeque<Logged>,
    hint: Option<ShownHint>,
    /// The game and the move that a hint was asked for.
    hint_asked: Option<(String, u32)>,
    memory: Memory,
    /// The board that is looked at, when it isn't the live one.
    pub look: Option<Look>,
    /// The player to start; the server's when none was chosen.
    player: Option<String>,
    /// Likewise.
    pace: Option<PaceChoice>,
    /// Likewise.
    budget: Option<Budget>,
    /// The card of the game that is over was closed.
    pub card_closed: bool,
    held: Held,
}

impl Model {
    /// Of a client that knows nothing yet.
    pub fn new(may_play: bool, motion: Motion, theme: Theme, held: Held, now: Instant) -> Self {
        Self {
            view: View::new(may_play, motion, now),
            theme,
            overlay: Overlay::None,
            said: None,
            log: VecDeque::new(),
            hint: None,
            hint_asked: None,
            memory: Memory::default(),
            look: None,
            player: None,
            pace: None,
            budget: None,
            card_closed: false,
            held,
        }
    }

    /// Says what is not as it should be.
    pub fn warn(&mut self, warning: &str, now: Instant) {
        self.say(said(About::Note, warning), now);
    }

    /// The sentence of the status line.
    pub fn said(&self, now: Instant) -> Option<&str> {
        let (said, until) = self.said.as_ref()?;
        (now < *until).then_some(said.text.as_str())
    }

    /// The hint, while its board is shown.
    pub fn hint(&self) -> Option<&HintReply> {
        let (reply, board) = self.hint.as_ref()?;
        (self.board()? == *board && self.look.is_none()).then_some(reply)
    }

    /// The player that keys ask for.
    pub fn player(&self) -> Option<&str> {
        let agent = &self.view.state()?.agent;
        Some(self.player.as_deref().filter(|_| !agent.running).unwrap_or(&agent.player))
    }

    /// The pace that it plays with.
    pub fn pace(&self) -> Option<PaceChoice> {
        let agent = &self.view.state()?.agent;
        Some(self.pace.filter(|_| !agent.running).unwrap_or_else(|| PaceChoice::of(agent)))
    }

    /// The time that it thinks about a move.
    pub fn budget(&self) -> Option<Budget> {
        let agent = &self.view.state()?.agent;
        Some(self.budget.filter(|_| !agent.running).unwrap_or_else(|| Budget::of(agent.budget_ms)))
    }

    /// What space would do.
    pub fn agent_button(&self) -> Option<String> {
        let mut agent = self.view.state()?.agent.clone();
        self.player()?.clone_into(&mut agent.player);
        Some(agent_button(&agent))
    }

    /// When the screen changes by itself; `None` while it doesn't.
    pub fn next_change(&self, now: Instant) -> Option<Duration> {
        let status = self.view.status(now);
        let whole_second = Duration::from_secs(1);
        let mut waits = Vec::new();
        if self.view.is_moving(now) && self.look.is_none() {
            waits.push(FRAME);
        }
        if let Some((_, until)) = &self.said {
            waits.extend(until.checked_duration_since(now).filter(|wait| !wait.is_zero()));
        }
        match self.view.connection() {
            Connection::Connecting | Connection::Lost { .. } => waits.push(whole_second / 4),
            Connection::Live if self.view.state().is_some_and(|state| state.agent.running) => {
                // A thought is shown once it takes long, and then counted in tenths.
                let counting = status.thinking.is_some();
                waits.push(if counting { whole_second / 10 } else { whole_second / 3 });
            }
            Connection::Live | Connection::Ended(_) => {}
        }
        waits.into_iter().min()
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
        match action {
            Action::Move(direction) => match self.view.press(direction, now) {
                Press::Send(request) => return vec![call_move(request, direction)],
                Press::Say(why) => self.say(why, now),
                Press::Nothing => {}
            },
            Action::Agent | Action::Step | Action::Hint => return self.ask_player(action, now),
            Action::NewGame => return self.ask_new_game(now),
            Action::Faster => return self.change_pace(PaceChoice::faster, now),
            Action::Budget => return self.change_budget(now),
            Action::Slower => return self.change_pace(PaceChoice::slower, now),
            Action::Back(moves) => return self.look_from_here(-i64::from(moves), now),
            Action::Forward(moves) => return self.look_from_here(i64::from(moves), now),
            Action::First => return self.look_at(0, now),
            Action::Live => self.live(),
            Action::Players => self.open_players(),
            Action::Help => self.overlay = Overlay::Help,
            Action::TryNow => return vec![Effect::TryNow],
            Action::Close if self.look.is_some() => self.live(),
            Action::Close => self.card_closed = true,
            Action::Quit => return vec![Effect::Quit],
            Action::Suspend => return vec![Effect::Suspend],
            Action::Redraw => return vec![Effect::Redraw],
        }
        Vec::new()
    }

    /// Something came over the stream.
    pub fn update(&mut self, update: Update, now: Instant) {
        match update {
            Update::Connection(connection) => self.view.connected(connection),
            Update::State(snapshot) => self.receive(|view| view.receive(snapshot.state, now), now),
            Update::Watchers(count) => self.view.watched_by(count),
            Update::Note(note) => self.say(said(About::Note, &note.text), now),
            Update::Heartbeat(seq) => {
                if let Some(said) = self.view.heard(seq) {
                    self.say(said, now);
                }
            }
            // What it means for the connection comes right after it.
            Update::Bye(_) => {}
        }
    }

    /// A call has its answer.
    pub fn answered(&mut self, answer: Answer, now: Instant) -> Vec<Effect> {
        match answer {
            Answer::Moved(direction, answer) => {
                let mut next = None;
                let take = |view: &mut View| {
                    let (lines, waiting) = view.answered(direction, answer, now);
                    next = waiting;
                    lines
                };
                self.receive(take, now);
                return next
                    .map(|(direction, request)| call_move(request, direction))
                    .into_iter()
                    .collect();
            }
            Answer::State(Ok(state)) => self.receive(|view| view.receive(state, now), now),
            Answer::Hint(Ok(reply)) => self.hinted(reply, now),
            Answer::Past(number, Ok(past)) => self.remember(number, past),
            Answer::Past(_, Err(error)) => {
                self.receive(|view| view.refused(error, now), now);
                self.live();
            }
            Answer::State(Err(error)) | Answer::Hint(Err(error)) => {
                self.receive(|view| view.refused(error, now), now);
            }
        }
        Vec::new()
    }

    /// Lets the view take a state, if there is one, and keeps what is new about it.
    fn receive(&mut self, take: impl FnOnce(&mut View) -> Vec<Said>, now: Instant) {
        let position = |state: &State| (state.game.clone(), state.seq);
        let before = self.view.state().map(position);
        for said in take(&mut self.view) {
            if said.about != About::Move {
                self.say(said, now);
            }
        }
        let Some(state) = self.view.state() else { return };
        if before.as_ref() == Some(&position(state)) {
            return;
        }
        if before.is_none_or(|(game, _)| game != state.game) {
            self.log.clear();
            self.memory = Memory::default();
            self.card_closed = false;
            self.look = None;
        }
        self.memory.keep(PastState::from(state));
        if let Some(transition) = &state.transition {
            self.log.push_back(Logged {
                number: state.moves,
                direction: direction_word(transition.direction),
                gained: transition.gained,
                by: transition.by.clone(),
            });
            if self.log.len() > MOST_LOGGED {
                self.log.pop_front();
            }
        }
        if self.look.is_none() {
            self.view.look_at(None);
        }
    }

    fn hinted(&mut self, reply: HintReply, now: Instant) {
        let Some(board) = self.hint_asked.take() else { return };
        if self.board().as_ref() != Some(&board) {
            return self
                .say(said(About::Answer, "The hint came too late: the board is another."), now);
        }
        let words = reply.decision.direction.map_or("no move", direction_word);
        let hint = format!("Hint: {words}");
        self.hint = Some((reply, board));
        self.say(said(About::Answer, &hint), now);
    }

    /// Which board is live: its game and its move.
    fn board(&self) -> Option<(String, u32)> {
        self.view.state().map(|state| (state.game.clone(), state.moves))
    }

    fn say(&mut self, said: Said, now: Instant) {
        self.said = Some((said, now + STANDS));
    }
}

fn call_move(request: MoveRequest, direction: protocol::Direction) -> Effect {
    Effect::Call(Command::Move(direction, request))
}

#[cfg(test)]
pub(crate) mod tests;
