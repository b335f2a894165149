//! features.
