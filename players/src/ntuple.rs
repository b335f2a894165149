//! Networks of n-tuples: what an afterstate is worth, learned from games.
//!
//! A board is worth the sum of one weight for each way in which one of some patterns can be laid on it; the tiles under
//! the pattern choose the weight. The weights are points still to come, learned by playing: after a game each afterstate
//! is moved towards the points of the next move and what the next afterstate is worth.
//!
//! Reading order: where a network looks (`shape`), what it learns into ([`Memory`]), how it learns ([`Learner`]); what
//! is kept of it ([`Weights`]), what plays ([`Network`], [`NTuple`]).

mod downgrade;
mod learner;
mod memory;
mod network;
mod pages;
mod player;
mod prefetch;
mod shape;
mod weights;

#[cfg(test)]
mod testing;

pub use learner::{Learner, Lesson, Outcome};
pub use memory::{Cell, Memory, Method};
pub use network::Network;
pub use player::{NTuple, Plies};
pub use shape::{CELLS, PATTERNS, WEIGHTS};
#[cfg(test)]
pub(crate) use testing::small_network;
pub use weights::{About, Weights, WeightsError, write};
