//! What a person asks of the server beside moves: its player, another player, another pace, a new game.

use std::time::Instant;

use protocol::{AgentStart, AgentStep, Grid, Hint, Series, State};

use super::{Budget, PaceChoice, Seat};
use crate::{
    command::Command,
    stream::Connection,
    view::{About, said, status::Keys},
};

/// What to do about the wish for a new game.
#[derive(Debug, Clone, PartialEq)]
pub enum NewGame {
    /// Ask first: the game is not over.
    Ask,
    /// Begin it.
    Begin(Command),
    /// Nothing: why is on the status line.
    Refused,
}

impl Seat {
    /// Lets the player play, or stops the one that does.
    pub fn toggle_agent(&mut self, now: Instant) -> Option<Command> {
        let running = self.view.state()?.agent.running;
        // What runs can be stopped, also over a game that takes no moves.
        if running && *self.view.connection() == Connection::Live && self.view.may_play() {
            return Some(Command::Stop);
        }
        let player = self.player_to_ask(now)?;
        Some(if running { Command::Stop } else { Command::Start(self.start(Some(player))) })
    }

    /// Lets the player play one move.
    pub fn step(&mut self, now: Instant) -> Option<Command> {
        let player = Some(self.player_to_ask(now)?);
        let budget_ms = self.budget.and_then(Budget::on_the_wire);
        Some(Command::Step(AgentStep { player, budget_ms, ..AgentStep::default() }))
    }

    /// Asks the player what it would do.
    pub fn ask_hint(&mut self, now: Instant) -> Option<Command> {
        let player = Some(self.player_to_ask(now)?);
        let budget_ms = self.budget.and_then(Budget::on_the_wire);
        self.hint_asked = self.board();
        self.say(said(About::Answer, "Thinking about a hint..."), now);
        Some(Command::Hint(Hint { player, budget_ms }))
    }

    /// The player, if it can be asked now: that needs the server and the right to play, as moves do.
    fn player_to_ask(&mut self, now: Instant) -> Option<String> {
        let player = self.player()?.to_owned();
        if let Keys::Off(why) = self.view.status(now).keys {
            self.say(said(About::Answer, &why), now);
            return None;
        }
        Some(player)
    }

    fn start(&self, player: Option<String>) -> AgentStart {
        let (interval_seconds, pace) = self.pace.map(PaceChoice::on_the_wire).unwrap_or_default();
        let budget_ms = self.budget.and_then(Budget::on_the_wire);
        AgentStart { player, interval_seconds, pace, budget_ms, ..AgentStart::default() }
    }

    /// Takes another thinking time, at once if a player plays.
    pub fn set_budget(&mut self, budget: Budget, now: Instant) -> Option<Command> {
        let running = self.view.state()?.agent.running;
        self.budget = Some(budget);
        if running {
            return Some(Command::Start(self.start(None)));
        }
        self.say(said(About::Answer, &format!("Thinking time: {budget}")), now);
        None
    }

    /// Takes another pace, at once if a player plays.
    pub fn set_pace(&mut self, pace: PaceChoice, now: Instant) -> Option<Command> {
        let running = self.view.state()?.agent.running;
        self.pace = Some(pace);
        if running {
            return Some(Command::Start(self.start(None)));
        }
        self.say(said(About::Answer, &format!("Pace: {pace}")), now);
        None
    }

    /// Takes the player of this number in the list, from 0, at once if one plays. Whether there is such a player, and
    /// the call.
    pub fn choose_player(&mut self, number: usize, now: Instant) -> (bool, Option<Command>) {
        let Some(agent) = self.view.state().map(|state| &state.agent) else { return (false, None) };
        let running = agent.running;
        let Some(entry) = agent.roster.get(number).cloned() else { return (false, None) };
        if !entry.available {
            let reason = entry.reason.unwrap_or_else(|| "not available".into());
            self.say(said(About::Answer, &format!("{}: {reason}", entry.title)), now);
            return (false, None);
        }
        self.player = Some(entry.name.clone());
        (true, running.then(|| Command::Start(self.start(Some(entry.name)))))
    }

    /// Wants this player, whether or not the list has it: the server says so if it has not.
    pub fn want_player(&mut self, name: String) {
        self.player = Some(name);
    }

    /// Lets the player play one game after the other.
    pub fn play_series(&mut self, series: Series, now: Instant) -> Option<Command> {
        let player = self.player_to_ask(now)?;
        Some(Command::Start(AgentStart { series: Some(series), ..self.start(Some(player)) }))
    }

    /// A game on this position is wished for: by its code, so nothing more is asked.
    pub fn start_from(&mut self, grid: Grid, now: Instant) -> Option<Command> {
        self.may_begin(now).then(|| Command::StartFrom(Box::new(grid)))
    }

    /// A game by this seed is wished for, likewise.
    pub fn start_seed(&mut self, seed: Option<u64>, now: Instant) -> Option<Command> {
        self.may_begin(now).then_some(Command::NewGame(seed))
    }

    /// A new game is wished for. It is asked about while one is running.
    pub fn wish_new_game(&mut self, now: Instant) -> NewGame {
        if !self.may_begin(now) {
            return NewGame::Refused;
        }
        // The first move may still be on its way.
        let on_its_way = self.view.is_move_on_its_way();
        let begun = |state: &State| (state.moves > 0 || on_its_way) && !state.game_over;
        let asks = self.view.state().is_some_and(begun);
        if asks { NewGame::Ask } else { NewGame::Begin(Command::NewGame(None)) }
    }

    /// Whether a game can be begun from here; if not, why not is said.
    fn may_begin(&mut self, now: Instant) -> bool {
        let Some(state) = self.view.state() else { return false };
        let over = state.game_over;
        if let Keys::Off(why) = self.view.status(now).keys
            && !(over
                && self.view.may_play()
                && *self.view.connection() == Connection::Live
                && self.look.is_none())
        {
            self.say(said(About::Answer, &why), now);
            return false;
        }
        true
    }
}
