//! What was billed and is no longer so: changed, withdrawn, withdrawn and measured again.

use std::fs;

use calamine::Data;
use serde_json::Value;

use crate::support::imports::sheet;
use crate::support::{Run, Scripted, Stage};

/// Two rows that a scripted service has completed, and that nobody has asked for since.
pub(crate) fn completed() -> (Scripted, Stage) {
    let service = Scripted::start();
    let stage = Stage::speaking_to(service.url());
    stage.file("leads.csv", sheet(0..2));
    stage.run(&["import", "leads.csv"]).expect(0);
    for id in ["A-0", "A-1"] {
        service.complete(id);
    }
    (service, stage)
}

/// Two measurements that sealed export 1 billed.
fn billed() -> (Scripted, Stage) {
    let (service, stage) = completed();
    stage.run(&["export", "billed.xlsx", "--new"]).expect(0);
    (service, stage)
}

fn seal(stage: &Stage, name: &str) -> Run {
    let words = ["export", name, "--new", "--refresh", "all", "--json"];
    stage.run(&words).expect(0)
}

fn withdraw(service: &Scripted, id: &str) {
    service.rewrite(id, |measurement| {
        measurement["status"] = "canceled".into();
        measurement["completed_at"] = Value::Null;
        measurement["result"] = Value::Null;
    });
}

/// The figure, old, new and difference of every line of `Adjustments`.
pub(crate) fn adjustments(stage: &Stage, name: &str) -> Vec<[String; 4]> {
    let book = fs::read(stage.path(name)).unwrap();
    let rows = crate::workbook::table(&book, "Adjustments");
    rows[1..]
        .iter()
        .take_while(|row| !matches!(row[0], Data::Empty))
        .map(|row| {
            ["Figure", "Old", "New", "Difference"]
                .map(|header| crate::workbook::cell(&rows, row, header).to_string())
        })
        .collect()
}

#[test]
fn what_was_billed_and_then_withdrawn_is_adjusted_to_nothing_and_keeps_its_result_on_show() {
    let (service, stage) = billed();
    withdraw(&service, "A-0");
    let document = seal(&stage, "adjusted.xlsx").json();
    assert_eq!(document["open"], 0, "nothing more is to come: {document}");
    assert_eq!(
        (&document["sealed"], &document["adjustments"]),
        (&2.into(), &1.into())
    );
    assert_eq!(
        adjustments(&stage, "adjusted.xlsx"),
        [
            ["Gutter length (ft)", "120.5", "0", "-120.5"],
            ["Gutter size (in)", "5", "", ""],
            ["Corners", "6", "0", "-6"],
            ["Downspouts", "1", "0", "-1"],
            ["Downspout length (ft)", "11", "0", "-11"],
        ]
    );
    let again = ["export", "again.xlsx", "--again", "2"];
    assert_eq!(
        stage.run(&again).expect(0).stdout,
        "again.xlsx: sealed export 2 again, 0 measurements and 1 adjustment\n"
    );
    let book = fs::read(stage.path("adjusted.xlsx")).unwrap();
    let open = crate::workbook::table(&book, "Open");
    assert_eq!(
        crate::workbook::cell(&open, &open[1], "Status").clone(),
        Data::String("canceled".to_owned())
    );
    assert_eq!(
        crate::workbook::column(&open, "Why"),
        [
            "canceled after it was complete; the result was 120.5 ft of gutter and 11.0 ft of downspouts"
        ]
    );
    let words = ["export", "-", "--format", "json", "--offline"];
    let lines = stage.run(&words).expect(0).json();
    assert_eq!(lines[0]["status"], "canceled");
    assert_eq!(lines[0]["gutter_length_ft"], 120.5);
    assert_eq!(lines[0]["sealed"], 1);
}

#[test]
fn what_is_measured_again_after_its_withdrawal_is_adjusted_back() {
    let (service, stage) = billed();
    withdraw(&service, "A-0");
    seal(&stage, "down.xlsx");
    service.complete("A-0");
    assert_eq!(seal(&stage, "up.xlsx").json()["adjustments"], 1);
    assert_eq!(
        adjustments(&stage, "up.xlsx")[0],
        ["Gutter length (ft)", "0", "120.5", "120.5"]
    );
    assert_eq!(seal(&stage, "none.xlsx").json()["sealed"], Value::Null);
}

#[test]
fn a_measurement_that_was_withdrawn_has_changed_once() {
    let (service, stage) = billed();
    withdraw(&service, "A-0");
    let refresh = ["export", "now.csv", "--refresh", "all", "--json"];
    for changed in [1, 0] {
        assert_eq!(stage.run(&refresh).expect(0).json()["changed"], changed);
    }
}

#[test]
fn what_a_csv_cannot_show_waits_for_the_next_sealed_workbook() {
    let (service, stage) = billed();
    withdraw(&service, "A-0");
    stage.file("more.csv", sheet(2..3));
    stage.run(&["import", "more.csv"]).expect(0);
    service.complete("A-2");
    let run = seal(&stage, "second.csv");
    assert!(
        run.stderr.contains("1 measurement changed after billing"),
        "{}",
        run.stderr
    );
    let document = run.json();
    assert_eq!(
        (&document["adjustments"], &document["adjustments_waiting"]),
        (&0.into(), &1.into())
    );
    let next_bill = || {
        let needs = stage.run(&["status", "--json"]).expect(0).json()["needs"].clone();
        let mut needs = needs.as_array().unwrap().clone().into_iter();
        let waiting = needs.find(|need| need["kind"] == "adjustments_waiting");
        waiting.map(|need| need["command"].clone())
    };
    let command = "gutterbatch export billing.xlsx --new";
    assert_eq!(next_bill().unwrap(), command);
    let document = stage.run(&["export", "now.csv", "--json"]).expect(0).json();
    for key in ["adjustments", "adjustments_waiting", "unanswered"] {
        assert!(document[key].is_null(), "{key}: {document}");
    }
    let document = seal(&stage, "third.xlsx").json();
    assert_eq!(
        (&document["adjustments"], &document["adjustments_waiting"]),
        (&1.into(), &0.into())
    );
    assert_eq!(document["measurements"], 0);
    assert_eq!(next_bill(), None);
}

#[test]
fn a_journal_restored_from_the_workbook_that_adjusted_adjusts_nothing_twice() {
    let (service, stage) = billed();
    withdraw(&service, "A-0");
    seal(&stage, "adjusted.xlsx");
    let journal = ["--journal", "restored.db"];
    let restore = ["import", "--restore", "adjusted.xlsx"];
    // The measurement that was billed before is on no sheet of the workbook that adjusts the other.
    stage.run(&[&restore, &journal[..]].concat()).expect(3);
    let next = ["export", "next.xlsx", "--new", "--json"];
    let document = stage.run(&[&next, &journal[..]].concat()).expect(0).json();
    assert_eq!(document["sealed"], Value::Null);
    assert_eq!(document["refreshed"], 1);
}

#[test]
fn a_complete_one_whose_result_is_missing_stands_in_open_and_says_so() {
    let (service, stage) = billed();
    service.rewrite("A-1", |measurement| measurement["result"] = Value::Null);
    let words = ["export", "now.xlsx", "--refresh", "all"];
    stage.run(&words).expect(0);
    let book = fs::read(stage.path("now.xlsx")).unwrap();
    let open = crate::workbook::table(&book, "Open");
    assert_eq!(
        crate::workbook::cell(&open, &open[1], "Status").clone(),
        Data::String("complete".to_owned())
    );
    assert_eq!(
        crate::workbook::column(&open, "Why"),
        ["complete, result not yet available"]
    );
}

/// Bill 2 adjusts one result by -10 ft and the other by +50 ft, and bills nothing new.
fn adjusted_only() -> (Scripted, Stage) {
    let (service, stage) = billed();
    for (id, length) in [("A-0", 110.5), ("A-1", 170.5)] {
        service.rewrite(id, |measurement| {
            measurement["result"]["gutter_length_ft"] = length.into();
        });
    }
    (service, stage)
}

#[test]
fn a_bill_of_adjustments_alone_shows_their_net_in_the_terminal_and_in_json() {
    let (_service, stage) = adjusted_only();
    let words = ["export", "dec.xlsx", "--new", "--refresh", "all"];
    let said = stage.run(&words).expect(0).stdout;
    let net = "\nadjustments, net: gutter 40.0 ft, 0 corners, 0 downspouts of 0.0 ft\n";
    assert!(said.contains(net), "{said}");
    let to_bill = "\nto bill: gutter 40.0 ft, 0 corners, 0 downspouts of 0.0 ft\n";
    assert!(said.contains(to_bill), "{said}");
    let listed = |words: &[&str]| {
        let mut command = stage.command(&[&["export", "--sealed"], words].concat());
        let list = command.env("TZ", "Asia/Tokyo").output().unwrap();
        Run::of(list).expect(0).stdout
    };
    assert!(listed(&["--tz", "UTC"]).contains(" UTC  "));
    let list = listed(&[]);
    let (first, second) = list.split_once("\nsealed export 2  ").unwrap();
    assert!(first.contains(" JST  "), "{list}");
    assert!(first.contains("\n  billed  gutter 241.0 ft"), "{list}");
    assert!(!first.contains("adjusted by"), "{list}");
    let net = "gutter 0.0 ft, 0 corners, 0 downspouts of 0.0 ft; adjusted by gutter 40.0 ft, 0 corners, 0 downspouts of 0.0 ft";
    assert!(second.contains(net), "{list}");
    let list = stage
        .run(&["export", "--sealed", "--json"])
        .expect(0)
        .json();
    assert!(list["sealed"][0]["adjustment_totals"].is_null(), "{list}");
    assert_eq!(
        list["sealed"][1]["adjustment_totals"],
        serde_json::json!({
            "gutter_length_ft": 40.0, "corner_count": 0, "downspout_count": 0, "downspout_length_ft": 0.0,
        })
    );
    assert_eq!(list["sealed"][1]["totals"]["gutter_length_ft"], 0.0);
}

#[test]
fn a_bill_of_adjustments_alone_shows_their_net_in_its_workbook() {
    let (_service, stage) = adjusted_only();
    let document = seal(&stage, "dec.xlsx").json();
    assert_eq!(document["adjustment_totals"]["gutter_length_ft"], 40.0);
    assert_eq!(document["totals"]["gutter_length_ft"], 0.0);
    let book = fs::read(stage.path("dec.xlsx")).unwrap();
    let summary = crate::workbook::table(&book, "Summary");
    let cells: Vec<Vec<String>> = summary
        .iter()
        .map(|row| row.iter().map(ToString::to_string).collect())
        .collect();
    let lines_of_none = " lines on the sheet Downspouts add up";
    assert!(
        !cells
            .iter()
            .flatten()
            .any(|cell| cell.contains(lines_of_none))
    );
    for line in [
        ["Gutter length (ft)", "0"],
        ["Adjusted: Gutter length (ft)", "40"],
        ["To bill: Gutter length (ft)", "40"],
    ] {
        assert!(
            cells.iter().any(|row| row[..2] == line),
            "{line:?}: {cells:?}"
        );
    }
    let texts: Vec<&String> = cells.iter().flatten().collect();
    assert!(
        !texts
            .iter()
            .any(|text| text.starts_with("No completed measurement belongs"))
    );
    let sheets: calamine::Xlsx<_> =
        calamine::Reader::new(std::io::Cursor::new(book.clone())).unwrap();
    let names = calamine::Reader::sheet_names(&sheets);
    assert_eq!(names[..3], ["Summary", "Adjustments", "Measurements"]);
    let rows = crate::workbook::table(&book, "Adjustments");
    let total = rows.iter().rfind(|row| !matches!(row[0], Data::Empty));
    let total: Vec<String> = total.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(total[0], "Total");
    assert!(
        total.contains(&"Gutter length (ft)".to_owned()),
        "{total:?}"
    );
    assert!(total.contains(&"40".to_owned()), "{total:?}");
}

#[test]
fn a_bill_that_was_adjusted_has_no_totals_that_a_restored_journal_cannot_know() {
    let (_service, stage) = adjusted_only();
    seal(&stage, "dec.xlsx");
    stage.run(&["export", "all.xlsx", "--offline"]).expect(0);
    let journal = ["--journal", "restored.db"];
    let restore = ["import", "--restore", "all.xlsx"];
    stage.run(&[&restore, &journal[..]].concat()).expect(0);
    let list = ["export", "--sealed", "--json"];
    let list = stage.run(&[&list, &journal[..]].concat()).expect(0).json();
    assert!(list["sealed"][0]["totals"].is_null(), "{list}");
    assert_eq!(list["sealed"][1]["totals"]["gutter_length_ft"], 0.0);
    assert_eq!(list["sealed"][1]["adjustments"], 2);
    assert!(list["sealed"][1]["adjustment_totals"].is_null(), "{list}");
    let list = ["export", "--sealed"];
    let said = stage.run(&[&list, &journal[..]].concat()).expect(0).stdout;
    assert!(
        said.contains("2 measurements, 0 adjustments\n  billed  totals unknown\n"),
        "{said}"
    );
    let unknown = "gutter 0.0 ft, 0 corners, 0 downspouts of 0.0 ft; adjusted by unknown lengths";
    assert!(said.contains(unknown), "{said}");
}

#[test]
fn a_restored_bill_keeps_the_totals_of_its_own_workbook() {
    let (_service, stage) = billed();
    let journal = ["--journal", "restored.db"];
    let restore = ["import", "--restore", "billed.xlsx"];
    stage.run(&[&restore, &journal[..]].concat()).expect(0);
    let list = ["export", "--sealed", "--json"];
    let list = stage.run(&[&list, &journal[..]].concat()).expect(0).json();
    assert_eq!(list["sealed"][0]["totals"]["gutter_length_ft"], 241.0);
}

#[test]
fn a_withdrawn_measurement_with_a_field_that_json_escapes_keeps_its_result_on_show() {
    let (service, stage) = billed();
    withdraw(&service, "A-0");
    service.rewrite("A-0", |measurement| {
        measurement["a \"new\" field"] = "x".into();
    });
    stage
        .run(&["export", "all.xlsx", "--refresh", "all"])
        .expect(0);
    let words = ["export", "-", "--format", "json", "--offline"];
    let lines = stage.run(&words).expect(0).json();
    assert_eq!(lines[0]["gutter_length_ft"], 120.5);
}

#[test]
fn a_bill_of_adjustments_alone_whose_measurements_are_later_is_warned_of() {
    let (service, stage) = billed();
    stage.file("more.csv", sheet(2..3));
    stage.run(&["import", "more.csv"]).expect(0);
    service.complete("A-2");
    withdraw(&service, "A-0");
    let bill = ["export", "mistyped.xlsx", "--new", "--refresh", "all"];
    let run = stage.run(&[&bill[..], &["--completed-to", "2020-11-01"]].concat());
    let warned = "warning: this bill has only adjustments, and is sealed: nothing new was completed in its period, before 2020-11-01 (UTC); if its date was mistyped, the next bill has the measurements\n";
    let run = run.expect(0);
    assert!(run.stderr.contains(warned), "{}", run.stderr);
    let next = stage.run(&["export", "next.xlsx", "--new"]).expect(0);
    assert!(!next.stderr.contains("only adjustments"), "{}", next.stderr);
    assert!(
        next.stdout.contains("1 completed measurement"),
        "{}",
        next.stdout
    );
}
