//! How the rest of the server reaches a session, wherever it lives.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use actix::{Actor, Addr, Handler, Message, dev::ToEnvelope};
use protocol::ByeReason;
use sha2::{Digest, Sha256};
use store::SessionId;
use subtle::ConstantTimeEq;

use super::{
    lobby::{CountSessions, Lobby, Shutdown},
    refusal::Refusal,
    session::{Leave, Session, Warn, Warning},
};

/// A session that was found. Cheap to clone; it outlives the actor, whose messages are then refused.
#[derive(Clone)]
pub struct SessionHandle {
    id: SessionId,
    control: Control,
    session: Addr<Session>,
    /// Set when the session left memory with nothing undone.
    retired: Arc<AtomicBool>,
}

/// Who may play in a session.
#[derive(Clone, PartialEq, Eq)]
pub enum Control {
    /// Whoever reaches it: `main` on loopback.
    Open,
    /// Whoever shows the token with this SHA-256.
    Token([u8; 32]),
}

/// Why control was not granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denied {
    /// No token was shown.
    Missing,
    /// The token shown is not this session's.
    Wrong,
}

impl Control {
    /// Control for whoever shows `token`.
    pub fn by_token(token: &str) -> Self {
        Self::Token(digest(token))
    }

    /// The hash of the token that grants it; `None` when it is open.
    pub fn hash(&self) -> Option<[u8; 32]> {
        match self {
            Self::Open => None,
            Self::Token(hash) => Some(*hash),
        }
    }

    /// Whether `token` grants control. Takes the same time whatever the token is.
    ///
    /// # Errors
    /// - [`Denied::Missing`] without a token, [`Denied::Wrong`] with another one's.
    pub fn check(&self, token: Option<&str>) -> Result<(), Denied> {
        match (self, token) {
            (Self::Open, _) => Ok(()),
            (Self::Token(_), None) => Err(Denied::Missing),
            (Self::Token(expected), Some(token)) if bool::from(digest(token).ct_eq(expected)) => {
                Ok(())
            }
            (Self::Token(_), Some(_)) => Err(Denied::Wrong),
        }
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "Open",
            Self::Token(_) => "Token",
        })
    }
}

impl SessionHandle {
    /// The handle of the session that `session` runs.
    pub fn new(
        id: SessionId,
        control: Control,
        session: Addr<Session>,
        retired: Arc<AtomicBool>,
    ) -> Self {
        Self { id, control, session, retired }
    }

    /// Its id.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// Who may play in it.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Whether its actor still runs.
    pub fn is_alive(&self) -> bool {
        self.session.connected()
    }

    /// Whether it is the handle of the actor that holds `retired`.
    pub fn is_of(&self, retired: &Arc<AtomicBool>) -> bool {
        Arc::ptr_eq(&self.retired, retired)
    }

    /// Has the session tell its watchers why, make durable what is not yet, and stop; waits until it has.
    pub async fn leave(&self, reason: ByeReason) {
        if self.session.send(Leave { reason }).await.is_err() {
            tracing::debug!(session = %self.id, "it had left already");
        }
    }

    /// Has the session tell its watchers what is about to happen, or that nothing is any more. One that is gone or busy tells them nothing.
    pub fn warn(&self, warning: Option<Warning>) {
        if self.session.try_send(Warn(warning)).is_err() {
            tracing::debug!(session = %self.id, "a warning that nobody hears");
        }
    }

    /// Asks the session something and waits for the answer.
    ///
    /// # Errors
    /// - What the session refuses.
    /// - [`Refusal::Passivated`] when it has left memory: nothing was done, find it again.
    /// - [`Refusal::Crashed`] when it did: whether it was done is not known.
    pub async fn ask<M, T>(&self, message: M) -> Result<T, Refusal>
    where
        M: Message<Result = Result<T, Refusal>> + Send + 'static,
        T: Send + 'static,
        Session: Handler<M>,
        <Session as Actor>::Context: ToEnvelope<Session, M>,
    {
        self.session.send(message).await.unwrap_or_else(|_gone| {
            Err(if self.retired.load(Ordering::Acquire) {
                Refusal::Passivated(self.id.to_string())
            } else {
                Refusal::Crashed(self.id.to_string())
            })
        })
    }
}

impl fmt::Debug for SessionHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionHandle").field("id", &self.id).finish_non_exhaustive()
    }
}

/// How HTTP and the server reach the lobby.
#[derive(Debug, Clone)]
pub struct LobbyHandle(Addr<Lobby>);

impl LobbyHandle {
    /// The handle of `lobby`.
    pub fn new(lobby: Addr<Lobby>) -> Self {
        Self(lobby)
    }

    /// Whether the lobby runs.
    pub fn is_alive(&self) -> bool {
        self.0.connected()
    }

    /// Asks the lobby something and waits for the answer.
    ///
    /// # Errors
    /// - What the lobby refuses; [`Refusal::Unavailable`] when it is gone.
    pub async fn ask<M, T>(&self, message: M) -> Result<T, Refusal>
    where
        M: Message<Result = Result<T, Refusal>> + Send + 'static,
        T: Send + 'static,
        Lobby: Handler<M>,
        <Lobby as Actor>::Context: ToEnvelope<Lobby, M>,
    {
        self.0
            .send(message)
            .await
            .unwrap_or_else(|_gone| Err(Refusal::Unavailable("the server is stopping".to_owned())))
    }

    /// How many sessions are in memory; 0 when the lobby is gone.
    pub async fn count(&self) -> usize {
        self.0.send(CountSessions).await.unwrap_or_default()
    }

    /// Has every session leave; waits until they have.
    pub async fn shut_down(&self) {
        if self.0.send(Shutdown).await.is_err() {
            tracing::error!("the lobby was gone before the server was stopped");
        }
    }
}

/// The SHA-256 of a secret: what is stored of it.
pub fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
