//! What the player asks the server for, and its answers.

use protocol::{
    AgentStart, AgentStep, Direction, Hint, HintReply, MoveRequest, Moved, NewGame, PastState,
    Seed, State,
};

use crate::calls::{CallError, Client};

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Play a move.
    Move(Direction, MoveRequest),
    /// Begin a new game, by this seed if one is named.
    NewGame(Option<u64>),
    /// Let a player play.
    Start(AgentStart),
    /// Stop it.
    Stop,
    /// Let a player play one move.
    Step(AgentStep),
    /// Ask a player what it would do.
    Hint(Hint),
    /// Fetch the board of a game after a move.
    Past {
        /// The game's id.
        game: String,
        /// The move.
        number: u32,
    },
}

/// What came of a [`Command`].
#[derive(Debug)]
pub enum Answer {
    /// Of [`Command::Move`].
    Moved(Direction, Result<Moved, CallError>),
    /// Of a call that gives the state.
    State(Result<State, CallError>),
    /// Of [`Command::Hint`].
    Hint(Result<HintReply, CallError>),
    /// Of [`Command::Past`].
    Past(u32, Result<PastState, CallError>),
}

impl Command {
    /// Makes the call. Every command that changes something has an id of its own, so that a network that delivers it
    /// twice does no harm.
    pub async fn carry_out(self, client: Client) -> Answer {
        match self {
            Self::Move(direction, request) => {
                let request = MoveRequest { command_id: id(), ..request };
                Answer::Moved(direction, client.move_(&request).await)
            }
            Self::NewGame(seed) => {
                let request = NewGame { seed: seed.map(Seed), command_id: id(), grid: None };
                Answer::State(client.new_game(&request).await)
            }
            Self::Start(request) => {
                let request = AgentStart { command_id: id(), ..request };
                Answer::State(client.agent_start(&request).await.map(|reply| reply.state))
            }
            Self::Stop => Answer::State(client.agent_stop().await.map(|reply| reply.state)),
            Self::Step(request) => {
                let request = AgentStep { command_id: id(), ..request };
                Answer::State(client.agent_step(&request).await.map(|reply| reply.state))
            }
            Self::Hint(request) => Answer::Hint(client.hint(&request).await),
            Self::Past { game, number } => Answer::Past(number, client.past(&game, number).await),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is the value of an optional field")]
fn id() -> Option<String> {
    Some(format!("{:032x}", rand::random::<u128>()))
}
