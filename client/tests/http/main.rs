//! Calls and streams over real sockets, against a server of a few lines.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use client::{
    Answer, CallError, Client, Command, Connection, Fault, Subscription, Update,
    seat::games::{GamesQuery, Show, Sort},
};
use protocol::{AgentStart, Hint, MoveRequest, NewGame, Seed, State};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

const STATE: &str = include_str!("../../../protocol/golden/state-after-a-move.json");
const MOVED: &str = include_str!("../../../protocol/golden/reply-move.json");
const STALE: &str = include_str!("../../../protocol/golden/error-stale.json");
const HINT: &str = include_str!("../../../protocol/golden/reply-hint.json");
const CREATED: &str = include_str!("../../../protocol/golden/reply-session-created.json");

/// A server that gives its answers in turn, one a connection, and tells what it was asked.
struct Server {
    address: String,
    asked: mpsc::UnboundedReceiver<String>,
}

impl Server {
    async fn answering(answers: &[String]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (tell, asked) = mpsc::unbounded_channel();
        let answers = answers.to_vec();
        tokio::spawn(async move {
            for answer in answers {
                let (mut socket, _) = listener.accept().await.unwrap();
                tell.send(read_request(&mut socket).await).unwrap();
                socket.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        Self { address, asked }
    }

    async fn asked(&mut self) -> String {
        self.asked.recv().await.unwrap()
    }

    fn client(&self, session: Option<&str>, token: Option<&str>) -> Client {
        Client::new(&self.address, session.map(Into::into), token.map(Into::into)).unwrap()
    }
}

/// The head and as much of the body as it announces.
async fn read_request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.split("content-length: ").nth(1);
            let length = length.map_or(0, |rest| rest.lines().next().unwrap().parse().unwrap());
            if body.len() >= length {
                return String::from_utf8(bytes).unwrap();
            }
        }
        assert_ne!(socket.read_buf(&mut bytes).await.unwrap(), 0, "cut off in {text:?}");
    }
}

fn answer(status: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

fn events(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n{body}"
    )
}

fn state() -> State {
    serde_json::from_str(STATE).unwrap()
}

#[tokio::test]
async fn calls_go_to_main_or_to_the_session() {
    let answers = [answer("200 OK", STATE), answer("200 OK", STATE)];
    let mut server = Server::answering(&answers).await;
    assert_eq!(server.client(None, None).state().await.unwrap(), state());
    assert!(server.asked().await.starts_with("GET /api/state HTTP/1.1\r\n"));
    server.client(Some("a b/.."), None).state().await.unwrap();
    assert!(server.asked().await.starts_with("GET /api/sessions/a%20b%2F../state HTTP/1.1\r\n"));
}

#[tokio::test]
async fn a_move_carries_the_token_and_its_conditions() {
    let mut server = Server::answering(&[answer("200 OK", MOVED)]).await;
    let client = server.client(Some("5b0c"), Some("s3cret"));
    let request = MoveRequest {
        direction: "LEFT".into(),
        if_moves: Some(213),
        takeover: Some(true),
        ..MoveRequest::default()
    };
    assert!(client.move_(&request).await.unwrap().moved);
    let asked = server.asked().await;
    assert!(asked.starts_with("POST /api/sessions/5b0c/move HTTP/1.1\r\n"));
    assert!(asked.to_lowercase().contains("\r\nauthorization: bearer s3cret\r\n"));
    assert!(asked.to_lowercase().contains("\r\ncontent-type: application/json\r\n"));
    assert!(asked.ends_with(r#"{"direction":"LEFT","ifMoves":213,"takeover":true}"#));
}

#[tokio::test]
async fn the_token_is_not_shown() {
    let client = Client::new("127.0.0.1:1", None, Some("s3cret".into())).unwrap();
    let shown = format!("{client:?}");
    assert!(!shown.contains("s3cret") && shown.contains("has_token: true"), "{shown}");
}

#[tokio::test]
async fn every_call_has_its_path() {
    let stopped = format!(r#"{{"stopped":true,"state":{STATE}}}"#);
    let started = format!(r#"{{"started":true,"state":{STATE}}}"#);
    let page = r#"{"items":[],"next":null}"#;
    let bodies = [STATE, &started, &stopped, MOVED, HINT, page, CREATED, ""];
    let answers = bodies.map(|body| answer("200 OK", body));
    let mut server = Server::answering(&answers).await;
    let client = server.client(None, None);

    client.new_game(&NewGame { seed: Some(Seed(7)), ..NewGame::default() }).await.unwrap();
    assert!(server.asked().await.ends_with(r#"{"seed":"7"}"#));
    let start = AgentStart { player: Some("rules".into()), ..AgentStart::default() };
    assert!(client.agent_start(&start).await.unwrap().started);
    assert!(server.asked().await.starts_with("POST /api/agent/start "));
    assert!(client.agent_stop().await.unwrap().stopped);
    assert!(server.asked().await.starts_with("POST /api/agent/stop "));
    client.agent_step(&protocol::AgentStep::default()).await.unwrap();
    assert!(server.asked().await.starts_with("POST /api/agent/step "));
    assert_eq!(client.hint(&Hint::default()).await.unwrap().moves.len(), 4);
    assert!(server.asked().await.starts_with("POST /api/hint "));
    client.sessions(Some("after this")).await.unwrap();
    assert!(server.asked().await.starts_with("GET /api/sessions?cursor=after+this "));
    let created = client.create_session(&protocol::CreateSession::default()).await.unwrap();
    assert!(server.asked().await.starts_with("POST /api/sessions "));
    let theirs = client.with_session(Some(created.id), Some(created.control));
    theirs.close_session().await.unwrap();
    let asked = server.asked().await;
    assert!(asked.starts_with("DELETE /api/sessions/5b0c7d1e9f2a4c6880b1d3e5f7a9c2b4 "), "{asked}");
}

#[tokio::test]
async fn a_refusal_has_the_servers_words_and_the_state() {
    let server = Server::answering(&[answer("409 Conflict", STALE)]).await;
    let error = server.client(None, None).move_(&MoveRequest::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "the game is at move 214, not 213");
    assert_eq!(error.status(), Some(409));
    assert_eq!(error.into_state().unwrap().seq, 215);
}

#[tokio::test]
async fn a_refusal_may_name_a_pause() {
    let refusal = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let server = Server::answering(&[refusal.into()]).await;
    let error = server.client(None, None).state().await.unwrap_err();
    let CallError::Refused { status, retry_after, detail, .. } = error else { panic!("{error}") };
    assert_eq!((status, retry_after.unwrap().as_secs()), (429, 3));
    assert_eq!(detail, "HTTP status 429 Too Many Requests");
}

#[tokio::test]
async fn what_is_not_of_the_protocol_is_unreadable() {
    for strange in [answer("200 OK", "<html>"), answer("200 OK", &"x".repeat(5 << 20))] {
        let server = Server::answering(&[strange]).await;
        let error = server.client(None, None).state().await.unwrap_err();
        assert!(matches!(error, CallError::Unreadable(_)), "{error:?}");
    }
    let redirect = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let server = Server::answering(&[redirect.into()]).await;
    let error = server.client(None, Some("s3cret")).state().await.unwrap_err();
    assert_eq!(error.status(), Some(302), "redirects are not followed");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let client = Client::new(&address, None, None).unwrap();
    assert!(matches!(client.state().await, Err(CallError::Unreachable(_))));
    let mut subscription = Subscription::open(client);
    assert_eq!(subscription.next().await, Some(Update::Connection(Connection::Connecting)));
    let lost = subscription.next().await;
    let Some(Update::Connection(Connection::Lost { fault, .. })) = lost else { panic!("{lost:?}") };
    assert_eq!(fault, Fault::Unreachable);
}

#[test]
fn addresses_are_checked() {
    for (given, shown) in [
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("http://[::1]:8000/?x=1#y", "http://[::1]:8000"),
        ("http://host/behind/a/proxy/", "http://host/behind/a/proxy"),
    ] {
        assert_eq!(Client::new(given, None, None).unwrap().address(), shown);
    }
    for (given, said) in [
        ("", "is not an address such as http://127.0.0.1:2048"),
        ("http://", "is not an address such as http://127.0.0.1:2048"),
        ("https://host", "is not plain http, the only scheme that this client speaks"),
        ("file:///etc/passwd", "is not plain http, the only scheme that this client speaks"),
    ] {
        let error = Client::new(given, None, None).unwrap_err().to_string();
        assert_eq!(error, format!("{given:?} {said}"));
    }
}

#[tokio::test]
async fn a_stream_is_resumed_over_http() {
    let data = STATE.lines().map(str::trim).collect::<String>();
    let answers = [
        events(&format!("retry: 0\n\nid: k3v9x2-215\ndata: {data}\n\n")),
        events("event: hb\ndata: {\"seq\":215}\n\n"),
    ];
    let mut server = Server::answering(&answers).await;
    let mut subscription = Subscription::open(server.client(None, None));
    loop {
        if let Some(Update::Heartbeat(seq)) = subscription.next().await {
            break assert_eq!(seq, 215);
        }
    }
    let first = server.asked().await.to_lowercase();
    assert!(first.starts_with("get /api/events http/1.1\r\n") && !first.contains("last-event-id"));
    let second = server.asked().await.to_lowercase();
    assert!(second.contains("\r\nlast-event-id: k3v9x2-215\r\n"), "{second}");
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_a_fault() {
    let server = Server::answering(&[answer("200 OK", "hello")]).await;
    let mut subscription = Subscription::open(server.client(None, None));
    loop {
        if let Some(Update::Connection(Connection::Lost { fault, .. })) = subscription.next().await
        {
            break assert_eq!(fault, Fault::Unreadable("nothing instead of events".into()));
        }
    }
}

/// A page of moves, the second of which merges two tiles of `value`.
fn moves(from: u32, to: u32, value: u32) -> String {
    let transition = state().transition.unwrap();
    let items = (from..=to).map(|n| {
        let mut transition = transition.clone();
        for slide in &mut transition.slides {
            slide.value = if n == from + 1 && slide.merges { value } else { 2 };
        }
        protocol::PastMove { n, transition, decision: None }
    });
    let page = protocol::MovesPage { game: "g".into(), from, to, items: items.collect() };
    serde_json::to_string(&page).unwrap()
}

#[tokio::test]
async fn the_next_big_merge_is_looked_for_page_by_page() {
    let small = answer("200 OK", &moves(3, 502, 128));
    let big = answer("200 OK", &moves(503, 600, 256));
    let mut server = Server::answering(&[small, big]).await;
    let search = Command::NextMerge { game: "g".into(), from: 3, to: 600 };
    let Answer::Merge(game, Ok(found)) = search.carry_out(server.client(None, None)).await else {
        panic!("no answer")
    };
    assert_eq!((game.as_str(), found), ("g", Some(504)));
    assert!(server.asked().await.starts_with("GET /api/games/g/moves?from=3&to=502 HTTP"));
    assert!(server.asked().await.starts_with("GET /api/games/g/moves?from=503&to=600 HTTP"));
}

#[tokio::test]
async fn a_game_goes_into_a_new_file_and_comes_out_of_one() {
    let folder = std::env::temp_dir().join(format!("client-{:x}", rand::random::<u64>()));
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("game.ndjson");
    let exported = answer("200 OK", "a game\n");
    let answers = [exported.clone(), exported, answer("200 OK", r#"{"game":"new"}"#)];
    let mut server = Server::answering(&answers).await;
    let client = server.client(None, None);
    let export = Command::Export { game: "g".into(), file: file.clone() };
    let Answer::Exported(written) = export.clone().carry_out(client.clone()).await else {
        panic!("no answer")
    };
    assert_eq!(written.unwrap(), file.display().to_string());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a game\n");
    let Answer::Exported(again) = export.carry_out(client.clone()).await else {
        panic!("no answer")
    };
    let refused = again.unwrap_err().to_string();
    assert!(refused.starts_with(&file.display().to_string()), "nothing is written over: {refused}");
    let import = Command::Import(file);
    let Answer::Imported(added) = import.carry_out(client.clone()).await else {
        panic!("no answer")
    };
    assert_eq!(added.unwrap().game, "new");
    assert!(server.asked().await.starts_with("GET /api/games/g/export HTTP"));
    server.asked().await;
    assert!(server.asked().await.ends_with("a game\n"));
    let missing = Command::Import(folder.join("none"));
    let Answer::Imported(Err(error)) = missing.carry_out(client).await else { panic!("no answer") };
    assert!(error.to_string().contains("none: "), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn lists_and_the_server_are_asked_for_as_the_protocol_says() {
    let page = answer("200 OK", r#"{"items":[],"next":null}"#);
    let not_ready = answer("503 Service Unavailable", r#"{"detail":"the server is stopping"}"#);
    let version = answer(
        "200 OK",
        r#"{"name":"serve2048","version":"0.1.0","protocol":1,"boot":"b","players":[],"keyConfigured":true,
        "networkBytes":null,"store":{"kind":"memory","durability":"none"},
        "limits":{"bodyBytes":1,"streams":2,"streamsPerAddress":null,"searches":3}}"#,
    );
    let mut server = Server::answering(&[page, version, not_ready]).await;
    let client = server.client(None, None);
    let query = GamesQuery {
        show: Show::Only(protocol::GameStatus::Over),
        sort: Sort::MaxTile,
        cursor: Some("c1".into()),
    };
    let Answer::Games(asked, Ok(_)) = Command::Games(query.clone()).carry_out(client.clone()).await
    else {
        panic!("no answer")
    };
    assert_eq!(asked, query);
    let list = "GET /api/sessions/main/games?sort=-maxTile&limit=15&status=over&cursor=c1 HTTP";
    let asked = server.asked().await;
    assert!(asked.starts_with(list), "{asked}");
    let Answer::Server(Ok(facts)) = Command::AskServer.carry_out(client).await else {
        panic!("no answer")
    };
    assert_eq!(facts.ready, Err("the server is stopping".into()));
    assert_eq!(facts.lines()[3], "A key for the hosted model is set.");
    server.asked().await;
    assert!(server.asked().await.starts_with("GET /readyz HTTP"));
}
