//! Each sample meets its expected outcome; none is forgotten.

use std::path::PathBuf;

use crate::support::Stage;

fn sample(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(name)
}

fn checked(name: &str, code: i32) -> serde_json::Value {
    let path = sample(name);
    Stage::offline()
        .run(&["check", path.to_str().unwrap(), "--json"])
        .expect(code)
        .json()
}

#[test]
fn no_sample_is_forgotten() {
    let mut names: Vec<String> = std::fs::read_dir(sample(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["leads.csv", "leads.xlsx", "messy.xlsx"]);
}

#[test]
fn the_leads_are_all_valid_and_nobody_is_warned() {
    for name in ["leads.csv", "leads.xlsx"] {
        let document = checked(name, 0);
        assert_eq!(
            (document["rows"].as_u64(), document["valid"].as_u64()),
            (Some(60), Some(60)),
            "{name}"
        );
        assert_eq!(document["problems"], serde_json::json!([]), "{name}");
    }
}

#[test]
fn the_workbook_holds_the_same_leads() {
    let (text, workbook) = (checked("leads.csv", 0), checked("leads.xlsx", 0));
    assert_eq!(text["mapping"], workbook["mapping"]);
    assert_eq!(text["plan"]["requests"], workbook["plan"]["requests"]);
}

#[test]
fn the_messy_rows_are_told_apart() {
    let document = checked("messy.xlsx", 3);
    // The total below the last address is skipped like the blank row above it.
    assert_eq!(document["rows"], 32);
    assert_eq!(document["blank_skipped"], 2);
    let of = |name: &str| document[name].as_u64().unwrap();
    assert_eq!((of("valid"), of("invalid"), of("duplicate")), (14, 17, 1));
}
