//! What the client says about itself, worked out from the newest facts each time and never set by hand.

use std::time::{Duration, Instant};

use protocol::{ByeReason, DriverKind, Pace, State};

use super::driver::title;
use crate::stream::{Connection, Fault};

/// "Connecting..." is not worth saying before this.
const PATIENCE: Duration = Duration::from_millis(300);
/// A player's thought is shown once it takes this.
const THINKING: Duration = Duration::from_millis(300);
/// The board keeps its colours so long after a loss.
const GREY_AFTER: Duration = Duration::from_secs(2);
/// A loss that lasts this long is not a hiccup.
const OFFLINE_AFTER: Duration = Duration::from_secs(30);

/// All that the status depends on.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// How the connection is.
    pub connection: &'a Connection,
    /// The newest state.
    pub state: Option<&'a State>,
    /// When the newest state came.
    pub state_at: Option<Instant>,
    /// Whether this client may play, as far as it knows.
    pub may_play: bool,
    /// The move that is looked at, when it isn't the live one.
    pub looking_at: Option<u32>,
    /// The moves of the game that is looked at, when it isn't the running one.
    pub visited_moves: Option<u32>,
    /// When the client started.
    pub started: Instant,
    /// Now.
    pub now: Instant,
}

/// The connection's light. It always has words beside it: colour is never alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Light {
    /// Not known yet.
    Off,
    /// Live.
    Green,
    /// Being mended.
    Amber,
    /// Not reachable.
    Red,
}

/// What a key for a move does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keys {
    /// It plays.
    Play,
    /// It takes the game over from the player that is driving.
    TakeOver,
    /// It does nothing but say this.
    Off(String),
}

/// What the client says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The connection's light.
    pub light: Light,
    /// The connection in words; empty while there is nothing worth saying.
    pub link: String,
    /// The game in words: whose turn it is, or that it is over.
    pub game: String,
    /// How long the player has been thinking, once that is worth showing.
    pub thinking: Option<Duration>,
    /// Whether the board is to be greyed: it may be old.
    pub stale: bool,
    /// What keys for moves do.
    pub keys: Keys,
}

impl Status {
    /// The status that follows from `facts`.
    pub fn of(facts: &Facts<'_>) -> Self {
        let (light, link) = link(facts);
        let live = light == Light::Green;
        Self {
            light,
            link,
            game: facts.state.map_or_else(String::new, |state| game(facts, state)),
            thinking: facts.state.filter(|_| live).and_then(|state| thinking(facts, state)),
            stale: lost_for(facts).is_some_and(|lost| lost >= GREY_AFTER),
            keys: keys(facts),
        }
    }
}

fn lost_for(facts: &Facts<'_>) -> Option<Duration> {
    match facts.connection {
        Connection::Lost { since, .. } => Some(facts.now.saturating_duration_since(*since)),
        _ => None,
    }
}

fn link(facts: &Facts<'_>) -> (Light, String) {
    match facts.connection {
        Connection::Live => (Light::Green, "Live".into()),
        Connection::Connecting if facts.now - facts.started < PATIENCE => {
            (Light::Off, String::new())
        }
        Connection::Connecting => (Light::Amber, "Connecting...".into()),
        Connection::Ended(ByeReason::Revoked) => {
            (Light::Red, "This link is no longer valid.".into())
        }
        Connection::Ended(_) => (Light::Red, "This session is closed.".into()),
        Connection::Lost { next_try, fault, .. } => {
            let wait = next_try.saturating_duration_since(facts.now);
            let next = format!("Next try in {} s", wait.as_secs_f64().ceil());
            lost(facts, fault, &next)
        }
    }
}

fn lost(facts: &Facts<'_>, fault: &Fault, next: &str) -> (Light, String) {
    match fault {
        Fault::Bye { reason: ByeReason::Overload, .. } => {
            (Light::Amber, "This server's viewers are full. Checking every 5 s.".into())
        }
        Fault::Protocol(_) => (Light::Red, "This program is older than the server.".into()),
        Fault::Refused { detail, .. } => (Light::Red, format!("Refused: {detail}. {next}")),
        Fault::Unreadable(_) if facts.state.is_none() => {
            (Light::Red, format!("That is not a serve2048 server. {next}"))
        }
        _ if facts.state.is_none() => (Light::Red, format!("Server not reachable. {next}")),
        _ if lost_for(facts).is_some_and(|lost| lost >= OFFLINE_AFTER) => {
            (Light::Red, format!("Server not reachable. {next}"))
        }
        _ => (Light::Amber, "Reconnecting".into()),
    }
}

fn game(facts: &Facts<'_>, state: &State) -> String {
    match (facts.looking_at, facts.visited_moves) {
        (Some(at), Some(moves)) => return format!("Move {at} of {moves} of an earlier game."),
        (Some(at), None) => {
            return format!("Move {at} of {}. The live game goes on.", state.moves);
        }
        (None, _) => {}
    }
    if state.game_over {
        return "Game over".into();
    }
    let driver = &state.driver;
    match driver.kind {
        DriverKind::Bot => format!("Bot {} plays", driver.name),
        DriverKind::Player if state.agent.running => {
            format!("{} plays", title(&state.agent, &driver.name))
        }
        _ if facts.may_play => "Your move".into(),
        _ => "Watching".into(),
    }
}

fn thinking(facts: &Facts<'_>, state: &State) -> Option<Duration> {
    if !state.agent.running || state.game_over {
        return None;
    }
    // A player that waits for its next move to be due is not thinking.
    let due = match state.agent.pace {
        Pace::Fixed => {
            Duration::try_from_secs_f64(state.agent.interval_seconds).unwrap_or_default()
        }
        Pace::Adaptive | Pace::Max => Duration::ZERO,
    };
    let elapsed = facts.now.saturating_duration_since(facts.state_at?);
    (elapsed >= due + THINKING).then_some(elapsed)
}

fn keys(facts: &Facts<'_>) -> Keys {
    let off = |text: &str| Keys::Off(text.into());
    let Some(state) = facts.state else { return off("Not sent: not connected yet") };
    if let Some(looked_at) = facts.looking_at {
        return Keys::Off(format!("You are looking at move {looked_at}. End goes back to live."));
    }
    match facts.connection {
        Connection::Live
        | Connection::Lost { fault: Fault::Bye { reason: ByeReason::Overload, .. }, .. } => {}
        Connection::Ended(_) => return off("Not sent: this session is closed"),
        Connection::Lost { .. } if lost_for(facts).is_some_and(|lost| lost >= OFFLINE_AFTER) => {
            return off("Not sent: server not reachable");
        }
        Connection::Connecting | Connection::Lost { .. } => {
            return off("Not sent: reconnecting");
        }
    }
    if !facts.may_play {
        return off("You are watching: playing needs the session's token");
    }
    if state.game_over {
        return off("The game is over: N begins a new one");
    }
    if state.agent.running || state.driver.kind == DriverKind::Bot {
        return Keys::TakeOver;
    }
    Keys::Play
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{golden, person};

    /// A case: the facts to begin with are a live connection and a person's move.
    struct Case {
        connection: Connection,
        state: Option<State>,
        may_play: bool,
        looking_at: Option<u32>,
        /// Milliseconds since the start and since the state.
        age: u64,
    }

    impl Default for Case {
        fn default() -> Self {
            Self {
                connection: Connection::Live,
                state: Some(person()),
                may_play: true,
                looking_at: None,
                age: 0,
            }
        }
    }

    /// A loss that lasts `ms` already, with the next attempt in 7.2 s.
    fn lost(ms: u64, fault: Fault) -> Connection {
        let now = Instant::now();
        Connection::Lost { since: now, next_try: now + Duration::from_millis(ms + 7_200), fault }
    }

    fn status(case: &Case) -> Status {
        let base = match case.connection {
            Connection::Lost { since, .. } => since,
            _ => Instant::now(),
        };
        Status::of(&Facts {
            connection: &case.connection,
            state: case.state.as_ref(),
            state_at: case.state.as_ref().map(|_| base),
            may_play: case.may_play,
            looking_at: case.looking_at,
            visited_moves: None,
            started: base,
            now: base + Duration::from_millis(case.age),
        })
    }

    fn off(text: &str) -> Keys {
        Keys::Off(text.into())
    }

    #[test]
    fn connecting_is_said_only_after_300_ms() {
        let case =
            |age| Case { connection: Connection::Connecting, state: None, age, ..Case::default() };
        let early = status(&case(299));
        assert_eq!((early.light, early.link.as_str()), (Light::Off, ""));
        assert_eq!(early.keys, off("Not sent: not connected yet"));
        assert_eq!(status(&case(300)).link, "Connecting...");
    }

    #[test]
    fn live_with_a_person() {
        let status = status(&Case::default());
        assert_eq!((status.light, status.link.as_str()), (Light::Green, "Live"));
        assert_eq!((status.game.as_str(), status.keys), ("Your move", Keys::Play));
        assert!(!status.stale);
    }

    #[test]
    fn live_with_a_player_that_thinks() {
        let case = |pace, age| {
            let mut state = golden("state-after-a-move");
            state.agent.pace = pace;
            status(&Case { state: Some(state), age, ..Case::default() })
        };
        let early = case(Pace::Max, 299);
        assert_eq!(early.game, "Monte Carlo Tree Search plays");
        assert_eq!((early.thinking, early.keys), (None, Keys::TakeOver));
        assert_eq!(case(Pace::Max, 450).thinking, Some(Duration::from_millis(450)));
        assert_eq!(case(Pace::Fixed, 799).thinking, None, "the next move was due after 500 ms");
        assert_eq!(case(Pace::Fixed, 800).thinking, Some(Duration::from_millis(800)));
    }

    #[test]
    fn live_with_a_bot() {
        let mut state = person();
        state.driver.kind = DriverKind::Bot;
        state.driver.name = "mine".into();
        let status = status(&Case { state: Some(state), ..Case::default() });
        assert_eq!((status.game.as_str(), status.keys), ("Bot mine plays", Keys::TakeOver));
    }

    #[test]
    fn a_loss_keeps_the_board_and_greys_it_after_two_seconds() {
        let case = |age| Case { connection: lost(age, Fault::Ended), age, ..Case::default() };
        let early = status(&case(1_999));
        assert_eq!((early.light, early.link.as_str()), (Light::Amber, "Reconnecting"));
        assert_eq!((early.stale, early.keys), (false, off("Not sent: reconnecting")));
        assert!(status(&case(2_000)).stale);
    }

    #[test]
    fn after_thirty_seconds_the_server_is_not_reachable() {
        let case = |age| Case { connection: lost(age, Fault::Unreachable), age, ..Case::default() };
        assert_eq!(status(&case(29_999)).light, Light::Amber);
        let offline = status(&case(30_000));
        assert_eq!(offline.light, Light::Red);
        assert_eq!(offline.link, "Server not reachable. Next try in 8 s");
        assert_eq!(offline.keys, off("Not sent: server not reachable"));
    }

    #[test]
    fn a_wrong_address_is_said_at_once() {
        let connection = lost(0, Fault::Unreachable);
        let status = status(&Case { connection, state: None, ..Case::default() });
        assert_eq!(status.link, "Server not reachable. Next try in 8 s");
    }

    #[test]
    fn a_full_server_is_polled_and_played() {
        let bye = Fault::Bye { reason: ByeReason::Overload, retry: Duration::from_secs(5) };
        let status = status(&Case { connection: lost(0, bye), ..Case::default() });
        assert_eq!(status.link, "This server's viewers are full. Checking every 5 s.");
        assert_eq!(status.keys, Keys::Play);
    }

    #[test]
    fn another_protocol_is_said() {
        let status = status(&Case { connection: lost(0, Fault::Protocol(2)), ..Case::default() });
        assert_eq!(
            (status.light, status.link.as_str()),
            (Light::Red, "This program is older than the server.")
        );
    }

    #[test]
    fn a_refusal_has_the_servers_words() {
        let fault =
            Fault::Refused { status: 404, detail: "no session abc".into(), retry_after: None };
        let status = status(&Case { connection: lost(0, fault), ..Case::default() });
        assert_eq!(status.link, "Refused: no session abc. Next try in 8 s");
    }

    #[test]
    fn an_end_is_final() {
        for (reason, link) in [
            (ByeReason::Closed, "This session is closed."),
            (ByeReason::Revoked, "This link is no longer valid."),
        ] {
            let status = status(&Case { connection: Connection::Ended(reason), ..Case::default() });
            assert_eq!((status.light, status.link.as_str()), (Light::Red, link));
            assert_eq!(status.keys, off("Not sent: this session is closed"));
        }
    }

    #[test]
    fn looking_back_does_not_play() {
        let status = status(&Case { looking_at: Some(120), ..Case::default() });
        assert_eq!(status.game, "Move 120 of 214. The live game goes on.");
        assert_eq!(status.keys, off("You are looking at move 120. End goes back to live."));
    }

    #[test]
    fn a_spectator_watches() {
        let status = status(&Case { may_play: false, ..Case::default() });
        assert_eq!(status.game, "Watching");
        assert_eq!(status.keys, off("You are watching: playing needs the session's token"));
    }

    #[test]
    fn a_game_that_is_over_takes_no_moves() {
        let state = Some(golden("state-game-over"));
        let status = status(&Case { state, age: 5_000, ..Case::default() });
        assert_eq!((status.game.as_str(), status.thinking), ("Game over", None));
        assert_eq!(status.keys, off("The game is over: N begins a new one"));
    }
}
