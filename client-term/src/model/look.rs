//! Looking back: the boards of the game, those seen live kept here and the others asked for.

use std::{collections::BTreeMap, time::Instant};

use client::view::{About, said};
use protocol::PastState;

use super::{Effect, Model};
use crate::command::Command;

/// Boards that are kept; of more, the oldest are dropped and asked for again when needed.
const MOST_KEPT: usize = 2_000;

/// The board that is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The move it is after.
    pub number: u32,
    /// The board; `None` until the server sent it.
    pub past: Option<PastState>,
}

/// The boards of the running game that have been seen.
#[derive(Debug, Default)]
pub(super) struct Memory {
    boards: BTreeMap<u32, PastState>,
}

impl Memory {
    pub(super) fn keep(&mut self, past: PastState) {
        self.boards.insert(past.moves, past);
        if self.boards.len() > MOST_KEPT {
            self.boards.pop_first();
        }
    }
}

impl Model {
    pub(super) fn look_from_here(&mut self, by: i64, now: Instant) -> Vec<Effect> {
        let Some(state) = self.view.state() else { return Vec::new() };
        let here = self.look.as_ref().map_or(state.moves, |look| look.number);
        let there = i64::from(here).saturating_add(by).clamp(0, i64::from(state.moves));
        self.look_at(u32::try_from(there).unwrap_or(0), now)
    }

    pub(super) fn look_at(&mut self, number: u32, now: Instant) -> Vec<Effect> {
        let Some(state) = self.view.state() else { return Vec::new() };
        let (moves, game) = (state.moves, state.game.clone());
        if number >= moves {
            if self.look.is_none() {
                self.say(said(About::Answer, "This is the live game."), now);
            }
            self.live();
            return Vec::new();
        }
        let past = self.memory.boards.get(&number).cloned();
        let missing = past.is_none();
        self.look = Some(Look { number, past });
        self.view.look_at(Some(number));
        if missing {
            return vec![Effect::Call(Command::Past { game, number })];
        }
        Vec::new()
    }

    pub(super) fn live(&mut self) {
        self.look = None;
        self.view.look_at(None);
    }

    /// A board came that was asked for.
    pub(super) fn remember(&mut self, number: u32, past: PastState) {
        if let Some(look) = self.look.as_mut().filter(|look| look.number == number) {
            look.past = Some(past.clone());
        }
        self.memory.keep(past);
    }
}
