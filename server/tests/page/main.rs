//! The page in a real Chromium, driven over `WebDriver`: what only a browser can show.
//!
//! One chromedriver serves all tests, one browser after the other, so that the times they measure are their own.

#![expect(clippy::unwrap_used, reason = "a test that can't go on says where")]

mod browser;

mod tab;

#[expect(dead_code, reason = "the tests of the wire use more of it")]
#[path = "../http/table.rs"]
mod table;

#[expect(dead_code, reason = "the tests of the wire use more of it")]
#[path = "../http/events.rs"]
mod events;

#[expect(dead_code, reason = "the tests of the wire use more of it")]
#[path = "../stub/model.rs"]
mod model;

mod process;

mod wire;

mod tabs;

mod playing;

mod connection;

mod keys;

mod jev;

mod motion;

mod gallery;

mod hearing;

mod loading;

mod watching;

mod spectator;

mod touch;
