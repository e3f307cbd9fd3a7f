//! A row that was edited while the answer to it was unknown: the service holds what was sent first, and that is said.

use serde_json::Value;

use crate::support::Stage;
use crate::support::imports::outcomes;

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
    let said = "warning: F2: unit: edited after it was submitted (unit, notes); it was submitted for 12 Elm St, Unit 4, Ottawa, ON K1A 0B1; 12 Elm St, Unit 9, Ottawa, ON K1A 0B1 is not requested: if that is another house, give the row a new id, otherwise put the submitted address back; the service keeps what it has";
    // Another unit needs a person once.
    for (outcome, code) in [("existing", 3), ("known", 0)] {
        let (document, stderr) = import(&stage, &edited, code);
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
    let said = "E2: address: edited after it was submitted (address, city); it was submitted for 12 Elm St, Ottawa, ON K1A 0B1; 12 Maple Ave, Nepean, ON K1A 0B1 is not requested: if";
    let check = stage.run(&["check", "leads.csv"]).expect(0);
    let cell = said.replace("E2:", "E2      ");
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
    for code in [3, 0] {
        let run = stage.run(&["import", "leads.csv"]).expect(code);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn an_edited_direction_is_named_with_both_streets_and_another_spelling_is_not() {
    let stage = Stage::open();
    let row = leads("", "", "613-555-0100");
    import(&stage, &row, 0);
    for (street, values, code) in [
        (
            "12 Elm St West",
            "; it was submitted for 12 Elm St, Ottawa, ON K1A 0B1, and is 12 Elm St West, Ottawa, ON K1A 0B1 now: tell the contractor",
            3,
        ),
        ("12 Elm Street", "", 0),
    ] {
        let (_, stderr) = import(&stage, &row.replace("12 Elm St", street), code);
        let said = format!(
            "E2: address: edited after it was submitted (address){values}; the service keeps what it has"
        );
        assert!(stderr.contains(&said), "{stderr}");
    }
}

#[test]
fn a_row_whose_street_was_edited_gets_the_reason_instead_of_the_numbers() {
    let stage = Stage::open();
    let row = leads("", "", "613-555-0100");
    import(&stage, &row, 0);
    let said =
        "warning: row 2: the id has the measurement of another house, so the row gets no numbers";
    let reason = "conflict: edited after it was submitted (address); it was submitted for 12 Elm St, Ottawa, ON K1A 0B1; 12 Maple Ave, Ottawa, ON K1A 0B1 is not requested";
    for (street, code) in [("12 Elm Street", 0), ("12 Maple Ave", 3)] {
        stage.file("leads.csv", row.replace("12 Elm St", street));
        let words = ["export", "results.csv", "--for", "leads.csv"];
        let export = stage.run(&words).expect(code);
        assert_eq!(export.stderr.contains(said), code == 3, "{}", export.stderr);
        let results = std::fs::read_to_string(stage.path("results.csv")).unwrap();
        assert_eq!(results.contains(reason), code == 3, "{results}");
        assert_eq!(results.contains(",pending,"), code == 0, "{results}");
    }
}

/// The row of an id, imported by one journal, and then for another street or unit by another one.
#[test]
fn another_home_under_a_known_id_is_told_by_a_new_and_by_a_restored_journal() {
    let stage = Stage::open();
    let row = leads("Unit 4", "", "613-555-0100");
    import(&stage, &row, 0);
    stage.run(&["export", "all.xlsx"]).expect(0);
    let restore = [
        "import",
        "--restore",
        "all.xlsx",
        "--journal",
        "restored.db",
    ];
    stage.run(&restore).expect(0);
    for (name, now) in [
        ("street", row.replace("12 Elm St", "12 Oak Blvd")),
        ("unit", row.replace("Unit 4", "Unit 9")),
    ] {
        stage.file("leads.csv", now);
        for (journal, outcomes_of_runs) in [
            (format!("{name}.db"), ["existing", "known"]),
            ("restored.db".to_owned(), ["known", "known"]),
        ] {
            for (outcome, code) in outcomes_of_runs.into_iter().zip([3, 0]) {
                let words = ["import", "leads.csv", "--json", "--journal", &journal];
                let run = stage.run(&words).expect(code);
                assert_eq!(outcomes(&run.json())[outcome], 1, "{journal}");
                let told = "it was submitted for 12 Elm St, Unit 4, Ottawa, ON K1A 0B1; 12 ";
                assert!(run.stderr.contains(told), "{}", run.stderr);
            }
            let out = format!("{name}-{journal}.csv");
            let words = ["export", &out, "--for", "leads.csv", "--journal", &journal];
            stage.run(&words).expect(3);
            let results = std::fs::read_to_string(stage.path(&out)).unwrap();
            assert!(!results.contains(",pending,"), "{results}");
        }
    }
    assert_eq!(stage.sandbox().measurements().len(), 1);
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
    let said = "warning: row 2: submitted, but invalid now, so the row gets no numbers; the column Why no result names what to correct";
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

#[test]
fn a_changed_last_name_is_named_at_its_own_cell() {
    let stage = Stage::open();
    let leads = |first: &str, last: &str| {
        format!(
            "id,first name,last name,email,address,city,region,postal code\n1,{first},{last},ann@example.com,12 Elm St,Ottawa,ON,K1A 0B1\n"
        )
    };
    import(&stage, &leads("Ann", "Bouchard"), 0);
    for (first, last, said) in [
        (
            "Ann",
            "Bouchard-Levy",
            "C2: last name: edited after it was submitted (last name); ",
        ),
        (
            "Anna",
            "Bouchard",
            "B2: first name: edited after it was submitted (first name); ",
        ),
    ] {
        let (_, stderr) = import(&stage, &leads(first, last), 0);
        assert!(stderr.contains(said), "{stderr}");
    }
}
