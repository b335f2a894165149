//! The labels of the figures, each with the few values that it may have.

use crate::actors::refusal::Refusal;

/// A label whose values are known beforehand.
pub trait Label: Copy + 'static {
    /// What it is called.
    const NAME: &'static str;
    /// Its values, in the order of [`Label::index`].
    const ALL: &'static [Self];

    /// Its place in [`Label::ALL`].
    fn index(self) -> usize;

    /// As it is shown.
    fn text(self) -> &'static str;
}

macro_rules! label {
    ($(#[$about:meta])* $kind:ident $name:literal { $($(#[$means:meta])* $value:ident $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $kind {
            $($(#[$means])* $value,)+
        }

        impl Label for $kind {
            const NAME: &'static str = $name;
            const ALL: &'static [Self] = &[$(Self::$value,)+];

            fn index(self) -> usize {
                self as usize
            }

            fn text(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }
        }
    };
}

label! {
    /// Why a session was closed for good.
    Closed "reason" {
        /// Somebody closed it.
        Asked "asked",
        /// Nobody had played in it for long.
        Expired "expired",
    }
}

label! {
    /// What a session was told to do.
    Command "kind" {
        /// A person's move.
        Move "move",
        /// The agent's move.
        AgentMove "agent_move",
        /// A new game.
        New "new",
        /// Let the agent play.
        AgentStart "agent_start",
        /// Take the game from it.
        AgentStop "agent_stop",
        /// One move of a player.
        Step "step",
        /// A player's advice.
        Hint "hint",
        /// A link to watch by.
        Link "link",
        /// The end of all of them.
        Revoke "revoke",
    }
}

label! {
    /// What came of a command.
    Reply "result" {
        /// It was carried out.
        Done "done",
        /// The request itself was at fault.
        Invalid "invalid",
        /// The caller's picture of the game was old, or it was another's turn.
        Stale "stale",
        /// There was no room for it.
        Full "full",
        /// The store did not take it.
        NotSaved "not_saved",
        /// The session was gone, closed or crashed, or a player gave no answer.
        Unavailable "unavailable",
    }
}

label! {
    /// How a stream began.
    Start "start" {
        /// With the state.
        Fresh "fresh",
        /// Where the reader had been before.
        Resume "resume",
    }
}

label! {
    /// Why a stream ended.
    Departure "reason" {
        /// The reader went.
        Gone "gone",
        /// The reader took nothing for too long.
        Stalled "stalled",
        /// The server stopped.
        Shutdown "shutdown",
        /// The reader was too slow.
        Slow "slow",
        /// The session was closed.
        Closed "closed",
        /// The right to watch was taken away.
        Revoked "revoked",
        /// There were too many.
        Overload "overload",
    }
}

label! {
    /// An event of a stream.
    StreamEvent "event" {
        /// The whole state.
        State "state",
        /// A sign of life.
        Heartbeat "hb",
        /// How many watch.
        Watchers "watchers",
        /// Something that is about to happen.
        Note "note",
        /// The last one.
        Bye "bye",
    }
}

label! {
    /// Why a decision was not the player's own choice.
    Fallback "reason" {
        /// There was nothing to choose.
        Forced "forced",
        /// There is no key for the hosted model.
        NoKey "no_key",
        /// It fails, and is left alone.
        LeftAlone "left_alone",
        /// Its answer was unsure, or no legal move.
        Doubted "doubted",
        /// It refused the key.
        KeyRefused "key_refused",
        /// It did not answer in time.
        Late "late",
        /// It could not be reached, or its answer was none.
        Failed "failed",
        /// Nobody wanted the answer any more.
        Unwanted "unwanted",
    }
}

label! {
    /// What came of a question to the hosted model.
    Outcome "outcome" {
        /// An answer.
        Answered "answered",
        /// The key was refused.
        KeyRefused "key_refused",
        /// An error of the service.
        Status "status",
        /// A redirect, which was not followed.
        Redirect "redirect",
        /// No connection, or one that broke off.
        Unreachable "unreachable",
        /// Nothing in time.
        Late "late",
        /// An answer that is none.
        Unusable "unusable",
        /// Nobody waited for it any more.
        Cancelled "cancelled",
        /// Nothing was asked, since a budget is spent.
        Spent "spent",
    }
}

label! {
    /// What a request ran into.
    Limit "limit" {
        /// Its address is too long.
        Address "address",
        /// Its headers are too large.
        Headers "headers",
        /// Its head did not arrive in time.
        HeadDeadline "head_deadline",
        /// Its body is too large.
        Body "body",
        /// Its body did not arrive in time.
        BodyDeadline "body_deadline",
        /// It is for a name that is not ours.
        Host "host",
        /// It comes from somebody else's page.
        Origin "origin",
        /// Its body is not JSON.
        ContentType "content_type",
        /// It has no token, or a wrong one.
        Token "token",
        /// Its session is changed too often.
        MovesPerSession "moves_per_session",
        /// Its address changes too much.
        MovesPerAddress "moves_per_address",
        /// There are too many sessions.
        Sessions "sessions",
        /// Its address creates too many of them.
        SessionsPerAddress "sessions_per_address",
        /// Its address has too many connections.
        ConnectionsPerAddress "connections_per_address",
        /// Its address asks too much.
        RequestsPerAddress "requests_per_address",
        /// There are too many streams.
        Streams "streams",
        /// There are too many of its session.
        StreamsPerSession "streams_per_session",
        /// There are too many of its address.
        StreamsPerAddress "streams_per_address",
        /// It took nothing for too long.
        Stalled "stalled",
        /// Too many agents play.
        Agents "agents",
        /// Too much advice is being thought about.
        Advice "advice",
        /// Too many commands wait to be saved.
        Commands "commands",
        /// Too much is waiting for the store.
        Store "store",
    }
}

impl Reply {
    /// What a refusal is counted as.
    pub fn of(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Stale { .. } => Self::Stale,
            Refusal::Invalid(_) | Refusal::NotAllowed(_) => Self::Invalid,
            Refusal::Full { .. } => Self::Full,
            Refusal::Store(_) => Self::NotSaved,
            Refusal::NoSession(_)
            | Refusal::Passivated(_)
            | Refusal::Crashed(_)
            | Refusal::Unavailable(_) => Self::Unavailable,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn check<L: Label + std::fmt::Debug>() {
        let texts: BTreeSet<_> = L::ALL.iter().map(|value| value.text()).collect();
        assert_eq!(texts.len(), L::ALL.len(), "{texts:?}");
        for (place, value) in L::ALL.iter().enumerate() {
            assert_eq!(value.index(), place, "{value:?}");
        }
    }

    #[test]
    fn each_value_has_its_own_place_and_text() {
        check::<Closed>();
        check::<Command>();
        check::<Reply>();
        check::<Start>();
        check::<Departure>();
        check::<StreamEvent>();
        check::<Fallback>();
        check::<Outcome>();
        check::<Limit>();
    }
}
