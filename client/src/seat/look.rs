//! Looking back: the boards of the running game and of earlier ones, those seen live kept here and the others asked for.

use std::{collections::BTreeMap, time::Instant};

use protocol::PastState;

use super::Seat;
use crate::{
    command::Command,
    view::{About, said},
};

/// Boards that are kept; of more, the oldest are dropped and asked for again when needed.
const MOST_KEPT: usize = 2_000;

/// The board that is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The move it is after.
    pub number: u32,
    /// The board; until the server sent it, the one that was looked at before, if any was.
    pub past: Option<PastState>,
}

impl Look {
    /// Whether its board is there.
    pub fn is_loaded(&self) -> bool {
        self.past.as_ref().is_some_and(|past| past.moves == self.number)
    }
}

/// A game that is not the running one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// Its id.
    pub game: String,
    /// Its number of moves.
    pub moves: u32,
}

/// The boards that have been seen, by game and move.
#[derive(Debug, Default)]
pub(super) struct Memory {
    boards: BTreeMap<(String, u32), PastState>,
}

impl Memory {
    pub(super) fn keep(&mut self, past: PastState) {
        self.boards.insert((past.game.clone(), past.moves), past);
        if self.boards.len() > MOST_KEPT {
            self.boards.pop_first();
        }
    }
}

impl Seat {
    /// The game that one looks at or would look at: its id and its moves.
    pub(super) fn looked_game(&self) -> Option<(String, u32)> {
        if let Some(Earlier { game, moves }) = &self.visited {
            return Some((game.clone(), *moves));
        }
        self.view.state().map(|state| (state.game.clone(), state.moves))
    }

    /// The move that is shown and the last one there is.
    pub fn position(&self) -> Option<(u32, u32)> {
        let (_, moves) = self.looked_game()?;
        Some((self.look.as_ref().map_or(moves, |look| look.number), moves))
    }

    /// Looks so many moves forward from where one looks now, or back.
    pub fn look_from_here(&mut self, by: i64, now: Instant) -> Option<Command> {
        let (here, moves) = self.position()?;
        let there = i64::from(here).saturating_add(by).clamp(0, i64::from(moves));
        self.look_at(u32::try_from(there).unwrap_or(0), now)
    }

    /// Looks at the start. While the first move is on its way the start is still the newest board that is known, and yet
    /// no longer the live one.
    pub fn look_at_start(&mut self, now: Instant) -> Option<Command> {
        let (game, moves) = self.looked_game()?;
        if moves > 0 || self.visited.is_some() || !self.view.is_move_on_its_way() {
            return self.look_at(0, now);
        }
        self.show_past(game, 0)
    }

    /// A move has its answer: the start that was looked at because of it is the live board all the same if the move
    /// changed nothing.
    pub(super) fn look_after_a_move(&mut self) {
        let Some((_, moves)) = self.looked_game() else { return };
        let is_live = self.look.as_ref().is_some_and(|look| look.number >= moves);
        if is_live && self.visited.is_none() && !self.view.is_move_on_its_way() {
            self.live();
        }
    }

    /// Looks at the board after move `number`. The newest of the running game is the live one. A replay ends.
    pub fn look_at(&mut self, number: u32, now: Instant) -> Option<Command> {
        self.replay = None;
        self.walk_to(number, now)
    }

    /// The same, for a replay too.
    pub(super) fn walk_to(&mut self, number: u32, now: Instant) -> Option<Command> {
        let (game, moves) = self.looked_game()?;
        if number >= moves && self.visited.is_none() {
            if self.look.is_none() {
                self.say(said(About::Answer, "This is the live game."), now);
            }
            self.live();
            return None;
        }
        self.show_past(game, number.min(moves))
    }

    fn show_past(&mut self, game: String, number: u32) -> Option<Command> {
        let known = self.memory.boards.get(&(game.clone(), number)).cloned();
        let missing = known.is_none();
        let before = self.look.take().and_then(|look| look.past);
        let past = known.or_else(|| before.filter(|before| before.game == game));
        self.look = Some(Look { number, past });
        self.view.look_at(Some(number));
        missing.then_some(Command::Past { game, number })
    }

    /// Looks at an earlier game, after its move `number`.
    pub fn visit(&mut self, earlier: Earlier, number: u32, now: Instant) -> Option<Command> {
        self.view.visit(Some(earlier.moves));
        self.visited = Some(earlier);
        self.look_at(number, now)
    }

    /// Back to the live game.
    pub fn live(&mut self) {
        (self.look, self.visited, self.replay) = (None, None, None);
        self.view.visit(None);
        self.view.look_at(None);
    }

    /// A board came that was asked for.
    pub(super) fn remember(&mut self, number: u32, past: PastState) {
        let asked = self.looked_game().is_some_and(|(game, _)| game == past.game);
        if let Some(look) = self.look.as_mut().filter(|look| asked && look.number == number) {
            look.past = Some(past.clone());
        }
        self.memory.keep(past);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        command::Answer,
        golden::golden,
        stream::{Connection, Snapshot, Update},
        view::animation::Motion,
    };

    pub(crate) fn live() -> (Seat, Instant) {
        let now = Instant::now();
        let mut seat = Seat::new(true, Motion::Off, now);
        seat.update(Update::Connection(Connection::Live), now);
        show(&mut seat, golden("state-after-a-move"), now);
        (seat, now)
    }

    pub(crate) fn show(seat: &mut Seat, state: protocol::State, now: Instant) {
        seat.update(Update::State(Box::new(Snapshot { state, json: String::new() })), now);
    }

    #[test]
    fn an_earlier_game_is_looked_at_while_the_live_one_goes_on() {
        let (mut seat, now) = live();
        let mut next = golden("state-new-game");
        next.seq = golden("state-after-a-move").seq + 1;
        next.epoch = golden("state-after-a-move").epoch;
        next.game = "next".into();
        show(&mut seat, next.clone(), now);
        let earlier = seat.previous.clone().unwrap();
        assert_eq!(earlier.moves, 214);
        let seen = seat.visit(earlier.clone(), 214, now);
        assert_eq!(seen, None, "the last board of it was seen");
        assert_eq!((seat.position(), seat.grid().is_some()), (Some((214, 214)), true));
        assert_eq!(seat.view.status(now).game, "Move 214 of 214 of an earlier game.");
        let asked = seat.look_from_here(-4, now);
        assert_eq!(asked, Some(Command::Past { game: earlier.game.clone(), number: 210 }));
        next.seq += 1;
        show(&mut seat, next, now);
        assert!(seat.look.is_some(), "what happens live does not end it");
        seat.live();
        assert_eq!((seat.position(), seat.visited.clone()), (Some((0, 0)), None));
    }

    #[test]
    fn the_start_is_looked_at_while_the_first_move_is_on_its_way() {
        let begin = |moved| {
            let (mut seat, now) = live();
            let mut start = golden("state-new-game");
            (start.epoch, start.seq) = (golden("state-after-a-move").epoch, 1_000);
            show(&mut seat, start.clone(), now);
            assert!(seat.press(protocol::Direction::Left, now).is_some());
            assert_eq!(seat.look_at_start(now), None, "its board is known");
            assert_eq!(seat.view.status(now).game, "Move 0 of 0. The live game goes on.");
            let mut state = start;
            if moved {
                (state.seq, state.moves) = (state.seq + 1, 1);
            }
            let answer = protocol::Moved { moved, state };
            seat.answered(Answer::Moved(protocol::Direction::Left, Ok(answer)), now);
            (seat, now)
        };
        let (seat, now) = begin(true);
        assert_eq!(seat.position(), Some((0, 1)));
        assert_eq!(seat.view.status(now).game, "Move 0 of 1. The live game goes on.");
        let (seat, _) = begin(false);
        assert_eq!((seat.look.clone(), seat.position()), (None, Some((0, 0))));
    }

    #[test]
    fn a_move_that_waits_outlives_the_state_of_the_one_before_it() {
        let (mut seat, now) = live();
        let mut state = golden("state-after-a-move");
        (state.agent.running, state.driver.kind) = (false, protocol::DriverKind::Human);
        state.seq += 1;
        show(&mut seat, state.clone(), now);
        assert!(seat.press(protocol::Direction::Left, now).is_some());
        assert_eq!(seat.press(protocol::Direction::Up, now), None, "it waits");
        (state.seq, state.moves) = (state.seq + 1, state.moves + 1);
        show(&mut seat, state.clone(), now);
        let answer = protocol::Moved { moved: true, state };
        let next = seat.answered(Answer::Moved(protocol::Direction::Left, Ok(answer)), now);
        assert!(matches!(next, Some(Command::Move(protocol::Direction::Up, _))), "{next:?}");
    }

    #[test]
    fn a_board_of_another_game_is_not_taken_for_this_one() {
        let (mut seat, now) = live();
        assert!(seat.look_at(120, now).is_some());
        let state = golden("state-after-a-move");
        let other = PastState { game: "other".into(), moves: 120, ..PastState::from(&state) };
        seat.answered(Answer::Past(120, Ok(other.clone())), now);
        assert_eq!(seat.look.as_ref().unwrap().past, None);
        let this = PastState { game: state.game, ..other };
        seat.answered(Answer::Past(120, Ok(this.clone())), now);
        assert_eq!(seat.look.as_ref().unwrap().past, Some(this));
    }
}
