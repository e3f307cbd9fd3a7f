//! Answers that no service should give, as the client meets them on the wire and as a person reads of them.

use std::io::Write;
use std::net::TcpListener;
use std::time::Duration;

use gutterbatch::api::{ApiCall, ApiClient, BearerToken, HttpResponse, Timeouts, TransportError};
use serde_json::json;

use crate::import::sheet;
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
    assert!(matches!(failure, TransportError::Connect(_)), "{failure:?}");
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
fn whoami(answer: Vec<u8>) -> Run {
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

fn account() -> Vec<u8> {
    let account = json!({"team": {"id": "t1", "name": "Eaves\u{1b}[31m"}, "app": {"client_id": "a1", "name": "CRM"},
        "connected_at": "2026-01-01T00:00:00Z"});
    canned::json("200 OK", &account)
}

fn failed(status: &str, code: &str) -> Vec<u8> {
    canned::json(
        status,
        &json!({"error": {"code": code, "message": "so it is"}}),
    )
}

#[test]
fn a_401_ends_with_5_and_the_way_back() {
    let run = whoami(failed("401 Unauthorized", "unauthorized")).expect(5);
    assert!(run.stderr.contains("gutterbatch connect"), "{}", run.stderr);
    whoami(canned::answer("401 Unauthorized", "", "<html>")).expect(5);
}

#[test]
fn what_is_not_the_service_ends_with_9() {
    for answer in [
        failed("400 Bad Request", "missing_version"),
        failed("400 Bad Request", "unsupported_version"),
        failed("404 Not Found", "not_found"),
        canned::answer("404 Not Found", "", "<html>"),
        canned::answer("405 Method Not Allowed", "", ""),
        canned::answer("403 Forbidden", "", ""),
        canned::answer("422 Unprocessable Content", "", ""),
        canned::answer("302 Found", "Location: https://elsewhere.example/\r\n", ""),
        failed("501 Not Implemented", "not_implemented"),
    ] {
        let shown = String::from_utf8_lossy(&answer).into_owned();
        let run = whoami(answer);
        assert_eq!(run.code, Some(9), "{shown}\n{}", run.stderr);
        assert!(!run.stderr.contains("s3cret"), "{}", run.stderr);
    }
}

#[test]
fn a_service_that_asks_for_more_than_a_minute_ends_with_4() {
    for retry_after in ["61", "99999", "Fri, 31 Dec 2027 23:59:59 GMT"] {
        let run = whoami(canned::answer(
            "429 Too Many Requests",
            &format!("Retry-After: {retry_after}\r\n"),
            "",
        ));
        assert_eq!(run.code, Some(4), "{retry_after}\n{}", run.stderr);
    }
}

#[test]
fn every_command_waits_out_a_pause_of_a_minute_or_less() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..2));
    // Each call is refused once.
    let refused = std::sync::Mutex::new(std::collections::BTreeSet::new());
    let service = Canned::answering(move |request| {
        let call = request.lines().next().unwrap().to_owned();
        if refused.lock().unwrap().insert(call.clone()) {
            return canned::answer("429 Too Many Requests", "Retry-After: 1\r\n", "");
        }
        if let Some(id) = call.strip_prefix("GET /measurements/msr_") {
            let id = id.split(' ').next().unwrap();
            return canned::json("200 OK", &read(id));
        }
        canned::healthy(request)
    });
    for args in [
        &["whoami"][..],
        &["import", "leads.csv", "--no-wait"],
        &["export", "results.csv"],
    ] {
        let run = Run::of(stage.against(&service, args).output().unwrap()).expect(0);
        assert!(!run.stderr.contains("error:"), "{}", run.stderr);
    }
    let limited = |call: &str| {
        let heard = service.heard();
        heard.iter().filter(|one| one.starts_with(call)).count()
    };
    assert!(
        limited("GET /measurements/msr_A-1 ") == 2,
        "{:?}",
        service.heard()
    );
}

/// A pending measurement, as `canned` makes it of the row's request.
fn read(id: &str) -> serde_json::Value {
    let number = 10 + id.trim_start_matches("A-").parse::<u32>().unwrap();
    canned::measurement(&json!({
        "address": {"line1": format!("{number} Elm Street"), "city": "Ottawa", "region": "ON", "postal_code": "K1A 0B1"},
        "customer": {"name": "Customer"}, "external": {"id": id},
    }))
}

#[test]
fn ids_marks_and_numbers_may_be_written_in_another_way() {
    let stage = Stage::offline();
    let id = "Rene\u{301}e-1";
    stage.file("leads.csv", sheet(1..2).replace("A-1,", &format!("{id},")));
    let complete = json!({
        "gutter_length_ft": 120, "gutter_size_in": 5, "corner_count": 4.0, "downspout_count": 1.0,
        "downspout_length_ft": 11, "downspouts": [{ "length_ft": 11, "floors": 2.0, "size_in": 3 }],
        "installer_message": null, "asset_pack": [],
    });
    let service = Canned::answering(move |request| {
        if request.starts_with("GET /me ") {
            return marked("200 OK", &canned::account());
        }
        let mut measurement = read("1");
        measurement["address"]["line1"] = "11 Elm Street".into();
        measurement["request"]["external"]["id"] = "Ren\u{e9}e-1".into();
        if request.starts_with("POST") {
            return marked("201 Created", &measurement);
        }
        measurement["status"] = "complete".into();
        measurement["completed_at"] = "2026-11-21T09:00:00Z".into();
        measurement["result"] = complete.clone();
        marked("200 OK", &measurement)
    });
    let run = |args: &[&str]| Run::of(stage.against(&service, args).output().unwrap()).expect(0);
    let imported = run(&["import", "leads.csv", "--json"]).json();
    assert_eq!(imported["outcomes"]["created"], 1);
    run(&["export", "results.json"]);
    let results = std::fs::read_to_string(stage.path("results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    let one = &results[0];
    assert_eq!(
        (&one["external_id"], &one["corner_count"]),
        (&id.into(), &4.into()),
        "{results}"
    );
    assert_eq!(one["downspouts"][0]["floors"], 2);
    assert_eq!(
        run(&["import", "leads.csv", "--json"]).json()["requests"]["total"],
        0
    );
}

/// JSON behind a byte order mark.
fn marked(status: &str, body: &serde_json::Value) -> Vec<u8> {
    canned::answer(
        status,
        "Content-Type: application/json\r\n",
        &format!("\u{feff}{body}"),
    )
}

#[test]
fn a_name_from_the_service_cannot_drive_the_terminal() {
    let run = whoami(account()).expect(0);
    assert!(run.stdout.contains("Eaves [31m"), "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}'));
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
