//! `--json`: one document whatever happens, with the error that ended the run.

use std::process::Stdio;

use gutterbatch::cli::{ErrorKind, ExitStatus};
use gutterbatch::sandbox::Options;
use serde_json::{Value, json};

use crate::failures::interrupted::{IMPORT, slow, until_posts};
#[cfg(unix)]
use crate::failures::interrupted::{signal, start};
use crate::support::imports::{outcomes, sheet};
use crate::support::{Run, Stage};

/// Asserts the kind and the exit code of the document of a failed run.
#[track_caller]
fn assert_kind(run: Run, kind: &str, code: i32) -> Value {
    let run = run.expect(code);
    let document = run.json();
    assert_eq!(document["error"]["kind"], kind, "{document}");
    assert_eq!(document["exit_code"], code, "{document}");
    let message = document["error"]["message"].as_str().unwrap();
    let line = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        line.contains(&message.split_whitespace().collect::<Vec<_>>().join(" ")),
        "{message}: {line}"
    );
    document
}

/// Every time in a document, with its key.
fn times(document: &Value) -> Vec<String> {
    match document {
        Value::Object(entries) => entries.values().flat_map(times).collect(),
        Value::Array(values) => values.iter().flat_map(times).collect(),
        Value::String(text) if text.parse::<jiff::Timestamp>().is_ok() => vec![text.clone()],
        _ => Vec::new(),
    }
}

#[track_caller]
fn assert_milliseconds(document: &Value) {
    for time in times(document) {
        assert!(
            time.len() == "2026-11-21T17:30:00.000Z".len() && time.ends_with('Z'),
            "{time}"
        );
    }
}

#[test]
fn a_usage_error_is_a_document() {
    let stage = Stage::offline();
    let run = stage.run(&["import", "--json", "--no-wiat", "leads.csv"]);
    let document = assert_kind(run, "usage", 2);
    assert_eq!(document["command"], "import");
    assert_eq!(
        document["error"]["message"],
        "unexpected argument `--no-wiat` found"
    );
    assert_eq!(document["error"]["hint"], "did you mean `--no-wait`?");
    let document = assert_kind(stage.run(&["imprt", "--json"]), "usage", 2);
    assert_eq!(document["command"], Value::Null);
    assert_kind(stage.run(&["--json"]), "usage", 2);
    assert_kind(stage.run(&["import", "--json"]), "usage", 2);
    assert_kind(
        stage.run(&["import", "leads.csv", "--limit", "x", "--json"]),
        "usage",
        2,
    );
}

#[test]
fn a_wrong_setting_is_a_document() {
    let stage = Stage::offline();
    stage.file("home/config.toml", "[profile.default]\nrats = 3\n");
    assert_kind(stage.run(&["status", "--json"]), "settings", 2);
    stage.file("home/config.toml", "[profile.default]\nrate = \"often\"\n");
    assert_kind(stage.run(&["check", "leads.csv", "--json"]), "settings", 2);
    stage.file(
        "home/config.toml",
        "[profile.default]\nreserve = \"many\"\n",
    );
    assert_kind(stage.run(&["check", "leads.csv", "--json"]), "settings", 2);
}

#[test]
fn input_that_cannot_be_read_is_a_document() {
    let stage = Stage::offline();
    stage.file("text.csv", "a\nb\n");
    for command in ["check", "import", "rehearse"] {
        let document = assert_kind(stage.run(&[command, "missing.csv", "--json"]), "input", 10);
        assert_eq!(document["command"], command);
        assert_kind(stage.run(&[command, "text.csv", "--json"]), "input", 10);
    }
}

#[test]
fn a_failure_of_each_other_command_is_a_document() {
    let stage = Stage::offline();
    let url = [
        "--base-url",
        "https://127.0.0.1:1",
        "--service-version",
        "2026-01-31",
    ];
    for command in ["whoami", "disconnect"] {
        let words = [&[command, "--json"], &url[..]].concat();
        assert_kind(stage.run(&words), "not_connected", 5);
        assert_kind(stage.run(&[command, "--json"]), "settings", 2);
    }
    let export = ["export", "out.xlsx", "--json"];
    assert_kind(stage.run(&export), "settings", 2);
    for more in [&url[..], &["--offline"]] {
        let words = [&export, more].concat();
        assert_kind(stage.run(&words), "no_journal", 8);
    }
    assert_kind(stage.run(&["backup", "out.db", "--json"]), "no_journal", 8);
    assert_kind(
        stage.run(&["status", "--id", "x", "--json"]),
        "no_journal",
        8,
    );
    assert_kind(stage.run(&["template", "out.txt", "--json"]), "usage", 2);
    let unsafe_address = [
        "whoami",
        "--json",
        "--base-url",
        "http://example.com",
        "--service-version",
        "2026-01-31",
    ];
    assert_kind(stage.run(&unsafe_address), "unsafe_address", 6);
}

#[test]
fn a_document_of_a_run_without_an_error_says_so() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    let commands: [&[&str]; 13] = [
        &["check", "leads.csv"],
        &["import", "leads.csv"],
        &["export", "out.xlsx"],
        &["export", "--sealed"],
        &["status"],
        &["status", "leads.csv"],
        &["status", "--id", "A-0"],
        &["whoami"],
        &["backup", "copy.db"],
        &["config", "--profiles"],
        &["completions", "fish"],
        &["man"],
        &["rehearse", "leads.csv", "-o", "rehearsed.xlsx"],
    ];
    for command in commands {
        let words = [command, &["--json"]].concat();
        let document = stage.run(&words).expect(0).json();
        assert_eq!(document["command"], command[0]);
        assert_eq!(document.get("error"), Some(&Value::Null), "{command:?}");
        assert_eq!(document["exit_code"], 0, "{command:?}");
        // The service's own answers are shown as they were received.
        if command.get(1) != Some(&"--id") {
            assert_milliseconds(&document);
        }
    }
}

#[test]
fn a_run_beside_another_one_counts_what_that_one_created() {
    let stage = slow();
    stage.file("leads.csv", sheet(0..40));
    stage.run(&IMPORT).expect(0);
    stage.file("more.csv", sheet(40..2000));
    let mut command = stage.command(&["import", "more.csv", "--rate", "1000000/1s"]);
    let mut first = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until_posts(&stage, &mut first, 41);
    let run = stage.run(&["import", "leads.csv", "--json"]);
    let document = assert_kind(run, "in_use", 7);
    assert_eq!(outcomes(&document), [("known", 40)].into());
    first.kill().unwrap();
    first.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn a_terminated_import_counts_what_it_created() {
    let stage = slow();
    stage.file("leads.csv", sheet(0..600));
    let mut child = start(&stage);
    until_posts(&stage, &mut child, 20);
    signal(&child, "TERM");
    let run = Run::of(child.wait_with_output().unwrap());
    let document = assert_kind(run, "terminated", 143);
    let created = document["outcomes"]["created"].as_u64().unwrap();
    assert_eq!(created, stage.sandbox().measurements().len() as u64);
    assert_eq!(document["outcomes"]["pending"], 600 - created);
    assert_eq!(document["resume_at"], Value::Null);
}

#[cfg(unix)]
#[test]
fn an_import_that_is_stopped_while_it_waits_says_when_it_can_resume() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..30));
    let mut command = stage.command(&["import", "leads.csv", "--json", "--rate", "10/1h"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    until_posts(&stage, &mut child, 9);
    signal(&child, "INT");
    let run = Run::of(child.wait_with_output().unwrap());
    let document = assert_kind(run, "interrupted", 130);
    assert_eq!(
        outcomes(&document),
        [("created", 9), ("pending", 21)].into()
    );
    assert!(document["resume_at"].is_string(), "{document}");
    assert_milliseconds(&document);
}

#[test]
fn a_stop_that_was_asked_for_is_no_error() {
    let stage = Stage::with(Options {
        rate: "5/1h".parse().unwrap(),
        ..Options::default()
    });
    stage.file("leads.csv", sheet(0..8));
    let args = ["import", "leads.csv", "--rate", "5/1h", "--json"];
    let run = stage.run(&[&args[..], &["--no-wait"]].concat()).expect(4);
    let document = run.json();
    assert_eq!(
        (&document["error"], &document["exit_code"]),
        (&Value::Null, &json!(4))
    );
    assert!(document["resume_at"].is_string());
    assert!(
        run.stderr.contains("stopped: the quota is used up until "),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("hint: 4 rows pending"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("error:"), "{}", run.stderr);
    let document = stage
        .run(&[&args[..], &["--until", "1s"]].concat())
        .expect(4)
        .json();
    assert_eq!(document["error"], Value::Null);
    assert!(document["resume_at"].is_string());
}

#[test]
fn an_account_of_another_team_is_shown_with_the_error() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    stage.run(&["import", "leads.csv"]).expect(0);
    let other = Stage::with(Options {
        seed: 99,
        ..Options::default()
    });
    std::fs::copy(stage.journal(), other.path("copied.db")).unwrap();
    let run = other.run(&["whoami", "--json", "--journal", "copied.db"]);
    let document = assert_kind(run, "other_account", 6);
    assert!(document["team"]["id"].is_string());
}

#[test]
fn every_kind_has_the_exit_code_of_its_group() {
    let mut earlier = ExitStatus::Done.code();
    for (kind, exit, meaning) in ErrorKind::MEANINGS {
        assert!(exit.code() >= earlier, "{kind:?}");
        assert!(!meaning.is_empty());
        earlier = exit.code();
    }
}

#[test]
fn a_switch_with_a_value_is_still_a_usage_error_in_a_document() {
    let stage = Stage::offline();
    let run = stage.run(&["check", "leads.csv", "--json=1"]);
    assert_kind(run, "usage", 2);
    for words in [["--json", "--help"], ["--json", "--version"]] {
        let plain = stage.run(&words[1..]).expect(0).stdout;
        assert_eq!(stage.run(&words).expect(0).stdout, plain);
    }
}

#[test]
fn the_times_of_an_export_and_of_whoami_have_milliseconds() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    stage.run(&["import", "leads.csv"]).expect(0);
    crate::support::exports::complete(&stage, 1);
    stage.run(&["export", "out.json"]).expect(0);
    let text = std::fs::read_to_string(stage.path("out.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert!(times(&document).len() >= 3, "{document}");
    assert_milliseconds(&document);
    let whoami = stage.run(&["whoami"]).expect(0).stdout;
    let line = whoami.lines().find(|line| line.starts_with("connected "));
    assert_milliseconds(&json!(
        line.unwrap().trim_start_matches("connected ").trim()
    ));
}

#[test]
fn a_sealed_export_that_is_written_again_is_named_as_it_was_typed() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    stage.run(&["import", "leads.csv"]).expect(0);
    crate::support::exports::complete(&stage, 1);
    let written = |words: &[&str]| stage.run(words).expect(0).json()["written"].clone();
    assert_eq!(
        written(&["export", "./a.csv", "--new", "--json"]),
        "./a.csv"
    );
    assert_eq!(
        written(&["export", "./b.csv", "--again", "1", "--json"]),
        "./b.csv"
    );
}
