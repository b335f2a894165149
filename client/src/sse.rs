//! Reads server-sent events out of bytes as they come, however they are cut.
//!
//! The grammar is the one of the HTML standard, section 9.2.6: lines end with CR, LF or CRLF, a byte order mark may
//! stand before the first, lines with a leading colon are comments, unknown fields are passed over.

use std::{mem, time::Duration};

/// The most bytes one event, or one line, may have: 1 MiB. A state has about two thousand.
pub const MOST_BYTES: usize = 1 << 20;

/// What comes out of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A whole event.
    Event(Event),
    /// `retry:`, the pause that the server asks for before a reconnection.
    Retry(Duration),
}

/// A whole event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its name; empty for the unnamed ones.
    pub name: String,
    /// Its data, lines joined by LF.
    pub data: String,
    /// The last id that the stream named, in this event or before; empty if none.
    pub id: String,
}

/// An event or a line has more than [`MOST_BYTES`]: the stream can't be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of more than {MOST_BYTES} bytes")]
pub struct TooLarge;

/// An incremental parser for one connection. What is incomplete when the connection ends is dropped with it.
#[derive(Debug, Default)]
pub struct Parser {
    /// The line under way, without its end.
    line: Vec<u8>,
    /// A CR ended the last line: an LF right after it belongs to it.
    after_cr: bool,
    /// The first line is over, so that no byte order mark can come any more.
    begun: bool,
    failed: bool,
    name: String,
    /// `None` until a `data` field came: an event without one is not an event.
    data: Option<String>,
    id: String,
}

impl Parser {
    /// Reads `bytes` and appends what they complete to `items`.
    ///
    /// # Errors
    /// - [`TooLarge`] at the first byte over the cap, and for every call after it. `items` holds what came before.
    pub fn push(&mut self, bytes: &[u8], items: &mut Vec<Item>) -> Result<(), TooLarge> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if self.failed {
                return Err(TooLarge);
            }
            if mem::take(&mut self.after_cr) && first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
            if self.held() + part.len() > MOST_BYTES {
                self.failed = true;
                return Err(TooLarge);
            }
            self.line.extend_from_slice(part);
            let Some((&ending, after)) = after.split_first() else { return Ok(()) };
            self.after_cr = ending == b'\r';
            self.end_line(items);
            rest = after;
        }
        if self.failed { Err(TooLarge) } else { Ok(()) }
    }

    fn held(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn end_line(&mut self, items: &mut Vec<Item>) {
        let line = mem::take(&mut self.line);
        let mut bytes = line.as_slice();
        if !mem::replace(&mut self.begun, true) {
            bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        }
        if bytes.is_empty() {
            items.extend(self.end_event().map(Item::Event));
        } else {
            let line = String::from_utf8_lossy(bytes);
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            items.extend(self.field(field, value.strip_prefix(' ').unwrap_or(value)));
        }
    }

    fn end_event(&mut self) -> Option<Event> {
        let name = mem::take(&mut self.name);
        let mut data = self.data.take()?;
        // Every data line added a line end; the last one is not part of the data.
        data.pop();
        Some(Event { name, data, id: self.id.clone() })
    }

    fn field(&mut self, field: &str, value: &str) -> Option<Item> {
        match field {
            "data" => {
                let data = self.data.get_or_insert_default();
                data.push_str(value);
                data.push('\n');
            }
            "event" => value.clone_into(&mut self.name),
            "id" if !value.contains('\0') => value.clone_into(&mut self.id),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                return value.parse().ok().map(|ms| Item::Retry(Duration::from_millis(ms)));
            }
            // A comment has the empty field name; a field we don't know may be from a newer server.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(chunks: &[&[u8]]) -> (Vec<Item>, Result<(), TooLarge>) {
        let (mut parser, mut items) = (Parser::default(), Vec::new());
        for chunk in chunks {
            if let Err(error) = parser.push(chunk, &mut items) {
                return (items, Err(error));
            }
        }
        (items, Ok(()))
    }

    fn event(name: &str, data: &str, id: &str) -> Item {
        Item::Event(Event { name: name.into(), data: data.into(), id: id.into() })
    }

    fn check(text: &str, expected: &[Item]) {
        let (items, result) = read(&[text.as_bytes()]);
        assert_eq!((items.as_slice(), result), (expected, Ok(())), "{text:?}");
        let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(read(&single).0, expected, "{text:?}, byte by byte");
    }

    #[test]
    fn lines_end_with_cr_lf_or_both() {
        let expected = [event("", "one", ""), event("", "two", "")];
        for end in ["\n", "\r", "\r\n"] {
            check(&format!("data: one{end}{end}data: two{end}{end}"), &expected);
        }
        check("data: one\r\ndata: two\n\r", &[event("", "one\ntwo", "")]);
        check("data: one\r\n\rdata: two\r\n\n", &expected);
    }

    #[test]
    fn a_cr_ends_the_event_without_waiting_for_an_lf() {
        assert_eq!(read(&[b"data: one\r\r"]).0, [event("", "one", "")]);
    }

    #[test]
    fn data_lines_are_joined_and_one_space_is_taken_off() {
        check("data:a\ndata:  b\ndata\ndata: \n\n", &[event("", "a\n b\n\n", "")]);
        check("data\n\n", &[event("", "", "")]);
        check("data:\n\n", &[event("", "", "")]);
        check("data: a: b\n\n", &[event("", "a: b", "")]);
    }

    #[test]
    fn an_event_without_data_is_none_and_its_name_does_not_stick() {
        check("event: hb\n\ndata: x\n\n", &[event("", "x", "")]);
        check("\n\n\n", &[]);
    }

    #[test]
    fn an_incomplete_event_is_not_given_out() {
        check("data: whole\n\ndata: half\n", &[event("", "whole", "")]);
        check("data: half", &[]);
    }

    #[test]
    fn comments_and_unknown_fields_are_passed_over() {
        check(
            ": keep-alive\ncolour: red\nDATA: x\n data: x\nnonsense\ndata: y\n\n",
            &[event("", "y", "")],
        );
        check(":\n\n", &[]);
    }

    #[test]
    fn named_events_keep_their_name_and_the_last_id() {
        check(
            "id: e-1\ndata: a\n\nevent: hb\ndata: b\n\nid\ndata: c\n\n",
            &[event("", "a", "e-1"), event("hb", "b", "e-1"), event("", "c", "")],
        );
        check("event: a\nevent: b\ndata: x\n\n", &[event("b", "x", "")]);
    }

    #[test]
    fn an_id_with_nul_is_ignored() {
        check("id: e-1\nid: e\0-2\ndata: a\n\n", &[event("", "a", "e-1")]);
    }

    #[test]
    fn an_id_counts_even_without_an_event() {
        check("id: e-7\n\ndata: a\n\n", &[event("", "a", "e-7")]);
    }

    #[test]
    fn retry_is_digits_only() {
        let retry = Item::Retry(Duration::from_millis(1500));
        check("retry: 1500\nretry: 1.5\nretry: -1\nretry:\nretry: 5s\n", &[retry]);
        check("retry: 99999999999999999999999\n", &[]);
    }

    #[test]
    fn a_byte_order_mark_is_taken_off_at_the_start_only() {
        check("\u{feff}data: a\n\n\u{feff}data: b\n\n", &[event("", "a", "")]);
        check("\u{feff}\u{feff}data: a\n\n", &[]);
        check("\u{feff}\ndata: a\n\n", &[event("", "a", "")]);
    }

    #[test]
    fn bytes_that_are_not_text_become_replacement_characters() {
        let (items, _) = read(&[b"data: \xff\xc3", b"\ndata: \xe2\x82", b"\xac\n\n"]);
        assert_eq!(items, [event("", "\u{fffd}\u{fffd}\n€", "")]);
    }

    #[test]
    fn a_line_or_an_event_over_the_cap_ends_the_reading() {
        let fits = format!("data:{}\n\n", "x".repeat(MOST_BYTES - 5));
        assert_eq!(read(&[fits.as_bytes()]).1, Ok(()));
        let endless_comment = ":".repeat(MOST_BYTES + 1);
        assert_eq!(read(&[endless_comment.as_bytes()]).1, Err(TooLarge));
        let endless_event = "data:x\n".repeat(MOST_BYTES / 2);
        assert_eq!(read(&[endless_event.as_bytes()]).1, Err(TooLarge));
    }

    #[test]
    fn what_came_before_the_cap_is_kept_and_nothing_comes_after_it() {
        let (mut parser, mut items) = (Parser::default(), Vec::new());
        let bad = format!("data: a\n\n{}", "x".repeat(MOST_BYTES + 1));
        assert_eq!(parser.push(bad.as_bytes(), &mut items), Err(TooLarge));
        assert_eq!(parser.push(b"\n\ndata: b\n\n", &mut items), Err(TooLarge));
        assert_eq!(items, [event("", "a", "")]);
    }

    /// Pieces that meet the grammar's corners often.
    fn piece() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\r".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"data: ".to_vec()),
            Just(b"data".to_vec()),
            Just(b"event: hb".to_vec()),
            Just(b"id: e-1".to_vec()),
            Just(b"retry: 20".to_vec()),
            Just(b":".to_vec()),
            Just(b"\xef\xbb\xbf".to_vec()),
            Just("\u{20ac}\0".as_bytes().to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
        ]
    }

    proptest! {
        #[test]
        fn how_the_bytes_are_cut_changes_nothing(
            pieces in prop::collection::vec(piece(), 0..40),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let bytes = pieces.concat();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
            prop_assert_eq!(read(&chunks), read(&[&bytes]));
        }
    }
}
