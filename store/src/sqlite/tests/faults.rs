//! Ends of the process, a full disk, a crowd: nothing is lost that was answered, nothing answered that is not stored.

use std::{
    fs, io,
    path::Path,
    sync::{Arc, mpsc},
};

use super::{furnished, open, read_all, refused};
use crate::{
    Append, Durability, ErrorKind, SessionId, Sqlite, Store, UnixMillis,
    contract::Table,
    observer::Nobody,
    sqlite::{
        QUEUE,
        checkpoint::CHANGES,
        durable::{Answers, sync_log},
        folder::Folder,
        look_over, schema,
    },
};

/// Copies what a killed process leaves behind: the file and its log, as they are on disk now.
fn killed(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for name in ["serve2048.db", "serve2048.db-wal"] {
        fs::copy(folder.join(name), copy.path().join(name)).unwrap();
    }
    copy
}

#[tokio::test]
async fn answered_appends_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    for number in 0..50 {
        table.play("human");
        table.command(&format!("c{number}"), "done");
        table.save(&store).await;
        let copy = killed(folder.path());
        let again = open(copy.path());
        table.check(&again).await;
        let reply = again.reply(&table.id, &format!("c{number}")).await.unwrap();
        assert_eq!(reply.as_deref(), Some("done"));
        assert_eq!(again.epoch(), store.epoch());
    }
}

#[tokio::test]
async fn queued_appends_are_carried_out_before_a_store_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut table = Table::new("a", 3);
    drop(store.create(table.creation()));
    for _ in 0..200 {
        table.play("human");
        drop(store.append(table.take()));
    }
    drop(store);
    table.check(&open(folder.path())).await;
}

#[tokio::test]
async fn a_reopened_store_has_everything_and_its_epoch() {
    let (folder, tables) = furnished().await;
    let store = open(folder.path());
    let (read, epoch) = (read_all(&store).await.unwrap(), store.epoch().to_owned());
    drop(store);
    let store = open(folder.path());
    assert_eq!((read_all(&store).await.unwrap(), store.epoch()), (read, epoch.as_str()));
    for table in tables {
        table.check(&store).await;
    }
}

/// Runs `sql` on the writer's connection.
async fn pragma(store: &Sqlite, sql: &str) -> i64 {
    let sql = sql.to_owned();
    let answer = store.writer.ask(move |connection| {
        Ok(connection.query_row(&sql, [], |row| row.get(0)).unwrap_or_default())
    });
    answer.await.unwrap()
}

/// Plays on until the store refuses, then makes it well again and goes on from where it stands.
async fn refuses_and_recovers(ill: &str, well: &str) {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), Durability::Process).unwrap();
    let mut table = Table::new("a", 3);
    store.create(table.creation()).await.unwrap();
    let pages = pragma(&store, "PRAGMA page_count").await;
    pragma(&store, &ill.replace("{pages}", &pages.to_string())).await;

    let mut answered = table.clone();
    let error = loop {
        table.invent(200, "mcts");
        table.command(&table.head.seq.to_string(), &"a long reply ".repeat(200));
        match store.append(table.take()).await {
            Ok(()) => answered = table.clone(),
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
    assert!(error.text.contains("serve2048.db"), "{error}");

    // What was answered is there, and only that; reads stay up.
    let loaded = store.load(&table.id).await.unwrap().unwrap();
    assert_eq!(loaded.head, answered.head);
    assert_eq!(loaded.game.directions, answered.directions());
    assert_eq!(store.sessions(None, 9).await.unwrap().items.len(), 1);
    let copy = killed(folder.path());
    let stored = open(copy.path());
    answered.check(&stored).await;

    pragma(&store, well).await;
    answered.invent(300, "mcts");
    store.append(answered.take()).await.unwrap();
    drop(store);
    answered.check(&open(folder.path())).await;
}

#[tokio::test]
async fn a_full_disk_refuses_and_recovers() {
    refuses_and_recovers("PRAGMA max_page_count = {pages}", "PRAGMA max_page_count = 1000000")
        .await;
}

#[tokio::test]
async fn a_read_only_file_refuses_and_recovers() {
    refuses_and_recovers("PRAGMA query_only = true", "PRAGMA query_only = false").await;
}

#[tokio::test]
async fn a_second_process_is_refused_by_the_name_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let process = format!("process {}", std::process::id());
    refused(folder.path(), ErrorKind::InUse, &[folder.path().to_str().unwrap(), &process]);
    drop(store);
    open(folder.path());
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_made_is_private_to_the_user() {
    use std::os::unix::fs::PermissionsExt;

    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("deep").join("down");
    let store = open(&folder);
    Table::new("a", 1).create(&store).await;
    store.backup(&folder.join("copy.db")).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(folder.parent().unwrap())), (0o700, 0o700));
    for name in ["serve2048.db", "serve2048.db-wal", "serve2048.lock", "copy.db"] {
        assert_eq!(mode(&folder.join(name)) & 0o077, 0, "{name}");
    }
}

/// A store that has the disk take its log up by `sync`.
fn open_with(folder: &Path, sync: impl FnMut() -> io::Result<()> + Send + 'static) -> Sqlite {
    let taken = Folder::take(folder).unwrap();
    let opened = schema::open(&taken, Durability::Power, look_over::AT_ONCE).unwrap();
    let answers = Answers::on_disk(opened.file.clone(), sync).unwrap();
    let nobody = Arc::new(Nobody);
    Sqlite::start(folder, Some(taken), opened, Durability::Power, answers, nobody).unwrap()
}

#[tokio::test]
async fn an_answer_waits_for_the_disk_and_the_writer_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let (go_on, held) = mpsc::channel::<()>();
    let store = open_with(folder.path(), move || {
        begun.send(()).unwrap();
        held.recv().unwrap();
        Ok(())
    });
    let mut first = store.create(Table::new("a", 3).creation());
    begins.recv().await.unwrap();
    // The disk has not got the first yet; the second is carried out all the same.
    let mut second = store.create(Table::new("b", 3).creation());
    while store.sessions(None, 9).await.unwrap().items.len() < 2 {}
    assert!(futures_util::poll!(&mut first).is_pending(), "it is not on the disk");
    go_on.send(()).unwrap();
    first.await.unwrap();
    begins.recv().await.unwrap();
    assert!(futures_util::poll!(&mut second).is_pending(), "nor is this one");
    go_on.send(()).unwrap();
    second.await.unwrap();
    // What changes nothing waits for no disk.
    assert_eq!(store.load(&SessionId::new("c")).await.unwrap(), None);
}

#[tokio::test]
async fn what_the_disk_did_not_take_is_never_answered_as_stored() {
    let folder = tempfile::tempdir().unwrap();
    let mut left = 2;
    let store = open_with(folder.path(), move || {
        left -= 1;
        if left < 0 { Err(io::Error::other("the cable came out")) } else { Ok(()) }
    });
    let mut table = Table::new("a", 3);
    store.create(table.creation()).await.unwrap();
    table.play("human");
    store.append(table.take()).await.unwrap();
    table.play("human");
    for _ in 0..3 {
        let error = store.append(table.clone().take()).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unavailable);
        for part in ["serve2048.db", "the cable came out", "start the server again"] {
            assert!(error.text.contains(part), "{error}");
        }
    }
    assert_eq!(store.sessions(None, 9).await.unwrap().items.len(), 1, "reads stay up");
    drop(store);
    // Started again, it goes on from what the disk has: here the process lived on, so that is all of it.
    let store = open(folder.path());
    assert_eq!(store.load(&table.id).await.unwrap().unwrap().head, table.head);
}

#[tokio::test]
async fn at_power_the_log_of_the_file_is_what_the_disk_takes_up() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path(), Durability::Power).unwrap());
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    for _ in 0..20 {
        table.play("human");
        table.save(&store).await;
    }
    table.check(&open(killed(folder.path()).path())).await;
    let mut sync = sync_log(&folder.path().join("serve2048.db"));
    sync().unwrap();
    let elsewhere = sync_log(&folder.path().join("other.db"))().unwrap_err();
    assert_eq!(elsewhere.kind(), io::ErrorKind::NotFound);
}

#[tokio::test]
async fn the_log_is_taken_up_while_the_store_is_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    let size = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    let (file, mut log, mut grown) = (size("serve2048.db"), 0, 0);
    // The file gets what was in the log, and the log begins again: for as many changes as before it does not grow.
    for _ in 0..10_000 {
        // Each remembers a command and changes the state of the session: two rows.
        let answers: Vec<_> = (0..50)
            .map(|_| {
                table.invent(1, "mcts");
                table.command(&table.head.seq.to_string(), "a reply");
                store.append(table.take())
            })
            .collect();
        for answer in answers {
            answer.await.unwrap();
        }
        grown += 100;
        if size("serve2048.db-wal") > log {
            (log, grown) = (size("serve2048.db-wal"), 0);
        }
        if size("serve2048.db") > file && grown > CHANGES {
            return;
        }
    }
    panic!("the log has {log} bytes and grows");
}

/// Holds the writer up; dropping what it gives lets it go on.
fn hold(store: &Sqlite) -> mpsc::Sender<()> {
    let (go_on, held) = mpsc::channel::<()>();
    let (begun, begins) = mpsc::channel();
    drop(store.writer.ask(move |_| {
        begun.send(()).unwrap();
        // Ends with an error when the sender is dropped, which is what is waited for.
        assert!(held.recv().is_err());
        Ok(())
    }));
    begins.recv().unwrap();
    go_on
}

#[tokio::test]
async fn a_full_queue_refuses_at_once_and_what_was_taken_on_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), Durability::Process).unwrap();
    let held = hold(&store);
    let taken: Vec<_> =
        (0..QUEUE).map(|n| store.close(&SessionId::new(n.to_string()), UnixMillis(1))).collect();
    let refused = store.create(Table::new("a", 1).creation()).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Busy);
    assert_eq!(store.driven().await.unwrap(), [], "the reader does not wait for the writer");
    drop(held);
    for answer in taken {
        assert!(!answer.await.unwrap());
    }
    store.create(Table::new("a", 1).creation()).await.unwrap();
}

#[tokio::test]
async fn one_that_cannot_be_carried_out_does_not_take_its_batch_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path(), Durability::Process).unwrap();
    let mut tables = ["a", "b", "c", "d"].map(|id| Table::new(id, 3));
    for table in &tables {
        store.create(table.creation()).await.unwrap();
    }
    let appends: Vec<Append> = tables
        .iter_mut()
        .map(|table| {
            table.play("human");
            table.take()
        })
        .collect();
    let held = hold(&store);
    let mut answers: Vec<_> =
        appends[..1].iter().cloned().map(|append| store.append(append)).collect();
    let poisoned = store.writer.ask(|connection| {
        connection.execute("DELETE FROM live", [])?;
        connection
            .execute("INSERT INTO session SELECT * FROM session", [])
            .map_err(|error| crate::sqlite::fault::Fault::Damage(error.to_string()))
    });
    answers.extend(appends[1..].iter().cloned().map(|append| store.append(append)));
    let conflict = store.append(appends[0].clone());
    drop(held);

    for answer in answers {
        answer.await.unwrap();
    }
    assert_eq!(poisoned.await.unwrap_err().kind, ErrorKind::Damaged);
    assert_eq!(conflict.await.unwrap_err().kind, ErrorKind::Conflict { actual: 2 });
    drop(store);
    let store = open(folder.path());
    for table in &tables {
        table.check(&store).await;
    }
}

#[tokio::test]
async fn a_backup_while_play_goes_on_is_one_state_of_another_history() {
    let (folder, mut tables) = furnished().await;
    let store = open(folder.path());
    let copy = tempfile::tempdir().unwrap();
    let before = tables[0].clone();
    let backup = store.backup(&copy.path().join("serve2048.db"));
    for _ in 0..100 {
        tables[0].invent(1, "mcts");
        tables[0].save(&store).await;
    }
    backup.await.unwrap();
    let error = store.backup(&copy.path().join("serve2048.db")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Exists);

    let restored = open(copy.path());
    assert_ne!(restored.epoch(), store.epoch());
    let loaded = restored.load(&before.id).await.unwrap().unwrap();
    let played = loaded.game.directions.len();
    assert!(played >= before.directions().len());
    assert_eq!(loaded.game.directions, tables[0].directions()[..played]);
    let moves = before.numbers().moves;
    assert_eq!(loaded.head.seq - before.head.seq, u64::from(played as u32 - moves));
    tables[1].check(&restored).await;
    tables[1].play("human");
    tables[1].save(&restored).await;
    assert_eq!(
        fs::read_dir(copy.path())
            .unwrap()
            .filter(|entry| {
                entry.as_ref().unwrap().file_name().to_string_lossy().ends_with("-new")
            })
            .count(),
        0
    );
}

#[tokio::test]
async fn a_store_in_use_can_be_looked_at_and_backed_up_from_beside() {
    let nothing = tempfile::tempdir().unwrap();
    let error = Sqlite::open_beside(nothing.path()).map(drop).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable);

    let (folder, mut tables) = furnished().await;
    let store = open(folder.path());
    tables[0].play("human");
    tables[0].save(&store).await;
    let beside = Sqlite::open_beside(folder.path()).unwrap();
    assert_eq!(beside.epoch(), store.epoch());
    let verified = crate::verify(&beside).await.unwrap();
    assert_eq!((verified.games, verified.wrong.len()), (6, 0));
    let copy = folder.path().join("copy.db");
    beside.backup(&copy).await.unwrap();
    assert!(copy.exists());

    tables[0].play("human");
    let append = tables[0].take();
    let error = beside.append(append.clone()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable, "{error}");
    store.append(append).await.unwrap();
    drop(beside);
    tables[0].play("human");
    tables[0].save(&store).await;
    tables[0].check(&store).await;
}
