//! What a session is, without its actor: the game, who drives it, and how each command changes that.
//!
//! Every command either changes the state as one step (`seq` goes up by one) or leaves it as it is.

use std::sync::Arc;

use engine::{Board, Direction, Game, Start, Tile};
use store::{
    Agent, Best, Change, Class, Driver, DriverKind, GameId, Head, Move, NewGame, Numbers, Pace,
    Series, SessionId, StoredDecision,
};

use super::{StartAgent, Ticket, Turn, publish::Published};
use crate::roster::Roster;

mod durable;

pub(super) use durable::Checkpoint;

/// The name under which a person drives.
const HUMAN: &str = "human";

/// One session: the newest position, which may be ahead of what is durable.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) session: SessionId,
    pub(super) game: Game,
    pub(super) game_id: GameId,
    pub(super) seed_shown: bool,
    pub(super) seq: u64,
    pub(super) driver: Driver,
    pub(super) agent: Agent,
    pub(super) decision: Option<StoredDecision>,
    /// How the state came from the one before; `None` unless that was one move.
    pub(super) transition: Option<protocol::Transition>,
    pub(super) best: u64,
    /// Best scores of the games before, by who chose the moves.
    pub(super) filed: Best,
    /// Who has chosen the running game's moves.
    pub(super) class: Option<Class>,
    /// Goes up whenever what the agent is thinking must not be played any more.
    pub(super) run: u64,
    roster: Arc<Roster>,
}

/// What a command did.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// Whether it did what it is for.
    pub(super) acted: bool,
    /// Whether the state changed; if so, `seq` went up by one.
    pub(super) changed: bool,
    /// What happened, for the store. A change of the agent's settings alone has none.
    pub(super) changes: Vec<Change>,
    /// The game that was running, when another was started: needed until the change is durable.
    pub(super) filed: Option<Box<Game>>,
}

/// Why a command was not carried out.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Objection {
    /// The caller's picture of the game is old.
    Stale(String),
    /// The request is at fault.
    Invalid(String),
}

impl Table {
    /// Plays a person's move; with `takeover` it also takes the game from the agent, even if nothing moves.
    pub(super) fn human_move(
        &mut self,
        direction: Direction,
        expected: &Expected<'_>,
        takeover: bool,
    ) -> Result<Effect, Objection> {
        self.check(expected)?;
        let taken = takeover && self.agent.running;
        let mut effect = Effect::default();
        if taken {
            self.hand_to_human("took over by hand", &mut effect);
        }
        effect.acted =
            self.slide(direction, StoredDecision::bare(Some(direction), HUMAN), &mut effect);
        if effect.acted && self.agent.running {
            // What the agent thinks about is no longer the position.
            self.run += 1;
        }
        Ok(self.counted(effect, taken))
    }

    /// Plays the agent's move; `None` when its ticket is not the newest: a stale decision is never played.
    pub(super) fn agent_move(
        &mut self,
        ticket: &Ticket,
        decision: StoredDecision,
    ) -> Option<Effect> {
        if !self.agent.running || *ticket != self.ticket() {
            return None;
        }
        let mut effect = Effect::default();
        effect.acted = self.decided(decision, &mut effect);
        Some(self.counted(effect, false))
    }

    /// Plays one move of a player that a person asked for.
    pub(super) fn step_move(
        &mut self,
        ticket: &Ticket,
        decision: StoredDecision,
    ) -> Result<Effect, Objection> {
        if self.agent.running || *ticket != self.ticket() {
            return Err(Objection::Stale(format!(
                "the game went on while {} was thinking",
                decision.source
            )));
        }
        let mut effect = Effect::default();
        effect.acted = self.decided(decision, &mut effect);
        Ok(self.counted(effect, false))
    }

    /// Whether `step` may ask a player now.
    pub(super) fn may_step(&self) -> Result<(), Objection> {
        if self.agent.running {
            return Err(Objection::Stale(format!(
                "{} is playing; stop it to play single steps",
                self.agent.player
            )));
        }
        Ok(())
    }

    /// Files the running game and starts another; an agent that plays goes on.
    pub(super) fn start_game(
        &mut self,
        id: GameId,
        seed: u64,
        seed_shown: bool,
        start: Option<Board>,
    ) -> Effect {
        let start = start.map_or(Start::Seeded, Start::Custom);
        let left = self.numbers();
        self.filed = self.bests();
        self.class = None;
        let filed = std::mem::replace(&mut self.game, Game::begin(seed, start));
        self.game_id = id.clone();
        self.seed_shown = seed_shown;
        self.decision = None;
        self.transition = None;
        self.run += 1;
        let mut effect = Effect { acted: true, filed: Some(Box::new(filed)), ..Effect::default() };
        effect
            .changes
            .push(Change::Started { game: NewGame { id, seed, seed_shown, start }, left });
        if self.game.board().is_over() {
            self.agent.running = false;
        }
        let (kind, name) = if self.agent.running {
            (DriverKind::Player, self.agent.player.clone())
        } else {
            human()
        };
        self.drive(kind, name, "new game", &mut effect);
        self.counted(effect, true)
    }

    /// Lets the agent play, or takes over its new settings.
    pub(super) fn start_agent(&mut self, request: &StartAgent) -> Result<Effect, Objection> {
        let mut agent = self.agent.clone();
        if let Some(player) = &request.player {
            agent.player.clone_from(player);
        }
        self.roster.check(&agent.player).map_err(Objection::Invalid)?;
        agent.interval = request.interval.unwrap_or(agent.interval);
        agent.pace = request.pace.unwrap_or(agent.pace);
        agent.budget = request.budget.or(agent.budget);
        agent.series = request.series.or(agent.series);
        if !self.agent.running {
            // A series is of the run that it was asked for with.
            agent.series = request.series;
        }
        agent.running = agent.running || !self.game.board().is_over();
        let mut effect =
            Effect { acted: agent.running && !self.agent.running, ..Effect::default() };
        let changed = agent != self.agent;
        if changed {
            self.run += 1;
        }
        let handed = agent.running && (effect.acted || agent.player != self.agent.player);
        self.agent = agent;
        if handed {
            let why = if effect.acted { "was started" } else { "was changed" };
            self.drive(DriverKind::Player, self.agent.player.clone(), why, &mut effect);
        }
        Ok(self.counted(effect, changed))
    }

    /// Takes the game back from the agent.
    pub(super) fn stop_agent(&mut self) -> Effect {
        let mut effect = Effect { acted: self.agent.running, ..Effect::default() };
        if effect.acted {
            self.hand_to_human("was stopped", &mut effect);
        }
        let changed = effect.acted;
        self.counted(effect, changed)
    }

    /// Shows that the agent's player failed; `None` when that run is over anyway.
    pub(super) fn agent_failed(&mut self, run: u64, error: &str) -> Option<Effect> {
        if !self.agent.running || run != self.run {
            return None;
        }
        let mut effect = Effect { acted: true, ..Effect::default() };
        self.hand_to_human("failed", &mut effect);
        self.decision = Some(StoredDecision {
            reason: Some(format!("agent stopped: {error}")),
            ..StoredDecision::bare(None, "fallback")
        });
        Some(self.counted(effect, true))
    }

    /// The turn as it is now.
    pub(super) fn turn(&self) -> Turn {
        Turn {
            ticket: self.ticket(),
            position: players::Position::of(&self.game),
            over: self.game.board().is_over(),
        }
    }

    /// Whether `ticket` is of the turn as it is now.
    pub(super) fn is_at(&self, ticket: &Ticket) -> bool {
        *ticket == self.ticket()
    }

    /// What the store keeps of the position.
    pub(super) fn head(&self) -> Head {
        Head {
            seq: self.seq,
            game: self.game_id.clone(),
            driver: self.driver.clone(),
            agent: self.agent.clone(),
            decision: self.decision.clone(),
            moved_last: self.transition.is_some(),
            best: self.best,
            filed: self.filed,
            class: self.class,
        }
    }

    /// The best scores by who chose the moves, those of the running game included.
    pub(super) fn bests(&self) -> Best {
        let mut best = self.filed;
        if let Some(class) = self.class.filter(|_| self.game.start() == Start::Seeded) {
            best.consider(class, self.game.score());
        }
        best
    }

    /// The running game's numbers.
    pub(super) fn numbers(&self) -> Numbers {
        Numbers::of(&self.game)
    }

    /// The state as it crosses the wire.
    pub(super) fn state(&self, published: &Published, watchers: u32) -> protocol::State {
        published.state(self, &self.roster, watchers)
    }

    fn ticket(&self) -> Ticket {
        Ticket { run: self.run, game: self.game_id.clone(), moves: self.game.moves() }
    }

    fn check(&self, expected: &Expected<'_>) -> Result<(), Objection> {
        if expected.game.is_some_and(|game| game != self.game_id.as_str()) {
            return Err(Objection::Stale("another game has begun".to_owned()));
        }
        match expected.moves {
            Some(moves) if moves != self.game.moves() => Err(Objection::Stale(format!(
                "the game is at move {}, not {moves}",
                self.game.moves()
            ))),
            _ => Ok(()),
        }
    }

    /// Plays what a player decided. A decision without a direction plays nothing.
    fn decided(&mut self, decision: StoredDecision, effect: &mut Effect) -> bool {
        let direction =
            decision.direction.and_then(|index| Direction::from_index(usize::from(index)));
        direction.is_some_and(|direction| self.slide(direction, decision, effect))
    }

    /// The one place where the board changes. Game over ends the agent's run in the same change.
    fn slide(
        &mut self,
        direction: Direction,
        decision: StoredDecision,
        effect: &mut Effect,
    ) -> bool {
        let Ok(transition) = self.game.play(direction) else { return false };
        self.transition = Some(protocol::transition_of(&transition, decision.source.as_str()));
        self.class = Some(Class::after(self.class, &decision.source));
        self.decision = Some(decision.clone());
        effect.changes.push(Change::Moved(Move { direction, decision }));
        if self.game.start() == Start::Seeded {
            self.best = self.best.max(self.game.score());
        }
        self.end_or_go_on(effect);
        true
    }

    /// Ends the agent's run if the last move ended the game, or made the tile that its series is for. Of a series that
    /// goes on, the next game is begun by [`Table::next_game`].
    fn end_or_go_on(&mut self, effect: &mut Effect) {
        if !self.agent.running {
            return;
        }
        let top = self.game.max_tile().map_or(0, Tile::value);
        let made = |series: &Series| series.until_tile.is_some_and(|tile| top >= tile);
        if self.agent.series.as_ref().is_some_and(made) {
            return self.hand_to_human(&format!("made {top}"), effect);
        }
        if self.game.board().is_over() {
            self.run += 1;
            self.agent.running = self.agent.series.as_mut().is_some_and(|series| {
                series.played = series.played.saturating_add(1);
                series.games.is_none_or(|games| series.played < games)
            });
        }
    }

    /// Whether the agent is to begin another game.
    pub(super) fn is_between_games(&self) -> bool {
        self.agent.running && self.game.board().is_over()
    }

    /// Begins the next game of the agent's series; `None` when it is not between two games of that run any more.
    pub(super) fn next_game(&mut self, run: u64, id: GameId, seed: u64) -> Option<Effect> {
        (self.is_between_games() && self.run == run).then(|| self.start_game(id, seed, false, None))
    }

    fn hand_to_human(&mut self, why: &str, effect: &mut Effect) {
        self.agent.running = false;
        self.run += 1;
        let (kind, name) = human();
        self.drive(kind, name, why, effect);
    }

    fn drive(&mut self, kind: DriverKind, name: String, why: &str, effect: &mut Effect) {
        self.driver = Driver { kind, name, since_move: self.game.moves() };
        effect.changes.push(Change::Driven { driver: self.driver.clone(), why: why.to_owned() });
    }

    /// Counts the change. Unless it was exactly a move, the state did not come from the one before by a move.
    fn counted(&mut self, mut effect: Effect, changed: bool) -> Effect {
        let moved = effect.changes.iter().any(|change| matches!(change, Change::Moved(_)));
        effect.changed = changed || moved;
        if effect.changed {
            self.seq += 1;
            if !moved {
                self.transition = None;
            }
        }
        effect
    }
}

/// What a person's move expects of the game.
#[derive(Debug, Default)]
pub(super) struct Expected<'a> {
    pub(super) moves: Option<u32>,
    pub(super) game: Option<&'a str>,
}

/// The agent of a new session: not playing, at py2048's pace of one move a second.
pub(crate) fn idle_agent(player: &str) -> Agent {
    Agent {
        running: false,
        player: player.to_owned(),
        pace: Pace::Fixed,
        interval: std::time::Duration::from_secs(1),
        budget: None,
        series: None,
    }
}

/// The head of a new session whose first game has the id `game`.
pub(crate) fn first_head(game: GameId, player: &str) -> Head {
    let (kind, name) = human();
    Head {
        seq: 0,
        game,
        driver: Driver { kind, name, since_move: 0 },
        agent: idle_agent(player),
        decision: None,
        moved_last: false,
        best: 0,
        filed: Best::default(),
        class: None,
    }
}

fn human() -> (DriverKind, String) {
    (DriverKind::Human, HUMAN.to_owned())
}

#[cfg(test)]
mod tests;
