//! The window's state: what is shown, what keys and buttons mean now. Drawing is in [`draw`](crate::draw).

use std::{
    fmt,
    time::{Duration, Instant},
};

use client::{
    Command, Connection, Seat,
    seat::{Acted, Action, games::Leaf},
    view::{About, said, spoken::square_words},
};
use protocol::{Direction, SessionItem};

use crate::{
    keys::{Keys, Reader, Wish},
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
    /// The position as a code, or another one to begin on.
    Position,
    /// This server, and the way to another one.
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
    /// The square that one stands on while exploring: row and column.
    pub exploring: Option<[usize; 2]>,
    explored: [usize; 2],
    /// The position being typed.
    pub code: String,
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
            leave: Leave::No,
            pictures: 0,
            swiped: false,
            began: None,
            exploring: None,
            explored: [0, 0],
            code: String::new(),
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
        }
        let game_now = self.seat.view.state().map(|state| state.game.clone());
        if game.is_some() && game != game_now {
            self.began = Some(now);
            self.exploring = None;
            if self.tab == Tab::Games {
                let command = self.seat.leaf(Leaf::Anew);
                self.call(command);
            }
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
        self.sessions = Listing::Unknown;
        (self.nowhere, self.began, self.exploring) = (None, None, None);
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
        self.order(Order::Go(Goal { server, session, ..Goal::default() }));
    }

    /// Says who gets the keys: the board, or the dialog that is open.
    pub fn assign_keys(&self, keys: &mut Keys) {
        let open = self.dialog != Dialog::None;
        keys.belong_to(if open { Reader::Dialog } else { Reader::Board }, self.settings.held);
    }

    /// A key or a button asks for something.
    pub fn grant(&mut self, wish: Wish) {
        // A key that came with the one that opened the dialog is not the board's any more.
        if self.dialog != Dialog::None {
            if wish == Wish::Close {
                self.dialog = Dialog::None;
            }
            return;
        }
        match wish {
            Wish::Act(action) => self.act(action),
            Wish::Explore => self.toggle_exploring(),
            Wish::Help => self.dialog = Dialog::Help,
            Wish::Close => {
                let over = self.seat.view.state().is_some_and(|state| state.game_over);
                if self.exploring.is_some() {
                    self.toggle_exploring();
                } else if self.seat.look.is_some() {
                    self.seat.live();
                } else if over && !self.seat.card_closed {
                    self.seat.card_closed = true;
                } else {
                    self.ask_to_leave();
                }
            }
        }
    }

    /// A key, a button or a swipe asks for something of the game.
    pub fn act(&mut self, action: Action) {
        let now = self.now();
        if let Action::Move(direction) = action {
            if let Some(square) = self.exploring {
                return self.explore(walk(square, direction));
            }
            if self.settings.held == Held::Repeat
                && self.last_move.is_some_and(|last| now - last < REPEATS_APART)
            {
                return;
            }
            self.last_move = Some(now);
        }
        match self.seat.act(action, now) {
            Acted::Call(command) => self.call(command),
            Acted::AskNewGame => self.dialog = Dialog::NewGame,
        }
    }

    /// Opens the dialog about the server, and asks it about itself.
    pub fn open_server_dialog(&mut self) {
        self.address.clone_from(&self.place.server);
        self.dialog = Dialog::Server;
        self.seat.server = None;
        self.call(Some(Command::AskServer));
    }

    /// Opens the dialog about the position on the board.
    pub fn open_position_dialog(&mut self) {
        let Some(code) = self.seat.code() else { return };
        self.code = code;
        self.dialog = Dialog::Position;
    }

    /// Time has passed.
    pub fn tick(&mut self) {
        let command = self.seat.tick(self.now());
        self.call(command);
    }

    fn toggle_exploring(&mut self) {
        if self.exploring.take().is_some() {
            self.answer("Exploring is off: the keys play again.");
        } else {
            self.explore(self.explored);
        }
    }

    /// Stands on a square, and says what is there.
    fn explore(&mut self, square: [usize; 2]) {
        let Some(grid) = self.seat.grid() else { return };
        (self.exploring, self.explored) = (Some(square), square);
        self.answer(&square_words(&grid, square[0], square[1]));
    }

    /// Says what came of a key or a button.
    pub fn answer(&mut self, text: &str) {
        let now = self.now();
        self.seat.say(said(About::Answer, text), now);
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
        let loud = said.filter(|said| {
            use About::{Connection, Driver, Game, Takeover};
            matches!(said.about, Connection | Driver | Game | Takeover)
        });
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

/// One step over the board, which stops at its edge.
fn walk([row, column]: [usize; 2], direction: Direction) -> [usize; 2] {
    match direction {
        Direction::Up => [row.saturating_sub(1), column],
        Direction::Down => [(row + 1).min(3), column],
        Direction::Left => [row, column.saturating_sub(1)],
        Direction::Right => [row, (column + 1).min(3)],
    }
}
