//! A stand-in for the hosted model: a server on this machine that answers as it is told.
//!
//! It speaks HTTP by hand, since most of what it has to do no decent server does: say nothing, stop in the middle.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_mins(1);

/// What it answers to one request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// A status, headers (each with its line end), and a body.
    Whole(u16, String, String),
    /// A good answer: the option at this place of the legal ones (counted from the last), and how sure it is.
    Legal(usize, f64),
    /// The head and half of the body, then nothing more.
    Half(String),
    /// Nothing at all.
    Silence,
    /// Another one after some time.
    After(Duration, Box<Self>),
    /// Another one when it is let go.
    Held(Box<Self>),
}

impl Reply {
    /// A good status with this body.
    pub(crate) fn good(body: &Value) -> Self {
        Self::error(200, body)
    }

    /// Any status with this body.
    pub(crate) fn error(status: u16, body: &Value) -> Self {
        Self::Whole(status, String::new(), body.to_string())
    }
}

/// A request that came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Its first line and its headers.
    pub(crate) head: String,
    pub(crate) body: String,
    /// When all of it was there.
    pub(crate) at: Instant,
}

impl Request {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("what is asked is JSON")
    }

    /// The options it offers, in its order.
    pub(crate) fn options(&self) -> Vec<String> {
        let body = self.json();
        let legal = body["state"]["available_moves"].as_object().expect("there are moves");
        legal.keys().cloned().collect()
    }
}

/// The stand-in. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Model {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    /// The replies to come; the last one is given again and again.
    script: Mutex<VecDeque<Reply>>,
    requests: Mutex<Vec<Request>>,
    /// How many requests came, and how many askers hung up before they had an answer.
    came: watch::Sender<usize>,
    hung_up: watch::Sender<usize>,
    /// Whether held replies are let go.
    let_go: watch::Sender<bool>,
}

impl Model {
    /// Starts one that answers so, and the last of it again and again.
    pub(crate) async fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it has an address");
        let shared = Arc::<Shared>::default();
        let accepting = Arc::clone(&shared);
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&accepting)));
            }
        });
        let model = Self { address, shared, listening };
        model.answer(script);
        model
    }

    /// From now on it answers so.
    pub(crate) fn answer(&self, script: impl IntoIterator<Item = Reply>) {
        *self.shared.script.lock().expect("no panic with it") = script.into_iter().collect();
    }

    /// Its base address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().expect("no panic with it").clone()
    }

    /// Waits until so many requests have come.
    pub(crate) async fn asked(&self, count: usize) {
        reach(&self.shared.came, count, "requests").await;
    }

    /// Waits until so many askers have hung up without an answer.
    pub(crate) async fn hung_up(&self, count: usize) {
        reach(&self.shared.hung_up, count, "hung up").await;
    }

    /// Lets all held replies go, and holds none any more.
    pub(crate) fn let_go(&self) {
        self.shared.let_go.send_replace(true);
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn reach(counter: &watch::Sender<usize>, count: usize, what: &str) {
    let mut counter = counter.subscribe();
    let reached = timeout(PATIENCE, counter.wait_for(|now| *now >= count)).await;
    reached.unwrap_or_else(|_| panic!("not {count} {what}")).expect("the stand-in runs");
}

async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    while let Some(request) = read(&mut stream).await {
        let reply = {
            let mut script = shared.script.lock().expect("no panic with it");
            if script.len() > 1 { script.pop_front() } else { script.front().cloned() }
        };
        shared.requests.lock().expect("no panic with it").push(request.clone());
        shared.came.send_modify(|count| *count += 1);
        let (mut reading, mut writing) = stream.split();
        let mut byte = [0];
        // Whoever asks sends nothing more before the answer: the end of what it sends is that it hung up.
        tokio::select! {
            read = reading.read(&mut byte) => {
                assert!(!matches!(read, Ok(1)), "more than one request at once");
                shared.hung_up.send_modify(|count| *count += 1);
                return;
            }
            () = write(&mut writing, reply.unwrap_or(Reply::Silence), &request, &shared) => {}
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let mut whole = None;
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                whole = Some(Request {
                    head: head.to_owned(),
                    body: body.to_owned(),
                    at: Instant::now(),
                });
            }
        }
        if whole.is_some() {
            return whole;
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

async fn write(
    stream: &mut tokio::net::tcp::WriteHalf<'_>,
    reply: Reply,
    request: &Request,
    shared: &Shared,
) {
    let mut reply = reply;
    loop {
        reply = match reply {
            Reply::After(wait, next) => {
                sleep(wait).await;
                *next
            }
            Reply::Held(next) => {
                let mut let_go = shared.let_go.subscribe();
                let_go.wait_for(|go| *go).await.expect("the stand-in runs");
                *next
            }
            other => {
                reply = other;
                break;
            }
        };
    }
    let (head, body) = match reply {
        Reply::Whole(status, headers, body) => (head(status, &headers, body.len()), body),
        Reply::Legal(place, confidence) => {
            let body = legal(request, place, confidence).to_string();
            (head(200, "x-typesafe-request-id: req_stub\r\n", body.len()), body)
        }
        Reply::Half(body) => (head(200, "", body.len()), body[..body.len() / 2].to_owned()),
        _ => (String::new(), String::new()),
    };
    let half = head.contains(" 200 ") && !head.contains(&format!("length: {}\r\n", body.len()));
    let sent = stream.write_all(format!("{head}{body}").as_bytes()).await;
    if sent.is_ok() && (half || head.is_empty()) {
        std::future::pending::<()>().await;
    }
}

fn head(status: u16, headers: &str, length: usize) -> String {
    let kind = "content-type: application/json\r\n";
    format!("HTTP/1.1 {status} Whatever\r\n{kind}{headers}content-length: {length}\r\n\r\n")
}

/// A good answer: one of the options of the request, and even shares for the others.
fn legal(request: &Request, place: usize, confidence: f64) -> Value {
    let options = request.options();
    let chosen = &options[options.len() - 1 - place % options.len()];
    let shares: serde_json::Map<_, _> = options
        .iter()
        .map(|option| {
            let others = 0.4 / (options.len() - 1) as f64;
            (option.clone(), json!(if option == chosen { 0.6 } else { others }))
        })
        .collect();
    json!({
        "model": "jev-1.13.0",
        "answers": {
            "move": {
                "type": "choice",
                "choice": chosen,
                "probabilities": shares,
                "confidence": confidence,
            },
            "risk": {
                "type": "score",
                "score": 0.9,
                "legend": { "0": "room", "1": "crowded", "2": "full" },
                "probabilities": { "0": 0.3, "1": 0.5, "2": 0.2 },
                "confidence": 0.5,
            },
        },
        "usage": { "input_tokens": 1500, "output_tokens": 34 },
    })
}
