//! Another sheet at the path of an earlier one: the rejected rows of the earlier one are nowhere else.

use std::fs;

use crate::support::Stage;

const HEADERS: &str = "ID,Name,Email,Street,City,State,Zip\n";

fn row(id: &str, street: &str, postal_code: &str) -> String {
    format!("{id},Customer {id},{id}@example.com,{street},Ottawa,ON,{postal_code}\n")
}

fn sheet(rows: &[String]) -> String {
    HEADERS.to_owned() + &rows.concat()
}

/// A row that is imported, and one that is rejected.
fn monday() -> [String; 2] {
    [
        row("M-1", "12 Elm Street", "K1A 0B1"),
        row("M-2", "14 Elm Street", ""),
    ]
}

fn tuesday() -> [String; 2] {
    [
        row("T-1", "22 Oak Street", "K1A 0B2"),
        row("T-2", "24 Oak Street", "K1A 0B2"),
    ]
}

const IMPORT: [&str; 3] = ["import", "leads.csv", "--yes"];

#[test]
fn rejects_of_the_sheet_that_stood_there_before_are_kept() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&monday()));
    stage.run(&IMPORT).expect(3);
    let rejects = stage.path("leads.rejects.csv");
    let before = fs::read(&rejects).unwrap();

    stage.file("leads.csv", sheet(&tuesday()));
    // The second run finds the requests of the first in the journal, as rows of the same path.
    for _ in 0..2 {
        let said = stage.run(&IMPORT).expect(3);
        let kept = "leads.rejects.csv has rows that are not in leads.csv any more and were never requested, so it is kept";
        assert!(said.stderr.contains(kept), "{}", said.stderr);
        assert_eq!(fs::read(&rejects).unwrap(), before);
    }
    let [first, _] = tuesday();
    stage.file(
        "leads.csv",
        sheet(&[first, row("T-2", "24 Oak Street", "")]),
    );
    stage.run(&IMPORT).expect(3);
    assert_eq!(fs::read(&rejects).unwrap(), before);
    let next = fs::read_to_string(stage.path("leads.rejects-2.csv")).unwrap();
    assert!(next.contains("T-2"), "{next}");
}

#[test]
fn rejects_are_removed_when_their_sheet_was_corrected_sorted_or_shortened() {
    let [good, _] = monday();
    let corrected = row("M-2", "14 Elm Street", "K1A 0B1");
    let other = row("M-3", "16 Elm Street", "K1A 0B1");
    // A row that is gone where another has come may have been moved out by the system that wrote the sheet.
    for (after, code) in [
        (vec![corrected, good.clone()], 0),
        (vec![good.clone()], 0),
        (vec![other, good], 3),
    ] {
        let stage = Stage::open();
        stage.file("leads.csv", sheet(&monday()));
        stage.run(&IMPORT).expect(3);
        stage.file("leads.csv", sheet(&after));
        stage.run(&IMPORT).expect(code);
        assert_eq!(stage.path("leads.rejects.csv").exists(), code == 3);
    }
}

#[test]
fn rejects_of_a_sheet_without_an_accepted_row_are_removed_when_it_was_corrected_and_kept_when_it_is_another()
 {
    let stage = Stage::open();
    let [_, bad] = monday();
    stage.file("leads.csv", sheet(std::slice::from_ref(&bad)));
    stage.run(&IMPORT).expect(3);
    let rejects = stage.path("leads.rejects.csv");
    stage.file(
        "leads.csv",
        sheet(&[row("M-2", "14 Elm Street", "K1A 0B1")]),
    );
    stage.run(&IMPORT).expect(0);
    assert!(!rejects.exists());

    stage.file("next.csv", sheet(&[row("M-3", "16 Elm Street", "")]));
    stage.run(&["import", "next.csv", "--yes"]).expect(3);
    stage.file("next.csv", sheet(&tuesday()));
    stage.run(&["import", "next.csv", "--yes"]).expect(3);
    assert!(stage.path("next.rejects.csv").exists());
}
