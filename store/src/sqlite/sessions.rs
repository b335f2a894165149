//! What is done with sessions.

use rusqlite::{Connection, params};

use super::{
    fault::Fault,
    rows::{block, command, game::GameRow, link, live::LiveRow, session::SessionRow, stretch},
};
use crate::{
    Append, Change, ErrorKind, NewGame, NewSession, Numbers, Page, SessionId, SessionSummary,
    Status, StoreError, StoredGame, StoredSession, UnixMillis,
    append::Standing,
    archive::{Place, Voices, one_more},
    driver::Takeover,
    segment::{CAPACITY, Segment, directions},
};

pub(super) fn create(connection: &Connection, new: &NewSession) -> Result<(), Fault> {
    let NewSession { id, name, control, at, head, game, numbers } = new;
    if SessionRow::find(connection, id)?.is_some() {
        let text = format!("there is a session {id} already");
        return Err(StoreError::new(ErrorKind::Exists, text).into());
    }
    if head.game != game.id || numbers.moves != 0 || head.driver.since_move != 0 {
        let text = format!("the head of session {id} is not that of its first game");
        return Err(StoreError::new(ErrorKind::Invalid, text).into());
    }
    GameRow::is_new(connection, &game.id)?;
    let row = SessionRow {
        n: 0,
        id: id.clone(),
        name: name.clone(),
        control: *control,
        created: *at,
        closed: None,
    };
    let session = row.insert(connection)?;
    let takeover = Takeover::at_start(&head.driver);
    let mut live = LiveRow {
        session,
        game: begin(connection, game, session, *at, Some(&takeover))?,
        seq: 0,
        changed: *at,
        numbers: *numbers,
        ended: None,
        voices: Voices::default(),
        driven: false,
        commands: 0,
        tail: Vec::new(),
        head: String::new(),
    };
    live.set(head, numbers, *at)?;
    live.insert(connection)
}

pub(super) fn load(
    connection: &Connection,
    id: &SessionId,
) -> Result<Option<StoredSession>, Fault> {
    let Some(session) = SessionRow::find(connection, id)? else { return Ok(None) };
    if session.closed.is_some() {
        return Ok(None);
    }
    let live = LiveRow::get(connection, session.n)?
        .ok_or_else(|| Fault::Damage(format!("the state of session {id} is missing")))?;
    let commands = command::all(connection, session.n, live.commands)?;
    Ok(Some(StoredSession {
        id: session.id,
        name: session.name,
        control: session.control,
        created: session.created,
        head: live.head()?,
        game: running(connection, &live)?,
        commands: commands.into_iter().map(|command| (command.id, command.digest)).collect(),
    }))
}

/// The game of a live row.
pub(super) fn running(connection: &Connection, live: &LiveRow) -> Result<StoredGame, Fault> {
    let game = GameRow::get(connection, live.game)?;
    let tail = directions(&live.tail).unwrap_or_default();
    let stored = live.numbers.moves.checked_sub(tail.len() as u32);
    let stored = stored.ok_or_else(|| Fault::Damage(format!("the moves of game {}", game.id)))?;
    let mut directions = block::directions(connection, live.game, stored)?;
    directions.extend(tail);
    Ok(StoredGame {
        id: game.id,
        seed: game.seed,
        seed_shown: game.seed_shown,
        start: game.start,
        directions,
    })
}

pub(super) fn append(connection: &Connection, append: &Append) -> Result<(), Fault> {
    let (mut live, game) = LiveRow::find(connection, &append.session)?.ok_or_else(|| {
        let text = format!("there is no open session {}", append.session);
        StoreError::new(ErrorKind::NotFound, text)
    })?;
    append.check(Standing { seq: live.seq, game: &game, moves: live.numbers.moves })?;
    append.begun().try_for_each(|id| GameRow::is_new(connection, id))?;
    let mut open = Open { connection, tail: live.tail()?, live: &mut live };
    for change in &append.changes {
        match change {
            Change::Moved(made) => open.play(made)?,
            Change::Started { game, left } => open.restart(game, left, append.at)?,
            Change::Driven { driver, why } => {
                stretch::put(connection, open.live.game, &Takeover::during(driver, why))?;
            }
        }
    }
    let tail = open.tail.to_bytes();
    for remembered in &append.commands {
        command::put(connection, live.session, live.commands, remembered)?;
        live.commands += 1;
    }
    live.tail = tail;
    live.set(&append.head, &append.numbers, append.at)?;
    live.update(connection)
}

pub(super) fn reply(
    connection: &Connection,
    session: &SessionId,
    id: &str,
) -> Result<Option<String>, Fault> {
    let Some((live, _)) = LiveRow::find(connection, session)? else { return Ok(None) };
    let commands = command::all(connection, live.session, live.commands)?;
    Ok(commands.into_iter().rev().find(|command| command.id == id).map(|command| command.reply))
}

pub(super) fn close(
    connection: &Connection,
    id: &SessionId,
    at: UnixMillis,
    before: UnixMillis,
) -> Result<bool, Fault> {
    let Some((mut live, _)) = LiveRow::find(connection, id)? else { return Ok(false) };
    if live.changed >= before {
        return Ok(false);
    }
    let Some(session) = SessionRow::find(connection, id)? else { return Ok(false) };
    let numbers = live.numbers;
    Open { connection, tail: live.tail()?, live: &mut live }.file(&numbers, at)?;
    connection.prepare_cached("DELETE FROM live WHERE session = ?")?.execute([session.n])?;
    command::delete(connection, session.n)?;
    link::delete(connection, session.n)?;
    session.close(connection, at)?;
    Ok(true)
}

pub(super) fn list(
    connection: &Connection,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page<SessionSummary>, Fault> {
    let place = Place::in_sessions(cursor)?;
    let mut select = connection.prepare_cached(
        "SELECT * FROM session WHERE closed IS NULL AND n < ? ORDER BY n DESC LIMIT ?",
    )?;
    let mut rows = select.query(params![place.number, one_more(limit)])?;
    let mut items = Vec::new();
    while let Some(row) = rows.next()? {
        let session = SessionRow::read(row)?;
        let live = LiveRow::get(connection, session.n)?.ok_or_else(|| {
            Fault::Damage(format!("the state of session {} is missing", session.id))
        })?;
        let summary = SessionSummary {
            id: session.id,
            name: session.name,
            created: session.created,
            changed: live.changed,
            head: live.head()?,
            numbers: live.numbers,
        };
        items.push((Place { number: session.n, ..Place::START }, summary));
    }
    Ok(Page::cut(items, limit, Place::of_sessions))
}

pub(super) fn count(connection: &Connection) -> Result<u64, Fault> {
    let mut select = connection.prepare_cached("SELECT count(*) FROM live")?;
    Ok(select.query_row([], |row| row.get::<_, i64>(0))?.cast_unsigned())
}

pub(super) fn driven(connection: &Connection) -> Result<Vec<SessionId>, Fault> {
    ids(connection, "WHERE driven ORDER BY session", [])
}

pub(super) fn unchanged(
    connection: &Connection,
    before: UnixMillis,
    limit: usize,
) -> Result<Vec<SessionId>, Fault> {
    let which = "WHERE changed < ? ORDER BY changed, session LIMIT ?";
    ids(connection, which, params![before.0, one_more(limit) - 1])
}

/// Ids of open sessions.
fn ids(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<SessionId>, Fault> {
    let mut select = connection.prepare_cached(&format!("SELECT session FROM live {which}"))?;
    let numbers = select.query_map(parameters, |row| row.get::<_, i64>(0))?;
    numbers.map(|n| Ok(SessionRow::get(connection, n?)?.id)).collect()
}

/// Writes a game that begins, and who begins it.
fn begin(
    connection: &Connection,
    game: &NewGame,
    session: i64,
    at: UnixMillis,
    takeover: Option<&Takeover>,
) -> Result<i64, Fault> {
    let n = GameRow::begin(game, session, at).insert(connection)?;
    takeover.map(|takeover| stretch::put(connection, n, takeover)).transpose()?;
    Ok(n)
}

/// An open session while its changes are written.
struct Open<'a> {
    connection: &'a Connection,
    live: &'a mut LiveRow,
    tail: Segment,
}

impl Open<'_> {
    fn play(&mut self, made: &crate::Move) -> Result<(), Fault> {
        self.tail.push(made);
        self.live.voices.hear(&made.decision.source);
        self.live.numbers.moves += 1;
        if self.tail.len() == CAPACITY { self.seal() } else { Ok(()) }
    }

    /// Moves the tail to the game's blocks.
    fn seal(&mut self) -> Result<(), Fault> {
        let tail = std::mem::take(&mut self.tail);
        if tail.len() == 0 {
            return Ok(());
        }
        let before = self.live.numbers.moves - tail.len() as u32;
        block::extend(self.connection, self.live.game, before, &tail.to_bytes())
    }

    /// Files the running game, or leaves it out when nobody has played a move.
    fn file(&mut self, numbers: &Numbers, at: UnixMillis) -> Result<(), Fault> {
        if self.live.numbers.moves == 0 {
            return GameRow::delete(self.connection, self.live.game);
        }
        self.seal()?;
        let mut game = GameRow::get(self.connection, self.live.game)?;
        game.status = if numbers.over { Status::Over } else { Status::Abandoned };
        game.ended = Some(self.live.ended.filter(|_| numbers.over).unwrap_or(at));
        game.numbers = *numbers;
        game.voices = self.live.voices;
        game.update(self.connection)
    }

    fn restart(&mut self, game: &NewGame, left: &Numbers, at: UnixMillis) -> Result<(), Fault> {
        let before = stretch::all(self.connection, self.live.game)?;
        let takeover = Takeover::carried_on(&before);
        self.file(left, at)?;
        self.live.game = begin(self.connection, game, self.live.session, at, takeover.as_ref())?;
        self.live.voices = Voices::default();
        self.live.numbers.moves = 0;
        self.live.ended = None;
        Ok(())
    }
}
