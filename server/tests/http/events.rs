//! A reader of the event stream, written from the specification of server-sent events and nothing else.

use reqwest::Response;
use serde_json::Value;

use crate::table::PATIENCE;

/// One event as a browser would see it, and the `retry:` that came with it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Event {
    pub(crate) name: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) data: String,
    pub(crate) retry: Option<u64>,
}

impl Event {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    pub(crate) fn is_state(&self) -> bool {
        self.name.is_none() && !self.data.is_empty()
    }
}

/// An open stream.
#[derive(Debug)]
pub(crate) struct Events {
    response: Response,
    buffer: Vec<u8>,
}

impl Events {
    pub(crate) fn new(response: Response) -> Self {
        assert_eq!(response.status(), 200);
        Self { response, buffer: Vec::new() }
    }

    pub(crate) fn response(&self) -> &Response {
        &self.response
    }

    /// The next block of the stream, or `None` when it has ended.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        tokio::time::timeout(PATIENCE, self.read()).await.expect("an event, or the end")
    }

    async fn read(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                return Some(parse(std::str::from_utf8(&block).unwrap()));
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.buffer.extend_from_slice(&chunk),
                // A server that was killed does not end its streams properly.
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// The next state.
    pub(crate) async fn state(&mut self) -> Value {
        loop {
            let event = self.next().await.expect("the stream goes on");
            if event.is_state() {
                return event.json();
            }
        }
    }

    /// States up to the first that `wanted` likes, which is given back.
    pub(crate) async fn state_where(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let find = async {
            loop {
                let state = self.state().await;
                if wanted(&state) {
                    return state;
                }
            }
        };
        tokio::time::timeout(PATIENCE, find).await.expect("such a state")
    }

    /// The next event with `name`.
    pub(crate) async fn named(&mut self, name: &str) -> Event {
        let find = async {
            loop {
                let event = self.next().await.expect("the stream goes on");
                if event.name.as_deref() == Some(name) {
                    return event;
                }
            }
        };
        tokio::time::timeout(PATIENCE, find).await.expect("such an event")
    }
}

fn parse(block: &str) -> Event {
    let mut event = Event::default();
    for line in block.lines() {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => event.name = Some(value.to_owned()),
            "id" => event.id = Some(value.to_owned()),
            "data" => event.data.push_str(value),
            "retry" => event.retry = value.parse().ok(),
            _ => {}
        }
    }
    event
}
