//! Offline tools for people who write AIs.

pub mod arena;
pub mod bench;
pub mod train;
pub mod weights;

mod cpu;
mod crew;
mod learned;

#[cfg(test)]
mod testing;
