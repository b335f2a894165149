//! What an attacker does once, and what comes of it.

use std::{io, time::Duration};

use bytes::BytesMut;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{Gang, Kind, samples};
use crate::wire::parse;

/// How long an answer is waited for: longer than every deadline of the server.
const WITHIN: Duration = Duration::from_secs(20);

/// Between two bytes of whoever takes his time.
const BETWEEN: Duration = Duration::from_secs(1);

/// The most that is sent of what has no end.
const MOST: usize = 8 << 20;

/// What came of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Answered { status: u16, worded: bool, said: String },
    Closed,
}

impl Gang {
    /// Asks once, on the connection that is there if it is still good.
    pub(super) async fn ask(&self, open: &mut Option<TcpStream>, turn: u64) -> io::Result<Outcome> {
        let bytes = samples::sample(self.kind, &self.options, turn);
        let (mut stream, used) = match open.take() {
            Some(stream) => (stream, true),
            None => (self.connect().await?, false),
        };
        let mut outcome = exchange(&mut stream, &bytes).await;
        if used && outcome == Outcome::Closed {
            // It was closed after the answer before.
            stream = self.connect().await?;
            outcome = exchange(&mut stream, &bytes).await;
        }
        if matches!(outcome, Outcome::Answered { .. }) {
            *open = Some(stream);
        }
        Ok(outcome)
    }

    /// Opens a connection and says nothing, until it is closed.
    pub(super) async fn hold(&self) -> io::Result<Outcome> {
        let mut stream = self.connect().await?;
        {
            let mut count = self.count.borrow_mut();
            count.open += 1;
            count.most_open = count.most_open.max(count.open);
        }
        let mut read = BytesMut::new();
        let outcome = answer(&mut stream, &mut read).await;
        self.count.borrow_mut().open -= 1;
        Ok(outcome)
    }

    /// Sends a request byte by byte, until it is answered.
    pub(super) async fn dawdle(&self) -> io::Result<Outcome> {
        let mut stream = self.connect().await?;
        let (start, piece) = samples::slow(self.kind == Kind::SlowHeads, &self.options);
        let (mut reader, mut writer) = stream.split();
        let mut read = BytesMut::new();
        let sends = async {
            let mut sent = writer.write_all(start.as_bytes()).await;
            while sent.is_ok() {
                sleep(BETWEEN).await;
                sent = writer.write_all(piece.as_bytes()).await;
            }
            std::future::pending::<()>().await;
        };
        Ok(tokio::select! {
            outcome = answer(&mut reader, &mut read) => outcome,
            () = sends => Outcome::Closed,
        })
    }

    /// Sends something without an end, until it is answered.
    pub(super) async fn pour(&self, turn: u64) -> io::Result<Outcome> {
        let mut stream = self.connect().await?;
        let (start, piece) = samples::huge(&self.options, turn);
        let (mut reader, mut writer) = stream.split();
        let mut read = BytesMut::new();
        let sends = async {
            let (mut sent, mut length) = (writer.write_all(start.as_bytes()).await, 0);
            while sent.is_ok() && length < MOST {
                sent = writer.write_all(piece.as_bytes()).await;
                length += piece.len();
            }
            std::future::pending::<()>().await;
        };
        Ok(tokio::select! {
            outcome = answer(&mut reader, &mut read) => outcome,
            () = sends => Outcome::Closed,
        })
    }
}

async fn exchange(stream: &mut TcpStream, bytes: &[u8]) -> Outcome {
    let mut read = BytesMut::new();
    // Whoever closes early may have said why.
    if let Err(error) = stream.write_all(bytes).await
        && error.kind() == io::ErrorKind::NotConnected
    {
        return Outcome::Closed;
    }
    answer(stream, &mut read).await
}

/// Reads an answer. One that does not come is no answer.
async fn answer(stream: &mut (impl tokio::io::AsyncRead + Unpin), read: &mut BytesMut) -> Outcome {
    let reads = async {
        loop {
            if let Ok(Some((status, head, length))) = parse(read)
                && read.len() >= head + length
            {
                let body = &read[head..head + length];
                let said = serde_json::from_slice::<protocol::ErrorBody>(body);
                let worded = said.is_ok_and(|said| !said.detail.is_empty());
                let said = String::from_utf8_lossy(body).into_owned();
                return Outcome::Answered { status, worded, said };
            }
            if !matches!(stream.read_buf(read).await, Ok(1..)) {
                return Outcome::Closed;
            }
        }
    };
    timeout(WITHIN, reads).await.unwrap_or(Outcome::Closed)
}
