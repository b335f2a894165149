//! The window's state: what is shown, what keys and buttons mean now. Drawing is in [`draw`](crate::draw).

use std::{
    fmt,
    time::{Duration, Instant},
};

use client::{
    Command, Connection, Seat,
    seat::NewGame,
    view::{About, said, spoken::board_lines},
};
use protocol::{GameRecord, SessionItem};

use crate::{
    keys::{Action, Keys, Reader},
    link::{Link, News, Order, Place},
    options::Goal,
    settings::{Held, Keeper, Settings},
};

/// Moves of a key that is held down come no faster than this.
const REPEATS_APART: Duration = Duration::from_millis(125);
/// How long one can go back to the game before by one button.
const BACK_IS_OFFERED: Duration = Duration::from_secs(10);

/// What lies over the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dialog {
    /// Nothing.
    #[default]
    None,
    /// "Start a new game?"
    NewGame,
    /// The keys.
    Help,
    /// How things look.
    Settings,
    /// Another server.
    Server,
    /// The window is to be closed while a player plays.
    Closing,
}

/// What the panel beside the board shows below the decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tab {
    /// The moves.
    #[default]
    Log,
    /// Who can play.
    Players,
    /// This session's games.
    Games,
    /// The server's sessions.
    Sessions,
}

/// A list that is fetched when it is looked at.
#[derive(Debug, Clone, PartialEq)]
pub enum Listing<T> {
    /// It was not asked for yet.
    Unknown,
    /// It is on its way.
    Asked,
    /// Here it is; whether there is more.
    Here(Vec<T>, bool),
    /// There is none, for this reason.
    Failed(String),
}

/// What the window itself is to do after a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Leave {
    /// Stay.
    #[default]
    No,
    /// Close.
    Yes,
}

/// Where the time comes from.
pub struct Clock(Box<dyn Fn() -> Instant>);

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

impl Clock {
    /// The time as `now` tells it.
    pub fn new(now: impl Fn() -> Instant + 'static) -> Self {
        Self(Box::new(now))
    }

    /// Now.
    pub fn now(&self) -> Instant {
        (self.0)()
    }
}

/// The window's state.
#[derive(Debug)]
pub struct Desktop {
    /// Where we sit at the session.
    pub seat: Seat,
    /// Where the session is.
    pub place: Place,
    /// Why we are nowhere, when we are.
    pub nowhere: Option<String>,
    /// How things look.
    pub settings: Settings,
    /// Why the settings can't be kept.
    pub unkept: Option<String>,
    /// What lies over the window.
    pub dialog: Dialog,
    /// The panel's lower part.
    pub tab: Tab,
    /// The server's sessions.
    pub sessions: Listing<SessionItem>,
    /// This session's games.
    pub games: Listing<GameRecord>,
    /// The address being typed.
    pub address: String,
    /// Whether the window is to close.
    pub leave: Leave,
    /// Pictures drawn so far.
    pub pictures: u64,
    /// The swipe under way has played.
    pub swiped: bool,
    /// When the running game replaced another one.
    began: Option<Instant>,
    last_move: Option<Instant>,
    kept: Settings,
    keeper: Keeper,
    link: Link,
    clock: Clock,
}

impl Desktop {
    /// A window that knows nothing yet and hears by `link`.
    pub fn new(settings: Settings, keeper: Keeper, link: Link, clock: Clock) -> Self {
        let seat = Seat::new(true, settings.moving.motion(), clock.now());
        Self {
            seat,
            place: Place::default(),
            nowhere: None,
            address: settings.server.clone(),
            kept: settings.clone(),
            settings,
            unkept: None,
            dialog: Dialog::None,
            tab: Tab::Log,
            sessions: Listing::Unknown,
            games: Listing::Unknown,
            leave: Leave::No,
            pictures: 0,
            swiped: false,
            began: None,
            last_move: None,
            keeper,
            link,
            clock,
        }
    }

    /// Now.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Takes in what has come since the last time.
    pub fn hear(&mut self) {
        for news in self.link.news() {
            self.take(news);
        }
    }

    fn take(&mut self, news: News) {
        let now = self.now();
        let game = self.seat.view.state().map(|state| state.game.clone());
        match news {
            News::Arrived(place) => self.arrive(place, now),
            News::Lost(why) => self.nowhere = Some(why),
            News::Update(update) => self.seat.update(update, now),
            News::Answer(answer) => {
                let next = self.seat.answered(*answer, now);
                self.call(next);
            }
            News::Sessions(Ok(page)) => {
                self.sessions = Listing::Here(page.items, page.next.is_some());
            }
            News::Sessions(Err(why)) => self.sessions = Listing::Failed(why),
            News::Games(Ok(page)) => self.games = Listing::Here(page.items, page.next.is_some()),
            News::Games(Err(why)) => self.games = Listing::Failed(why),
        }
        let game_now = self.seat.view.state().map(|state| state.game.clone());
        if game.is_some() && game != game_now {
            self.began = Some(now);
            self.games = Listing::Unknown;
        }
    }

    fn arrive(&mut self, place: Place, now: Instant) {
        self.seat = Seat::new(place.may_play, self.settings.moving.motion(), now);
        if let Some(warning) = &place.warning {
            self.seat.say(said(About::Note, warning), now);
        }
        // A server of our own is gone with the window: its address is not worth remembering.
        if !place.own {
            self.settings.server.clone_from(&place.server);
        }
        self.address.clone_from(&place.server);
        (self.sessions, self.games) = (Listing::Unknown, Listing::Unknown);
        (self.nowhere, self.began) = (None, None);
        self.place = place;
    }

    /// Makes a call, if there is one to make.
    pub fn call(&mut self, command: Option<Command>) {
        if let Some(command) = command {
            self.order(Order::Call(command));
        }
    }

    /// Tells the network what is wanted.
    pub fn order(&mut self, order: Order) {
        if !self.link.order(order) {
            self.nowhere = Some("the network has stopped: start the program again".into());
        }
    }

    /// Goes to another session of this server, to watch or, where it is open, to play.
    pub fn go(&mut self, session: Option<String>) {
        let server = Some(self.place.server.clone());
        self.order(Order::Go(Goal { server, session, token: None, only_watch: false }));
    }

    /// Says who gets the keys: the board, or the dialog that is open.
    pub fn assign_keys(&self, keys: &mut Keys) {
        let open = self.dialog != Dialog::None;
        keys.belong_to(if open { Reader::Dialog } else { Reader::Board }, self.settings.held);
    }

    /// A key, a button or a swipe asks for something.
    pub fn act(&mut self, action: Action) {
        let now = self.now();
        let seat = &mut self.seat;
        let command = match action {
            Action::Move(direction) => {
                if self.settings.held == Held::Repeat
                    && self.last_move.is_some_and(|last| now - last < REPEATS_APART)
                {
                    return;
                }
                self.last_move = Some(now);
                seat.press(direction, now)
            }
            Action::Agent => seat.toggle_agent(now),
            Action::Step => seat.step(now),
            Action::Hint => seat.ask_hint(now),
            Action::Faster => seat.pace().and_then(|pace| seat.set_pace(pace.faster(), now)),
            Action::Slower => seat.pace().and_then(|pace| seat.set_pace(pace.slower(), now)),
            Action::Player(number) => seat.choose_player(number, now).1,
            Action::Back(moves) => seat.look_from_here(-i64::from(moves), now),
            Action::Forward(moves) => seat.look_from_here(i64::from(moves), now),
            Action::First => seat.look_at(0, now),
            Action::Live => {
                seat.live();
                None
            }
            Action::NewGame => match seat.wish_new_game(now) {
                NewGame::Begin(command) => Some(command),
                NewGame::Refused => None,
                NewGame::Ask => {
                    self.dialog = Dialog::NewGame;
                    None
                }
            },
            Action::Read => {
                if let Some(grid) = seat.grid() {
                    let rows = board_lines(&grid).map(|row| row.trim_start().to_owned());
                    seat.say(said(About::Answer, &rows.join("; ")), now);
                }
                None
            }
            Action::Help => {
                self.dialog = Dialog::Help;
                None
            }
            Action::Close => {
                let over = seat.view.state().is_some_and(|state| state.game_over);
                if seat.look.is_some() {
                    seat.live();
                } else if over && !seat.card_closed {
                    seat.card_closed = true;
                } else {
                    self.ask_to_leave();
                }
                None
            }
        };
        self.call(command);
    }

    /// The window is to be closed. The first time that a player plays then, it is said that it plays on.
    pub fn ask_to_leave(&mut self) {
        let plays = self.seat.view.state().is_some_and(|state| state.agent.running)
            && self.seat.view.may_play()
            && *self.seat.view.connection() == Connection::Live;
        if plays && !self.settings.told_of_playing_on {
            self.settings.told_of_playing_on = true;
            self.dialog = Dialog::Closing;
        } else {
            self.leave = Leave::Yes;
        }
    }

    /// The button that goes back to the game before is shown.
    pub fn offers_the_game_before(&self, now: Instant) -> bool {
        let fresh = self.began.is_some_and(|began| now - began < BACK_IS_OFFERED);
        fresh && self.seat.previous.is_some() && self.seat.look.is_none()
    }

    /// When the picture changes by itself; `None` while it doesn't.
    pub fn next_change(&self, now: Instant) -> Option<Duration> {
        let offered = self.began.map(|began| began + BACK_IS_OFFERED);
        let offered = offered.and_then(|until| until.checked_duration_since(now));
        let offered = offered.filter(|left| !left.is_zero());
        // The next picture of an animation comes with the screen's next refresh.
        self.seat.next_change(now, Duration::ZERO).into_iter().chain(offered).min()
    }

    /// What is worth reading in a list of windows: "Your move, 1,284 points - 2048".
    pub fn title(&self, now: Instant) -> String {
        let status = self.seat.view.status(now);
        let said = self.seat.said(now);
        let loud = said
            .filter(|said| matches!(said.about, About::Driver | About::Game | About::Connection));
        let sentence = match loud {
            Some(said) => said.text.trim_end_matches('.'),
            None if status.game.is_empty() || status.link != "Live" => &status.link,
            None => &status.game,
        };
        let score = self.seat.view.state().map(|state| state.score);
        match score {
            Some(score) if loud.is_none() && status.link == "Live" => {
                format!("{sentence}, {score} points - 2048")
            }
            _ if sentence.is_empty() => "2048".into(),
            _ => format!("{sentence} - 2048"),
        }
    }

    /// The settings are others than before: makes them count, and keeps them.
    pub fn keep_settings(&mut self) -> bool {
        if self.settings == self.kept {
            return false;
        }
        if self.settings.moving != self.kept.moving {
            self.seat.view.set_motion(self.settings.moving.motion());
        }
        self.kept = self.settings.clone();
        let saved = self.keeper.save(&self.settings);
        self.unkept = saved.err().map(|error| format!("Settings are not kept: {error}"));
        true
    }

    /// Ends the network, and a server of our own with it.
    pub fn close(&mut self) {
        self.link.close();
    }
}
