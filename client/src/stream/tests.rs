//! The subscription against a server that is a script, on paused time.

use std::{collections::VecDeque, sync::Mutex};

use futures_util::stream;

use super::*;

/// What a scripted connection does next.
#[derive(Debug, Clone)]
enum Act {
    Send(String),
    Wait(Duration),
    /// Nothing more comes, and the connection stays.
    Hang,
}

/// Milliseconds from the start, and the `Last-Event-ID`.
type Attempt = (u128, Option<String>);

/// One connection after the other; after the last, every attempt is refused.
#[derive(Default)]
struct Script {
    connections: Mutex<VecDeque<Result<Vec<Act>, u16>>>,
    polled: Option<State>,
    attempts: Arc<Mutex<Vec<Attempt>>>,
    started: Option<Instant>,
}

impl Script {
    fn new(connections: impl IntoIterator<Item = Result<Vec<Act>, u16>>) -> Self {
        Self {
            connections: Mutex::new(connections.into_iter().collect()),
            started: Some(Instant::now()),
            ..Self::default()
        }
    }
}

impl Transport for Script {
    async fn open(
        &self,
        last_id: Option<String>,
    ) -> Result<BoxStream<'static, Result<Bytes, CallError>>, CallError> {
        let at = self.started.unwrap().elapsed().as_millis();
        self.attempts.lock().unwrap().push((at, last_id));
        match self.connections.lock().unwrap().pop_front().unwrap_or(Err(503)) {
            Ok(acts) => Ok(stream::unfold(VecDeque::from(acts), next_bytes).boxed()),
            Err(status) => Err(CallError::Refused {
                status,
                detail: "no".into(),
                state: None,
                retry_after: None,
            }),
        }
    }

    async fn poll(&self) -> Result<State, CallError> {
        self.polled.clone().ok_or(CallError::Silent)
    }
}

async fn next_bytes(mut acts: VecDeque<Act>) -> Option<(Result<Bytes, CallError>, VecDeque<Act>)> {
    loop {
        match acts.pop_front()? {
            Act::Send(text) => return Some((Ok(Bytes::from(text)), acts)),
            Act::Wait(time) => tokio::time::sleep(time).await,
            Act::Hang => std::future::pending().await,
        }
    }
}

fn state(seq: u64) -> State {
    let text = include_str!("../../../protocol/golden/state-after-a-move.json");
    State { seq, ..serde_json::from_str(text).unwrap() }
}

fn event(seq: u64) -> Act {
    let json = serde_json::to_string(&state(seq)).unwrap();
    Act::Send(format!("id: k3v9x2-{seq}\ndata: {json}\n\n"))
}

fn named(name: &str, data: &str) -> Act {
    Act::Send(format!("event: {name}\ndata: {data}\n\n"))
}

fn beat(seq: u64) -> Act {
    named("hb", &format!("{{\"seq\":{seq}}}"))
}

fn seconds(seconds: u64) -> Act {
    Act::Wait(Duration::from_secs(seconds))
}

/// The next update that `pick` takes.
async fn until<T>(subscription: &mut Subscription, pick: impl Fn(Update) -> Option<T>) -> T {
    loop {
        let update = subscription.next().await.expect("the subscription has not ended");
        if let Some(found) = pick(update) {
            return found;
        }
    }
}

async fn until_state(subscription: &mut Subscription, seq: u64) {
    until(subscription, |update| match update {
        Update::State(snapshot) if snapshot.state.seq == seq => Some(()),
        _ => None,
    })
    .await;
}

async fn until_lost(subscription: &mut Subscription) -> Fault {
    until(subscription, |update| match update {
        Update::Connection(Connection::Lost { fault, .. }) => Some(fault),
        _ => None,
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn it_tells_what_comes() {
    let connection = vec![
        Act::Wait(Duration::from_millis(1)),
        event(1),
        Act::Wait(Duration::from_millis(1)),
        named("watchers", r#"{"count":3}"#),
        named("note", r#"{"text":"new top tile","kind":"milestone"}"#),
        named("from-the-future", "{}"),
        Act::Wait(Duration::from_millis(1)),
        beat(1),
        Act::Hang,
    ];
    let mut subscription = Subscription::open(Script::new([Ok(connection)]));
    assert_eq!(subscription.next().await, Some(Update::Connection(Connection::Connecting)));
    assert_eq!(subscription.next().await, Some(Update::Connection(Connection::Live)));
    let Some(Update::State(snapshot)) = subscription.next().await else { panic!("no state") };
    assert_eq!(snapshot.state, state(1));
    assert!(snapshot.json.starts_with("{\"protocol\":1,"));
    assert_eq!(subscription.next().await, Some(Update::Watchers(3)));
    let Some(Update::Note(note)) = subscription.next().await else { panic!("no note") };
    assert_eq!(note.text, "new top tile");
    assert_eq!(subscription.next().await, Some(Update::Heartbeat(1)));
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_gets_the_newest_state_only() {
    let mut acts: Vec<Act> = (1..=500).map(event).collect();
    acts.push(Act::Hang);
    let mut subscription = Subscription::open(Script::new([Ok(acts)]));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(subscription.next().await, Some(Update::Connection(Connection::Live)));
    let Some(Update::State(snapshot)) = subscription.next().await else { panic!("no state") };
    assert_eq!(snapshot.state.seq, 500);
    let more = tokio::time::timeout(Duration::from_secs(1), subscription.next());
    assert!(more.await.is_err(), "nothing else waits");
}

#[tokio::test(start_paused = true)]
async fn it_resumes_after_the_last_event() {
    let script = Script::new([Ok(vec![event(1), event(2)]), Ok(vec![beat(2), Act::Hang])]);
    let attempts = Arc::clone(&script.attempts);
    let mut subscription = Subscription::open(script);
    assert_eq!(until_lost(&mut subscription).await, Fault::Ended);
    let back = |update| matches!(update, Update::Heartbeat(2)).then_some(());
    until(&mut subscription, back).await;
    let attempts = attempts.lock().unwrap().clone();
    assert_eq!(attempts[0].1, None);
    assert_eq!(attempts[1].1.as_deref(), Some("k3v9x2-2"));
    assert!((400..=600).contains(&attempts[1].0), "{attempts:?}");
}

#[tokio::test(start_paused = true)]
async fn it_keeps_trying_with_growing_pauses() {
    let script = Script::new([]);
    let attempts = Arc::clone(&script.attempts);
    let mut subscription = Subscription::open(script);
    for _ in 0..7 {
        until_lost(&mut subscription).await;
    }
    let times: Vec<u128> = attempts.lock().unwrap().iter().map(|attempt| attempt.0).collect();
    let pauses: Vec<u128> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    for (pause, expected) in pauses.iter().zip([500, 1_000, 2_000, 4_000, 8_000, 10_000]) {
        // A millisecond more: the clock is rounded up.
        let range = expected * 4 / 5..=expected * 6 / 5 + 1;
        assert!(range.contains(pause), "{pause} is not near {expected}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_loss_is_counted_from_its_beginning() {
    let mut subscription = Subscription::open(Script::new([Ok(vec![event(1)])]));
    let since = |update| match update {
        Update::Connection(Connection::Lost { since, next_try, .. }) => Some((since, next_try)),
        _ => None,
    };
    let first = until(&mut subscription, since).await;
    let second = until(&mut subscription, since).await;
    assert_eq!(first.0, second.0);
    assert!(first.0 < first.1 && first.1 < second.1);
}

#[tokio::test(start_paused = true)]
async fn forty_seconds_of_silence_are_a_loss() {
    let script = Script::new([Ok(vec![event(1), seconds(15), beat(1), Act::Hang])]);
    let started = script.started.unwrap();
    let mut subscription = Subscription::open(script);
    assert_eq!(until_lost(&mut subscription).await, Fault::Silent);
    assert_eq!(started.elapsed().as_secs(), 55);
}

#[tokio::test(start_paused = true)]
async fn comments_keep_a_stream_alive() {
    let mut acts = vec![event(1)];
    for _ in 0..10 {
        acts.extend([seconds(30), Act::Send(": keep-alive\n\n".into())]);
    }
    acts.extend([event(2), Act::Hang]);
    let script = Script::new([Ok(acts)]);
    let attempts = Arc::clone(&script.attempts);
    let mut subscription = Subscription::open(script);
    until_state(&mut subscription, 2).await;
    assert_eq!(attempts.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_heartbeat_with_an_unknown_position_reconnects_at_once_for_the_whole_state() {
    let script = Script::new([
        Ok(vec![event(1), seconds(15), beat(4), Act::Hang]),
        Ok(vec![event(4), beat(4), Act::Hang]),
    ]);
    let attempts = Arc::clone(&script.attempts);
    let mut subscription = Subscription::open(script);
    until_state(&mut subscription, 4).await;
    // Half a second of grace for a state that the heartbeat overtook.
    assert_eq!(*attempts.lock().unwrap(), [(0, None), (15_500, None)]);
}

#[tokio::test(start_paused = true)]
async fn a_state_that_follows_its_heartbeat_is_no_loss() {
    let acts = vec![event(1), beat(2), Act::Wait(Duration::from_millis(400)), event(2), Act::Hang];
    let script = Script::new([Ok(acts)]);
    let attempts = Arc::clone(&script.attempts);
    let mut subscription = Subscription::open(script);
    until_state(&mut subscription, 2).await;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(attempts.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_goodbye_is_told_and_its_time_kept() {
    let bye = named("bye", r#"{"reason":"shutdown","retryMs":1800}"#);
    let script = Script::new([Ok(vec![event(1), bye]), Ok(vec![event(1), Act::Hang])]);
    let attempts = Arc::clone(&script.attempts);
    let mut subscription = Subscription::open(script);
    let goodbye = |update| match update {
        Update::Bye(bye) => Some(bye.reason),
        _ => None,
    };
    assert_eq!(until(&mut subscription, goodbye).await, ByeReason::Shutdown);
    until_state(&mut subscription, 1).await;
    assert_eq!(attempts.lock().unwrap()[1].0, 1_800);
}

#[tokio::test(start_paused = true)]
async fn a_closed_session_ends_the_subscription() {
    let bye = named("bye", r#"{"reason":"closed","retryMs":1800}"#);
    let mut subscription = Subscription::open(Script::new([Ok(vec![event(1), bye])]));
    let ended = |update| match update {
        Update::Connection(Connection::Ended(reason)) => Some(reason),
        _ => None,
    };
    assert_eq!(until(&mut subscription, ended).await, ByeReason::Closed);
    while let Some(update) = subscription.next().await {
        assert!(matches!(update, Update::State(_) | Update::Bye(_)), "{update:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_server_is_polled() {
    let bye = named("bye", r#"{"reason":"overload","retryMs":1000}"#);
    let mut script = Script::new([Ok(vec![bye])]);
    script.polled = Some(state(9));
    let mut subscription = Subscription::open(script);
    let fault = until_lost(&mut subscription).await;
    assert!(matches!(fault, Fault::Bye { reason: ByeReason::Overload, .. }));
    until_state(&mut subscription, 9).await;
}

#[tokio::test(start_paused = true)]
async fn another_protocol_is_named() {
    let data = Act::Send("data: {\"protocol\":2,\"board\":[]}\n\n".into());
    let mut subscription = Subscription::open(Script::new([Ok(vec![data])]));
    assert_eq!(until_lost(&mut subscription).await, Fault::Protocol(2));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_of_the_protocol_is_a_fault_and_not_an_end() {
    for nonsense in ["data: nonsense\n\n".into(), "x".repeat(crate::sse::MOST_BYTES + 1)] {
        let script = Script::new([
            Ok(vec![event(1), Act::Send(nonsense), Act::Hang]),
            Ok(vec![event(2), Act::Hang]),
        ]);
        let attempts = Arc::clone(&script.attempts);
        let mut subscription = Subscription::open(script);
        assert!(matches!(until_lost(&mut subscription).await, Fault::Unreadable(_)));
        until_state(&mut subscription, 2).await;
        assert_eq!(attempts.lock().unwrap()[1].1, None, "the whole state is asked for");
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_need_not_wait_for_the_next_attempt() {
    let refusals = std::iter::repeat_n(Err(503), 6);
    let script = Script::new(refusals.chain([Ok(vec![event(1), Act::Hang])]));
    let attempts = Arc::clone(&script.attempts);
    let mut subscription = Subscription::open(script);
    for _ in 0..6 {
        until_lost(&mut subscription).await;
    }
    let before = attempts.lock().unwrap().last().unwrap().0;
    tokio::task::yield_now().await;
    subscription.try_now();
    until_state(&mut subscription, 1).await;
    assert_eq!(attempts.lock().unwrap().last().unwrap().0, before);
}

#[tokio::test(start_paused = true)]
async fn the_task_ends_with_the_subscription() {
    let script = Script::new([]);
    let attempts = Arc::clone(&script.attempts);
    drop(Subscription::open(script));
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert_eq!(Arc::strong_count(&attempts), 1);
}
