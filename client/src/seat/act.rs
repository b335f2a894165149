//! What keys and buttons mean, whichever client they belong to.

use std::time::Instant;

use protocol::Direction;

use super::{NewGame, Seat};
use crate::{
    command::Command,
    position::code_of,
    view::{About, said, spoken::board_lines},
};

/// What a key or a button asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Play a move.
    Move(Direction),
    /// Start or stop the player.
    Agent,
    /// Let the player play one move.
    Step,
    /// Ask the player what it would do.
    Hint,
    /// Begin a new game, after a question.
    NewGame,
    /// Look that many moves back.
    Back(u32),
    /// Look that many moves forward.
    Forward(u32),
    /// Look at the start.
    First,
    /// Back to the live game.
    Live,
    /// Play the game again from where one looks, or stop that.
    Replay,
    /// On to the next big merge.
    NextMerge,
    /// Faster: a replay under way, or else the player.
    Faster,
    /// Slower, likewise.
    Slower,
    /// Another thinking time.
    Budget,
    /// Choose the player of this number in the list, from 0.
    Player(usize),
    /// Say the board.
    Read,
}

/// What is to be done about an [`Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Acted {
    /// Make this call, if there is one.
    Call(Option<Command>),
    /// Ask whether to begin a new game.
    AskNewGame,
}

impl Seat {
    /// Does what a key or a button asks for.
    pub fn act(&mut self, action: Action, now: Instant) -> Acted {
        Acted::Call(match action {
            Action::Move(direction) => self.press(direction, now),
            Action::Agent => self.toggle_agent(now),
            Action::Step => self.step(now),
            Action::Hint => self.ask_hint(now),
            Action::NewGame => match self.wish_new_game(now) {
                NewGame::Begin(command) => Some(command),
                NewGame::Refused => None,
                NewGame::Ask => return Acted::AskNewGame,
            },
            Action::Back(moves) => self.look_from_here(-i64::from(moves), now),
            Action::Forward(moves) => self.look_from_here(i64::from(moves), now),
            Action::First => self.look_at_start(now),
            Action::Live => {
                self.live();
                None
            }
            Action::Replay => self.toggle_replay(now),
            Action::NextMerge => self.next_merge(now),
            Action::Faster | Action::Slower => self.change_speed(action == Action::Faster, now),
            Action::Budget => self.budget().and_then(|budget| self.set_budget(budget.next(), now)),
            Action::Player(number) => self.choose_player(number, now).1,
            Action::Read => {
                self.read_board(now);
                None
            }
        })
    }

    fn change_speed(&mut self, faster: bool, now: Instant) -> Option<Command> {
        if self.is_replaying() {
            let speed = self.replay_speed();
            self.set_replay_speed(if faster { speed.faster() } else { speed.slower() }, now);
            return None;
        }
        let pace = self.pace()?;
        self.set_pace(if faster { pace.faster() } else { pace.slower() }, now)
    }

    fn read_board(&mut self, now: Instant) {
        let Some(grid) = self.grid() else { return };
        let rows = board_lines(&grid).map(|row| row.trim_start().to_owned());
        self.say(said(About::Answer, &rows.join("; ")), now);
    }

    /// The position on the screen as a code.
    pub fn code(&self) -> Option<String> {
        self.grid().as_ref().map(code_of)
    }
}
