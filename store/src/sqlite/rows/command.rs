//! The table `command`.

use std::ops::RangeInclusive;

use rusqlite::{Connection, params};

use super::verify;
use crate::{
    Remembered,
    append::REMEMBERED,
    sqlite::{fault::Fault, sum::Sum},
};

const SLOTS: i64 = REMEMBERED.cast_signed() as i64;

/// Remembers a command in place of the one 256 before; `number` counts those of the session.
pub(in crate::sqlite) fn put(
    connection: &Connection,
    session: i64,
    number: i64,
    command: &Remembered,
) -> Result<(), Fault> {
    let slot = session * SLOTS + number % SLOTS;
    let Remembered { id, digest, reply } = command;
    connection
        .prepare_cached("INSERT OR REPLACE INTO command VALUES (?, ?, ?, ?, ?, ?)")?
        .execute(params![slot, number, id, digest, reply, sum(slot, number, command).done()])?;
    Ok(())
}

/// Those that a session remembers, oldest first; `count` is how many it carried out in all.
pub(in crate::sqlite) fn all(
    connection: &Connection,
    session: i64,
    count: i64,
) -> Result<Vec<Remembered>, Fault> {
    let slots = slots(session);
    let mut select =
        connection.prepare_cached("SELECT * FROM command WHERE slot BETWEEN ? AND ?")?;
    let mut rows = select.query([slots.start(), slots.end()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let command =
            Remembered { id: row.get("id")?, digest: row.get("digest")?, reply: row.get("reply")? };
        let (slot, number) = (row.get("slot")?, row.get("number")?);
        verify(row.get("sum")?, sum(slot, number, &command), || damage(session))?;
        all.push((number, command));
    }
    all.sort_unstable_by_key(|(number, _)| *number);
    let expected = (count - SLOTS).max(0)..count;
    if all.iter().map(|(number, _)| *number).eq(expected) {
        Ok(all.into_iter().map(|(_, command)| command).collect())
    } else {
        Err(Fault::Damage(damage(session)))
    }
}

/// Forgets those of a session.
pub(in crate::sqlite) fn delete(connection: &Connection, session: i64) -> Result<(), Fault> {
    let slots = slots(session);
    connection
        .prepare_cached("DELETE FROM command WHERE slot BETWEEN ? AND ?")?
        .execute([slots.start(), slots.end()])?;
    Ok(())
}

fn slots(session: i64) -> RangeInclusive<i64> {
    session * SLOTS..=session * SLOTS + (SLOTS - 1)
}

fn sum(slot: i64, number: i64, command: &Remembered) -> Sum {
    Sum::default()
        .int(slot)
        .int(number)
        .text(&command.id)
        .bytes(&command.digest)
        .text(&command.reply)
}

fn damage(session: i64) -> String {
    format!("the commands of session number {session}")
}
