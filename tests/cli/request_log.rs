//! `--log FILE`: a line of JSON for each request, and `-v`: the same for eyes.

use std::fs;

use gutterbatch::sandbox::Options;
use serde_json::{Value, json};

use crate::connect::asking::Asking;
use crate::support::imports::sheet;
use crate::support::{Run, Stage};

/// The lines of a log.
fn lines(stage: &Stage, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(stage.path(name)).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What a line says besides its times.
fn call(line: &Value) -> Value {
    json!([
        line["method"],
        line["path"],
        line["status"],
        line["row"],
        line["external_id"]
    ])
}

#[test]
fn each_request_of_an_import_and_an_export_is_a_line_with_its_row() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    let import = [
        "import",
        "leads.csv",
        "--log",
        "requests.ndjson",
        "--concurrency",
        "1",
    ];
    stage.run(&import).expect(0);
    let log = lines(&stage, "requests.ndjson");
    let calls: Vec<Value> = log.iter().map(call).collect();
    assert_eq!(
        calls,
        [
            json!(["GET", "/me", 200, null, null]),
            json!(["POST", "/measurements", 201, 2, "A-0"]),
            json!(["POST", "/measurements", 201, 3, "A-1"]),
        ]
    );
    for line in &log {
        assert_eq!(
            line["time"].as_str().unwrap().len(),
            "2026-11-21T17:30:00.000Z".len()
        );
        assert!(line["duration_ms"].is_u64());
        assert_eq!(
            (&line["attempt"], &line["error"]),
            (&json!(1), &Value::Null)
        );
    }
    stage
        .run(&["export", "out.csv", "--log", "requests.ndjson"])
        .expect(0);
    let log = lines(&stage, "requests.ndjson");
    assert_eq!(log.len(), 5, "the log is appended");
    let path = log[4]["path"].as_str().unwrap();
    assert!(path.starts_with("/measurements/msr_"), "{path}");
    assert!(log[4]["external_id"].is_string());
}

#[test]
fn the_log_has_no_secret_and_no_customer() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    let asking = Asking::start(&stage, &["--log", "log.ndjson"]);
    stage.allow(&asking.link);
    asking.end().expect(0);
    let saved = |args: &[&str]| Run::of(stage.bare_command(args).output().unwrap());
    saved(&["import", "leads.csv", "--log", "log.ndjson"]).expect(0);
    saved(&["disconnect", "--log", "log.ndjson"]).expect(0);
    let text = fs::read_to_string(stage.path("log.ndjson")).unwrap();
    let paths: Vec<String> = lines(&stage, "log.ndjson")
        .iter()
        .map(|line| line["path"].as_str().unwrap().to_owned())
        .collect();
    assert!(paths.contains(&"/oauth/token".to_owned()), "{paths:?}");
    assert!(paths.contains(&"/oauth/revoke".to_owned()), "{paths:?}");
    let announced = stage.sandbox().connection_info();
    for secret in [
        &announced.token,
        &announced.client_secret,
        "Customer",
        "Elm Street",
        "code=",
    ] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn a_new_log_is_private_and_an_old_one_keeps_its_lines() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::open();
    stage.run(&["whoami", "--log", "new.ndjson"]).expect(0);
    let mode = fs::metadata(stage.path("new.ndjson"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    stage.run(&["whoami", "--log", "new.ndjson"]).expect(0);
    assert_eq!(lines(&stage, "new.ndjson").len(), 2);
}

#[test]
fn a_log_that_cannot_be_written_is_8_before_anything_is_sent() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    let run = stage
        .run(&["import", "leads.csv", "--log", "no/such/folder.ndjson"])
        .expect(8);
    assert!(
        run.stderr
            .contains("cannot append to no/such/folder.ndjson"),
        "{}",
        run.stderr
    );
    assert!(stage.sandbox().calls().is_empty());
    let run = stage.run(&["whoami", "--log", ".", "--json"]).expect(8);
    assert_eq!(run.json()["error"]["kind"], "file");
}

#[test]
fn a_profile_can_set_the_log() {
    let stage = Stage::open();
    stage.file(
        "home/config.toml",
        "[profile.default]\nlog = \"set.ndjson\"\n",
    );
    stage.run(&["whoami"]).expect(0);
    assert_eq!(lines(&stage, "set.ndjson").len(), 1);
}

#[test]
fn a_request_without_an_answer_has_its_reason_and_each_attempt_its_line() {
    let stage = Stage::offline();
    let url = [
        "--base-url",
        "http://127.0.0.1:1",
        "--service-version",
        "2026-01-31",
    ];
    let mut command = stage.bare_command(&["whoami", "--log", "log.ndjson"]);
    command.args(url).env("GUTTERBATCH_TOKEN", "token-1");
    command.output().unwrap();
    let log = lines(&stage, "log.ndjson");
    assert!(log.len() > 1, "{log:?}");
    assert_eq!(log[1]["attempt"], 2);
    assert_eq!(log[1]["status"], Value::Null);
    assert!(log[1]["error"].is_string());
}

#[test]
fn v_prints_each_request() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1));
    let run = stage.run(&["import", "leads.csv", "-v"]).expect(0);
    let line = run.stderr.lines().find(|line| line.starts_with("POST "));
    let line = line.unwrap_or_else(|| panic!("{}", run.stderr));
    assert!(line.starts_with("POST /measurements 201 in "), "{line}");
    assert!(line.ends_with(" ms, row 2, A-0"), "{line}");
    let plain = stage.run(&["whoami"]).expect(0);
    assert_eq!(plain.stderr, "");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_not_a_log_is_8_stays_as_it_is_and_nothing_is_sent() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    stage.file("notes.json", "{\"note\": 1}\n");
    let others = [
        (
            "app.ndjson",
            r#"{"time":"2026-11-21T17:30:00Z","level":"info"}"#,
        ),
        (
            "web.ndjson",
            r#"{"time":"2026-11-21T17:30:00Z","method":"GET","path":"/","status":200}"#,
        ),
    ];
    for (name, line) in others {
        stage.file(name, line);
    }
    let made = std::process::Command::new("mkfifo")
        .arg(stage.path("pipe"))
        .status();
    assert!(made.unwrap().success());
    for (name, why) in [
        ("leads.csv", "it is not a log of this program"),
        ("notes.json", "it is not a log of this program"),
        ("app.ndjson", "it is not a log of this program"),
        ("web.ndjson", "it is not a log of this program"),
        ("pipe", "it is not a regular file"),
        ("-", "it is not a regular file"),
    ] {
        let run = stage.run(&["import", "leads.csv", "--log", name]).expect(8);
        let error = format!("error: cannot append to {name}: {why}\n");
        assert!(run.stderr.starts_with(&error), "{}", run.stderr);
    }
    assert_eq!(
        fs::read_to_string(stage.path("leads.csv")).unwrap(),
        sheet(0..2)
    );
    assert_eq!(
        fs::read_to_string(stage.path("notes.json")).unwrap(),
        "{\"note\": 1}\n"
    );
    for (name, line) in others {
        assert_eq!(fs::read_to_string(stage.path(name)).unwrap(), line);
    }
    assert!(stage.sandbox().calls().is_empty());
    // An empty file is what a program that rotates logs leaves.
    stage.file("empty.ndjson", "");
    stage.run(&["whoami", "--log", "empty.ndjson"]).expect(0);
    assert_eq!(lines(&stage, "empty.ndjson").len(), 1);
}

#[test]
fn a_response_that_cannot_be_used_has_its_reason_in_the_log_and_with_v() {
    for (rule, reason) in [
        (r#""do": "html""#, "a web page instead of JSON"),
        (r#""do": "other_measurement""#, "id"),
    ] {
        let rules = format!(
            r#"{{"rules": [{{{rule}, "method": "POST", "external_id": "A-1", "attempt": [1]}}]}}"#
        );
        let stage = Stage::with(Options {
            faults: Some(rules.parse().unwrap()),
            ..Options::default()
        });
        stage.file("leads.csv", sheet(0..2));
        let words = [
            "import",
            "leads.csv",
            "--log",
            "log.ndjson",
            "--concurrency",
            "1",
            "-v",
        ];
        let run = stage.run(&words).expect(0);
        let log = lines(&stage, "log.ndjson");
        let unusable = log.iter().find(|line| line["error"].is_string());
        let unusable = unusable.unwrap_or_else(|| panic!("{log:?}"));
        assert_eq!(unusable["external_id"], "A-1");
        assert!(unusable["status"].is_u64());
        let error = unusable["error"].as_str().unwrap();
        assert!(error.contains(reason), "{error}");
        let shown = run.stderr.lines().find(|line| line.ends_with(error));
        assert!(shown.is_some(), "{}", run.stderr);
    }
}
