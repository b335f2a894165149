//! The replies to commands, as JSON: made here since they are remembered with the command's effect.

use bytes::{BufMut, Bytes, BytesMut};

use crate::actors::frame::Frame;

/// Which command is answered; each has its own name for the flag that says whether it changed anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `move` and `agent/step`: `{"moved", "state"}`.
    Moved,
    /// `new`: the bare state.
    State,
    /// `agent/start`: `{"started", "state"}`.
    Started,
    /// `agent/stop`: `{"stopped", "state"}`.
    Stopped,
}

impl Kind {
    /// The reply of a command that `acted` and left the session as `frame` shows.
    pub fn reply(self, acted: bool, frame: &Frame) -> Bytes {
        let flag = match self {
            Self::State => return frame.json().clone(),
            Self::Moved => "moved",
            Self::Started => "started",
            Self::Stopped => "stopped",
        };
        let state = frame.json();
        let mut reply = BytesMut::with_capacity(state.len() + 32);
        reply.put_slice(format!("{{\"{flag}\":{acted},\"state\":").as_bytes());
        reply.put_slice(state);
        reply.put_u8(b'}');
        reply.freeze()
    }
}
