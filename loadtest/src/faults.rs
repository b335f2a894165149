//! `faults`: players that panic and hang, and sessions that panic, on a server that is broken on purpose. Whoever plays elsewhere
//! must not notice, and the game where it happened must go on.

use std::{rc::Rc, time::Duration};

use anyhow::{Context as _, bail, ensure};
use clap::{Args, value_parser};
use client::Client;
use protocol::{AgentStart, CreateSession, MoveRequest, Pace, Series, State};
use tokio::time::{Instant, sleep};

use crate::{
    audience::Temper,
    broken::{HANGS, PANICS},
    latency::Latency,
    play::Players,
    process::Program,
    report::Report,
    scene::{Crowd, PATIENCE, Scene, pass},
    seat::Seat,
    serve::Level,
    table::shares,
    target::TargetOptions,
    wire::{Refused, Wire},
};

/// How often a condition is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long a game may be away.
const BACK_MS: f64 = 1000.0;

/// Milliseconds that a player which hangs is given for a decision.
const BUDGET_MS: f64 = 200.0;

/// The longest that it is waited for beyond that.
const GRACE_MS: f64 = 5500.0;

/// Who plays beside it, and how often what happens.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Sessions that people play in
    #[arg(long, default_value_t = 50, value_parser = value_parser!(u32).range(2..))]
    sessions: u32,
    /// Subscribers of these
    #[arg(long, default_value_t = 150)]
    subscribers: u32,
    /// Moves a second, of all people together
    #[arg(long, default_value_t = 50.0)]
    rate: f64,
    /// Players that panic, and sessions
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    rounds: u32,
    /// Players that hang, one after the other
    #[arg(long, default_value_t = 2)]
    hangs: u32,
    /// What an acknowledged move survives
    #[arg(long, value_enum, default_value_t)]
    level: Level,
}

pub(crate) async fn run(options: &Options, program: &Program) -> anyhow::Result<Report> {
    let mut report = Report::new("faults");
    report.put("sessions", options.sessions);
    report.put("subscribers", options.subscribers);
    report.put("rounds", options.rounds);
    let crowd = Crowd {
        sessions: options.sessions as usize,
        subscribers: options.subscribers as usize,
        connections: options.sessions as usize,
        ramp: Duration::from_millis(500),
        // For everybody elsewhere any trouble is a fault, and streams outlive the session that panics.
        temper: Temper::Strict,
    };
    let target = TargetOptions::own(options.level).broken();
    let (mut scene, mut seats) = Scene::set(report, &crowd, &target, program).await?;
    let mut victim = seats.remove(0);
    let thinking = Thinking::start(&scene).await?;
    let (place, shares) = (scene.target.place.clone(), shares(seats, 16));
    let players = Players::begin(&place, shares, options.rate, crowd.temper, &scene.tally);
    let acks = Rc::clone(&players.acks);

    acks.latency.borrow_mut().begin(10.0);
    pass("playing", 3.0).await;
    scene.report.latency("baseline_", &acks.latency.borrow().all);
    acks.latency.borrow_mut().begin(10.0);
    panics(&mut scene, &mut victim, options.rounds).await?;
    hangs(&mut scene, &thinking, options.hangs).await?;
    acks.latency.borrow_mut().end();
    let report = &mut scene.report;
    report.timeline("", "from when a move was due to its reply, elsewhere", &acks.latency.borrow());
    report.put("commands", acks.count.get());
    let wanted = u64::from(2 * options.rounds);
    let panics = scene.target.panics()?.context("a server of its own")?;
    scene.report.put("panics", panics);
    scene.report.expect(panics == wanted, || format!("{panics} panics, {wanted} were wanted"));
    thinking.stop().await?;
    let mut seats = players.end().await?;
    seats.push(victim);
    // It must end in order though threads of it hang for ever.
    scene.settle(&seats).await
}

/// Has players and a session panic, in turn.
async fn panics(scene: &mut Scene, victim: &mut Seat, rounds: u32) -> anyhow::Result<()> {
    let (mut player, mut session) = (Latency::new(), Latency::new());
    for _ in 0..rounds {
        player.add(player_panics(scene).await?);
        session.add(session_panics(scene, victim).await?);
    }
    let report = &mut scene.report;
    report.latency("player_panicked_and_a_person_moved_", &player);
    report.latency("session_panicked_and_answered_", &session);
    for (what, latency) in [("player", &player), ("session", &session)] {
        let most = latency.percentile(100.0);
        report.aim(most <= BACK_MS, || format!("a {what} that panicked was away for {most} ms"));
    }
    Ok(())
}

/// Has players hang, one after the other, while another thinks elsewhere.
async fn hangs(scene: &mut Scene, thinking: &Thinking, count: u32) -> anyhow::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let (mut hung, mut taken, mut longest) = (Latency::new(), Latency::new(), Duration::ZERO);
    for _ in 0..count {
        let (gap, outcome) =
            tokio::join!(thinking.longest_gap(BUDGET_MS + GRACE_MS), player_hangs(scene));
        let (given_up, taken_over) = outcome?;
        hung.add(given_up);
        taken.add(taken_over);
        longest = longest.max(gap?);
    }
    let report = &mut scene.report;
    report.latency("hung_and_given_up_", &hung);
    report.latency("hung_and_taken_over_", &taken);
    report.number("longest_wait_for_a_thought_elsewhere_ms", longest.as_secs_f64() * 1e3);
    let most = hung.percentile(100.0);
    report.aim(most <= BUDGET_MS + GRACE_MS, || format!("a player hung for {most} ms"));
    Ok(())
}

/// Starts a player that panics in a new session; gives how long it took until a person played on.
async fn player_panics(scene: &Scene) -> anyhow::Result<Duration> {
    let session = new_session(scene).await?;
    let begun = Instant::now();
    session.agent_start(&plays(PANICS, None)).await.context("start a player that panics")?;
    let state = stopped(&session, "agent stopped: Panic: ").await?;
    play(&session, &state).await?;
    let took = begun.elapsed();
    session.close_session().await?;
    Ok(took)
}

/// Has the session of `seat` panic in the middle of a move; gives how long it took until the move was done, once.
async fn session_panics(scene: &mut Scene, seat: &mut Seat) -> anyhow::Result<Duration> {
    scene.target.condemn(seat.id())?;
    let mut wire = Wire::open(scene.target.place.clone()).await?;
    let Err(refused) = seat.act(&mut wire).await else {
        bail!("a session that panics has done what it was told")
    };
    let begun = Instant::now();
    let mut error = refused;
    loop {
        ensure!(error.downcast_ref::<Refused>().is_some_and(Refused::is_for_now), error);
        ensure!(begun.elapsed() < PATIENCE, "the session does not come back: {error:#}");
        sleep(LOOK_EVERY).await;
        match seat.act(&mut wire).await {
            Ok(_) => return Ok(begun.elapsed()),
            Err(again) => error = again,
        }
    }
}

/// Starts a player that hangs; gives how long it took until it was given up, and in another session until a person had taken
/// over from one.
async fn player_hangs(scene: &Scene) -> anyhow::Result<(Duration, Duration)> {
    let (given_up, taken_over) = (new_session(scene).await?, new_session(scene).await?);
    let begun = Instant::now();
    given_up.agent_start(&plays(HANGS, Some(BUDGET_MS))).await.context("start it")?;
    let state = stopped(&given_up, "agent stopped: Hung: ").await?;
    let took = begun.elapsed();
    play(&given_up, &state).await?;
    given_up.agent_start(&plays("rules", None)).await.context("start another")?;
    wait_for(&given_up, |now| now.moves > state.moves + 1).await.context("it does not play")?;
    given_up.close_session().await?;

    let state = taken_over.agent_start(&plays(HANGS, Some(BUDGET_MS))).await?.state;
    let begun = Instant::now();
    play(&taken_over, &state).await?;
    let taken = begun.elapsed();
    taken_over.close_session().await?;
    Ok((took, taken))
}

async fn new_session(scene: &Scene) -> anyhow::Result<Client> {
    let client = scene.target.client()?;
    let created = client.create_session(&CreateSession::default()).await?;
    Ok(client.with_session(Some(created.id), Some(created.control)))
}

fn plays(player: &str, budget_ms: Option<f64>) -> AgentStart {
    let (player, pace) = (Some(player.to_owned()), Some(Pace::Max));
    AgentStart { player, pace, budget_ms, ..AgentStart::default() }
}

/// The state once the agent has stopped, for a reason that begins so.
async fn stopped(session: &Client, reason: &str) -> anyhow::Result<State> {
    let state = wait_for(session, |state| !state.agent.running).await?;
    let said = state.decision.as_ref().and_then(|decision| decision.reason.as_deref());
    ensure!(said.is_some_and(|said| said.starts_with(reason)), "it stopped with {said:?}");
    Ok(state)
}

async fn wait_for(session: &Client, holds: impl Fn(&State) -> bool) -> anyhow::Result<State> {
    let begun = Instant::now();
    loop {
        let state = session.state().await?;
        if holds(&state) {
            return Ok(state);
        }
        ensure!(begun.elapsed() < PATIENCE, "nothing happens");
        sleep(LOOK_EVERY).await;
    }
}

/// A person's move.
async fn play(session: &Client, state: &State) -> anyhow::Result<()> {
    let direction = engine::Direction::from(*state.legal.first().context("a game that goes on")?);
    let direction = direction.name().to_owned();
    let request = MoveRequest { direction, takeover: Some(true), ..MoveRequest::default() };
    let moved = session.move_(&request).await.context("a person's move")?;
    ensure!(moved.moved, "a legal move changed nothing");
    Ok(())
}

/// A session in which a player thinks before each move, one game after the other.
struct Thinking(Client);

impl Thinking {
    async fn start(scene: &Scene) -> anyhow::Result<Self> {
        let session = new_session(scene).await?;
        let start = plays("mcts", Some(20.0));
        session.agent_start(&AgentStart { series: Some(Series::default()), ..start }).await?;
        Ok(Self(session))
    }

    /// The longest time in which it did not move, of so many milliseconds.
    async fn longest_gap(&self, milliseconds: f64) -> anyhow::Result<Duration> {
        let (begun, mut since) = (Instant::now(), Instant::now());
        let (mut last, mut longest) = (self.0.state().await?.seq, Duration::ZERO);
        while begun.elapsed().as_secs_f64() * 1e3 < milliseconds {
            sleep(LOOK_EVERY).await;
            let seq = self.0.state().await?.seq;
            longest = longest.max(since.elapsed());
            if seq != last {
                (last, since) = (seq, Instant::now());
            }
        }
        Ok(longest)
    }

    async fn stop(self) -> anyhow::Result<()> {
        self.0.close_session().await?;
        Ok(())
    }
}
