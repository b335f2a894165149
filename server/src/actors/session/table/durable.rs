//! A table and what is stored of it: made from it, and taken back to it.

use std::sync::Arc;

use engine::{Game, ReplayError};
use store::{Head, StoredGame, StoredSession};

use super::{HUMAN, Table};
use crate::roster::Roster;

/// A durable position to go back to when the store refuses what came after it.
#[derive(Debug, Clone)]
pub(in crate::actors::session) struct Checkpoint {
    head: Head,
    moves: u32,
    seed_shown: bool,
}

impl Table {
    /// The table of a session that was stored.
    ///
    /// # Errors
    /// - The first stored move that does not fit.
    pub(in crate::actors::session) fn restore(
        stored: StoredSession,
        roster: Arc<Roster>,
    ) -> Result<Self, ReplayError> {
        Self::replay(stored.id, stored.head, &stored.game, roster)
    }

    /// The table of a session that stood at `head` after the moves of `stored`.
    ///
    /// # Errors
    /// - The first stored move that does not fit.
    pub(in crate::actors::session) fn replay(
        session: store::SessionId,
        head: Head,
        stored: &StoredGame,
        roster: Arc<Roster>,
    ) -> Result<Self, ReplayError> {
        let (game, transition) = replayed(stored, &head)?;
        Ok(Self {
            session,
            game,
            game_id: head.game,
            seed_shown: stored.seed_shown,
            seq: head.seq,
            driver: head.driver,
            agent: head.agent,
            decision: head.decision,
            transition,
            best: head.best,
            filed: head.filed,
            class: head.class,
            run: 0,
            roster,
        })
    }

    /// A position to go back to.
    pub(in crate::actors::session) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { head: self.head(), moves: self.game.moves(), seed_shown: self.seed_shown }
    }

    /// Goes back to `checkpoint`; `filed` is the game that was running then, if another was started since.
    pub(in crate::actors::session) fn go_back(
        &mut self,
        checkpoint: &Checkpoint,
        filed: Option<Box<Game>>,
    ) {
        let game = filed.map_or_else(|| self.game.clone(), |game| *game);
        let stored = StoredGame {
            id: checkpoint.head.game.clone(),
            seed: game.seed(),
            seed_shown: checkpoint.seed_shown,
            start: game.start(),
            directions: game.directions()[..checkpoint.moves as usize].to_vec(),
        };
        let head = checkpoint.head.clone();
        let (game, transition) =
            replayed(&stored, &head).expect("these moves were played on this game");
        self.game = game;
        self.transition = transition;
        self.game_id = head.game;
        self.seed_shown = checkpoint.seed_shown;
        (self.seq, self.driver, self.agent) = (head.seq, head.driver, head.agent);
        (self.decision, self.best) = (head.decision, head.best);
        (self.filed, self.class) = (head.filed, head.class);
        self.run += 1;
    }
}

/// The stored game played out, and its last move's transition if the head's change was that move.
fn replayed(
    stored: &StoredGame,
    head: &Head,
) -> Result<(Game, Option<protocol::Transition>), ReplayError> {
    let (last, before) = match stored.directions.split_last() {
        Some((&last, before)) if head.moved_last => (Some(last), before),
        _ => (None, stored.directions.as_slice()),
    };
    let mut game = Game::replay(stored.seed, stored.start, before)?;
    let Some(direction) = last else { return Ok((game, None)) };
    let number = game.moves() + 1;
    let transition =
        game.play(direction).map_err(|refused| ReplayError { number, direction: refused.0 })?;
    let source = head.decision.as_ref().map_or(HUMAN, |decision| &decision.source);
    Ok((game, Some(protocol::transition_of(&transition, source))))
}
