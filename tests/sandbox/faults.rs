//! The faults of `--faults FILE`: each as a client meets it, and what the service holds afterwards.

use gutterbatch::sandbox::{Error, Faults, Options};
use serde_json::Value;

use crate::sandbox::stage::{Stage, body, stage, stage_with};

async fn under(rule: &str) -> Stage {
    let faults = format!(r#"{{"rules": [{rule}]}}"#).parse().unwrap();
    let options = Options {
        faults: Some(faults),
        ..Options::default()
    };
    stage_with(options).await
}

async fn post(stage: &Stage, id: &str) -> reqwest::Result<reqwest::Response> {
    let request = stage.signed(stage.client.post(stage.url("/measurements")));
    request.json(&body(id)).send().await
}

#[tokio::test]
async fn a_status_comes_with_its_retry_after_and_nothing_is_made() {
    let rule = r#"{"do": "status", "status": 429, "retry_after": "Sat, 21 Nov 2026 08:00:00 GMT", "nth": [1]}"#;
    let stage = under(rule).await;
    let refused = stage.create(&body("a")).await;
    assert_eq!((refused.status, refused.code()), (429, "rate_limited"));
    assert_eq!(
        refused.header("retry-after"),
        Some("Sat, 21 Nov 2026 08:00:00 GMT")
    );
    assert!(stage.running.measurements().is_empty());
    assert_eq!(stage.create(&body("a")).await.status, 201);
}

#[tokio::test]
async fn a_handled_status_hides_that_something_was_made() {
    let stage = under(r#"{"do": "status", "status": 500, "handled": true, "times": 1}"#).await;
    assert_eq!(stage.create(&body("a")).await.code(), "server_error");
    assert_eq!(stage.running.measurements().len(), 1);
    assert_eq!(stage.create(&body("a")).await.status, 200);
}

#[tokio::test]
async fn gateways_answer_in_their_own_words() {
    for status in [502, 503, 504] {
        let stage = under(&format!(r#"{{"do": "status", "status": {status}}}"#)).await;
        let answer = post(&stage, "a").await.unwrap();
        assert_eq!(answer.status().as_u16(), status);
        let text = answer.text().await.unwrap();
        assert!(serde_json::from_str::<Value>(&text).is_err(), "{text}");
    }
}

#[tokio::test]
async fn a_dropped_connection_answers_nothing() {
    for (rule, held) in [
        (r#"{"do": "drop", "times": 1}"#, 0),
        (r#"{"do": "drop", "times": 1, "handled": true}"#, 1),
    ] {
        let stage = under(rule).await;
        assert!(post(&stage, "a").await.is_err(), "{rule}");
        assert_eq!(stage.running.measurements().len(), held, "{rule}");
        assert_eq!(stage.running.calls()[0].status, None);
        assert!(post(&stage, "a").await.is_ok());
        assert_eq!(stage.running.measurements().len(), 1);
    }
}

#[tokio::test]
async fn a_cut_body_breaks_off_in_the_middle() {
    let stage = under(r#"{"do": "cut_body", "times": 1}"#).await;
    let answer = post(&stage, "a").await.unwrap();
    assert_eq!(answer.status().as_u16(), 201);
    assert!(answer.text().await.is_err());
    assert_eq!(stage.running.measurements().len(), 1);
}

#[tokio::test]
async fn a_page_comes_with_200() {
    let stage = under(r#"{"do": "html"}"#).await;
    let answer = post(&stage, "a").await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
    assert!(
        answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/html")
    );
}

#[tokio::test]
async fn a_measurement_comes_without_its_id_or_as_another_one() {
    let stage = under(
        r#"{"do": "no_id", "external_id": "a"}, {"do": "other_measurement", "external_id": "c"}"#,
    )
    .await;
    let bare = stage.create(&body("a")).await;
    assert_eq!((bare.status, &bare.body["id"]), (201, &Value::Null));
    let true_one = stage.create(&body("b")).await;
    let other = stage.create(&body("c")).await;
    assert_eq!((other.status, other.id()), (201, true_one.id()));
    assert_eq!(stage.running.measurements().len(), 3);
}

#[tokio::test]
async fn a_redirect_leads_where_it_is_told() {
    let stage = under(r#"{"do": "redirect", "to": "https://login.example.com/"}"#).await;
    let answer = post(&stage, "a").await.unwrap();
    assert_eq!(answer.status().as_u16(), 302);
    assert_eq!(answer.headers()["location"], "https://login.example.com/");
}

#[tokio::test]
async fn the_token_dies_when_told() {
    let stage = under(r#"{"do": "revoke", "nth": [2]}"#).await;
    assert_eq!(stage.get("/me").await.status, 200);
    assert_eq!(stage.get("/me").await.code(), "unauthorized");
    assert_eq!(stage.get("/me").await.code(), "unauthorized");
}

#[tokio::test]
async fn fields_and_kinds_of_a_later_day_come_beside_the_known_ones() {
    let stage = under(r#"{"do": "unknown_fields", "method": "GET"}"#).await;
    let id = stage.create(&body("a")).await.id().to_owned();
    stage.running.complete(&id).unwrap();
    let later = stage.get(&format!("/measurements/{id}")).await.body;
    assert_eq!(later["result"]["asset_pack"][0]["kind"], "thermal");
    assert_eq!(later["revision"]["number"], 7);
    assert_eq!(later["status"], "complete");
}

#[tokio::test]
async fn faults_reach_the_token_endpoints_too() {
    let stage = under(r#"{"do": "status", "status": 503, "path": "/oauth/token"}"#).await;
    assert_eq!(stage.form("/oauth/token", &[]).await.status, 503);
}

#[tokio::test]
async fn faults_can_be_changed_while_it_runs() {
    let stage = stage().await;
    let faults: Faults = r#"{"rules": [{"do": "status", "status": 500}]}"#.parse().unwrap();
    stage.running.set_faults(Some(faults));
    assert_eq!(stage.get("/me").await.status, 500);
    stage.running.set_faults(None);
    assert_eq!(stage.get("/me").await.status, 200);
}

#[test]
fn a_file_that_cannot_be_read_or_understood_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("faults.json");
    assert!(matches!(Faults::read(&path), Err(Error::FaultsFile { .. })));
    std::fs::write(&path, "{\"rules\": [{\"do\": \"explode\"}]}").unwrap();
    let Err(error) = Faults::read(&path) else {
        panic!("this is no rule")
    };
    assert!(error.to_string().contains("explode"), "{error}");
}
