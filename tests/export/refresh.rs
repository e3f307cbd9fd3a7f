//! Asking again: until all are final, for images that are late, and never beside another run.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::Duration;

use gutterbatch::sandbox::Options;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::billing::adjustments::completed;
use crate::support::exports::{export, imported, imported_with};
use crate::support::imports::sheet;
use crate::support::{Scripted, Stage};

/// Whether a measurement was asked for.
#[cfg(unix)]
fn asked(stage: &Stage) -> bool {
    let calls = stage.sandbox().calls();
    calls
        .iter()
        .any(|call| call.path.starts_with("/measurements/"))
}

#[test]
fn waiting_ends_once_every_measurement_is_final() {
    let stage = imported_with(
        2,
        Options {
            work: Some(Duration::from_millis(500)),
            ..Options::default()
        },
    );
    let document = export(&stage, &["all.csv", "--wait-complete", "--json"], 0).json();
    assert_eq!(document["by_status"]["complete"], 2);
    assert_eq!(document["open"], 0);
    assert_eq!(document["partial"], Value::Null);
    let flags = ["all.csv", "--wait-complete", "--refresh", "all", "--json"];
    let again = export(&stage, &flags, 0).json();
    assert_eq!(again["refreshed"], 2, "all are asked once: {again}");
    // A period that is not over may be waited for during days, which is said before.
    let flags = ["all.csv", "--wait-complete", "--month", "2099-12"];
    let said = export(&stage, &flags, 0).stderr;
    let note = "the period ends before 2100-01-01: this waits until then";
    assert!(said.contains(note), "{said}");
}

#[test]
fn a_wait_for_the_quota_is_said_while_results_are_waited_for() {
    let stage = imported(3);
    let mut command = stage.command(&["export", "all.csv", "--wait-complete"]);
    let mut waiting = command
        .args(["--rate", "5/1h"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(waiting.stderr.take().unwrap()).lines();
    let said = lines.find(|line| {
        line.as_ref()
            .unwrap()
            .contains("quota used up; resuming at ")
    });
    waiting.kill().unwrap();
    waiting.wait().unwrap();
    assert!(said.is_some());
}

#[cfg(unix)]
#[test]
fn whoever_waits_holds_the_journal_and_leaves_the_old_file_when_told_to_stop() {
    use crate::failures::interrupted::signal;
    use crate::support::Run;

    let stage = imported(2);
    stage.file("old.xlsx", "old");
    let mut waiting = stage
        .command(&["export", "old.xlsx", "--wait-complete", "--force"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !asked(&stage) && waiting.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let beside = export(&stage, &["other.xlsx"], 7);
    assert!(
        beside.stderr.contains("another run uses the journal"),
        "{}",
        beside.stderr
    );
    export(&stage, &["other.xlsx", "--new"], 7);
    stage.run(&["import", "leads.csv"]).expect(7);
    export(&stage, &["other.csv", "--offline"], 0);
    signal(&waiting, "INT");
    let run = Run::of(waiting.wait_with_output().unwrap()).expect(130);
    assert!(
        run.stderr
            .contains("error: interrupted\nhint: nothing was written, and "),
        "{}",
        run.stderr
    );
    assert_eq!(fs::read_to_string(stage.path("old.xlsx")).unwrap(), "old");
    // What is completed after the end of its period never belongs to a bill.
    let past = ["past.xlsx", "--new", "--completed-to", "2000-01-01"];
    let past = [&past[..], &["--wait-complete", "--json"]].concat();
    assert_eq!(export(&stage, &past, 0).json()["refreshed"], 2);
}

/// How often a measurement without images is asked for by a second export, so long after it was completed.
fn asked_after(since: SignedDuration) -> Value {
    let service = Scripted::start();
    let stage = Stage::speaking_to(service.url());
    let leads = stage.file("leads.csv", sheet(0..1));
    let now = Timestamp::try_from(fs::metadata(leads).unwrap().modified().unwrap()).unwrap();
    stage.run(&["import", "leads.csv"]).expect(0);
    service.complete("A-0");
    service.rewrite("A-0", |measurement| {
        measurement["completed_at"] = json!(now - since);
        measurement["result"]["asset_pack"] = Value::Null;
    });
    export(&stage, &["first.csv"], 0);
    export(&stage, &["second.csv", "--json"], 0).json()["requests"]["get"].clone()
}

#[test]
fn late_images_are_asked_for_again_for_seven_days_and_no_longer() {
    assert_eq!(asked_after(SignedDuration::from_hours(6 * 24)), 1);
    assert_eq!(asked_after(SignedDuration::from_hours(7 * 24 + 1)), 0);
}

#[test]
fn a_bill_does_not_wait_for_an_answer_that_cannot_be_used_twice_in_a_row() {
    let (service, stage) = completed();
    service.rewrite("A-1", |measurement| {
        measurement["status"] = "archived".into();
    });
    let bill = ["bill.xlsx", "--new", "--wait-complete", "--json"];
    let run = export(&stage, &bill, 4);
    let document = run.json();
    assert_eq!(document["sealed"], 1);
    assert_eq!(document["partial"]["not_asked"], 1);
    let reason =
        "A-1: status 200 with a body that is not the service's: its status is not documented";
    assert_eq!(document["partial"]["reason"], reason);
    let warning =
        format!("warning: partial: 1 measurement could not be requested again: {reason}\n");
    assert!(run.stderr.contains(&warning), "{}", run.stderr);

    // Waiting would not change the answer.
    let run = export(&stage, &["rest.xlsx", "--new"], 4);
    assert!(run.stderr.contains(&warning), "{}", run.stderr);
    assert!(!run.stderr.contains("--wait-complete"), "{}", run.stderr);
}
