//! Every answer that the service, or something in its place, can give, and what an import makes of it.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;

use gutterbatch::sandbox::Options;
use serde_json::Value;

use crate::support::imports::{outcomes, sheet};
use crate::support::{Run, Stage};

fn under(rules: &str) -> Stage {
    Stage::with(Options {
        faults: Some(format!(r#"{{"rules": [{rules}]}}"#).parse().unwrap()),
        ..Options::default()
    })
}

fn import(stage: &Stage, rows: usize, code: i32) -> Value {
    stage.file("leads.csv", sheet(0..rows));
    stage
        .run(&["import", "leads.csv", "--json"])
        .expect(code)
        .json()
}

#[test]
fn what_passes_is_tried_again_and_makes_every_row_once() {
    let passing = [
        r#"{"do": "status", "status": 500, "method": "POST", "attempt": [1], "chance": 0.3}"#,
        r#"{"do": "status", "status": 503, "method": "POST", "attempt": [1], "handled": true, "chance": 0.3}"#,
        r#"{"do": "status", "status": 502, "path": "/me", "times": 1}"#,
        r#"{"do": "drop", "method": "POST", "attempt": [1], "chance": 0.3}"#,
        r#"{"do": "drop", "method": "POST", "attempt": [1], "chance": 0.3, "handled": true}"#,
        r#"{"do": "cut_body", "method": "POST", "attempt": [1], "chance": 0.3}"#,
        r#"{"do": "html", "method": "POST", "attempt": [1], "chance": 0.3}"#,
        r#"{"do": "no_id", "method": "POST", "attempt": [1], "chance": 0.3}"#,
    ];
    for rule in passing {
        let stage = under(rule);
        let run = import(&stage, 12, 0);
        let outcomes = outcomes(&run);
        let made: u64 = ["created", "existing"]
            .iter()
            .filter_map(|outcome| outcomes.get(outcome))
            .sum();
        assert_eq!(made, 12, "{rule}: {run}");
        assert_eq!(stage.sandbox().measurements().len(), 12, "{rule}");
    }
}

#[test]
fn a_429_pauses_everything_and_costs_no_row() {
    // A date that is past asks for no pause; what is nonsense is as good as nothing, and makes one of a second.
    for (retry_after, least) in [
        ("1", 1.0),
        ("0", 0.0),
        ("-5", 1.0),
        ("soon", 1.0),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0),
    ] {
        let stage = under(&format!(
            r#"{{"do": "status", "status": 429, "method": "POST", "nth": [3], "retry_after": "{retry_after}"}}"#
        ));
        let run = import(&stage, 12, 0);
        assert_eq!(outcomes(&run), BTreeMap::from([("created", 12)]));
        assert_eq!(run["requests"]["rate_limited"], 1);
        let elapsed = run["elapsed_seconds"].as_f64().unwrap();
        assert!(elapsed >= least, "{retry_after}: {elapsed}");
    }
}

#[test]
fn a_silence_longer_than_two_hours_is_remembered_by_later_runs() {
    let stage = under(
        r#"{"do": "status", "status": 429, "method": "POST", "nth": [3], "retry_after": "9000"}"#,
    );
    let run = import(&stage, 12, 4);
    assert!(run["resume_at"].is_string(), "{run}");
    let calls = stage.sandbox().calls().len();
    let again = import(&stage, 12, 4);
    assert_eq!(stage.sandbox().calls().len(), calls, "{again}");
    assert_eq!(again["resume_at"], run["resume_at"]);
}

#[test]
fn a_lost_answer_of_the_first_import_is_not_taken_for_another_journal() {
    let stage =
        under(r#"{"do": "drop", "method": "POST", "nth": [3], "attempt": [1], "handled": true}"#);
    stage.file("leads.csv", sheet(0..6));
    let run = stage.run(&["import", "leads.csv"]).expect(0);
    assert!(run.stdout.contains("1 existing"), "{}", run.stdout);
    assert!(
        !run.stderr.contains("the journal was empty"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_row_without_a_usable_answer_says_which_answer_it_was() {
    let stage = under(
        r#"{"do": "status", "status": 503, "method": "POST", "nth": [3], "retry_after": "7000"}"#,
    );
    stage.file("leads.csv", sheet(0..12));
    let import = ["import", "leads.csv", "--until", "1h", "--json"];
    let run = stage.run(&import).expect(4).json();
    let expected = BTreeMap::from([("created", 11), ("pending", 1)]);
    assert_eq!(outcomes(&run), expected);
    let problems = run["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{run}");
    assert_eq!(problems[0]["outcome"], "pending");
    let message = problems[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("pending: no usable response: the service answered 503"),
        "{message}"
    );
}

#[test]
fn a_503_that_asks_for_hours_stops_every_run_until_then() {
    let stage = under(
        r#"{"do": "status", "status": 503, "method": "POST", "nth": [3], "retry_after": "9000"}"#,
    );
    let first = import(&stage, 12, 4);
    let resume_at = &first["resume_at"];
    assert!(resume_at.is_string(), "{first}");
    let second = stage
        .run(&["import", "leads.csv", "--json"])
        .expect(4)
        .json();
    assert_eq!(second["requests"]["total"], 0, "{second}");
    assert_eq!(&second["resume_at"], resume_at);
}

#[test]
fn a_token_that_dies_stops_everything_with_5() {
    let stage = under(r#"{"do": "revoke", "method": "POST", "nth": [5]}"#);
    let run = import(&stage, 30, 5);
    let outcomes = outcomes(&run);
    assert_eq!(outcomes["created"] + outcomes["pending"], 30);
    assert!(outcomes["pending"] >= 18, "{run}");
}

#[test]
fn answers_that_are_not_the_services_stop_with_9_and_refuse_no_row() {
    let misfits = [
        r#"{"do": "status", "status": 400, "method": "POST", "nth": [2]}"#,
        r#"{"do": "status", "status": 404, "method": "POST", "nth": [2]}"#,
        r#"{"do": "status", "status": 405, "method": "POST", "nth": [2]}"#,
        r#"{"do": "status", "status": 501, "method": "POST", "nth": [2]}"#,
        r#"{"do": "redirect", "to": "https://login.example.com/", "method": "POST", "nth": [2]}"#,
    ];
    for rule in misfits {
        let stage = under(rule);
        let run = import(&stage, 40, 9);
        assert_eq!(run["outcomes"]["refused"], 0, "{rule}");
        assert!(run["outcomes"]["pending"].as_u64().unwrap() > 0, "{rule}");
        let message = run["error"]["message"].as_str().unwrap();
        let names_row = message.starts_with("the response to the row `A-");
        assert_eq!(names_row, rule.contains("40"), "{rule}: {message}");
        stage.sandbox().set_faults(None);
        import(&stage, 40, 0);
        assert_eq!(stage.sandbox().measurements().len(), 40, "{rule}");
    }
}

#[test]
fn another_rows_measurement_never_passes_in_silence() {
    let stage = under(
        r#"{"do": "other_measurement", "method": "POST", "external_id": "A-7", "attempt": [1]}"#,
    );
    let run = import(&stage, 12, 0);
    assert_eq!(
        run["outcomes"]["created"].as_u64().unwrap()
            + run["outcomes"]["existing"].as_u64().unwrap(),
        12,
        "{run}"
    );
}

#[test]
fn nobody_at_the_address_is_4_and_every_row_stays_pending() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..3));
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    let run = against(&stage, &format!("http://{}", free.unwrap())).expect(4);
    assert_eq!(outcomes(&run.json()), BTreeMap::from([("pending", 3)]));
    assert_eq!(run.json()["requests"]["total"], 0);
}

#[test]
fn a_server_that_floods_or_babbles_is_never_taken_for_the_service() {
    for answer in [
        "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n",
        "SSH-2.0-OpenSSH_9.9\r\n",
    ] {
        let stage = Stage::offline();
        stage.file("leads.csv", sheet(0..2));
        let run = against(&stage, &server(answer));
        assert!([Some(4), Some(9)].contains(&run.code), "{}", run.stderr);
        assert_eq!(outcomes(&run.json()), BTreeMap::from([("pending", 2)]));
    }
}

fn against(stage: &Stage, base_url: &str) -> Run {
    let mut command = stage.bare_command(&["import", "leads.csv", "--json"]);
    command
        .env("GUTTERBATCH_BASE_URL", base_url)
        .env("GUTTERBATCH_SERVICE_VERSION", "2026-01-15")
        .env("GUTTERBATCH_TOKEN", "a-token");
    Run::of(command.output().unwrap())
}

/// A server that gives every connection the same bytes and hangs up; ends with the test's process.
fn server(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let read = stream.read(&mut request).unwrap_or(0);
            if read > 0 {
                let _ = stream.write_all(answer.as_bytes());
            }
        }
    });
    format!("http://{address}")
}
