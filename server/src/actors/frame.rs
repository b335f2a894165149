//! A state as it is published: made once, serialised at most once, shared by every subscriber.

use std::{ops::Range, sync::OnceLock, time::Instant};

use bytes::Bytes;
use protocol::State;

use crate::sse;

/// One position of a session's event stream.
#[derive(Debug)]
pub struct Frame {
    state: State,
    /// Made when the first reader asks: a session that nobody watches serialises nothing.
    event: OnceLock<Event>,
    /// The same for those who came by a link, and are not told the session's id: it would outlast the link.
    nameless: OnceLock<Event>,
    /// When it became durable and was shown.
    published: OnceLock<Instant>,
}

/// A state as the event stream sends it, byte for byte: whatever the number of subscribers, it is written once.
#[derive(Debug)]
struct Event {
    text: Bytes,
    /// Where the JSON lies in it.
    json: Range<usize>,
}

impl Frame {
    /// A frame that shows `state`.
    pub fn new(state: State) -> Self {
        let (event, nameless) = (OnceLock::new(), OnceLock::new());
        Self { state, event, nameless, published: OnceLock::new() }
    }

    /// What it shows.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// It is durable since `now`, and shown.
    pub fn publish(&self, now: Instant) {
        self.published.get_or_init(|| now);
    }

    /// Since when it is durable and shown; `None` for what was read from the store.
    pub fn published(&self) -> Option<Instant> {
        self.published.get().copied()
    }

    /// Its position.
    pub fn seq(&self) -> u64 {
        self.state.seq
    }

    /// Its id in the event stream: `<epoch>-<seq>`.
    pub fn id(&self) -> String {
        format!("{}-{}", self.state.epoch, self.state.seq)
    }

    /// The state as one line of JSON.
    ///
    /// # Panics
    /// As [`Self::event`].
    pub fn json(&self) -> Bytes {
        let Event { text, json } = self.made();
        text.slice(json.clone())
    }

    /// The state as an event of the stream, with its id. It has no name, so that a client which knows no names loses
    /// nothing.
    ///
    /// # Panics
    /// Never: a state has no map with keys that JSON cannot write.
    pub fn event(&self) -> &Bytes {
        &self.made().text
    }

    /// The JSON for one reader alone. It is kept only if others watch, who will ask for it too: a session that nobody
    /// needs any more shall not hold two kilobytes for the one who was last there.
    ///
    /// # Panics
    /// As [`Self::event`].
    pub fn json_once(&self) -> Bytes {
        if self.event.get().is_none() && self.state.watchers == 0 {
            return serde_json::to_vec(&self.state).expect("a state has string keys only").into();
        }
        self.json()
    }

    /// As [`Self::event`], without the session's id.
    ///
    /// # Panics
    /// As [`Self::event`].
    pub fn nameless_event(&self) -> &Bytes {
        &self.made_nameless().text
    }

    /// As [`Self::json_once`], without the session's id.
    ///
    /// # Panics
    /// As [`Self::event`].
    pub fn nameless_json_once(&self) -> Bytes {
        if self.nameless.get().is_none() && self.state.watchers == 0 {
            return serde_json::to_vec(&self.without_name())
                .expect("a state has string keys only")
                .into();
        }
        let Event { text, json } = self.made_nameless();
        text.slice(json.clone())
    }

    fn made(&self) -> &Event {
        self.event.get_or_init(|| Event::of(self.id(), &self.state))
    }

    fn made_nameless(&self) -> &Event {
        self.nameless.get_or_init(|| Event::of(self.id(), &self.without_name()))
    }

    fn without_name(&self) -> State {
        State { session: String::new(), ..self.state.clone() }
    }
}

impl Event {
    fn of(id: String, state: &State) -> Self {
        let json = serde_json::to_string(state).expect("a state has string keys only");
        let length = json.len();
        let text = sse::written(sse::Data::new(json).id(id));
        // JSON has no line ends, so that it is one line of data: the last one, before the empty line.
        let end = text.len() - "\n\n".len();
        Self { text, json: end - length..end }
    }
}
