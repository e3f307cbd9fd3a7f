//! Responses with their expected verdicts; those that are sent again are in `retries.rs`.

mod retries;

use std::collections::BTreeMap;

use gutterbatch::api::{
    ApiCall, Attempt, FatalResponse, HttpResponse, TransportError, Verdict, is_service_response,
    verdict,
};
use gutterbatch::model::{Address, CreationStatus, Customer, Request, ResponseMeaning};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

fn request() -> Request {
    Request {
        external_id: "A-1".to_owned(),
        address: Address {
            line1: "4-12 Elm St".to_owned(),
            line2: None,
            city: "Ottawa".to_owned(),
            region: "ON".to_owned(),
            postal_code: "k1a0b1".to_owned(),
            country: None,
        },
        customer: Customer {
            name: "Zoë".to_owned(),
            email: None,
            phone: Some("+1 613 555 0100".to_owned()),
        },
        notes: None,
        url: None,
        label: None,
    }
}

const READ: ApiCall<'_> = ApiCall::Read {
    measurement_id: "msr_1",
    external_id: "A-1",
};

fn measurement() -> Value {
    json!({
        "id": "msr_1", "status": "pending",
        "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-02T03:04:05Z", "completed_at": null,
        "address": {"line1": "12 Elm Street", "line2": null, "city": "Ottawa", "region": "ON",
            "postal_code": "K1A 0B1", "country": "CA", "formatted": "12 Elm St", "lat": 45.4, "lng": -75.0},
        "request": {"id": "req_1", "created_at": "2026-01-02T03:04:05Z", "customer": {"name": "Z"},
            "notes": null, "external": {"id": "A-1"}, "url": "https://s.example/1"},
        "result": null
    })
}

fn edited(pointer: &str, value: Value) -> String {
    let mut json = measurement();
    *json.pointer_mut(pointer).unwrap() = value;
    json.to_string()
}

/// The values of a measurement in the order of its fields, without their names.
fn as_array() -> String {
    let json = measurement();
    let fields = "id status created_at updated_at completed_at address request result";
    let values: Vec<Value> = fields.split(' ').map(|field| json[field].clone()).collect();
    Value::from(values).to_string()
}

fn error(code: &str) -> String {
    json!({"error": {"code": code, "message": "so it is"}}).to_string()
}

fn answer(status: u16, body: &str) -> HttpResponse {
    HttpResponse {
        status,
        retry_after: None,
        date: None,
        location: None,
        body: body.as_bytes().to_vec(),
    }
}

fn attempt(number: u32) -> Attempt {
    Attempt {
        number,
        ended_at: "2026-11-21T06:00:00Z".parse().unwrap(),
    }
}

fn decide(
    call: ApiCall<'_>,
    result: &Result<HttpResponse, TransportError>,
    number: u32,
) -> Verdict {
    verdict(call, result, attempt(number), &mut StdRng::seed_from_u64(1))
}

fn decide_response(call: ApiCall<'_>, status: u16, body: &str) -> Verdict {
    decide(call, &Ok(answer(status, body)), 1)
}

fn created(status: u16, body: &str) -> Verdict {
    decide_response(ApiCall::Create(&request()), status, body)
}

/// The name of a verdict, for tables.
fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Account(_) => "account",
        Verdict::Means(ResponseMeaning::Accepted {
            creation: CreationStatus::Created,
            ..
        }) => "created",
        Verdict::Means(ResponseMeaning::Accepted {
            creation: CreationStatus::Existing,
            ..
        }) => "existing",
        Verdict::Means(ResponseMeaning::Conflict(..)) => "conflict",
        Verdict::Means(ResponseMeaning::Read(_)) => "read",
        Verdict::Means(ResponseMeaning::NotFound { .. }) => "gone",
        Verdict::Means(ResponseMeaning::Refused(_)) => "refused",
        Verdict::Means(ResponseMeaning::RateLimited { .. }) => "limited",
        Verdict::Retry { .. } => "again",
        Verdict::Exhausted { .. } => "exhausted",
        Verdict::Fatal(FatalResponse::Unauthorized) => "stop: unauthorized",
        Verdict::Fatal(FatalResponse::Version { .. }) => "stop: version",
        Verdict::Fatal(FatalResponse::NotImplemented) => "stop: not implemented",
        Verdict::Fatal(FatalResponse::Redirected { .. }) => "stop: redirected",
        Verdict::Fatal(FatalResponse::Unexpected { .. }) => "stop: unexpected",
    }
}

#[test]
fn a_creation_that_agrees_with_its_row_is_accepted() {
    let body = measurement().to_string();
    assert_eq!(name(&created(201, &body)), "created");
    assert_eq!(name(&created(200, &body)), "existing");
}

#[test]
fn another_house_under_the_rows_id_is_a_conflict() {
    for (pointer, value) in [
        ("/address/line1", json!("14 Elm Street")),
        ("/address/postal_code", json!("K1A 0B2")),
    ] {
        let body = edited(pointer, value);
        assert_eq!(name(&created(200, &body)), "conflict", "{pointer}");
        assert_eq!(name(&created(201, &body)), "conflict", "{pointer}");
    }
}

#[test]
fn a_creation_whose_body_is_not_the_services_is_sent_again() {
    let whole = measurement().to_string();
    for (what, body) in [
        ("nothing", String::new()),
        ("HTML", "<html>Welcome to the hotel</html>".to_owned()),
        ("a cut response", whole[..whole.len() / 2].to_owned()),
        ("other JSON", "{}".to_owned()),
        ("its values in an array", as_array()),
        ("an error", error("server_error")),
        ("a request's id", edited("/id", json!("req_1"))),
        ("no id", edited("/id", Value::Null)),
        ("another row", edited("/request/external/id", json!("A-2"))),
        ("a number out of range", whole.replace("45.4", "1e999")),
        ("nobody's row", edited("/request/external", Value::Null)),
        ("a status of its own", edited("/status", json!("paused"))),
    ] {
        assert_eq!(name(&created(201, &body)), "again", "{what}");
        assert_eq!(name(&created(200, &body)), "again", "{what}");
    }
}

#[test]
fn an_id_that_came_back_composed_is_the_id_that_was_sent() {
    let mut request = request();
    request.external_id = "Rene\u{301}e-1".to_owned();
    let body = edited("/request/external/id", json!("Ren\u{e9}e-1"));
    assert_eq!(
        name(&decide_response(ApiCall::Create(&request), 201, &body)),
        "created"
    );
    let read = ApiCall::Read {
        measurement_id: "msr_1",
        external_id: &request.external_id,
    };
    assert_eq!(name(&decide_response(read, 200, &body)), "read");
    let other = edited("/request/external/id", json!("Renee-1"));
    assert_eq!(name(&decide_response(read, 200, &other)), "again");
}

#[test]
fn a_byte_order_mark_before_the_json_is_passed_over() {
    let marked = |body: &str| format!("\u{feff}{body}");
    let body = marked(&measurement().to_string());
    assert_eq!(name(&created(201, &body)), "created");
    assert_eq!(
        name(&decide_response(READ, 404, &marked(&error("not_found")))),
        "gone"
    );
    assert!(answer(200, &body).text().starts_with('{'));
}

#[test]
fn a_number_out_of_range_is_named_by_its_place() {
    let body = measurement().to_string().replace("45.4", "1e999");
    let Verdict::Retry { reason, .. } = created(201, &body) else {
        panic!("not again");
    };
    assert!(
        reason.ends_with("the number at line 1, column 78 is too large"),
        "{reason}"
    );
}

#[test]
fn an_undocumented_success_is_retried() {
    let body = measurement().to_string();
    for status in [202, 203, 204, 206, 299] {
        assert_eq!(name(&created(status, &body)), "again", "{status}");
    }
    assert_eq!(name(&decide_response(READ, 201, &body)), "again");
}

#[test]
fn a_read_has_the_requested_measurement() {
    assert_eq!(
        name(&decide_response(READ, 200, &measurement().to_string())),
        "read"
    );
    let silent = edited("/request/external", Value::Null);
    assert_eq!(name(&decide_response(READ, 200, &silent)), "read");
    let another = edited("/id", json!("msr_2"));
    assert_eq!(name(&decide_response(READ, 200, &another)), "again");
    let another = edited("/request/external/id", json!("A-2"));
    assert_eq!(name(&decide_response(READ, 200, &another)), "again");
}

#[test]
fn an_answer_of_the_service_that_cannot_be_used_is_told_from_any_other_body() {
    let is_service_response =
        |status, body: &str| is_service_response(READ, &Ok(answer(status, body)));
    assert!(is_service_response(
        200,
        &edited("/completed_at", json!("2026-11-8T10:00:00Z"))
    ));
    for body in ["<html>", "{}", r#"{"id": "msr_2"}"#, r#"{"id": "msr_1""#] {
        assert!(!is_service_response(200, body), "{body}");
    }
    assert!(!is_service_response(502, r#"{"id": "msr_1"}"#));
}

#[test]
fn a_measurement_is_gone_on_the_services_own_word_alone() {
    assert_eq!(
        decide_response(READ, 404, &error("not_found")),
        Verdict::Means(ResponseMeaning::NotFound {
            measurement_id: "msr_1".to_owned()
        })
    );
    assert_eq!(
        name(&decide_response(READ, 404, "<h1>404</h1>")),
        "stop: unexpected"
    );
    assert_eq!(
        name(&decide_response(READ, 404, &error("no_route"))),
        "stop: unexpected"
    );
    assert_eq!(name(&created(404, &error("not_found"))), "stop: unexpected");
    assert_eq!(
        name(&decide_response(ApiCall::Me, 404, &error("not_found"))),
        "stop: unexpected"
    );
}

#[test]
fn a_refusal_has_the_messages_of_the_service() {
    let body = r#"{"error":{"code":"validation_failed","message":"no","errors":[
        {"field":"customer","message":"email or phone is required"},{"field":"address.planet","message":"?"}]}}"#;
    let Verdict::Means(ResponseMeaning::Refused(errors)) = created(422, body) else {
        panic!("not refused");
    };
    assert_eq!(errors[0].field, "customer");
    assert_eq!(errors[1].field, "address.planet");
    let Verdict::Means(ResponseMeaning::Refused(errors)) =
        created(422, &error("validation_failed"))
    else {
        panic!("not refused");
    };
    assert_eq!(errors[0].message, "so it is");
}

#[test]
fn a_422_that_is_not_the_services_refuses_no_row() {
    for body in ["", "<html>", "{}", r#"{"detail":"x"}"#, &error("not_found")] {
        assert_eq!(name(&created(422, body)), "stop: unexpected", "{body}");
    }
    let body = error("validation_failed");
    assert_eq!(name(&decide_response(READ, 422, &body)), "stop: unexpected");
}

#[test]
fn a_version_problem_names_its_code() {
    let Verdict::Fatal(FatalResponse::Version { code, message }) =
        decide_response(ApiCall::Me, 400, &error("unsupported_version"))
    else {
        panic!("no version problem");
    };
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("unsupported_version", "so it is")
    );
    assert_eq!(name(&created(400, "bad request")), "stop: unexpected");
}

#[test]
fn an_unexpected_answer_is_shown_printable_and_short() {
    let long = format!("<b>\u{1b}[31m {}</b>", "x".repeat(5000));
    let Verdict::Fatal(FatalResponse::Unexpected {
        status,
        excerpt: shown,
        ..
    }) = created(405, &long)
    else {
        panic!("no stop");
    };
    assert_eq!(status, 405);
    assert!(shown.starts_with("<b> [31m xxx") && shown.chars().count() == 200);
}

#[test]
fn a_redirect_says_where_to_and_goes_nowhere() {
    let result = Ok(HttpResponse {
        location: Some("https://elsewhere.example/".to_owned()),
        ..answer(302, "")
    });
    let Verdict::Fatal(FatalResponse::Redirected { location }) = decide(ApiCall::Me, &result, 1)
    else {
        panic!("no redirect");
    };
    assert_eq!(location.as_deref(), Some("https://elsewhere.example/"));
}

#[test]
fn an_account_is_the_answer_to_me_alone() {
    let body = r#"{"team":{"id":"t1","name":"Eaves"},"app":{"client_id":"c1","name":"CRM"},
        "connected_at":"2026-01-02T03:04:05Z"}"#;
    assert_eq!(name(&decide_response(ApiCall::Me, 200, body)), "account");
    assert_eq!(name(&created(200, body)), "again");
}

/// Every status that IANA lists, with an empty body, on a creation.
#[test]
fn every_standard_status_has_its_line() {
    let mut table: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    let standard = |status: &u16| {
        let status = reqwest::StatusCode::from_u16(*status).unwrap();
        status.canonical_reason().is_some()
    };
    for status in (200..600).filter(standard) {
        let line = table.entry(name(&created(status, ""))).or_default();
        line.push(status);
    }
    let lines = table.iter().map(|(name, statuses)| {
        let statuses: Vec<_> = statuses.iter().map(u16::to_string).collect();
        format!("{name}: {}", statuses.join(" "))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r"
        again: 200 201 202 203 204 205 206 207 208 226 500 502 503 504 505 506 507 508 510 511
        limited: 429
        stop: not implemented: 501
        stop: redirected: 300 301 302 303 304 305 307 308
        stop: unauthorized: 401
        stop: unexpected: 400 402 403 404 405 406 407 408 409 410 411 412 413 414 415 416 417 418 421 422 423 424 425 426 428 431 451
    ");
}

proptest! {
    #[test]
    fn no_answer_panics_and_every_other_4xx_stops(
        status in 100_u16..1000,
        body in prop_oneof![".*", any::<Vec<u8>>().prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())],
        retry_after in proptest::option::of("[0-9a-zA-Z:, -]{0,40}"),
        number in 0_u32..10,
    ) {
        let request = request();
        for call in [ApiCall::Me, ApiCall::Create(&request), READ] {
            let result = Ok(HttpResponse { retry_after: retry_after.clone(), ..answer(status, &body) });
            let verdict = decide(call, &result, number);
            if (400..500).contains(&status) && status != 429 {
                prop_assert!(matches!(verdict, Verdict::Fatal(_)), "{status}: {verdict:?}");
            }
        }
    }
}
