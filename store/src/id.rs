//! Names and times.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01 UTC. The store is told the time; it reads no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UnixMillis(pub i64);

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Box<str>);

        impl $name {
            /// The id that is written so.
            pub fn new(text: impl Into<Box<str>>) -> Self {
                Self(text.into())
            }

            /// As it is written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    };
}

id! {
    /// Names a session: `main`, or 128 random bits. Whoever knows it may watch.
    SessionId
}

id! {
    /// Names a game over all sessions: 128 random bits.
    GameId
}
