//! A session that plays by the real rules, and says what it would store.

use std::{sync::Arc, time::Duration};

use engine::{Direction, Game, Random, Start, playout};

use crate::{
    Agent, Append, Best, Change, Driver, DriverKind, GameId, Head, Move, NewGame, NewSession,
    Numbers, Pace, Remembered, SessionId, Store, StoreError, StoredDecision, UnixMillis,
};

/// One session, as its actor would see it.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its head.
    pub head: Head,
    /// Its game.
    pub game: Game,
    /// Its id.
    pub id: SessionId,
    /// The time that the next request tells; goes up by one with each.
    pub now: i64,
    /// The position that the store is at.
    stored: u64,
    changes: Vec<Change>,
    commands: Vec<Remembered>,
    /// Moves after those of the game, which the rules know nothing of.
    invented: Vec<Direction>,
}

impl Table {
    /// A session of a person, with the game `<id>-1` of `seed`.
    pub fn new(id: &str, seed: u64) -> Self {
        Self::with_game(id, Game::new(seed))
    }

    /// A session of a person that begins with `game`.
    pub fn with_game(id: &str, game: Game) -> Self {
        let head = Head {
            seq: 1,
            game: GameId::new(format!("{id}-1")),
            driver: human(0),
            agent: Agent {
                running: false,
                player: "mcts".to_owned(),
                pace: Pace::Fixed,
                interval: Duration::from_millis(500),
                budget: None,
                series: None,
            },
            decision: None,
            moved_last: false,
            best: 0,
            filed: Best::default(),
            class: None,
        };
        let id = SessionId::new(id);
        let (changes, commands, invented) = (Vec::new(), Vec::new(), Vec::new());
        Self { head, game, id, now: 1_000, stored: 1, changes, commands, invented }
    }

    /// What creates it.
    pub fn creation(&self) -> NewSession {
        NewSession {
            id: self.id.clone(),
            name: Some(format!("table {}", self.id)),
            control: Some([7; 32]),
            at: UnixMillis(self.now),
            head: self.head.clone(),
            game: seeded(self.head.game.clone(), &self.game),
            numbers: self.numbers(),
        }
    }

    /// Creates it.
    pub async fn create(&self, store: &Arc<dyn Store>) {
        store.create(self.creation()).await.unwrap();
    }

    /// Plays one good move, said to be chosen by `source`; `false` when there is none.
    pub fn play(&mut self, source: &str) -> bool {
        let Some(direction) = choose(&self.game) else { return false };
        self.game.play(direction).unwrap();
        self.head.best = self.head.best.max(self.game.score());
        self.moved(direction, source);
        true
    }

    /// Adds `count` moves to the game without playing them: a store keeps moves, it does not judge them.
    pub fn invent(&mut self, count: usize, source: &str) {
        for _ in 0..count {
            let direction = Direction::ALL[(self.directions().len() / 3 + count) % 4];
            self.invented.push(direction);
            self.moved(direction, source);
        }
    }

    fn moved(&mut self, direction: Direction, source: &str) {
        let decision = decided(source, direction, self.numbers().moves);
        self.head.seq += 1;
        self.head.moved_last = true;
        self.head.decision = Some(decision.clone());
        self.changes.push(Change::Moved(Move { direction, decision }));
    }

    /// The directions of its game, invented ones too.
    pub fn directions(&self) -> Vec<Direction> {
        [self.game.directions(), &self.invented].concat()
    }

    /// Plays `count` moves, or as many as there are; gives how many.
    pub fn play_on(&mut self, count: usize, source: &str) -> usize {
        (0..count).take_while(|_| self.play(source)).count()
    }

    /// Begins the game `id`.
    pub fn begin(&mut self, id: &str, game: Game) {
        let left = self.numbers();
        self.head.game = GameId::new(id);
        self.head.seq += 1;
        self.head.moved_last = false;
        self.head.decision = None;
        self.head.driver.since_move = 0;
        self.changes.push(Change::Started { game: seeded(GameId::new(id), &game), left });
        self.game = game;
        self.invented.clear();
    }

    /// Gives the game to another driver.
    pub fn drive(&mut self, kind: DriverKind, name: &str, why: &str) {
        let driver = Driver { kind, name: name.to_owned(), since_move: self.numbers().moves };
        self.head.driver = driver.clone();
        self.head.agent.running = kind == DriverKind::Player;
        self.head.seq += 1;
        self.head.moved_last = false;
        self.changes.push(Change::Driven { driver, why: why.to_owned() });
    }

    /// Adds a command to what is to be stored.
    pub fn command(&mut self, id: &str, reply: &str) {
        let reply = reply.to_owned();
        self.commands.push(Remembered { id: id.to_owned(), digest: [id.len() as u8; 32], reply });
    }

    /// What has happened since the last time.
    pub fn take(&mut self) -> Append {
        let expected = std::mem::replace(&mut self.stored, self.head.seq);
        self.now += 1;
        Append {
            session: self.id.clone(),
            expected,
            changes: std::mem::take(&mut self.changes),
            head: self.head.clone(),
            numbers: self.numbers(),
            commands: std::mem::take(&mut self.commands),
            at: UnixMillis(self.now),
        }
    }

    /// Stores what has happened since the last time.
    pub async fn save(&mut self, store: &Arc<dyn Store>) {
        self.try_save(store).await.unwrap();
    }

    /// Stores what has happened since the last time, if the store will.
    ///
    /// # Errors
    /// - What the store says; what has happened is given up.
    pub async fn try_save(&mut self, store: &Arc<dyn Store>) -> Result<(), StoreError> {
        store.append(self.take()).await
    }

    /// Asserts that the store has it as it is.
    pub async fn check(&self, store: &Arc<dyn Store>) {
        let loaded = store.load(&self.id).await.unwrap().unwrap();
        assert_eq!(loaded.head, self.head);
        assert_eq!(loaded.game.id, self.head.game);
        assert_eq!(loaded.game.directions, self.directions());
        let played = &loaded.game.directions[..self.game.moves() as usize];
        let replayed = Game::replay(loaded.game.seed, loaded.game.start, played);
        assert_eq!(replayed.as_ref(), Ok(&self.game));
        let record = store.record(&self.head.game).await.unwrap().unwrap();
        assert_eq!(record.numbers, self.numbers());
    }

    /// The game's numbers.
    pub fn numbers(&self) -> Numbers {
        let played = Numbers::of(&self.game);
        Numbers { moves: played.moves + self.invented.len() as u32, ..played }
    }
}

/// The direction from which random games go best.
fn choose(game: &Game) -> Option<Direction> {
    let mut random = Random::new(game.moves().into());
    game.board().legal().iter().max_by_key(|&direction| {
        let slide = game.board().slide(direction);
        let gain = |slide: engine::Slide| {
            let mut gained = || playout(&slide.board, 20, &mut random).gained;
            slide.gained * 8 + (0..8).map(|_| gained()).sum::<u32>()
        };
        slide.map(gain)
    })
}

/// A person who has the game since move `since_move`.
pub(super) fn human(since_move: u32) -> Driver {
    Driver { kind: DriverKind::Human, name: "human".to_owned(), since_move }
}

/// The game that begins as `game` did.
pub fn seeded(id: GameId, game: &Game) -> NewGame {
    let seed_shown = game.start() != Start::Seeded;
    NewGame { id, seed: game.seed(), seed_shown, start: game.start() }
}

/// A decision of `source`, with what such a source says; the numbers vary with `n`.
pub fn decided(source: &str, direction: Direction, n: u32) -> StoredDecision {
    let by_person = source == "human";
    let number = |divisor: f64| (!by_person).then(|| f64::from(n % 97) / divisor);
    StoredDecision {
        direction: Some(direction.index() as u8),
        source: source.to_owned(),
        reason: (source == "fallback").then(|| "only one legal move".to_owned()),
        detail: (!by_person).then(|| format!("move {n}")),
        probabilities: (!by_person).then_some([number(101.0), None, number(303.0), Some(0.1)]),
        confidence: number(97.0),
        risk: number(61.0),
        latency_ms: (!by_person).then_some(u64::from(n) * 7),
    }
}
