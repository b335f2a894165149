//! A number that changes when a player plays differently.

use std::{sync::atomic::AtomicBool, time::Duration};

use engine::Game;

use crate::{Clock, Decision, Entry, Limits, Player, Position};

/// Node limit of each decision that goes into a fingerprint.
const NODES: u64 = 2_000;

/// The fingerprint of a player: of what it decides, sees in each direction and counts, move by move, in the first moves
/// of some fixed games, with a node limit. Equal fingerprints mean that a change of code did not change play. It may
/// differ between platforms, since searches use floating-point logarithms.
pub fn of(entry: &Entry) -> u32 {
    of_player(entry.build)
}

/// The fingerprint of the players that `build` makes; see [`of`].
pub fn of_player(build: impl Fn() -> Box<dyn Player>) -> u32 {
    let never = AtomicBool::new(false);
    let mut hash = Fnv::new();
    for seed in 0..4 {
        let mut player = build();
        let mut game = Game::new(seed);
        for move_number in 0..50 {
            let limits = Limits {
                budget: None,
                nodes: Some(NODES),
                clock: &Timeless,
                stop: &never,
                seed: move_number,
            };
            let decision = player.choose(&Position::of(&game), &limits);
            hash.add_decision(&decision);
            if decision.direction.is_none_or(|direction| game.play(direction).is_err()) {
                break;
            }
        }
    }
    hash.folded()
}

/// Of many fingerprints, one; their order counts.
pub fn combined(fingerprints: impl IntoIterator<Item = u32>) -> u32 {
    let mut hash = Fnv::new();
    for fingerprint in fingerprints {
        hash.add(u64::from(fingerprint));
    }
    hash.folded()
}

struct Timeless;

impl Clock for Timeless {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// The hash FNV-1a (Fowler, Noll, Vo), of words instead of bytes.
struct Fnv(u64);

impl Fnv {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        // Words change high bits, which a multiplication alone would not bring down.
        self.0 ^= self.0 >> 29;
    }

    fn add_decision(&mut self, decision: &Decision) {
        self.add(decision.direction.map_or(4, |direction| direction.index() as u64));
        for value in decision.values {
            self.add(value.map_or(u64::MAX, f64::to_bits));
        }
        let effort = decision.effort;
        for count in [effort.nodes, effort.rollouts, u64::from(effort.depth), effort.table_hits] {
            self.add(count);
        }
    }

    const fn folded(&self) -> u32 {
        (self.0 >> 32) as u32 ^ self.0 as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Corner, Mcts, MctsSettings, Rules, find, roster};

    fn built(build: fn() -> Box<dyn Player>) -> u32 {
        of(&Entry { build, ..*find("rules").unwrap() })
    }

    #[test]
    fn a_fingerprint_repeats() {
        for entry in roster() {
            assert_eq!(of(entry), of(entry), "{}", entry.name);
        }
    }

    #[test]
    fn players_that_play_differently_differ() {
        let mirrored: fn() -> Box<dyn Player> = || Box::new(Rules::new(Corner::BottomLeft));
        let bolder: fn() -> Box<dyn Player> =
            || Box::new(Mcts::new(MctsSettings { exploration: 21.0, ..MctsSettings::default() }));
        let mut all: Vec<u32> = roster().iter().map(of).collect();
        all.extend([built(mirrored), built(bolder)]);
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn the_order_of_fingerprints_counts() {
        assert_ne!(combined([1, 2]), combined([2, 1]));
    }
}
