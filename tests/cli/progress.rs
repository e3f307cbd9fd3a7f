//! Progress of a run that has no terminal: a dated line when something changes.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use gutterbatch::sandbox::Options;

use crate::failures::interrupted::signal;
use crate::support::Stage;
use crate::support::imports::sheet;

fn spawn(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The lines of standard error up to the one that contains `text`, then all after a signal.
fn lines(mut child: Child, text: &str) -> (Vec<String>, Vec<String>) {
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut before = Vec::new();
    loop {
        let line = lines.next().expect("the line is printed").unwrap();
        before.push(line);
        if before.last().unwrap().contains(text) {
            break;
        }
    }
    signal(&child, "INT");
    let after = lines.map(Result::unwrap).collect();
    child.wait().unwrap();
    (before, after)
}

/// A line begins with the date, the time and the zone.
#[track_caller]
fn assert_dated(line: &str, rest: &str) {
    let (date, text) = line.split_once(": ").unwrap();
    assert_eq!(date.len(), "2026-11-22 05:37:56 UTC".len(), "{line}");
    let time = date.strip_suffix(" UTC").unwrap();
    jiff::civil::DateTime::strptime("%Y-%m-%d %H:%M:%S", time).unwrap();
    assert!(text.starts_with(rest), "{line}");
}

#[test]
fn a_wait_without_a_terminal_is_one_dated_line() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..30));
    let mut command = stage.command(&["import", "leads.csv", "--rate", "10/1h"]);
    command.env("TZ", "UTC");
    let (before, after) = lines(spawn(command), "quota used up");
    assert_eq!(before.len(), 3, "{before:?}");
    assert_dated(&before[0], "leads.csv: 30 rows to submit; ");
    let empty = "the journal is empty; if another one (lost, or on another computer) has these leads, restore it first: ";
    assert_dated(&before[1], empty);
    assert_dated(&before[2], "quota used up; resuming at ");
    assert!(before[2].contains("; finishes "), "{before:?}");
    assert!(
        after.iter().all(|line| !line.contains("quota used up")),
        "{after:?}"
    );
}

#[test]
fn a_zone_of_the_computer_is_named() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..30));
    let mut command = stage.command(&["check", "leads.csv", "--rate", "5/1h"]);
    command.env("TZ", "America/Toronto");
    let run = crate::support::Run::of(command.output().unwrap()).expect(0);
    let named = ["EST", "EDT"].iter().any(|zone| run.stdout.contains(zone));
    assert!(named, "{}", run.stdout);
}

#[test]
fn a_wait_for_measurements_prints_a_line_only_when_it_is_long() {
    let stage = Stage::with(Options {
        rate: "1000000/1s".parse().unwrap(),
        ..Options::default()
    });
    stage.file("leads.csv", sheet(0..2));
    stage.run(&["import", "leads.csv"]).expect(0);
    let mut command = stage.command(&["export", "out.csv", "--wait-complete", "--rate", "8/1h"]);
    command.env("TZ", "UTC");
    // A third round would use more than half of the quota.
    let (before, _) = lines(spawn(command), "asking again at ");
    assert_eq!(before.len(), 1, "{before:?}");
    assert_dated(&before[0], "waiting for measurements; asking again at ");
    let next = "; the next line comes in 10 minutes";
    assert!(before[0].ends_with(next), "{before:?}");
}

#[test]
fn an_import_runs_while_it_waits_for_its_first_request() {
    let stage = Stage::open();
    let rate = ["--rate", "5/1h"];
    stage.file("first.csv", sheet(0..4));
    let first = ["import", "first.csv", "--yes"];
    stage.run(&[&first[..], &rate].concat()).expect(0);
    stage.file("leads.csv", sheet(10..19));
    let import = ["import", "leads.csv", "--yes"];
    let mut child = spawn(stage.command(&[&import[..], &rate].concat()));
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let waits = lines.find(|line| line.as_ref().unwrap().contains("quota used up"));
    waits.unwrap().unwrap();
    let status = stage.run(&[&["status", "--json"][..], &rate].concat());
    let last = &status.expect(0).json()["last_runs"][0];
    assert!(
        last["file"].as_str().unwrap().ends_with("leads.csv"),
        "{last}"
    );
    let running = serde_json::json!({"running": true, "rows": 9, "pending": 9});
    assert_eq!(last["unfinished"], running);
    let status = stage
        .run(&[&["status"][..], &rate].concat())
        .expect(0)
        .stdout;
    let needs = "\nneeds you     nothing while that import runs\n";
    assert!(status.contains(needs), "{status}");
    signal(&child, "INT");
    drop(lines);
    child.wait().unwrap();
}

#[test]
fn the_wait_for_the_next_window_has_a_line_of_its_own() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..30));
    let mut command = stage.command(&["import", "leads.csv", "--rate", "10/12s"]);
    command.env("TZ", "UTC");
    let mut child = spawn(command);
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let waits = lines
        .map(Result::unwrap)
        .filter(|line| line.contains("quota used up"));
    let waits: Vec<String> = waits.take(2).collect();
    signal(&child, "INT");
    child.wait().unwrap();
    assert_eq!(waits.len(), 2, "{waits:?}");
    assert_ne!(waits[0], waits[1]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_without_cursor_control_shows_lines_without_color() {
    use crate::connect::hidden::Sitting;

    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..60));
    let token = &stage.sandbox().connection_info().token;
    for term in ["export TERM=dumb", "unset TERM"] {
        let command = format!(
            "{term}; export GUTTERBATCH_TOKEN='{token}'; gutterbatch import leads.csv --yes --no-wait --rate 10/1h; \
             gutterbatch import leads.csv --yes --rate 10/12s"
        );
        let mut sitting = Sitting::at(&stage, &command);
        let mut shown = sitting.until("quota used up; resuming at ");
        sitting.press("\u{3}");
        shown.push_str(&sitting.end().stdout);
        assert!(shown.contains("hint:"), "{shown}");
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }
}

#[test]
fn an_export_that_waits_says_when_the_first_round_finishes() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..8));
    stage.run(&["import", "leads.csv"]).expect(0);
    let mut command = stage.command(&["export", "out.csv", "--wait-complete", "--rate", "12/1h"]);
    command.env("TZ", "UTC");
    let (before, _) = lines(spawn(command), "quota used up");
    let last = before.last().unwrap();
    assert!(last.contains("; first round finishes "), "{last}");
    assert!(last.ends_with(" of 8"), "{last}");
}

#[cfg(target_os = "linux")]
#[test]
fn waits_for_the_user_and_for_another_run_show_their_end_on_a_terminal() {
    use crate::connect::hidden::Sitting;

    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..30));
    let connect =
        "export TERM=xterm GUTTERBATCH_CLIENT_SECRET=secret; gutterbatch connect --no-browser";
    let mut sitting = Sitting::at(&stage, connect);
    sitting.until("waiting for your consent\r\n  giving up in ");
    sitting.until("; Ctrl-C is safe");
    sitting.press("\u{3}");
    sitting.end();
    let first = stage.command(&["import", "leads.csv", "--rate", "10/1h"]);
    let mut first = spawn(first);
    let mut lines = BufReader::new(first.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("quota used up")));
    let token = &stage.sandbox().connection_info().token;
    let import = format!(
        "export TERM=xterm GUTTERBATCH_TOKEN='{token}'; gutterbatch import leads.csv --lock-wait 1h"
    );
    let mut sitting = Sitting::at(&stage, &import);
    sitting.until("waiting for another run to end\r\n  giving up in ");
    sitting.until("; Ctrl-C is safe");
    sitting.press("\u{3}");
    assert!(sitting.end().stdout.contains("error: interrupted"));
    first.kill().unwrap();
    first.wait().unwrap();
}
