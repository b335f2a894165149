//! Reads any bytes as an event stream: however they are cut, the same comes out, and as a plain reader has it.
#![no_main]

#[path = "../../src/sse.rs"]
#[expect(unreachable_pub, reason = "it is public in the client")]
mod sse;

use libfuzzer_sys::fuzz_target;
use sse::{Item, Parser};

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (step, bytes) = input;
    let whole = read([bytes.as_slice()]);
    assert_eq!(read(bytes.chunks(1)), whole);
    assert_eq!(read(bytes.chunks(usize::from(step) + 1)), whole);
    assert_eq!(events(&whole), plainly(&bytes));
});

fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Item> {
    let (mut parser, mut items) = (Parser::default(), Vec::new());
    for chunk in chunks {
        parser.push(chunk, &mut items).expect("an input is far below the cap");
    }
    items
}

/// Name, data and id of the events.
fn events(items: &[Item]) -> Vec<(String, String, String)> {
    let event = |item: &Item| match item {
        Item::Event(event) => Some((event.name.clone(), event.data.clone(), event.id.clone())),
        Item::Retry(_) => None,
    };
    items.iter().filter_map(event).collect()
}

/// The standard's algorithm on the whole text at once, step by step as it is written there.
fn plainly(bytes: &[u8]) -> Vec<(String, String, String)> {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (mut name, mut data, mut id) = (String::new(), String::new(), String::new());
    let mut events = Vec::new();
    // What has no line end is incomplete.
    let Some((complete, _)) = text.rsplit_once('\n') else { return events };
    for line in complete.split('\n') {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" if line.is_empty() => {
                if let Some(data) = data.strip_suffix('\n') {
                    events.push((name.clone(), data.to_owned(), id.clone()));
                }
                name.clear();
                data.clear();
            }
            "event" => value.clone_into(&mut name),
            "data" => data = format!("{data}{value}\n"),
            "id" if !value.contains('\0') => value.clone_into(&mut id),
            _ => {}
        }
    }
    events
}
