//! The rules, proven against implementations that share nothing with the engine.

mod agreement;
mod long;
mod longest;
mod oracle;
mod perft;
mod properties;
mod spawns;
