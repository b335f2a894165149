//! Sessions that leave memory, are closed, or are told to leave.

use std::time::Duration;

use protocol::ByeReason;
use server::actors::{
    lobby::{CloseSession, CreateSession, FindSession},
    refusal::Refusal,
    session::Snapshot,
};

use crate::house::{House, legal, play, state, watch};

#[actix::test]
async fn an_idle_session_leaves_memory_and_comes_back_as_it_was() {
    let house = House::open(Duration::from_millis(50)).await;
    let session = house.main().await;
    play(&session, legal(&session).await, "a").await.unwrap();
    let before = state(&session).await;
    while session.is_alive() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(
        matches!(session.ask(Snapshot).await, Err(Refusal::Passivated(_))),
        "nothing was done: ask again"
    );
    let again = house.main().await;
    assert_eq!(state(&again).await, before);
}

#[actix::test]
async fn a_watched_session_stays() {
    let house = House::open(Duration::from_millis(50)).await;
    let session = house.main().await;
    let watching = watch(&session).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert!(session.is_alive());
    drop(watching);
}

#[actix::test]
async fn a_closed_session_says_farewell_and_is_not_found_again() {
    let house = House::new().await;
    let created = house.lobby.ask(CreateSession { seed: Some(1), name: None }).await.unwrap();
    let id = created.handle.id().clone();
    let watching = watch(&created.handle).await;
    house.lobby.ask(CloseSession { id: id.clone() }).await.unwrap();
    assert_eq!(watching.notices.borrow().farewell, Some(ByeReason::Closed));
    assert!(matches!(house.lobby.ask(FindSession { id }).await, Err(Refusal::NoSession(_))));
}

#[actix::test]
async fn main_cannot_be_closed() {
    let house = House::new().await;
    let id = house.main().await.id().clone();
    assert!(matches!(house.lobby.ask(CloseSession { id }).await, Err(Refusal::NotAllowed(_))));
}

#[actix::test]
async fn what_was_acknowledged_is_saved_when_the_lobby_shuts_down() {
    let house = House::new().await;
    let session = house.main().await;
    let watching = watch(&session).await;
    play(&session, legal(&session).await, "a").await.unwrap();
    house.lobby.shut_down().await;
    assert_eq!(watching.notices.borrow().farewell, Some(ByeReason::Shutdown));
    assert!(house.lobby.ask(FindSession { id: session.id().clone() }).await.is_err());
    let stored = store::Store::load(&*house.store, session.id()).await.unwrap().unwrap();
    assert_eq!((stored.head.seq, stored.game.directions.len()), (1, 1));
}

#[actix::test]
async fn what_comes_too_late_for_a_session_is_told_that_there_is_none() {
    let house = House::new().await;
    let created = house.lobby.ask(CreateSession { seed: Some(1), name: None }).await.unwrap();
    let session = created.handle;
    let direction = legal(&session).await;
    // Closed in the store, and its actor not told yet.
    assert!(store::Store::close(&*house.store, session.id(), store::UnixMillis(0)).await.unwrap());
    let late = play(&session, direction, "a").await.unwrap_err();
    assert!(matches!(late, Refusal::NoSession(_)), "{late}");
}

#[actix::test]
async fn a_session_that_is_being_closed_is_none_any_more() {
    let house = House::new().await;
    let created = house.lobby.ask(CreateSession { seed: Some(1), name: None }).await.unwrap();
    let session = created.handle;
    let mut watching = watch(&session).await;
    let direction = legal(&session).await;
    house.store.block(true);
    let playing = play(&session, direction, "a");
    let closing = house.lobby.ask(CloseSession { id: session.id().clone() });
    let asking = async {
        watching.notices.wait_for(|notices| notices.farewell.is_some()).await.unwrap();
        let refused = session.ask(Snapshot).await;
        house.store.block(false);
        refused
    };
    let (played, closed, asked) = futures_util::join!(playing, closing, asking);
    assert!(played.is_ok(), "it was saved before");
    closed.unwrap();
    assert!(matches!(asked, Err(Refusal::NoSession(_))), "{asked:?}");
}

#[actix::test]
async fn a_session_that_is_closed_while_it_is_loaded_is_none() {
    let house = House::open(Duration::from_millis(50)).await;
    let created = house.lobby.ask(CreateSession { seed: Some(1), name: None }).await.unwrap();
    let id = created.handle.id().clone();
    while created.handle.is_alive() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    house.store.slow_down(true);
    let find = || house.lobby.ask(FindSession { id: id.clone() });
    let closing = async {
        house.lobby.ask(CloseSession { id: id.clone() }).await.unwrap();
        // Its load is asked for behind the close, and answered with the one before it.
        let again = find();
        let answered = async {
            house.store.slow_down(false);
        };
        futures_util::join!(again, answered).0
    };
    let (found, found_again) = futures_util::join!(find(), closing);
    for found in [found, found_again, find().await] {
        assert!(matches!(found, Err(Refusal::NoSession(_))), "{found:?}");
    }
}

#[actix::test]
async fn no_more_sessions_are_opened_than_there_is_room_for() {
    let house = House::new().await;
    let main = watch(&house.main().await).await;
    let create = || house.lobby.ask(CreateSession { seed: None, name: None });
    let (first, _second) = (create().await.unwrap(), create().await.unwrap());
    assert!(matches!(create().await, Err(Refusal::Full { .. })), "main is the third");
    let warning = main.notices.borrow().warning.unwrap();
    assert_eq!(
        warning.to_string(),
        "3 of at most 3 sessions are open: close some before there are no more"
    );
    house.lobby.ask(CloseSession { id: first.handle.id().clone() }).await.unwrap();
    create().await.unwrap();
}
