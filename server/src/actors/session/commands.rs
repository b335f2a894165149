//! The commands that a session remembers, so that a repeat does nothing.

use std::collections::VecDeque;

use sha2::{Digest as _, Sha256};

use super::CommandKey;

/// How many are remembered.
const REMEMBERED: usize = 256;

/// The last commands carried out, and those that are being thought about.
///
/// Of each there are 48 bytes, which are looked through one by one: ten thousand sessions may be in memory, and 256 of
/// them are compared in less time than a hash map would take to be allocated.
#[derive(Debug, Default)]
pub(super) struct Commands {
    /// Oldest first.
    carried_out: VecDeque<(Name, [u8; 32])>,
    under_way: Vec<Name>,
}

/// A command's id in few bytes; two ids with the same ones will not be met.
type Name = [u8; 16];

fn name_of(id: &str) -> Name {
    let digest: [u8; 32] = Sha256::digest(id).into();
    std::array::from_fn(|byte| digest[byte])
}

/// What is known of a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing: carry it out.
    New,
    /// It was carried out: give the first reply again.
    Repeat,
    /// It is being carried out.
    UnderWay,
    /// Its id was used for something else.
    Reused,
}

impl Commands {
    /// The commands that were stored, oldest first.
    pub(super) fn restore(stored: Vec<(String, [u8; 32])>) -> Self {
        let mut commands = Self::default();
        for (id, digest) in stored {
            commands.add(&CommandKey { id, digest });
        }
        commands
    }

    /// What is known of `key`.
    pub(super) fn look_up(&self, key: &CommandKey) -> Known {
        let name = name_of(&key.id);
        match self.carried_out.iter().find(|(known, _)| *known == name) {
            Some((_, digest)) if *digest == key.digest => Known::Repeat,
            Some(_) => Known::Reused,
            None if self.under_way.contains(&name) => Known::UnderWay,
            None => Known::New,
        }
    }

    /// Marks a command whose carrying out takes a while.
    pub(super) fn begin(&mut self, key: &CommandKey) {
        self.under_way.push(name_of(&key.id));
    }

    /// Unmarks it, whatever came of it.
    pub(super) fn end(&mut self, key: &CommandKey) {
        let name = name_of(&key.id);
        self.under_way.retain(|known| *known != name);
    }

    /// Remembers a command that was carried out.
    pub(super) fn add(&mut self, key: &CommandKey) {
        if self.carried_out.len() == REMEMBERED {
            self.carried_out.pop_front();
        }
        self.carried_out.push_back((name_of(&key.id), key.digest));
    }

    /// Forgets a command that was not saved after all.
    pub(super) fn forget(&mut self, id: &str) {
        let name = name_of(id);
        self.carried_out.retain(|(known, _)| *known != name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: usize, digest: u8) -> CommandKey {
        CommandKey { id: format!("c{n}"), digest: [digest; 32] }
    }

    #[test]
    fn the_last_256_are_remembered() {
        let mut commands = Commands::default();
        (0..=REMEMBERED).for_each(|n| commands.add(&key(n, 1)));
        assert_eq!(commands.look_up(&key(0, 1)), Known::New);
        assert_eq!(commands.look_up(&key(1, 1)), Known::Repeat);
        assert_eq!(commands.look_up(&key(REMEMBERED, 2)), Known::Reused);
    }

    #[test]
    fn what_was_not_saved_is_forgotten() {
        let mut commands = Commands::default();
        commands.add(&key(1, 1));
        commands.forget("c1");
        assert_eq!(commands.look_up(&key(1, 2)), Known::New);
    }

    #[test]
    fn a_command_under_way_is_known() {
        let mut commands = Commands::default();
        commands.begin(&key(1, 1));
        assert_eq!(commands.look_up(&key(1, 1)), Known::UnderWay);
        commands.end(&key(1, 1));
        assert_eq!(commands.look_up(&key(1, 1)), Known::New);
    }
}
