//! The JSON that crosses the wire, version 1: every client and the server hold to it.
//!
//! Names are camelCase, positions are `[row, column]` from 0, tiles are values and never exponents, an empty square is
//! `null`. Every answer and every event carries the whole [`State`]: a subscriber that missed ten events is right again
//! after the next one.

mod direction;

mod shared;

mod state;

mod request;

mod reply;

mod event;

mod archive;

mod convert;

pub use archive::{
    ExportHeader, ExportMoves, GameClass, GameRecord, GameStatus, Imported, MovesPage, PastMove,
    PastState, Stretch,
};
pub use convert::{grid_of, transition_of};
pub use direction::Direction;
pub use event::{Bye, ByeReason, Heartbeat, Note, Watchers};
pub use reply::{
    Acted, ErrorBody, HintMove, HintReply, LinkGiven, LinksRevoked, Moved, Page, SessionCreated,
    SessionItem, Spending, Started, Stopped, TranscriptReply, Version, VersionLimits, VersionStore,
};
pub use request::{
    AgentStart, AgentStep, AgentStop, CreateSession, Grid, GridError, Hint, MoveRequest, NewGame,
    Pace, Seed, Series,
};
pub use state::{
    Agent, BestBy, Decision, Driver, DriverKind, Position, RosterEntry, SeriesState, Slide,
    Spawned, State, Transition,
};

/// The version that a state names.
pub const PROTOCOL: u32 = 1;
