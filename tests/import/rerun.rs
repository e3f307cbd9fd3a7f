//! The same command again: what is done costs nothing, what was edited is compared, what was refused stays refused.

use std::collections::BTreeMap;
use std::fs;

use gutterbatch::sandbox::Options;
use serde_json::Value;

use crate::support::Stage;
use crate::support::imports::{outcomes, sheet};

fn import(stage: &Stage, flags: &[&str], code: i32) -> Value {
    let args = [&["import", "leads.csv", "--json"], flags].concat();
    stage.run(&args).expect(code).json()
}

/// A stage whose service refuses the rows of that id pattern.
fn refusing(pattern: &str) -> Stage {
    let rule = format!(
        r#"{{"rules": [{{"do": "status", "status": 422, "method": "POST", "external_id": "{pattern}"}}]}}"#
    );
    Stage::with(Options {
        faults: Some(rule.parse().unwrap()),
        ..Options::default()
    })
}

#[test]
fn an_edit_after_submission_is_flagged_and_costs_nothing() {
    let stage = Stage::open();
    let path = stage.file("leads.csv", sheet(0..3));
    import(&stage, &[], 0);
    let edited = fs::read_to_string(&path)
        .unwrap()
        .replace("Customer 1,", "Customer One,");
    stage.file("leads.csv", edited);
    let run = stage.run(&["import", "leads.csv", "--json"]).expect(0);
    let document = run.json();
    assert_eq!(outcomes(&document), BTreeMap::from([("known", 3)]));
    assert_eq!(document["changed_after_submit"], 1);
    assert_eq!(document["requests"]["total"], 0);
    let said = "B3: name: edited after it was submitted (name); the service keeps what it has";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn a_lost_journal_is_rebuilt_by_200s_each_held_against_its_row() {
    let stage = Stage::open();
    let path = stage.file("leads.csv", sheet(0..4));
    import(&stage, &[], 0);
    fs::remove_file(stage.journal()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("11 Elm Street", "99 Oak Street");
    let text = text.replace("Customer 2,", "Somebody Else,");
    stage.file("leads.csv", text);
    let rebuilt = import(&stage, &[], 3);
    let expected = BTreeMap::from([("existing", 3), ("conflict", 1)]);
    assert_eq!(outcomes(&rebuilt), expected);
    assert_eq!(rebuilt["requests"]["post"], 4);
    assert!(rebuilt["warnings"].as_u64().unwrap() >= 1, "{rebuilt}");
    let again = import(&stage, &[], 3);
    let expected = BTreeMap::from([("known", 3), ("conflict", 1)]);
    assert_eq!(outcomes(&again), expected);
    assert_eq!(again["requests"]["total"], 0);
    assert_eq!(stage.sandbox().measurements().len(), 4);
}

#[test]
fn a_refused_row_is_sent_again_only_changed_or_on_demand() {
    let stage = refusing("A-1");
    stage.file("leads.csv", sheet(0..3));
    let first = import(&stage, &[], 3);
    let expected = BTreeMap::from([("created", 2), ("refused", 1)]);
    assert_eq!(outcomes(&first), expected);
    let second = import(&stage, &[], 3);
    let expected = BTreeMap::from([("known", 2), ("refused", 1)]);
    assert_eq!(outcomes(&second), expected);
    assert_eq!(second["requests"]["total"], 0);

    stage.sandbox().set_faults(None);
    let retried = import(&stage, &["--retry-refused"], 0);
    let expected = BTreeMap::from([("known", 2), ("created", 1)]);
    assert_eq!(outcomes(&retried), expected);
}

#[test]
fn ten_refusals_in_a_row_stop_the_run() {
    let stage = refusing("A-*");
    stage.file("leads.csv", sheet(0..40));
    let run = import(&stage, &["--concurrency", "1"], 4);
    let expected = BTreeMap::from([("refused", 10), ("pending", 30)]);
    assert_eq!(outcomes(&run), expected);
    let stage = refusing("A-*");
    stage.file("leads.csv", sheet(0..40));
    let run = import(&stage, &["--max-refused", "100%"], 3);
    assert_eq!(outcomes(&run), BTreeMap::from([("refused", 40)]));
}

#[test]
fn refusals_with_an_accepted_row_between_them_are_not_in_a_row() {
    let stage = Stage::open();
    let refused: Vec<u32> = (1..=19).filter(|number| *number != 10).collect();
    let rule = format!(
        r#"{{"rules": [{{"do": "status", "status": 422, "method": "POST", "path": "/measurements", "nth": {refused:?}}}]}}"#
    );
    stage.sandbox().set_faults(rule.parse().ok());
    stage.file("leads.csv", sheet(0..20));
    let run = import(&stage, &["--concurrency", "1"], 3);
    let expected = BTreeMap::from([("created", 2), ("refused", 18)]);
    assert_eq!(outcomes(&run), expected);
}

#[test]
fn duplicates_are_sent_once_and_the_outcomes_sum_to_the_rows() {
    let stage = Stage::open();
    let twice = sheet(0..3) + &sheet(0..2)[sheet(0..0).len()..];
    stage.file("leads.csv", twice);
    let run = import(&stage, &[], 0);
    let expected = BTreeMap::from([("created", 3), ("duplicate", 2)]);
    assert_eq!(outcomes(&run), expected);
    assert_eq!(run["rows"], 5);
}
