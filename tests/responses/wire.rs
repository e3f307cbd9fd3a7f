//! Answers that no service should give, as the client meets them on the wire and as a person reads of them.

use std::io::Write;
use std::net::TcpListener;
use std::time::Duration;

use gutterbatch::api::{ApiCall, ApiClient, BearerToken, HttpResponse, Timeouts, TransportError};
use serde_json::json;

use crate::support::canned::{self, Canned};
use crate::support::{Run, Stage};

const READ: ApiCall<'_> = ApiCall::Read {
    measurement_id: "msr_1",
    external_id: "A-1",
};

/// Long enough for any machine, however busy.
const PATIENT: Timeouts = Timeouts {
    connect: Duration::from_mins(5),
    call: Duration::from_mins(5),
};

fn send_to(url: &str, call: ApiCall<'_>) -> Result<HttpResponse, TransportError> {
    send_within(PATIENT, url, call)
}

fn send_within(
    timeouts: Timeouts,
    url: &str,
    call: ApiCall<'_>,
) -> Result<HttpResponse, TransportError> {
    let client = ApiClient::new(
        url.parse().unwrap(),
        "2026-01-15".parse().unwrap(),
        BearerToken::new("s3cret-token").unwrap(),
        timeouts,
    );
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(client.unwrap().send(call))
}

fn send(answer: Vec<u8>) -> Result<HttpResponse, TransportError> {
    let service = Canned::answering(move |_| answer.clone());
    send_to(&service.url(), ApiCall::Me)
}

#[test]
fn every_call_carries_token_version_and_a_wish_for_json() {
    let service = Canned::answering(|_| canned::answer("200 OK", "", "{}"));
    send_to(&service.url(), READ).unwrap();
    let heard = service.heard();
    assert!(
        heard[0].starts_with("GET /measurements/msr_1 HTTP/1.1\r\n"),
        "{}",
        heard[0]
    );
    for header in [
        "authorization: Bearer s3cret-token\r\n",
        "service-version: 2026-01-15\r\n",
        "accept: application/json\r\n",
        "accept-encoding: gzip\r\n",
    ] {
        assert!(heard[0].contains(header), "{header}: {}", heard[0]);
    }
}

#[test]
fn a_redirect_is_an_answer_and_the_token_stays() {
    let elsewhere = Canned::answering(|_| canned::answer("200 OK", "", "{}"));
    for status in [
        "301 Moved",
        "302 Found",
        "303 See Other",
        "307 Temporary",
        "308 Permanent",
    ] {
        let location = format!("{}/me", elsewhere.url());
        let answer = send(canned::answer(
            status,
            &format!("Location: {location}\r\n"),
            "",
        ))
        .unwrap();
        assert_eq!(
            answer.location.as_deref(),
            Some(location.as_str()),
            "{status}"
        );
    }
    assert!(elsewhere.heard().is_empty());
}

#[test]
fn a_body_of_a_hundred_megabytes_is_not_read_to_its_end() {
    let body = " ".repeat(100 << 20);
    let failure = send(canned::answer("200 OK", "", &body)).unwrap_err();
    assert!(
        matches!(failure, TransportError::TooLarge { .. }),
        "{failure:?}"
    );
}

#[test]
fn a_small_body_that_inflates_beyond_the_limit_is_too_large() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..32 {
        encoder.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let body = encoder.finish().unwrap();
    assert!(body.len() < 1 << 20);
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let failure = send([head.into_bytes(), body].concat()).unwrap_err();
    assert!(
        matches!(failure, TransportError::TooLarge { .. }),
        "{failure:?}"
    );
}

#[test]
fn an_answer_that_is_cut_in_the_middle_is_no_answer() {
    let whole = canned::answer("201 Created", "", r#"{"id":"msr_1"}"#);
    for end in [10, 40, whole.len() - 3] {
        let failure = send(whole[..end].to_vec()).unwrap_err();
        assert!(
            matches!(failure, TransportError::Incomplete(_)),
            "{end}: {failure:?}"
        );
    }
    assert!(matches!(
        send(Vec::new()),
        Err(TransportError::Incomplete(_))
    ));
}

#[test]
fn a_status_that_says_it_all_counts_even_where_its_body_is_cut() {
    for status in [
        "401 Unauthorized",
        "429 Too Many Requests",
        "503 Unavailable",
    ] {
        let whole = canned::answer(status, "Retry-After: 7\r\n", "not to be read to its end");
        let answer = send(whole[..whole.len() - 5].to_vec()).unwrap();
        assert_eq!(answer.retry_after.as_deref(), Some("7"), "{status}");
    }
    let refused = canned::answer("422 Unprocessable", "", r#"{"error":{}}"#);
    let failure = send(refused[..refused.len() - 5].to_vec()).unwrap_err();
    assert!(
        matches!(failure, TransportError::Incomplete(_)),
        "{failure:?}"
    );
}

#[test]
fn nobody_there_is_told_from_nobody_answering() {
    // A port that no other test can get.
    let failure = send_to("http://127.0.0.1:1", ApiCall::Me).unwrap_err();
    let names_host = |text: &str| text.starts_with("127.0.0.1: ");
    assert!(
        matches!(&failure, TransportError::Connect(text) if names_host(text)),
        "{failure:?}"
    );
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let brief = Timeouts {
        call: Duration::from_millis(700),
        ..PATIENT
    };
    let failure = send_within(brief, &url, ApiCall::Me);
    assert_eq!(failure, Err(TransportError::TimedOut));
}

#[test]
fn a_host_without_an_address_is_a_network_failure() {
    let failure = send_to("https://service.invalid", ApiCall::Me).unwrap_err();
    assert!(
        matches!(
            failure,
            TransportError::Connect(_) | TransportError::TimedOut
        ),
        "{failure:?}"
    );
}

#[test]
fn a_peer_that_does_not_speak_tls_is_a_tls_failure() {
    let service = Canned::answering(|_| canned::answer("400 Bad Request", "", "plain HTTP here"));
    let failure = send_to(&service.https_url(), ApiCall::Me).unwrap_err();
    assert!(matches!(failure, TransportError::Tls(_)), "{failure:?}");
    assert!(
        !service.heard().concat().contains("s3cret"),
        "no token before TLS stands"
    );
}

/// `whoami` with a token of the environment against a service that answers so.
pub(crate) fn whoami(answer: Vec<u8>) -> Run {
    let stage = Stage::offline();
    let service = Canned::answering(move |_| answer.clone());
    Run::of(command(&stage, &service).output().unwrap())
}

fn command(stage: &Stage, service: &Canned) -> std::process::Command {
    let mut command = stage.bare_command(&["whoami", "--base-url", &service.url()]);
    command
        .args(["--service-version", "2026-01-15"])
        .env("GUTTERBATCH_TOKEN", "s3cret-token");
    command
}

pub(crate) fn account() -> Vec<u8> {
    let account = json!({"team": {"id": "t1", "name": "Eaves\u{1b}[31m"}, "app": {"client_id": "a1", "name": "CRM"},
        "connected_at": "2026-01-01T00:00:00Z"});
    canned::json("200 OK", &account)
}

/// A pending measurement, as `canned` makes it of the row's request.
pub(crate) fn read(id: &str) -> serde_json::Value {
    let number = 10 + id.trim_start_matches("A-").parse::<u32>().unwrap();
    canned::measurement(&json!({
        "address": {"line1": format!("{number} Elm Street"), "city": "Ottawa", "region": "ON", "postal_code": "K1A 0B1"},
        "customer": {"name": "Customer"}, "external": {"id": id},
    }))
}

#[test]
fn a_proxy_has_no_place_on_this_machine() {
    let stage = Stage::offline();
    let (service, proxy) = (
        Canned::answering(|_| account()),
        Canned::answering(|_| Vec::new()),
    );
    let mut command = command(&stage, &service);
    for variable in [
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "all_proxy",
    ] {
        command.env(variable, proxy.url());
    }
    Run::of(command.output().unwrap()).expect(0);
    assert!(proxy.heard().is_empty());
}

#[test]
fn a_machine_without_ca_certificates_still_speaks() {
    let stage = Stage::offline();
    let service = Canned::answering(|_| account());
    let mut command = command(&stage, &service);
    let nowhere = stage.path("no-such-file");
    command
        .env("SSL_CERT_FILE", &nowhere)
        .env("SSL_CERT_DIR", &nowhere);
    Run::of(command.output().unwrap()).expect(0);
}
