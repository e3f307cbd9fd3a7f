//! S3: states, their transitions and their timestamps.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use crate::sandbox::stage::{Stage, body, stage};
use crate::support::Contractor as _;

fn time(value: &Value) -> Timestamp {
    let text = value.as_str().unwrap();
    assert!(text.ends_with('Z'), "{text}");
    text.parse().unwrap()
}

async fn read(stage: &Stage, id: &str) -> Value {
    stage.get(&format!("/measurements/{id}")).await.body
}

#[tokio::test]
async fn a_measurement_goes_from_pending_over_in_progress_to_complete() {
    let stage = stage().await;
    let made = stage.create(&body("L-1")).await;
    let id = made.id();
    stage.running.advance(Duration::from_secs(10));
    stage.running.open(id).await.unwrap();
    let opened = read(&stage, id).await;
    assert_eq!(opened["status"], "in_progress");
    assert_eq!(opened["result"], Value::Null);
    assert_eq!(opened["completed_at"], Value::Null);
    assert!(time(&opened["updated_at"]) > time(&made.body["updated_at"]));
    stage.running.complete(id).unwrap();
    let complete = read(&stage, id).await;
    assert_eq!(complete["status"], "complete");
    assert_eq!(complete["completed_at"], complete["updated_at"]);
    assert!(time(&complete["updated_at"]) > time(&opened["updated_at"]));
    assert!(complete["result"].is_object());
    assert_eq!(complete["created_at"], made.body["created_at"]);
}

#[tokio::test]
async fn opening_again_changes_nothing() {
    let stage = stage().await;
    let made = stage.create(&body("L-1")).await;
    stage.running.open(made.id()).await.unwrap();
    let once = read(&stage, made.id()).await;
    stage.running.open(made.id()).await.unwrap();
    assert_eq!(read(&stage, made.id()).await, once);
}

#[tokio::test]
async fn what_is_complete_stays_complete() {
    let stage = stage().await;
    let made = stage.create(&body("L-1")).await;
    stage.running.complete(made.id()).unwrap();
    let complete = read(&stage, made.id()).await;
    assert!(stage.running.withdraw(made.id()).await.is_err());
    assert_eq!(read(&stage, made.id()).await, complete);
}

#[tokio::test]
async fn a_correction_changes_the_numbers_and_not_the_time_of_completion() {
    let stage = stage().await;
    let made = stage.create(&body("L-1")).await;
    let id = made.id();
    stage.running.complete(id).unwrap();
    let before = read(&stage, id).await;
    let spouts = [(10.04, 1), (11.25, 2)];
    stage
        .running
        .complete_with(id, 123.44, 5, &spouts)
        .await
        .unwrap();
    let after = read(&stage, id).await;
    assert_eq!(after["status"], "complete");
    assert_eq!(after["completed_at"], before["completed_at"]);
    assert!(time(&after["updated_at"]) > time(&before["updated_at"]));
    assert_eq!(after["result"]["gutter_length_ft"], 123.4);
    assert_eq!(after["result"]["corner_count"], 5);
    assert_eq!(after["result"]["downspout_count"], 2);
    assert_eq!(after["result"]["downspout_length_ft"], 21.3);
}

#[tokio::test]
async fn a_request_can_be_withdrawn_before_it_is_complete_and_not_opened_after() {
    let stage = stage().await;
    for open in [false, true] {
        let made = stage.create(&body(&format!("open {open}"))).await;
        if open {
            stage.running.open(made.id()).await.unwrap();
        }
        stage.running.withdraw(made.id()).await.unwrap();
        let withdrawn = read(&stage, made.id()).await;
        assert_eq!(withdrawn["status"], "canceled");
        assert_eq!(withdrawn["result"], Value::Null);
        assert_eq!(withdrawn["completed_at"], Value::Null);
        assert!(time(&withdrawn["updated_at"]) > time(&made.body["updated_at"]));
        assert!(stage.running.open(made.id()).await.is_err());
        assert!(stage.running.complete(made.id()).is_err());
    }
}

#[tokio::test]
async fn every_change_moves_updated_at_even_within_a_microsecond() {
    let stage = stage().await;
    let made = stage.create(&body("L-1")).await;
    let mut last = time(&made.body["updated_at"]);
    for feet in 1..50 {
        let feet = f64::from(feet);
        stage
            .running
            .complete_with(made.id(), feet, 0, &[])
            .await
            .unwrap();
        let next = time(&read(&stage, made.id()).await["updated_at"]);
        assert!(next > last);
        last = next;
    }
}

#[tokio::test]
async fn an_unknown_id_is_not_found() {
    let stage = stage().await;
    let missing = stage.get("/measurements/msr_nothing").await;
    assert_eq!((missing.status, missing.code()), (404, "not_found"));
    assert!(stage.running.open("msr_nothing").await.is_err());
}
