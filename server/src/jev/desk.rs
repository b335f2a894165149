//! Where questions about moves are asked: one for the whole server.
//!
//! It has a thread and a runtime of its own, so that no connection, certificate or answer ever holds up an arbiter.

use std::{
    fmt,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

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
    call::{Call, NoRoots},
    daybook::DayBook,
    entry::Entry,
    failure::{Failure, sentence},
    ledger::{Course, Ledger, Spending, Spent},
    question::Sent,
    record::{Received, Record, cost},
    verdict::Verdict,
};
use crate::{
    actors::stop::Stop,
    clock::{Clock, day, text},
    metrics::{Fallback, Metrics, Outcome},
    transcript::Transcript,
};

/// What a decision says while the service is left alone. The same each time, so that it is told once.
pub const UNAVAILABLE: &str = "Jev unavailable, rules is playing";

/// The most options of an answer that are told: the four, and some that were none of them.
const OPTIONS: usize = 16;

/// What becomes of a question whose asker does not want the answer any more; nobody sees it.
const UNWANTED: &str = "the answer was not wanted any more";

/// The desk.
pub struct Desk {
    settings: Settings,
    call: Call,
    ledger: Ledger,
    transcript: Transcript,
    clock: Clock,
    runtime: Handle,
    metrics: Arc<Metrics>,
}

/// The thread that a desk works on. Dropping it ends what is under way there and waits for nothing, so that it can be
/// dropped wherever a server may fail to start; [`Workplace::close`] waits until all of it has been told.
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

    /// Ends what is under way, and waits a moment until the transcript has been told. Blocks.
    pub fn close(mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(LAST);
        }
    }
}

/// How long what is under way is given to be told when a workplace is closed; it takes no time but on a crowded machine.
const LAST: Duration = Duration::from_secs(1);

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

/// What came of a question.
#[derive(Debug)]
pub struct Answered {
    /// The decision.
    pub decision: Decision,
    /// What the transcript is told when the move is played.
    pub entry: Option<Arc<Entry>>,
}

impl From<Decision> for Answered {
    /// One that nothing is to be told of any more.
    fn from(decision: Decision) -> Self {
        Self { decision, entry: None }
    }
}

impl Desk {
    /// A desk that works at `place`, and tells `transcript`. Its days are those of `clock`, and what is
    /// spent of one is kept beside the `games`.
    ///
    /// # Errors
    /// - [`NoRoots`] when the service could not be known from others.
    pub fn new(
        settings: Settings,
        transcript: Transcript,
        clock: Clock,
        place: &Workplace,
        games: Option<&Path>,
    ) -> Result<Self, NoRoots> {
        let call = Call::new(&settings, clock.clone())?;
        let (book, today) = (DayBook::beside(games), day(clock.now()));
        let ledger = Ledger::new(settings.session_budget, settings.day_budget, book, today);
        let (runtime, metrics) = (place.handle.clone(), Metrics::new());
        Ok(Self { settings, call, ledger, transcript, clock, runtime, metrics })
    }

    /// The same, whose questions are counted in `metrics`.
    #[must_use]
    pub fn counted_in(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics, ..self }
    }

    /// What `session` and all sessions together have spent.
    pub fn spending(&self, session: &SessionId) -> Spending {
        self.ledger.spending(session, day(self.clock.now()))
    }

    /// Decides about a move: the model's answer, or the rules player's move with the reason. Dropping this ends it.
    ///
    /// # Errors
    /// - [`Spent`] when nothing may be asked any more.
    /// - [`JoinError`] when deciding panicked, or the desk was closed meanwhile.
    pub async fn decide(
        self: &Arc<Self>,
        question: Question,
    ) -> Result<Result<Answered, Spent>, JoinError> {
        let desk = Arc::clone(self);
        let task = self.runtime.spawn(async move { desk.think(&question).await });
        let _dropped_with_this = AbortOnDrop(task.abort_handle());
        task.await
    }

    async fn think(&self, question: &Question) -> Result<Answered, Spent> {
        let position = &question.position;
        if let Some(decision) = Decision::forced(&position.board) {
            let why = decision.fallback.clone().unwrap_or_default();
            return Ok(self.not_asked(question, decision, Fallback::Forced, &why));
        }
        let Some(key) = self.settings.key.read() else {
            let verdict = Verdict::fallen_back(position, NO_KEY);
            return Ok(self.not_asked(question, verdict.decision, Fallback::NoKey, NO_KEY));
        };
        let course = self.ledger.course();
        if let Course::LeaveAlone(moves) = course {
            let verdict = Verdict::fallen_back(position, UNAVAILABLE);
            let moves = if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
            let why = format!("the service fails and is left alone, to be asked again in {moves}");
            return Ok(self.not_asked(question, verdict.decision, Fallback::LeftAlone, &why));
        }
        self.ask(question, &key, course).await
    }

    /// Asks, unless a budget is spent, and judges what comes back.
    async fn ask(
        &self,
        question: &Question,
        key: &Secret,
        course: Course,
    ) -> Result<Answered, Spent> {
        let about = Sent::about(&question.position);
        let body = serde_json::to_vec(&about.to(&self.settings.model));
        let body = Bytes::from(body.expect("a request can be written as JSON"));
        let mut asking = Asking::new(self, question, about);
        let attempts = &mut asking.attempts;
        let pay = || {
            self.ledger.spend(&question.session, day(self.clock.now()))?;
            *attempts += 1;
            Ok(())
        };
        let exchange = tokio::select! {
            biased;
            () = question.stop.stopped() => return Ok(self.unwanted(question)),
            exchange = self.call.ask(key, body, pay) => exchange,
        };
        match exchange {
            Ok(exchange) => {
                let answer = exchange.outcome.and_then(|body| Answer::read(&body));
                let verdict = self.judge(question, &answer, key, course);
                let entry = asking.ended().map(|mut entry| {
                    let record = entry.record();
                    record.received = answer.as_ref().ok().map(|answer| received(answer, key));
                    record.request_id = exchange.request_id;
                    record.error = answer.as_ref().err().map(ToString::to_string);
                    record.outcome = verdict.outcome(question.plays);
                    if !question.plays {
                        entry.told();
                    }
                    Arc::new(entry)
                });
                Ok(Answered { decision: verdict.decision, entry })
            }
            Err(spent) => {
                self.metrics.model.requests.add(Outcome::Spent);
                if let Some(mut entry) = asking.ended() {
                    let record = entry.record();
                    (record.sent, record.outcome) = (None, format!("not asked: {spent}"));
                    entry.told();
                }
                Err(spent)
            }
        }
    }

    fn judge(
        &self,
        question: &Question,
        answer: &Result<Answer, Failure>,
        key: &Secret,
        course: Course,
    ) -> Verdict {
        match answer {
            Ok(_) => self.ledger.answered(),
            Err(Failure::Refused { .. }) => self.ledger.refused(),
            Err(_) => self.ledger.failed(),
        }
        self.count(answer);
        let position = &question.position;
        let verdict = match answer {
            Ok(answer) => Verdict::on(answer, position, self.settings.threshold, key),
            // Still unavailable is no news; what it said is in the transcript.
            Err(_) if course == Course::Try => Verdict::fallen_back(position, UNAVAILABLE),
            Err(failure) => Verdict::fallen_back(position, failure.to_string()),
        };
        if verdict.decision.fallback.is_some() {
            let why = answer.as_ref().map_or_else(Failure::fallback, |_| Fallback::Doubted);
            self.metrics.players.fallbacks.add(why);
        }
        verdict
    }

    fn count(&self, answer: &Result<Answer, Failure>) {
        let figures = &self.metrics.model;
        figures.requests.add(answer.as_ref().map_or_else(Failure::outcome, |_| Outcome::Answered));
        if let Ok(answer) = answer {
            figures.tokens_read.inc_by(answer.input_tokens.unwrap_or_default());
            figures.tokens_written.inc_by(answer.output_tokens.unwrap_or_default());
        }
    }

    fn unwanted(&self, question: &Question) -> Answered {
        self.metrics.players.fallbacks.add(Fallback::Unwanted);
        Verdict::fallen_back(&question.position, UNWANTED).decision.into()
    }

    /// Tells that nothing was asked, since silence could mean anything.
    fn not_asked(
        &self,
        question: &Question,
        decision: Decision,
        reason: Fallback,
        why: &str,
    ) -> Answered {
        self.metrics.players.fallbacks.add(reason);
        self.transcript.add(|| self.blank(question, format!("not asked: {why}")));
        decision.into()
    }

    /// The record of a question that has not gone out.
    fn blank(&self, question: &Question, outcome: String) -> Record {
        Record {
            at: text(self.clock.now()),
            session: question.session.as_str().to_owned(),
            game: question.game.as_str().to_owned(),
            move_number: question.position.moves + 1,
            outcome,
            ..Record::default()
        }
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// A question that goes out. Dropped, it was cancelled, by whomever: its asker, or the end of the server.
struct Asking<'a> {
    desk: &'a Desk,
    entry: Option<Entry>,
    begun: Instant,
    attempts: u32,
    ended: bool,
}

impl<'a> Asking<'a> {
    fn new(desk: &'a Desk, question: &Question, about: Sent) -> Self {
        let record = || Record { sent: Some(about), ..desk.blank(question, String::new()) };
        let entry = Entry::open(&desk.transcript, record);
        Self { desk, entry, begun: Instant::now(), attempts: 0, ended: false }
    }

    /// Its entry, to be told with what came of it.
    fn ended(mut self) -> Option<Entry> {
        self.ended = true;
        self.complete();
        self.entry.take()
    }

    fn complete(&mut self) {
        self.desk.metrics.model.attempts.inc_by(self.attempts.into());
        if let Some(entry) = &mut self.entry {
            let record = entry.record();
            record.at = text(self.desk.clock.now());
            record.attempts = self.attempts;
            record.latency_ms = self.begun.elapsed().as_millis() as u64;
        }
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.complete();
            self.desk.metrics.model.requests.add(Outcome::Cancelled);
        }
    }
}

fn received(answer: &Answer, key: &Secret) -> Received {
    let shares = answer.probabilities.as_ref();
    Received {
        model: answer.model.as_ref().map(|model| sentence(model, key)),
        choice: sentence(&answer.choice, key),
        confidence: answer.confidence,
        probabilities: shares.map(|all| {
            all.iter()
                .take(OPTIONS)
                .map(|(option, share)| (sentence(option, key), *share))
                .collect()
        }),
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

    #[test]
    fn of_an_answer_with_thousands_of_options_a_few_are_told() {
        let options = (0..5_000).map(|option| (option.to_string(), 0.5)).collect();
        let answer = Answer { probabilities: Some(options), ..Answer::default() };
        let told = received(&answer, &Secret::new("a key").unwrap());
        assert_eq!(told.probabilities.unwrap().len(), OPTIONS);
    }

    #[tokio::test]
    async fn a_workplace_may_be_left_within_another_runtime() {
        drop(Workplace::open().unwrap());
    }
}
