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

/// The rejected row of October, and a sheet of November with another house that could be taken for it.
#[test]
fn rejects_are_kept_whatever_the_next_sheet_and_the_file_have_in_common_with_them() {
    let lost =
        |id: &str, street: &str| format!("{id},Acme,office@example.com,{street},Ottawa,ON,\n");
    let other = |id: &str| format!("{id},Acme,office@example.com,99 Pine Road,Ottawa,ON,K1A 0B9\n");
    for (rejected, next) in [
        // Ids begin again, for another customer or for another house of the same.
        (
            lost("5", "77 Elm Street"),
            row("5", "99 Pine Road", "K1A 0B9"),
        ),
        (lost("5", "77 Elm Street"), other("5")),
        // The street was missing, and the same office has another house.
        (lost("5", ""), other("6")),
        (lost("5", "77 Elm Street"), other("6")),
    ] {
        for prefixes in [["", ""], ["oct-", "nov-"]] {
            let stage = Stage::open();
            let import = |prefix: &str, code| {
                let prefix = ["--id-prefix", prefix];
                let prefix = if prefix[1].is_empty() {
                    &[][..]
                } else {
                    &prefix
                };
                stage.run(&[&IMPORT[..], prefix].concat()).expect(code)
            };
            let [good, _] = monday();
            stage.file("leads.csv", sheet(&[good, rejected.clone()]));
            import(prefixes[0], 3);
            let rejects = stage.path("leads.rejects.csv");
            let before = fs::read(&rejects).unwrap();
            let [first, _] = tuesday();
            stage.file("leads.csv", sheet(&[first, next.clone()]));
            for _ in 0..3 {
                import(prefixes[1], 3);
                // A sync or a save without a change gives the file another time.
                fs::write(&rejects, &before).unwrap();
            }
        }
    }
}

#[test]
fn rejects_are_kept_beside_the_same_street_of_another_town() {
    let stage = Stage::open();
    let row = |id: u32, town: &str| format!("{id},Acme,office@example.com,100 Main St,{town}\n");
    stage.file("leads.csv", sheet(&[row(17, "Columbus,OH,")]));
    stage.run(&IMPORT).expect(3);
    stage.file("leads.csv", sheet(&[row(42, "Dublin,OH,43017")]));
    stage.run(&IMPORT).expect(3);
    assert!(stage.path("leads.rejects.csv").exists());
}

#[test]
fn rejects_are_removed_when_the_street_or_unit_of_a_row_was_corrected_in_its_sheet() {
    let [good, _] = monday();
    let long = format!("14 {} Street", "Elm".repeat(70));
    let unit =
        |street: &str| format!("M-2,Customer M-2,m@example.com,{street},Ottawa,ON,K1A 0B1\n");
    let other = row("M-1", "99 Oak Street", "K1A 0B9");
    for (before, after) in [
        (
            [good.clone(), unit(&long)],
            [good.clone(), unit("14 Elm Street")],
        ),
        // The row was in conflict, and the submitted address was put back.
        (
            [other, unit("14 Elm Street")],
            [good.clone(), unit("14 Elm Street")],
        ),
    ] {
        let stage = Stage::open();
        stage.file("leads.csv", sheet(std::slice::from_ref(&good)));
        stage.run(&IMPORT).expect(0);
        stage.file("leads.csv", sheet(&before));
        stage.run(&IMPORT).expect(3);
        assert!(stage.path("leads.rejects.csv").exists());
        stage.file("leads.csv", sheet(&after));
        stage.run(&IMPORT).expect(0);
        assert!(!stage.path("leads.rejects.csv").exists());
    }
}
