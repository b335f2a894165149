//! Who decides: the players, all behind one contract.
//!
//! Pure: a player sees no clock, no thread, no socket and no randomness but what its arguments bring.
//!
//! Reading order: what a player is ([`Player`]), which ones there are ([`roster()`]), the facts about a board that
//! any of them may use ([`Facts`]), then the players, the simplest first.

mod contract;
mod roster;
mod variant;

mod measure;

mod random;
mod rules;

mod rollout;

mod flat;
mod mcts;

mod evaluation;
mod meter;

mod expectimax;
mod minimax;

pub mod fingerprint;
pub mod ntuple;

#[cfg(test)]
mod testing;

pub use contract::{Clock, Crew, Decision, Effort, Limits, Player, Position};
pub use evaluation::{Evaluation, HowHigh, HowHighWeights, Tutorial, TutorialWeights};
pub use expectimax::{Expectimax, Settings as ExpectimaxSettings};
pub use flat::Flat;
pub use mcts::{Judge, Mcts, Scaling, Settings as MctsSettings};
pub use measure::{Facts, largest_is_in_a_corner, monotonicity, risk};
pub use minimax::Minimax;
pub use random::Random;
pub use rollout::{Policy, Reward, Rollouts};
pub use roster::{BALANCED, Entry, FAST, STRONG, budget, find, roster};
pub use rules::{Corner, Rules};
pub use variant::{UnknownVariant, Variant};
