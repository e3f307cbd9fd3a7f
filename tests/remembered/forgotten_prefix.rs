//! A prefix that other rows of a list were requested with, and that is forgotten.

use crate::remembered::flags::ids;
use crate::remembered::sheets::customers;
use crate::support::Stage;

/// Imports a list with these flags, and its rejects with the postal codes filled in.
fn correct_october(stage: &Stage, october: &str, flags: &[&str]) {
    stage.file("october.csv", october);
    let import = ["import", "october.csv", "--yes"];
    stage.run(&[&import[..], flags].concat()).expect(3);
    let rejects = std::fs::read_to_string(stage.path("october.rejects.csv")).unwrap();
    stage.file(
        "october.rejects.csv",
        rejects.replace(",MA,,", ",MA,02134,"),
    );
    stage
        .run(&["import", "october.rejects.csv", "--yes"])
        .expect(0);
}

#[test]
fn an_import_that_only_rejects_rows_needs_the_prefix_of_its_houses_too() {
    let stage = Stage::open();
    stage.file("leads.csv", customers(1..5, "Elm"));
    let prefix = ["import", "leads.csv", "--yes", "--id-prefix", "oct-"];
    stage.run(&prefix).expect(0);
    let more = customers(1..6, "Elm");
    let at = more.rfind("02134").unwrap();
    stage.file("again.csv", format!("{}\n", &more[..at]));
    let run = stage.run(&["import", "again.csv", "--yes"]).expect(10);
    assert!(run.stderr.contains("--id-prefix=oct-"), "{}", run.stderr);
    assert!(!stage.path("again.rejects.csv").exists());
}

#[test]
fn a_row_that_was_corrected_under_a_prefix_is_no_reason_to_send_others_without_it() {
    let stage = Stage::open();
    let october = customers(1..5, "Elm");
    let at = october.rfind("02134").unwrap();
    let incomplete = format!("{}\n", &october[..at]);
    correct_october(&stage, &incomplete, &["--id-prefix", "o-"]);
    // The same rows without new ones, and with them.
    stage.file("november.csv", &incomplete);
    let run = stage.run(&["import", "november.csv", "--yes"]).expect(3);
    let told = "most rows were requested before with the prefix o-";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert!(!run.stderr.contains("or send to request"), "{}", run.stderr);
    let more = customers(5..7, "Elm");
    let more = more.split_once('\n').unwrap().1;
    stage.file("november.csv", format!("{incomplete}{more}"));
    let run = stage.run(&["import", "november.csv", "--yes"]).expect(10);
    assert!(run.stderr.contains("--id-prefix=o-"), "{}", run.stderr);
    assert_eq!(ids(&stage), ["o-1", "o-2", "o-3", "o-4"]);
}

#[test]
fn rows_with_derived_ids_that_were_all_corrected_tell_the_prefix_too() {
    let stage = Stage::open();
    let with_ids = customers(1..4, "Elm");
    let rows = with_ids.lines().map(|line| line.split_once(',').unwrap().1);
    let rows: Vec<&str> = rows.collect();
    let complete = rows.join("\n") + "\n";
    let incomplete = complete.replacen(",02134", ",", 2);
    let october = incomplete.replacen(rows[3], "", 1);
    correct_october(&stage, &october, &["--derive-id", "--id-prefix", "o-"]);
    stage.file("november.csv", incomplete);
    let import = ["import", "november.csv", "--yes", "--derive-id"];
    let run = stage.run(&import).expect(10);
    assert!(run.stderr.contains("--id-prefix=o-"), "{}", run.stderr);
    assert_eq!(ids(&stage).len(), 2);
}
