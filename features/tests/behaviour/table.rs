//! A game on a server, and everybody around it.

mod around;

use std::time::Duration;

use client::{CallError, Client};
use engine::{Board, Direction, Directions};
use protocol::{
    AgentStart, DriverKind, GameRecord, Grid, MoveRequest, NewGame, Pace, PastState, Seed, Series,
    State,
};
use tokio::time::{Instant, sleep};

use crate::{
    browser::Browser,
    model::Model,
    paper::View,
    screens::{Kind, Screens},
    server::{KEY, Server},
    watcher::Watcher,
    world::SEED,
};

/// How long anything may take before the scenario fails; nothing waits for it to pass.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
/// How often something is asked for again.
const AGAIN: Duration = Duration::from_millis(10);
/// Seconds between two moves of a player: the quickest fixed pace.
const QUICK: f64 = 0.05;
/// The same for one who gives people time: nobody has to be quicker.
const SLOW: f64 = 5.0;

/// A server with the game that this scenario plays, as seen by the one who plays it.
#[derive(Debug)]
pub(crate) struct Table {
    server: Server,
    client: Client,
    /// The newest state that a call has brought.
    state: State,
    /// The sentence of the last refusal.
    said: String,
    /// The last move that was asked for, and how many were.
    asked: Option<MoveRequest>,
    commands: u32,
    /// The seed of the last game that was begun from one.
    seed: Option<u64>,
    watchers: Vec<Watcher>,
    browser: Option<Browser>,
    /// What is open on the game, one of a kind.
    screens: Screens,
    /// Where a person took the game over.
    taken_over_by: Option<Kind>,
    /// What stands in for the hosted model.
    model: Option<Model>,
    /// The game before this one.
    before: Option<String>,
    /// What is looked back at, and whether it is of the game before.
    past: Option<(PastState, bool)>,
}

impl Table {
    /// Sits down at a server.
    pub(crate) async fn at(server: Server) -> Self {
        let client = Client::new(&server.address(), None, None).expect("the address can be used");
        let state = state_of(&client).await.expect("the server answers");
        Self {
            server,
            client,
            state,
            said: String::new(),
            asked: None,
            commands: 0,
            seed: None,
            watchers: Vec::new(),
            browser: None,
            screens: Screens::default(),
            taken_over_by: None,
            model: None,
            before: None,
            past: None,
        }
    }

    /// Sits down at a server that asks `model`, so many times at most.
    pub(crate) async fn with_model(model: Model, times: Option<u32>) -> Self {
        let table = Self::at(Server::with_model(&model.url(), times).await).await;
        Self { model: Some(model), ..table }
    }

    /// What there is to see of the game.
    pub(crate) fn view(&self) -> View {
        let state = &self.state;
        View {
            board: board_of(state),
            score: state.score,
            merges: state.merge_count,
            moves: state.moves,
            open: state.legal.iter().map(|&direction| rule_of(direction)).collect::<Directions>(),
            over: state.game_over,
        }
    }

    /// The last sentence that the server said in refusal, and why the last move was not the player's own.
    pub(crate) fn said(&self) -> String {
        let reason = self.state.decision.as_ref().and_then(|decision| decision.reason.as_deref());
        format!("{}\n{}", self.said, reason.unwrap_or_default())
    }

    /// The model was shown the board of `view` first, and exactly its open moves.
    pub(crate) fn check_shown(&self, view: &View) {
        let first = self.model.as_ref().expect("there is a model").requests().remove(0);
        let grid = board_of(&self.state).values();
        let shown: [[Option<u64>; 4]; 4] =
            serde_json::from_value(first.json()["state"]["board"]["grid"].clone())
                .expect("a board");
        assert_ne!(shown, grid.map(|row| row.map(|value| Some(value.into()))), "the game went on");
        let shown = Board::from_values(shown.map(|row| row.map(|value| value.unwrap_or(0))));
        assert_eq!(shown, Ok(view.board));
        let open: Vec<_> = view.open.iter().map(Direction::name).collect();
        assert_eq!(first.options(), open);
    }

    /// Waits until the transcript has these words.
    pub(crate) async fn check_transcript(&self, words: &str) {
        let begin = Instant::now();
        while !self.server.printed().contains(words) {
            assert!(begin.elapsed() < PATIENCE, "no \"{words}\" in {}", self.server.printed());
            sleep(AGAIN).await;
        }
    }

    /// Neither the transcript nor the state has the key, nor what the model was told beside its header.
    pub(crate) fn check_key_hidden(&self) {
        let state = serde_json::to_string(&self.state).expect("a state is JSON");
        let requests = self.model.as_ref().expect("there is a model").requests();
        assert!(!requests.is_empty(), "the model was asked");
        for request in &requests {
            assert_eq!(request.head.matches(KEY).count(), 1, "{}", request.head);
        }
        let told = requests.into_iter().map(|request| request.body);
        for text in told.chain([state, self.server.printed(), self.said.clone()]) {
            assert!(!text.contains(&KEY[..14]), "{text}");
        }
    }

    /// The names of the players on offer.
    pub(crate) fn players(&self) -> &[String] {
        &self.state.agent.players
    }

    /// Who has the game.
    pub(crate) fn driver(&self) -> &str {
        &self.state.driver.name
    }

    /// Who made the last move.
    pub(crate) fn mover(&self) -> Option<&str> {
        self.state.decision.as_ref().map(|decision| decision.source.as_str())
    }

    // Calls.

    /// Begins a game on `board`, in which the same tiles come every time.
    pub(crate) async fn lay(&mut self, board: &Board) {
        let rows = board.values().map(|row| row.map(|value| (value != 0).then_some(value.into())));
        let (grid, seed) = (Some(Grid(rows)), Some(Seed(SEED)));
        self.begin(NewGame { grid, seed, ..NewGame::default() }).await;
    }

    /// Begins the game of a seed, or one of which nobody knows the seed.
    pub(crate) async fn begin_seed(&mut self, seed: Option<u64>) {
        self.seed = seed.or(self.seed);
        self.begin(NewGame { seed: seed.map(Seed), ..NewGame::default() }).await;
    }

    async fn begin(&mut self, new: NewGame) {
        self.before = Some(self.state.game.clone());
        let state = self.client.new_game(&new).await;
        self.take(state);
        // A key is meant for the board that is seen: one on the game before would be refused.
        self.check_shown_on(None).await;
    }

    /// Asks for a move, and for the game if a player has it.
    pub(crate) async fn play(&mut self, direction: &str) {
        self.commands += 1;
        self.asked = Some(MoveRequest {
            direction: direction.to_owned(),
            takeover: Some(true),
            command_id: Some(format!("move-{}", self.commands)),
            ..MoveRequest::default()
        });
        self.play_again().await;
    }

    /// Sends the last move once more, as a client does that heard no answer.
    pub(crate) async fn play_again(&mut self) {
        let asked = self.asked.as_ref().expect("a move was asked for");
        let state = self.client.move_(asked).await.map(|moved| moved.state);
        self.take(state);
    }

    /// Hands the game to a player, one who plays quickly or slowly.
    pub(crate) async fn hand(&mut self, player: &str, slowly: bool) {
        let start = AgentStart {
            player: Some(player.to_owned()),
            interval_seconds: Some(if slowly { SLOW } else { QUICK }),
            ..AgentStart::default()
        };
        let state = self.client.agent_start(&start).await.map(|started| started.state);
        self.take(state);
    }

    /// Lets a player play so many games, and watches until it has.
    pub(crate) async fn play_games(&mut self, player: &str, count: u32) {
        let start = AgentStart {
            player: Some(player.to_owned()),
            pace: Some(Pace::Max),
            series: Some(Series { games: Some(count), until_tile: None }),
            ..AgentStart::default()
        };
        let state = self.client.agent_start(&start).await.map(|started| started.state);
        self.take(state);
        self.watch_the_end().await;
    }

    /// Takes the game back without a move.
    pub(crate) async fn take_back(&mut self) {
        let state = self.client.agent_stop().await.map(|stopped| stopped.state);
        self.take(state);
    }

    /// Waits until `count` more moves have been played.
    pub(crate) async fn watch(&mut self, count: u32) {
        let (game, moves) = (self.state.game.clone(), self.state.moves + count);
        self.wait(|state| state.game == game && state.moves >= moves).await;
    }

    /// Waits until the player that has the game has played it to its end.
    pub(crate) async fn watch_the_end(&mut self) {
        self.wait(|state| state.game_over && !state.agent.running).await;
    }

    async fn wait(&mut self, until: impl Fn(&State) -> bool) {
        let begin = Instant::now();
        while !until(&self.state) {
            assert!(begin.elapsed() < PATIENCE, "it did not come to that: {:#?}", self.state);
            sleep(AGAIN).await;
            let state = state_of(&self.client).await;
            self.take(state);
        }
    }

    /// Copies the game as text, changes one move of it or none, and brings it back.
    pub(crate) async fn copy(&mut self, change: Option<usize>) {
        let text = self.client.export(&self.state.game).await.expect("the game can be copied");
        let text = match change {
            None => text,
            Some(number) => changed(&text, number),
        };
        if let Err(CallError::Refused { detail, .. }) = self.client.import(text).await {
            self.said = detail;
        }
    }

    /// Looks back at a move of this game, or of the one before.
    pub(crate) async fn look_back(&mut self, number: u32, before: bool) {
        let game = if before { self.before.as_ref() } else { Some(&self.state.game) };
        match self.client.past(game.expect("there was a game before"), number).await {
            Ok(past) => self.past = Some((past, before)),
            Err(CallError::Refused { detail, .. }) => self.said = detail,
            Err(error) => panic!("{error}"),
        }
    }

    /// What is looked back at, the seed of its game, and whether that is the one before.
    pub(crate) fn past(&self) -> (u64, PastState, bool) {
        let (past, before) = self.past.clone().expect("somebody looks back");
        (self.seed.expect("the game was begun from a seed"), past, before)
    }

    /// The games of a player, or that stand so; empty words are any.
    pub(crate) async fn games(&self, player: &str, status: &str) -> Vec<GameRecord> {
        let asked = [("player", player), ("status", status), ("limit", "200")];
        let asked: Vec<_> = asked.into_iter().filter(|(_, word)| !word.is_empty()).collect();
        self.client.find_games(&asked).await.expect("the server tells of its games").items
    }

    /// Kills the server and starts it again.
    pub(crate) async fn kill_and_start(&mut self) {
        self.server.kill_and_start().await;
        let state = state_of(&self.client).await;
        self.take(state);
    }

    /// Remembers what the server answered. Whatever happens, time does not run backwards.
    fn take(&mut self, answer: Result<State, CallError>) {
        match answer {
            Ok(state) => {
                assert_eq!(state.epoch, self.state.epoch, "history was lost");
                assert!(state.seq >= self.state.seq, "{} after {}", state.seq, self.state.seq);
                self.state = state;
            }
            Err(CallError::Refused { detail, .. }) => self.said = detail,
            Err(error) => panic!("{error}"),
        }
    }

    // Watchers.

    /// Lets `count` more people watch.
    pub(crate) async fn seat_people(&mut self, count: usize) {
        for _ in 0..count {
            self.watchers.push(Watcher::come(&self.client).await);
        }
    }

    /// Opens `count` tabs of one browser on the game.
    pub(crate) async fn open_tabs(&mut self, count: usize) {
        self.browser = Some(Browser::open(&self.server.address(), count).await);
        self.check_seen().await;
    }

    /// One of the people who watch leaves.
    pub(crate) fn leave(&mut self) {
        self.watchers.iter_mut().find(|watcher| watcher.is_there()).expect("one is there").leave();
    }

    /// One of the people who left comes back.
    pub(crate) async fn come_back(&mut self) {
        let gone = self.watchers.iter_mut().find(|watcher| !watcher.is_there());
        gone.expect("one has left").come_back().await;
    }

    /// Presses a key in one of the browser's tabs and waits until it has changed something.
    pub(crate) async fn press(&mut self, key: &str) {
        let seq = self.state.seq;
        self.browser.as_ref().expect("a browser is open").press(key).await;
        self.wait(|state| state.seq > seq && state.driver.kind == DriverKind::Human).await;
    }

    /// Everybody watching, people and tabs, sees the game as the server has it.
    pub(crate) async fn check_seen(&mut self) {
        let state = state_of(&self.client).await;
        self.take(state);
        for watcher in self.watchers.iter_mut().filter(|watcher| watcher.is_there()) {
            watcher.check_sees(&self.state).await;
        }
        if let Some(browser) = &self.browser {
            browser.check_sees(&board_of(&self.state), self.state.score, self.state.moves).await;
        }
    }

    /// Everybody watching knows how many they are.
    pub(crate) async fn check_watchers(&mut self, count: u32) {
        for watcher in self.watchers.iter_mut().filter(|watcher| watcher.is_there()) {
            watcher.check_knows(count).await;
        }
    }

    /// Closes the browser; everything else ends by itself.
    pub(crate) async fn close(&mut self) {
        if let Some(browser) = self.browser.take() {
            browser.close().await;
        }
        self.screens.close().await;
    }
}

/// The state, however long the server has to wait for its turn on a machine that does much else.
async fn state_of(client: &Client) -> Result<State, CallError> {
    let begin = Instant::now();
    loop {
        match client.state().await {
            Err(CallError::Unreachable(_)) if begin.elapsed() < PATIENCE => sleep(AGAIN).await,
            answer => return answer,
        }
    }
}

/// The text of a game with one of its moves, counted from 1, turned into another direction.
fn changed(text: &str, number: usize) -> String {
    let (header, moves) = text.split_once('\n').expect("two lines");
    let begin = moves.rfind(":\"").expect("the directions") + 2;
    let mut moves = moves.as_bytes().to_vec();
    let letter = &mut moves[begin + number - 1];
    *letter = if *letter == b'U' { b'D' } else { b'U' };
    format!("{header}\n{}", String::from_utf8(moves).expect("letters"))
}

pub(crate) fn board_of(state: &State) -> Board {
    let values = state.grid.map(|row| row.map(|value| value.unwrap_or(0).into()));
    Board::from_values(values).expect("the server shows tiles")
}

fn rule_of(direction: protocol::Direction) -> Direction {
    match direction {
        protocol::Direction::Up => Direction::Up,
        protocol::Direction::Down => Direction::Down,
        protocol::Direction::Left => Direction::Left,
        protocol::Direction::Right => Direction::Right,
    }
}
