//! The network between a browser and a server, which can be cut.

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};

/// Passes connections on to a server until it is cut.
pub(crate) struct Wire {
    /// Where it listens.
    port: u16,
    /// The server's port.
    server: u16,
    carrying: JoinHandle<()>,
}

impl Wire {
    /// A wire to the server at `url`.
    pub(crate) async fn to(url: &str) -> Self {
        let server = url.rsplit(':').next().unwrap().parse().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        Self { port, server, carrying: tokio::spawn(carry(listener, server)) }
    }

    /// The address for a browser that was started with [`Wire::option`].
    pub(crate) fn url(&self) -> String {
        format!("http://localhost:{}", self.server)
    }

    /// What lets a browser believe that the server is at the end of this wire.
    pub(crate) fn option(&self) -> String {
        let Self { port, server, .. } = self;
        format!("--host-resolver-rules=MAP localhost:{server} 127.0.0.1:{port}")
    }

    /// Ends every connection and takes no more.
    pub(crate) async fn cut(&mut self) {
        self.carrying.abort();
        assert!((&mut self.carrying).await.is_err(), "it carried until now");
    }

    pub(crate) async fn mend(&mut self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await.unwrap();
        self.carrying = tokio::spawn(carry(listener, self.server));
    }
}

/// Its connections end with it.
async fn carry(listener: TcpListener, server: u16) {
    let mut connections = JoinSet::new();
    loop {
        let (mut near, _) = listener.accept().await.unwrap();
        connections.spawn(async move {
            if let Ok(mut far) = TcpStream::connect(("127.0.0.1", server)).await {
                // Either end may go at any time; then both do.
                drop(copy_bidirectional(&mut near, &mut far).await);
            }
        });
        while connections.try_join_next().is_some() {}
    }
}
