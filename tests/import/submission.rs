//! `import` through the binary, against the sandbox.

use std::collections::BTreeMap;

use gutterbatch::sandbox::Options;
use serde_json::json;

use crate::support::Stage;
use crate::support::imports::{outcomes, sheet};

/// The POST requests that the sandbox saw for each id.
fn posts(stage: &Stage) -> usize {
    let calls = stage.sandbox().calls();
    calls.iter().filter(|call| call.method == "POST").count()
}

#[test]
fn a_sheet_becomes_requests_and_a_second_run_sends_nothing() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..25));
    let first = stage.run(&["import", "leads.csv", "--json"]).expect(0);
    let first = first.json();
    assert_eq!(outcomes(&first), BTreeMap::from([("created", 25)]));
    assert_eq!(
        first["requests"],
        json!({"total": 26, "post": 25, "get": 1, "retried": 0, "rate_limited": 0})
    );
    assert_eq!(stage.sandbox().measurements().len(), 25);

    let calls = stage.sandbox().calls().len();
    let second = stage
        .run(&["import", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(outcomes(&second), BTreeMap::from([("known", 25)]));
    assert_eq!(second["requests"]["total"], 0);
    assert_eq!(second["team"]["name"], first["team"]["name"]);
    assert_eq!(stage.sandbox().calls().len(), calls);
}

#[test]
fn a_finished_import_runs_again_offline_and_without_a_token() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    stage.run(&["import", "leads.csv"]).expect(0);
    let again = stage.bare_command(&["import", "leads.csv", "--json"]);
    let again = crate::support::Run::of({ again }.output().unwrap()).expect(0);
    assert_eq!(outcomes(&again.json()), BTreeMap::from([("known", 3)]));
}

#[test]
fn a_finished_import_still_refuses_an_unsafe_and_another_address() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    stage.run(&["import", "leads.csv"]).expect(0);
    let calls = stage.sandbox().calls().len();
    for address in ["http://example.com", "https://other.example.com"] {
        let run = stage.run(&["import", "leads.csv", "--base-url", address]);
        let error = run.expect(6).stderr;
        assert!(error.contains("example.com"), "{error}");
    }
    assert_eq!(stage.sandbox().calls().len(), calls);
}

#[test]
fn a_dry_run_needs_no_token_and_leaves_no_journal() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3) + "A-9,,,,,,\n");
    let mut dry = stage.bare_command(&["import", "leads.csv", "--dry-run", "--json"]);
    let dry = crate::support::Run::of(dry.output().unwrap()).expect(3);
    let expected = BTreeMap::from([("pending", 3), ("invalid", 1)]);
    assert_eq!(outcomes(&dry.json()), expected);
    assert!(!stage.journal().exists());
    assert_eq!(stage.sandbox().calls(), []);
}

#[test]
fn a_limit_leaves_the_rest_pending_until_the_next_run() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..10));
    let first = stage
        .run(&["import", "leads.csv", "--limit", "4", "--json"])
        .expect(4);
    let expected = BTreeMap::from([("created", 4), ("pending", 6)]);
    assert_eq!(outcomes(&first.json()), expected);
    let second = stage.run(&["import", "leads.csv", "--json"]).expect(0);
    let expected = BTreeMap::from([("known", 4), ("created", 6)]);
    assert_eq!(outcomes(&second.json()), expected);
    assert_eq!(posts(&stage), 10);
}

#[test]
fn all_or_nothing_sends_nothing_while_a_row_is_invalid() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3) + "A-9,,,,,,\n");
    let run = stage
        .run(&["import", "leads.csv", "--all-or-nothing", "--json"])
        .expect(3);
    let expected = BTreeMap::from([("pending", 3), ("invalid", 1)]);
    assert_eq!(outcomes(&run.json()), expected);
    assert_eq!(stage.sandbox().calls(), []);
    let said = "nothing was sent: 1 row is invalid (--all-or-nothing)\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let hint =
        "hint: 3 rows pending; once no row is invalid, run the same command again to submit them: ";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

#[test]
fn a_canary_without_a_terminal_stops_after_its_rows() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..5));
    let first = stage
        .run(&["import", "leads.csv", "--canary", "2", "--json", "-q"])
        .expect(4);
    let expected = BTreeMap::from([("created", 2), ("pending", 3)]);
    assert_eq!(outcomes(&first.json()), expected);
    assert!(first.stderr.contains("Elm Street"), "{}", first.stderr);
    let rest = stage
        .run(&["import", "leads.csv", "--canary", "2", "--yes", "--json"])
        .expect(0);
    let expected = BTreeMap::from([("known", 2), ("created", 3)]);
    assert_eq!(outcomes(&rest.json()), expected);
}

#[test]
fn a_plan_counts_the_quota_that_is_used() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..9));
    stage.file("more.csv", sheet(20..25));
    let rate = ["--rate", "10/1h"];
    stage
        .run(&[&["import", "leads.csv"], &rate[..]].concat())
        .expect(0);
    let run = stage.run(&[&["check", "more.csv", "--json"], &rate[..]].concat());
    let plan = &run.expect(0).json()["plan"];
    assert!(plan["seconds"].as_u64().unwrap() > 3500, "{plan}");
    let run = stage.run(&[&["import", "more.csv", "--dry-run"], &rate[..]].concat());
    let said = run.expect(0).stderr;
    assert!(
        said.contains("6 requests; the quota allows all of them by "),
        "{said}"
    );
}

#[test]
fn no_wait_spends_the_budget_there_is_and_says_when_to_come_again() {
    let stage = Stage::with(Options {
        rate: "5/1h".parse().unwrap(),
        ..Options::default()
    });
    stage.file("leads.csv", sheet(0..8));
    let args = [
        "import",
        "leads.csv",
        "--rate",
        "5/1h",
        "--no-wait",
        "--json",
    ];
    let run = stage.run(&args).expect(4);
    let first = run.json();
    let expected = BTreeMap::from([("created", 4), ("pending", 4)]);
    assert_eq!(outcomes(&first), expected, "{first} {}", run.stderr);
    assert_eq!(first["requests"]["rate_limited"], 0);
    assert!(first["resume_at"].is_string(), "{first}");
    let said = "9 requests; as many as the quota allows now (5); ";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let second = stage.run(&args).expect(4);
    let said = "the quota allows none of them now; ";
    assert!(second.stderr.contains(said), "{}", second.stderr);
    let second = second.json();
    assert_eq!(second["requests"]["total"], 0, "{second}");
}

#[test]
fn what_has_its_slot_leaves_when_the_next_one_finds_none() {
    let stage = Stage::with(Options {
        rate: "320/1h".parse().unwrap(),
        ..Options::default()
    });
    stage.file("leads.csv", sheet(0..330));
    // One lane: rows with a slot stand in line for it when the budget is found spent.
    let args = "import leads.csv --rate 320/1h --concurrency 1 --no-wait --json";
    let args: Vec<&str> = args.split(' ').collect();
    let run = stage.run(&args).expect(4).json();
    let expected = BTreeMap::from([("created", 319), ("pending", 11)]);
    assert_eq!(outcomes(&run), expected);
}

#[test]
fn a_quota_of_seconds_is_waited_out_without_a_429() {
    let stage = Stage::with(Options {
        rate: "60/3s".parse().unwrap(),
        ..Options::default()
    });
    stage.file("leads.csv", sheet(0..130));
    let args = ["import", "leads.csv", "--rate", "60/3s", "--json"];
    let run = stage.run(&args).expect(0).json();
    assert_eq!(outcomes(&run), BTreeMap::from([("created", 130)]));
    assert_eq!(run["requests"]["rate_limited"], 0);
    let elapsed = run["elapsed_seconds"].as_f64().unwrap();
    assert!(elapsed >= 6.0, "{elapsed}");
}

#[test]
fn an_id_is_one_segment_of_the_external_link() {
    let stage = Stage::open();
    let text = "ID,Name,Email,Street,City,State,Zip\na b/c?d#e,Ada,ada@example.com,12 Elm St,Boston,MA,02134\n";
    stage.file("link.csv", text);
    let link = "--external-url=https://crm.example.com/leads/{id}/view";
    stage.run(&["import", "link.csv", "--yes", link]).expect(0);
    stage.run(&["export", "out.json"]).expect(0);
    let results: serde_json::Value =
        serde_json::from_slice(&std::fs::read(stage.path("out.json")).unwrap()).unwrap();
    assert_eq!(
        results[0]["external_url"],
        "https://crm.example.com/leads/a%20b%2Fc%3Fd%23e/view"
    );
}

#[test]
fn the_question_comes_before_the_quota() {
    let stage = Stage::open();
    stage.file("first.csv", sheet(0..1));
    stage.run(&["import", "first.csv"]).expect(0);
    stage.file("second.csv", sheet(1..3));
    let run = stage
        .run(&["import", "second.csv", "--rate", "2/1h", "--no-wait"])
        .expect(4);
    let asked = run.stderr.find("requests cannot be taken back");
    // Stopping at the quota is what --no-wait asks for, so that it is no error.
    let quota = run.stderr.find("stopped: the quota is used up until ");
    assert!(asked.is_some() && asked < quota, "{}", run.stderr);
    assert!(!run.stderr.contains("error: "), "{}", run.stderr);
    assert_eq!(stage.sandbox().measurements().len(), 1);
}

#[test]
fn the_first_import_of_a_journal_says_how_another_computer_avoids_requesting_houses_twice() {
    let stage = Stage::open();
    let mut warned = Vec::new();
    for (file, rows) in [("first.csv", 0..1), ("second.csv", 1..3)] {
        stage.file(file, sheet(rows));
        let stderr = stage.run(&["import", file]).expect(0).stderr;
        let stderr = stderr.replace('\n', " ");
        warned.push(stderr.contains("if another one (lost, or on another computer) has these leads, restore it first: gutterbatch import --restore "));
    }
    assert_eq!(warned, [true, false]);
}

#[test]
fn the_first_import_of_a_journal_whose_rows_the_service_mostly_has_names_the_others() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..3));
    let run = stage.run(&["import", "leads.csv"]).expect(0);
    assert!(!run.stderr.contains("warning: "), "{}", run.stderr);
    stage.file("leads.csv", sheet(0..5));
    let run = stage.run(&["import", "leads.csv", "--journal", "new.db"]);
    let stderr = run.expect(0).stderr.replace('\n', " ");
    for part in [
        "the service had 3 rows of this file already",
        "the 2 rows that were created now (the first is row 5)",
    ] {
        assert!(stderr.contains(part), "{stderr}");
    }
}

#[test]
fn a_row_with_a_warning_about_one_cell_is_counted_before_the_first_request() {
    let stage = Stage::open();
    let text = sheet(0..2).replace("Customer 0", "Zo\u{eb} Roy");
    let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
    stage.file("leads.csv", bytes.collect::<Vec<u8>>());
    let run = stage.run(&["import", "leads.csv", "--yes"]).expect(0);
    let said = "; 1 warning, listed by ";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn the_plan_writes_all_its_numbers_with_separators() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..1_100));
    let run = stage
        .run(&["import", "leads.csv", "--dry-run", "--limit", "1000"])
        .expect(0);
    let plan = "leads.csv: 1,000 rows to submit, 100 left for later, of 1,100;";
    assert!(run.stderr.contains(plan), "{}", run.stderr);
    let next = "next: submit 1,000 rows: gutterbatch import leads.csv --limit 1000";
    assert!(run.stderr.contains(next), "{}", run.stderr);
}
