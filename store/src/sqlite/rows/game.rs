//! The table `game`.

use engine::{Board, Cell, Start, Tile};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::verify;
use crate::{
    ErrorKind, GameId, NewGame, Numbers, Status, StoreError, UnixMillis,
    archive::Voices,
    sqlite::{fault::Fault, sum::Sum},
};

/// A game but for its moves. While it runs, its numbers and voices are those of its session's live row.
#[derive(Debug)]
pub(in crate::sqlite) struct GameRow {
    pub(in crate::sqlite) n: i64,
    pub(in crate::sqlite) id: GameId,
    pub(in crate::sqlite) session: i64,
    pub(in crate::sqlite) seed: u64,
    pub(in crate::sqlite) seed_shown: bool,
    pub(in crate::sqlite) start: Start,
    pub(in crate::sqlite) status: Status,
    pub(in crate::sqlite) started: UnixMillis,
    pub(in crate::sqlite) ended: Option<UnixMillis>,
    pub(in crate::sqlite) numbers: Numbers,
    pub(in crate::sqlite) voices: Voices,
}

impl GameRow {
    /// One that begins.
    pub(in crate::sqlite) fn begin(game: &NewGame, session: i64, at: UnixMillis) -> Self {
        Self {
            n: 0,
            id: game.id.clone(),
            session,
            seed: game.seed,
            seed_shown: game.seed_shown,
            start: game.start,
            status: Status::Running,
            started: at,
            ended: None,
            numbers: Numbers { moves: 0, score: 0, merges: 0, max_tile: 0, over: false },
            voices: Voices::default(),
        }
    }

    pub(in crate::sqlite) fn find(
        connection: &Connection,
        id: &GameId,
    ) -> Result<Option<Self>, Fault> {
        let mut select = connection.prepare_cached("SELECT * FROM game WHERE id = ?")?;
        let mut rows = select.query([id.as_str()])?;
        rows.next()?.map(Self::read).transpose()
    }

    /// Refuses the id of a game that is there.
    pub(in crate::sqlite) fn is_new(connection: &Connection, id: &GameId) -> Result<(), Fault> {
        let mut select = connection.prepare_cached("SELECT 1 FROM game WHERE id = ?")?;
        if !select.exists([id.as_str()])? {
            return Ok(());
        }
        Err(StoreError::new(ErrorKind::Exists, format!("there is a game {id} already")).into())
    }

    pub(in crate::sqlite) fn get(connection: &Connection, n: i64) -> Result<Self, Fault> {
        let mut select = connection.prepare_cached("SELECT * FROM game WHERE n = ?")?;
        let mut rows = select.query([n])?;
        match rows.next()? {
            Some(row) => Self::read(row),
            None => Err(Fault::Damage(format!("game number {n} is missing"))),
        }
    }

    pub(in crate::sqlite) fn read(row: &Row<'_>) -> Result<Self, Fault> {
        let id: String = row.get("id")?;
        let odd = |what| Fault::Damage(format!("the {what} of game {id}"));
        let start = row.get::<_, Option<Vec<u8>>>("start")?;
        let game = Self {
            n: row.get("n")?,
            id: GameId::new(id.clone()),
            session: row.get("session")?,
            seed: row.get::<_, i64>("seed")?.cast_unsigned(),
            seed_shown: row.get("seed_shown")?,
            start: start_of(start.as_deref()).ok_or_else(|| odd("start"))?,
            status: status_of(row.get("status")?).ok_or_else(|| odd("status"))?,
            started: UnixMillis(row.get("started")?),
            ended: row.get::<_, Option<i64>>("ended")?.map(UnixMillis),
            numbers: Numbers {
                moves: row.get("moves")?,
                score: row.get::<_, i64>("score")?.cast_unsigned(),
                merges: row.get("merges")?,
                max_tile: row.get("max_tile")?,
                over: row.get("is_over")?,
            },
            voices: Voices(row.get("voices")?),
        };
        verify(row.get("sum")?, game.sum(), || format!("game {id}"))?;
        Ok(game)
    }

    /// Writes a new one; gives its number.
    pub(in crate::sqlite) fn insert(mut self, connection: &Connection) -> Result<i64, Fault> {
        let last = "SELECT seq FROM sqlite_sequence WHERE name = 'game'";
        let last = connection.prepare_cached(last)?.query_row([], |row| row.get(0)).optional()?;
        self.n = last.unwrap_or(0_i64) + 1;
        self.write(
            connection,
            "INSERT INTO game (id, session, seed, seed_shown, start, status, started, ended, moves, score, merges,
             max_tile, is_over, voices, sum, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        Ok(self.n)
    }

    pub(in crate::sqlite) fn update(&self, connection: &Connection) -> Result<(), Fault> {
        self.write(
            connection,
            "UPDATE game SET id = ?, session = ?, seed = ?, seed_shown = ?, start = ?, status = ?, started = ?,
             ended = ?, moves = ?, score = ?, merges = ?, max_tile = ?, is_over = ?, voices = ?, sum = ? WHERE n = ?",
        )
    }

    pub(in crate::sqlite) fn delete(connection: &Connection, n: i64) -> Result<(), Fault> {
        connection.prepare_cached("DELETE FROM stretch WHERE game = ?")?.execute([n])?;
        connection.prepare_cached("DELETE FROM game WHERE n = ?")?.execute([n])?;
        Ok(())
    }

    fn write(&self, connection: &Connection, sql: &str) -> Result<(), Fault> {
        connection.prepare_cached(sql)?.execute(params![
            self.id.as_str(),
            self.session,
            self.seed.cast_signed(),
            self.seed_shown,
            start_bytes(self.start),
            status_number(self.status),
            self.started.0,
            self.ended.map(|at| at.0),
            self.numbers.moves,
            self.numbers.score.cast_signed(),
            self.numbers.merges,
            self.numbers.max_tile,
            self.numbers.over,
            self.voices.0,
            self.sum().done(),
            self.n,
        ])?;
        Ok(())
    }

    fn sum(&self) -> Sum {
        Sum::default()
            .int(self.n)
            .text(self.id.as_str())
            .int(self.session)
            .int(self.seed.cast_signed())
            .int(self.seed_shown.into())
            .maybe(start_bytes(self.start), |sum, start| sum.bytes(&start))
            .int(status_number(self.status))
            .int(self.started.0)
            .maybe(self.ended, |sum, at| sum.int(at.0))
            .numbers(&self.numbers)
            .int(self.voices.0.into())
    }
}

/// The exponents of a position, row by row from the top left, 0 for an empty square.
fn start_bytes(start: Start) -> Option<[u8; 16]> {
    let Start::Custom(board) = start else { return None };
    let mut bytes = [0; 16];
    for cell in Cell::all() {
        bytes[cell.index()] = board.get(cell).map_or(0, Tile::exponent);
    }
    Some(bytes)
}

fn start_of(bytes: Option<&[u8]>) -> Option<Start> {
    let Some(bytes) = bytes else { return Some(Start::Seeded) };
    let bytes: [u8; 16] = bytes.try_into().ok()?;
    let mut board = Board::EMPTY;
    for (cell, exponent) in Cell::all().zip(bytes) {
        if exponent > 0 {
            board.put(cell, Some(Tile::from_exponent(exponent)?));
        }
    }
    Some(Start::Custom(board))
}

pub(in crate::sqlite) const fn status_number(status: Status) -> i64 {
    match status {
        Status::Running => 0,
        Status::Over => 1,
        Status::Abandoned => 2,
        Status::Imported => 3,
    }
}

const fn status_of(number: i64) -> Option<Status> {
    match number {
        0 => Some(Status::Running),
        1 => Some(Status::Over),
        2 => Some(Status::Abandoned),
        3 => Some(Status::Imported),
        _ => None,
    }
}
