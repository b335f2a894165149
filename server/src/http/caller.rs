//! Who calls, and for which session: the way from a request to a session's handle.

use std::{
    future::{Ready, ready},
    net::IpAddr,
    time::{Duration, Instant},
};

use actix::{Actor, Handler, Message, dev::ToEnvelope};
use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header, web::Data};
use store::SessionId;
use tokio::sync::SemaphorePermit;

use super::{Api, error::Problem, found::Found, rates};
use crate::{
    actors::{
        handle::SessionHandle,
        lobby::FindSession,
        refusal::Refusal,
        session::{
            GiveLink, Hint, PlayMove, RevokeLinks, Session, StartAgent, StartGame, Step, StopAgent,
        },
    },
    metrics::{Command, Limit, Reply},
};

/// The session that exists always.
pub(super) const MAIN: &str = "main";

/// No id that was ever given out is longer.
const SESSION_ID_LENGTH: usize = 64;

/// How long a session that crashed is given before it is looked for again, and how often.
const READ_AGAIN: Duration = Duration::from_millis(10);
const READS: usize = 50;

/// A request's session and the token it shows.
pub(super) struct Caller {
    pub(super) api: Data<Api>,
    pub(super) session: SessionId,
    /// Whose call it is counted as.
    pub(super) address: Option<IpAddr>,
    found: Data<Found>,
    token: Option<String>,
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request.match_info().get("id").unwrap_or(MAIN);
        ready(if is_id(id) {
            let token = bearer(request).map(str::to_owned);
            let (api, found) = shared(request);
            let address = rates::address(request, api.caps.trust_proxy);
            Ok(Self { api, session: SessionId::new(id), address, found, token })
        } else {
            Err(Refusal::NoSession(id.chars().take(SESSION_ID_LENGTH).collect()).into())
        })
    }
}

impl Caller {
    /// The caller of a request that is about another session than its address says, and has no right to play there.
    pub(super) fn without_token(request: &HttpRequest, session: SessionId) -> Self {
        let (api, found) = shared(request);
        let address = rates::address(request, api.caps.trust_proxy);
        Self { api, session, address, found, token: None }
    }
}

fn shared(request: &HttpRequest) -> (Data<Api>, Data<Found>) {
    let api = request.app_data::<Data<Api>>().expect("the app is built with it");
    let found = request.app_data::<Data<Found>>().expect("the app is built with it");
    (Data::clone(api), Data::clone(found))
}

/// A session that a request has found, and may ask.
pub(super) struct Seat<'a> {
    caller: &'a Caller,
    handle: SessionHandle,
}

impl Caller {
    /// The session, to be asked what everybody may know.
    pub(super) async fn watch(&self) -> Result<Seat<'_>, Problem> {
        Ok(Seat { handle: self.find().await?, caller: self })
    }

    /// The session, if the caller has control of it.
    pub(super) async fn control(&self) -> Result<Seat<'_>, Problem> {
        let seat = self.watch().await?;
        seat.handle.control().check(self.token.as_deref())?;
        Ok(seat)
    }

    /// Counts a command, or another call that costs as much.
    ///
    /// # Errors
    /// - 429 when its address or its session has had more than it may.
    pub(super) fn spend(&self) -> Result<(), Problem> {
        let (api, now) = (&self.api, Instant::now());
        if let Some(address) = self.address {
            api.spent.moves_per_address.take(address, now).map_err(|wait| {
                let most = api.caps.moves_per_address.unwrap_or_default();
                let detail = format!(
                    "more than {most} commands a second come from your address (--moves-per-address): slow down"
                );
                Problem::too_much(Limit::MovesPerAddress, detail, wait)
            })?;
        }
        api.spent.moves_per_session.take(self.session.clone(), now).map_err(|wait| {
            let most = api.caps.moves_per_session.unwrap_or_default();
            let detail = format!(
                "more than {most} commands a second come to this session (--moves-per-session): slow down"
            );
            Problem::too_much(Limit::MovesPerSession, detail, wait)
        })
    }

    /// A place among those whose command waits to be saved, which advice does not.
    ///
    /// # Errors
    /// - 503 when there is none: the wait would be long.
    fn wait_in_line(&self, kind: Command) -> Result<Option<SemaphorePermit<'_>>, Problem> {
        if matches!(kind, Command::Hint | Command::Step) {
            return Ok(None);
        }
        self.api.spent.commands.try_acquire().map(Some).map_err(|_full| {
            let most = self.api.caps.commands;
            let detail = format!(
                "{most} commands wait to be saved, and no more may (--max-commands): ask again"
            );
            Problem::busy(Limit::Commands, detail)
        })
    }

    /// What only the operator may do, unless the server is this machine's alone.
    pub(super) fn as_operator(&self) -> Result<(), Problem> {
        Ok(self.api.operator.check(self.token.as_deref())?)
    }

    /// The session, as it was found before if it may still be there.
    async fn find(&self) -> Result<SessionHandle, Refusal> {
        match self.found.get(&self.session) {
            Some(handle) => Ok(handle),
            None => self.find_again().await,
        }
    }

    /// The session, as the lobby knows it.
    async fn find_again(&self) -> Result<SessionHandle, Refusal> {
        let handle = self.api.lobby.ask(FindSession { id: self.session.clone() }).await?;
        self.found.put(&handle);
        Ok(handle)
    }
}

impl Seat<'_> {
    /// Asks what changes nothing: a session that left memory or crashed meanwhile is found and asked again.
    pub(super) async fn read<M, T>(self, message: M) -> Result<T, Problem>
    where
        M: Message<Result = Result<T, Refusal>> + Clone + Send + 'static,
        T: Send + 'static,
        Session: Handler<M>,
        <Session as Actor>::Context: ToEnvelope<Session, M>,
    {
        let Self { caller, mut handle } = self;
        for _ in 0..READS {
            match handle.ask(message.clone()).await {
                Err(Refusal::Passivated(_) | Refusal::Crashed(_)) => {
                    tokio::time::sleep(READ_AGAIN).await;
                    handle = caller.find_again().await?;
                }
                answer => return Ok(answer?),
            }
        }
        Ok(handle.ask(message).await?)
    }

    /// Asks, and once more if the session left memory in between: nothing of the message was done then.
    pub(super) async fn ask<M, T>(self, message: M) -> Result<T, Problem>
    where
        M: Counted + Message<Result = Result<T, Refusal>> + Clone + Send + 'static,
        T: Send + 'static,
        Session: Handler<M>,
        <Session as Actor>::Context: ToEnvelope<Session, M>,
    {
        let _waiting = self.caller.wait_in_line(M::KIND)?;
        self.caller.spend()?;
        let begun = Instant::now();
        let answer = match self.handle.ask(message.clone()).await {
            Err(Refusal::Passivated(_)) => match self.caller.find_again().await {
                Ok(handle) => handle.ask(message).await,
                Err(refusal) => Err(refusal),
            },
            answer => answer,
        };
        let reply = answer.as_ref().map_or_else(Reply::of, |_| Reply::Done);
        let took = begun.elapsed().as_secs_f64();
        self.caller.api.metrics.commands.carried_out(M::KIND, reply, took);
        Ok(answer?)
    }
}

/// A message that is counted as a command.
pub(super) trait Counted {
    /// As which.
    const KIND: Command;
}

impl Counted for PlayMove {
    const KIND: Command = Command::Move;
}

impl Counted for StartGame {
    const KIND: Command = Command::New;
}

impl Counted for StartAgent {
    const KIND: Command = Command::AgentStart;
}

impl Counted for StopAgent {
    const KIND: Command = Command::AgentStop;
}

impl Counted for Step {
    const KIND: Command = Command::Step;
}

impl Counted for Hint {
    const KIND: Command = Command::Hint;
}

impl Counted for GiveLink {
    const KIND: Command = Command::Link;
}

impl Counted for RevokeLinks {
    const KIND: Command = Command::Revoke;
}

/// Whether it could be a session's id: what could not is nobody's, and is not looked for.
fn is_id(text: &str) -> bool {
    (1..=SESSION_ID_LENGTH).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn bearer(request: &HttpRequest) -> Option<&str> {
    let (scheme, token) =
        request.headers().get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_token_comes_as_a_bearer() {
        let token = |value: &str| {
            let request = TestRequest::default().insert_header((header::AUTHORIZATION, value));
            bearer(&request.to_http_request()).map(str::to_owned)
        };
        assert_eq!(token("Bearer abc").as_deref(), Some("abc"));
        assert_eq!(token("bearer abc").as_deref(), Some("abc"));
        assert_eq!(token("Basic abc"), None);
        assert_eq!(token("abc"), None);
    }

    #[test]
    fn an_id_has_letters_digits_and_lines() {
        assert!(is_id("main") && is_id("0f3c-5e_9"));
        assert!(!is_id("") && !is_id("a/b") && !is_id("a b") && !is_id(&"a".repeat(65)));
    }
}
