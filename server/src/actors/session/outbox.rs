//! What a session has done and the store does not have yet.
//!
//! At most one batch is on its way; what happens meanwhile is gathered in the next one. So a person's move waits for
//! at most two commits, and an agent that plays fast pays one commit for many moves.

use std::sync::Arc;

use engine::Game;
use store::{Append, Change, Remembered, UnixMillis};

use super::table::{Checkpoint, Effect, Table};
use crate::actors::{frame::Frame, refusal::Refusal};

/// What the waiters of a batch are told: the frame that was published, or why nothing was saved.
pub(super) type Settled = Result<Arc<Frame>, Refusal>;

/// Somebody who is answered when a batch is settled.
pub(super) type Waiter = Box<dyn FnOnce(&Settled)>;

/// Changes that become durable together.
#[derive(Default)]
pub(super) struct Batch {
    changes: Vec<Change>,
    commands: Vec<Remembered>,
    /// Ids of the commands that were sent.
    remembered: Vec<String>,
    pub(super) waiters: Vec<Waiter>,
    /// Where to go back to; set by the first change.
    pub(super) checkpoint: Option<Checkpoint>,
    /// The game that was running before the batch, if another was started in it.
    pub(super) filed: Option<Box<Game>>,
    /// The last frame that was made for somebody in it.
    pub(super) frame: Option<Arc<Frame>>,
}

/// The batch on its way and the one that is being gathered.
#[derive(Default)]
pub(super) struct Outbox {
    pub(super) sent: Option<Batch>,
    pub(super) next: Batch,
}

impl Batch {
    /// Adds what a command did; `before` is where the session was, needed for the first change only.
    pub(super) fn add(&mut self, before: Option<Checkpoint>, effect: Effect) {
        self.checkpoint = self.checkpoint.take().or(before);
        self.changes.extend(effect.changes);
        // Only the game that was running at the checkpoint is ever gone back to.
        self.filed = self.filed.take().or(effect.filed);
    }

    /// Adds a command to be remembered with what it did.
    pub(super) fn remember(&mut self, command: Remembered) {
        self.commands.push(command);
    }

    /// Whether the store has anything to do.
    pub(super) fn has_work(&self) -> bool {
        self.checkpoint.is_some() || !self.commands.is_empty()
    }

    /// What the store is asked: from the position `expected` to the one that `table` is at.
    pub(super) fn append(&mut self, expected: u64, table: &Table, at: UnixMillis) -> Append {
        self.remembered = self.commands.iter().map(|command| command.id.clone()).collect();
        Append {
            session: table.session.clone(),
            expected,
            changes: std::mem::take(&mut self.changes),
            head: table.head(),
            numbers: table.numbers(),
            commands: std::mem::take(&mut self.commands),
            at,
        }
    }

    /// Ids of the commands in it.
    pub(super) fn command_ids(&self) -> impl Iterator<Item = &str> {
        self.remembered
            .iter()
            .map(String::as_str)
            .chain(self.commands.iter().map(|command| command.id.as_str()))
    }
}

impl Outbox {
    /// Whether everything that happened is durable.
    pub(super) fn is_empty(&self) -> bool {
        self.sent.is_none() && !self.next.has_work() && self.next.waiters.is_empty()
    }

    /// Adds a waiter behind everything that has happened so far.
    pub(super) fn wait(&mut self, waiter: Waiter) {
        match &mut self.sent {
            Some(sent) if !self.next.has_work() => sent.waiters.push(waiter),
            _ => self.next.waiters.push(waiter),
        }
    }
}

impl std::fmt::Debug for Outbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outbox")
            .field("sent", &self.sent.is_some())
            .field("next", &self.next.has_work())
            .finish()
    }
}
