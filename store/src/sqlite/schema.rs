//! The file: made, recognised, brought up to date, and looked over before it is used.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags, OptionalExtension, config::DbConfig};

use super::{Durability, fault::Fault, folder, folder::Folder, look_over::look_over};
use crate::{ErrorKind, StoreError, epoch};

/// What it is called in its folder.
pub(super) const NAME: &str = "serve2048.db";

/// `2048` in ASCII: says in the file's header whose it is.
const APPLICATION: i64 = 0x3230_3438;

/// What brings the schema from version n to n + 1. An entry that has been released is never changed.
const MIGRATIONS: &[&str] = &[include_str!("schema/1.sql"), include_str!("schema/2.sql")];

/// The version that this program writes.
const VERSION: u32 = MIGRATIONS.len() as u32;

/// A store's file, ready for use.
pub(super) struct Opened {
    pub(super) file: PathBuf,
    pub(super) writer: Connection,
    pub(super) reader: Connection,
    pub(super) epoch: String,
    pub(super) looked_over: bool,
}

/// Opens the file in `folder`, which is made when the folder has none; one of up to `at_once` bytes is looked over.
pub(super) fn open(
    folder: &Folder,
    durability: Durability,
    at_once: u64,
) -> Result<Opened, StoreError> {
    let file = folder.path().join(NAME);
    let fault = |fault: Fault| fault.into_error(&file);
    match fs::metadata(&file) {
        // SQLite would take an empty file for a new store, and throw away the log beside it.
        Ok(found) if found.len() == 0 => return Err(fault(Fault::Damage("it is empty".into()))),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => make(folder, &file)?,
        Err(error) => {
            let text = format!("{} cannot be read: {error}", file.display());
            return Err(StoreError::because(ErrorKind::Unavailable, text, error));
        }
    }
    let mut writer = connect(&file).map_err(Fault::from).map_err(fault)?;
    recognise(&writer, &file)?;
    bring_up_to_date(&mut writer).map_err(fault)?;
    set_up(&writer, durability).map_err(fault)?;
    let epoch = epoch_of(&writer).map_err(fault)?;
    let size = fs::metadata(&file).map_or(0, |found| found.len());
    if size <= at_once {
        look_over(&writer).map_err(fault)?;
    }
    let reader = connect(&file).map_err(Fault::from).map_err(fault)?;
    reader.pragma_update(None, "query_only", true).map_err(Fault::from).map_err(fault)?;
    Ok(Opened { looked_over: size <= at_once, file, writer, reader, epoch })
}

/// Opens the file in `folder` to look at it, and looks it over.
pub(super) fn open_beside(folder: &Path) -> Result<Opened, StoreError> {
    let file = folder.join(NAME);
    if !file.exists() {
        let text = format!("there is no store in {}", folder.display());
        return Err(StoreError::new(ErrorKind::Unavailable, text));
    }
    let fault = |fault: Fault| fault.into_error(&file);
    let looking = || -> Result<Connection, rusqlite::Error> {
        let connection = connect(&file)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    };
    let writer = looking().map_err(Fault::from).map_err(fault)?;
    recognise(&writer, &file)?;
    let version = writer.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0));
    if version.map_err(Fault::from).map_err(fault)? < VERSION {
        let text = format!(
            "{} was written by an earlier version of this program: start the server once",
            file.display()
        );
        return Err(StoreError::new(ErrorKind::Damaged, text));
    }
    look_over(&writer).map_err(fault)?;
    let epoch = epoch_of(&writer).map_err(fault)?;
    let reader = looking().map_err(Fault::from).map_err(fault)?;
    Ok(Opened { looked_over: true, file, writer, reader, epoch })
}

/// Connects to a file that is there.
pub(super) fn connect(file: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    // The references in the schema are for its readers; following them with every append would cost a lookup each.
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cache_size", -16_000)?;
    // Without it a kept statement is prepared anew each time that a parameter of its conditions is bound.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Gives the file an epoch of its own: the history that it goes on with is not the one that others may have seen.
pub(super) fn renew_epoch(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection
        .execute("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", [epoch::random()])
        .map(drop)
}

/// Makes the file under another name first: one that is there is whole.
fn make(folder: &Folder, file: &Path) -> Result<(), StoreError> {
    let log = file.with_extension("db-wal");
    if log.exists() {
        let text = format!(
            "{} is there, but not {}: put back what was moved, or move it away to begin with nothing",
            log.display(),
            file.display()
        );
        return Err(StoreError::new(ErrorKind::Damaged, text));
    }
    let draft = file.with_extension("db-new");
    let io = |error: std::io::Error| {
        let text = format!("{} cannot be made: {error}", file.display());
        StoreError::because(ErrorKind::Unavailable, text, error)
    };
    folder::make_private_file(&draft).map_err(io)?;
    fill(&draft).map_err(|error| Fault::from(error).into_error(&draft))?;
    fs::rename(&draft, file).and_then(|()| folder.sync()).map_err(io)
}

fn fill(draft: &Path) -> Result<(), rusqlite::Error> {
    let mut connection = connect(draft)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    let transaction = connection.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    migrate(&transaction, 0)?;
    renew_epoch(&transaction)?;
    transaction.commit()
}

/// Refuses a file that is not a store, or of a later version than this program knows.
fn recognise(connection: &Connection, file: &Path) -> Result<(), StoreError> {
    let header = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let header = |name| header(name).map_err(|error| Fault::from(error).into_error(file));
    let refuse = |what: String| {
        let text = format!("{} {what}", file.display());
        Err(StoreError::new(ErrorKind::Damaged, text))
    };
    if header("application_id")? != APPLICATION {
        return refuse("is not a store of this program: choose another data folder".into());
    }
    match u32::try_from(header("user_version")?) {
        Ok(version @ 1..) if version > VERSION => refuse(format!(
            "was written by a later version of this program (schema {version}, this one knows {VERSION}): use that one"
        )),
        Ok(1..) => Ok(()),
        _ => Err(Fault::Damage("it says no schema version".into()).into_error(file)),
    }
}

fn bring_up_to_date(connection: &mut Connection) -> Result<(), Fault> {
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version < VERSION {
        let transaction = connection.transaction()?;
        migrate(&transaction, version)?;
        transaction.commit()?;
    }
    Ok(())
}

fn migrate(connection: &Connection, from: u32) -> Result<(), rusqlite::Error> {
    for step in &MIGRATIONS[from as usize..] {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "user_version", VERSION)
}

fn set_up(writer: &Connection, durability: Durability) -> Result<(), Fault> {
    let mode: String =
        writer.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        return Err(Fault::Damage(format!("its journal is {mode}, not wal")));
    }
    // That the log is on the disk before an answer is given is seen to by `durable`, and that it is taken up by
    // `checkpoint`.
    writer.pragma_update(None, "wal_autocheckpoint", 0)?;
    set_up_checkpoints(writer, durability)?;
    Ok(())
}

/// The log is on the disk before it is taken up into the file, and the file before the log is written over.
pub(super) fn set_up_checkpoints(
    connection: &Connection,
    durability: Durability,
) -> Result<(), rusqlite::Error> {
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // Where the system keeps apart "written" and "on the medium" (macOS), the second is what `power` promises.
    let full = durability == Durability::Power;
    connection.pragma_update(None, "fullfsync", full)?;
    connection.pragma_update(None, "checkpoint_fullfsync", full)
}

fn epoch_of(connection: &Connection) -> Result<String, Fault> {
    let sql = "SELECT value FROM meta WHERE key = 'epoch'";
    let epoch: Option<String> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    epoch
        .filter(|epoch| epoch::is_one(epoch))
        .ok_or_else(|| Fault::Damage("it names no epoch".into()))
}
