//! A server of one session: it plays by the engine and speaks as much of the protocol as the terminal needs.

use std::{
    fmt::Write,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use engine::Game;
use protocol::{
    Agent, Decision, Direction, Driver, DriverKind, HintMove, HintReply, Moved, Pace, PastState,
    RosterEntry, SessionCreated, Started, State, Stopped,
};
use serde::Serialize;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// The session: the newest state, and the game behind it.
pub(crate) struct Table {
    game: Mutex<Game>,
    state: watch::Sender<State>,
    history: Mutex<Vec<PastState>>,
    agent: Mutex<Option<JoinHandle<()>>>,
    port: Mutex<u16>,
    serving: Mutex<Option<JoinHandle<()>>>,
}

impl Table {
    /// A new game by `seed`, on a port of its own.
    pub(crate) async fn open(seed: u64) -> Arc<Self> {
        let game = Game::new(seed);
        let state = first_state(&game, seed);
        let table = Arc::new(Self {
            history: Mutex::new(vec![PastState::from(&state)]),
            game: Mutex::new(game),
            state: watch::channel(state).0,
            agent: Mutex::new(None),
            port: Mutex::new(0),
            serving: Mutex::new(None),
        });
        table.start().await;
        table
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port.lock().unwrap())
    }

    pub(crate) fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Listens again, on the port it had.
    pub(crate) async fn start(self: &Arc<Self>) {
        let port = *self.port.lock().unwrap();
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).await.unwrap();
        *self.port.lock().unwrap() = listener.local_addr().unwrap().port();
        let table = Arc::clone(self);
        let serving = tokio::spawn(async move {
            // Its connections end with it.
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((socket, _)) = listener.accept().await {
                connections.spawn(Arc::clone(&table).serve(socket));
            }
        });
        *self.serving.lock().unwrap() = Some(serving);
    }

    /// Is gone, as after a crash: the connections with it.
    pub(crate) async fn stop(&self) {
        let serving = self.serving.lock().unwrap().take();
        if let Some(serving) = serving {
            serving.abort();
            assert!(serving.await.unwrap_err().is_cancelled());
        }
    }

    /// Changes the state as nobody's call would.
    pub(crate) fn change(&self, change: impl FnOnce(&mut State)) {
        self.state.send_modify(|state| {
            state.seq += 1;
            state.transition = None;
            change(state);
        });
    }

    /// Plays from outside, as another client does.
    pub(crate) fn play(&self, direction: Direction, by: &str) -> bool {
        let mut game = self.game.lock().unwrap();
        let Ok(played) = game.play(direction.into()) else { return false };
        let transition = protocol::transition_of(&played, by);
        self.change(|state| {
            describe(state, &game);
            state.last_move = Some(direction);
            state.decision = Some(decision(direction, by));
            state.transition = Some(transition);
        });
        self.history.lock().unwrap().push(PastState::from(&*self.state.borrow()));
        true
    }

    async fn serve(self: Arc<Self>, mut socket: TcpStream) {
        while let Some((head, body)) = read_request(&mut socket).await {
            let mut words = head.split(' ');
            let (method, path) = (words.next().unwrap(), words.next().unwrap());
            let path = path.strip_prefix("/api/").unwrap_or(path);
            let path = path.strip_prefix("sessions/own/").unwrap_or(path);
            if path.starts_with("events") {
                return self.stream(socket).await;
            }
            let (status, reply) = self.answer(method, path, &body);
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{reply}",
                reply.len()
            );
            if socket.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }

    async fn stream(self: Arc<Self>, mut socket: TcpStream) {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\nretry: 1000\n\n";
        let mut states = self.state.subscribe();
        let mut text = head.to_owned();
        loop {
            let state = states.borrow_and_update().clone();
            let json = serde_json::to_string(&state).unwrap();
            write!(text, "id: {}-{}\ndata: {json}\n\n", state.epoch, state.seq).unwrap();
            if socket.write_all(text.as_bytes()).await.is_err() || states.changed().await.is_err() {
                return;
            }
            text.clear();
        }
    }

    fn answer(self: &Arc<Self>, method: &str, path: &str, body: &Value) -> (&'static str, String) {
        let player = body["player"].as_str().map(str::to_owned);
        match (method, path) {
            ("GET", "state") => json(&self.state()),
            ("POST", "move") => self.answer_move(body),
            ("POST", "new") => {
                self.begin(seed_of(body).unwrap_or(1));
                json(&self.state())
            }
            ("POST", "sessions") => {
                self.begin(seed_of(body).unwrap_or(1));
                let (id, control) = ("own".into(), "token".into());
                json(&SessionCreated { id, control, state: self.state() })
            }
            ("POST", "agent/start") => {
                self.start_agent(player, body["intervalSeconds"].as_f64());
                json(&Started { started: true, state: self.state() })
            }
            ("POST", "agent/stop") => {
                self.stop_agent();
                json(&Stopped { stopped: true, state: self.state() })
            }
            ("POST", "agent/step") => {
                let moved = self.step();
                json(&Moved { moved, state: self.state() })
            }
            ("POST", "hint") => json(&hint(&self.state())),
            ("GET", _) => {
                let number =
                    path.rsplit('/').next().and_then(|number| number.parse::<usize>().ok());
                let history = self.history.lock().unwrap();
                match number.and_then(|number| history.get(number)) {
                    Some(past) => json(past),
                    None => refusal("404 Not Found", "no such move"),
                }
            }
            _ => refusal("404 Not Found", "nothing there"),
        }
    }

    fn answer_move(&self, body: &Value) -> (&'static str, String) {
        let name = body["direction"].as_str().unwrap();
        let direction = serde_json::from_value(Value::from(name.to_uppercase())).unwrap();
        let expected = body["ifMoves"].as_u64();
        if expected.is_some_and(|expected| expected != u64::from(self.state().moves)) {
            return refusal("409 Conflict", "the game is at another move");
        }
        if self.state().agent.running {
            self.stop_agent();
        }
        let moved = self.play(direction, "human");
        json(&Moved { moved, state: self.state() })
    }

    fn begin(&self, seed: u64) {
        let mut game = self.game.lock().unwrap();
        *game = Game::new(seed);
        self.change(|state| {
            describe(state, &game);
            state.game = format!("game-{seed}");
            state.seed = Some(seed.to_string());
            (state.last_move, state.decision) = (None, None);
        });
        *self.history.lock().unwrap() = vec![PastState::from(&self.state())];
    }

    fn step(&self) -> bool {
        let player = self.state().agent.player;
        let legal = self.state().legal;
        // The player takes the last legal direction: it plays badly and always the same.
        legal.last().is_some_and(|direction| self.play(*direction, &player))
    }

    fn start_agent(self: &Arc<Self>, player: Option<String>, interval: Option<f64>) {
        self.change(|state| {
            state.agent.running = true;
            state.agent.player = player.unwrap_or_else(|| state.agent.player.clone());
            state.agent.interval_seconds = interval.unwrap_or(state.agent.interval_seconds);
            let name = state.agent.player.clone();
            state.driver = Driver { kind: DriverKind::Player, name, since_move: state.moves };
        });
        let table = Arc::clone(self);
        let agent = tokio::spawn(async move {
            loop {
                let every = Duration::from_secs_f64(table.state().agent.interval_seconds);
                tokio::time::sleep(every).await;
                if !table.step() {
                    return table.stop_agent();
                }
            }
        });
        if let Some(before) = self.agent.lock().unwrap().replace(agent) {
            before.abort();
        }
    }

    fn stop_agent(&self) {
        if let Some(agent) = self.agent.lock().unwrap().take() {
            agent.abort();
        }
        self.change(|state| {
            state.agent.running = false;
            let name = "human".into();
            state.driver = Driver { kind: DriverKind::Human, name, since_move: state.moves };
        });
    }
}

/// The first line of a request and its body; `None` at the end of the connection.
async fn read_request(socket: &mut TcpStream) -> Option<(String, Value)> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lower = head.to_lowercase();
            let length =
                lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                let body = serde_json::from_str(body).unwrap_or(Value::Null);
                return Some((head.lines().next()?.into(), body));
            }
        }
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

fn json(reply: &impl Serialize) -> (&'static str, String) {
    ("200 OK", serde_json::to_string(reply).unwrap())
}

fn refusal(status: &'static str, detail: &str) -> (&'static str, String) {
    (status, format!(r#"{{"detail":"{detail}"}}"#))
}

fn seed_of(body: &Value) -> Option<u64> {
    body["seed"].as_str()?.parse().ok()
}

fn hint(state: &State) -> HintReply {
    let direction = state.legal[0];
    let known = |legal| HintMove { legal, gained: legal.then_some(4), ..HintMove::default() };
    let all = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];
    let moves = all.map(|each| (each, known(state.legal.contains(&each))));
    HintReply { decision: decision(direction, &state.agent.player), moves: moves.into() }
}

fn decision(direction: Direction, by: &str) -> Decision {
    let machine = by != "human";
    Decision {
        direction: Some(direction),
        source: by.into(),
        reason: None,
        detail: machine.then(|| "7660 rollouts over 1001 nodes, 16 deep".into()),
        probabilities: machine.then(|| [(direction, 0.75), (Direction::Up, 0.25)].into()),
        confidence: machine.then_some(0.75),
        risk: machine.then_some(0.57),
        latency_ms: machine.then_some(301),
    }
}

/// What the game says about itself.
fn describe(state: &mut State, game: &Game) {
    state.grid = protocol::grid_of(game.board());
    state.score = game.score();
    state.merge_count = game.merges();
    state.moves = game.moves();
    state.max_tile = game.max_tile().map_or(0, engine::Tile::value);
    state.best = state.best.max(game.score());
    state.legal = game.board().legal().iter().map(Direction::from).collect();
    state.game_over = state.legal.is_empty();
    state.won = game.is_won();
}

fn first_state(game: &Game, seed: u64) -> State {
    let player = |name: &str, title: &str, reason: Option<&str>| RosterEntry {
        name: name.into(),
        title: title.into(),
        available: reason.is_none(),
        reason: reason.map(str::to_owned),
    };
    let mut state = State {
        protocol: protocol::PROTOCOL,
        session: "main".into(),
        game: format!("game-{seed}"),
        epoch: "e1".into(),
        seq: 0,
        boot: "b1".into(),
        grid: [[None; 4]; 4],
        score: 0,
        merge_count: 0,
        moves: 0,
        max_tile: 0,
        best: 0,
        best_by: None,
        last_move: None,
        legal: Vec::new(),
        game_over: false,
        won: false,
        driver: Driver { kind: DriverKind::Human, name: "human".into(), since_move: 0 },
        decision: None,
        agent: Agent {
            running: false,
            player: "mcts".into(),
            players: ["mcts".into(), "rules".into()].into(),
            roster: [
                player("jev", "Jev (TypeSafe AI)", Some("no TYPESAFE_API_KEY set")),
                player("mcts", "Monte Carlo Tree Search", None),
                player("rules", "Corner rules (up and right)", None),
            ]
            .into(),
            interval_seconds: 0.5,
            pace: Pace::Fixed,
            budget_ms: None,
            series: None,
            key_configured: false,
        },
        transition: None,
        watchers: 1,
        seed: Some(seed.to_string()),
        custom: false,
    };
    describe(&mut state, game);
    state
}
