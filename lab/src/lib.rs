//! Offline tools for people who write AIs.

pub mod arena;
pub mod bench;

mod cpu;
