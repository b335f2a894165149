//! A small proxy that stands between, as well or as badly as a test wants it.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

/// What it does with answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Passes them on as they come.
    Passes,
    /// Passes nothing on before it has all of it, or this many bytes.
    HoldsBack(usize),
    /// Closes when so many bytes of a stream have come.
    CutsOff(usize),
}

/// Listens on this machine and passes on to `server`; by the name that the server goes by, if `renames`.
pub(crate) async fn start(server: SocketAddr, manner: Manner, renames: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((caller, _)) = listener.accept().await {
            tokio::spawn(async move {
                let server = TcpStream::connect(server).await.unwrap();
                let (read, write) = caller.into_split();
                let (answers, asks) = server.into_split();
                let there = tokio::spawn(requests(read, asks, renames.then_some(address)));
                pass(answers, write, manner).await;
                there.abort();
            });
        }
    });
    format!("http://{address}")
}

async fn requests(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, own: Option<SocketAddr>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let mut text = String::from_utf8_lossy(&buffer[..count]).into_owned();
        if let Some(own) = own {
            text = text.replace(&format!("host: {own}"), "host: localhost");
        }
        if to.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, manner: Manner) {
    let (mut buffer, mut held) = ([0; 4096], Vec::new());
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        held.extend_from_slice(&buffer[..count]);
        // What is no stream comes through, whatever the manner is.
        let stream = held.windows(11).any(|part| part == b"text/event-");
        match manner {
            Manner::HoldsBack(bytes) | Manner::CutsOff(bytes) if stream && held.len() < bytes => {}
            Manner::CutsOff(_) if stream => break,
            _ if to.write_all(&held).await.is_err() => return,
            _ => held.clear(),
        }
    }
    to.write_all(&held).await.unwrap_or_default();
}
