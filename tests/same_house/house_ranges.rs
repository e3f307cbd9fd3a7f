//! A building with several house numbers is found under the first and the last of them.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::support::imports::outcomes;
use crate::support::{Scripted, Stage};

const HEADER: &str = "id,name,email,line1,city,region,postal_code\n";
const WARNING: &str = "the house numbers are not written alike";
const COLUMBUS: &str = "Columbus,OH,43206";
const MONTREAL: &str = "Montréal,QC,H2J 3W4";

/// Pairs of a range and of another number of its building.
const PAIRS: [(&str, &str, &str); 7] = [
    ("712-714 Main St", "712 Main St", COLUMBUS),
    ("712-714 Main St", "714 Main St", COLUMBUS),
    ("712 & 714 Main St", "714 Main St", COLUMBUS),
    ("712-14 Main St", "714 Main St", COLUMBUS),
    ("1234-1236 rue Fabre", "1234 rue Fabre", MONTREAL),
    ("1234 - 1236 rue Fabre", "1234 rue Fabre", MONTREAL),
    ("12-14 Elm St", "12 Elm St", "Toronto,ON,M6G 1B3"),
];

fn row(id: &str, line1: &str, place: &str) -> String {
    format!("{id},Customer {id},{id}@example.com,{line1},{place}\n")
}

/// Imports rows of different customers.
fn import(stage: &Stage, rows: &[String], code: i32) -> (Value, String) {
    stage.file("leads.csv", HEADER.to_owned() + &rows.concat());
    let run = stage.run(&["import", "leads.csv", "--json"]).expect(code);
    (run.json(), run.stderr)
}

#[test]
fn a_number_of_a_range_is_a_warning_for_any_customer_in_one_file_and_in_two() {
    for (range, number, place) in PAIRS {
        for (one, other) in [(range, number), (number, range)] {
            let stage = Stage::open();
            let rows = [row("A", one, place), row("B", other, place)];
            let (document, stderr) = import(&stage, &rows, 0);
            assert_eq!(outcomes(&document), BTreeMap::from([("created", 2)]));
            let said =
                format!("D3: line1: nearly the address of row 2 of this file (`A`): {WARNING}");
            assert!(stderr.contains(&said), "{one}, {other}: {stderr}");
            assert_eq!(stderr.matches(WARNING).count(), 1, "{stderr}");

            let stage = Stage::open();
            import(&stage, &rows[..1], 0);
            let (_, stderr) = import(&stage, &rows[1..], 0);
            let said = format!("`A` (row 2 of leads.csv, pending): {WARNING}");
            assert!(stderr.contains(&said), "{one}, {other}: {stderr}");
            assert_eq!(stderr.matches(WARNING).count(), 1, "{stderr}");
        }
    }
}

#[test]
fn a_number_of_a_range_is_one_warning_for_the_same_customer() {
    for (range, number, place) in PAIRS {
        let stage = Stage::open();
        let line = |id, line1| format!("{id},Ann Ash,ann@example.com,{line1},{place}\n");
        import(&stage, &[line("A", range)], 0);
        let (_, stderr) = import(&stage, &[line("B", number)], 0);
        assert!(stderr.contains(WARNING), "{range}, {number}: {stderr}");
        assert!(!stderr.contains("was submitted for"), "{stderr}");
    }
}

#[test]
fn what_may_be_a_unit_and_a_number_is_held_beside_the_number_and_the_other_spelling() {
    for (one, other) in [
        ("1234-1236 rue Fabre", "1236 rue Fabre"),
        ("1236 rue Fabre", "1234-1236 rue Fabre"),
        ("1234-1236 rue Fabre", "1234 & 1236 rue Fabre"),
        ("1234 & 1236 rue Fabre", "1234-1236 rue Fabre"),
    ] {
        let stage = Stage::open();
        let rows = [row("A", one, MONTREAL), row("B", other, MONTREAL)];
        let (document, _) = import(&stage, &rows, 3);
        let expected = BTreeMap::from([("created", 1), ("same_house", 1)]);
        assert_eq!(outcomes(&document), expected, "{one}, {other}");
    }
}

#[test]
fn a_unit_in_front_of_a_number_is_no_number_of_a_range() {
    for (unit, other) in [
        ("4-103 Garden St", "4 Garden St"),
        ("101-12 Main St", "101 Main St"),
        ("101-12 Main St", "112 Main St"),
        ("10235 - 101 Street NW", "101 Street NW"),
        ("12 Elm St Unit 14", "14 Elm St"),
    ] {
        let stage = Stage::open();
        let rows = [row("A", unit, MONTREAL), row("B", other, MONTREAL)];
        let (_, stderr) = import(&stage, &rows, 0);
        assert!(!stderr.contains("nearly"), "{unit}, {other}: {stderr}");
    }
}

#[test]
fn a_range_that_the_service_gave_is_found_under_its_last_number() {
    let service = Scripted::normalizing(|address| {
        let street = address["line1"].as_str().unwrap();
        address["line1"] = street.replace("1234 MLK", "1234 & 1238 King").into();
    });
    let stage = Stage::speaking_to(service.url());
    let place = "Ottawa,ON,K1A 0B1";
    import(&stage, &[row("A", "1234 MLK Blvd", place)], 0);
    let (_, stderr) = import(&stage, &[row("B", "1238 King Blvd", place)], 0);
    let said = format!("nearly the address of `A` (row 2 of leads.csv, pending): {WARNING}");
    assert!(stderr.contains(&said), "{stderr}");
}

#[test]
fn a_range_that_only_the_service_knows_is_found_under_its_last_number() {
    let stage = Stage::open();
    import(&stage, &[row("A", "712-714 Maple St", COLUMBUS)], 0);
    fs::remove_file(stage.journal()).unwrap();
    let other = "A,Zoe Zimmer,zoe@example.com,202 Cherry Ave,Columbus,OH,43207\n";
    let (document, _) = import(&stage, &[other.to_owned()], 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("conflict", 1)]));
    fs::remove_file(stage.path("leads.rejects.csv")).unwrap();
    let (_, stderr) = import(&stage, &[row("B", "714 Maple St", COLUMBUS)], 0);
    let said =
        format!("nearly the address of `A` (known only from the service, pending): {WARNING}");
    assert!(stderr.contains(&said), "{stderr}");
}

#[test]
fn a_range_of_a_restored_journal_is_found_under_its_last_number() {
    let stage = Stage::open();
    import(&stage, &[row("A", "712-714 Main St", COLUMBUS)], 0);
    stage.run(&["export", "all.xlsx"]).expect(0);
    let restore = ["import", "--restore", "all.xlsx", "--journal", "new.db"];
    stage.run(&restore).expect(0);
    stage.file(
        "next.csv",
        HEADER.to_owned() + &row("B", "714 Main St", COLUMBUS),
    );
    let check = ["check", "next.csv", "--journal", "new.db"];
    let said = stage.run(&check).expect(0).stdout;
    assert!(said.contains("nearly the address of `A`"), "{said}");
}
