//! Sessions: created, loaded, listed, closed.

use std::sync::Arc;

use super::Table;
use crate::{DriverKind, ErrorKind, GameQuery, SessionId, Status, Store, UnixMillis};

pub(super) async fn created_session_is_loaded_as_it_was(store: Arc<dyn Store>) {
    let table = Table::new("a", 5);
    let new = table.creation();
    store.create(new.clone()).await.unwrap();
    let loaded = store.load(&table.id).await.unwrap().unwrap();
    assert_eq!((&loaded.id, &loaded.name, loaded.control), (&new.id, &new.name, new.control));
    assert_eq!((loaded.created, &loaded.head), (new.at, &new.head));
    assert_eq!((&loaded.game.id, loaded.game.seed), (&new.game.id, new.game.seed));
    assert_eq!(loaded.commands, []);
    table.check(&store).await;
}

pub(super) async fn unknown_session_is_none(store: Arc<dyn Store>) {
    let id = SessionId::new("nobody");
    assert_eq!(store.load(&id).await.unwrap(), None);
    assert!(!store.close(&id, UnixMillis(1)).await.unwrap());
    assert_eq!(store.reply(&id, "x").await.unwrap(), None);
    let mut table = Table::new("nobody", 1);
    table.play("human");
    let error = table.try_save(&store).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
}

pub(super) async fn second_session_of_an_id_is_refused(store: Arc<dyn Store>) {
    let first = Table::new("a", 1);
    first.create(&store).await;
    let mut second = Table::new("a", 2).creation();
    second.game.id = crate::GameId::new("another");
    second.head.game = second.game.id.clone();
    let refused = store.create(second.clone()).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Exists);
    first.check(&store).await;
    assert_eq!(store.game(&second.game.id).await.unwrap(), None);

    store.close(&first.id, UnixMillis(9)).await.unwrap();
    let refused = store.create(second).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Exists, "closed ones count");
}

pub(super) async fn session_expires_unless_it_has_changed(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.now = 50;
    table.create(&store).await;
    let expire = |before| store.expire(&SessionId::new("a"), UnixMillis(before), UnixMillis(99));
    assert!(!expire(50).await.unwrap());
    table.now = 60;
    table.play("human");
    table.save(&store).await;
    assert!(!expire(51).await.unwrap(), "it has changed since");
    assert_eq!(store.count().await.unwrap(), 1);
    assert!(expire(1_000).await.unwrap());
    assert_eq!(store.count().await.unwrap(), 0);
    assert!(!expire(1_000).await.unwrap(), "once is enough");
}

pub(super) async fn closed_session_is_gone_and_its_games_stay(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 1);
    table.create(&store).await;
    table.play_on(70, "human");
    table.command("c", "done");
    table.save(&store).await;
    assert!(store.close(&table.id, UnixMillis(77)).await.unwrap());
    assert!(!store.close(&table.id, UnixMillis(78)).await.unwrap(), "once is enough");

    assert_eq!(store.load(&table.id).await.unwrap(), None);
    assert_eq!(store.sessions(None, 10).await.unwrap().items, []);
    assert_eq!(store.reply(&table.id, "c").await.unwrap(), None);
    let game = store.game(&table.head.game).await.unwrap().unwrap();
    assert_eq!(game.directions, table.game.directions());
    let record = store.record(&table.head.game).await.unwrap().unwrap();
    assert_eq!((record.status, record.ended), (Status::Abandoned, Some(UnixMillis(77))));
    assert_eq!((record.session, record.numbers), (table.id.clone(), table.numbers()));
    assert_eq!(
        store.games(GameQuery { limit: 9, ..GameQuery::default() }).await.unwrap().items.len(),
        1
    );

    table.play("human");
    let error = table.try_save(&store).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
}

pub(super) async fn open_sessions_are_listed_newest_first_in_pages(store: Arc<dyn Store>) {
    for number in 0..7 {
        let mut table = Table::new(&format!("s{number}"), number);
        table.create(&store).await;
        table.play("human");
        table.save(&store).await;
    }
    store.close(&SessionId::new("s3"), UnixMillis(1)).await.unwrap();
    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let page = store.sessions(cursor, 2).await.unwrap();
        assert!(page.items.len() <= 2);
        for item in page.items {
            assert_eq!((item.numbers.moves, item.head.seq), (1, 2));
            assert_eq!((item.created, item.changed), (UnixMillis(1_000), UnixMillis(1_001)));
            seen.push(item.id.to_string());
        }
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["s6", "s5", "s4", "s2", "s1", "s0"]);
    let refused = store.sessions(Some("rubbish".to_owned()), 2).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::BadCursor);
}

pub(super) async fn driven_sessions_are_those_whose_agent_plays(store: Arc<dyn Store>) {
    let mut tables = ["a", "b", "c"].map(|id| Table::new(id, 1));
    for table in &tables {
        table.create(&store).await;
    }
    for table in &mut tables[1..] {
        table.drive(DriverKind::Player, "mcts", "started");
        table.save(&store).await;
    }
    assert_eq!(store.driven().await.unwrap(), [SessionId::new("b"), SessionId::new("c")]);
    tables[1].drive(DriverKind::Human, "human", "takeover");
    tables[1].save(&store).await;
    assert_eq!(store.driven().await.unwrap(), [SessionId::new("c")]);
    store.close(&tables[2].id, UnixMillis(1)).await.unwrap();
    assert_eq!(store.driven().await.unwrap(), []);
}

pub(super) async fn unchanged_sessions_are_given_longest_first(store: Arc<dyn Store>) {
    for (id, at) in [("a", 30), ("b", 10), ("c", 20), ("d", 40), ("e", 5)] {
        let mut table = Table::new(id, 1);
        table.now = at;
        table.create(&store).await;
    }
    store.close(&SessionId::new("e"), UnixMillis(50)).await.unwrap();
    let ids = async |before, limit| {
        let ids = store.unchanged(UnixMillis(before), limit).await.unwrap();
        ids.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(ids(40, 9).await, ["b", "c", "a"]);
    assert_eq!(ids(99, 2).await, ["b", "c"]);
}
