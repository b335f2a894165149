//! The session and the players it asks: the agent that drives, and advice for a step or a hint.

use std::{sync::Arc, time::Duration};

use actix::{Actor, AsyncContext, Context};
use engine::{Board, Direction};
use players::Facts;
use store::{GameId, Pace, StoredDecision};

use super::{CommandKey, Refusal, Session, Turn, commands::Known, decision_of};
use crate::actors::{
    player::{Choice, ChooseMove, Seat},
    runner::{Drive, Halt, Orders, Runner},
    stop::{Stop, StopOnDrop},
};
use crate::{metrics::Limit, secret};

/// What a player would do.
#[derive(Debug)]
pub(super) struct Advice {
    player: String,
    choice: Choice,
    unwanted: bool,
}

impl Advice {
    /// As it is shown and stored.
    pub(super) fn stored_decision(&self) -> StoredDecision {
        stored_decision(&self.player, &self.choice)
    }

    /// Whether it was ended by whoever asked for it, and not because others were waiting.
    pub(super) fn is_unwanted(&self) -> bool {
        self.unwanted
    }

    /// Has the transcript told, if the move was played.
    pub(super) fn played(&self, acted: bool) {
        if let Some(entry) = self.choice.entry.as_ref().filter(|_| acted) {
            entry.told();
        }
    }

    /// The reply to a hint on `board`.
    pub(super) fn hint(&self, board: &Board) -> protocol::HintReply {
        let moves = Direction::ALL.into_iter().map(|direction| {
            let facts = Facts::of(board, direction);
            (direction.into(), hint_move(facts, self.choice.decision.values[direction.index()]))
        });
        protocol::HintReply {
            decision: decision_of(&self.stored_decision()),
            moves: moves.collect(),
        }
    }
}

impl Session {
    /// Asks `player` (the agent's, if none is named) about the position as it is, until `stop` is turned; `plays` is
    /// whether its answer is to be played.
    pub(super) fn advice(
        &self,
        plays: bool,
        player: Option<String>,
        budget: Option<Duration>,
        stop: Stop,
    ) -> impl Future<Output = Result<Advice, Refusal>> + use<> {
        let player = player.unwrap_or_else(|| self.table.agent.player.clone());
        let Turn { ticket, position, .. } = self.table.turn();
        let seat = Seat { session: self.table.session.clone(), game: ticket.game, plays };
        let mind = self.place_to_advise().and_then(|place| {
            let mind = self.parts.roster.start(&player).map_err(Refusal::Invalid)?;
            Ok((mind, place))
        });
        async move {
            let stop = StopOnDrop(stop);
            // Given up with the answer, or when nobody waits for it any more.
            let (mind, _place) = mind?;
            let question =
                ChooseMove { position, seat, budget, stop: stop.0.clone(), yields: true };
            match mind.send(question).await {
                Ok(Ok(choice)) => {
                    let unwanted = stop.0.is_stopped() && !choice.yielded;
                    Ok(Advice { player, choice, unwanted })
                }
                Ok(Err(failed)) => {
                    Err(Refusal::Unavailable(format!("{player} gave no answer: {failed}")))
                }
                Err(gone) => Err(Refusal::Unavailable(format!("{player} gave no answer: {gone}"))),
            }
        }
    }

    /// A place among the thoughts about steps and hints, which one session alone must not fill.
    fn place_to_advise(&self) -> Result<Arc<()>, Refusal> {
        let (most, thoughts) = (self.parts.most_advice, Arc::strong_count(&self.advising) - 1);
        if thoughts >= most {
            let text = format!(
                "{thoughts} hints and steps of this session are being thought about, and no more may be \
                 (--max-advice-per-session): wait for one"
            );
            return Err(Refusal::Full { limit: Limit::Advice, text });
        }
        Ok(Arc::clone(&self.advising))
    }

    /// Ends the thoughts about steps that can't be played any more, so that they keep nobody from thinking.
    pub(super) fn drop_steps(&self) {
        self.steps.iter().for_each(Stop::stop);
    }

    /// Counts the agent that is about to be started.
    pub(super) fn make_room_to_play(
        &mut self,
        command: Option<&CommandKey>,
    ) -> Result<(), Refusal> {
        let repeated = command.is_some_and(|key| self.commands.look_up(key) != Known::New);
        if self.playing.is_none() && !repeated {
            self.playing = Some(self.parts.agents.one_more()?);
        }
        Ok(())
    }

    /// Counts the agent as long as it plays.
    pub(super) fn count_agent(&mut self) {
        if !self.table.agent.running {
            self.playing = None;
        } else if self.playing.is_none() {
            self.playing = Some(self.parts.agents.anyway());
        }
    }

    /// Has the runner do what the table says: drive on from the turn as it is, or halt.
    pub(super) fn direct_agent(&mut self, ctx: &mut Context<Self>) {
        self.count_agent();
        if self.table.is_between_games() {
            self.halt_agent();
            return self.begin_next_game_soon(ctx);
        }
        if !self.table.agent.running {
            return self.halt_agent();
        }
        let agent = &self.table.agent;
        let drive = Drive {
            orders: Orders {
                player: agent.player.clone(),
                pace: agent.pace,
                interval: agent.interval,
                budget: agent.budget,
            },
            turn: self.table.turn(),
        };
        let told =
            self.runner.as_ref().is_some_and(|runner| runner.try_send(drive.clone()).is_ok());
        if !told {
            // There is none yet, or it is gone or stuck: another takes over, and what that one plays is refused.
            let address = ctx.address();
            let runner = Runner::new(
                self.table.session.clone(),
                address.clone().recipient(),
                address.recipient(),
                Arc::clone(&self.parts.roster),
            )
            .start();
            if runner.try_send(drive).is_err() {
                tracing::error!(session = %self.table.session, "a new runner takes no orders");
            }
            self.runner = Some(runner);
        }
    }

    /// Gives people a look at the end of a game before the agent's next one.
    fn begin_next_game_soon(&self, ctx: &mut Context<Self>) {
        let (run, pause) = (self.table.turn().ticket.run, between_games(self.table.agent.pace));
        ctx.run_later(pause, move |session, ctx| {
            let before =
                session.outbox.next.checkpoint.is_none().then(|| session.table.checkpoint());
            let (id, seed) = (GameId::new(secret::id()), rand::random());
            if let Some(effect) = session.table.next_game(run, id, seed) {
                session.outbox.next.add(before, effect);
                session.direct_agent(ctx);
                session.flush(ctx);
            }
        });
    }

    /// Has the runner stop thinking. If it is gone or stuck it is left alone: nothing of it is played any more.
    pub(super) fn halt_agent(&mut self) {
        if self.runner.as_ref().is_some_and(|runner| runner.try_send(Halt).is_err()) {
            self.runner = None;
        }
    }
}

/// How long the end of a game is shown before the next of a series begins.
fn between_games(pace: Pace) -> Duration {
    match pace {
        Pace::Max => Duration::from_millis(50),
        Pace::Fixed | Pace::Adaptive => Duration::from_secs(2),
    }
}

/// A decision as it is shown and stored.
pub(crate) fn stored_decision(player: &str, choice: &Choice) -> StoredDecision {
    let decision = &choice.decision;
    StoredDecision {
        direction: decision.direction.map(|direction| direction.index() as u8),
        source: if decision.fallback.is_some() { "fallback" } else { player }.to_owned(),
        reason: decision.fallback.clone(),
        detail: decision.detail.clone(),
        probabilities: decision.probabilities,
        confidence: decision.confidence,
        risk: Some(decision.risk),
        latency_ms: Some(choice.latency.as_millis() as u64),
    }
}

fn hint_move(facts: Option<Facts>, value: Option<f64>) -> protocol::HintMove {
    let Some(facts) = facts else { return protocol::HintMove::default() };
    protocol::HintMove {
        legal: true,
        gained: Some(facts.gained),
        merges: Some(u32::from(facts.merges)),
        empty_after: Some(facts.empty_after as u32),
        legal_after: Some(facts.legal_after.len() as u32),
        merges_after: Some(facts.merges_after as u32),
        keeps_corner: Some(facts.keeps_corner),
        monotonicity_after: Some(facts.monotonicity_after),
        could_end_the_game: Some(facts.could_end_the_game),
        value,
    }
}
