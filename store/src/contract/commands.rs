//! Commands: a repeat gets the first reply.

use std::sync::Arc;

use super::Table;
use crate::Store;

pub(super) async fn reply_is_remembered_with_its_effect(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    table.play("human");
    table.command("c1", "{\"moved\":true}");
    table.save(&store).await;
    let loaded = store.load(&table.id).await.unwrap().unwrap();
    assert_eq!(loaded.commands, [("c1".to_owned(), [2; 32])]);
    let reply = store.reply(&table.id, "c1").await.unwrap();
    assert_eq!(reply.as_deref(), Some("{\"moved\":true}"));
    assert_eq!(store.reply(&table.id, "c2").await.unwrap(), None);
}

pub(super) async fn last_256_commands_are_remembered(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    for number in 0..300 {
        table.play("human");
        table.command(&format!("c{number}"), &format!("reply {number}"));
        if number % 3 == 0 {
            table.save(&store).await;
        }
    }
    table.save(&store).await;
    let loaded = store.load(&table.id).await.unwrap().unwrap();
    let ids: Vec<_> = loaded.commands.into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, (44..300).map(|number| format!("c{number}")).collect::<Vec<_>>());
    for (number, expected) in [(43, None), (44, Some("reply 44")), (299, Some("reply 299"))] {
        let reply = store.reply(&table.id, &format!("c{number}")).await.unwrap();
        assert_eq!(reply.as_deref(), expected);
    }
}

pub(super) async fn commands_of_sessions_are_apart(store: Arc<dyn Store>) {
    for id in ["a", "b"] {
        let mut table = Table::new(id, 3);
        table.create(&store).await;
        table.command("c", id);
        table.save(&store).await;
    }
    for id in ["a", "b"] {
        let reply = store.reply(&crate::SessionId::new(id), "c").await.unwrap();
        assert_eq!(reply.as_deref(), Some(id));
    }
}
