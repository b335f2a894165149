//! One player's mind for one session.
//!
//! | receives       | from            | answers                                  |
//! |----------------|-----------------|------------------------------------------|
//! | [`ChooseMove`] | runner, session | a [`Choice`], or why the player failed   |
//!
//! Mailbox: actix's 16; one thought at a time, the next waits in the mailbox. Players that search do so on the
//! blocking pool, never on the arbiter, with one of as many permits as the configuration allows; the deadline starts
//! when the permit is there. Advice that somebody asked for gives its permit up when others wait and it has had its
//! share. A player that panics, or is silent long after its deadline, is an error answer: the thread is left to itself
//! and a new mind is made for the next question.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix::{Actor, ActorFutureExt, AtomicResponse, Context, Handler, Message, WrapFuture};
use players::{Clock, Decision, Limits, Position};
use prometheus::Histogram;
use store::{GameId, SessionId};

mod permits;

use permits::Permit;
pub use permits::Permits;

use super::stop::Stop;
use crate::{
    jev::entry::Entry,
    metrics::{Fallback, Metrics},
};

/// How long after its deadline a player may be silent before it is given up.
const GRACE: Duration = Duration::from_secs(5);

/// How long after its deadline, or after it was told to stop, a thought holds its permit: others shall not wait for one that
/// hangs.
const LATE: Duration = Duration::from_secs(1);

/// How long advice may think while others wait: then it is asked for what it has.
const SHARE: Duration = Duration::from_secs(1);

/// Asks for one decision.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Choice, PlayerFailed>")]
pub struct ChooseMove {
    /// What the player sees.
    pub position: Position,
    /// Where it is asked.
    pub seat: Seat,
    /// Time for the decision; the player's own default when left out.
    pub budget: Option<Duration>,
    /// Turned by the asker when it does not want the answer any more.
    pub stop: Stop,
    /// Whether it is ended early when others wait for a permit, so that a few long thoughts don't hold all of them.
    pub yields: bool,
}

/// Where a player sits, for what it is told beside the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The session.
    pub session: SessionId,
    /// The game.
    pub game: GameId,
    /// Whether the answer is played, and not only advice.
    pub plays: bool,
}

/// A decision and how long it took.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The decision.
    pub decision: Decision,
    /// Time spent on it, waiting for a permit left out.
    pub latency: Duration,
    /// Whether it was ended early since others were waiting.
    pub yielded: bool,
    /// What the transcript is told when it is played, if it is of the hosted model.
    pub entry: Option<Arc<Entry>>,
}

/// The player gave no decision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {text}")]
pub struct PlayerFailed {
    /// The kind of error, such as `Panic`.
    pub kind: &'static str,
    /// What went wrong.
    pub text: String,
}

/// The actor.
pub struct Player {
    make: Box<dyn Fn() -> Box<dyn players::Player>>,
    /// The time for a decision when the asker names none; `None` for a player that needs no time at all.
    default_budget: Option<Duration>,
    /// Absent while it thinks, and after it failed.
    mind: Option<Box<dyn players::Player>>,
    permits: Arc<Permits>,
    figures: Figures,
    /// Ends the thought under way.
    stop: Stop,
}

/// Where a player's thoughts are counted.
#[derive(Debug, Clone)]
pub struct Figures {
    /// How long they took.
    pub think_seconds: Histogram,
    /// Everything else.
    pub metrics: Arc<Metrics>,
}

impl Figures {
    /// Counts a choice that a player made.
    pub fn chosen(&self, choice: &Choice) {
        self.think_seconds.observe(choice.latency.as_secs_f64());
    }
}

impl Player {
    /// A player made by `make`, thinking under `permits` unless it needs no time.
    pub fn new(
        make: impl Fn() -> Box<dyn players::Player> + 'static,
        default_budget: Option<Duration>,
        permits: Arc<Permits>,
        figures: Figures,
    ) -> Self {
        let stop = Stop::default();
        Self { make: Box::new(make), default_budget, mind: None, permits, figures, stop }
    }
}

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player")
            .field("default_budget", &self.default_budget)
            .finish_non_exhaustive()
    }
}

impl Actor for Player {
    type Context = Context<Self>;

    fn stopped(&mut self, _ctx: &mut Self::Context) {
        self.stop.stop();
    }
}

impl Handler<ChooseMove> for Player {
    type Result = AtomicResponse<Self, Result<Choice, PlayerFailed>>;

    fn handle(&mut self, question: ChooseMove, _ctx: &mut Self::Context) -> Self::Result {
        let mind = self.mind.take().unwrap_or_else(&self.make);
        self.stop = question.stop.clone();
        let budget = self.default_budget.map(|default| question.budget.unwrap_or(default));
        let permits = Arc::clone(&self.permits);
        let waited = self.figures.metrics.players.permit_seconds.clone();
        let thought = async move {
            match budget {
                None => Ok(think(mind, &question, None)),
                Some(budget) => {
                    let begun = Instant::now();
                    let permit = tokio::select! {
                        permit = permits.acquire(question.yields) => permit,
                        // Advice that nobody waits for any more waits for nothing either.
                        () = question.stop.stopped(), if question.yields => return Err(unwanted()),
                    };
                    waited.observe(begun.elapsed().as_secs_f64());
                    let permit = permit.map_err(|closed| failed("Stopped", &closed))?;
                    search(mind, question, budget, (permit, &permits)).await
                }
            }
        };
        AtomicResponse::new(Box::pin(thought.into_actor(self).map(|thought, player, _ctx| {
            let (choice, mind) = thought?;
            player.figures.chosen(&choice);
            if choice.decision.fallback.is_some() {
                player.figures.metrics.players.fallbacks.add(Fallback::Forced);
            }
            player.mind = Some(mind);
            Ok(choice)
        })))
    }
}

type Thought = (Choice, Box<dyn players::Player>);

/// Thinks on the blocking pool, under a permit.
async fn search(
    mind: Box<dyn players::Player>,
    question: ChooseMove,
    budget: Duration,
    (permit, permits): (Permit, &Permits),
) -> Result<Thought, PlayerFailed> {
    let (stop, yields) = (question.stop.clone(), question.yields);
    let thought = tokio::task::spawn_blocking(move || think(mind, &question, Some(budget)));
    let mut thought = std::pin::pin!(tokio::time::timeout(budget + GRACE, thought));
    let mut share = std::pin::pin!(has_had_its_share(permits));
    let mut late = std::pin::pin!(is_late(budget, &stop));
    let (mut permit, mut yielded) = (Some(permit), false);
    let ended = loop {
        tokio::select! {
            ended = &mut thought => break ended,
            () = &mut late, if permit.is_some() => permit = None,
            () = &mut share, if yields && !yielded && !stop.is_stopped() => {
                yielded = true;
                stop.stop();
            }
        }
    };
    match ended {
        Ok(Ok((choice, mind))) => Ok((Choice { yielded, ..choice }, mind)),
        Ok(Err(join)) => Err(panicked(join)),
        Err(elapsed) => {
            stop.stop();
            Err(failed("Hung", &elapsed))
        }
    }
}

/// Comes to its end when somebody waits who has more right to the permit.
async fn has_had_its_share(permits: &Permits) {
    tokio::time::sleep(SHARE).await;
    permits.wanted().await;
}

/// Comes to its end when a thought should have had its answer for some time.
async fn is_late(budget: Duration, stop: &Stop) {
    tokio::select! {
        () = tokio::time::sleep(budget) => {}
        () = stop.stopped() => {}
    }
    tokio::time::sleep(LATE).await;
}

fn think(
    mut mind: Box<dyn players::Player>,
    question: &ChooseMove,
    budget: Option<Duration>,
) -> Thought {
    let clock = Stopwatch(Instant::now());
    let limits = Limits {
        budget,
        nodes: None,
        clock: &clock,
        stop: question.stop.flag(),
        seed: rand::random(),
    };
    let decision = mind.choose(&question.position, &limits);
    (Choice { decision, latency: clock.elapsed(), yielded: false, entry: None }, mind)
}

/// The player panicked, or what it ran on was closed.
pub(super) fn panicked(join: tokio::task::JoinError) -> PlayerFailed {
    let text = join.try_into_panic().ok().and_then(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned())
    });
    PlayerFailed {
        kind: "Panic",
        text: text.unwrap_or_else(|| "the player gave no reason".to_owned()),
    }
}

fn failed(kind: &'static str, error: &dyn std::error::Error) -> PlayerFailed {
    PlayerFailed { kind, text: error.to_string() }
}

fn unwanted() -> PlayerFailed {
    PlayerFailed { kind: "Stopped", text: "nobody waits for it any more".to_owned() }
}

struct Stopwatch(Instant);

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
