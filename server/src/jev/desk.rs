//! Where questions about moves are asked: one for the whole server.
//!
//! It has a thread and a runtime of its own, so that no connection, certificate or answer ever holds up an arbiter.

use std::{fmt, sync::Arc, time::Instant};

use bytes::Bytes;
use players::{Decision, Position};
use store::{GameId, SessionId};
use tokio::{
    runtime::{self, Handle, Runtime},
    task::{AbortHandle, JoinError},
};

use super::{
    NO_KEY, Secret, Settings,
    answer::Answer,
    call::{Call, Exchange, NoRoots},
    failure::{Failure, sentence},
    ledger::{Course, Ledger, Spending, Spent},
    question::Sent,
    record::{Received, Record, cost},
    verdict::Verdict,
};
use crate::{
    actors::stop::Stop,
    clock::{day, now, text},
    metrics::{Fallback, Metrics, Outcome},
    transcript::Transcript,
};

/// What a decision says while the service is left alone. The same each time, so that it is told once.
pub const UNAVAILABLE: &str = "Jev unavailable, rules is playing";

/// What becomes of a question whose asker does not want the answer any more; nobody sees it.
const UNWANTED: &str = "the answer was not wanted any more";

/// The desk.
pub struct Desk {
    settings: Settings,
    call: Call,
    ledger: Ledger,
    transcript: Transcript,
    runtime: Handle,
    metrics: Arc<Metrics>,
}

/// The thread that a desk works on. Dropping it ends what is under way there and waits for nothing, so that it can be
/// dropped wherever a server may fail to start.
#[derive(Debug)]
pub struct Workplace {
    handle: Handle,
    runtime: Option<Runtime>,
}

impl Workplace {
    /// Starts the thread.
    ///
    /// # Errors
    /// - When the operating system gives none.
    pub fn open() -> std::io::Result<Self> {
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("jev")
            .enable_all()
            .build()?;
        Ok(Self { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A question about one move.
#[derive(Debug, Clone)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// The session it is in.
    pub session: SessionId,
    /// The game it is in.
    pub game: GameId,
    /// Whether the answer is played, and not only advice.
    pub plays: bool,
    /// Ends it.
    pub stop: Stop,
}

impl Desk {
    /// A desk that works at `place`, and tells `transcript`.
    ///
    /// # Errors
    /// - [`NoRoots`] when the service could not be known from others.
    pub fn new(
        settings: Settings,
        transcript: Transcript,
        place: &Workplace,
    ) -> Result<Self, NoRoots> {
        let call = Call::new(&settings)?;
        let ledger = Ledger::new(settings.session_budget, settings.day_budget);
        let (runtime, metrics) = (place.handle.clone(), Metrics::new());
        Ok(Self { settings, call, ledger, transcript, runtime, metrics })
    }

    /// The same, whose questions are counted in `metrics`.
    #[must_use]
    pub fn counted_in(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// What `session` and all sessions together have spent.
    pub fn spending(&self, session: &SessionId) -> Spending {
        self.ledger.spending(session, day(now()))
    }

    /// Decides about a move: the model's answer, or the rules player's move with the reason. Dropping this ends it.
    ///
    /// # Errors
    /// - [`Spent`] when nothing may be asked any more.
    /// - [`JoinError`] when deciding panicked, or the desk was closed meanwhile.
    pub async fn decide(
        self: &Arc<Self>,
        question: Question,
    ) -> Result<Result<Decision, Spent>, JoinError> {
        let desk = Arc::clone(self);
        let task = self.runtime.spawn(async move { desk.think(&question).await });
        let _dropped_with_this = AbortOnDrop(task.abort_handle());
        task.await
    }

    async fn think(&self, question: &Question) -> Result<Decision, Spent> {
        let position = &question.position;
        if let Some(decision) = Decision::forced(&position.board) {
            let why = decision.fallback.clone().unwrap_or_default();
            return Ok(self.not_asked(question, decision, Fallback::Forced, &why));
        }
        let Some(key) = self.settings.key.read() else {
            let verdict = Verdict::fallen_back(position, NO_KEY);
            return Ok(self.not_asked(question, verdict.decision, Fallback::NoKey, NO_KEY));
        };
        if let Course::LeaveAlone(moves) = self.ledger.course() {
            let verdict = Verdict::fallen_back(position, UNAVAILABLE);
            let moves = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
            let why = format!("the service fails and is left alone, to be asked again in {moves}");
            return Ok(self.not_asked(question, verdict.decision, Fallback::LeftAlone, &why));
        }
        self.ask(question, &key).await
    }

    /// Asks, unless a budget is spent, and judges what comes back.
    async fn ask(&self, question: &Question, key: &Secret) -> Result<Decision, Spent> {
        let about = Sent::about(&question.position);
        let body = serde_json::to_vec(&about.to(&self.settings.model));
        let body = Bytes::from(body.expect("a request can be written as JSON"));
        let pay = || self.ledger.spend(&question.session, day(now()));
        let begun = Instant::now();
        let exchange = tokio::select! {
            biased;
            () = question.stop.stopped() => None,
            exchange = self.call.ask(key, body, pay) => Some(exchange),
        };
        let told = Told { question, sent: &about, begun, key };
        match exchange {
            None => Ok(self.unwanted(&told)),
            Some(Ok(exchange)) => Ok(self.judge(&told, exchange)),
            Some(Err(spent)) => {
                self.metrics.model.requests.add(Outcome::Spent);
                self.transcript.add(|| blank(question, format!("not asked: {spent}")));
                Err(spent)
            }
        }
    }

    fn judge(&self, told: &Told<'_>, exchange: Exchange) -> Decision {
        let Exchange { outcome, request_id, attempts } = exchange;
        let position = &told.question.position;
        let answer = outcome.and_then(|body| Answer::read(&body));
        match &answer {
            Ok(_) => self.ledger.answered(),
            Err(Failure::Refused { .. }) => self.ledger.refused(),
            Err(_) => self.ledger.failed(),
        }
        self.count(&answer, attempts);
        let verdict = match &answer {
            Ok(answer) => Verdict::on(answer, position, self.settings.threshold, told.key),
            Err(failure) => Verdict::fallen_back(position, failure.to_string()),
        };
        if verdict.decision.fallback.is_some() {
            let why = answer.as_ref().map_or_else(Failure::fallback, |_| Fallback::Doubted);
            self.metrics.players.fallbacks.add(why);
        }
        self.transcript.add(|| Record {
            received: answer.as_ref().ok().map(|answer| received(answer, told.key)),
            request_id,
            attempts,
            error: answer.as_ref().err().map(ToString::to_string),
            ..told.record(verdict.outcome(told.question.plays))
        });
        verdict.decision
    }

    fn count(&self, answer: &Result<Answer, Failure>, attempts: u32) {
        let figures = &self.metrics.model;
        figures.attempts.inc_by(u64::from(attempts));
        figures.requests.add(answer.as_ref().map_or_else(Failure::outcome, |_| Outcome::Answered));
        if let Ok(answer) = answer {
            figures.tokens_read.inc_by(answer.input_tokens.unwrap_or_default());
            figures.tokens_written.inc_by(answer.output_tokens.unwrap_or_default());
        }
    }

    fn unwanted(&self, told: &Told<'_>) -> Decision {
        self.metrics.model.requests.add(Outcome::Cancelled);
        self.metrics.players.fallbacks.add(Fallback::Unwanted);
        self.transcript.add(|| told.record("cancelled".to_owned()));
        Verdict::fallen_back(&told.question.position, UNWANTED).decision
    }

    /// Tells that nothing was asked, since silence could mean anything.
    fn not_asked(
        &self,
        question: &Question,
        decision: Decision,
        reason: Fallback,
        why: &str,
    ) -> Decision {
        self.metrics.players.fallbacks.add(reason);
        self.transcript.add(|| blank(question, format!("not asked: {why}")));
        decision
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// A question that went out.
struct Told<'a> {
    question: &'a Question,
    sent: &'a Sent,
    begun: Instant,
    key: &'a Secret,
}

impl Told<'_> {
    fn record(&self, outcome: String) -> Record<'_> {
        let latency_ms = self.begun.elapsed().as_millis() as u64;
        Record { sent: Some(self.sent), latency_ms, ..blank(self.question, outcome) }
    }
}

/// The record of a question that did not go out.
fn blank(question: &Question, outcome: String) -> Record<'_> {
    Record {
        at: text(now()),
        session: question.session.as_str(),
        game: question.game.as_str(),
        move_number: question.position.moves + 1,
        sent: None,
        received: None,
        request_id: None,
        attempts: 0,
        latency_ms: 0,
        outcome,
        error: None,
    }
}

fn received(answer: &Answer, key: &Secret) -> Received {
    let shares = answer.probabilities.as_ref();
    Received {
        model: answer.model.as_ref().map(|model| sentence(model, key)),
        choice: sentence(&answer.choice, key),
        confidence: answer.confidence,
        probabilities: shares
            .map(|all| all.iter().map(|(option, share)| (sentence(option, key), *share)).collect()),
        risk: answer.risk,
        input_tokens: answer.input_tokens,
        output_tokens: answer.output_tokens,
        estimated_cost_usd: answer.input_tokens.map(cost),
    }
}

/// Ends a task that nobody waits for any more.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_workplace_may_be_left_within_another_runtime() {
        drop(Workplace::open().unwrap());
    }
}
