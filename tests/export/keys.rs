//! The keys of CSV and JSON, and their values.

use std::fs;

use serde_json::{Value, json};

use crate::support::exports::{complete, export, imported};
use crate::support::{Scripted, Stage};

const KEYS: &str = "external_id,source_file,source_row,outcome,measurement_id,request_id,status,created_at,updated_at,completed_at,name,email,phone,notes,line1,line2,city,region,postal_code,country,formatted,lat,lng,gutter_length_ft,gutter_size_in,corner_count,downspout_count,downspout_length_ft,installer_message,request_url,external_url,external_label,sealed";

#[test]
fn csv_and_json_carry_the_documented_keys_in_their_order() {
    let stage = imported(2);
    complete(&stage, 1);
    export(&stage, &["a.csv"], 0);
    let text = fs::read_to_string(stage.path("a.csv")).unwrap();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!((lines[0], lines.len()), (KEYS, 4));
    let run = export(&stage, &["-", "--format", "ndjson", "--offline"], 0);
    let first = run.stdout.lines().next().unwrap();
    let expected = KEYS.split(',').chain(["downspouts", "asset_pack"]);
    let mut from = 0;
    for key in expected {
        let at = first[from..].find(&format!("\"{key}\":"));
        from += at.unwrap_or_else(|| panic!("{key} is missing or out of order: {first}"));
    }
    let line: Value = serde_json::from_str(first).unwrap();
    assert_eq!(line["external_id"], "A-0");
    assert_eq!(line["status"], "complete");
    assert_eq!(line["sealed"], Value::Null);
    let downspouts = line["downspouts"].as_array().unwrap();
    assert_eq!(
        Some(downspouts.len() as u64),
        line["downspout_count"].as_u64()
    );
}

/// The value of every key for a measurement that has them all.
fn every_value() -> Value {
    json!({
        "external_id": "7", "source_file": "all.csv", "source_row": 2, "outcome": "created",
        "measurement_id": "msr_1", "request_id": "req_1", "status": "complete",
        "created_at": "2026-09-01T08:00:00.000Z", "updated_at": "2026-09-02T08:00:00.000Z",
        "completed_at": "2026-10-05T14:23:11.000Z",
        "name": "Ann Lee", "email": "ann@example.com", "phone": "+1 613 555 0123", "notes": "ring twice",
        "line1": "12 Elm St", "line2": "Unit 4", "city": "Ottawa", "region": "ON", "postal_code": "K1A 0B1",
        "country": "CA", "formatted": "12 Elm St, Ottawa", "lat": 45.5, "lng": -75.25,
        "gutter_length_ft": 120.5, "gutter_size_in": 5.0, "corner_count": 6, "downspout_count": 1,
        "downspout_length_ft": 11.0, "installer_message": "soft fascia",
        "request_url": "https://app.example.com/req_1",
        "external_url": "https://crm.example.com/7", "external_label": "CRM", "sealed": 1,
        "downspouts": [{ "length_ft": 11.0, "floors": 1, "size_in": 3.0 }],
        "asset_pack": [
            { "kind": "aerial", "url": "https://images.example.com/a.png", "content_type": "image/png" }
        ],
    })
}

#[test]
fn every_key_has_its_value_in_each_format() {
    let service = Scripted::start();
    let stage = Stage::speaking_to(service.url());
    stage.file(
        "all.csv",
        "id,name,email,phone,address,address 2,city,region,postal code,notes\n\
        7,Ann Lee,ann@example.com,+1 613 555 0123,12 Elm St,Unit 4,Ottawa,ON,K1A 0B1,ring twice\n",
    );
    let external = [
        "--external-url=https://crm.example.com/{id}",
        "--external-label=CRM",
    ];
    stage
        .run(&[&["import", "all.csv"], &external[..]].concat())
        .expect(0);
    service.complete("7");
    service.rewrite("7", |measurement| {
        measurement["updated_at"] = "2026-09-02T08:00:00Z".into();
        measurement["address"]["formatted"] = "12 Elm St, Ottawa".into();
        measurement["address"]["lat"] = 45.5.into();
        measurement["address"]["lng"] = (-75.25).into();
        measurement["result"]["installer_message"] = "soft fascia".into();
    });
    export(&stage, &["bill.xlsx", "--new"], 0);
    let expected = every_value();
    let text = |format: &str| {
        let words = ["-", "--offline", "--format", format];
        export(&stage, &words, 0).stdout
    };
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(parsed(&text("json")), json!([expected]));
    assert_eq!(parsed(&text("ndjson")), expected);
    let csv = text("csv");
    let (headers, fields) = csv.trim_end().split_once("\r\n").unwrap();
    assert_eq!(headers, KEYS);
    let expected = KEYS.split(',').map(|key| match &expected[key] {
        Value::String(text) if text.contains(',') => format!("\"{text}\""),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().unwrap().to_string(),
        other => panic!("{key}: {other}"),
    });
    assert_eq!(fields, expected.collect::<Vec<_>>().join(","));
}

#[test]
fn the_readme_lists_the_columns_of_each_format() {
    let stage = imported(2);
    complete(&stage, 1);
    export(&stage, &["a.xlsx"], 0);
    let book = fs::read(stage.path("a.xlsx")).unwrap();
    let readme = crate::readme::tables::readme();
    let words: Vec<&str> = readme.split_whitespace().collect();
    assert!(words.join(" ").contains(&KEYS.replace(',', " ")));
    for sheet in ["Measurements", "Downspouts", "Images", "Open", "Rejected"] {
        let rows = crate::workbook::table(&book, sheet);
        let headers: Vec<String> = rows[0].iter().map(ToString::to_string).collect();
        let line = format!("\n| `{sheet}` | {} |\n", headers.join(", "));
        assert!(readme.contains(&line), "{line}");
    }
}
