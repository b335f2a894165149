//! What the server counts of itself, for `/metrics`.
//!
//! One [`Metrics`] for each server, made before everything else and handed to whoever counts. Each figure is an atomic
//! that was looked up once: counting takes no lock, so that actors may. A label has one of a few fixed values, or is the
//! name of a player: no session, address or token is ever one.

use std::sync::Arc;

use prometheus::{
    Encoder as _, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge,
    Opts, Registry, TextEncoder, core::Collector,
};

mod labels;

mod store;

pub use self::{
    labels::{
        Closed, Command, Departure, Fallback, Label, Limit, Outcome, Reply, Start, StreamEvent,
    },
    store::Committing,
};

/// What every name begins with.
const PREFIX: &str = "game2048_";

/// Seconds, for what takes from a few microseconds to a few seconds.
const FAST: [f64; 14] =
    [1e-5, 5e-5, 1e-4, 5e-4, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// Seconds, for thoughts, which take up to a minute.
const THOUGHTS: [f64; 12] = [1e-5, 1e-4, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 60.0];

/// How many things are carried out together.
const COUNTS: [f64; 8] = [1.0, 2.0, 4.0, 16.0, 64.0, 256.0, 512.0, 1024.0];

/// All figures of one server.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// Sessions.
    pub sessions: Sessions,
    /// What sessions were told to do.
    pub commands: Commands,
    /// The store.
    pub store: StoreFigures,
    /// Event streams.
    pub streams: Streams,
    /// Players and their agents.
    pub players: Players,
    /// The hosted model.
    pub model: Model,
    /// Requests, whatever they ask for.
    pub http: Http,
}

/// Figures of the sessions.
#[derive(Debug)]
pub struct Sessions {
    /// In memory.
    pub active: IntGauge,
    /// Open, and in the store alone.
    pub passivated: IntGauge,
    /// Created since the start.
    pub created: IntCounter,
    /// Closed since the start.
    pub closed: Counters<Closed>,
    /// Left memory since nobody needed them.
    pub passivations: IntCounter,
    /// Crashed, and loaded again.
    pub crashed: IntCounter,
    /// Time to read one from the store and replay it.
    pub load_seconds: Histogram,
}

/// Figures of the commands.
#[derive(Debug)]
pub struct Commands {
    results: Vec<Counters<Reply>>,
    seconds: Vec<Histogram>,
}

/// Figures of the store.
#[derive(Debug)]
pub struct StoreFigures {
    /// Time from an append being asked for to its answer.
    pub append_seconds: Histogram,
    /// Appends that were refused, or failed.
    pub append_errors: IntCounter,
    /// Time for a commit.
    pub commit_seconds: Histogram,
    /// Requests in one commit.
    pub batch_size: Histogram,
    /// Commits that failed.
    pub commit_errors: IntCounter,
    /// Room left where the games are kept.
    pub free_bytes: IntGauge,
}

/// Figures of the event streams.
#[derive(Debug)]
pub struct Streams {
    /// Open now.
    pub open: IntGauge,
    /// So many may be.
    pub limit: IntGauge,
    /// Opened since the start.
    pub opened: Counters<Start>,
    /// Closed since the start.
    pub closed: Counters<Departure>,
    /// Events sent.
    pub events: Counters<StreamEvent>,
    /// States left out since a newer one came first.
    pub conflated: IntCounter,
    /// Bytes of the events.
    pub bytes: IntCounter,
    /// Time from the commit of a state to its being handed to the socket.
    pub delivery_seconds: Histogram,
}

/// Figures of the players.
#[derive(Debug)]
pub struct Players {
    think_seconds: HistogramVec,
    /// Time spent waiting for the right to search.
    pub permit_seconds: Histogram,
    /// Decisions that came too late to be played.
    pub stale: IntCounter,
    /// Decisions that were not the player's own choice.
    pub fallbacks: Counters<Fallback>,
    /// Agents that play now.
    pub agents: IntGauge,
}

/// Figures of the hosted model.
#[derive(Debug)]
pub struct Model {
    /// Questions, by what came of them.
    pub requests: Counters<Outcome>,
    /// Requests that it took, repetitions included.
    pub attempts: IntCounter,
    /// Tokens read.
    pub tokens_read: IntCounter,
    /// Tokens written.
    pub tokens_written: IntCounter,
}

/// Figures of the requests.
#[derive(Debug)]
pub struct Http {
    requests: IntCounterVec,
    /// What was refused since it was too much, or not allowed.
    pub refusals: Counters<Limit>,
    /// Connections open now.
    pub connections: IntGauge,
}

/// A counter for each value of a label.
#[derive(Debug)]
pub struct Counters<L> {
    counters: Vec<IntCounter>,
    label: std::marker::PhantomData<fn(L)>,
}

impl<L: Label> Counters<L> {
    /// The counter of `value`.
    pub fn of(&self, value: L) -> &IntCounter {
        &self.counters[value.index()]
    }

    /// One more of `value`.
    pub fn add(&self, value: L) {
        self.of(value).inc();
    }
}

impl Commands {
    /// What one came to, and how long it took.
    pub fn carried_out(&self, command: Command, reply: Reply, seconds: f64) {
        self.count(command, reply);
        self.seconds[command.index()].observe(seconds);
    }

    /// What one came to whose time says nothing.
    pub fn count(&self, command: Command, reply: Reply) {
        self.results[command.index()].add(reply);
    }
}

impl Players {
    /// The time that the player called `name` thinks. Looked up once for each player on offer, never by a request.
    pub fn think_seconds(&self, name: &str) -> Histogram {
        self.think_seconds.with_label_values(&[name])
    }
}

impl Http {
    /// One more request of `route`, answered with `code`.
    pub fn answered(&self, route: &'static str, code: u16) {
        let mut digits = [0; 5];
        let code = write_code(code, &mut digits);
        self.requests.with_label_values(&[route, code]).inc();
    }
}

/// The digits of `code`, without taking memory for them.
fn write_code(code: u16, digits: &mut [u8; 5]) -> &str {
    for (place, digit) in digits.iter_mut().rev().enumerate() {
        *digit = b'0' + (code / 10_u16.pow(place as u32) % 10) as u8;
    }
    let zeros = digits.iter().take(4).take_while(|digit| **digit == b'0').count();
    std::str::from_utf8(&digits[zeros..]).expect("digits are ASCII")
}

impl Metrics {
    /// Figures that begin at zero.
    pub fn new() -> Arc<Self> {
        let all = Making(Registry::new());
        let info = all.gauge_of(
            Opts::new("build_info", "1, with the version that runs")
                .const_label("version", env!("CARGO_PKG_VERSION")),
        );
        info.set(1);
        #[cfg(target_os = "linux")]
        all.register(prometheus::process_collector::ProcessCollector::for_self());
        Arc::new(Self {
            sessions: all.sessions(),
            commands: all.commands(),
            store: all.store(),
            streams: all.streams(),
            players: all.players(),
            model: all.model(),
            http: all.http(),
            registry: all.0,
        })
    }

    /// All of them in Prometheus' text format, version 0.0.4.
    ///
    /// # Errors
    /// - When a figure can't be written, which none of these is.
    pub fn text(&self) -> Result<Vec<u8>, prometheus::Error> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

/// Makes figures and registers them.
struct Making(Registry);

impl Making {
    fn register(&self, figure: impl Collector + 'static) {
        self.0.register(Box::new(figure)).expect("each figure has a name of its own");
    }

    fn registered<C: Collector + Clone + 'static>(&self, figure: prometheus::Result<C>) -> C {
        let figure = figure.expect("the name is one that Prometheus takes");
        self.register(figure.clone());
        figure
    }

    fn gauge_of(&self, options: Opts) -> IntGauge {
        let name = format!("{PREFIX}{}", options.name);
        self.registered(IntGauge::with_opts(Opts { name, ..options }))
    }

    fn gauge(&self, name: &str, help: &str) -> IntGauge {
        self.gauge_of(Opts::new(name, help))
    }

    fn counter(&self, name: &str, help: &str) -> IntCounter {
        self.registered(IntCounter::new(format!("{PREFIX}{name}"), help))
    }

    fn counters<L: Label>(&self, name: &str, help: &str) -> Counters<L> {
        let options = Opts::new(format!("{PREFIX}{name}"), help);
        let family = self.registered(IntCounterVec::new(options, &[L::NAME]));
        let of = |value: &L| family.with_label_values(&[value.text()]);
        Counters { counters: L::ALL.iter().map(of).collect(), label: std::marker::PhantomData }
    }

    fn histogram(&self, name: &str, help: &str, buckets: &[f64]) -> Histogram {
        let options = HistogramOpts::new(format!("{PREFIX}{name}"), help).buckets(buckets.to_vec());
        self.registered(Histogram::with_opts(options))
    }

    fn histograms(&self, name: &str, help: &str, label: &str, buckets: &[f64]) -> HistogramVec {
        let options = HistogramOpts::new(format!("{PREFIX}{name}"), help).buckets(buckets.to_vec());
        self.registered(HistogramVec::new(options, &[label]))
    }

    fn sessions(&self) -> Sessions {
        Sessions {
            active: self.gauge("sessions_active", "Sessions in memory"),
            passivated: self
                .gauge("sessions_passivated", "Open sessions that are in the store alone"),
            created: self.counter("sessions_created_total", "Sessions that were created"),
            closed: self.counters("sessions_closed_total", "Sessions that were closed for good"),
            passivations: self.counter(
                "sessions_passivations_total",
                "Times that a session left memory since nobody needed it",
            ),
            crashed: self
                .counter("sessions_crashed_total", "Sessions that crashed and were loaded again"),
            load_seconds: self.histogram(
                "session_load_seconds",
                "Time to read a session from the store and replay its game",
                &FAST,
            ),
        }
    }

    fn commands(&self) -> Commands {
        let options = Opts::new(
            format!("{PREFIX}commands_total"),
            "What sessions were told to do, by kind and result",
        );
        let results = self.registered(IntCounterVec::new(options, &[Command::NAME, Reply::NAME]));
        let seconds = self.histograms(
            "command_seconds",
            "Time from a command being read to its answer",
            Command::NAME,
            &FAST,
        );
        let counters = |command: &Command| {
            let of = |reply: &Reply| results.with_label_values(&[command.text(), reply.text()]);
            Counters {
                counters: Reply::ALL.iter().map(of).collect(),
                label: std::marker::PhantomData,
            }
        };
        Commands {
            results: Command::ALL.iter().map(counters).collect(),
            seconds: Command::ALL
                .iter()
                .map(|command| seconds.with_label_values(&[command.text()]))
                .collect(),
        }
    }

    fn store(&self) -> StoreFigures {
        StoreFigures {
            append_seconds: self.histogram(
                "store_append_seconds",
                "Time from a session's changes being handed to the store to their being durable",
                &FAST,
            ),
            append_errors: self.counter(
                "store_append_errors_total",
                "Appends that the store refused or could not carry out",
            ),
            commit_seconds: self.histogram("store_commit_seconds", "Time for one commit", &FAST),
            batch_size: self.histogram(
                "store_batch_size",
                "Requests that were made durable by one commit",
                &COUNTS,
            ),
            commit_errors: self.counter("store_commit_errors_total", "Commits that failed"),
            free_bytes: self.gauge(
                "store_free_bytes",
                "Room left on the disk where the games are kept; 0 when they are in memory",
            ),
        }
    }

    fn streams(&self) -> Streams {
        Streams {
            open: self.gauge("streams_open", "Open event streams"),
            limit: self.gauge("streams_limit", "Event streams that may be open"),
            opened: self.counters("streams_opened_total", "Event streams that were opened"),
            closed: self.counters("streams_closed_total", "Event streams that were closed"),
            events: self.counters("stream_events_total", "Events sent on streams"),
            conflated: self.counter(
                "stream_events_conflated_total",
                "States left out of a stream since a newer one came first",
            ),
            bytes: self.counter("stream_bytes_total", "Bytes of the events sent"),
            delivery_seconds: self.histogram(
                "stream_delivery_seconds",
                "Time from the commit of a state to its being handed to a reader's socket",
                &FAST,
            ),
        }
    }

    fn players(&self) -> Players {
        Players {
            think_seconds: self.histograms(
                "think_seconds",
                "Time that a player thought about one move, waiting left out",
                "player",
                &THOUGHTS,
            ),
            permit_seconds: self.histogram(
                "permit_wait_seconds",
                "Time that a thought waited for the right to search",
                &FAST,
            ),
            stale: self.counter(
                "stale_decisions_total",
                "Decisions of agents that came too late to be played",
            ),
            fallbacks: self
                .counters("fallbacks_total", "Decisions that were not the player's own choice"),
            agents: self.gauge("agents_running", "Agents that play now"),
        }
    }

    fn model(&self) -> Model {
        let options =
            Opts::new(format!("{PREFIX}model_tokens_total"), "Tokens of the hosted model");
        let tokens = self.registered(IntCounterVec::new(options, &["direction"]));
        Model {
            requests: self.counters(
                "model_requests_total",
                "Questions to the hosted model, by what came of them",
            ),
            attempts: self.counter(
                "model_attempts_total",
                "Requests to the hosted model, repetitions included",
            ),
            tokens_read: tokens.with_label_values(&["read"]),
            tokens_written: tokens.with_label_values(&["written"]),
        }
    }

    fn http(&self) -> Http {
        let options =
            Opts::new(format!("{PREFIX}http_requests_total"), "Requests, by route and code");
        Http {
            requests: self.registered(IntCounterVec::new(options, &["route", "code"])),
            refusals: self.counters(
                "refusals_total",
                "What was refused since it was too much, or not allowed",
            ),
            connections: self.gauge("connections_open", "Open connections"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(metrics: &Metrics) -> String {
        String::from_utf8(metrics.text().unwrap()).unwrap()
    }

    #[test]
    fn everything_is_there_from_the_start() {
        let text = text(&Metrics::new());
        for line in [
            "game2048_sessions_active 0",
            "game2048_sessions_closed_total{reason=\"expired\"} 0",
            "game2048_commands_total{kind=\"move\",result=\"done\"} 0",
            "game2048_stream_delivery_seconds_count 0",
            "game2048_refusals_total{limit=\"body\"} 0",
            "game2048_model_tokens_total{direction=\"read\"} 0",
            "game2048_build_info{version=\"",
        ] {
            assert!(text.lines().any(|found| found.starts_with(line)), "{line} is not in\n{text}");
        }
    }

    #[test]
    fn two_servers_of_one_process_count_apart() {
        let (one, other) = (Metrics::new(), Metrics::new());
        one.http.refusals.add(Limit::Body);
        let line = |count| format!("game2048_refusals_total{{limit=\"body\"}} {count}\n");
        assert!(text(&one).contains(&line(1)));
        assert!(text(&other).contains(&line(0)));
    }

    #[test]
    fn a_code_is_its_digits() {
        for (code, text) in
            [(200, "200"), (404, "404"), (0, "0"), (65_535, "65535"), (1_000, "1000")]
        {
            assert_eq!(write_code(code, &mut [0; 5]), text);
        }
    }
}
