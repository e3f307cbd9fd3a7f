//! Journals that cannot know what was billed: rebuilt, put back, a second one. And copies of a journal.

use std::fs;

use calamine::Data;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::support::Stage;
use crate::support::exports::{complete, export, imported};
use crate::support::imports::sheet;

/// Two measured and billed, and a journal of another name that was rebuilt by importing the same file again.
pub(crate) fn rebuilt() -> Stage {
    let stage = imported(2);
    complete(&stage, 2);
    export(&stage, &["october.xlsx", "--new"], 0);
    let again = ["import", "leads.csv", "--journal", "new.db", "--json"];
    let document = stage.run(&again).expect(0).json();
    assert_eq!(document["outcomes"]["existing"], 2);
    stage
}

/// The day that is to be written for everything completed so far.
pub(crate) fn tomorrow() -> String {
    let now = jiff::Zoned::now().with_time_zone(TimeZone::UTC);
    now.date().tomorrow().unwrap().to_string()
}

pub(crate) const NEW: [&str; 4] = ["bill.xlsx", "--new", "--journal", "new.db"];

pub(crate) fn seals(stage: &Stage, journal: &str) -> Vec<Value> {
    let words = ["--sealed", "--json", "--journal", journal];
    let document = export(stage, &words, 0).json();
    document["sealed"].as_array().unwrap().clone()
}

#[test]
fn a_rebuilt_journal_asks_what_was_billed_and_seals_nothing_until_it_is_told() {
    let stage = rebuilt();
    for _ in 0..2 {
        let run = export(&stage, &NEW, 3);
        for text in [
            "may have been billed elsewhere",
            "--billed-until",
            "A-0",
            "A-1",
        ] {
            assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
        }
        assert!(!stage.path("bill.xlsx").exists());
        assert!(seals(&stage, "new.db").is_empty());
    }
    let document = export(&stage, &[&NEW[..], &["--json"]].concat(), 3).json();
    assert_eq!(document["undeclared"], 2);
    assert_eq!(document["earlier"][0]["external_id"], "A-0");
}

#[test]
fn what_was_billed_elsewhere_is_never_billed_again_and_is_asked_once() {
    let stage = rebuilt();
    let tomorrow = tomorrow();
    let until = ["--billed-until", &tomorrow, "--json"];
    let document = export(&stage, &[&NEW[..], &until].concat(), 0).json();
    assert_eq!(document["sealed"], Value::Null);
    assert_eq!(document["billed_elsewhere"], 2);
    stage.file("more.csv", sheet(2..3));
    stage
        .run(&["import", "more.csv", "--journal", "new.db"])
        .expect(0);
    let words = ["-", "--format", "json", "--journal", "new.db"];
    let lines = export(&stage, &words, 0).json();
    let id = lines[2]["measurement_id"].as_str().unwrap();
    stage.sandbox().complete(id).unwrap();
    let document = export(&stage, &[&NEW[..], &["--json"]].concat(), 0).json();
    assert_eq!(
        (&document["sealed"], &document["measurements"]),
        (&1.into(), &1.into())
    );
    let status = stage
        .run(&["status", "--json", "--journal", "new.db"])
        .expect(0)
        .json();
    assert_eq!(
        status["billed_elsewhere"][0]["until"],
        format!("{tomorrow} (UTC)")
    );
    let status = stage.run(&["status", "--journal", "new.db"]).expect(0);
    assert!(
        status
            .stdout
            .contains("2 measurements billed elsewhere; last declared 20"),
        "{}",
        status.stdout
    );
}

#[test]
fn a_mistaken_declaration_is_taken_back_on_purpose_and_what_is_sealed_stays_billed() {
    let stage = rebuilt();
    let tomorrow = tomorrow();
    let declared = |until: &[&str]| {
        let words = [&NEW[..], &["--json", "--billed-until"], until].concat();
        export(&stage, &words, 0).json()
    };
    // A command that is run again, for instance from the shell's history, takes nothing back.
    for until in [&tomorrow, "never"] {
        let document = declared(&[until]);
        assert_eq!(
            (&document["sealed"], &document["billed_elsewhere"]),
            (&Value::Null, &2.into())
        );
    }
    let status = stage.run(&["status", "--journal", "new.db"]).expect(0);
    let told = "2 measurements billed elsewhere; last declared ";
    assert!(status.stdout.contains(told), "{}", status.stdout);
    let document = declared(&["never", "--redeclare"]);
    assert_eq!(
        (&document["sealed"], &document["measurements"]),
        (&1.into(), &2.into())
    );
    for until in [&[&tomorrow, "--redeclare"][..], &["never"]] {
        let document = declared(until);
        assert_eq!(
            (&document["sealed"], &document["billed_elsewhere"]),
            (&Value::Null, &0.into())
        );
    }
    let status = stage.run(&["status", "--journal", "new.db"]).expect(0);
    let told = "0 measurements billed elsewhere; last declared ";
    assert!(status.stdout.contains(told), "{}", status.stdout);
}

/// Another journal creates what this one tried to create a day before, or before the computer slept for an hour.
#[test]
fn an_attempt_that_ended_before_a_measurement_was_created_did_not_create_it() {
    let day_before = "UPDATE attempts SET taken_at = taken_at - 86400000, times_out_at = times_out_at - 86400000";
    let slept = "UPDATE attempts SET times_out_at = settled_at + 3600000, settled_at = settled_at + 3600000";
    for attempted in [day_before, slept] {
        let stage = Stage::open();
        stage.file("leads.csv", sheet(0..2));
        let rule =
            r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": false}]}"#;
        stage.sandbox().set_faults(rule.parse().ok());
        let import = ["import", "leads.csv", "--journal", "new.db"];
        stage.run(&import).expect(9);
        stage.sandbox().set_faults(None);
        let connection = rusqlite::Connection::open(stage.path("new.db")).unwrap();
        connection.execute(attempted, []).unwrap();
        drop(connection);
        stage.run(&["import", "leads.csv"]).expect(0);
        complete(&stage, 2);
        stage.run(&import).expect(0);
        let run = export(&stage, &NEW, 3);
        let said = "may have been billed elsewhere";
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

/// Another journal creates what this one tried to create minutes before, when the clocks are known to agree.
#[test]
fn an_attempt_minutes_before_a_measurement_was_created_did_not_create_it() {
    let stage = Stage::open();
    stage.file("first.csv", sheet(5..6));
    stage.file("leads.csv", sheet(0..2));
    let import = |file| ["import", file, "--journal", "new.db"];
    stage.run(&import("first.csv")).expect(0);
    let rule =
        r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": false}]}"#;
    stage.sandbox().set_faults(rule.parse().ok());
    stage.run(&import("leads.csv")).expect(9);
    stage.sandbox().set_faults(None);
    let connection = rusqlite::Connection::open(stage.path("new.db")).unwrap();
    let minutes_before =
        "UPDATE attempts SET taken_at = taken_at - 300000, times_out_at = times_out_at - 300000
        WHERE external_id IN ('A-0', 'A-1')";
    connection.execute(minutes_before, []).unwrap();
    drop(connection);
    stage.run(&["import", "leads.csv"]).expect(0);
    complete(&stage, 3);
    stage.run(&import("leads.csv")).expect(0);
    let run = export(&stage, &NEW, 3);
    for (id, is_listed) in [("A-0", true), ("A-1", true), ("A-5", false)] {
        assert_eq!(run.stderr.contains(id), is_listed, "{id}: {}", run.stderr);
    }
}

/// Another journal creates and bills, minutes later, what this one tried to create; the clocks were never compared.
#[test]
fn what_is_complete_when_it_is_found_may_have_been_billed_by_a_journal_that_is_lost() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    let import = ["import", "leads.csv", "--journal", "new.db"];
    let rule =
        r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": false}]}"#;
    stage.sandbox().set_faults(rule.parse().ok());
    stage.run(&import).expect(9);
    stage.sandbox().set_faults(None);
    stage.run(&["import", "leads.csv"]).expect(0);
    complete(&stage, 2);
    export(&stage, &["october.xlsx", "--new"], 0);
    stage.run(&import).expect(0);
    let document = export(&stage, &[&NEW[..], &["--json"]].concat(), 3).json();
    assert_eq!(document["undeclared"], 2);
}

#[test]
fn a_clock_that_is_an_hour_behind_makes_no_measurement_foreign() {
    let stage = Stage::open();
    stage.file("first.csv", sheet(5..6));
    stage.file("leads.csv", sheet(0..1));
    stage.run(&["import", "first.csv"]).expect(0);
    let rule = r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": true}]}"#;
    stage.sandbox().set_faults(rule.parse().ok());
    stage.run(&["import", "leads.csv"]).expect(9);
    stage.sandbox().set_faults(None);
    let connection = rusqlite::Connection::open(stage.journal()).unwrap();
    let hour_before =
        "UPDATE attempts SET taken_at = taken_at - 3600000, settled_at = settled_at - 3600000,
        times_out_at = times_out_at - 3600000";
    connection.execute(hour_before, []).unwrap();
    drop(connection);
    let document = stage.run(&["import", "leads.csv", "--json"]).expect(0);
    assert_eq!(document.json()["outcomes"]["existing"], 1);
    complete(&stage, 2);
    let document = export(&stage, &["bill.xlsx", "--new", "--json"], 0).json();
    assert_eq!(document["measurements"], 2);
}

#[test]
fn never_may_have_capitals() {
    let stage = rebuilt();
    let words = [&NEW[..], &["--billed-until", "Never"]].concat();
    assert!(export(&stage, &words, 0).stdout.contains("2 completed"));
}

#[test]
fn a_new_journal_says_so_before_its_first_rows_whatever_answers_the_question() {
    let stage = imported(1);
    let import = |flags: &[&str]| {
        let words = [&["import", "leads.csv", "--yes"], flags].concat();
        stage.run(&words).expect(0).stderr
    };
    assert!(!import(&[]).contains("journal is empty"));
    let said = import(&["--profile", "second"]);
    let unknown = "warning: there is no profile `second` yet; ";
    assert!(said.contains(unknown), "{said}");
    assert!(
        said.contains("the journal is empty; if another one"),
        "{said}"
    );
    let restore = "gutterbatch import --profile second --restore RESULTS.xlsx";
    assert!(said.contains(restore), "{said}");
    assert!(!import(&["--profile", "second"]).contains("no profile"));
    // The service had the only row: another journal requested it.
    let other = "another journal requested all measurements of this one";
    for (rows, expected) in [(0..2, true), (0..3, false)] {
        stage.file("leads.csv", sheet(rows));
        let said = import(&["--profile", "second"]);
        assert_eq!(said.contains(other), expected, "{said}");
    }
    assert_eq!(import(&["--journal", "other.db", "-q"]), "");
}

#[test]
fn an_answer_concerns_what_was_asked_and_no_earlier_declaration() {
    let stage = rebuilt();
    export(
        &stage,
        &[&NEW[..], &["--billed-until", &tomorrow()]].concat(),
        0,
    );
    // The first journal creates another, and the second one learns of it.
    stage.file("more.csv", sheet(2..3));
    stage.run(&["import", "more.csv"]).expect(0);
    complete(&stage, 3);
    stage
        .run(&["import", "more.csv", "--journal", "new.db"])
        .expect(0);
    let run = export(&stage, &NEW, 3);
    assert!(run.stderr.contains("A-2") && !run.stderr.contains("A-0"));
    let never = ["--billed-until", "never", "--json"];
    let document = export(&stage, &[&NEW[..], &never].concat(), 0).json();
    assert_eq!(
        (&document["measurements"], &document["billed_elsewhere"]),
        (&1.into(), &2.into())
    );
}

#[test]
fn what_another_journal_billed_after_this_one_learned_of_it_is_listed_and_left_out() {
    let stage = imported(2);
    complete(&stage, 1);
    let import = ["import", "leads.csv", "--journal", "new.db"];
    stage.run(&import).expect(0);
    complete(&stage, 2);
    export(&stage, &["october.xlsx", "--new"], 0);
    let run = export(&stage, &NEW, 3);
    for text in ["2 measurements may", "A-0", "A-1"] {
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
    }
    let document = stage.run(&hinted(&run.stderr)).expect(0);
    assert!(document.stdout.contains("2 measurements left out"));
}

#[test]
fn what_is_completed_after_the_question_is_asked_about_too() {
    let stage = imported(3);
    complete(&stage, 2);
    let import = ["import", "leads.csv", "--journal", "new.db"];
    stage.run(&import).expect(0);
    export(&stage, &["october.xlsx", "--new"], 0);
    let run = export(&stage, &NEW, 3);
    assert!(run.stderr.contains("A-1") && !run.stderr.contains("A-2"));
    complete(&stage, 3);
    // A day that is not over: the answer is about what was listed.
    let run = export(
        &stage,
        &[&NEW[..], &["--billed-until", &tomorrow()]].concat(),
        3,
    );
    assert!(
        run.stderr.contains("A-2") && !run.stderr.contains("A-1"),
        "{}",
        run.stderr
    );
    assert!(seals(&stage, "new.db").is_empty());
    let never = [&NEW[..], &["--billed-until", "never", "--json"]].concat();
    let document = export(&stage, &never, 0).json();
    assert_eq!(
        (&document["measurements"], &document["billed_elsewhere"]),
        (&1.into(), &2.into())
    );
}

/// The command that declares all that a question lists as billed.
fn hinted(stderr: &str) -> Vec<&str> {
    let hint = stderr.lines().find(|line| line.contains("all of these: "));
    let words = hint.unwrap().split("gutterbatch ").nth(1).unwrap();
    words.split_whitespace().collect()
}

#[test]
fn what_was_never_billed_elsewhere_is_billed_once_that_is_said() {
    let stage = rebuilt();
    let never = ["--billed-until", "never", "--json"];
    let document = export(&stage, &[&NEW[..], &never].concat(), 0).json();
    assert_eq!(
        (&document["sealed"], &document["measurements"]),
        (&1.into(), &2.into())
    );
}

#[test]
fn a_row_whose_answer_was_lost_is_the_journals_own() {
    let stage = Stage::open();
    let faults = r#"{"rules": [{"do": "drop", "handled": true, "method": "POST", "path": "/measurements", "times": 1}]}"#;
    stage.sandbox().set_faults(Some(faults.parse().unwrap()));
    stage.file("leads.csv", sheet(0..2));
    let document = stage
        .run(&["import", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(document["outcomes"]["existing"], 1);
    complete(&stage, 2);
    let document = export(&stage, &["bill.xlsx", "--new", "--json"], 0).json();
    assert_eq!(document["measurements"], 2);
}

#[test]
fn a_row_that_a_proxy_answered_in_place_of_the_service_is_the_journals_own() {
    for status in [302, 403, 404] {
        let stage = Stage::open();
        let rule = format!(
            r#"{{"rules": [{{"do": "status", "status": {status}, "method": "POST", "handled": true, "times": 1}}]}}"#
        );
        stage.sandbox().set_faults(Some(rule.parse().unwrap()));
        stage.file("leads.csv", sheet(0..2));
        stage.run(&["import", "leads.csv"]).expect(9);
        let document = stage.run(&["import", "leads.csv", "--json"]).expect(0);
        assert_eq!(document.json()["outcomes"]["existing"], 1, "{status}");
        complete(&stage, 2);
        let document = export(&stage, &["bill.xlsx", "--new", "--json"], 0).json();
        assert_eq!(document["measurements"], 2, "{status}");
    }
}

#[test]
fn the_sheet_shows_which_seal_billed_each_measurement() {
    let stage = imported(1);
    complete(&stage, 1);
    export(&stage, &["bill.xlsx", "--new"], 0);
    let rows = crate::workbook::table(&fs::read(stage.path("bill.xlsx")).unwrap(), "Measurements");
    let sealed = crate::workbook::cell(&rows, &rows[1], "Sealed");
    assert_eq!(*sealed, Data::Float(1.0));
}

#[test]
fn status_says_that_a_declaration_is_missing_from_the_refused_export_until_it_is_made() {
    let stage = rebuilt();
    let status = || {
        let run = stage.run(&["status", "--journal", "new.db"]);
        run.expect(0).stdout
    };
    assert!(!status().contains("declare what was billed"));
    export(&stage, &NEW, 3);
    let needs = "\nneeds you     nothing is billed before you declare what was billed elsewhere; an export asks about it: gutterbatch export --journal new.db billing.xlsx --new\n";
    assert!(status().contains(needs), "{}", status());
    export(
        &stage,
        &[&NEW[..], &["--billed-until", "never"]].concat(),
        0,
    );
    assert!(!status().contains("declare what was billed"));
    let declared = "\n              0 measurements billed elsewhere; last declared 20";
    assert!(status().contains(declared), "{}", status());
}
