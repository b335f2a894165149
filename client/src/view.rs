//! What to show: from states and facts to pictures and sentences, without drawing, without a clock, without a socket.

pub mod animation;

pub mod driver;

pub mod palette;

pub mod queue;

pub mod spoken;

pub mod status;

use std::time::{Duration, Instant};

use protocol::{Direction, DriverKind, MoveRequest, Moved, State};

use self::{
    animation::{Motion, Plan, Scene},
    queue::{Queue, Queued},
    status::{Facts, Keys, Status},
};
use crate::{
    calls::{CallError, direction_name},
    stream::Connection,
};

/// A sentence for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The sentence.
    pub text: String,
    /// What it is about, so that a client can decide how loudly to say it.
    pub about: About,
}

/// What a sentence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A move that was played.
    Move,
    /// A key that did nothing, and why.
    Answer,
    /// Who has the game.
    Driver,
    /// That the move in flight took the game over.
    Takeover,
    /// A decision that was not the player's own.
    Fallback,
    /// A new game, 2048 made, the end.
    Game,
    /// The connection came back.
    Connection,
    /// Something the server wanted said.
    Note,
}

/// What to do about a key for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Press {
    /// Send this and tell [`View::answered`] what came of it.
    Send(MoveRequest),
    /// Nothing now.
    Nothing,
    /// Nothing; say why.
    Say(Said),
}

/// A fallback that is shown, and how often in a row its reason came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallback {
    /// "Fell back: only one legal move"
    pub text: String,
    /// 1 and up.
    pub times: u32,
}

/// What one client shows of one session.
#[derive(Debug)]
pub struct View {
    started: Instant,
    motion: Motion,
    may_play: bool,
    connection: Connection,
    state: Option<Box<State>>,
    state_at: Option<Instant>,
    /// The way to the state, and when it was begun.
    plan: Option<(Plan, Instant)>,
    /// What was shown when the stream was lost.
    left: Option<Left>,
    looking_at: Option<u32>,
    visited_moves: Option<u32>,
    queue: Queue,
    fallback: Option<Fallback>,
    watchers: u32,
}

#[derive(Debug)]
struct Left {
    game: String,
    moves: u32,
}

impl View {
    /// A view of nothing yet. `may_play`: this client has the right to, as far as it knows.
    pub fn new(may_play: bool, motion: Motion, now: Instant) -> Self {
        Self {
            started: now,
            motion,
            may_play,
            connection: Connection::Connecting,
            state: None,
            state_at: None,
            plan: None,
            left: None,
            looking_at: None,
            visited_moves: None,
            queue: Queue::default(),
            fallback: None,
            watchers: 0,
        }
    }

    /// The newest state.
    pub fn state(&self) -> Option<&State> {
        self.state.as_deref()
    }

    /// How the connection is.
    pub const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Whether this client may play, as far as it knows.
    pub const fn may_play(&self) -> bool {
        self.may_play
    }

    /// Whether a move was sent that has no answer yet.
    pub const fn is_move_on_its_way(&self) -> bool {
        self.queue.in_flight()
    }

    /// How many watch.
    pub const fn watchers(&self) -> u32 {
        self.watchers
    }

    /// The last move's fallback, if it was one.
    pub fn fallback(&self) -> Option<&Fallback> {
        let decision = self.state()?.decision.as_ref()?;
        self.fallback.as_ref().filter(|_| driver::fallback_text(decision).is_some())
    }

    /// What the client says about itself.
    pub fn status(&self, now: Instant) -> Status {
        Status::of(&Facts {
            connection: &self.connection,
            state: self.state(),
            state_at: self.state_at,
            may_play: self.may_play,
            looking_at: self.looking_at,
            visited_moves: self.visited_moves,
            started: self.started,
            now,
        })
    }

    /// The live board as it is to be drawn; `None` before the first state.
    pub fn scene(&self, now: Instant) -> Option<Scene> {
        let state = self.state()?;
        let running = self.plan.as_ref().filter(|_| self.is_moving(now));
        Some(running.map_or_else(
            || Scene::still(&state.grid),
            |(plan, begun)| plan.at(now.saturating_duration_since(*begun)),
        ))
    }

    /// Whether the next moment's scene is another one.
    pub fn is_moving(&self, now: Instant) -> bool {
        let until = |(plan, begun): &(Plan, Instant)| *begun + plan.duration();
        self.plan.as_ref().is_some_and(|plan| now < until(plan))
    }

    /// Changes how much may move.
    pub fn set_motion(&mut self, motion: Motion) {
        self.motion = motion;
        self.plan = None;
    }

    /// Looks at move `n` of the game, or at the live game again.
    pub fn look_at(&mut self, move_number: Option<u32>) {
        if self.looking_at != move_number {
            self.queue.drop_waiting();
        }
        self.looking_at = move_number;
    }

    /// What is looked at is another game, of so many moves, or the running one again.
    pub fn visit(&mut self, moves: Option<u32>) {
        self.visited_moves = moves;
    }

    /// How many watch now.
    pub fn watched_by(&mut self, watchers: u32) {
        self.watchers = watchers;
    }

    /// How the connection is now.
    pub fn connected(&mut self, connection: Connection) {
        if matches!(connection, Connection::Lost { .. }) {
            let left = |state: &State| Left { game: state.game.clone(), moves: state.moves };
            self.left = self.left.take().or_else(|| self.state().map(left));
            self.queue.drop_waiting();
        }
        self.connection = connection;
    }

    /// A heartbeat with this `seq` came: a resumed stream that had nothing new says so only by it.
    pub fn heard(&mut self, seq: u64) -> Option<Said> {
        let unchanged = self.state().is_some_and(|state| state.seq == seq);
        let left = self.left.take_if(|_| unchanged);
        left.map(|_| said(About::Connection, "Back. Nothing was played meanwhile."))
    }

    /// Takes a state, from the stream or from a reply, and gives what is to be said about it. An old one is passed over.
    pub fn receive(&mut self, state: State, now: Instant) -> Vec<Said> {
        let before = self.state.take();
        if let Some(held) = &before
            && held.epoch == state.epoch
            && held.seq >= state.seq
        {
            self.state = before;
            return Vec::new();
        }
        let gap = self.state_at.map_or(Duration::MAX, |at| now.saturating_duration_since(at));
        let mut lines = Vec::new();
        let left = self.left.take();
        let restarted = before.as_deref().and_then(|before| restarted(before, &state));
        lines.extend(restarted.or_else(|| left.map(|left| back(&left, &state))));
        self.count_fallback(before.as_deref(), &state, &mut lines);
        if let Some(before) = before.as_deref() {
            self.compare(before, &state, &mut lines);
            self.plan = Plan::new(before, &state, gap, self.motion).map(|plan| (plan, now));
        }
        self.watchers = state.watchers;
        self.queue.shown(&state);
        self.state = Some(Box::new(state));
        self.state_at = Some(now);
        lines
    }

    /// A direction was chosen.
    pub fn press(&mut self, direction: Direction, now: Instant) -> Press {
        match (self.status(now).keys, self.state.as_deref()) {
            (Keys::Off(why), _) => Press::Say(said(About::Answer, &why)),
            (_, None) => Press::Nothing,
            (_, Some(state)) => match self.queue.choose(direction, state) {
                Queued::Send => Press::Send(request(direction, state)),
                Queued::Waits | Queued::Dropped => Press::Nothing,
            },
        }
    }

    /// The move in flight has its answer: what to say about it, and the move that waited for it.
    pub fn answered(
        &mut self,
        direction: Direction,
        answer: Result<Moved, CallError>,
        now: Instant,
    ) -> (Vec<Said>, Option<(Direction, MoveRequest)>) {
        let lines = match answer {
            Ok(Moved { moved, state }) => {
                let mut lines = self.receive(state, now);
                if !moved {
                    lines.push(said(About::Answer, &spoken::no_op_sentence(direction)));
                }
                lines
            }
            Err(error) => self.refused(error, now),
        };
        let next = self.queue.answered();
        let state = self.state.as_deref();
        (lines, next.and_then(|direction| Some((direction, request(direction, state?)))))
    }

    /// A call of any kind was refused: what to say. A state that came with it is taken.
    pub fn refused(&mut self, error: CallError, now: Instant) -> Vec<Said> {
        self.queue.drop_waiting();
        let text = match &error {
            CallError::Unreachable(_) | CallError::Silent => {
                String::from("No answer: server not reachable")
            }
            CallError::Refused { status: 401 | 403, detail, .. } => {
                self.may_play = false;
                detail.clone()
            }
            CallError::Refused { status: 409, detail, .. } => format!("Not done: {detail}"),
            CallError::Refused { .. } | CallError::Unreadable(_) => error.to_string(),
        };
        let mut lines = vec![said(About::Answer, &text)];
        if let Some(state) = error.into_state() {
            lines.extend(self.receive(state, now));
        }
        lines
    }

    fn count_fallback(&mut self, before: Option<&State>, state: &State, lines: &mut Vec<Said>) {
        if before.is_none_or(|before| before.game != state.game) {
            self.fallback = None;
        }
        let Some(text) = state.decision.as_ref().and_then(driver::fallback_text) else { return };
        match &mut self.fallback {
            // A state that no move made shows the decision of the one before again.
            Some(shown) if shown.text == text => {
                shown.times += u32::from(state.transition.is_some());
            }
            _ => {
                lines.push(said(About::Fallback, &text));
                self.fallback = Some(Fallback { text, times: 1 });
            }
        }
    }

    fn compare(&self, before: &State, state: &State, lines: &mut Vec<Said>) {
        if before.game != state.game {
            lines.push(said(About::Game, "New game."));
        }
        // Who took over is known only by whose move is on its way.
        let by_me = state.driver.kind == DriverKind::Human && self.queue.in_flight();
        let about = if by_me { About::Takeover } else { About::Driver };
        let hand_over = driver::hand_over(before, state, by_me);
        lines.extend(hand_over.map(|text| said(about, &text)));
        if before.seq.checked_add(1) == Some(state.seq) {
            lines.extend(spoken::move_sentences(state).map(|text| said(About::Move, &text)));
        }
        if state.won && !before.won && before.game == state.game && !state.game_over {
            lines.push(said(About::Game, "2048! The game goes on."));
        }
        if state.game_over && !(before.game_over && before.game == state.game) {
            lines.push(said(About::Game, &spoken::game_over_sentences(state)));
        }
    }
}

/// A sentence.
pub fn said(about: About, text: &str) -> Said {
    Said { text: text.into(), about }
}

/// The precondition keeps two people from playing each other's board. While a player drives, the game moves on faster
/// than a person can answer: taking over is then meant for whatever it has become.
fn request(direction: Direction, state: &State) -> MoveRequest {
    MoveRequest {
        direction: direction_name(direction).into(),
        if_moves: (!state.agent.running).then_some(state.moves),
        game: Some(state.game.clone()),
        command_id: None,
        takeover: Some(true),
    }
}

/// What to say about a return, `left` being what was shown when the stream was lost. A restart is said elsewhere.
fn back(left: &Left, state: &State) -> Said {
    let played = state.moves.saturating_sub(left.moves);
    let text = match (left.game == state.game, played) {
        (true, 0) => "Back. Nothing was played meanwhile.",
        (true, 1) => "Back. 1 move was played meanwhile.",
        (true, _) => &format!("Back. {played} moves were played meanwhile."),
        (false, _) => "Back. A new game was begun meanwhile.",
    };
    said(About::Connection, text)
}

/// What to say about a server that is another run than before. A stream that was resumed without news shows it only
/// with the next state.
fn restarted(before: &State, state: &State) -> Option<Said> {
    if before.boot == state.boot {
        return None;
    }
    let text = if before.game == state.game {
        &format!("The server restarted; the game continues at move {}.", state.moves)
    } else if before.epoch == state.epoch {
        "The server restarted, and a new game was begun meanwhile."
    } else {
        "The server restarted; the game before is gone."
    };
    Some(said(About::Connection, text))
}

#[cfg(test)]
mod tests;
