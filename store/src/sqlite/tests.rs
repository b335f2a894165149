//! The contract, and what only a file can go through.

mod damage;
mod faults;

use std::{cell::Cell, path::Path, sync::Arc};

use tempfile::TempDir;

use super::{Durability, Sqlite};
use crate::{
    DriverKind, ErrorKind, GameId, Store, StoreError, UnixMillis,
    contract::{self, Table},
};

#[tokio::test]
async fn sqlite_passes_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let number = Cell::new(0);
    let fresh = || -> Arc<dyn Store> {
        number.set(number.get() + 1);
        open(&folder.path().join(number.get().to_string()))
    };
    contract::run(fresh).await;
}

fn open(folder: &Path) -> Arc<dyn Store> {
    Arc::new(Sqlite::open(folder, Durability::Process).unwrap())
}

/// A store that has something in every table, closed; and the sessions that it has.
async fn furnished() -> (TempDir, Vec<Table>) {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let mut tables = Vec::new();
    for (id, seed) in [("a", 3), ("b", 5), ("c", 8)] {
        let mut table = Table::new(id, seed);
        table.create(&store).await;
        table.play_on(90, "human");
        table.command(&format!("first of {id}"), "a reply");
        table.save(&store).await;
        table.begin(&format!("{id}-2"), engine::Game::new(seed + 1));
        table.drive(DriverKind::Player, "mcts", "started");
        table.play_on(80, "mcts");
        table.command(&format!("second of {id}"), "another reply");
        table.save(&store).await;
        store.add_link(&table.id, [id.as_bytes()[0]; 32]).await.unwrap();
        tables.push(table);
    }
    store.close(&tables.pop().unwrap().id, UnixMillis(99)).await.unwrap();
    (folder, tables)
}

/// Everything that can be read of a furnished store; the first fault, if it has one.
async fn read_all(store: &Arc<dyn Store>) -> Result<Vec<String>, StoreError> {
    let mut all = Vec::new();
    let sessions = store.sessions(None, 99).await?;
    all.push(format!("{sessions:?} {:?}", store.driven().await?));
    for id in ["a", "b", "c"].map(crate::SessionId::new) {
        all.push(format!("{:?} {:?}", store.load(&id).await?, store.best(&id).await?));
        all.push(format!("{:?}", store.linked([id.as_str().as_bytes()[0]; 32]).await?));
        for command in ["first", "second"] {
            all.push(format!("{:?}", store.reply(&id, &format!("{command} of {id}")).await?));
        }
        for game in 1..=2 {
            let game = GameId::new(format!("{id}-{game}"));
            all.push(format!("{:?}", store.game(&game).await?));
            all.push(format!("{:?}", store.moves(&game, 1, 999).await?));
        }
    }
    for sort in [crate::Sort::Started, crate::Sort::Score, crate::Sort::MaxTile, crate::Sort::Moves]
    {
        let query = crate::GameQuery { sort, limit: 99, ..crate::GameQuery::default() };
        all.push(format!("{:?}", store.games(query).await?));
    }
    let of_player =
        crate::GameQuery { player: Some("mcts".into()), limit: 9, ..Default::default() };
    all.push(format!("{:?}", store.games(of_player).await?));
    Ok(all)
}

/// Asserts that a store which is refused is refused as `kind`, with a sentence that has all of `words`.
fn refused(folder: &Path, kind: ErrorKind, words: &[&str]) {
    let error = Sqlite::open(folder, Durability::Power).map(drop).unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    for word in words {
        assert!(error.text.contains(word), "{error}");
    }
    assert!(!error.text.contains('\n'), "{error}");
}

/// Counts; and does, or does not, what it is there for.
#[derive(Debug, Default)]
struct Onlooker {
    calls: std::sync::atomic::AtomicUsize,
    idle: bool,
}

impl crate::Observer for Onlooker {
    fn commit(&self, requests: usize, commit: &mut dyn FnMut() -> bool) {
        assert!(requests > 0);
        self.calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        assert!(self.idle || commit(), "it is durable");
    }
}

#[tokio::test]
async fn who_looks_on_sees_each_commit_and_has_no_say_in_it() {
    for idle in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let onlooker = Arc::new(Onlooker { idle, ..Onlooker::default() });
        let observer = Arc::<Onlooker>::clone(&onlooker);
        let store = Sqlite::open_observed(folder.path(), Durability::Process, observer).unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        Table::new("a", 1).create(&store).await;
        assert_eq!(onlooker.calls.load(std::sync::atomic::Ordering::Relaxed), 1);
        drop(store);
        let found = open(folder.path()).load(&crate::SessionId::new("a")).await.unwrap();
        assert!(found.is_some(), "idle: {idle}");
    }
}
