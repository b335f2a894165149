//! A lobby over a faulty store, and what the tests ask of it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix::Arbiter;
use engine::Direction;
use players::{Decision, Limits, Position};
use protocol::State;
use server::{
    actors::{
        handle::{Control, LobbyHandle, SessionHandle},
        lobby::{FindSession, Lobby, LobbyParts, MAIN, Open},
        refusal::Refusal,
        session::{
            CommandKey, Done, Mover, PlayMove, Played, Published, Snapshot, StartAgent, Subscribe,
            Subscription,
        },
    },
    roster::{Mind, Offer, Roster},
};
use store::{Pace, SessionId};

use crate::faulty::Faulty;

pub(crate) struct House {
    pub(crate) store: Arc<Faulty>,
    pub(crate) lobby: LobbyHandle,
}

/// Plays the first legal direction.
#[derive(Debug)]
struct First;

impl players::Player for First {
    fn choose(&mut self, position: &Position, _: &Limits<'_>) -> Decision {
        Decision { direction: position.board.legal().first(), ..Decision::default() }
    }
}

/// Panics when it is asked.
#[derive(Debug)]
struct Panics;

impl players::Player for Panics {
    fn choose(&mut self, _: &Position, _: &Limits<'_>) -> Decision {
        panic!("no idea")
    }
}

/// Whether those who hang are let go.
static LET_GO: AtomicBool = AtomicBool::new(false);

/// Gives no answer while the test runs, whatever it is told.
#[derive(Debug)]
struct Hangs;

impl players::Player for Hangs {
    fn choose(&mut self, _: &Position, _: &Limits<'_>) -> Decision {
        while !LET_GO.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Decision::default()
    }
}

/// Lets those go who hang when the test ends, however it does: a runtime waits for its threads.
pub(crate) struct LetsGo;

impl Drop for LetsGo {
    fn drop(&mut self) {
        LET_GO.store(true, Ordering::SeqCst);
    }
}

impl House {
    /// A lobby whose sessions leave memory after `idle_after`.
    pub(crate) async fn open(idle_after: Duration) -> Self {
        let store = Faulty::new();
        let lobby = lobby_over(&store, idle_after);
        lobby.ask(Open).await.unwrap();
        Self { store, lobby }
    }

    /// A lobby whose sessions stay.
    pub(crate) async fn new() -> Self {
        Self::open(Duration::from_hours(1)).await
    }

    pub(crate) async fn main(&self) -> SessionHandle {
        self.lobby.ask(FindSession { id: SessionId::new(MAIN) }).await.unwrap()
    }
}

/// A lobby over `store` that is not open yet.
pub(crate) fn lobby_over(store: &Arc<Faulty>, idle_after: Duration) -> LobbyHandle {
    let offer = |name, budget, make| Offer { name, title: name, budget, mind: Mind::Thinks(make) };
    let thought = Some(Duration::from_millis(1));
    let roster = Roster::new(
        vec![
            offer("first", None, || Box::new(First)),
            offer("panics", thought, || Box::new(Panics)),
            offer("thinks", thought, || Box::new(First)),
            offer("hangs", thought, || Box::new(Hangs)),
        ],
        1,
    );
    Lobby::new(LobbyParts {
        store: Arc::<Faulty>::clone(store),
        roster: Arc::new(roster),
        published: Published { epoch: "e".to_owned(), boot: "b".to_owned() },
        main: Control::Open,
        idle_after,
        clock: server::clock::Clock::system(),
        expire_after: None,
        most_sessions: 3,
        most_advice: 4,
        most_agents: 10,
        metrics: server::metrics::Metrics::new(),
        arbiters: vec![Arbiter::current()],
    })
    .open()
}

pub(crate) async fn state(session: &SessionHandle) -> State {
    session.ask(Snapshot).await.unwrap().state().clone()
}

pub(crate) async fn watch(session: &SessionHandle) -> Subscription {
    session.ask(Subscribe).await.unwrap()
}

/// The first state for which `wanted` holds. Fails when the session is gone before.
pub(crate) async fn until(
    subscription: &mut Subscription,
    wanted: impl Fn(&State) -> bool,
) -> State {
    let frame = subscription
        .frames
        .wait_for(|frame| wanted(frame.state()))
        .await
        .expect("the session lives");
    frame.state().clone()
}

/// A person's move, with the id of the command.
pub(crate) async fn play(
    session: &SessionHandle,
    direction: Direction,
    id: &str,
) -> Result<Done, Refusal> {
    let command = Some(CommandKey { id: id.to_owned(), digest: [direction.index() as u8; 32] });
    let by = Mover::Human { if_moves: None, game: None, takeover: false, command };
    match session.ask(PlayMove { direction, by }).await? {
        Played::Done(done) => Ok(done),
        Played::Turn(_) => panic!("a person's move is answered with a reply"),
    }
}

/// A legal direction of the session's board.
pub(crate) async fn legal(session: &SessionHandle) -> Direction {
    state(session).await.legal[0].into()
}

/// Lets `player` play as fast as it goes.
pub(crate) async fn start(session: &SessionHandle, player: &str) -> Result<Done, Refusal> {
    let player = Some(player.to_owned());
    session
        .ask(StartAgent {
            player,
            interval: None,
            pace: Some(Pace::Max),
            budget: None,
            series: None,
            command: None,
        })
        .await
}

/// The same, with the id of the command.
pub(crate) async fn start_as(
    session: &SessionHandle,
    player: &str,
    id: &str,
) -> Result<Done, Refusal> {
    let (player, command) = (player.to_owned(), CommandKey { id: id.to_owned(), digest: [9; 32] });
    let (player, command) = (Some(player), Some(command));
    session
        .ask(StartAgent {
            player,
            interval: None,
            pace: Some(Pace::Fixed),
            budget: None,
            series: None,
            command,
        })
        .await
}
