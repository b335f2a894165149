//! How games are looked back at, and filed from elsewhere.

use rusqlite::{Connection, ToSql};

use super::{
    fault::Fault,
    rows::{
        block,
        game::{GameRow, status_number},
        live::LiveRow,
        session::SessionRow,
        stretch,
    },
    sessions,
};
use crate::{
    Best, ErrorKind, GameId, GameQuery, GameRecord, ImportedGame, Move, NewGame, Page, Sort,
    Status, StoreError, StoredGame,
    archive::{Place, Voices, one_more},
    driver::stretches,
    segment::{self, NotMoves},
};

pub(super) fn game(connection: &Connection, id: &GameId) -> Result<Option<StoredGame>, Fault> {
    let Some(game) = GameRow::find(connection, id)? else { return Ok(None) };
    if let Some(live) = live(connection, &game)? {
        return sessions::running(connection, &live).map(Some);
    }
    let directions = block::directions(connection, game.n, game.numbers.moves)?;
    Ok(Some(StoredGame {
        id: game.id,
        seed: game.seed,
        seed_shown: game.seed_shown,
        start: game.start,
        directions,
    }))
}

pub(super) fn record(connection: &Connection, id: &GameId) -> Result<Option<GameRecord>, Fault> {
    GameRow::find(connection, id)?.map(|game| record_of(connection, game)).transpose()
}

pub(super) fn moves(
    connection: &Connection,
    id: &GameId,
    from: u32,
    to: u32,
) -> Result<Option<Vec<Move>>, Fault> {
    let Some(game) = GameRow::find(connection, id)? else { return Ok(None) };
    let live = live(connection, &game)?;
    let (count, tail) = match &live {
        Some(live) => (live.numbers.moves, live.tail()?.len() as u32),
        None => (game.numbers.moves, 0),
    };
    let (from, to) = (from.max(1), to.min(count));
    let sealed = count - tail;
    let mut all = Vec::new();
    if from <= to.min(sealed) {
        all = block::moves(connection, game.n, from, to.min(sealed))?;
    }
    if let Some(live) = live.filter(|_| from <= to && to > sealed) {
        let skip = from.saturating_sub(sealed + 1);
        let newest = segment::moves(&live.tail, skip as usize, (to - sealed - skip) as usize);
        all.extend(newest.map_err(|NotMoves| Fault::Damage(format!("the moves of game {id}")))?);
    }
    Ok(Some(all))
}

pub(super) fn list(connection: &Connection, query: &GameQuery) -> Result<Page<GameRecord>, Fault> {
    let place = Place::in_games(query.cursor.as_deref(), query.sort)?;
    let session = match &query.session {
        None => None,
        Some(id) => match SessionRow::find(connection, id)? {
            Some(session) => Some(session.n),
            None => return Ok(Page { items: Vec::new(), next: None }),
        },
    };
    let mut found = Vec::new();
    if matches!(query.status, None | Some(Status::Running | Status::Over)) {
        found.extend(listed(connection, query, session, place, Shelf::Live)?);
    }
    if query.status != Some(Status::Running) {
        found.extend(listed(connection, query, session, place, Shelf::Filed)?);
    }
    found.sort_unstable_by(|one, other| other.cmp(one));
    found.truncate(query.limit.saturating_add(1));
    let record = |place: Place| {
        let game = GameRow::get(connection, place.number)?;
        Ok((place, record_of(connection, game)?))
    };
    let items = found.into_iter().map(record).collect::<Result<_, Fault>>()?;
    Ok(Page::cut(items, query.limit, |place| place.of_games(query.sort)))
}

pub(super) fn best(connection: &Connection, session: &crate::SessionId) -> Result<Best, Fault> {
    let mut best = Best::default();
    let Some(session) = SessionRow::find(connection, session)? else { return Ok(best) };
    let mut select = connection.prepare_cached(
        "SELECT voices, max(score) FROM game
         WHERE session = ? AND status IN (1, 2) AND start IS NULL GROUP BY voices",
    )?;
    let mut rows = select.query([session.n])?;
    while let Some(row) = rows.next()? {
        best.consider(Voices(row.get(0)?).class(None), row.get::<_, i64>(1)?.cast_unsigned());
    }
    if let Some(live) = LiveRow::get(connection, session.n)? {
        let game = GameRow::get(connection, live.game)?;
        if game.start == engine::Start::Seeded {
            best.consider(live.voices.class(None), live.numbers.score);
        }
    }
    Ok(best)
}

pub(super) fn import(connection: &Connection, imported: &ImportedGame) -> Result<(), Fault> {
    let ImportedGame { id, session, seed, start, numbers, at, .. } = imported;
    let Some((live, _)) = LiveRow::find(connection, session)? else {
        let text = format!("there is no open session {session}");
        return Err(StoreError::new(ErrorKind::NotFound, text).into());
    };
    GameRow::is_new(connection, id)?;
    let takeovers = imported.takeovers()?;
    let begun = NewGame { id: id.clone(), seed: *seed, seed_shown: true, start: *start };
    let mut game = GameRow::begin(&begun, live.session, *at);
    game.status = Status::Imported;
    game.ended = Some(*at);
    game.numbers = *numbers;
    let moves = imported.moves(&takeovers);
    for made in &moves {
        game.voices.hear(&made.decision.source);
    }
    let n = game.insert(connection)?;
    for takeover in &takeovers {
        stretch::put(connection, n, takeover)?;
    }
    for (before, moves) in
        (0..).step_by(block::MOVES as usize).zip(moves.chunks(block::MOVES as usize))
    {
        block::extend(connection, n, before, &segment::of(moves))?;
    }
    Ok(())
}

/// The live row of a game that is its session's running one.
fn live(connection: &Connection, game: &GameRow) -> Result<Option<LiveRow>, Fault> {
    if game.status != Status::Running {
        return Ok(None);
    }
    match LiveRow::get(connection, game.session)? {
        Some(live) if live.game == game.n => Ok(Some(live)),
        _ => Err(Fault::Damage(format!("game {} runs in no session", game.id))),
    }
}

fn record_of(connection: &Connection, game: GameRow) -> Result<GameRecord, Fault> {
    let (status, ended, numbers, voices) = match live(connection, &game)? {
        Some(LiveRow { ended: Some(at), numbers, voices, .. }) => {
            (Status::Over, Some(at), numbers, voices)
        }
        Some(LiveRow { numbers, voices, .. }) => (Status::Running, None, numbers, voices),
        None => (game.status, game.ended, game.numbers, game.voices),
    };
    let takeovers = stretch::all(connection, game.n)?;
    Ok(GameRecord {
        id: game.id,
        session: SessionRow::get(connection, game.session)?.id,
        status,
        class: voices.class(takeovers.last().map(|last| last.kind)),
        started: game.started,
        ended,
        numbers,
        drivers: stretches(takeovers, numbers.moves),
        seed: game.seed,
        seed_shown: game.seed_shown,
        start: game.start,
    })
}

/// Where the numbers of a game are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shelf {
    /// With its session, which can still change them.
    Live,
    /// With itself, in the indexes.
    Filed,
}

/// The games of one shelf that come after `place`, and one more than the query asks for.
fn listed(
    connection: &Connection,
    query: &GameQuery,
    session: Option<i64>,
    place: Place,
    shelf: Shelf,
) -> Result<Vec<Place>, Fault> {
    let (from, numbers) = match shelf {
        Shelf::Live => ("live JOIN game ON game.n = live.game", "live"),
        Shelf::Filed => ("game", "game"),
    };
    let key = match query.sort {
        Sort::Started => "game.started".to_owned(),
        Sort::Score => format!("{numbers}.score"),
        Sort::MaxTile => format!("{numbers}.max_tile"),
        Sort::Moves => format!("{numbers}.moves"),
    };
    let mut sql = format!("SELECT {key}, game.n FROM {from} WHERE ({key}, game.n) < (?, ?)");
    let mut parameters: Vec<Box<dyn ToSql>> = vec![Box::new(place.key), Box::new(place.number)];
    match (shelf, query.status) {
        (Shelf::Live, None) => {}
        (Shelf::Live, Some(Status::Running)) => sql.push_str(" AND live.ended IS NULL"),
        (Shelf::Live, Some(_)) => sql.push_str(" AND live.ended IS NOT NULL"),
        (Shelf::Filed, status) => {
            sql.push_str(" AND game.status > 0");
            if let Some(status) = status {
                sql.push_str(" AND game.status = ?");
                parameters.push(Box::new(status_number(status)));
            }
        }
    }
    if let Some(session) = session {
        sql.push_str(" AND game.session = ?");
        parameters.push(Box::new(session));
    }
    if let Some(player) = &query.player {
        sql.push_str(" AND EXISTS (SELECT 1 FROM stretch WHERE name = ? AND game = game.n)");
        parameters.push(Box::new(player.clone()));
    }
    sql.extend([" ORDER BY ", &key, " DESC, game.n DESC LIMIT ?"]);
    parameters.push(Box::new(one_more(query.limit)));
    let mut select = connection.prepare_cached(&sql)?;
    let place = |row: &rusqlite::Row<'_>| Ok(Place { key: row.get(0)?, number: row.get(1)? });
    let places = select.query_map(rusqlite::params_from_iter(parameters), place)?;
    Ok(places.collect::<Result<_, _>>()?)
}
