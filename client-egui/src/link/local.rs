//! "Play here": a server inside this program. It speaks the same protocol over loopback.

use std::net::IpAddr;

use client::Client;
use server::{
    embedded::Embedded,
    server::{Server, StartError},
};
use tokio::task::spawn_blocking;

/// Where to play, and the server behind it if it is ours.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) client: Client,
    pub(super) server: Option<Server>,
    pub(super) warning: Option<String>,
}

/// A server on this machine: the one that is at the client's address, or else one of our own.
pub(super) async fn open(client: Client) -> Result<Local, String> {
    let own_port = own_port(&client);
    if own_port.is_some() && client.version().await.is_ok() {
        return Ok(Local { client, server: None, warning: None });
    }
    let port = own_port.unwrap_or(0);
    let started = spawn_blocking(move || Embedded::start(port)).await;
    let Embedded { server, warning } =
        started.unwrap_or(Err(StartError::Crashed.into())).map_err(|error| error.to_string())?;
    let client = Client::new(&server.url(), None, None).map_err(|error| error.to_string())?;
    Ok(Local { client, server: Some(server), warning })
}

/// Stops a server of ours; what was played is stored when this returns.
pub(super) async fn close(server: Server) {
    let stopped = spawn_blocking(|| server.stop()).await;
    if let Ok(Err(error)) = stopped {
        tracing::error!(%error, "the server of this program");
    }
}

/// The port of an address on this machine.
fn own_port(client: &Client) -> Option<u16> {
    let (host, port) = client.host_and_port();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    (host == "localhost" || address.is_ok_and(|address| address.is_loopback())).then_some(port)
}
