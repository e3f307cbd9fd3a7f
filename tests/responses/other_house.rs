//! Whose numbers a row gets: a measurement stays with the version of the row that was submitted, and an edited row of
//! another house gets none.

use std::fs;

use calamine::Data;

use crate::support::imports::sheet;
use crate::support::{Scripted, Stage};

const HEADERS: &str = "id,name,email,address,city,region,postal code\n";

fn row(id: &str, line1: &str) -> String {
    format!("{id},Ann {id},{id}@example.com,{line1},Ottawa,ON,K1A 0B1\n")
}

fn leads(rows: &[(&str, &str)]) -> String {
    let rows: Vec<String> = rows.iter().map(|(id, line1)| row(id, line1)).collect();
    format!("{HEADERS}{}", rows.concat())
}

/// The column of a sheet of that header.
fn column(rows: &[Vec<Data>], header: &str) -> Vec<String> {
    let at = rows[0].iter().position(|cell| cell == header).unwrap();
    rows[1..].iter().map(|row| row[at].to_string()).collect()
}

fn cells(stage: &Stage, file: &str, sheet: &str, header: &str) -> Vec<String> {
    let book = fs::read(stage.path(file)).unwrap();
    column(&crate::workbook::table(&book, sheet), header)
}

/// October's rows are with the service; the first is measured and billed. Then November's rows stand at the same path,
/// their ids begin again, and all were imported.
fn november() -> (Scripted, Stage) {
    let service = Scripted::start();
    let stage = Stage::speaking_to(service.url());
    let october = [("1", "11 Elm St"), ("2", "12 Elm St"), ("3", "13 Elm St")];
    stage.file("leads.csv", leads(&october));
    stage.run(&["import", "leads.csv"]).expect(0);
    service.complete("1");
    stage.run(&["export", "october.xlsx", "--new"]).expect(0);
    let november = [
        ("1", "71 Oak Ave"),
        ("2", "72 Oak Ave"),
        ("3", "73 Oak Ave"),
    ];
    stage.file("leads.csv", leads(&november));
    let run = stage.run(&["import", "leads.csv", "--json"]).expect(3);
    assert_eq!(run.json()["outcomes"]["conflict"], 3);
    (service, stage)
}

#[test]
fn a_measurement_whose_row_was_replaced_is_still_refreshed_exported_and_billed() {
    let (service, stage) = november();
    service.complete("2");
    let run = stage.run(&["export", "november.xlsx", "--new", "--json"]);
    let document = run.expect(0).json();
    assert_eq!(document["refreshed"], 2, "{document}");
    assert_eq!(
        (&document["sealed"], &document["completed"]),
        (&2.into(), &1.into())
    );
    let of = |header| cells(&stage, "november.xlsx", "Measurements", header);
    assert_eq!(of("External id"), ["2"]);
    assert_eq!(of("Address"), ["12 Elm St"]);
    assert_eq!(of("Customer"), ["Ann 2"]);
    assert_eq!(of("Source row"), ["3"]);
    assert_eq!(cells(&stage, "november.xlsx", "Open", "External id"), ["3"]);
    let rejected = |header| cells(&stage, "november.xlsx", "Rejected", header);
    assert_eq!(rejected("External id"), ["1", "2", "3"]);
    assert!(rejected("Address")[1].starts_with("72 Oak Ave"));
    let status = stage.run(&["status", "--json"]).expect(0).json();
    assert_eq!(status["measurements"]["complete"], 2);
    assert_eq!(status["measurements"]["billed"], 2);
}

#[test]
fn a_billed_measurement_whose_row_was_replaced_is_still_adjusted() {
    let (service, stage) = november();
    service.rewrite("1", |measurement| {
        measurement["result"]["gutter_length_ft"] = 130.5.into();
    });
    let words = ["export", "next.xlsx", "--new", "--refresh", "all", "--json"];
    let document = stage.run(&words).expect(0).json();
    assert_eq!(document["adjustments"], 1, "{document}");
    // The sums stand below an empty row.
    let lines = cells(&stage, "next.xlsx", "Adjustments", "External id");
    let lines = lines.iter().take_while(|id| !id.is_empty()).count();
    let of = |header| {
        let mut cells = cells(&stage, "next.xlsx", "Adjustments", header);
        cells.truncate(lines);
        cells
    };
    assert_eq!(of("External id"), ["1"]);
    assert!(of("Address")[0].starts_with("11 Elm St"));
}

#[test]
fn a_row_of_another_house_than_was_submitted_gets_the_reason_instead_of_the_numbers() {
    let (service, stage) = november();
    for id in ["2", "3"] {
        service.complete(id);
    }
    stage.run(&["export", "all.xlsx"]).expect(0);
    let now = [
        ("1", "11 Elm Street"),
        ("2", "72 Oak Ave"),
        ("3", "13 Elm St"),
    ];
    stage.file("now.csv", leads(&now));
    let words = ["export", "back.csv", "--for", "now.csv", "--json"];
    let run = stage.run(&words).expect(3);
    assert_eq!(run.json()["conflicts"], 1);
    assert!(
        run.stderr
            .contains("warning: row 3: the id has the measurement of another house"),
        "{}",
        run.stderr
    );
    let back = fs::read_to_string(stage.path("back.csv")).unwrap();
    let lines: Vec<&str> = back.lines().collect();
    assert!(lines[1].contains(",complete,,"), "{back}");
    assert!(lines[3].contains(",complete,,"), "{back}");
    assert!(
        !lines[2].contains("120.5") && !lines[2].contains("complete"),
        "{back}"
    );
    let reason = "conflict: this id was submitted for another house: 12 Elm St, Ottawa, ON K1A 0B1";
    assert!(lines[2].contains(reason), "{back}");
}

#[test]
fn a_duplicate_of_a_row_of_another_house_gets_no_numbers_either() {
    let (service, stage) = november();
    service.complete("2");
    stage.run(&["export", "all.xlsx"]).expect(0);
    let twice = [("2", "72 Oak Ave"), ("2", "72 Oak Ave")];
    stage.file("now.csv", leads(&twice));
    stage
        .run(&["export", "back.csv", "--for", "now.csv"])
        .expect(3);
    let back = fs::read_to_string(stage.path("back.csv")).unwrap();
    assert_eq!(
        back.matches("conflict: this id was submitted").count(),
        2,
        "{back}"
    );
}

#[test]
fn ids_that_are_known_with_a_prefix_alone_name_the_flag() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    let prefix = "--id-prefix=oct ";
    stage.run(&["import", "leads.csv", prefix]).expect(0);
    stage.file("my leads.csv", sheet(0..3));
    let run = stage
        .run(&["export", "back.csv", "--for", "my leads.csv"])
        .expect(3);
    assert!(
        run.stderr.contains(
            "no id of the file is known as it was read; its rows were requested with the prefix oct"
        ),
        "{}",
        run.stderr
    );
    let hint = "hint: gutterbatch export back.csv --for 'my leads.csv' --id-prefix 'oct '";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
    let words = ["export", "back.csv", "--for", "my leads.csv", prefix];
    assert_eq!(stage.run(&words).expect(0).stderr, "");
}

#[test]
fn an_answer_about_another_house_does_not_free_the_house_of_a_row() {
    let service = Scripted::start();
    let stage = Stage::speaking_to(service.url());
    stage.file("leads.csv", leads(&[("1", "11 Elm St")]));
    stage.run(&["import", "leads.csv"]).expect(0);
    service.rewrite("1", |measurement| {
        measurement["status"] = "canceled".into();
        measurement["address"]["line1"] = "99 Oak Ave".into();
    });
    stage.run(&["export", "results.xlsx"]).expect(3);
    stage.file("more.csv", leads(&[("2", "11 Elm St")]));
    let run = stage.run(&["import", "more.csv", "--json"]).expect(3);
    assert_eq!(run.json()["outcomes"]["same_house"], 1, "{}", run.stderr);
}

#[test]
fn a_flat_gets_no_numbers_of_another_customers_building_that_only_the_service_knows() {
    let stage = Stage::open();
    stage.file(
        "leads.csv",
        leads(&[("1", "11 Elm St"), ("2", "12 Elm St")]),
    );
    stage.run(&["import", "leads.csv"]).expect(0);
    fs::remove_file(stage.journal()).unwrap();
    let flat = row("1", "11 Elm St Apt 4").replace("Ann 1,1@", "Bo,bo@");
    stage.file(
        "more.csv",
        HEADERS.to_owned() + &flat + &row("2", "12 Elm St"),
    );
    let run = stage.run(&["import", "more.csv", "--json"]).expect(3);
    assert_eq!(run.json()["outcomes"]["existing"], 2, "{}", run.stderr);
    let own = ["export", "own.csv", "--for", "more.csv", "--json"];
    let run = stage.run(&own).expect(3);
    assert_eq!(run.json()["conflicts"], 1, "{}", run.stderr);
}
