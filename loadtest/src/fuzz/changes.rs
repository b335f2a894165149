//! Valid requests, and what is changed in them.

use rand::{Rng, RngExt as _, seq::IndexedRandom as _};

/// What valid requests are made from.
#[derive(Debug)]
pub(super) struct Valid {
    pub(super) host: String,
    /// A session, and the right to play in it.
    pub(super) id: String,
    pub(super) token: String,
    /// A game that is over, and its text.
    pub(super) game: String,
    pub(super) export: String,
}

/// What stands in a request instead of something else, or between.
const PIECES: [&str; 40] = [
    "\r\n",
    "\r\n\r\n",
    "\n",
    "\0",
    " ",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "-1",
    "0",
    "1e308",
    "1e400",
    "18446744073709551616",
    "0.1",
    "NaN",
    "UP",
    "%00",
    "%2f",
    "..",
    "/",
    "?",
    "&",
    "=",
    "#",
    "é",
    "\u{202e}",
    "Content-Length: 3\r\n",
    "Transfer-Encoding: chunked\r\n",
    "chunked",
    "HTTP/1.1",
    "\u{10ffff}",
];

/// A request that is valid but for a few changes; one in sixteen is valid.
pub(super) fn change(valid: &Valid, random: &mut impl Rng) -> Vec<u8> {
    let (head, body) = request(valid, random);
    let mut body = body.into_bytes();
    let whole = random.random_range(0..4) > 0;
    if whole {
        // The body is changed and its length right, so that it is read as what it says it is.
        if random.random_range(0..4) > 0 {
            disturb(&mut body, random);
        }
        return [head.replace("LENGTH", &body.len().to_string()).as_bytes(), &body].concat();
    }
    let head = head.replace("LENGTH", &body.len().to_string());
    let mut all = [head.as_bytes(), &body].concat();
    disturb(&mut all, random);
    all
}

/// A valid request: its head, with `LENGTH` for the length of its body, and its body.
fn request(valid: &Valid, random: &mut impl Rng) -> (String, String) {
    let Valid { host, id, token, game, export } = valid;
    let number = random.random_range(0..100_000_u32);
    let gets = [
        "state".to_owned(),
        "events?fps=5".to_owned(),
        "transcript".to_owned(),
        "games?limit=3&sort=-score".to_owned(),
    ];
    let looks = [
        format!("games/{game}"),
        format!("games/{game}/at/{}", number % 50),
        format!("games/{game}/moves?from=1&to=40"),
        format!("games/{game}/export"),
        "games?limit=5&status=over".to_owned(),
        "sessions?limit=5".to_owned(),
        "version".to_owned(),
        "watch/abc/state".to_owned(),
    ];
    let bodies = [
        ("move", format!("{{\"direction\":\"LEFT\",\"ifMoves\":{number},\"commandId\":\"c{number}\"}}")),
        ("move", format!("{{\"direction\":\"up\",\"game\":\"{game}\",\"takeover\":true}}")),
        ("new", format!("{{\"seed\":\"{number}\",\"commandId\":\"n{number}\"}}")),
        ("new", "{\"grid\":[[2,4,null,null],[null,null,null,null],[null,8,null,null],[16,null,null,2]]}".to_owned()),
        ("agent/start", "{\"player\":\"rules\",\"intervalSeconds\":5,\"series\":{\"games\":2,\"untilTile\":2048}}".to_owned()),
        ("agent/start", "{\"player\":\"mcts\",\"pace\":\"normal\",\"budgetMs\":5}".to_owned()),
        ("agent/stop", "{}".to_owned()),
        ("agent/step", "{\"player\":\"rules\"}".to_owned()),
        ("hint", "{\"player\":\"expectimax\",\"budgetMs\":2}".to_owned()),
        ("links", "{}".to_owned()),
    ];
    let head = |line: &str, more: &str| {
        format!("{line} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{more}\r\n")
    };
    let json = "Content-Type: application/json\r\nContent-Length: LENGTH\r\n";
    match random.random_range(0..10) {
        0 => {
            let call = gets.choose(random).map_or("state", String::as_str);
            let more = format!("Last-Event-ID: {id}-{number}\r\nOrigin: http://{host}\r\n");
            (head(&format!("GET /api/sessions/{id}/{call}"), &more), String::new())
        }
        1 | 2 => {
            let call = looks.choose(random).map_or("version", String::as_str);
            (head(&format!("GET /api/{call}"), "Accept: */*\r\n"), String::new())
        }
        3 => {
            let body = format!("{{\"seed\":\"{number}\",\"name\":\"game {number}\"}}");
            (head("POST /api/sessions", json), body)
        }
        4 | 5 => {
            let lines = "Content-Type: application/x-ndjson\r\nContent-Length: LENGTH\r\n";
            (head(&format!("POST /api/sessions/{id}/games/import"), lines), export.clone())
        }
        6 => {
            let body = "{\"direction\":\"DOWN\"}";
            let chunks = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
            let more = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
            (head(&format!("POST /api/sessions/{id}/move"), more), chunks)
        }
        _ => {
            let (call, body) = &bodies[random.random_range(0..bodies.len())];
            (head(&format!("POST /api/sessions/{id}/{call}"), json), body.clone())
        }
    }
}

/// Changes a few things.
fn disturb(bytes: &mut Vec<u8>, random: &mut impl Rng) {
    for _ in 0..random.random_range(1..=4) {
        let place = random.random_range(0..=bytes.len());
        let end = random.random_range(place..=bytes.len().min(place + 40));
        match random.random_range(0..8) {
            0 if place < bytes.len() => bytes[place] ^= 1 << random.random_range(0..8),
            1 if place < bytes.len() => bytes[place] = random.random(),
            2 => drop(bytes.drain(place..end)),
            3 => {
                let copy = bytes[place..end].to_vec();
                let times = random.random_range(1..=8);
                bytes.splice(place..place, copy.repeat(times));
            }
            4 if random.random_range(0..8) == 0 => bytes.truncate(place),
            5 => {
                let length = random.random_range(1..=3000);
                let filler = *b"[{\"9 x".choose(random).unwrap_or(&b'x');
                bytes.splice(place..place, std::iter::repeat_n(filler, length));
            }
            6 => {
                // Another number, where there is one.
                if let Some(digit) = bytes[place..].iter().position(u8::is_ascii_digit) {
                    bytes[place + digit] = random.random_range(b'0'..=b'9');
                }
            }
            _ => {
                let piece = PIECES.choose(random).copied().unwrap_or_default();
                bytes.splice(place..end, piece.bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng as _, rngs::SmallRng};

    use super::*;

    fn valid() -> Valid {
        let [host, id, token, game] = ["h", "i", "t", "g"].map(str::to_owned);
        Valid { host, id, token, game, export: "{}\n{}\n".to_owned() }
    }

    #[test]
    fn the_same_seed_gives_the_same_request_and_others_differ() {
        let of = |seed| change(&valid(), &mut SmallRng::seed_from_u64(seed));
        assert_eq!(of(1), of(1));
        let all: std::collections::BTreeSet<_> = (0..200).map(of).collect();
        assert!(all.len() > 150, "{}", all.len());
    }
}
