//! The same over TLS: with HTTP/2, and with HTTP/1.1 for who knows nothing newer.

use std::{fs, path::PathBuf, sync::Arc};

use bytes::Bytes;
use http::{Request, Version, request::Builder};
use http_body_util::{BodyExt as _, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer};
use serde_json::Value;
use server::{config::Config, server::Server, tls::Files};

use crate::{process::command, table::PATIENCE};

/// A server that shows a certificate which nobody but this client trusts.
struct Encrypted {
    server: Server,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    _folder: tempfile::TempDir,
}

/// An answer, read to its end.
struct Reply {
    version: Version,
    status: u16,
    body: Value,
}

/// A certificate for `localhost` and its key, in files.
fn certificate(folder: &std::path::Path) -> (Files, CertificateDer<'static>) {
    let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let [cert, key] = ["cert.pem", "key.pem"].map(|name| folder.join(name));
    fs::write(&cert, pair.cert.pem()).unwrap();
    fs::write(&key, pair.signing_key.serialize_pem()).unwrap();
    (Files { cert, key }, pair.cert.der().clone())
}

impl Encrypted {
    fn open(newest: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (files, root) = certificate(folder.path());
        let config = Config { port: 0, tls: Some(files), ..Config::default() };
        let server = Server::start(config).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(root).unwrap();
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let connector = HttpsConnectorBuilder::new().with_tls_config(tls).https_only();
        let connector = if newest {
            connector.enable_all_versions().build()
        } else {
            connector.enable_http1().build()
        };
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Self { server, client, _folder: folder }
    }

    fn ask(&self, method: &str, path: &str) -> Builder {
        let port = self.server.address().port();
        Request::builder().method(method).uri(format!("https://localhost:{port}{path}"))
    }

    async fn send(&self, request: Builder, body: &'static str) -> Reply {
        let body = Full::new(Bytes::from_static(body.as_bytes()));
        let reply = self.client.request(request.body(body).unwrap()).await.unwrap();
        let (head, body) = reply.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&body).unwrap_or_default();
        Reply { version: head.version, status: head.status.as_u16(), body }
    }
}

#[tokio::test]
async fn a_game_is_played_and_watched_over_http_2() {
    let table = Encrypted::open(true);
    assert!(table.server.url().starts_with("https://127.0.0.1:"), "{}", table.server.url());
    let events = table.ask("GET", "/api/events").body(Full::default()).unwrap();
    let events = table.client.request(events).await.unwrap();
    assert_eq!((events.version(), events.status().as_u16()), (Version::HTTP_2, 200));
    let mut events = events.into_body();
    let move_up = r#"{"direction":"UP"}"#;
    let play = table.ask("POST", "/api/move").header("content-type", "application/json");
    let own = format!("https://localhost:{}", table.server.address().port());
    let played = table.send(play.header("origin", own), move_up).await;
    assert_eq!((played.version, played.status), (Version::HTTP_2, 200), "{}", played.body);
    let state = &played.body["state"];
    let id = format!("id: {}-{}\n", state["epoch"].as_str().unwrap(), state["seq"]);
    let mut seen = String::new();
    let read = async {
        while !seen.contains(&id) {
            let frame = events.frame().await.expect("the stream goes on").unwrap();
            seen.push_str(&String::from_utf8_lossy(frame.data_ref().expect("data")));
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("the state on the stream");
    assert!(seen.starts_with("retry: "), "{seen}");
}

#[tokio::test]
async fn who_knows_nothing_newer_speaks_http_1() {
    let table = Encrypted::open(false);
    let reply = table.send(table.ask("GET", "/api/state"), "").await;
    assert_eq!((reply.version, reply.status), (Version::HTTP_11, 200));
}

#[tokio::test]
async fn who_may_call_is_checked_over_http_2_too() {
    let table = Encrypted::open(true);
    let json = |builder: Builder| builder.header("content-type", "application/json");
    let foreign = table.ask("POST", "/api/new").header("origin", "https://evil.example");
    assert_eq!(table.send(json(foreign), "{}").await.status, 403);
    let untyped = table.send(table.ask("POST", "/api/new"), "{}").await;
    assert_eq!(untyped.status, 415);
    assert_eq!(table.send(table.ask("POST", "/api/agent/stop"), "").await.status, 200);
    assert_eq!(table.send(json(table.ask("POST", "/api/new")), "{}").await.status, 200);
}

#[test]
fn without_a_certificate_it_does_not_start_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let (files, _) = certificate(folder.path());
    let said = |cert: &PathBuf, key: &PathBuf| {
        let mut command = command(&["--port", "0", "--store", "memory"]);
        let output =
            command.arg("--tls-cert").arg(cert).arg("--tls-key").arg(key).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let missing = folder.path().join("missing.pem");
    let text = said(&missing, &files.key);
    assert!(text.starts_with("serve2048: --tls-cert ") && text.contains("can't be read"), "{text}");
    let text = said(&files.cert, &files.cert);
    assert!(text.contains("--tls-key") && text.contains("there is no private key"), "{text}");
}
