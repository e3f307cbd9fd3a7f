//! The city, region or country of a row that is typed behind its street too, without a comma.

use std::collections::BTreeMap;

use serde_json::json;

use crate::same_house::houses::{import, requested};
use crate::support::Stage;
use crate::support::imports::outcomes;

const HEADER: &str = "id,name,email,line1,city,region,postal_code\n";

/// Rows of an id and a street each, with a customer for each.
fn dublin(rows: &[(&str, &str)]) -> String {
    let row = |(id, line1): &(&str, &str)| {
        format!("{id},Customer {id},c{id}@example.com,{line1},Dublin,OH,43016\n")
    };
    HEADER.to_owned() + &rows.iter().map(row).collect::<String>()
}

#[test]
fn a_house_whose_street_has_its_place_too_is_requested_once() {
    let stage = Stage::open();
    let rows = [
        ("1", "12 Elm St"),
        ("2", "12 Elm St Dublin"),
        ("3", "12 Elm Street OH"),
        ("4", "12 Elm St Dublin OH"),
        ("5", "12 Elm St USA"),
        ("6", "12 Dublin Rd"),
        ("7", "12 Ohio St"),
    ];
    let montreal = "8,Ly,ly@example.com,500 rue Rachel Est,Montréal,QC,H2X 1Y4\n\
        9,My,my@example.com,500 rue Rachel Est Montréal,Montréal,QC,H2X 1Y4\n";
    stage.file("leads.csv", dublin(&rows) + montreal);
    let document = import(&stage, &["leads.csv"], 3);
    let expected = BTreeMap::from([("created", 4), ("same_house", 5)]);
    assert_eq!(outcomes(&document), expected);
    assert_eq!(requested(&stage), ["1", "6", "7", "8"]);
}

#[test]
fn a_row_that_was_requested_with_its_city_behind_the_street_stays_known() {
    let stage = Stage::open();
    stage.file("leads.csv", dublin(&[("1", "12 Elm St Dublin")]));
    import(&stage, &["leads.csv"], 0);
    let again = import(&stage, &["leads.csv"], 0);
    assert_eq!(outcomes(&again), BTreeMap::from([("known", 1)]));
    assert_eq!(again["changed_after_submit"], 0);
    stage.file("leads.csv", dublin(&[("1", "12 Elm St"), ("2", "12 Elm")]));
    let edited = import(&stage, &["leads.csv"], 3);
    let expected = BTreeMap::from([("known", 1), ("same_house", 1)]);
    assert_eq!(outcomes(&edited), expected);
    assert_eq!(requested(&stage), ["1"]);
}

#[test]
fn a_derived_id_is_that_of_the_street_as_written_and_the_house_is_requested_once() {
    let stage = Stage::open();
    let without_ids = |line1| dublin(&[("", line1)]);
    stage.file("leads.csv", without_ids("12 Elm St Dublin"));
    import(&stage, &["leads.csv", "--derive-id"], 0);
    let again = import(&stage, &["leads.csv", "--derive-id"], 0);
    assert_eq!(outcomes(&again), BTreeMap::from([("known", 1)]));
    assert_eq!(again["requests"]["total"], json!(0));
    stage.file("leads.csv", without_ids("12 Elm St"));
    let cleaned = import(&stage, &["leads.csv", "--derive-id"], 3);
    assert_eq!(outcomes(&cleaned), BTreeMap::from([("same_house", 1)]));
    assert_eq!(requested(&stage).len(), 1);
}
