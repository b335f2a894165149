//! The authoritative server: actors that own the games, and the HTTP and event-stream shell round them.

pub mod server;

pub mod embedded;

pub mod config;

pub mod http;

pub mod actors;

pub mod tasks;

pub mod archive;

pub mod roster;

pub mod network;

pub mod jev;

pub mod transcript;

pub mod metrics;

pub mod doctor;

pub mod tls;

mod secret;

mod sse;

pub mod clock;
