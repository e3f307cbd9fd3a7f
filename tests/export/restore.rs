//! A lost journal comes back from what a workbook of an export shows.

use std::fs;

use gutterbatch::sandbox::Options;
use serde_json::Value;

use crate::support::exports::{complete, export, imported};
use crate::support::imports::sheet;
use crate::support::parts::rewritten;
use crate::support::{Run, Stage};

const MEASUREMENTS: &str = "xl/worksheets/sheet2.xml";

pub(crate) fn restore(stage: &Stage, workbook: &str, journal: &str, code: i32) -> Value {
    restored(stage, workbook, journal).expect(code).json()
}

pub(crate) fn restored(stage: &Stage, workbook: &str, journal: &str) -> Run {
    let words = ["import", "--restore", workbook, "--json"];
    stage.run(&[&words[..], &["--journal", journal]].concat())
}

/// Three measurements, two of them measured and sealed, in a workbook whose rows of `Measurements` are changed as said.
fn changed(change: impl Fn(Vec<&str>) -> Vec<String>) -> Stage {
    let stage = imported(3);
    complete(&stage, 2);
    export(&stage, &["all.xlsx", "--new"], 0);
    let workbook = fs::read(stage.path("all.xlsx")).unwrap();
    let other = rewritten(&workbook, MEASUREMENTS, |sheet| {
        let (head, rest) = sheet.split_once("<sheetData>").unwrap();
        let (rows, tail) = rest.split_once("</sheetData>").unwrap();
        let rows = change(rows.split_inclusive("</row>").collect()).concat();
        format!("{head}<sheetData>{rows}</sheetData>{tail}")
    });
    stage.file("changed.xlsx", other);
    stage
}

fn owned(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| (*row).to_owned()).collect()
}

#[test]
fn status_says_that_a_journal_was_restored() {
    let stage = imported(3);
    export(&stage, &["all.xlsx"], 0);
    stage.file("results.xlsx", "the name that the next command would have");
    let run = restored(&stage, "all.xlsx", "new.db").expect(0);
    let next = "gutterbatch export --journal new.db results-2.xlsx\n";
    assert!(run.stderr.ends_with(next), "{}", run.stderr);
    let status = stage.run(&["status", "--journal", "new.db"]).expect(0);
    let said =
        "done          yes: 3 measurements in a restored journal, nothing was imported since\n";
    assert!(status.stdout.starts_with(said), "{}", status.stdout);
    let open = "3 of 3 measurements open, as restored; `gutterbatch export";
    assert!(status.stdout.contains(open), "{}", status.stdout);
    let words = ["status", "--journal", "new.db", "--id", "A-0"];
    let row = stage.run(&words).expect(0);
    assert!(
        row.stdout.contains(" pending, as restored\n"),
        "{}",
        row.stdout
    );
    let row = stage.run(&[&words[..], &["--json"]].concat()).expect(0);
    let measurement = &row.json()["measurement"];
    assert_eq!(measurement["status"], "pending");
    assert!(measurement["fetched_at"].is_null(), "{measurement}");
}

#[test]
fn the_same_workbook_again_is_restored_already_and_another_one_is_refused() {
    let stage = imported(2);
    complete(&stage, 1);
    export(&stage, &["all.xlsx", "--new"], 0);
    export(&stage, &["other.xlsx", "--tz", "UTC"], 0);
    let first = restore(&stage, "all.xlsx", "new.db", 0);
    stage.file("copy.xlsx", fs::read(stage.path("all.xlsx")).unwrap());
    for workbook in ["all.xlsx", "copy.xlsx"] {
        let words = ["import", "--restore", workbook, "--journal", "new.db"];
        let run = stage.run(&words).expect(0);
        let said = format!(
            "{workbook}: 2 measurements restored already, 1 of them billed in 1 sealed export\n"
        );
        assert!(run.stdout.starts_with(&said), "{}", run.stdout);
    }
    assert_eq!(restore(&stage, "all.xlsx", "new.db", 0), first);
    let run = restored(&stage, "other.xlsx", "new.db").expect(6);
    assert!(run.stderr.contains("new.db is not empty"), "{}", run.stderr);
    let status = stage.run(&["status", "--journal", "new.db", "--json"]);
    let measurements = &status.expect(0).json()["measurements"];
    assert_eq!(
        [&measurements["complete"], &measurements["pending"]],
        [1, 1]
    );
}

#[test]
fn a_row_that_is_gone_is_missed() {
    let stage = changed(|rows| owned(&rows[..2]));
    let document = restore(&stage, "changed.xlsx", "new.db", 3);
    // As often as it is restored.
    assert_eq!(restore(&stage, "changed.xlsx", "new.db", 3), document);
    assert_eq!(
        (&document["restored"], &document["missing"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn of_two_rows_that_claim_one_measurement_the_first_holds() {
    let stage = changed(|rows| {
        let second = ('A'..='Z').fold(
            rows[1].replace("<row r=\"2\"", "<row r=\"3\""),
            |row, column| row.replace(&format!("r=\"{column}2\""), &format!("r=\"{column}3\"")),
        );
        vec![rows[0].to_owned(), rows[1].to_owned(), second]
    });
    let document = restore(&stage, "changed.xlsx", "new.db", 3);
    assert_eq!(
        (&document["restored"], &document["unreadable"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn a_sealed_workbook_that_was_saved_again_is_restored_as_found_with_a_warning() {
    let stage = changed(|rows| {
        // The first measurement's number of corners.
        let (before, after) = rows[1].split_once("<c r=\"K2\"").unwrap();
        let (_, after) = after.split_once("</v>").unwrap();
        let edited = format!("{before}<c r=\"K2\"><v>77</v>{after}");
        vec![rows[0].to_owned(), edited, rows[2].to_owned()]
    });
    let book = fs::read(stage.path("changed.xlsx")).unwrap();
    let saved = rewritten(&book, "docProps/core.xml", |text| {
        text.replace("<cp:lastModifiedBy>gutterbatch", "<cp:lastModifiedBy>Ann")
    });
    stage.file("changed.xlsx", saved);
    let run = restored(&stage, "changed.xlsx", "new.db").expect(0);
    assert!(
        run.stderr.contains("saved again since it was exported"),
        "{}",
        run.stderr
    );
    assert_eq!(run.json()["altered"], 1);
    let journal = ["--journal", "new.db"];
    let again = ["again.xlsx", "--again", "1"];
    let run = export(&stage, &[&again, &journal[..]].concat(), 8);
    assert!(run.stderr.contains("sealed export 1"), "{}", run.stderr);
    assert!(!stage.path("again.xlsx").exists());
    let lines = ["-", "--format", "json", "--offline"];
    let lines = export(&stage, &[&lines, &journal[..]].concat(), 0).json();
    assert_eq!(lines[0]["corner_count"], 77);
    assert_eq!(lines[0]["sealed"], 1);
}

#[test]
fn a_lost_journal_is_restored_from_a_workbook_without_a_request() {
    let stage = imported(3);
    complete(&stage, 2);
    export(&stage, &["sealed.xlsx", "--new"], 0);
    let offline = ["-", "--format", "json", "--offline"];
    let before = export(&stage, &offline, 0).json();
    let posts = || {
        let calls = stage.sandbox().calls();
        calls.iter().filter(|call| call.method == "POST").count()
    };
    let posted = posts();
    let journal = ["--journal", "new.db"];
    let document = restore(&stage, "sealed.xlsx", "new.db", 0);
    assert_eq!(
        (&document["restored"], &document["billed"]),
        (&3.into(), &2.into())
    );
    let after = export(&stage, &[&offline, &journal[..]].concat(), 0).json();
    for (before, after) in before
        .as_array()
        .unwrap()
        .iter()
        .zip(after.as_array().unwrap())
    {
        for key in [
            "external_id",
            "source_file",
            "source_row",
            "measurement_id",
            "request_id",
            "status",
            "name",
            "line1",
            "city",
            "postal_code",
            "country",
            "gutter_length_ft",
            "gutter_size_in",
            "corner_count",
            "downspout_length_ft",
            "downspouts",
            "sealed",
        ] {
            assert_eq!(before[key], after[key], "{key}");
        }
        assert_eq!(after["email"], Value::Null);
    }
    let rerun = stage.run(&[&["import", "leads.csv", "--json"], &journal[..]].concat());
    let rerun = rerun.expect(0).json();
    assert_eq!(rerun["outcomes"]["known"], 3);
    assert_eq!(rerun["changed_after_submit"], 0);
    assert_eq!(posts(), posted);
    // The next export verifies, and bills nothing a second time.
    let again = ["b.xlsx", "--new", "--json"];
    let again = export(&stage, &[&again, &journal[..]].concat(), 0).json();
    assert_eq!(again["sealed"], Value::Null);
    assert_eq!(again["requests"]["get"].as_u64(), Some(3));
    let again = ["c.xlsx", "--again", "1"];
    let run = export(&stage, &[&again, &journal[..]].concat(), 8);
    assert!(
        run.stderr.contains("use the copy of the file"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_restored_address_is_that_of_the_row_whichever_line_has_its_unit() {
    let stage = Stage::open();
    let addresses = [
        "Rose Cottage,Apt 3",
        "County Road 12,Unit B",
        "12 Elm St,Unit 3 (basement)",
    ];
    let row = |(n, address)| format!("{n},Ann,ann{n}@example.com,{address},Columbus,OH,4300{n}\n");
    let rows: String = (1..).zip(addresses).map(row).collect();
    let header = "id,name,email,line1,line2,city,region,postal_code\n";
    stage.file("leads.csv", format!("{header}{rows}"));
    stage.run(&["import", "leads.csv"]).expect(0);
    export(&stage, &["results.xlsx"], 0);
    restore(&stage, "results.xlsx", "new.db", 0);
    let rerun = stage.run(&["import", "leads.csv", "--json", "--journal", "new.db"]);
    let rerun = rerun.expect(0).json();
    assert_eq!(rerun["outcomes"]["known"], 3);
    assert_eq!(rerun["changed_after_submit"], 0);
}

#[test]
fn a_restored_bill_whose_day_no_workbook_tells_has_no_day() {
    let stage = imported(3);
    complete(&stage, 1);
    export(&stage, &["sealed.xlsx", "--new"], 0);
    restore(&stage, "sealed.xlsx", "new.db", 0);
    let journal = ["--journal", "new.db"];
    let list = |journal: &str| export(&stage, &["--sealed", "--journal", journal], 0).stdout;
    let listed = list("new.db");
    assert!(
        listed.starts_with("sealed export 1  unknown  1 measurement,"),
        "{listed}"
    );
    let document = export(&stage, &[&["--sealed", "--json"], &journal[..]].concat(), 0).json();
    assert_eq!(document["sealed"][0]["sealed_at"], Value::Null);
    // A later workbook lists it, and a journal that is restored from that one does too.
    export(&stage, &[&["all.xlsx"], &journal[..]].concat(), 0);
    let workbook = fs::read(stage.path("all.xlsx")).unwrap();
    let summary = crate::workbook::table(&workbook, "Summary");
    let cells = summary.iter().flatten().map(ToString::to_string);
    assert!(cells.into_iter().all(|cell| !cell.contains("1970")));
    restore(&stage, "all.xlsx", "newer.db", 0);
    assert_eq!(list("newer.db"), listed);
}

#[test]
fn a_restored_bill_without_a_digest_has_none_and_protects_no_missing_file() {
    let stage = imported(3);
    complete(&stage, 1);
    export(&stage, &["sealed.xlsx", "--new"], 0);
    export(&stage, &["all.xlsx"], 0);
    restore(&stage, "all.xlsx", "new.db", 0);
    let journal = ["--journal", "new.db"];
    let with = |words: &[&str], code| export(&stage, &[words, &journal[..]].concat(), code);
    with(&["fresh.xlsx", "--force"], 0);
    assert!(stage.path("fresh.xlsx").exists());
    let document = with(&["--sealed", "--json"], 0).json();
    assert_eq!(document["sealed"][0]["sha256"], Value::Null);
    let listed = with(&["--sealed"], 0).stdout;
    assert!(!listed.contains("sha256"), "{listed}");
    assert!(
        listed.trim_end() == listed.trim_end_matches('\n'),
        "{listed:?}"
    );
}

#[test]
fn a_row_of_another_house_is_a_conflict_with_a_restored_one() {
    let stage = imported(1);
    export(&stage, &["all.xlsx"], 0);
    restore(&stage, "all.xlsx", "new.db", 0);
    let other = sheet(0..1).replace("10 Elm Street", "77 Oak Avenue");
    stage.file("leads.csv", other);
    let rerun = stage.run(&["import", "leads.csv", "--json", "--journal", "new.db"]);
    assert_eq!(rerun.expect(3).json()["outcomes"]["conflict"], 1);
}

#[test]
fn a_workbook_of_another_service_is_refused_by_an_empty_journal_too() {
    let stage = imported(2);
    export(&stage, &["theirs.xlsx"], 0);
    let other = Stage::open();
    other.file("theirs.xlsx", fs::read(stage.path("theirs.xlsx")).unwrap());
    let run = other.run(&["import", "--restore", "theirs.xlsx"]).expect(6);
    for text in ["the settings name the service", "nothing was changed"] {
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
    }
    other.file("leads.csv", sheet(0..2));
    let document = other.run(&["import", "leads.csv", "--json"]).expect(0);
    assert_eq!(document.json()["outcomes"]["created"], 2);
}

#[test]
fn a_workbook_of_another_team_is_refused_before_anything_is_written() {
    let stage = imported(2);
    export(&stage, &["theirs.xlsx"], 0);
    let other = Stage::with(Options::default());
    other.file("theirs.xlsx", fs::read(stage.path("theirs.xlsx")).unwrap());
    other.file("first.csv", sheet(7..8));
    other.run(&["import", "first.csv"]).expect(0);
    let run = other.run(&["import", "--restore", "theirs.xlsx"]).expect(6);
    assert!(run.stderr.contains("and the workbook to"), "{}", run.stderr);
    other.file("leads.csv", sheet(0..2));
    let document = other
        .run(&["import", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(document["outcomes"]["created"], 2);
}

#[test]
fn a_measurement_of_another_address_that_no_sheet_shows_is_missed() {
    let (service, stage) = crate::billing::adjustments::completed();
    service.rewrite("A-1", |measurement| {
        measurement["address"]["line1"] = "77 Oak Avenue".into();
    });
    export(&stage, &["all.xlsx"], 3);
    let workbook = fs::read(stage.path("all.xlsx")).unwrap();
    let open = crate::workbook::table(&workbook, "Open");
    assert_eq!(
        crate::workbook::column(&open, "Status"),
        ["address_differs"]
    );
    let without = rewritten(&workbook, "xl/worksheets/sheet5.xml", |sheet| {
        let (head, rest) = sheet.split_once("<row r=\"2\"").unwrap();
        let (_, tail) = rest.split_once("</row>").unwrap();
        format!("{head}{tail}")
    });
    stage.file("without.xlsx", without);
    for (workbook, journal, missing, code) in [
        ("all.xlsx", "all.db", 0, 0),
        ("without.xlsx", "without.db", 1, 3),
    ] {
        let document = restore(&stage, workbook, journal, code);
        assert_eq!(document["missing"], missing, "{document}");
    }
}

#[test]
fn a_users_own_sheet_with_results_is_no_source_and_the_right_one_is_named() {
    let stage = imported(1);
    stage.file("leads.xlsx", {
        let mut book = rust_xlsxwriter::Workbook::new();
        let leads = book.add_worksheet();
        for (row, line) in (0..).zip(sheet(0..1).lines()) {
            leads.write_row(row, 0, line.split(',')).unwrap();
        }
        book.save_to_buffer().unwrap()
    });
    export(&stage, &["own.xlsx", "--for", "leads.xlsx"], 0);
    let run = restored(&stage, "own.xlsx", "new.db").expect(10);
    for text in [
        "own.xlsx is not a results workbook",
        "an older one works too",
        "as `--for` writes it",
    ] {
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
    }
}
