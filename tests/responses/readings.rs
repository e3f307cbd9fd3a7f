//! A reading is held against its request: another house's address under the right id is billed to nobody.

use std::fs;

use serde_json::{Value, json};

use crate::billing::adjustments::completed;
use crate::support::{Scripted, Stage};

/// From now on the service answers for an id with another house and its numbers.
fn move_house(service: &Scripted, id: &str) {
    service.rewrite(id, |measurement| {
        measurement["address"]["line1"] = "99 Oak Street".into();
        measurement["result"]["gutter_length_ft"] = 999.5.into();
        measurement["request"]["customer"]["name"] = "Somebody Else".into();
    });
}

fn move_back(service: &Scripted, id: &str) {
    service.rewrite(id, |measurement| {
        measurement["address"]["line1"] = "10 Elm Street".into();
        measurement["result"]["gutter_length_ft"] = 120.5.into();
        measurement["request"]["customer"]["name"] = "Customer 0".into();
    });
}

fn line(stage: &Stage, id: &str) -> Value {
    let words = ["export", "-", "--format", "json", "--offline"];
    let lines: Value = serde_json::from_str(&stage.run(&words).stdout).unwrap();
    let mut lines = lines.as_array().unwrap().clone().into_iter();
    lines.find(|line| line["external_id"] == id).unwrap()
}

fn column(stage: &Stage, file: &str, sheet: &str, header: &str) -> Vec<String> {
    let rows = crate::workbook::table(&fs::read(stage.path(file)).unwrap(), sheet);
    let at = rows[0].iter().position(|cell| cell == header).unwrap();
    rows[1..].iter().map(|row| row[at].to_string()).collect()
}

#[test]
fn a_reading_of_another_house_is_not_billed_until_the_addresses_agree() {
    let (service, stage) = completed();
    move_house(&service, "A-0");
    let run = stage
        .run(&["export", "one.xlsx", "--new", "--json"])
        .expect(3);
    let document = run.json();
    assert_eq!(
        (&document["sealed"], &document["completed"]),
        (&1.into(), &1.into())
    );
    assert_eq!(document["other_addresses"][0]["external_id"], "A-0");
    let sentence = "warning: A-0: requested for 10 Elm Street, Ottawa, ON K1A 0B1, but the service's last response has another address: 99 Oak Street, Ottawa, ON K1A 0B1";
    assert!(run.stderr.contains(sentence), "{}", run.stderr);
    assert_eq!(
        column(&stage, "one.xlsx", "Measurements", "External id"),
        ["A-1"]
    );

    move_back(&service, "A-0");
    let run = stage
        .run(&["export", "two.xlsx", "--new", "--json"])
        .expect(0);
    assert_eq!(run.json()["sealed"], 2);
    assert_eq!(
        column(&stage, "two.xlsx", "Measurements", "External id"),
        ["A-0"]
    );
}

#[test]
fn a_reading_of_another_house_is_marked_and_shows_nothing_of_that_house() {
    let (service, stage) = completed();
    move_house(&service, "A-0");
    let said = stage.run(&["export", "all.xlsx"]).expect(3).stderr;
    assert!(said.contains("\nhint: ask the team"), "{said}");
    let open = |header| column(&stage, "all.xlsx", "Open", header);
    assert_eq!(open("External id"), ["A-0"]);
    assert_eq!(open("Status"), ["address_differs"]);
    assert!(open("Address")[0].starts_with("10 Elm Street"));
    let book = fs::read(stage.path("all.xlsx")).unwrap();
    let notes = crate::workbook::entries(&book, "xl/comments").concat();
    assert!(
        notes.contains("Address differs: requested for 10 Elm Street"),
        "{notes}"
    );
    assert!(notes.contains("99 Oak Street"), "{notes}");
    let line = line(&stage, "A-0");
    assert_eq!(line["status"], "address_differs");
    assert_eq!(line["line1"], "10 Elm Street");
    assert_eq!(line["name"], "Customer 0");
    for nothing in ["gutter_length_ft", "completed_at", "lat"] {
        assert_eq!(line[nothing], Value::Null, "{nothing}");
    }
    assert_eq!(line["downspouts"], json!([]));
    let words = ["export", "back.csv", "--for", "leads.csv", "--offline"];
    stage.run(&words).expect(3);
    let back = fs::read_to_string(stage.path("back.csv")).unwrap();
    assert!(
        back.contains("the service's last response has another address: 99 Oak Street"),
        "{back}"
    );
    assert!(!back.contains("999.5"), "{back}");
    let status = stage.run(&["status", "--json"]).expect(0).json();
    assert_eq!(status["warnings"][0]["kind"], "address_differs", "{status}");
}

#[test]
fn what_was_billed_is_neither_adjusted_to_another_houses_numbers_nor_loses_its_own() {
    let (service, stage) = completed();
    stage.run(&["export", "billed.xlsx", "--new"]).expect(0);
    move_house(&service, "A-0");
    let words = ["export", "next.xlsx", "--new", "--refresh", "all", "--json"];
    assert_eq!(stage.run(&words).expect(3).json()["sealed"], Value::Null);

    service.rewrite("A-0", |measurement| {
        measurement["address"]["line1"] = "10 Elm Street".into();
        measurement["status"] = "canceled".into();
        measurement["result"] = json!(null);
    });
    stage.run(&["export", "later.xlsx"]).expect(0);
    let line = line(&stage, "A-0");
    assert_eq!(
        (&line["status"], &line["gutter_length_ft"]),
        (&json!("canceled"), &json!(120.5))
    );
}

#[test]
fn waiting_for_completion_does_not_wait_for_another_house() {
    let (service, stage) = completed();
    service.rewrite("A-0", |measurement| {
        measurement["address"]["postal_code"] = "K1A 0B9".into();
        measurement["status"] = "pending".into();
        measurement["result"] = json!(null);
    });
    let run = stage
        .run(&["export", "all.xlsx", "--wait-complete"])
        .expect(3);
    assert!(run.stderr.contains("K1A 0B9"), "{}", run.stderr);
}

#[test]
fn a_response_that_sqlite_calls_malformed_json_stops_no_export() {
    let (service, stage) = completed();
    service.rewrite("A-0", |measurement| {
        // Deeper than SQLite reads; the field is not the service's.
        measurement["unknown"] = (0..1_500).fold(Value::Null, |inner, _| json!([inner]));
    });
    stage
        .run(&["export", "all.json", "--refresh", "all"])
        .expect(0);
    service.rewrite("A-0", |measurement| {
        measurement["status"] = "canceled".into();
        measurement["result"] = Value::Null;
    });
    let words = ["export", "all.json", "--refresh", "all", "--force"];
    stage.run(&words).expect(0);
    assert_eq!(line(&stage, "A-0")["status"], "canceled");
    stage.run(&["export", "bill.csv", "--new"]).expect(0);
}
