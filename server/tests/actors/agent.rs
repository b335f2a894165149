//! What an agent may do, and what becomes of one that fails.

use server::actors::{
    lobby::CreateSession,
    session::{RUN_AHEAD, StopAgent},
};

use crate::house::{House, LetsGo, legal, play, start, state, until, watch};

#[actix::test]
async fn an_agent_plays_to_the_end_and_stops_by_itself() {
    let house = House::new().await;
    let session = house.main().await;
    let mut watching = watch(&session).await;
    start(&session, "first").await.unwrap();
    let over = until(&mut watching, |state| state.game_over).await;
    assert!(!over.agent.running);
    assert_eq!(
        (over.driver.name.as_str(), over.decision.unwrap().source.as_str()),
        ("first", "first")
    );
    assert!(over.seed.is_some(), "the seed is shown when the game is over");
}

#[actix::test]
async fn a_player_that_panics_is_shown_and_the_game_goes_on() {
    let house = House::new().await;
    let session = house.main().await;
    let mut watching = watch(&session).await;
    start(&session, "panics").await.unwrap();
    let stopped = until(&mut watching, |state| state.seq == 2).await;
    assert!(!stopped.agent.running);
    let decision = stopped.decision.unwrap();
    assert_eq!(decision.reason.as_deref(), Some("agent stopped: Panic: no idea"));
    assert_eq!((decision.source.as_str(), decision.direction), ("fallback", None));
    play(&session, legal(&session).await, "a").await.unwrap();
    assert_eq!(state(&session).await.moves, 1);
}

#[actix::test]
async fn a_player_that_hangs_keeps_nobody_else_from_thinking() {
    let _lets_go = LetsGo;
    let house = House::new().await;
    let hung = house.main().await;
    let mut watching = watch(&hung).await;
    start(&hung, "hangs").await.unwrap();
    // There is one permit for all.
    let created = house.lobby.ask(CreateSession { seed: Some(1), name: None }).await.unwrap();
    let other = created.handle;
    let mut other_is_shown = watch(&other).await;
    start(&other, "thinks").await.unwrap();
    until(&mut other_is_shown, |state| state.moves > 0).await;
    assert!(state(&hung).await.agent.running, "it is given up later");
    let stopped = until(&mut watching, |state| !state.agent.running).await;
    let reason = stopped.decision.unwrap().reason.unwrap();
    assert!(reason.starts_with("agent stopped: Hung: "), "{reason}");
    play(&hung, legal(&hung).await, "a").await.unwrap();
}

#[actix::test]
async fn an_agent_runs_at_most_400_changes_ahead_of_what_is_durable_and_shown() {
    let house = House::new().await;
    let session = house.main().await;
    start(&session, "first").await.unwrap();
    session.ask(StopAgent { command: None }).await.unwrap();
    let before = state(&session).await;
    house.store.block(true);
    let mut watching = watch(&session).await;
    let starting = start(&session, "first");
    tokio::pin!(starting);
    // Nothing is answered and nothing is shown while nothing is durable, however much the agent plays.
    let waited = tokio::time::timeout(std::time::Duration::from_millis(300), &mut starting).await;
    assert!(waited.is_err());
    assert_eq!(state(&session).await, before);
    house.store.block(false);
    starting.await.unwrap();
    // The batch that gathered meanwhile is what may be ahead, and not more.
    let shown = until(&mut watching, |state| state.seq > before.seq + 1).await;
    assert!(shown.seq <= before.seq + 1 + RUN_AHEAD, "{} then {}", before.seq, shown.seq);
    assert!(until(&mut watching, |state| state.game_over).await.moves > 0);
}
