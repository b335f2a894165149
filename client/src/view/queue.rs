//! Moves on their way: one in flight, one waiting, the rest dropped.

use protocol::{Direction, DriverKind, State};

/// What became of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queued {
    /// Send it now.
    Send,
    /// It follows the one in flight.
    Waits,
    /// There is one waiting already.
    Dropped,
}

/// Holds a player's moves back, so that a key that is held down can't run ahead of the board.
#[derive(Debug, Default)]
pub struct Queue {
    in_flight: bool,
    waiting: Option<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    direction: Direction,
    meant_for: Situation,
}

/// What a waiting move was meant for. When it changes, the move is dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Situation {
    game: String,
    driver: (DriverKind, String),
}

impl Situation {
    fn of(state: &State) -> Self {
        Self { game: state.game.clone(), driver: (state.driver.kind, state.driver.name.clone()) }
    }
}

impl Queue {
    /// A direction was chosen while `state` was shown.
    pub fn choose(&mut self, direction: Direction, state: &State) -> Queued {
        if !self.in_flight {
            self.in_flight = true;
            return Queued::Send;
        }
        if self.waiting.is_some() {
            return Queued::Dropped;
        }
        self.waiting = Some(Waiting { direction, meant_for: Situation::of(state) });
        Queued::Waits
    }

    /// Whether a move is on its way.
    pub const fn in_flight(&self) -> bool {
        self.in_flight
    }

    /// `state` is shown now: drops what was meant for another game or another driver.
    pub fn shown(&mut self, state: &State) {
        if self.waiting.as_ref().is_some_and(|waiting| waiting.meant_for != Situation::of(state)) {
            self.waiting = None;
        }
    }

    /// The move in flight has its answer, and [`Self::shown`] has seen the state that came with it: what to send next.
    pub fn answered(&mut self) -> Option<Direction> {
        let next = self.waiting.take().map(|waiting| waiting.direction);
        self.in_flight = next.is_some();
        next
    }

    /// Drops what waits: it was meant for what is no longer shown.
    pub fn drop_waiting(&mut self) {
        self.waiting = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::tests::golden;

    #[test]
    fn one_is_sent_one_waits_and_the_rest_is_dropped() {
        let (mut queue, state) = (Queue::default(), golden("state-after-a-move"));
        assert_eq!(queue.choose(Direction::Left, &state), Queued::Send);
        assert_eq!(queue.choose(Direction::Up, &state), Queued::Waits);
        assert_eq!(queue.choose(Direction::Down, &state), Queued::Dropped);
        assert_eq!(queue.answered(), Some(Direction::Up));
        assert_eq!(queue.choose(Direction::Right, &state), Queued::Waits);
        assert_eq!(queue.answered(), Some(Direction::Right));
        assert_eq!(queue.answered(), None);
        assert_eq!(queue.choose(Direction::Down, &state), Queued::Send);
    }

    #[test]
    fn what_waits_is_dropped_with_the_game_or_the_driver_it_was_meant_for() {
        let state = golden("state-after-a-move");
        let mut moved = state.clone();
        moved.moves += 1;
        let mut restarted = state.clone();
        restarted.game = "another".into();
        let mut taken_over = state.clone();
        taken_over.driver.name = "rules".into();
        for (shown, expected) in
            [(moved, Some(Direction::Up)), (restarted, None), (taken_over, None)]
        {
            let mut queue = Queue::default();
            queue.choose(Direction::Left, &state);
            queue.choose(Direction::Up, &state);
            queue.shown(&shown);
            assert_eq!(queue.answered(), expected);
        }
    }

    #[test]
    fn what_waits_can_be_dropped() {
        let (mut queue, state) = (Queue::default(), golden("state-after-a-move"));
        queue.choose(Direction::Left, &state);
        queue.choose(Direction::Up, &state);
        queue.drop_waiting();
        assert_eq!(queue.answered(), None);
    }
}
