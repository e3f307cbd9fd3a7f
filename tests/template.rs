//! The template, and what becomes of it once it is filled in.

use crate::support::Stage;

#[test]
fn a_template_filled_in_is_clean() {
    let stage = Stage::offline();
    stage.run(&["template", "leads.csv"]).expect(0);
    let mut text = std::fs::read_to_string(stage.path("leads.csv")).unwrap();
    text.push_str("A-1,Ada,ada@example.com,,12 Elm Street,,Toronto,ON,M5V 1A1,CA,\r\n");
    stage.file("leads.csv", text);
    let document = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(
        (document["rows"].as_u64(), document["valid"].as_u64()),
        (Some(1), Some(1))
    );
    assert_eq!(document["problems"], serde_json::json!([]));
}

#[test]
fn the_example_is_never_a_row() {
    let stage = Stage::offline();
    for name in ["leads.csv", "leads.xlsx"] {
        stage.run(&["template", name]).expect(0);
        let stderr = stage.run(&["check", name]).expect(10).stderr;
        assert!(
            stderr.contains("no rows to import: nothing stands below the headers in row 3"),
            "{stderr}"
        );
    }
}

#[test]
fn a_template_is_the_same_bytes_every_time() {
    let stage = Stage::offline();
    stage.run(&["template", "one.xlsx"]).expect(0);
    stage.run(&["template", "two.xlsx"]).expect(0);
    let bytes = |name| std::fs::read(stage.path(name)).unwrap();
    assert!(bytes("one.xlsx") == bytes("two.xlsx"));
}

#[test]
fn a_file_that_is_there_already_is_not_replaced() {
    let stage = Stage::offline();
    stage.file("leads.xlsx", "mine");
    stage.run(&["template", "leads.xlsx"]).expect(8);
    assert_eq!(std::fs::read(stage.path("leads.xlsx")).unwrap(), b"mine");
    stage.run(&["template", "leads.pdf"]).expect(2);
}
