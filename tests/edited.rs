//! A row that was edited while the answer to it was unknown: the service holds what was sent first, and that is said.

use serde_json::Value;

use crate::import::outcomes;
use crate::support::Stage;

const HEADERS: &str = "id,name,email,phone,address,unit,city,region,postal code,notes\n";

fn leads(unit: &str, notes: &str, phone: &str) -> String {
    format!("{HEADERS}1,Ann,ann@example.com,{phone},12 Elm St,{unit},Ottawa,ON,K1A 0B1,{notes}\n")
}

fn import(stage: &Stage, leads: &str, code: i32) -> (Value, String) {
    stage.file("leads.csv", leads);
    let run = stage.run(&["import", "leads.csv", "--json"]).expect(code);
    (run.json(), run.stderr)
}

/// A row that the service has, whose answer was lost.
fn unanswered() -> Stage {
    let stage = Stage::open();
    let lost = r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": true}]}"#;
    stage.sandbox().set_faults(lost.parse().ok());
    import(&stage, &leads("Unit 4", "blue door", "613-555-0100"), 9);
    assert_eq!(stage.sandbox().measurements().len(), 1);
    stage.sandbox().set_faults(None);
    stage
}

#[test]
fn contents_that_were_edited_before_the_answer_was_known_are_flagged_now_and_later() {
    let stage = unanswered();
    let edited = leads("Unit 9", "green door", "613-555-0100");
    let said = "warning: row 2: edited after it was submitted (unit, notes); unit was Unit 4, now Unit 9; the address as it is now is not requested; the service keeps what it has";
    for outcome in ["existing", "known"] {
        let (document, stderr) = import(&stage, &edited, 0);
        assert_eq!(outcomes(&document)[outcome], 1);
        assert_eq!(document["changed_after_submit"], 1, "{outcome}");
        let problem = &document["problems"][0];
        assert_eq!(
            (&problem["row"], &problem["cell"]),
            (&2.into(), &"F2".into())
        );
        assert_eq!(problem["severity"], "warning");
        assert_eq!(problem["new"], outcome == "existing");
        assert_eq!(document["warnings"], 1);
        assert!(stderr.contains(said), "{stderr}");
    }
    let (document, _) = import(&stage, &leads("Unit 4", "blue door", "613-555-0100"), 0);
    assert_eq!(document["changed_after_submit"], 0);
    assert_eq!(document["requests"]["total"], 0);
    let status = stage
        .run(&["status", "--id", "1", "--json"])
        .expect(0)
        .json();
    assert!(
        status["request"].to_string().contains("blue door"),
        "{status}"
    );
}

#[test]
fn an_unedited_row_is_not_flagged_when_its_answer_comes_late() {
    let stage = unanswered();
    let (document, stderr) = import(&stage, &leads("Unit 4", "blue door", "613-555-0100"), 0);
    assert_eq!(outcomes(&document)["existing"], 1);
    assert_eq!(document["changed_after_submit"], 0);
    assert!(!stderr.contains("warning"), "{stderr}");
}

#[test]
fn a_customer_that_was_edited_before_the_answer_was_known_is_a_warning() {
    for phone in ["613-555-0199", ""] {
        let stage = unanswered();
        let (document, stderr) = import(&stage, &leads("Unit 4", "blue door", phone), 0);
        assert_eq!(document["changed_after_submit"], 0);
        let said = "row 2: the service knows this id with another customer: 613-555-0100";
        assert!(stderr.contains(said), "{stderr}");
    }
}

#[test]
fn check_shows_that_a_known_row_was_edited() {
    let stage = Stage::open();
    let row = leads("", "", "613-555-0100");
    import(&stage, &row, 0);
    let edited = row
        .replace("12 Elm St", "12 Maple Ave")
        .replace("Ottawa", "Nepean");
    stage.file("leads.csv", edited);
    let said = "row 2: edited after it was submitted (address, city); address was 12 Elm St, now 12 Maple Ave; the address as it is now is not requested; the service keeps what it has";
    let check = stage.run(&["check", "leads.csv"]).expect(0);
    let cell = said.replace("row 2:", "E2       address:");
    assert!(check.stdout.contains(&cell), "{}", check.stdout);
    let json = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(json["plan"]["changed_after_submit"], 1);
    assert_eq!(
        (&json["warnings"], &json["problems"][0]["row"]),
        (&1.into(), &2.into())
    );
    let run = stage.run(&["import", "leads.csv"]).expect(0);
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn an_edited_direction_is_named_with_both_streets_and_another_spelling_is_not() {
    let stage = Stage::open();
    let row = leads("", "", "613-555-0100");
    import(&stage, &row, 0);
    for (street, values) in [
        (
            "12 Elm St West",
            "; address was 12 Elm St, now 12 Elm St West",
        ),
        ("12 Elm Street", ""),
    ] {
        let (_, stderr) = import(&stage, &row.replace("12 Elm St", street), 0);
        let said = format!(
            "row 2: edited after it was submitted (address){values}; the service keeps what it has"
        );
        assert!(stderr.contains(&said), "{stderr}");
    }
}

#[test]
fn results_of_a_row_whose_street_was_edited_are_said_to_be_of_the_submitted_one() {
    let stage = Stage::open();
    let row = leads("", "", "613-555-0100");
    import(&stage, &row, 0);
    let said = "warning: row 2: street or unit was edited after it was submitted; the numbers are of the submitted address, not of the one in the row";
    for (street, is_said) in [("12 Elm Street", false), ("12 Maple Ave", true)] {
        stage.file("leads.csv", row.replace("12 Elm St", street));
        let export = stage
            .run(&["export", "results.csv", "--for", "leads.csv"])
            .expect(0);
        assert_eq!(export.stderr.contains(said), is_said, "{}", export.stderr);
    }
}

#[test]
fn a_submitted_row_that_is_invalid_since_it_was_edited_needs_a_person_in_its_results() {
    let stage = Stage::open();
    let row = leads("", "", "613-555-0100");
    import(&stage, &row, 0);
    let invalid = row.replace("ann@example.com,613-555-0100", ",");
    stage.file("leads.csv", &invalid);
    let export = ["export", "results.csv", "--for", "leads.csv"];
    let run = stage.run(&export).expect(3);
    let said = "warning: row 2: submitted, and invalid since it was edited, so the row gets no numbers; the column Why no result names what to correct";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    // A row that was never submitted is no surprise.
    stage.file(
        "leads.csv",
        row.clone() + &invalid.replace("\n1,", "\n2,").replace(HEADERS, ""),
    );
    stage.run(&export).expect(0);
}

#[test]
fn a_conflict_of_two_towns_names_both() {
    let stage = Stage::open();
    let row = leads("", "", "613-555-0100");
    import(&stage, &row, 0);
    let edited = row
        .replace("Ottawa", "Nepean")
        .replace("K1A 0B1", "K2B 1C3");
    let (document, _) = import(&stage, &edited, 3);
    let message = document["problems"][0]["message"].as_str().unwrap();
    for part in [
        "if 12 Elm St, Nepean, ON K2B 1C3 is right, give the row a new id",
        "if 12 Elm St, Ottawa, ON K1A 0B1 is right, put it back",
    ] {
        assert!(message.contains(part), "{message}");
    }
}
