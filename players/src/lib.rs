//! Who decides: the players, all behind one contract.
//!
//! Pure: a player sees no clock, no thread, no socket and no randomness but what its arguments bring.

mod contract;

mod measure;

pub use contract::{Clock, Decision, Effort, Limits, Player, Position};
pub use measure::{Facts, largest_is_in_a_corner, monotonicity, risk};
