//! A file that is not as it was written: an error or the truth, never something in between.

use std::{fs, path::Path, sync::Arc};

use super::{furnished, open, read_all, refused};
use crate::{Durability, ErrorKind, Sqlite, Store, contract::Table, observer::Nobody};

/// Opens the store in `folder`, whose file has been damaged, and reads everything: all of it must be as `expected`.
async fn survives(folder: &Path, damaged: &[u8], expected: &[String], what: &str) {
    let file = folder.join("serve2048.db");
    fs::write(&file, damaged).unwrap();
    let (kind, text) = match Sqlite::open(folder, Durability::Process) {
        Ok(store) => {
            let store: Arc<dyn Store> = Arc::new(store);
            match read_all(&store).await {
                Ok(read) => {
                    for (read, expected) in read.iter().zip(expected) {
                        assert_eq!(read, expected, "{what}");
                    }
                    assert_eq!(read.len(), expected.len());
                    // It may be written to, then; the damage may also come to light by that.
                    let answer = store.create(Table::new("new", 1).creation()).await;
                    assert!(answer.is_ok() || !answer.unwrap_err().text.is_empty(), "{what}");
                    return;
                }
                Err(error) => (error.kind, error.text),
            }
        }
        Err(error) => {
            assert_eq!(fs::read(&file).unwrap(), damaged, "{what}: the file is left as it is");
            (error.kind, error.text)
        }
    };
    assert!(matches!(kind, ErrorKind::Damaged | ErrorKind::Unavailable), "{what}: {text}");
    assert!(text.contains("serve2048.db") && !text.contains('\n'), "{what}: {text}");
}

async fn each_byte(places: impl Fn(usize) -> Vec<usize>, masks: &[u8]) {
    let (folder, _) = furnished().await;
    let expected = read_all(&open(folder.path())).await.unwrap();
    let whole = fs::read(folder.path().join("serve2048.db")).unwrap();
    let mut refused = 0;
    for place in places(whole.len()) {
        for mask in masks {
            let other = tempfile::tempdir().unwrap();
            let mut damaged = whole.clone();
            damaged[place] ^= mask;
            survives(other.path(), &damaged, &expected, &format!("byte {place} by {mask:#x}"))
                .await;
            refused += 1;
        }
    }
    assert!(refused > 0);
}

#[tokio::test]
async fn any_byte_of_the_header_may_change() {
    each_byte(|_| (0..100).collect(), &[0x01, 0x80, 0xff]).await;
}

/// Every `step`th byte, or each one if the environment asks for it: that takes a minute or more.
fn stride(step: usize) -> usize {
    if std::env::var_os("SERVE2048_THOROUGH").is_some() { 1 } else { step }
}

#[tokio::test]
async fn any_byte_of_the_last_page_may_change() {
    each_byte(|length| (length - 4096..length).step_by(stride(7)).collect(), &[0x10]).await;
}

#[tokio::test]
async fn bytes_of_every_page_may_change() {
    each_byte(|length| (100..length).step_by(211).collect(), &[0x03]).await;
}

#[tokio::test]
async fn a_file_may_be_cut_anywhere() {
    let (folder, _) = furnished().await;
    let expected = read_all(&open(folder.path())).await.unwrap();
    let whole = fs::read(folder.path().join("serve2048.db")).unwrap();
    for length in (0..whole.len()).step_by(1_021) {
        let other = tempfile::tempdir().unwrap();
        survives(other.path(), &whole[..length], &expected, &format!("cut to {length}")).await;
    }
}

#[test]
fn somebody_elses_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("serve2048.db");
    fs::write(
        &file,
        "a diary, not a database; long enough to be taken for a header, which it is not. "
            .repeat(9),
    )
    .unwrap();
    refused(folder.path(), ErrorKind::Damaged, &["serve2048.db", "not a database"]);
    fs::remove_file(&file).unwrap();
    let theirs = rusqlite::Connection::open(&file).unwrap();
    theirs.execute_batch("CREATE TABLE song (title TEXT)").unwrap();
    drop(theirs);
    refused(folder.path(), ErrorKind::Damaged, &["serve2048.db", "is not a store"]);
}

#[tokio::test]
async fn a_later_schema_is_refused() {
    let (folder, _) = furnished().await;
    let file = folder.path().join("serve2048.db");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    refused(folder.path(), ErrorKind::Damaged, &["serve2048.db", "later version", "99"]);
}

#[tokio::test]
async fn an_earlier_schema_is_brought_up_to_date() {
    let (folder, tables) = furnished().await;
    let file = folder.path().join("serve2048.db");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch("DROP TABLE link; PRAGMA user_version = 1").unwrap();
    drop(connection);
    let store = open(folder.path());
    for table in &tables {
        table.check(&store).await;
    }
    store.add_link(&tables[0].id, [1; 32]).await.unwrap();
    assert_eq!(store.linked([1; 32]).await.unwrap().as_ref(), Some(&tables[0].id));
}

#[tokio::test]
async fn a_log_without_its_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("serve2048.db-wal"), "frames").unwrap();
    refused(folder.path(), ErrorKind::Damaged, &["serve2048.db-wal", "serve2048.db"]);
}

#[tokio::test]
async fn a_large_file_is_looked_over_while_it_is_in_use() {
    let (folder, mut tables) = furnished().await;
    let open =
        || Sqlite::open_and_look(folder.path(), Durability::Process, 0, Arc::new(Nobody)).unwrap();
    let mut store = open();
    store.look.take().unwrap().wait();
    tables[0].play("human");
    store.append(tables[0].take()).await.unwrap();
    drop(store);
    drop(open());

    let connection = rusqlite::Connection::open(folder.path().join("serve2048.db")).unwrap();
    connection.execute("UPDATE game SET score = score + 4 WHERE id = 'c-1'", []).unwrap();
    drop(connection);
    let mut store = open();
    store.look.take().unwrap().wait();
    tables[1].play("human");
    let error = store.append(tables[1].take()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Damaged);
    assert!(error.text.contains("serve2048.db") && error.text.contains("c-1"), "{error}");
    assert_eq!(store.driven().await.unwrap_err().kind, ErrorKind::Damaged);
}

#[tokio::test]
async fn damage_that_comes_to_light_while_open_is_told_and_the_rest_goes_on() {
    let (folder, mut tables) = furnished().await;
    let connection = rusqlite::Connection::open(folder.path().join("serve2048.db")).unwrap();
    connection.execute("UPDATE block SET moves = x'00' WHERE place >> 22 = 1", []).unwrap();
    drop(connection);
    let store = open(folder.path());
    let error = store.game(&crate::GameId::new("a-1")).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Damaged);
    assert!(error.text.contains("serve2048.db"), "{error}");
    for table in &mut tables {
        table.play("human");
        table.save(&store).await;
        table.check(&store).await;
    }
}

#[tokio::test]
async fn a_row_that_is_missing_is_noticed() {
    for (sql, word) in [
        ("DELETE FROM live WHERE session = 1", "state of this session is missing: a"),
        ("DELETE FROM session WHERE id = 'b'", "without an open session"),
        ("DELETE FROM session WHERE id = 'c'", "session of this game is missing"),
        ("DELETE FROM game WHERE id = 'a-2'", "no running game"),
        ("DELETE FROM game WHERE id = 'a-1'", "moves of a game that is missing"),
        ("DELETE FROM stretch WHERE since = 0", "nobody began this game"),
        ("UPDATE link SET session = 2 WHERE session = 1", "a link to session number 2"),
        ("UPDATE session SET closed = 99, sum = sum WHERE id = 'b'", "session b"),
    ] {
        let (folder, _) = furnished().await;
        let file = folder.path().join("serve2048.db");
        crate::sqlite::schema::connect(&file).unwrap().execute(sql, []).unwrap();
        refused(folder.path(), ErrorKind::Damaged, &["serve2048.db", word]);
        let beside = Sqlite::open_beside(folder.path()).map(drop).unwrap_err();
        assert_eq!(beside.kind, ErrorKind::Damaged, "{sql}: {beside}");
    }
}
