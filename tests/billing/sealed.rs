//! Billing: every completed measurement in exactly one sealed export, whatever kills the program, and each file again.

use std::fs;

use gutterbatch::dispatch::StopSignal;
use gutterbatch::export::{
    BillingFilter, ExportFormat, ExportOptions, FormulaEscaping, RecordFilter, TimeZoneName,
};
use gutterbatch::journal::{Journal, JournalAccess};
use jiff::Timestamp;
use serde_json::Value;

use crate::support::exports::{complete, export, ids, imported};
use crate::support::imports::sheet;
use crate::support::{Contractor as _, Run, Stage};

pub(crate) fn measured(rows: usize) -> Stage {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..rows));
    stage.run(&["import", "leads.csv"]).expect(0);
    complete(&stage, rows);
    stage.run(&["export", "now.xlsx"]).expect(0);
    stage
}

pub(crate) fn seal(stage: &Stage, name: &str) -> Run {
    stage.run(&["export", name, "--new", "--json"]).expect(0)
}

pub(crate) fn list(stage: &Stage) -> Vec<Value> {
    let run = stage.run(&["export", "--sealed", "--json"]).expect(0);
    run.json()["sealed"].as_array().unwrap().clone()
}

pub(crate) fn again(stage: &Stage, number: &str) -> Vec<u8> {
    let name = format!("again-{number}.xlsx");
    stage.run(&["export", &name, "--again", number]).expect(0);
    fs::read(stage.path(&name)).unwrap()
}

pub(crate) fn now() -> Timestamp {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

/// An order of everything that nobody stops.
pub(crate) fn everything(format: ExportFormat) -> ExportOptions {
    ExportOptions {
        format,
        formula_escaping: FormulaEscaping::Off,
        zone: TimeZoneName::utc(),
        filter: RecordFilter {
            period: None,
            billing: BillingFilter::All,
            external_ids: None,
        },
        partial: None,
        images: None,
        stop: StopSignal::never(),
    }
}

pub(crate) fn journal(stage: &Stage) -> Journal {
    Journal::open(&stage.journal(), &JournalAccess::Shared).unwrap()
}

#[test]
fn every_completed_measurement_is_billed_exactly_once() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..6));
    stage.run(&["import", "leads.csv"]).expect(0);
    let mut billed = 0;
    for (round, done) in [2, 5, 6].into_iter().enumerate() {
        complete(&stage, done);
        let document = seal(&stage, &format!("bill-{round}.xlsx")).json();
        assert_eq!(document["sealed"], round as u64 + 1);
        billed += document["measurements"].as_u64().unwrap();
        assert_eq!(billed, done as u64);
    }
    let run = stage
        .run(&["export", "-", "--format", "json", "--offline"])
        .expect(0);
    let numbers: Vec<u64> = run
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["sealed"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [1, 1, 2, 2, 2, 3]);
    assert_eq!(list(&stage).len(), 3);
}

#[test]
fn nothing_new_writes_no_file_and_seals_nothing() {
    let stage = measured(1);
    seal(&stage, "bill.xlsx");
    let run = stage.run(&["export", "none.xlsx", "--new"]).expect(0);
    assert!(run.stdout.contains("nothing new to bill"), "{}", run.stdout);
    assert!(!stage.path("none.xlsx").exists());
    assert_eq!(list(&stage).len(), 1);
}

#[test]
fn a_sealed_file_is_not_written_again_from_damaged_bytes_or_under_another_extension() {
    let stage = measured(1);
    seal(&stage, "bill.xlsx");
    let run = stage.run(&["export", "bill.csv", "--again", "1"]).expect(2);
    assert!(run.stderr.contains("xlsx"), "{}", run.stderr);
    assert!(!stage.path("bill.csv").exists());

    let connection = rusqlite::Connection::open(stage.journal()).unwrap();
    let damage = "UPDATE sealed_files SET file = CAST(file || x'00' AS BLOB)";
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    drop(connection);
    stage
        .run(&["export", "again.xlsx", "--again", "1"])
        .expect(8);
    assert!(!stage.path("again.xlsx").exists());
}

#[test]
fn a_result_that_changed_after_billing_is_adjusted_once() {
    let stage = measured(2);
    seal(&stage, "bill.xlsx");
    let id = &ids(&stage)[0];
    let correct = stage
        .sandbox()
        .complete_with(id, 321.5, 7, &[(9.5, 1), (20.0, 2)]);
    stage.block_on(correct).unwrap();
    let run = stage
        .run(&[
            "export",
            "adjusted.xlsx",
            "--new",
            "--refresh",
            "all",
            "--json",
        ])
        .expect(0);
    let document = run.json();
    assert_eq!(
        (&document["sealed"], &document["adjustments"]),
        (&2.into(), &1.into())
    );
    assert_eq!(
        (&document["measurements"], &document["changed"]),
        (&0.into(), &1.into())
    );
    let book = fs::read(stage.path("adjusted.xlsx")).unwrap();
    let rows = crate::workbook::table(&book, "Adjustments");
    let of = |row, header| crate::workbook::cell(&rows, row, header).to_string();
    let length = rows
        .iter()
        .find(|row| of(row, "Figure") == "Gutter length (ft)")
        .unwrap();
    let [old, new, difference]: [f64; 3] =
        ["Old", "New", "Difference"].map(|header| of(length, header).parse().unwrap());
    assert!((new - 321.5).abs() < 1e-9);
    assert!((difference - (new - old)).abs() < 1e-6);
    let nothing = stage
        .run(&["export", "none.xlsx", "--new", "--refresh", "all", "--json"])
        .expect(0);
    assert_eq!(nothing.json()["sealed"], Value::Null);
}

#[test]
fn a_period_seals_what_was_completed_in_it_and_says_so() {
    let stage = measured(1);
    let past = [
        "export",
        "past.xlsx",
        "--new",
        "--json",
        "--month",
        "1999-12",
    ];
    assert_eq!(stage.run(&past).expect(0).json()["sealed"], Value::Null);
    let from = [
        "export",
        "bill.xlsx",
        "--new",
        "--json",
        "--completed-from",
        "2000-01-01",
    ];
    assert_eq!(stage.run(&from).expect(0).json()["sealed"], 1);
    assert_eq!(list(&stage)[0]["period"], "from 2000-01-01 (UTC)");
}

#[test]
fn what_was_completed_before_the_period_and_not_billed_is_told_with_its_command() {
    let stage = imported(3);
    complete(&stage, 2);
    let next_year = ["next.xlsx", "--new", "--month", "2999-01"];
    let run = export(&stage, &next_year, 0);
    let nothing = "nothing new to bill, period 2999-01 (UTC); nothing was written";
    assert_eq!(run.stdout.lines().next(), Some(nothing));
    let command = "gutterbatch export billing.xlsx --new --completed-to 2999-01-01 --tz UTC";
    for text in ["completed before 2999-01-01: 2 measurements", command] {
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
    }
    let unbilled_earlier = |words: &[&str]| {
        let words = [words, &["--json"]].concat();
        export(&stage, &words, 0).json()["unbilled_earlier"].clone()
    };
    assert_eq!(unbilled_earlier(&next_year), 2);
    let words = ["rest.xlsx", "--new", "--completed-to", "2999-01-01"];
    let run = export(&stage, &words, 0);
    assert!(!run.stderr.contains("not billed yet"), "{}", run.stderr);
    assert_eq!(unbilled_earlier(&next_year), 0);
    let run = export(&stage, &next_year, 0);
    assert!(!run.stderr.contains("not billed yet"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_seal_that_standard_output_cannot_take_says_how_to_write_the_file_again() {
    for flags in [&[][..], &["--json"]] {
        let stage = measured(1);
        let words = [&["export", "bill.xlsx", "--new"], flags].concat();
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = stage.command(&words).stdout(full).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(8), "{stderr}");
        for text in [
            "export 1 is sealed and written to bill.xlsx",
            "gutterbatch export bill-1.xlsx --again 1 writes it again",
        ] {
            assert!(stderr.contains(text), "{text}: {stderr}");
        }
        assert!(fs::read(stage.path("bill.xlsx")).unwrap() == again(&stage, "1"));
    }
}

#[test]
fn a_month_of_another_zone_than_this_computers_is_told_where_no_zone_is_given() {
    let stage = measured(1);
    let run = |zone, words: &[&str]| {
        let words = [&["export", "month.csv", "--offline"], words].concat();
        let output = stage.command(&words).env("TZ", zone).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let month = ["--month", "2026-10"];
    let note = "days and months are those of UTC";
    let told = run("America/Toronto", &month);
    assert!(told.contains(note), "{told}");
    assert!(told.contains("--tz America/Toronto"), "{told}");
    let named = [&month[..], &["--tz", "UTC"]].concat();
    for silent in [
        run("UTC", &month),
        run("America/Toronto", &named),
        run("America/Toronto", &[]),
    ] {
        assert!(!silent.contains(note), "{silent}");
    }
}

#[test]
fn days_of_another_zone_than_those_of_the_last_bill_are_told() {
    let stage = measured(1);
    let export = |words: &[&str]| {
        let words = [
            &["export"],
            words,
            &["--offline", "--completed-from", "2020-01-01"],
        ]
        .concat();
        stage.run(&words).expect(0).stderr
    };
    let note = "of sealed export 1 were of America/Toronto: for the same, add --tz America/Toronto";
    let before = export(&["month.csv"]);
    assert!(!before.contains("sealed export"), "{before}");
    export(&["bill.xlsx", "--new", "--tz", "America/Toronto"]);
    for forgotten in [&["month.csv"][..], &["bill-2.xlsx", "--new"]] {
        let told = export(forgotten);
        assert!(told.contains(note), "{told}");
    }
    let named = export(&["month.csv", "--tz", "America/Toronto"]);
    assert!(!named.contains("sealed export"), "{named}");
}

#[test]
fn the_command_that_summary_names_writes_the_same_file_again() {
    let stage = measured(1);
    seal(&stage, "bill.xlsx");
    let bytes = fs::read(stage.path("bill.xlsx")).unwrap();
    let summary = format!("{:?}", crate::workbook::table(&bytes, "Summary"));
    let (_, command) = summary.split_once("gutterbatch export ").unwrap();
    let (command, _) = command.split_once(" writes").unwrap();
    let words: Vec<&str> = ["export"].into_iter().chain(command.split(' ')).collect();
    stage.run(&words).expect(0);
    assert_eq!(fs::read(stage.path(words[1])).unwrap(), bytes);
}

#[test]
fn the_summary_of_a_bill_names_the_sources_of_what_it_bills_and_any_other_is_called_no_bill() {
    let stage = imported(3);
    complete(&stage, 2);
    seal(&stage, "bill.xlsx");
    let bytes = fs::read(stage.path("bill.xlsx")).unwrap();
    let summary = format!("{:?}", crate::workbook::table(&bytes, "Summary"));
    let sources = "Requested from leads.csv (2 measurements).";
    assert!(summary.contains(sources), "{summary}");
    assert!(!summary.contains("not a bill"), "{summary}");
    stage.run(&["export", "all.xlsx"]).expect(0);
    let bytes = fs::read(stage.path("all.xlsx")).unwrap();
    let summary = format!("{:?}", crate::workbook::table(&bytes, "Summary"));
    let sources = "Requested from leads.csv (3 measurements).";
    assert!(summary.contains(sources), "{summary}");
    assert!(summary.contains("not a bill"), "{summary}");
}
