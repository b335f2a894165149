//! Reads an event stream, with as little work for each event as can be.
//!
//! Thousands of subscribers beside the server would otherwise take more of the processors than it does: bytes are read
//! into one buffer that all share, and an event is looked at where it lies. It reads what this server sends, one line of
//! data to an event, chunked; the `client` crate reads everything that the standard allows.

use anyhow::{Context as _, bail, ensure};
use memchr::{memchr, memmem};

/// More headers than the server sends.
const HEADERS: usize = 32;

/// The most bytes that may wait for the rest of an event.
const MOST_BYTES: usize = 1 << 20;

/// One event, where it lies.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event<'a> {
    /// Empty for a state.
    pub(crate) name: &'a [u8],
    pub(crate) id: &'a [u8],
    pub(crate) data: &'a [u8],
}

/// What comes next on the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Head,
    ChunkSize,
    Chunk {
        left: usize,
    },
    ChunkEnd,
    /// Everything up to the end of the connection is the body: a proxy may do that.
    Plain,
    Over,
}

/// One connection's bytes, however they are cut.
#[derive(Debug)]
pub(crate) struct Decoder {
    part: Part,
    /// What came and could not be used yet.
    raw: Vec<u8>,
    /// The body, from the first event that is not whole yet.
    body: Vec<u8>,
}

impl Decoder {
    pub(crate) fn new() -> Self {
        Self { part: Part::Head, raw: Vec::new(), body: Vec::new() }
    }

    /// Whether the server has ended the stream in order.
    pub(crate) fn is_over(&self) -> bool {
        self.part == Part::Over
    }

    /// Takes bytes, and gives every event that they complete to `each`.
    ///
    /// # Errors
    /// - When it is no event stream, with what was said instead.
    /// - The first error of `each`.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        mut each: impl FnMut(Event<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.raw.extend_from_slice(bytes);
        let mut used = 0;
        while let Some(taken) = self.step(used)? {
            used += taken;
        }
        self.raw.drain(..used);
        let mut begin = 0;
        while let Some(length) = memmem::find(&self.body[begin..], b"\n\n") {
            if let Some(event) = event(&self.body[begin..begin + length])? {
                each(event)?;
            }
            begin += length + 2;
        }
        self.body.drain(..begin);
        ensure!(self.body.len() + self.raw.len() <= MOST_BYTES, "an event without an end");
        Ok(())
    }

    /// Uses some of what is there from `at`; `None` when more must come first.
    fn step(&mut self, at: usize) -> anyhow::Result<Option<usize>> {
        let raw = &self.raw[at..];
        let (taken, next) = match self.part {
            Part::Head => match head(raw)? {
                Some(found) => found,
                None => return Ok(None),
            },
            Part::ChunkSize => {
                let size = httparse::parse_chunk_size(raw);
                let Ok(size) = size else { bail!("a chunk without a size") };
                let httparse::Status::Complete((taken, size)) = size else { return Ok(None) };
                let left = usize::try_from(size)?;
                (taken, if left == 0 { Part::Over } else { Part::Chunk { left } })
            }
            Part::Chunk { left } => {
                let taken = left.min(raw.len());
                if taken == 0 {
                    return Ok(None);
                }
                self.body.extend_from_slice(&raw[..taken]);
                let left = left - taken;
                (taken, if left == 0 { Part::ChunkEnd } else { Part::Chunk { left } })
            }
            Part::ChunkEnd if raw.len() < 2 => return Ok(None),
            Part::ChunkEnd => (2, Part::ChunkSize),
            Part::Plain if raw.is_empty() => return Ok(None),
            Part::Plain => {
                self.body.extend_from_slice(raw);
                (raw.len(), Part::Plain)
            }
            Part::Over => return Ok(None),
        };
        self.part = next;
        Ok(Some(taken))
    }
}

/// The length of the head and what follows it, once it is whole.
fn head(raw: &[u8]) -> anyhow::Result<Option<(usize, Part)>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = head.parse(raw).context("not HTTP")? else {
        return Ok(None);
    };
    let has = |name: &str, value: &[u8]| {
        head.headers.iter().any(|header| {
            header.name.eq_ignore_ascii_case(name)
                && memmem::find(&header.value.to_ascii_lowercase(), value).is_some()
        })
    };
    ensure!(
        head.code == Some(200) && has("content-type", b"text/event-stream"),
        "status {} instead of a stream: {}",
        head.code.unwrap_or_default(),
        String::from_utf8_lossy(&raw[length..])
    );
    let chunked = has("transfer-encoding", b"chunked");
    Ok(Some((length, if chunked { Part::ChunkSize } else { Part::Plain })))
}

/// The event that these lines are; `None` for one without data, such as the time to wait before coming back.
fn event(mut lines: &[u8]) -> anyhow::Result<Option<Event<'_>>> {
    let (mut event, mut has_data) = (Event::default(), false);
    while !lines.is_empty() {
        let end = memchr(b'\n', lines).unwrap_or(lines.len());
        let (line, rest) = lines.split_at(end);
        lines = rest.get(1..).unwrap_or_default();
        let colon = memchr(b':', line).unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" if has_data => bail!("an event with several lines of data"),
            b"data" => (event.data, has_data) = (value, true),
            b"event" => event.name = value,
            b"id" => event.id = value,
            _ => {}
        }
    }
    Ok(has_data.then_some(event))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\
                        content-type: text/event-stream; charset=utf-8\r\n\r\n";

    fn chunk(text: &str) -> String {
        format!("{:x}\r\n{text}\r\n", text.len())
    }

    /// Every event as text, the bytes cut into pieces of `size`.
    fn read(text: &str, size: usize) -> anyhow::Result<(Vec<String>, bool)> {
        let (mut decoder, mut events) = (Decoder::new(), Vec::new());
        for piece in text.as_bytes().chunks(size) {
            decoder.push(piece, |Event { name, id, data }| {
                let [name, id, data] = [name, id, data].map(String::from_utf8_lossy);
                events.push(format!("{name}|{id}|{data}"));
                Ok(())
            })?;
        }
        Ok((events, decoder.is_over()))
    }

    #[test]
    fn events_are_whole_however_the_bytes_are_cut() {
        let text = [
            HEAD,
            &chunk("retry: 1234\n\n"),
            &chunk("id: e-1\ndata: {\"a\":1}\n\n"),
            &chunk(": a comment\nevent: hb\ndata:2\n\nid: e-3\nda"),
            &chunk("ta: 3\n\n"),
            "0\r\n\r\n",
        ]
        .concat();
        for size in [1, 2, 7, 1000] {
            let (events, over) = read(&text, size).unwrap();
            assert_eq!(events, ["|e-1|{\"a\":1}", "hb||2", "|e-3|3"], "pieces of {size}");
            assert!(over);
        }
    }

    #[test]
    fn a_body_without_chunks_is_read_too() {
        let plain = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\nda";
        assert_eq!(read(plain, 5).unwrap(), (vec!["||1".to_owned()], false));
    }

    #[test]
    fn what_is_no_stream_is_told() {
        let text = "HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\nnone";
        let told = read(text, 1000).unwrap_err().to_string();
        assert_eq!(told, "status 404 instead of a stream: none");
        assert!(read("nonsense\r\n\r\n", 1000).is_err());
        assert!(read(&[HEAD, "xyz\r\n"].concat(), 1000).is_err());
        let two = [HEAD, &chunk("data: 1\ndata: 2\n\n")].concat();
        assert!(read(&two, 1000).is_err());
    }
}
