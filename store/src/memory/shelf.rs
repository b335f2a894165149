//! What a store in memory holds: the plainest thing that does what the trait says.

use std::{
    cmp::Reverse,
    collections::{HashMap, VecDeque},
};

use engine::{Direction, Start};

use crate::{
    Append, Best, Change, Class, ErrorKind, GameId, GameQuery, GameRecord, Head, ImportedGame,
    MOST_LINKS, Move, NewGame, NewSession, Numbers, Page, Remembered, SessionId, SessionSummary,
    Status, StoreError, StoredGame, StoredSession, UnixMillis,
    append::{REMEMBERED, Standing},
    archive::{Place, Voices},
    driver::{Takeover, stretches},
    segment::brief,
};

#[derive(Debug, Default)]
pub(super) struct Shelf {
    sessions: HashMap<SessionId, Session>,
    games: HashMap<GameId, Game>,
    /// The sessions that links lead to.
    links: HashMap<[u8; 32], SessionId>,
    /// How many sessions there have been.
    created: i64,
    /// How many games there have been.
    begun: i64,
}

#[derive(Debug)]
struct Session {
    /// Counts them in the order in which they were created.
    number: i64,
    name: Option<String>,
    control: Option<[u8; 32]>,
    created: UnixMillis,
    changed: UnixMillis,
    closed: bool,
    head: Head,
    commands: VecDeque<Remembered>,
}

#[derive(Debug)]
struct Game {
    number: i64,
    session: SessionId,
    seed: u64,
    seed_shown: bool,
    start: Start,
    status: Status,
    started: UnixMillis,
    ended: Option<UnixMillis>,
    numbers: Numbers,
    voices: Voices,
    moves: Vec<Move>,
    takeovers: Vec<Takeover>,
}

impl Shelf {
    pub(super) fn create(&mut self, new: NewSession) -> Result<(), StoreError> {
        let NewSession { id, name, control, at, head, game, numbers } = new;
        if self.sessions.contains_key(&id) {
            let text = format!("there is a session {id} already");
            return Err(StoreError::new(ErrorKind::Exists, text));
        }
        if head.game != game.id || numbers.moves != 0 || head.driver.since_move != 0 {
            let text = format!("the head of session {id} is not that of its first game");
            return Err(StoreError::new(ErrorKind::Invalid, text));
        }
        self.is_new(&game.id)?;
        self.begin(&id, game, at, [Takeover::at_start(&head.driver)]);
        self.count(&head.game, numbers, at);
        self.created += 1;
        let session = Session {
            number: self.created,
            name,
            control,
            created: at,
            changed: at,
            closed: false,
            head,
            commands: VecDeque::new(),
        };
        self.sessions.insert(id, session);
        Ok(())
    }

    pub(super) fn load(&self, id: &SessionId) -> Option<StoredSession> {
        let session = self.open(id)?;
        Some(StoredSession {
            id: id.clone(),
            name: session.name.clone(),
            control: session.control,
            created: session.created,
            head: session.head.clone(),
            game: self.game(&session.head.game)?,
            commands: session
                .commands
                .iter()
                .map(|known| (known.id.clone(), known.digest))
                .collect(),
        })
    }

    pub(super) fn append(&mut self, append: Append) -> Result<(), StoreError> {
        let id = append.session.clone();
        let session = self.open(&id).ok_or_else(|| not_found(&id))?;
        let game = session.head.game.clone();
        let moves = self.games.get(&game).map_or(0, |game| game.moves.len() as u32);
        append.check(Standing { seq: session.head.seq, game: &game, moves })?;
        append.begun().try_for_each(|id| self.is_new(id))?;

        let Append { changes, head, numbers, commands, at, .. } = append;
        let mut current = game;
        for change in changes {
            current = self.change(&id, current, change, at);
        }
        self.count(&current, numbers, at);
        if let Some(session) = self.sessions.get_mut(&id) {
            session.head = head;
            session.changed = at;
            session.commands.extend(commands);
            let old = session.commands.len().saturating_sub(REMEMBERED);
            session.commands.drain(..old);
        }
        Ok(())
    }

    pub(super) fn reply(&self, session: &SessionId, command: &str) -> Option<String> {
        let commands = &self.open(session)?.commands;
        commands.iter().rev().find(|known| known.id == command).map(|known| known.reply.clone())
    }

    /// How many sessions are open.
    pub(super) fn count_open(&self) -> u64 {
        self.open_ones().count() as u64
    }

    /// Closes a session that has not changed since before `before`.
    pub(super) fn close(&mut self, id: &SessionId, at: UnixMillis, before: UnixMillis) -> bool {
        let open = |session: &&mut Session| !session.closed && session.changed < before;
        let found = self.sessions.get_mut(id).filter(open);
        let Some(session) = found else { return false };
        session.closed = true;
        session.commands.clear();
        let game = session.head.game.clone();
        if let Some(numbers) = self.games.get(&game).map(|game| game.numbers) {
            self.file(&game, numbers, at);
        }
        self.revoke_links(id);
        true
    }

    pub(super) fn add_link(&mut self, id: &SessionId, key: [u8; 32]) -> Result<(), StoreError> {
        self.open(id).ok_or_else(|| not_found(id))?;
        if self.links.values().filter(|leads| *leads == id).count() >= MOST_LINKS {
            return Err(StoreError::too_many_links());
        }
        self.links.insert(key, id.clone());
        Ok(())
    }

    pub(super) fn revoke_links(&mut self, id: &SessionId) -> usize {
        let before = self.links.len();
        self.links.retain(|_, leads| leads != id);
        before - self.links.len()
    }

    pub(super) fn linked(&self, key: &[u8; 32]) -> Option<SessionId> {
        self.links.get(key).cloned()
    }

    pub(super) fn import(&mut self, imported: ImportedGame) -> Result<(), StoreError> {
        if self.open(&imported.session).is_none() {
            return Err(not_found(&imported.session));
        }
        self.is_new(&imported.id)?;
        let takeovers = imported.takeovers()?;
        let moves = imported.moves(&takeovers);
        let ImportedGame { id, session, seed, start, numbers, at, .. } = imported;
        let mut voices = Voices::default();
        for made in &moves {
            voices.hear(&made.decision.source);
        }
        self.begun += 1;
        let game = Game {
            number: self.begun,
            session,
            seed,
            seed_shown: true,
            start,
            status: Status::Imported,
            started: at,
            ended: Some(at),
            numbers,
            voices,
            moves,
            takeovers,
        };
        self.games.insert(id, game);
        Ok(())
    }

    pub(super) fn sessions(
        &self,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<Page<SessionSummary>, StoreError> {
        let place = Place::in_sessions(cursor)?;
        let mut items = Vec::new();
        for (id, session) in self.open_ones() {
            let place_of = Place { number: session.number, ..Place::START };
            let Some(game) = self.games.get(&session.head.game) else { continue };
            let summary = SessionSummary {
                id: id.clone(),
                name: session.name.clone(),
                created: session.created,
                changed: session.changed,
                head: session.head.clone(),
                numbers: game.numbers,
            };
            if place_of < place {
                items.push((place_of, summary));
            }
        }
        items.sort_by_key(|(place, _)| Reverse(*place));
        Ok(Page::cut(items, limit, Place::of_sessions))
    }

    pub(super) fn driven(&self) -> Vec<SessionId> {
        let mut driven: Vec<_> =
            self.open_ones().filter(|(_, session)| session.head.agent.running).collect();
        driven.sort_by_key(|(_, session)| session.number);
        driven.into_iter().map(|(id, _)| id.clone()).collect()
    }

    pub(super) fn unchanged(&self, before: UnixMillis, limit: usize) -> Vec<SessionId> {
        let mut old: Vec<_> =
            self.open_ones().filter(|(_, session)| session.changed < before).collect();
        old.sort_by_key(|(_, session)| (session.changed, session.number));
        old.into_iter().take(limit).map(|(id, _)| id.clone()).collect()
    }

    pub(super) fn game(&self, id: &GameId) -> Option<StoredGame> {
        let game = self.games.get(id)?;
        Some(StoredGame {
            id: id.clone(),
            seed: game.seed,
            seed_shown: game.seed_shown,
            start: game.start,
            directions: game.directions(),
        })
    }

    pub(super) fn record(&self, id: &GameId) -> Option<GameRecord> {
        self.games.get(id).map(|game| game.record(id))
    }

    pub(super) fn moves(&self, id: &GameId, from: u32, to: u32) -> Option<Vec<Move>> {
        let moves = &self.games.get(id)?.moves;
        let (first, last) = (from.saturating_sub(1) as usize, (to as usize).min(moves.len()));
        Some(moves.get(first..last).unwrap_or_default().to_vec())
    }

    pub(super) fn games(&self, query: &GameQuery) -> Result<Page<GameRecord>, StoreError> {
        let GameQuery { session, status, player, sort, cursor, limit } = query;
        let after = Place::in_games(cursor.as_deref(), *sort)?;
        let mut items = Vec::new();
        for (id, game) in &self.games {
            let record = game.record(id);
            let place =
                Place { key: sort.key(record.started, &record.numbers), number: game.number };
            let asked_for = session.as_ref().is_none_or(|session| record.session == *session)
                && status.is_none_or(|status| record.status == status)
                && player
                    .as_ref()
                    .is_none_or(|name| record.drivers.iter().any(|had| had.name == *name));
            if place < after && asked_for {
                items.push((place, record));
            }
        }
        items.sort_by_key(|(place, _)| Reverse(*place));
        Ok(Page::cut(items, *limit, |place| place.of_games(*sort)))
    }

    pub(super) fn best(&self, session: &SessionId) -> Best {
        let mut best = Best::default();
        for game in self.games.values().filter(|game| game.session == *session) {
            if game.start == Start::Seeded && game.status != Status::Imported {
                best.consider(game.class(), game.numbers.score);
            }
        }
        best
    }

    fn open_ones(&self) -> impl Iterator<Item = (&SessionId, &Session)> {
        self.sessions.iter().filter(|(_, session)| !session.closed)
    }

    fn open(&self, id: &SessionId) -> Option<&Session> {
        self.sessions.get(id).filter(|session| !session.closed)
    }

    fn is_new(&self, game: &GameId) -> Result<(), StoreError> {
        if !self.games.contains_key(game) {
            return Ok(());
        }
        Err(StoreError::new(ErrorKind::Exists, format!("there is a game {game} already")))
    }

    /// Carries out one change of a session whose game is `current`; gives what its game is then.
    fn change(
        &mut self,
        session: &SessionId,
        current: GameId,
        change: Change,
        at: UnixMillis,
    ) -> GameId {
        let Some(game) = self.games.get_mut(&current) else { return current };
        match change {
            Change::Moved(made) => {
                game.voices.hear(&made.decision.source);
                game.moves.push(Move { direction: made.direction, decision: brief(&made) });
                current
            }
            Change::Driven { driver, why } => {
                let takeover = Takeover::during(&driver, &why);
                game.takeovers.retain(|known| known.since != takeover.since);
                game.takeovers.push(takeover);
                current
            }
            Change::Started { game: begun, left } => {
                let takeovers = Takeover::carried_on(&game.takeovers);
                let id = begun.id.clone();
                self.file(&current, left, at);
                self.begin(session, begun, at, takeovers);
                id
            }
        }
    }

    fn begin(
        &mut self,
        session: &SessionId,
        new: NewGame,
        at: UnixMillis,
        takeovers: impl IntoIterator<Item = Takeover>,
    ) {
        self.begun += 1;
        let game = Game {
            number: self.begun,
            session: session.clone(),
            seed: new.seed,
            seed_shown: new.seed_shown,
            start: new.start,
            status: Status::Running,
            started: at,
            ended: None,
            numbers: Numbers { moves: 0, score: 0, merges: 0, max_tile: 0, over: false },
            voices: Voices::default(),
            moves: Vec::new(),
            takeovers: takeovers.into_iter().collect(),
        };
        self.games.insert(new.id, game);
    }

    /// Takes down a running game's numbers.
    fn count(&mut self, id: &GameId, numbers: Numbers, at: UnixMillis) {
        let Some(game) = self.games.get_mut(id) else { return };
        game.numbers = numbers;
        game.ended = game.ended.or(Some(at)).filter(|_| numbers.over);
        game.status = if numbers.over { Status::Over } else { Status::Running };
    }

    /// Files a running game, or leaves it out when nobody has played a move.
    fn file(&mut self, id: &GameId, numbers: Numbers, at: UnixMillis) {
        self.count(id, numbers, at);
        let Some(game) = self.games.get_mut(id) else { return };
        if game.moves.is_empty() {
            self.games.remove(id);
        } else if !numbers.over {
            game.status = Status::Abandoned;
            game.ended = Some(at);
        }
    }
}

impl Game {
    fn directions(&self) -> Vec<Direction> {
        self.moves.iter().map(|made| made.direction).collect()
    }

    fn class(&self) -> Class {
        self.voices.class(self.takeovers.last().map(|last| last.kind))
    }

    fn record(&self, id: &GameId) -> GameRecord {
        GameRecord {
            id: id.clone(),
            session: self.session.clone(),
            status: self.status,
            class: self.class(),
            started: self.started,
            ended: self.ended,
            numbers: self.numbers,
            drivers: stretches(self.takeovers.clone(), self.numbers.moves),
            seed: self.seed,
            seed_shown: self.seed_shown,
            start: self.start,
        }
    }
}

fn not_found(session: &SessionId) -> StoreError {
    StoreError::new(ErrorKind::NotFound, format!("there is no open session {session}"))
}
