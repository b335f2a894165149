//! A game that plays itself again, as fast as one likes. It walks through the boards of the past and asks for nothing
//! but them.

use std::{
    fmt,
    time::{Duration, Instant},
};

use super::Seat;
use crate::{
    command::Command,
    view::{About, said},
};

/// Moves a second at speed 1: the page's.
const PACE: f64 = 2.0;
/// A board is asked for at most so often.
const LEAST: Duration = Duration::from_millis(90);
/// The tile from which a merge is a big one.
pub const BIG: u32 = 512;

/// How fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speed(usize);

impl Speed {
    /// All of them, as multiples.
    const ALL: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

    /// The next faster one.
    #[must_use]
    pub const fn faster(self) -> Self {
        Self(if self.0 + 1 < Self::ALL.len() { self.0 + 1 } else { self.0 })
    }

    /// The next slower one.
    #[must_use]
    pub const fn slower(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Moves a second.
    fn moves(self) -> f64 {
        PACE * Self::ALL[self.0]
    }

    /// From one board to the next.
    fn every(self) -> Duration {
        LEAST.max(Duration::from_secs_f64(1.0 / self.moves()))
    }
}

impl Default for Speed {
    fn default() -> Self {
        Self(2)
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x", Self::ALL[self.0])
    }
}

/// A replay under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Replay {
    from: u32,
    since: Instant,
    /// The next board.
    due: Instant,
}

impl Seat {
    /// Whether a game plays itself again.
    pub const fn is_replaying(&self) -> bool {
        self.replay.is_some()
    }

    /// How fast it does, or would.
    pub const fn replay_speed(&self) -> Speed {
        self.speed
    }

    /// Plays the game that is looked at again from where one looks, from its start at its end; or stops that.
    pub fn toggle_replay(&mut self, now: Instant) -> Option<Command> {
        if self.replay.take().is_some() {
            self.say(said(About::Answer, "The replay waits."), now);
            return None;
        }
        let (here, last) = self.position()?;
        if last == 0 {
            self.say(said(About::Answer, "There is no move to play again."), now);
            return None;
        }
        let from = if here >= last { 0 } else { here };
        let command = self.look_at(from, now);
        self.begin_replay(from, now);
        command
    }

    fn begin_replay(&mut self, from: u32, now: Instant) {
        self.replay = Some(Replay { from, since: now, due: now + self.speed.every() });
        let speed = format!("Replay at {}", self.speed);
        self.say(said(About::Answer, &speed), now);
    }

    /// Takes another speed, at once if a game plays itself again.
    pub fn set_replay_speed(&mut self, speed: Speed, now: Instant) {
        self.speed = speed;
        match (self.replay, self.position()) {
            (Some(_), Some((here, _))) => self.begin_replay(here, now),
            _ => self.say(said(About::Answer, &format!("Replay at {speed}")), now),
        }
    }

    /// Time has passed: the next board of a replay, if it is due. One that has not come yet is waited for.
    pub fn tick(&mut self, now: Instant) -> Option<Command> {
        let replay = self.replay.as_mut().filter(|replay| now >= replay.due)?;
        let passed = (now - replay.since).as_secs_f64() * self.speed.moves();
        #[expect(clippy::cast_sign_loss, reason = "time passes forward")]
        let at = replay.from.saturating_add(passed as u32);
        replay.due = now + self.speed.every();
        let Some((here, last)) = self.position().filter(|_| self.look.is_some()) else {
            self.replay = None;
            return None;
        };
        if self.look.as_ref().is_some_and(|look| !look.is_loaded()) {
            return None;
        }
        if at >= last {
            self.replay = None;
        }
        let at = at.min(last);
        (at != here).then(|| self.walk_to(at, now)).flatten()
    }

    /// When the next board of a replay is due.
    pub(super) fn replay_due(&self, now: Instant) -> Option<Duration> {
        self.replay.map(|replay| replay.due.saturating_duration_since(now))
    }

    /// Looks for the next merge to 512 or more after the board on the screen.
    pub fn next_merge(&mut self, now: Instant) -> Option<Command> {
        let (here, last) = self.position()?;
        let (game, _) = self.looked_game()?;
        self.replay = None;
        if here >= last {
            return self.merge_found(&game, None, now);
        }
        Some(Command::NextMerge { game, from: here + 1, to: last })
    }

    /// The search has ended.
    pub(super) fn merge_found(
        &mut self,
        game: &str,
        found: Option<u32>,
        now: Instant,
    ) -> Option<Command> {
        let still = self.looked_game().is_some_and(|(here, _)| here == game);
        if let Some(number) = found.filter(|_| still) {
            return self.look_at(number, now);
        }
        self.say(said(About::Answer, &format!("No later merge to {BIG} or more.")), now);
        None
    }
}

#[cfg(test)]
mod tests {
    use protocol::PastState;

    use super::*;
    use crate::{
        command::Answer,
        seat::{Earlier, look::tests::live},
    };

    /// A seat that looks at the start of a game of ten moves.
    fn visiting() -> (Seat, Instant) {
        let (mut seat, now) = live();
        let earlier = Earlier { game: "earlier".into(), moves: 10 };
        let asked = seat.visit(earlier, 0, now);
        assert!(asked.is_some());
        come(&mut seat, 0, now);
        (seat, now)
    }

    fn come(seat: &mut Seat, number: u32, now: Instant) {
        let state = seat.view.state().unwrap();
        let past = PastState { game: "earlier".into(), moves: number, ..PastState::from(state) };
        seat.answered(Answer::Past(number, Ok(past)), now);
    }

    #[test]
    fn the_speeds_go_from_a_quarter_to_thirty_two() {
        let mut shown = vec![Speed(0).to_string()];
        let mut speed = Speed(0);
        while speed.faster() != speed {
            assert_eq!(speed.faster().slower(), speed);
            speed = speed.faster();
            shown.push(speed.to_string());
        }
        assert_eq!(shown, ["0.25x", "0.5x", "1x", "2x", "4x", "8x", "16x", "32x"]);
        assert_eq!((Speed(0).slower(), Speed::default().to_string()), (Speed(0), "1x".into()));
    }

    #[test]
    fn a_replay_walks_to_the_end_and_waits_for_boards() {
        let (mut seat, now) = visiting();
        assert_eq!(seat.toggle_replay(now), None, "the start is there");
        assert_eq!(seat.tick(now), None, "too early");
        let at = |ms| now + Duration::from_millis(ms);
        let number = |command| match command {
            Some(Command::Past { number, .. }) => number,
            other => panic!("{other:?}"),
        };
        assert_eq!(number(seat.tick(at(500))), 1);
        assert_eq!(seat.tick(at(1_000)), None, "board 1 has not come");
        come(&mut seat, 1, at(1_400));
        assert_eq!(number(seat.tick(at(1_500))), 3, "what was waited for is made up");
        come(&mut seat, 3, at(1_500));
        let faster = seat.replay_speed().faster().faster();
        seat.set_replay_speed(faster, at(1_500));
        assert_eq!(number(seat.tick(at(2_000))), 7);
        come(&mut seat, 7, at(2_000));
        assert_eq!(number(seat.tick(at(9_000))), 10);
        assert!(!seat.is_replaying());
        assert_eq!(seat.position(), Some((10, 10)));
        come(&mut seat, 10, at(9_000));
        assert_eq!(
            number(
                seat.toggle_replay(at(9_000))
                    .or(Some(Command::Past { game: String::new(), number: 0 }))
            ),
            0
        );
        assert_eq!(seat.position(), Some((0, 10)), "at the end it begins anew");
        seat.look_from_here(2, at(9_000));
        assert!(!seat.is_replaying(), "a hand on the slider stops it");
    }

    #[test]
    fn the_next_big_merge_is_looked_for_behind_the_board_on_the_screen() {
        let (mut seat, now) = visiting();
        let asked = Command::NextMerge { game: "earlier".into(), from: 1, to: 10 };
        assert_eq!(seat.next_merge(now), Some(asked));
        let next = seat.answered(Answer::Merge("earlier".into(), Ok(Some(4))), now);
        assert_eq!(next, Some(Command::Past { game: "earlier".into(), number: 4 }));
        assert_eq!(seat.answered(Answer::Merge("earlier".into(), Ok(None)), now), None);
        assert_eq!(seat.said(now).unwrap().text, "No later merge to 512 or more.");
        assert_eq!(seat.position(), Some((4, 10)));
    }
}
