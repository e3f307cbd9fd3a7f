//! Requests without an answer: no row is skipped because of one, and a corrected row settles it first.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::support::imports::outcomes;
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
        assert!(check.stdout.contains("no response yet"), "{}", check.stdout);
        let run = import(&stage, "leads.csv", 3);
        // The plan names the request that is sent, and not the row.
        let sent = "first: 12 Roosevelt Street, Boston, MA 02134";
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

/// The service refuses one request.
pub(crate) fn refuse_once(stage: &Stage) {
    let refusal = r#"{"rules": [{"do": "status", "status": 422, "method": "POST", "times": 1}]}"#;
    stage.sandbox().set_faults(refusal.parse().ok());
}

/// The import of another file sends the request of `leads.csv` again, because that file may be gone or lack the row.
#[test]
fn a_row_of_another_file_settles_the_request_that_was_not_answered() {
    let stage = unanswered("false");
    fs::remove_file(stage.path("leads.csv")).unwrap();
    stage.file("november.csv", leads(&["02135"]));
    let check = stage.run(&["check", "november.csv", "--derive-id"]);
    let text = "(row 2 of leads.csv, no response yet), with postal code `02134`";
    assert!(check.expect(3).stdout.contains(text));
    let document = import(&stage, "november.csv", 3).json();
    assert_eq!(document["requests"]["post"], 1);
    let text = "(row 2 of leads.csv, pending), with postal code `02134`";
    assert!(message(&document).ends_with(text), "{document}");
    decide(&stage, "november.rejects.csv", "skip");
    let run = import(&stage, "november.rejects.csv", 0);
    assert_eq!(outcomes(&run.json()), BTreeMap::from([("duplicate", 1)]));
    assert_eq!(stage.sandbox().measurements().len(), 1);
    // The request is still that of the file from which it was sent first.
    stage.run(&["export", "all.csv", "--offline"]).expect(0);
    let exported = fs::read_to_string(stage.path("all.csv")).unwrap();
    assert!(exported.contains("leads.csv,2,"), "{exported}");
}

#[test]
fn a_row_that_was_decided_skip_before_the_answer_is_skipped_with_it() {
    let stage = unanswered("false");
    stage.file("november.csv", leads(&["02135"]));
    stage
        .run(&[
            "import",
            "november.csv",
            "--derive-id",
            "--no-wait",
            "--rate",
            "1/1h",
        ])
        .expect(3);
    let text = fs::read_to_string(stage.path("november.csv")).unwrap();
    let decided = text.replacen("postal_code", "postal_code,error,source_row,same_house", 1);
    let decided = decided.replace("02135", "02135,the same house,2,skip");
    stage.file("november.rejects.csv", decided);
    let run = import(&stage, "november.rejects.csv", 0);
    assert_eq!(outcomes(&run.json()), BTreeMap::from([("duplicate", 1)]));
    assert_eq!(stage.sandbox().measurements().len(), 1);
}

#[test]
fn skip_does_not_lose_a_house_whose_earlier_request_is_refused() {
    let stage = unanswered("false");
    stage.file("november.csv", leads(&["02135"]));
    let lost = r#"{"rules": [{"do": "status", "status": 501, "method": "POST"}]}"#;
    stage.sandbox().set_faults(lost.parse().ok());
    import(&stage, "november.csv", 9);
    decide(&stage, "november.rejects.csv", "skip");
    refuse_once(&stage);
    let run = import(&stage, "november.rejects.csv", 4);
    assert_eq!(outcomes(&run.json()), BTreeMap::from([("pending", 1)]));

    // Nothing requests the house any more, so that the word has nothing to refer to.
    let run = import(&stage, "november.rejects.csv", 3);
    assert_eq!(outcomes(&run.json()), BTreeMap::from([("invalid", 1)]));
    assert!(
        message(&run.json()).contains("type `send` in the column same_house"),
        "{}",
        run.stdout
    );
    assert_eq!(stage.sandbox().measurements().len(), 0);
    decide(&stage, "november.rejects.csv", "send");
    let run = import(&stage, "november.rejects.csv", 0);
    assert_eq!(outcomes(&run.json()), BTreeMap::from([("created", 1)]));
}

#[test]
fn a_held_row_that_the_limit_leaves_is_pending() {
    let stage = unanswered("true");
    let other = "Al Poe,al@example.com,7 Oak Lane,Boston,MA,02134\n";
    let rows = leads(&["02135"]);
    let (headers, held) = rows.split_once('\n').unwrap();
    stage.file("leads.csv", format!("{headers}\n{other}{held}"));
    let words = [
        "import",
        "leads.csv",
        "--derive-id",
        "--json",
        "--limit",
        "1",
    ];
    let document = stage.run(&words).expect(4).json();
    let expected = BTreeMap::from([("created", 1), ("pending", 1)]);
    assert_eq!(outcomes(&document), expected);
    let document = stage.run(&words).expect(3).json();
    let expected = BTreeMap::from([("known", 1), ("same_house", 1)]);
    assert_eq!(outcomes(&document), expected);
}

/// The house of a request without an answer stands in another row now, and the row of that request is of another house.
#[test]
fn a_row_of_the_house_of_a_replaced_version_is_sent_by_the_same_command() {
    let stage = Stage::open();
    let lost =
        r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": false}]}"#;
    stage.sandbox().set_faults(lost.parse().ok());
    let header = "id,name,email,line1,city,region,postal_code\n";
    let row =
        |id: &str, line1: &str| format!("{id},Jo Doe,jo@example.com,{line1},Boston,MA,02134\n");
    stage.file(
        "leads.csv",
        format!("{header}{}", row("A", "12 Elm Street")),
    );
    stage.run(&["import", "leads.csv"]).expect(9);
    stage.sandbox().set_faults(None);

    let rows = [row("A", "90 Pine Street"), row("B", "12 Elm Street")].concat();
    stage.file("leads.csv", format!("{header}{rows}"));
    let check = stage.run(&["check", "leads.csv"]).expect(3).stdout;
    let held =
        "requested before as an earlier version of row 2 of this file (`A`, no response yet)";
    assert!(check.contains(held), "{check}");
    let import = |code| {
        stage
            .run(&["import", "leads.csv", "--json"])
            .expect(code)
            .json()
    };
    let expected = BTreeMap::from([("created", 1), ("pending", 1)]);
    assert_eq!(outcomes(&import(4)), expected);
    let expected = BTreeMap::from([("created", 1), ("known", 1)]);
    assert_eq!(outcomes(&import(0)), expected);
    assert_eq!(stage.sandbox().measurements().len(), 2);
}

#[test]
fn a_request_without_an_answer_whose_row_left_the_sheet_needs_a_person() {
    let stage = Stage::open();
    let lost = r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "nth": [2]}]}"#;
    stage.sandbox().set_faults(lost.parse().ok());
    stage.file("leads.csv", crate::support::imports::sheet(0..3));
    let import = ["import", "leads.csv", "--concurrency", "1"];
    stage.run(&import).expect(9);
    stage.sandbox().set_faults(None);
    let status = |words: &[&str]| {
        let run = stage.run(&[&["status"], words].concat());
        run.expect(0).stdout
    };
    let needs = "1 request without a response (ID A-1, leads.csv, row 3): not billed before its result is known; import the file that has the row again";
    // As long as the row is in the sheet, the import that is not finished says all.
    assert!(
        !status(&[]).contains("without an answer"),
        "{}",
        status(&[])
    );
    let whole = crate::support::imports::sheet(0..3);
    let rest: Vec<&str> = whole
        .lines()
        .filter(|line| !line.contains("A-1,"))
        .collect();
    stage.file("leads.csv", rest.join("\n"));
    stage.run(&["import", "leads.csv"]).expect(3);
    for words in [&[][..], &["leads.csv"]] {
        let line = format!("\nneeds you     {needs}\n");
        assert!(status(words).contains(&line), "{}", status(words));
    }
    crate::support::exports::complete(&stage, 2);
    let words = ["export", "bill.xlsx", "--new", "-q", "--json"];
    let bill = stage.run(&words).expect(3);
    assert_eq!(bill.json()["unanswered"], 1);
    let warning = "warning: not billed: 1 request without a response; only importing the same row again shows its result";
    assert!(bill.stderr.contains(warning), "{}", bill.stderr);
    stage.file("leads.csv", whole);
    stage.run(&["import", "leads.csv"]).expect(0);
    assert!(
        status(&[]).contains("\nneeds you     nothing\n"),
        "{}",
        status(&[])
    );
    let bill = stage.run(&["export", "next.xlsx", "--new"]).expect(0);
    assert!(!bill.stderr.contains("not billed"), "{}", bill.stderr);
}

#[test]
fn a_request_without_an_answer_is_told_although_a_later_version_was_refused() {
    let stage = Stage::open();
    let lost = r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": true}]}"#;
    stage.sandbox().set_faults(lost.parse().ok());
    let sheet = crate::support::imports::sheet(0..1);
    stage.file("leads.csv", &sheet);
    stage.run(&["import", "leads.csv"]).expect(9);
    stage.file("leads.csv", sheet.replace("c0@example.com", "jo@"));
    refuse_once(&stage);
    stage.run(&["import", "leads.csv"]).expect(3);
    stage.sandbox().set_faults(None);
    crate::support::exports::complete(&stage, 1);
    let words = ["export", "bill.xlsx", "--new", "--json"];
    assert_eq!(stage.run(&words).expect(3).json()["unanswered"], 1);
    let status = stage.run(&["status", "--json"]).expect(0).json();
    let requests = &status["requests"];
    assert_eq!(
        (&requests["refused"], &requests["unanswered"]),
        (&1.into(), &1.into())
    );
    stage.file("leads.csv", &sheet);
    stage.run(&["import", "leads.csv"]).expect(0);
    assert_eq!(stage.run(&words).expect(0).json()["unanswered"], 0);
}
