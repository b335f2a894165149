//! The window as a person meets it, without a screen: pictures of each state, keys, what a screen reader is told, and
//! that nothing is drawn while nothing happens.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]
#![expect(clippy::similar_names, reason = "a stage shows a state")]

mod raster;
mod stage;

#[path = "../../../protocol/golden/states.rs"]
mod golden;

mod archive;
mod keyboard;
mod needs;
mod pictures;
mod rest;
