//! What may be asked of a session, and what it answers.

use std::{sync::Arc, time::Duration};

use actix::Message;
use bytes::Bytes;
use engine::{Board, Direction};
use protocol::ByeReason;
use store::{Pace, Series};
use tokio::sync::watch;

use crate::{
    actors::{frame::Frame, refusal::Refusal, stop::Stop},
    jev::entry::Entry,
};

/// The newest published state. Everything in it is durable.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<Arc<Frame>, Refusal>")]
pub struct Snapshot;

/// Watches the session from now on. Registering and the first frame are one step: nothing falls between.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<Subscription, Refusal>")]
pub struct Subscribe;

/// A place among the watchers; dropping it gives it up.
#[derive(Debug)]
pub struct Subscription {
    /// The newest state. A watch, not a queue: whoever is slow skips to the newest.
    ///
    /// When its sender is gone and no farewell was said, the session crashed: find it again and subscribe again.
    pub frames: watch::Receiver<Arc<Frame>>,
    /// What is said beside the states.
    pub notices: watch::Receiver<Notices>,
}

/// The newest of what is said beside the states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Notices {
    /// How many watch; changes at most once a second.
    pub watchers: u32,
    /// Set when the session is about to close every stream.
    pub farewell: Option<ByeReason>,
    /// What is about to happen.
    pub warning: Option<Warning>,
    /// How often the links to watch by were revoked: whoever came by one that was there before is to go.
    pub revoked: u32,
}

/// Something that people are told before it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// Nobody has played for long: the session is about to be closed.
    Expires {
        /// In so many minutes, at the earliest.
        minutes: u64,
    },
    /// There is hardly room for more sessions.
    Crowded {
        /// So many are open.
        open: u64,
        /// And no more can be.
        most: u64,
    },
}

impl Warning {
    /// What kind of thing it is, for programs.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Expires { .. } => "expiry",
            Self::Crowded { .. } => "quota",
        }
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Expires { minutes } => write!(
                f,
                "nobody has played here for long: this session is closed in {minutes} minutes, unless somebody plays"
            ),
            Self::Crowded { open, most } => {
                write!(
                    f,
                    "{open} of at most {most} sessions are open: close some before there are no more"
                )
            }
        }
    }
}

/// Tells every watcher what is about to happen; `None` when it is not any more. Asked by the lobby.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Warn(pub Option<Warning>);

/// A command's own id, given by its sender so that a repeat is harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandKey {
    /// `commandId`, 1 to 64 characters.
    pub id: String,
    /// SHA-256 of the call and its body: the same id with another body is refused.
    pub digest: [u8; 32],
}

/// Plays one direction. Asked by people over HTTP, and by the runner for the agent.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Played, Refusal>")]
pub struct PlayMove {
    /// The direction.
    pub direction: Direction,
    /// Who plays, and what that asks of the session.
    pub by: Mover,
}

/// Who plays a move.
#[derive(Debug, Clone)]
pub enum Mover {
    /// A person.
    Human {
        /// Refuse unless the game is at this move number.
        if_moves: Option<u32>,
        /// Refuse unless this is the running game.
        game: Option<String>,
        /// Stop the agent in the same change.
        takeover: bool,
        /// Makes a repeat harmless.
        command: Option<CommandKey>,
    },
    /// The agent. Refused unless the ticket is the newest: a stale decision is never played.
    Agent {
        /// The turn that the decision was made for.
        ticket: Ticket,
        /// The decision, as it is shown and stored.
        decision: store::StoredDecision,
        /// What the transcript is told when it is played.
        entry: Option<Arc<Entry>>,
    },
}

/// How many changes an agent may be ahead of what is durable and shown.
pub const RUN_AHEAD: u64 = 400;

/// A turn of the agent: which run of it, in which game, at which move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Goes up whenever the agent is started, stopped or given another player.
    pub run: u64,
    /// The game.
    pub game: store::GameId,
    /// Moves played in it.
    pub moves: u32,
}

/// What the agent is shown of the game when it is its turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Names the turn.
    pub ticket: Ticket,
    /// What its player sees.
    pub position: players::Position,
    /// Whether the game is over, so that there is nothing to choose.
    pub over: bool,
}

/// A move was dealt with.
#[derive(Debug, Clone)]
pub enum Played {
    /// A person's move; it is durable.
    Done(Done),
    /// The agent's move, played or dropped as too late: the turn as it is now, if the agent still plays.
    ///
    /// What was played is durable at the latest [`RUN_AHEAD`] moves later.
    Turn(Option<Turn>),
}

/// A command was carried out and is durable.
#[derive(Debug, Clone)]
pub struct Done {
    /// The whole reply, as JSON. For a repeated command: the first reply.
    pub reply: Bytes,
}

/// Files the running game and starts another.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub struct StartGame {
    /// Its seed; random when left out.
    pub seed: Option<u64>,
    /// The position it begins on.
    pub start: Option<Board>,
    /// Makes a repeat harmless.
    pub command: Option<CommandKey>,
}

/// Lets the agent play, or changes how it does. What is left out stays as it is.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub struct StartAgent {
    /// The player to ask.
    pub player: Option<String>,
    /// Time between two moves; already clamped.
    pub interval: Option<Duration>,
    /// How fast it plays.
    pub pace: Option<Pace>,
    /// Time for one decision; already clamped.
    pub budget: Option<Duration>,
    /// Whether to go on with another game when one is over; already checked.
    pub series: Option<Series>,
    /// Makes a repeat harmless.
    pub command: Option<CommandKey>,
}

/// Takes the game back from the agent.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub struct StopAgent {
    /// Makes a repeat harmless.
    pub command: Option<CommandKey>,
}

/// Has a player choose and plays that one move. Refused while the agent plays.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub struct Step {
    /// The player to ask; the agent's when left out.
    pub player: Option<String>,
    /// Time for the decision; already clamped.
    pub budget: Option<Duration>,
    /// Turned by the asker when it does not want the move any more.
    pub stop: Stop,
    /// Makes a repeat harmless.
    pub command: Option<CommandKey>,
}

/// Has a player choose, and measures every direction on a copy. Plays nothing.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Hinted, Refusal>")]
pub struct Hint {
    /// The player to ask; the agent's when left out.
    pub player: Option<String>,
    /// Time for the decision; already clamped.
    pub budget: Option<Duration>,
    /// Turned by the asker when it does not want the answer any more.
    pub stop: Stop,
}

/// What a hint says, ready to be sent.
#[derive(Debug, Clone)]
pub struct Hinted {
    /// The reply.
    pub reply: protocol::HintReply,
}

/// The agent cannot go on: its player failed.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub struct AgentFailed {
    /// The run that failed; an older one's failure is nobody's business any more.
    pub run: u64,
    /// `<Error>: <text>`, shown after "agent stopped: ".
    pub error: String,
}

/// Makes a link to watch by, and gives what is to stand in it.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<String, Refusal>")]
pub struct GiveLink;

/// Ends all links to watch by, and the streams of whoever came by them; gives how many links they were.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<usize, Refusal>")]
pub struct RevokeLinks;

/// Says farewell to every watcher, makes durable what is not yet, and stops.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Leave {
    /// What the watchers are told.
    pub reason: ByeReason,
}
