//! A service behind TLS: trusted by a CA of the user's choice, and by nothing less.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use gutterbatch::api::{ApiCall, ApiClient, BearerToken, Timeouts, TransportError};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::support::{Run, Stage};

/// A name that only a certificate knows.
pub(crate) const NAME: &str = "service.test";

/// Signed by the CA in `ca.pem` for 127.0.0.1 and [`NAME`]; `support/tls/make.sh` shows how they were made.
const CERTIFICATE: &[u8] = include_bytes!("../support/tls/server.pem");
const KEY: &[u8] = include_bytes!("../support/tls/server.key.pem");

/// A server for 127.0.0.1 and [`NAME`] whose certificate one CA of its own has signed.
pub(crate) struct Secured {
    pub(crate) url: String,
    pub(crate) ca_pem: String,
}

impl Secured {
    pub(crate) fn answering(body: &'static str) -> Self {
        Self::damaging(0, body)
    }

    /// The TLS records of so many answers are damaged, before one is whole.
    fn damaging(damaged: usize, body: &'static str) -> Self {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![CertificateDer::from_pem_slice(CERTIFICATE).unwrap()],
                PrivateKeyDer::from_pem_slice(KEY).unwrap(),
            );
        let url = serve(Arc::new(config.unwrap()), body, damaged);
        let ca_pem = include_str!("../support/tls/ca.pem").to_owned();
        Self { url, ca_pem }
    }
}

fn serve(config: Arc<ServerConfig>, body: &'static str, damaged: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut answered = 0;
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream.unwrap());
            let mut head = [0; 4096];
            // A client that does not trust the certificate leaves before it asks.
            if stream.read(&mut head).is_ok_and(|count| count > 0) {
                answered += 1;
                if answered <= damaged {
                    let record = [[0x17, 3, 3, 0, 32].as_slice(), &[0; 32]].concat();
                    let _ = stream.sock.write_all(&record);
                    continue;
                }
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    url
}

pub(crate) const ACCOUNT: &str = r#"{"team":{"id":"t1","name":"Eaves"},"app":{"client_id":"a1","name":"CRM"},
    "connected_at":"2026-01-01T00:00:00Z"}"#;

#[test]
fn a_ca_of_the_users_choice_is_trusted() {
    let secured = Secured::answering(ACCOUNT);
    let stage = Stage::offline();
    let ca = stage.file("ca.pem", &secured.ca_pem);
    let mut command = stage.bare_command(&["whoami", "--base-url", &secured.url]);
    command
        .args(["--service-version", "2026-01-15"])
        .env("GUTTERBATCH_TOKEN", "s3cret-token")
        .env("SSL_CERT_FILE", ca);
    let run = Run::of(command.output().unwrap()).expect(0);
    assert!(run.stdout.contains("Eaves"), "{}", run.stdout);
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_a_tls_failure() {
    let secured = Secured::answering(ACCOUNT);
    let timeouts = Timeouts {
        connect: Duration::from_mins(5),
        call: Duration::from_mins(5),
    };
    let client = ApiClient::new(
        secured.url.parse().unwrap(),
        "2026-01-15".parse().unwrap(),
        BearerToken::new("s3cret-token").unwrap(),
        timeouts,
    );
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let failure = runtime
        .block_on(client.unwrap().send(ApiCall::Me))
        .unwrap_err();
    assert!(matches!(failure, TransportError::Tls(_)), "{failure:?}");
}

#[test]
fn a_request_whose_answer_is_damaged_by_tls_counts() {
    let secured = Secured::damaging(1, ACCOUNT);
    let stage = Stage::offline();
    let ca = stage.file("ca.pem", &secured.ca_pem);
    let command = |words: &[&str]| {
        let mut command = stage.bare_command(words);
        command
            .args([
                "--base-url",
                &secured.url,
                "--service-version",
                "2026-01-15",
            ])
            .env("GUTTERBATCH_TOKEN", "s3cret-token")
            .env("SSL_CERT_FILE", &ca);
        Run::of(command.output().unwrap()).expect(0)
    };
    let log = stage.path("calls.ndjson");
    command(&["whoami", "--log", log.to_str().unwrap()]);
    let log = std::fs::read_to_string(log).unwrap();
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(log.contains("the connection ended before"), "{log}");
    let status = command(&["status", "--json"]).json();
    assert_eq!(status["budget"]["left"], 598, "{status}");
}
