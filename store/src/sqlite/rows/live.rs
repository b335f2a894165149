//! The table `live`.

use rusqlite::{Connection, Row, params};

use super::verify;
use crate::{
    Agent, GameId, Head, Numbers, SessionId, UnixMillis,
    archive::Voices,
    segment::Segment,
    sqlite::{fault::Fault, sum::Sum},
};

/// What changes with every append.
#[derive(Debug)]
pub(in crate::sqlite) struct LiveRow {
    pub(in crate::sqlite) session: i64,
    pub(in crate::sqlite) game: i64,
    pub(in crate::sqlite) seq: u64,
    pub(in crate::sqlite) changed: UnixMillis,
    pub(in crate::sqlite) numbers: Numbers,
    pub(in crate::sqlite) ended: Option<UnixMillis>,
    pub(in crate::sqlite) voices: Voices,
    pub(in crate::sqlite) driven: bool,
    /// How many it has carried out in all.
    pub(in crate::sqlite) commands: i64,
    pub(in crate::sqlite) tail: Vec<u8>,
    pub(in crate::sqlite) head: String,
}

impl LiveRow {
    /// The row of an open session, with the id of its game; `None` when there is none or it is closed.
    pub(in crate::sqlite) fn find(
        connection: &Connection,
        id: &SessionId,
    ) -> Result<Option<(Self, GameId)>, Fault> {
        let mut select = connection.prepare_cached(
            "SELECT live.*, game.id, session.closed FROM session
             LEFT JOIN live ON live.session = session.n LEFT JOIN game ON game.n = live.game
             WHERE session.id = ?",
        )?;
        let mut rows = select.query([id.as_str()])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        if row.get::<_, Option<i64>>(16)?.is_some() {
            return Ok(None);
        }
        let game = row.get::<_, Option<String>>(15)?;
        let game = game.ok_or_else(|| Fault::Damage(format!("session {id} has no game")))?;
        Ok(Some((Self::read(row)?, GameId::new(game))))
    }

    pub(in crate::sqlite) fn get(
        connection: &Connection,
        session: i64,
    ) -> Result<Option<Self>, Fault> {
        let mut select = connection.prepare_cached("SELECT * FROM live WHERE session = ?")?;
        let mut rows = select.query([session])?;
        rows.next()?.map(Self::read).transpose()
    }

    /// Reads a row whose first columns are those of the table: by their places, since every append reads one.
    pub(in crate::sqlite) fn read(row: &Row<'_>) -> Result<Self, Fault> {
        let ended = row.get::<_, Option<i64>>(8)?.map(UnixMillis);
        let live = Self {
            session: row.get(0)?,
            game: row.get(1)?,
            seq: row.get::<_, i64>(2)?.cast_unsigned(),
            changed: UnixMillis(row.get(3)?),
            numbers: Numbers {
                moves: row.get(4)?,
                score: row.get::<_, i64>(5)?.cast_unsigned(),
                merges: row.get(6)?,
                max_tile: row.get(7)?,
                over: ended.is_some(),
            },
            ended,
            voices: Voices(row.get(9)?),
            driven: row.get(10)?,
            commands: row.get(11)?,
            tail: row.get(12)?,
            head: row.get(13)?,
        };
        verify(row.get(14)?, live.sum(), || {
            format!("the state of session number {}", live.session)
        })?;
        Ok(live)
    }

    /// Takes up where an append leads to.
    pub(in crate::sqlite) fn set(
        &mut self,
        head: &Head,
        numbers: &Numbers,
        at: UnixMillis,
    ) -> Result<(), Fault> {
        let Head { seq, agent: Agent { running, .. }, .. } = head;
        self.seq = *seq;
        self.driven = *running;
        self.changed = at;
        self.numbers = *numbers;
        self.ended = self.ended.or(Some(at)).filter(|_| numbers.over);
        self.head = serde_json::to_string(head)
            .map_err(|error| Fault::Damage(format!("a head that is no JSON: {error}")))?;
        Ok(())
    }

    pub(in crate::sqlite) fn head(&self) -> Result<Head, Fault> {
        serde_json::from_str(&self.head).map_err(|error| {
            Fault::Damage(format!("the head of session number {}: {error}", self.session))
        })
    }

    /// The newest moves, which are in no block yet.
    pub(in crate::sqlite) fn tail(&self) -> Result<Segment, Fault> {
        Segment::from_bytes(&self.tail).map_err(|error| {
            Fault::Damage(format!("the newest moves of session number {}: {error}", self.session))
        })
    }

    pub(in crate::sqlite) fn insert(&self, connection: &Connection) -> Result<(), Fault> {
        self.write(
            connection,
            "INSERT INTO live (game, seq, changed, moves, score, merges, max_tile, ended, voices, driven, commands,
             tail, head, sum, session) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
    }

    pub(in crate::sqlite) fn update(&self, connection: &Connection) -> Result<(), Fault> {
        self.write(
            connection,
            "UPDATE live SET game = ?, seq = ?, changed = ?, moves = ?, score = ?, merges = ?, max_tile = ?, ended = ?,
             voices = ?, driven = ?, commands = ?, tail = ?, head = ?, sum = ? WHERE session = ?",
        )
    }

    fn write(&self, connection: &Connection, sql: &str) -> Result<(), Fault> {
        connection.prepare_cached(sql)?.execute(params![
            self.game,
            self.seq.cast_signed(),
            self.changed.0,
            self.numbers.moves,
            self.numbers.score.cast_signed(),
            self.numbers.merges,
            self.numbers.max_tile,
            self.ended.map(|at| at.0),
            self.voices.0,
            self.driven,
            self.commands,
            self.tail,
            self.head,
            self.sum().done(),
            self.session,
        ])?;
        Ok(())
    }

    fn sum(&self) -> Sum {
        Sum::default()
            .int(self.session)
            .int(self.game)
            .int(self.seq.cast_signed())
            .int(self.changed.0)
            .numbers(&self.numbers)
            .maybe(self.ended, |sum, at| sum.int(at.0))
            .int(self.voices.0.into())
            .int(self.driven.into())
            .int(self.commands)
            .bytes(&self.tail)
            .text(&self.head)
    }
}
