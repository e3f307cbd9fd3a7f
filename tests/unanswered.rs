//! Requests without an answer: no row is skipped because of one, and a corrected row settles it first.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::import::outcomes;
use crate::support::{Run, Stage};

/// The rows with a postal code each; none has an id.
fn leads(postal_codes: &[&str]) -> String {
    let row = |code: &&str| format!("Jo Doe,jo@example.com,12 Roosevelt Street,Boston,MA,{code}\n");
    let rows: String = postal_codes.iter().map(row).collect();
    format!("name,email,line1,city,region,postal_code\n{rows}")
}

fn import(stage: &Stage, file: &str, code: i32) -> Run {
    let words = ["import", file, "--derive-id", "--json"];
    stage.run(&words).expect(code)
}

/// A stage where the answer to the request of `leads.csv` is lost; with `handled` the service has it.
fn unanswered(handled: &str) -> Stage {
    let stage = Stage::open();
    let rule = format!(
        r#"{{"rules": [{{"do": "status", "status": 501, "method": "POST", "handled": {handled}}}]}}"#
    );
    stage.sandbox().set_faults(rule.parse().ok());
    stage.file("leads.csv", leads(&["02134"]));
    import(&stage, "leads.csv", 9);
    stage.sandbox().set_faults(None);
    stage
}

fn message(document: &Value) -> &str {
    document["problems"][0]["message"].as_str().unwrap()
}

/// Types a decision into the rejects.
fn decide(stage: &Stage, name: &str, word: &str) {
    let path = stage.path(name);
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let headers = reader.headers().unwrap().clone();
    let column = headers.iter().position(|header| header == "same_house");
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let mut writer = csv::Writer::from_path(&path).unwrap();
    writer.write_record(&headers).unwrap();
    for row in rows {
        let mut cells: Vec<&str> = row.iter().collect();
        cells[column.unwrap()] = word;
        writer.write_record(cells).unwrap();
    }
    writer.flush().unwrap();
}

#[test]
fn a_corrected_row_settles_the_request_of_its_earlier_version() {
    for handled in ["true", "false"] {
        let stage = unanswered(handled);
        stage.file("leads.csv", leads(&["02135"]));
        let check = stage.run(&["check", "leads.csv", "--derive-id"]).expect(3);
        assert!(check.stdout.contains("no answer yet"), "{}", check.stdout);
        let run = import(&stage, "leads.csv", 3);
        // The plan names the request that is sent, and not the row.
        let sent = "first 12 Roosevelt Street, Boston, MA 02134";
        assert!(run.stderr.contains(sent), "{}", run.stderr);
        let document = run.json();
        let expected = BTreeMap::from([("same_house", 1)]);
        assert_eq!(outcomes(&document), expected, "{handled}");
        assert_eq!(document["requests"]["post"], 1, "{document}");
        let place = "(row 2 of leads.csv, pending), with postal code `02134`";
        assert!(message(&document).ends_with(place), "{document}");
        assert_eq!(stage.sandbox().measurements().len(), 1, "{handled}");

        // The request is answered, so that `skip` counts.
        decide(&stage, "leads.rejects.csv", "skip");
        let document = stage
            .run(&["import", "leads.rejects.csv", "--json"])
            .expect(0)
            .json();
        assert_eq!(outcomes(&document), BTreeMap::from([("duplicate", 1)]));
        assert_eq!(stage.sandbox().measurements().len(), 1, "{handled}");
    }
}

#[test]
fn a_row_is_sent_once_the_service_refuses_the_request_of_its_earlier_version() {
    let stage = unanswered("false");
    stage.file("leads.csv", leads(&["02135"]));
    let refusal = r#"{"rules": [{"do": "status", "status": 422, "method": "POST", "times": 1}]}"#;
    stage.sandbox().set_faults(refusal.parse().ok());
    let document = import(&stage, "leads.csv", 4).json();
    assert_eq!(outcomes(&document), BTreeMap::from([("pending", 1)]));
    stage.sandbox().set_faults(None);
    let document = import(&stage, "leads.csv", 0).json();
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}

#[test]
fn a_row_is_not_skipped_before_the_request_of_another_file_is_answered() {
    let stage = unanswered("false");
    stage.file("november.csv", leads(&["02135"]));
    let run = import(&stage, "november.csv", 3);
    let text = "(row 2 of leads.csv, no answer yet), with postal code `02134`";
    assert!(message(&run.json()).ends_with(text), "{}", run.stdout);
    assert_eq!(run.json()["requests"]["post"], 0);
    decide(&stage, "november.rejects.csv", "skip");
    let run = import(&stage, "november.rejects.csv", 3);
    assert_eq!(outcomes(&run.json()), BTreeMap::from([("same_house", 1)]));
    let text = "`skip` counts once that request is answered";
    assert!(message(&run.json()).ends_with(text), "{}", run.stdout);
    let leads = fs::canonicalize(stage.path("leads.csv")).unwrap();
    let command = format!("`gutterbatch import {}` sends it again", leads.display());
    assert!(run.stderr.contains(&command), "{}", run.stderr);

    // A file that is gone cannot be imported.
    fs::rename(&leads, leads.with_extension("old")).unwrap();
    let run = import(&stage, "november.rejects.csv", 3);
    let gone = format!(
        "its file is gone: put {} back, and {command}",
        leads.display()
    );
    assert!(run.stderr.contains(&gone), "{}", run.stderr);
    fs::rename(leads.with_extension("old"), &leads).unwrap();

    // As told: once it is answered, the row counts as skipped.
    import(&stage, "leads.csv", 0);
    let run = import(&stage, "november.rejects.csv", 0);
    assert_eq!(outcomes(&run.json()), BTreeMap::from([("duplicate", 1)]));
    assert_eq!(stage.sandbox().measurements().len(), 1);
}
