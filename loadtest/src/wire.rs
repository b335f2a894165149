//! One keep-alive connection, with as little between the load and the socket as can be.
//!
//! The calls that are measured go through it and not through the `client` crate, whose connection pool would take
//! more of the processors than the server does. It asks one thing at a time and reads the whole answer.

use std::{fmt, io};

use anyhow::Context as _;
use bytes::{Buf as _, BytesMut};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::place::Place;

/// More headers than the server sends.
const HEADERS: usize = 32;

/// A connection.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: TcpStream,
    place: Place,
    request: Vec<u8>,
    read: BytesMut,
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: BytesMut,
}

impl Wire {
    /// Connects.
    ///
    /// # Errors
    /// - When nobody listens there.
    pub(crate) async fn open(place: impl Into<Place>) -> anyhow::Result<Self> {
        let place = place.into();
        let stream = place.connect().await.context("no connection")?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, place, request: Vec::new(), read: BytesMut::with_capacity(8 << 10) })
    }

    /// Posts JSON.
    ///
    /// # Errors
    /// - When the connection breaks: whether the call was carried out is not known then.
    pub(crate) async fn post(
        &mut self,
        path: &str,
        token: Option<&str>,
        body: &[u8],
    ) -> anyhow::Result<Answer> {
        self.head("POST", path, token);
        let length =
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
        self.request.extend_from_slice(length.as_bytes());
        self.request.extend_from_slice(body);
        self.answer().await
    }

    /// Gets.
    ///
    /// # Errors
    /// - When the connection breaks.
    pub(crate) async fn get(&mut self, path: &str) -> anyhow::Result<Answer> {
        self.head("GET", path, None);
        self.request.extend_from_slice(b"\r\n");
        self.answer().await
    }

    /// What the server counts of itself, where it tells.
    ///
    /// # Errors
    /// - When it does not.
    pub(crate) async fn figures(&mut self) -> anyhow::Result<Figures> {
        let body = self.get("/metrics").await?.ok()?;
        let lines = std::str::from_utf8(&body)?.lines().filter(|line| !line.starts_with('#'));
        let figure = |line: &str| {
            let (name, value) = line.rsplit_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        Ok(lines.filter_map(figure).collect())
    }

    fn head(&mut self, method: &str, path: &str, token: Option<&str>) {
        self.request.clear();
        let line = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.place.host());
        self.request.extend_from_slice(line.as_bytes());
        if let Some(token) = token {
            self.request.extend_from_slice(format!("Authorization: Bearer {token}\r\n").as_bytes());
        }
    }

    async fn answer(&mut self) -> anyhow::Result<Answer> {
        self.stream.write_all(&self.request).await.context("send")?;
        let (status, length) = loop {
            if let Some((status, head, length)) = parse(&self.read)? {
                self.read.advance(head);
                break (status, length);
            }
            self.more().await?;
        };
        while self.read.len() < length {
            self.more().await?;
        }
        Ok(Answer { status, body: self.read.split_to(length) })
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.read).await.context("receive")? == 0 {
            let closed = io::Error::new(io::ErrorKind::UnexpectedEof, "the connection was closed");
            return Err(closed.into());
        }
        Ok(())
    }
}

impl Answer {
    /// The body of an answer with status 200.
    ///
    /// # Errors
    /// - Any other status, with what was said.
    pub(crate) fn ok(self) -> anyhow::Result<BytesMut> {
        if self.status == 200 {
            return Ok(self.body);
        }
        let said = String::from_utf8_lossy(&self.body).into_owned();
        Err(Refused { status: self.status, said }.into())
    }
}

/// An answer with another status than 200.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) status: u16,
    said: String,
}

impl Refused {
    /// Whether the same may be asked again later: the server is stopping, or has too much to do. It says so in words.
    pub(crate) fn is_for_now(&self) -> bool {
        matches!(self.status, 429 | 503)
            && serde_json::from_str::<protocol::ErrorBody>(&self.said)
                .is_ok_and(|body| !body.detail.is_empty())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}: {}", self.status, self.said)
    }
}

impl std::error::Error for Refused {}

/// Whether the connection broke, so that it is not known whether the call was carried out.
pub(crate) fn is_broken(error: &anyhow::Error) -> bool {
    error.chain().any(<dyn std::error::Error + 'static>::is::<io::Error>)
}

/// The server's figures, by name and labels as they are written.
pub(crate) type Figures = std::collections::BTreeMap<String, f64>;

/// Status, length of the head and length of the body, once the head is there.
pub(crate) fn parse(read: &[u8]) -> anyhow::Result<Option<(u16, usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head_length) = head.parse(read).context("not HTTP")? else {
        return Ok(None);
    };
    let length =
        head.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = length.context("an answer without its length")?;
    let length = std::str::from_utf8(length.value)?.trim().parse()?;
    Ok(Some((head.code.context("an answer without a status")?, head_length, length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_for_now_is_one_in_words() {
        let is_for_now =
            |status, said: &str| Refused { status, said: said.to_owned() }.is_for_now();
        assert!(is_for_now(503, "{\"detail\":\"stopping\"}"));
        assert!(!is_for_now(503, ""));
        assert!(!is_for_now(404, "{\"detail\":\"there is no session\"}"));
    }

    #[test]
    fn an_answer_is_read_when_its_head_is_whole() {
        let text = b"HTTP/1.1 409 Conflict\r\nContent-Type: a\r\ncontent-length: 12\r\n\r\n{";
        assert_eq!(parse(&text[..40]).unwrap(), None);
        assert_eq!(parse(text).unwrap(), Some((409, text.len() - 1, 12)));
        assert!(parse(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
        assert!(parse(b"nonsense").is_err());
    }
}
