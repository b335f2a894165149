//! What the native clients share: the calls, the stream, and what to show. No crate of a user interface is in it.
//!
//! It holds no rule of the game: it never decides what is legal, what merges, what spawns, what a move scores or
//! whether the game is over. It draws what the server says.

pub mod sse;

pub mod calls;

pub mod stream;

pub mod view;

pub mod command;

pub mod position;

mod link;

pub mod seat;

pub use calls::{AddressError, CallError, Client};
pub use command::{Answer, Command, FileError, ServerFacts, revoked_words};
pub use link::Link;
pub use seat::Seat;
pub use stream::{Connection, Fault, Snapshot, Subscription, Update};
pub use view::View;

#[cfg(test)]
#[path = "../../protocol/golden/states.rs"]
mod golden;
