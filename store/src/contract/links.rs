//! Links to watch by: given, found, revoked.

use std::sync::Arc;

use super::Table;
use crate::{ErrorKind, MOST_LINKS, SessionId, Store, UnixMillis};

pub(super) async fn link_leads_to_its_session_until_it_is_revoked(store: Arc<dyn Store>) {
    let (a, b) = (Table::new("a", 1), Table::new("b", 2));
    a.create(&store).await;
    b.create(&store).await;
    for (session, key) in [(&a.id, [1; 32]), (&a.id, [2; 32]), (&b.id, [3; 32])] {
        store.add_link(session, key).await.unwrap();
    }
    let leads = async |key| store.linked([key; 32]).await.unwrap();
    assert_eq!(leads(1).await.as_ref(), Some(&a.id));
    assert_eq!(leads(2).await.as_ref(), Some(&a.id));
    assert_eq!(leads(3).await.as_ref(), Some(&b.id));
    assert_eq!(leads(4).await, None);

    assert_eq!(store.revoke_links(&a.id).await.unwrap(), 2);
    assert_eq!(store.revoke_links(&a.id).await.unwrap(), 0, "once is enough");
    assert_eq!((leads(1).await, leads(2).await), (None, None));
    assert_eq!(leads(3).await.as_ref(), Some(&b.id));
    a.check(&store).await;

    assert!(store.close(&b.id, UnixMillis(9)).await.unwrap());
    assert_eq!(leads(3).await, None, "they end with their session");
}

pub(super) async fn link_to_no_open_session_is_refused(store: Arc<dyn Store>) {
    let table = Table::new("a", 1);
    table.create(&store).await;
    store.close(&table.id, UnixMillis(9)).await.unwrap();
    for id in [table.id.clone(), SessionId::new("nobody")] {
        let refused = store.add_link(&id, [1; 32]).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::NotFound);
        assert_eq!(store.revoke_links(&id).await.unwrap(), 0);
    }
    assert_eq!(store.linked([1; 32]).await.unwrap(), None);
}

pub(super) async fn a_session_has_so_many_links_and_no_more(store: Arc<dyn Store>) {
    let table = Table::new("a", 1);
    table.create(&store).await;
    let key = |number: usize| {
        let mut key = [7; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        key
    };
    for number in 0..MOST_LINKS {
        store.add_link(&table.id, key(number)).await.unwrap();
    }
    let refused = store.add_link(&table.id, key(MOST_LINKS)).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Exists);
    assert_eq!(store.revoke_links(&table.id).await.unwrap(), MOST_LINKS);
    store.add_link(&table.id, key(MOST_LINKS)).await.unwrap();
}
