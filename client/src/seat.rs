//! One person's place at a session: what they see, what they may ask for next, what they were told.
//!
//! The screens of the native clients are drawn from it, and their keys and buttons end here. It makes no calls: it says
//! which [`Command`] to carry out.

mod act;

mod ask;

mod budget;

pub mod games;

mod look;

mod pace;

pub mod replay;

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use protocol::{Direction, HintReply, MoveRequest, PastState, State};

pub use self::{
    act::{Acted, Action},
    ask::NewGame,
    budget::Budget,
    look::{Earlier, Look},
    pace::PaceChoice,
    replay::Speed,
};
use self::{
    games::{Games, Leaf},
    look::Memory,
    replay::Replay,
};
use crate::{
    command::{Answer, Command, ServerFacts, revoked_words},
    stream::{Connection, Update},
    view::{
        About, Press, Said, View,
        animation::Motion,
        driver::agent_button,
        said,
        spoken::{direction_word, spawn_words, why_words},
    },
};

/// How long a sentence stands on the status line.
pub const STANDS: Duration = Duration::from_secs(6);
/// Moves in the log.
const MOST_LOGGED: usize = 200;

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
    /// "2 at 3,1": the tile that came.
    pub spawned: String,
    /// "99 %, 7660 rollouts over 1001 nodes, 16 deep": how it was decided; empty for a person.
    pub why: String,
}

/// What the player would do, and on which board.
type ShownHint = (HintReply, (String, u32));

/// One person's place at a session.
#[derive(Debug)]
pub struct Seat {
    /// What is known of the session.
    pub view: View,
    /// The status line's sentence, and until when.
    said: Option<(Said, Instant)>,
    /// What was said of the takeover by the move in flight.
    taken: Option<String>,
    /// The newest moves, newest last.
    pub log: VecDeque<Logged>,
    hint: Option<ShownHint>,
    /// The game and the move that a hint was asked for.
    hint_asked: Option<(String, u32)>,
    memory: Memory,
    /// The board that is looked at, when it isn't the live one.
    pub look: Option<Look>,
    /// The game that is looked at, when it isn't the running one.
    pub visited: Option<Earlier>,
    /// The game before the running one, as far as it was seen.
    pub previous: Option<Earlier>,
    /// The session's games, as far as they were asked for.
    pub games: Games,
    /// What the server said of itself.
    pub server: Option<Result<ServerFacts, String>>,
    replay: Option<Replay>,
    speed: Speed,
    /// The player to start; the server's when none was chosen.
    player: Option<String>,
    /// Likewise.
    pace: Option<PaceChoice>,
    /// Likewise.
    budget: Option<Budget>,
    /// The card of the game that is over was closed.
    pub card_closed: bool,
}

impl Seat {
    /// Of a client that knows nothing yet.
    pub fn new(may_play: bool, motion: Motion, now: Instant) -> Self {
        Self {
            view: View::new(may_play, motion, now),
            said: None,
            taken: None,
            log: VecDeque::new(),
            hint: None,
            hint_asked: None,
            memory: Memory::default(),
            look: None,
            visited: None,
            previous: None,
            games: Games::default(),
            server: None,
            replay: None,
            speed: Speed::default(),
            player: None,
            pace: None,
            budget: None,
            card_closed: false,
        }
    }

    /// Puts a sentence on the status line.
    pub fn say(&mut self, said: Said, now: Instant) {
        self.said = Some((said, now + STANDS));
    }

    /// The sentence of the status line.
    pub fn said(&self, now: Instant) -> Option<&Said> {
        let (said, until) = self.said.as_ref()?;
        (now < *until).then_some(said)
    }

    /// The hint, while its board is shown.
    pub fn hint(&self) -> Option<&HintReply> {
        let (reply, board) = self.hint.as_ref()?;
        (self.board()? == *board && self.look.is_none()).then_some(reply)
    }

    /// The player that will be asked.
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

    /// What [`Self::toggle_agent`] would do: "Let Monte Carlo Tree Search play".
    pub fn agent_button(&self) -> Option<String> {
        let mut agent = self.view.state()?.agent.clone();
        self.player()?.clone_into(&mut agent.player);
        Some(agent_button(&agent))
    }

    /// The board to show at rest: the one that is looked at, or the live one. `None` until it has come.
    pub fn grid(&self) -> Option<[[Option<u32>; 4]; 4]> {
        match &self.look {
            Some(look) => look.past.as_ref().map(|past| past.grid),
            None => self.view.state().map(|state| state.grid),
        }
    }

    /// When the picture changes by itself, one of an animation following the other after `frame`; `None` while it
    /// doesn't.
    pub fn next_change(&self, now: Instant, frame: Duration) -> Option<Duration> {
        let status = self.view.status(now);
        let whole_second = Duration::from_secs(1);
        let mut waits = Vec::new();
        if self.view.is_moving(now) && self.look.is_none() {
            waits.push(frame);
        }
        waits.extend(self.replay_due(now));
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

    /// A direction was chosen.
    pub fn press(&mut self, direction: Direction, now: Instant) -> Option<Command> {
        match self.view.press(direction, now) {
            Press::Send(request) => return Some(Command::Move(direction, request)),
            Press::Say(why) => self.say(why, now),
            Press::Nothing => {}
        }
        None
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

    /// A call has its answer. Gives the call that follows from it.
    pub fn answered(&mut self, answer: Answer, now: Instant) -> Option<Command> {
        match answer {
            Answer::Moved(direction, answer) => {
                let mut next: Option<(Direction, MoveRequest)> = None;
                let take = |view: &mut View| {
                    let (lines, waiting) = view.answered(direction, answer, now);
                    next = waiting;
                    lines
                };
                self.receive(take, now);
                self.taken = None;
                self.look_after_a_move();
                return next.map(|(direction, request)| Command::Move(direction, request));
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
            Answer::Games(query, page) => {
                self.listed(&query, page.map_err(|error| error.to_string()));
            }
            Answer::Merge(game, Ok(found)) => return self.merge_found(&game, found, now),
            Answer::Merge(_, Err(error)) => self.say(said(About::Answer, &error.to_string()), now),
            Answer::Server(facts) => self.server = Some(facts.map_err(|error| error.to_string())),
            Answer::Exported(Ok(file)) => {
                self.say(said(About::Answer, &format!("The game is in {file}.")), now);
            }
            Answer::Imported(Ok(_)) => {
                let text = "The game was checked move by move and added.";
                self.say(said(About::Answer, text), now);
                return self.leaf(Leaf::Anew);
            }
            Answer::Exported(Err(error)) | Answer::Imported(Err(error)) => {
                self.say(said(About::Answer, &error.to_string()), now);
            }
            Answer::Shared(Ok(link)) => {
                self.say(said(About::Answer, &format!("To watch: {link}")), now);
            }
            Answer::Revoked(Ok(count)) => self.say(said(About::Answer, &revoked_words(count)), now),
            Answer::Shared(Err(error)) | Answer::Revoked(Err(error)) => {
                self.receive(|view| view.refused(error, now), now);
            }
        }
        None
    }

    /// Lets the view take a state, if there is one, and keeps what is new about it.
    fn receive(&mut self, take: impl FnOnce(&mut View) -> Vec<Said>, now: Instant) {
        let position = |state: &State| (state.game.clone(), state.seq, state.moves);
        let before = self.view.state().map(position);
        for mut said in take(&mut self.view) {
            match (said.about, &self.taken) {
                (About::Move, _) => continue,
                (About::Takeover, _) => self.taken = Some(said.text.clone()),
                // The key did more than nothing.
                (About::Answer, Some(taken)) => {
                    said = Said { text: format!("{taken} {}", said.text), about: About::Takeover };
                }
                _ => {}
            }
            self.say(said, now);
        }
        let Some(state) = self.view.state() else { return };
        if before.as_ref() == Some(&position(state)) {
            return;
        }
        let other_game = before.as_ref().is_none_or(|(game, ..)| *game != state.game);
        if other_game {
            self.log.clear();
            self.card_closed = false;
            self.look.take_if(|_| self.visited.is_none());
            let earlier = before.map(|(game, _, moves)| Earlier { game, moves });
            self.previous = earlier.filter(|earlier| earlier.moves > 0);
        }
        self.memory.keep(PastState::from(state));
        if let Some(transition) = &state.transition {
            self.log.push_back(Logged {
                number: state.moves,
                direction: direction_word(transition.direction),
                gained: transition.gained,
                by: transition.by.clone(),
                spawned: spawn_words(&transition.spawn),
                why: state.decision.as_ref().map_or_else(String::new, why_words),
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
}

#[cfg(test)]
mod tests {
    use protocol::{Driver, DriverKind, Moved};

    use super::{
        look::tests::{live, show},
        *,
    };

    #[test]
    fn a_key_that_only_takes_over_is_said_to_have_done_that() {
        for streamed in [false, true] {
            let (mut seat, now) = live();
            assert!(seat.press(Direction::Left, now).is_some());
            let mut taken = seat.view.state().unwrap().clone();
            taken.seq += 1;
            taken.transition = None;
            taken.agent.running = false;
            taken.driver =
                Driver { kind: DriverKind::Human, name: "human".into(), since_move: 214 };
            if streamed {
                show(&mut seat, taken.clone(), now);
                let said = seat.said(now).unwrap();
                assert_eq!(said.text, "You took over from mcts at move 214.");
            }
            let nothing =
                |state: State| Answer::Moved(Direction::Left, Ok(Moved { moved: false, state }));
            seat.answered(nothing(taken.clone()), now);
            let said = seat.said(now).unwrap();
            let both = "You took over from mcts at move 214. Left changes nothing.";
            assert_eq!((said.text.as_str(), said.about), (both, About::Takeover));

            assert!(seat.press(Direction::Left, now).is_some());
            seat.answered(nothing(taken), now);
            assert_eq!(seat.said(now).unwrap().text, "Left changes nothing.");
        }
    }
}
