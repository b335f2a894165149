//! A server inside this program, for when there is none to play on. It speaks the same protocol over loopback.

use std::net::IpAddr;

use client::{CallError, Client};
use server::{
    embedded::{EmbedError, Embedded},
    server::{Server, StartError},
};
use tokio::task::spawn_blocking;

/// Where to play, and the server behind it if it is ours.
#[derive(Debug)]
pub struct Local {
    /// A client of it.
    pub client: Client,
    /// The server; `None` if one was there already.
    pub server: Option<Server>,
    /// What is not as it should be, though one can play.
    pub warning: Option<String>,
}

/// Why there is no server to play on.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The address is another machine's.
    #[error("--local is for this machine: {0} is another one")]
    Elsewhere(String),
    /// Something answers there, but not as a server should.
    #[error("{address}: {source}")]
    Call {
        /// The address.
        address: String,
        /// What it answered.
        source: CallError,
    },
    /// Ours can't be started.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// Ours had ended by itself.
    #[error(transparent)]
    Ended(#[from] StartError),
}

/// A server at the client's address: the one that is there, or else one of our own.
///
/// Games that can't be saved are played all the same, and that is said.
///
/// # Errors
/// - [`LocalError`] if there is none, and none can be started
pub async fn open(client: Client) -> Result<Local, LocalError> {
    match client.version().await {
        Ok(_) => return Ok(Local { client, server: None, warning: None }),
        Err(CallError::Unreachable(_)) => {}
        Err(source) => return Err(LocalError::Call { address: client.address().into(), source }),
    }
    let port = own_port(&client).ok_or_else(|| LocalError::Elsewhere(client.address().into()))?;
    let started = spawn_blocking(move || Embedded::start(port)).await;
    let Embedded { server, warning } = started.unwrap_or(Err(StartError::Crashed.into()))?;
    Ok(Local { client: client.at_port(server.address().port()), server: Some(server), warning })
}

/// Stops the server, if it is ours.
///
/// # Errors
/// - [`LocalError::Ended`] when it had ended by itself
pub async fn close(server: Option<Server>) -> Result<(), LocalError> {
    let Some(server) = server else { return Ok(()) };
    Ok(spawn_blocking(|| server.stop()).await.unwrap_or(Err(StartError::Crashed))?)
}

/// The port of an address on this machine.
fn own_port(client: &Client) -> Option<u16> {
    let (host, port) = client.host_and_port();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    (host == "localhost" || address.is_ok_and(|address| address.is_loopback())).then_some(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port_of(address: &str) -> Option<u16> {
        own_port(&Client::new(address, None, None).unwrap())
    }

    #[test]
    fn only_this_machine_can_be_served() {
        assert_eq!(port_of("http://127.0.0.1:2048"), Some(2048));
        assert_eq!(port_of("localhost:7"), Some(7));
        assert_eq!(port_of("http://[::1]"), Some(80));
        assert_eq!(port_of("http://192.0.2.1:2048"), None);
        assert_eq!(port_of("http://example.org"), None);
    }
}
