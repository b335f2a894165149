use tokio::{io::AsyncReadExt as _, net::TcpListener, task::LocalSet};

use super::*;
use crate::show::tests::state;

const SOON: Duration = Duration::from_secs(30);

/// A server that answers each connection in turn with the next of `answers`: whole events, after which the stream
/// stays open.
async fn serve(answers: Vec<Vec<String>>) -> Place {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = Place::from(listener.local_addr().unwrap());
    tokio::task::spawn_local(async move {
        let mut open = Vec::new();
        for events in answers {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let length = socket.read(&mut request).await.unwrap();
            assert!(request[..length].starts_with(b"GET /api/sessions/s/events HTTP/1.1\r\n"));
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
            socket.write_all(head.as_bytes()).await.unwrap();
            socket.write_all(events.concat().as_bytes()).await.unwrap();
            if !events.last().is_some_and(|event| event.starts_with("event: bye")) {
                open.push(socket);
            }
        }
        std::future::pending::<()>().await;
    });
    place
}

fn shown(seq: u64, moves: u32) -> String {
    let json = serde_json::to_string(&state(seq, moves)).unwrap();
    format!("id: e-{seq}\ndata: {json}\n\n")
}

fn named(name: &str, json: &str) -> String {
    format!("event: {name}\ndata: {json}\n\n")
}

/// Lets one subscriber see `answers`, until `enough`; gives the faults, and what was counted.
async fn watch(
    answers: Vec<Vec<String>>,
    temper: Temper,
    enough: impl Fn(&Audience) -> bool,
) -> (Vec<String>, Rc<Tally>) {
    let place = serve(answers).await;
    let tally = Tally::new();
    let mut audience = Audience::new(place, temper, &tally);
    let show = Rc::new(Show::new("s", "e", 4));
    audience.fill(&[show], 1, Duration::ZERO).await;
    assert!(holds_within(SOON, || enough(&audience)).await);
    audience.leave().await;
    let told = tally.faults.take();
    (told, tally)
}

fn local(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    LocalSet::new().block_on(&runtime, test);
}

fn is_wrong(audience: &Audience) -> bool {
    audience.tally.fault_count.get() > 0
}

#[test]
fn a_subscriber_that_is_shown_a_move_back_is_reported() {
    local(async {
        let events = vec![shown(4, 0), shown(5, 1), shown(4, 0)];
        let (told, tally) = watch(vec![events], Temper::Patient, is_wrong).await;
        assert_eq!(told, ["session s: a subscriber at 5 was shown 4"]);
        assert_eq!(tally.states.get(), 2);
    });
}

#[test]
fn a_heartbeat_that_names_a_state_that_was_not_shown_is_reported() {
    local(async {
        let events = vec![shown(4, 0), named("hb", "{\"seq\":5}")];
        let (told, _) = watch(vec![events], Temper::Strict, is_wrong).await;
        assert!(told[0].contains("was told that the session is at 5"), "{told:?}");
    });
}

#[test]
fn a_stream_that_ends_is_a_fault_or_is_opened_again() {
    let answers = || {
        let bye = named("bye", "{\"reason\":\"shutdown\",\"retryMs\":1}");
        vec![vec![shown(4, 0), bye], vec![named("hb", "{\"seq\":4}"), shown(6, 2)]]
    };
    local(async {
        let (told, _) = watch(answers(), Temper::Strict, is_wrong).await;
        assert!(told[0].ends_with("ended by itself"), "{told:?}");
        let (told, tally) = watch(answers(), Temper::Patient, |all| all.at(6) == 1).await;
        assert_eq!(told, Vec::<String>::new());
        let counts = [&tally.states, &tally.byes, &tally.lost, &tally.heartbeats, &tally.skipped];
        assert_eq!(counts.map(Cell::get), [2, 1, 1, 1, 1]);
        assert_eq!(tally.arrival.borrow().count(), 2);
    });
}

#[test]
fn who_was_not_shown_the_last_position_is_behind() {
    local(async {
        let place = serve(vec![vec![shown(4, 0)], vec![shown(5, 1)]]).await;
        let mut audience = Audience::new(place, Temper::Strict, &Tally::new());
        let show = Rc::new(Show::new("s", "e", 4));
        audience.fill(&[Rc::clone(&show), show], 2, Duration::ZERO).await;
        assert!(holds_within(SOON, || audience.here() == 2).await);
        assert_eq!((audience.behind(|_| 5), audience.at(4), audience.at(5)), (1, 2, 1));
        audience.send_away();
        assert!(holds_within(SOON, || audience.here() == 0).await);
        assert_eq!(audience.tally.watching.get(), 0);
        audience.leave().await;
        assert_eq!(audience.len(), 0);
    });
}

#[test]
fn others_may_come_when_everybody_has_left() {
    local(async {
        let place = serve(vec![vec![shown(4, 0)], vec![shown(5, 1)]]).await;
        let mut audience = Audience::new(place, Temper::Strict, &Tally::new());
        let show = [Rc::new(Show::new("s", "e", 4))];
        for seq in [4, 5] {
            audience.fill(&show, 1, Duration::ZERO).await;
            assert!(holds_within(SOON, || audience.at(seq) == 1).await);
            audience.leave().await;
        }
    });
}
