//! What the attackers send. All of it must be refused.

use rand::{RngExt as _, SeedableRng as _, rngs::SmallRng};

use super::{Kind, Options};

/// Bytes that are sent at once of what has no end.
const PIECE: usize = 64 << 10;

/// Characters of a token that is guessed.
const TOKEN: usize = 43;

/// The request of an attacker's turn.
pub(super) fn sample(kind: Kind, options: &Options, turn: u64) -> Vec<u8> {
    let all: Vec<Vec<u8>> = match kind {
        Kind::Methods => lines(&options.host),
        Kind::Headers => headers(&options.host),
        Kind::Hosts => hosts(options),
        Kind::Origins => origins(&options.host),
        Kind::Tokens => return guess(options, turn),
        Kind::Json => json(&options.host),
        Kind::Imports => imports(&options.host),
        Kind::Huge | Kind::SlowHeads | Kind::SlowBodies | Kind::Connections => Vec::new(),
    };
    let place = usize::try_from(turn % all.len() as u64).unwrap_or_default();
    all.into_iter().nth(place).unwrap_or_default()
}

fn lines(host: &str) -> Vec<Vec<u8>> {
    let with_host = |line: &str| format!("{line}\r\nHost: {host}\r\n\r\n").into_bytes();
    let mut all: Vec<_> = [
        "FOO /api/state HTTP/1.1",
        "BREW /api/move HTTP/1.1",
        "TRACE /api/state HTTP/1.1",
        "PATCH /api/sessions HTTP/1.1",
        "CONNECT example.org:443 HTTP/1.1",
        "GET /../../etc/passwd HTTP/1.1",
        "GET /%00 HTTP/1.1",
        "GET /api/sessions/%2e%2e/state HTTP/1.1",
        "GET /api/state HTTP/9.9",
        "GET\t/api/state HTTP/1.1",
        "GET /api/state",
        "get me the state please",
        "POST /api/move HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6",
        "POST /api/move HTTP/1.1\r\nContent-Length: -1",
        "POST /api/move HTTP/1.1\r\nTransfer-Encoding: gzip",
        "PRI * HTTP/2.0",
    ]
    .map(with_host)
    .into();
    all.push(b"GET\0/\0HTTP/1.1\r\n\r\n".to_vec());
    // The beginning of a TLS handshake.
    all.push([&[0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3][..], &[0xaa; 64], b"\r\n\r\n"].concat());
    all.push((0..=255).chain(*b"\r\n\r\n").collect());
    all.push([&[b'A'; 9000][..], b"\r\n\r\n"].concat());
    all
}

fn headers(host: &str) -> Vec<Vec<u8>> {
    let request = |headers: String| {
        format!("GET /api/state HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").into_bytes()
    };
    let many = |count: u32, length: usize| -> String {
        let value = "v".repeat(length);
        (0..count).flat_map(|n| [format!("X-{n}: "), value.clone(), "\r\n".to_owned()]).collect()
    };
    vec![
        request(many(90, 100)),
        request(many(500, 10)),
        request(many(1, 20_000)),
        request(format!("Cookie: {}\r\n", "a=b; ".repeat(3000))),
        request(format!("Authorization: Bearer {}\r\n", "x".repeat(10_000))),
    ]
}

fn hosts(options: &Options) -> Vec<Vec<u8>> {
    let host = &options.host;
    let name = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
    ["evil.example", "127.0.0.1.evil.example", "evil.example:2048", "user@localhost", "a b", ""]
        .iter()
        .map(|host| format!("Host: {host}\r\n"))
        .chain([String::new(), format!("Host: {name}:1\r\n")])
        .map(|header| format!("GET /api/state HTTP/1.1\r\n{header}\r\n").into_bytes())
        .collect()
}

fn origins(host: &str) -> Vec<Vec<u8>> {
    const BODY: &str = r#"{"direction":"UP"}"#;
    let post = |headers: &str| {
        let length = BODY.len();
        format!("POST /api/move HTTP/1.1\r\nHost: {host}\r\n{headers}\r\nContent-Length: {length}\r\n\r\n{BODY}")
            .into_bytes()
    };
    vec![
        post("Content-Type: application/json\r\nOrigin: https://evil.example"),
        post("Content-Type: application/json\r\nOrigin: null"),
        post("Content-Type: application/json\r\nSec-Fetch-Site: cross-site"),
        post("Content-Type: application/json\r\nSec-Fetch-Site: same-site"),
        post("Content-Type: text/plain"),
        post("Content-Type: multipart/form-data; boundary=x"),
        post("Content-Type: application/x-www-form-urlencoded\r\nOrigin: https://evil.example"),
        post("X-None: none"),
    ]
}

fn guess(options: &Options, turn: u64) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut random = SmallRng::seed_from_u64(turn);
    let token: String =
        (0..TOKEN).map(|_| char::from(LETTERS[random.random_range(0..LETTERS.len())])).collect();
    let (host, session) = (&options.host, &options.session);
    let token = match turn % 8 {
        0 => String::new(),
        1 => "Authorization: Basic YTpi\r\n".to_owned(),
        _ => format!("Authorization: Bearer {token}\r\n"),
    };
    let call = ["move", "new", "agent/start", "agent/stop", "links"][turn as usize % 5];
    let body = r#"{"direction":"UP"}"#;
    let length = body.len();
    format!(
        "POST /api/sessions/{session}/{call} HTTP/1.1\r\nHost: {host}\r\n{token}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn json(host: &str) -> Vec<Vec<u8>> {
    let post = |body: &[u8]| {
        let length = body.len();
        let head = format!(
            "POST /api/move HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        [head.as_bytes(), body].concat()
    };
    [
        b"{".to_vec(),
        b"nope".to_vec(),
        b"[]".to_vec(),
        b"{\"direction\":5}".to_vec(),
        b"{\"direction\":\"SIDEWAYS\"}".to_vec(),
        b"{\"direction\":\"UP\",\"ifMoves\":1e400}".to_vec(),
        b"{\"direction\":\"UP\",\"ifMoves\":-1}".to_vec(),
        b"{\"direction\":\"UP\",\"commandId\":\"\"}".to_vec(),
        b"\xff\xfe{\"direction\":\"UP\"}".to_vec(),
        b"{\"direction\":\"\xff\"}".to_vec(),
        b"{\"direction\":\"UP\"} {\"direction\":\"UP\"}".to_vec(),
        vec![b'['; 16_000],
        b"{\"a\":".repeat(3000),
        format!("{{\"direction\":{}}}", "9".repeat(15_000)).into_bytes(),
        format!("{{\"direction\":\"{}\"}}", "\\u0000".repeat(2500)).into_bytes(),
    ]
    .iter()
    .map(|body| post(body))
    .collect()
}

fn imports(host: &str) -> Vec<Vec<u8>> {
    const HEADER: &str =
        r#"{"format":"serve2048-game","version":1,"rules":1,"seed":"1","moves":1,"score":0}"#;
    [
        String::new(),
        "\n".repeat(100_000),
        HEADER.to_owned(),
        format!("{HEADER}\n{{\"directions\":\"{}\"}}\n", "UDLR".repeat(50_000)),
        format!("{HEADER}\n{{\"directions\":\"{}\"}}\n", "X".repeat(200_000)),
        format!("{}\n{}\n", "[".repeat(100_000), "]".repeat(100_000)),
        "{\"a\":1}\n".repeat(20_000),
        "x".repeat(500_000),
    ]
    .iter()
    .map(|body| {
        format!(
            "POST /api/games/import HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    })
    .collect()
}

/// How a slow request begins, and what comes then, again and again.
pub(super) fn slow(head: bool, options: &Options) -> (String, &'static str) {
    let host = &options.host;
    if head {
        (format!("GET /api/state HTTP/1.1\r\nHost: {host}\r\n"), "X")
    } else {
        let start = format!(
            "POST /api/move HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
        );
        (start, " ")
    }
}

/// How a request without an end begins, and what comes then, again and again.
pub(super) fn huge(options: &Options, turn: u64) -> (String, String) {
    let host = &options.host;
    let post = |path: &str, kind: &str, length: &str| {
        format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\n{length}\r\n\r\n")
    };
    let (endless, chunked) = ("Content-Length: 10000000000", "Transfer-Encoding: chunked");
    let chunk = format!("{PIECE:x}\r\n{}\r\n", " ".repeat(PIECE));
    match turn % 5 {
        0 => (post("/api/move", "application/json", endless), " ".repeat(PIECE)),
        1 => (post("/api/new", "application/json", chunked), chunk),
        2 => (post("/api/games/import", "application/x-ndjson", chunked), chunk),
        3 => ("GET /".to_owned(), "x".repeat(PIECE)),
        _ => (format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: "), "x".repeat(PIECE)),
    }
}
