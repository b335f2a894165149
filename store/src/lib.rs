//! What must survive: sessions, their games and the commands they have carried out.
//!
//! One trait, [`Store`], and two adapters: SQLite in one file (the default), and memory. Both pass one contract suite.
//! Nothing outside this crate reads a table.

mod record;

mod error;

mod adapter;

pub use adapter::{Answer, Description, Store};
pub use error::{ErrorKind, StoreError};
pub use record::{
    Agent, Append, Change, Driver, DriverKind, GameId, Head, Move, NewGame, NewSession, Pace,
    Remembered, Running, SessionId, SessionSummary, StoredDecision, StoredGame, StoredSession,
    UnixMillis,
};
