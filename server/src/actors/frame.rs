//! A state as it is published: made once, serialised at most once, shared by every subscriber.

use std::sync::OnceLock;

use bytes::Bytes;
use protocol::State;

/// One position of a session's event stream.
#[derive(Debug)]
pub struct Frame {
    state: State,
    /// Made when the first reader asks: a session that nobody watches serialises nothing.
    json: OnceLock<Bytes>,
}

impl Frame {
    /// A frame that shows `state`.
    pub fn new(state: State) -> Self {
        Self { state, json: OnceLock::new() }
    }

    /// What it shows.
    pub fn state(&self) -> &State {
        &self.state
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
    /// Never: a state has no map with keys that JSON cannot write.
    pub fn json(&self) -> &Bytes {
        self.json.get_or_init(|| self.made())
    }

    /// The same for one reader alone. It is kept only if others watch, who will ask for it too: a session that nobody
    /// needs any more shall not hold two kilobytes for the one who was last there.
    pub fn json_once(&self) -> Bytes {
        match self.json.get() {
            Some(json) => json.clone(),
            None if self.state.watchers == 0 => self.made(),
            None => self.json().clone(),
        }
    }

    fn made(&self) -> Bytes {
        serde_json::to_vec(&self.state).expect("a state has string keys only").into()
    }
}
