//! The actors: who owns what, and what may be asked of them.
//!
//! One move's way: HTTP or the [`runner`] sends [`session::PlayMove`]; the session slides the board, has the store make
//! it durable, publishes the new [`frame::Frame`] to every subscriber and answers.

pub mod session;

pub mod lobby;

pub mod runner;

pub mod player;

pub mod jev;

pub mod agents;

pub mod stop;

pub mod frame;

pub mod refusal;

pub mod handle;
