//! S4.5, S4.6, S8: creating and reading, every limit at its edge, and what makes a request the same request.

use std::time::Duration;

use gutterbatch::sandbox::{Country, Options};
use serde_json::{Value, json};

use crate::sandbox::stage::{Stage, body, stage, stage_with};
use crate::support::Contractor as _;
use crate::support::browser::{Decision, decide};

/// The body with one field replaced; the field's path is dotted.
fn with(field: &str, value: Value) -> Value {
    let mut body = body("edge");
    let place = match field.rsplit_once('.') {
        Some((parent, key)) => &mut body[parent][key],
        None => &mut body[field],
    };
    *place = value;
    body
}

fn without(field: &str) -> Value {
    let mut body = body("edge");
    let (parent, key) = match field.rsplit_once('.') {
        Some((parent, key)) => (&mut body[parent], key),
        None => (&mut body, field),
    };
    parent.as_object_mut().unwrap().remove(key);
    body
}

async fn faults(stage: &Stage, body: &Value) -> Vec<String> {
    let refused = stage.create(body).await;
    assert_eq!(
        (refused.status, refused.code()),
        (422, "validation_failed"),
        "{body}"
    );
    refused.fields().into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_new_measurement_is_pending_and_says_all_that_was_sent() {
    let stage = stage().await;
    let made = stage.create(&body("L-1")).await;
    assert_eq!(made.status, 201);
    let it = &made.body;
    assert!(made.id().starts_with("msr_"));
    assert_eq!(it["status"], "pending");
    assert_eq!(it["result"], Value::Null);
    assert_eq!(it["completed_at"], Value::Null);
    assert_eq!(it["created_at"], it["updated_at"]);
    assert_eq!(it["address"]["line1"], "12 Elm St");
    assert_eq!(it["address"]["line2"], Value::Null);
    assert_eq!(
        it["address"]["formatted"],
        "12 Elm St, Ottawa, ON K1A 0B1, Canada"
    );
    assert!(it["address"]["lat"].is_f64() && it["address"]["lng"].is_f64());
    let request = &it["request"];
    assert!(request["id"].as_str().unwrap().starts_with("req_"));
    assert_eq!(
        request["customer"],
        json!({"name": "Zoë Ng", "email": "zoe@example.com", "phone": "613-555-0142"})
    );
    assert_eq!(request["notes"], "Gate on the left.");
    assert_eq!(
        request["external"],
        json!({"id": "L-1", "url": "https://crm.example.com/1", "label": "CRM"})
    );
    let read = stage.get(&format!("/measurements/{}", made.id())).await;
    assert_eq!((read.status, &read.body), (200, it));
}

#[tokio::test]
async fn what_may_be_left_out_is_null_or_has_its_default() {
    let options = Options {
        team_country: Country::US,
        app_name: "Roof CRM".to_owned(),
        ..Options::default()
    };
    let stage = stage_with(options).await;
    let made = stage
        .create(&json!({
            "address": {"line1": "1 Oak Ave", "city": "Salem", "region": "OR", "postal_code": "97301"},
            "customer": {"name": "Al", "email": "al@example.com"},
        }))
        .await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.body["address"]["country"], "US");
    let request = &made.body["request"];
    assert_eq!(request["external"], Value::Null);
    assert_eq!(request["notes"], Value::Null);
    assert_eq!(request["customer"]["phone"], Value::Null);
    let mut labelled = body("L-2");
    labelled["external"] = json!({"id": "L-2"});
    let made = stage.create(&labelled).await;
    assert_eq!(
        made.body["request"]["external"],
        json!({"id": "L-2", "url": null, "label": "Roof CRM"})
    );
}

#[tokio::test]
async fn every_limit_counts_characters_and_holds_at_its_edge() {
    let stage = stage().await;
    for (field, limit) in [
        ("address.line1", 200),
        ("customer.name", 120),
        ("notes", 2000),
        ("external.id", 128),
        ("external.label", 80),
    ] {
        // Four bytes and two UTF-16 units each, but one character.
        let edge = with(field, "🏠".repeat(limit).into());
        let made = stage.create(&edge).await;
        assert!(matches!(made.status, 200 | 201), "{field}: {made:?}");
        let mut over = with(field, "🏠".repeat(limit + 1).into());
        if field != "external.id" {
            over["external"]["id"] = format!("over {field}").into();
        }
        assert_eq!(faults(&stage, &over).await, [field]);
    }
}

#[tokio::test]
async fn fields_without_a_documented_limit_take_any_length() {
    let stage = stage().await;
    for field in [
        "address.line2",
        "address.city",
        "address.region",
        "address.postal_code",
        "customer.email",
        "customer.phone",
    ] {
        let mut long = with(field, "x".repeat(3000).into());
        long["external"]["id"] = field.into();
        assert_eq!(stage.create(&long).await.status, 201, "{field}");
    }
}

#[tokio::test]
async fn each_required_field_is_missed_when_missing_null_or_blank() {
    let stage = stage().await;
    for field in [
        "address.line1",
        "address.city",
        "address.region",
        "address.postal_code",
        "customer.name",
    ] {
        assert_eq!(faults(&stage, &without(field)).await, [field]);
        assert_eq!(faults(&stage, &with(field, Value::Null)).await, [field]);
        assert_eq!(faults(&stage, &with(field, "  ".into())).await, [field]);
    }
    assert_eq!(faults(&stage, &without("address")).await, ["address"]);
    assert_eq!(faults(&stage, &without("customer")).await, ["customer"]);
}

#[tokio::test]
async fn each_field_of_a_wrong_type_is_named() {
    let stage = stage().await;
    for field in [
        "address.line1",
        "address.line2",
        "address.city",
        "address.region",
        "address.postal_code",
        "address.country",
        "customer.name",
        "customer.email",
        "customer.phone",
        "notes",
        "external.id",
        "external.url",
        "external.label",
    ] {
        for value in [json!(7), json!(true), json!(["x"]), json!({"x": 1})] {
            assert_eq!(faults(&stage, &with(field, value)).await, [field]);
        }
    }
    for field in ["address", "customer", "external"] {
        assert_eq!(faults(&stage, &with(field, json!("x"))).await, [field]);
    }
}

#[tokio::test]
async fn an_email_or_a_phone_is_enough_and_one_is_needed() {
    let stage = stage().await;
    for (index, field) in ["customer.email", "customer.phone"].iter().enumerate() {
        let mut body = without(field);
        body["external"]["id"] = index.into();
        body["external"]["id"] = format!("contact {index}").into();
        assert_eq!(stage.create(&body).await.status, 201, "{field}");
    }
    let mut neither = body("neither");
    neither["customer"] = json!({"name": "Al", "email": " ", "phone": null});
    let refused = stage.create(&neither).await;
    assert_eq!(refused.fields(), ["customer"]);
    assert_eq!(
        refused.body["error"]["errors"][0]["message"],
        "email or phone is required"
    );
}

#[tokio::test]
async fn only_ca_and_us_and_only_https_links_pass() {
    let stage = stage().await;
    for country in ["ca", "Canada", "MX", ""] {
        let body = with("address.country", country.into());
        assert_eq!(faults(&stage, &body).await, ["address.country"]);
    }
    for url in [
        "http://crm.example.com/1",
        "crm.example.com",
        "https://",
        "javascript:x",
        "",
    ] {
        let body = with("external.url", url.into());
        assert_eq!(faults(&stage, &body).await, ["external.url"], "{url}");
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored() {
    let stage = stage().await;
    let mut extended = body("L-1");
    extended["color"] = json!("red");
    extended["address"]["planet"] = json!(3);
    assert_eq!(stage.create(&extended).await.status, 201);
}

#[tokio::test]
async fn what_is_no_json_object_is_a_fault_of_the_body() {
    let stage = stage().await;
    let post = |content_type: &str, text: &str| {
        let request = stage.signed(stage.client.post(stage.url("/measurements")));
        request
            .header("content-type", content_type)
            .body(text.to_owned())
    };
    for (content_type, text) in [
        ("application/json", ""),
        ("application/json", "{"),
        ("application/json", "[]"),
        ("application/json", "null"),
        ("application/json", "\u{feff}{}"),
        ("text/plain", "{}"),
        ("application/x-www-form-urlencoded", "a=b"),
    ] {
        let refused = stage.send(post(content_type, text)).await;
        assert_eq!(refused.status, 422, "{content_type} {text}");
        assert_eq!(refused.fields(), ["body"], "{content_type} {text}");
    }
    let good = body("L-1").to_string();
    let made = post("Application/JSON; charset=utf-8", &good);
    assert_eq!(stage.send(made).await.status, 201);
    let huge = post("application/json", &" ".repeat(2 << 20));
    assert_eq!(stage.send(huge).await.fields(), ["body"]);
}

#[tokio::test]
async fn a_known_external_id_answers_with_the_original_and_ignores_all_else() {
    let stage = stage().await;
    let original = stage.create(&body("L-1")).await;
    let mut changed = body("L-1");
    changed["address"]["line1"] = json!("99 Other Rd");
    for repeat in [
        changed,
        json!({"external": {"id": "L-1"}}),
        json!({"external": {"id": "L-1", "url": 7}, "address": "nonsense"}),
    ] {
        let again = stage.create(&repeat).await;
        assert_eq!(
            (again.status, &again.body),
            (200, &original.body),
            "{repeat}"
        );
    }
    assert_eq!(stage.running.measurements().len(), 1);
}

#[tokio::test]
async fn a_withdrawn_measurement_keeps_its_external_id() {
    let stage = stage().await;
    let original = stage.create(&body("L-1")).await;
    stage.running.withdraw(original.id()).await.unwrap();
    let again = stage.create(&body("L-1")).await;
    assert_eq!((again.status, again.id()), (200, original.id()));
    assert_eq!(again.body["status"], "canceled");
}

#[tokio::test]
async fn external_ids_differ_by_every_character() {
    let stage = stage().await;
    for id in ["L-1", "l-1", "L-1 ", "L-１"] {
        assert_eq!(stage.create(&body(id)).await.status, 201, "{id:?}");
    }
}

#[tokio::test]
async fn without_an_external_id_every_call_makes_a_new_one() {
    let stage = stage().await;
    let bare = without("external");
    let first = stage.create(&bare).await;
    let second = stage.create(&bare).await;
    assert_eq!((first.status, second.status), (201, 201));
    assert_ne!(first.id(), second.id());
}

#[tokio::test]
async fn simultaneous_creations_of_one_id_make_one_measurement() {
    let stage = stage().await;
    for round in 0..10 {
        let body = body(&format!("round {round}"));
        let calls = (0..8).map(|_| stage.create(&body));
        let answers = futures::future::join_all(calls).await;
        let created = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(created, 1, "{answers:?}");
        assert!(answers.iter().all(|answer| answer.id() == answers[0].id()));
    }
    assert_eq!(stage.running.measurements().len(), 10);
}

#[tokio::test]
async fn another_team_reaches_neither_the_measurement_nor_its_external_id() {
    let options = Options {
        team_names: ["Evergreen Gutters", "Second & Co"]
            .map(str::to_owned)
            .to_vec(),
        ..Options::default()
    };
    let stage = stage_with(options).await;
    let mine = stage.create(&body("L-1")).await;
    let token = second_token(&stage).await;
    let path = format!("/measurements/{}", mine.id());
    assert_eq!(stage.get_as(&token, &path).await.code(), "not_found");
    let version = &stage.running.connection_info().service_version;
    let post = stage.client.post(stage.url("/measurements"));
    let post = post.bearer_auth(&token).header("service-version", version);
    let refused = stage.send(post.json(&body("L-1"))).await;
    assert_eq!(
        (refused.status, refused.fields()),
        (422, vec!["external.id"])
    );
    // The first team's own connection is untouched.
    assert_eq!(stage.get(&path).await.status, 200);
}

/// Connects the second team through a browser that lands at a listener of ours.
async fn second_token(stage: &Stage) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let redirect = format!("http://{}/callback", listener.local_addr().unwrap());
    let url = stage.authorize_url(&[("redirect_uri", &redirect)]);
    let landing = async {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (mut browser, _) = listener.accept().await.unwrap();
        let mut request = vec![0; 4096];
        let length = browser.read(&mut request).await.unwrap();
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        browser.write_all(answer.as_bytes()).await.unwrap();
        String::from_utf8(request[..length].to_vec()).unwrap()
    };
    let consent = decide(&url, Some("Second & Co"), Decision::Allow);
    let ((), request) = tokio::join!(consent, landing);
    let path = request.split(' ').nth(1).unwrap();
    let back = url::Url::parse("http://127.0.0.1/")
        .unwrap()
        .join(path)
        .unwrap();
    let code = crate::sandbox::stage::query(&back, "code").unwrap();
    let granted = stage.exchange(&code, &[("redirect_uri", &redirect)]).await;
    assert_eq!(granted.body["team"]["name"], "Second & Co");
    granted.body["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_same_seed_and_external_id_give_the_same_measurement_id() {
    let id = || async {
        let stage = stage().await;
        stage.running.advance(Duration::from_secs(1));
        stage.create(&body("L-1")).await.id().to_owned()
    };
    assert_eq!(id().await, id().await);
}
