//! A store that refuses, and a session that crashes.

use std::time::Duration;

use protocol::{Acted, Moved};
use server::actors::{lobby::Open, refusal::Refusal};

use crate::house::{House, legal, lobby_over, play, start, start_as, state, until, watch};

#[actix::test]
async fn what_is_not_saved_is_not_played() {
    let house = House::new().await;
    let session = house.main().await;
    play(&session, legal(&session).await, "a").await.unwrap();
    let before = state(&session).await;
    house.store.fail(true);
    let direction = legal(&session).await;
    let refusal = play(&session, direction, "b").await.unwrap_err();
    assert_eq!(refusal.to_string(), "not saved, so not played: the disk is full");
    assert_eq!(state(&session).await, before, "reads stay up and show what is durable");
    house.store.fail(false);
    // The same command again is not taken for a repeat: it was never carried out.
    let done = play(&session, direction, "b").await.unwrap();
    let moved: Moved = serde_json::from_slice(&done.reply).unwrap();
    assert!(moved.acted());
    assert_eq!((moved.state.seq, moved.state.moves), (before.seq + 1, before.moves + 1));
}

#[actix::test]
async fn an_agent_goes_on_when_there_is_room_again() {
    let house = House::new().await;
    let session = house.main().await;
    let mut watching = watch(&session).await;
    start(&session, "first").await.unwrap();
    house.store.fail(true);
    while house.store.refused() == 0 {
        tokio::task::yield_now().await;
    }
    assert!(state(&session).await.agent.running, "it waits, and does not give up");
    house.store.fail(false);
    assert!(until(&mut watching, |state| state.game_over).await.moves > 0);
}

#[actix::test]
async fn a_repeated_command_gets_its_first_reply_again() {
    let house = House::new().await;
    let session = house.main().await;
    let direction = legal(&session).await;
    let first = play(&session, direction, "a").await.unwrap();
    play(&session, legal(&session).await, "b").await.unwrap();
    let again = play(&session, direction, "a").await.unwrap();
    assert_eq!(again.reply, first.reply);
    assert_eq!(state(&session).await.moves, 2);
    let other = engine::Direction::ALL.into_iter().find(|&other| other != direction).unwrap();
    assert!(matches!(play(&session, other, "a").await, Err(Refusal::Invalid(_))));
}

#[actix::test]
async fn a_command_is_repeated_before_its_first_reply_is_on_its_way() {
    let house = House::new().await;
    let session = house.main().await;
    house.store.block(true);
    let playing = async {
        let direction = legal(&session).await;
        // The first is on its way to the store, so that the second is gathered behind it.
        let before = play(&session, direction, "before");
        let (_, first, again) = tokio::join!(
            before,
            start_as(&session, "first", "a"),
            start_as(&session, "first", "a")
        );
        (first.unwrap().reply, again.unwrap().reply)
    };
    let unblocking = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        house.store.block(false);
    };
    let ((first, again), ()) = tokio::join!(playing, unblocking);
    assert_eq!(again, first);
}

#[actix::test]
async fn a_session_that_crashes_is_loaded_again_from_what_is_durable() {
    let house = House::new().await;
    let session = house.main().await;
    play(&session, legal(&session).await, "a").await.unwrap();
    let (before, watching) = (state(&session).await, watch(&session).await);
    house.store.panic_once();
    let refusal = play(&session, legal(&session).await, "b").await.unwrap_err();
    assert!(matches!(refusal, Refusal::Crashed(_)), "{refusal}");
    assert!(watching.frames.has_changed().is_err(), "its watchers notice at once");
    let again = house.main().await;
    assert_eq!(state(&again).await, protocol::State { watchers: 0, ..before });
    play(&again, legal(&again).await, "b").await.unwrap();
}

#[actix::test]
async fn an_agent_goes_on_after_its_session_crashed() {
    let house = House::new().await;
    let session = house.main().await;
    start(&session, "first").await.unwrap();
    house.store.panic_once();
    // Nobody asks for it: the lobby finds out by itself.
    let found = async {
        while session.is_alive() {
            tokio::task::yield_now().await;
        }
        let again = house.main().await;
        let mut watching = watch(&again).await;
        until(&mut watching, |state| state.game_over).await
    };
    let over = tokio::time::timeout(Duration::from_secs(20), found).await.expect("it goes on");
    assert!(over.moves > 0);
}

#[actix::test]
async fn a_lobby_does_not_open_when_main_cannot_be_read() {
    let house = House::new().await;
    house.store.damage();
    let again = lobby_over(&house.store, Duration::from_hours(1));
    assert_eq!(again.ask(Open).await.unwrap_err().to_string(), "the file is damaged");
}
