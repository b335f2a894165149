//! What must survive: sessions, their games and the commands they have carried out.
//!
//! One trait, [`Store`], and two adapters: SQLite in one file (the default), and memory. Both pass one contract suite.
//! Nothing outside this crate reads a table.

mod id;

mod driver;

mod agent;

mod decision;

mod game;

mod session;

mod append;

mod archive;

mod error;

mod adapter;

mod verify;

mod observer;

mod epoch;
mod segment;

mod memory;

mod sqlite;

#[cfg(any(test, feature = "contract"))]
pub mod contract;

#[cfg(test)]
mod twins;

pub use adapter::{Answer, Description, MOST_LINKS, Store};
pub use agent::{Agent, Pace, Series};
pub use append::{Append, Change, Remembered};
pub use archive::{Best, Class, GameQuery, GameRecord, Page, Sort, Status};
pub use decision::StoredDecision;
pub use driver::{Driver, DriverKind, Stretch};
pub use error::{ErrorKind, StoreError};
pub use game::{ImportedGame, Move, NewGame, Numbers, StoredGame};
pub use id::{GameId, SessionId, UnixMillis};
pub use memory::Memory;
pub use observer::Observer;
pub use session::{Head, NewSession, SessionSummary, StoredSession};
pub use sqlite::{Durability, QUEUE, Sqlite};
pub use verify::{Verified, Wrong, verify};
