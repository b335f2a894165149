//! The server from outside: real sockets, and for what only a process can show, the real binary.

#![expect(clippy::unwrap_used, reason = "a test that can't go on says where")]

mod table;

mod events;

mod rules;

mod commands;

mod py2048;

mod access;

mod limits;

mod logs;

mod metrics;

mod streams;

mod sessions;

mod links;

mod expiry;

mod takeover;

mod games;

mod page;

mod stopping;

mod doctor;

mod proxy;

mod tls;

mod mishaps;
mod network;

mod thoughts;

mod jev;

mod process;
