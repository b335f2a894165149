//! protocol.
