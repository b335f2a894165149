//! The loop of one session's agent: it asks a player, and asks the session to play what the player chose.
//!
//! | receives  | from    | answers |
//! |-----------|---------|---------|
//! | [`Drive`] | session | nothing |
//! | [`Halt`]  | session | nothing |
//!
//! Mailbox: actix's 16; only the session writes to it, and never waits. It holds one turn and one thought at a time;
//! new orders end the thought. It has no say in what is played: the session refuses what was decided for another turn.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix::{
    Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, MailboxError, Message,
    Recipient, SpawnHandle, WrapFuture, fut::wrap_future,
};
use store::{Pace, SessionId};

use super::{
    player::{Choice, ChooseMove, PlayerFailed, Seat},
    refusal::Refusal,
    session::{AgentFailed, Mover, PlayMove, Played, Ticket, Turn, stored_decision},
    stop::Stop,
};
use crate::{jev::entry::Entry, roster::Roster};

mod pace;

/// How long to wait before a move that the session could not take is offered again.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Drive from this turn on.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub struct Drive {
    /// How.
    pub orders: Orders,
    /// From where.
    pub turn: Turn,
}

/// How the agent is to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    /// The player to ask.
    pub player: String,
    /// How fast to play.
    pub pace: Pace,
    /// Time between two moves at a fixed pace.
    pub interval: Duration,
    /// Time for one decision.
    pub budget: Option<Duration>,
}

/// Stop thinking and playing.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Halt;

/// The actor.
pub struct Runner {
    id: SessionId,
    session: Recipient<PlayMove>,
    failures: Recipient<AgentFailed>,
    roster: Arc<Roster>,
    driving: Option<Driving>,
}

/// A decision and the turn that it was made for; the two are never parted.
#[derive(Clone)]
struct Decided {
    ticket: Ticket,
    decision: store::StoredDecision,
    /// What the transcript is told when it is played.
    entry: Option<Arc<Entry>>,
}

/// One run of the agent.
struct Driving {
    orders: Orders,
    mind: Recipient<ChooseMove>,
    turn: Turn,
    /// Before this, nothing is played.
    due: Instant,
    /// Ends the thought under way.
    stop: Stop,
    /// The thought, the wait for its time, or the wait for the session's answer.
    task: SpawnHandle,
}

impl Runner {
    /// The runner of the session called `id`, which plays its moves and hears of its failures.
    pub fn new(
        id: SessionId,
        session: Recipient<PlayMove>,
        failures: Recipient<AgentFailed>,
        roster: Arc<Roster>,
    ) -> Self {
        Self { id, session, failures, roster, driving: None }
    }
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("driving", &self.driving.is_some()).finish_non_exhaustive()
    }
}

impl Actor for Runner {
    type Context = Context<Self>;

    fn stopped(&mut self, _ctx: &mut Self::Context) {
        if let Some(driving) = &self.driving {
            driving.stop.stop();
        }
    }
}

impl Handler<Drive> for Runner {
    type Result = ();

    fn handle(&mut self, Drive { orders, turn }: Drive, ctx: &mut Self::Context) {
        let before = self.halt(ctx);
        let due = before.as_ref().map_or_else(Instant::now, |driving| driving.due);
        // A player keeps what it has learned of the game from one turn to the next.
        let mind = match before {
            Some(driving) if driving.orders.player == orders.player => Ok(driving.mind),
            _ => self.roster.start(&orders.player),
        };
        match mind {
            Ok(mind) => {
                self.driving = Some(Driving {
                    orders,
                    mind,
                    turn,
                    due,
                    stop: Stop::default(),
                    task: SpawnHandle::default(),
                });
                self.think(ctx);
            }
            Err(text) => self.fail(turn.ticket.run, text, ctx),
        }
    }
}

impl Handler<Halt> for Runner {
    type Result = ();

    fn handle(&mut self, _: Halt, ctx: &mut Self::Context) {
        self.halt(ctx);
    }
}

impl Runner {
    /// What is driven, if it is still at this turn. A task that was cancelled may have been ready already, and then
    /// runs once more: its turn is over.
    fn at(&mut self, ticket: &Ticket) -> Option<&mut Driving> {
        self.driving.as_mut().filter(|driving| driving.turn.ticket == *ticket)
    }

    /// Ends whatever is under way.
    fn halt(&mut self, ctx: &mut Context<Self>) -> Option<Driving> {
        let driving = self.driving.take()?;
        driving.stop.stop();
        ctx.cancel_future(driving.task);
        Some(driving)
    }

    fn think(&mut self, ctx: &mut Context<Self>) {
        let Some(driving) = &mut self.driving else { return };
        if driving.turn.over {
            return;
        }
        driving.stop = Stop::default();
        let game = driving.turn.ticket.game.clone();
        let question = ChooseMove {
            position: driving.turn.position.clone(),
            seat: Seat { session: self.id.clone(), game, plays: true },
            budget: driving.orders.budget,
            stop: driving.stop.clone(),
            yields: false,
        };
        let asked = wrap_future::<_, Self>(driving.mind.send(question));
        let ticket = driving.turn.ticket.clone();
        driving.task =
            ctx.spawn(asked.map(|choice, runner, ctx| runner.chosen(ticket, choice, ctx)));
    }

    fn chosen(
        &mut self,
        ticket: Ticket,
        choice: Result<Result<Choice, PlayerFailed>, MailboxError>,
        ctx: &mut Context<Self>,
    ) {
        let Some(driving) = self.at(&ticket) else { return };
        let run = ticket.run;
        match choice {
            Ok(Ok(choice)) if choice.decision.direction.is_some() => {
                let decision = stored_decision(&driving.orders.player, &choice);
                let decided = Decided { ticket, decision, entry: choice.entry };
                let wait = driving.due.saturating_duration_since(Instant::now());
                if wait.is_zero() {
                    self.play(decided, ctx);
                } else {
                    driving.task =
                        ctx.run_later(wait, move |runner, ctx| runner.play(decided, ctx));
                }
            }
            Ok(Ok(_)) => {
                self.fail(run, "NoMove: it chose none of the legal directions".to_owned(), ctx);
            }
            Ok(Err(failed)) => self.fail(run, failed.to_string(), ctx),
            Err(gone) => self.fail(run, format!("Gone: {gone}"), ctx),
        }
    }

    fn play(&mut self, decided: Decided, ctx: &mut Context<Self>) {
        if self.at(&decided.ticket).is_none() {
            return;
        }
        let Decided { ticket, decision, entry } = decided.clone();
        let index =
            usize::from(decision.direction.expect("a decision that is played has a direction"));
        let direction = engine::Direction::from_index(index).expect("players choose one of four");
        let asked = wrap_future::<_, Self>(
            self.session.send(PlayMove { direction, by: Mover::Agent { ticket, decision, entry } }),
        );
        let task = ctx.spawn(asked.map(|played, runner, ctx| match played {
            Ok(played) => runner.played(decided, played, ctx),
            // The session is gone; whoever loads it again starts another runner.
            Err(_gone) => ctx.stop(),
        }));
        if let Some(driving) = &mut self.driving {
            driving.task = task;
        }
    }

    fn played(
        &mut self,
        decided: Decided,
        played: Result<Played, Refusal>,
        ctx: &mut Context<Self>,
    ) {
        let Some(driving) = self.at(&decided.ticket) else { return };
        match played {
            Ok(Played::Turn(Some(turn))) => {
                driving.due = Instant::now()
                    + pace::delay(&driving.orders, &driving.turn.position, &turn.position);
                driving.turn = turn;
                self.think(ctx);
            }
            Ok(Played::Turn(None) | Played::Done(_)) => self.driving = None,
            // Full disk or the like: what is refused now may be taken later.
            Err(_refused) => {
                driving.task =
                    ctx.run_later(AGAIN_AFTER, move |runner, ctx| runner.play(decided, ctx));
            }
        }
    }

    fn fail(&mut self, run: u64, error: String, ctx: &mut Context<Self>) {
        self.driving = None;
        let told = self.failures.send(AgentFailed { run, error });
        ctx.spawn(told.into_actor(self).map(|told, _runner, ctx| {
            if told.is_err() {
                ctx.stop();
            }
        }));
    }
}
