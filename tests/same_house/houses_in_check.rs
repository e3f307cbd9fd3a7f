//! What `check` and the plan of an import say of rows whose house was requested before.

use serde_json::json;

use crate::same_house::houses::{HEADER, OCTOBER, october, sheet};
use crate::support::Stage;

#[test]
fn the_hints_of_check_agree_on_the_rows_that_are_not_sent() {
    let stage = Stage::offline();
    let rows = [("A", "12 Elm Street"), ("C", "12 Elm St"), ("D", "")];
    stage.file("leads.csv", sheet(&rows));
    let check = stage.run(&["check", "leads.csv"]).expect(3);
    let plan = "plan: 1 row with the same house as another row; 2 requests";
    assert!(check.stdout.contains(plan), "{}", check.stdout);
    let hints = check.stderr;
    let import = "gutterbatch import leads.csv";
    for part in [
        format!("`{import}` writes such rows to the rejects with a column same_house"),
        format!("`{import}` sends the other rows and writes 2 rejected rows to a file"),
    ] {
        assert!(hints.contains(&part), "{hints}");
    }
    // A hint is followed word for word: none requests a house twice.
    assert!(!hints.contains("--allow-same-house"), "{hints}");
}

#[test]
fn check_counts_what_the_journal_knows() {
    let stage = october();
    let mut rows = OCTOBER;
    rows[1].1 = "99 Oak Street";
    stage.file(
        "october.csv",
        sheet(&[rows[0], rows[1], rows[2], ("00126", "18 Elm St")]),
    );
    let check = stage
        .run(&["check", "october.csv", "--json"])
        .expect(3)
        .json();
    let plan = &check["plan"];
    assert_eq!(
        (
            &plan["known"],
            &plan["same_house"],
            &plan["conflict"],
            &plan["requests"]
        ),
        (&json!(2), &json!(0), &json!(1), &json!(2))
    );
}

#[test]
fn the_plan_adds_up_to_the_rows_of_the_file() {
    let stage = october();
    let rows = [
        ("123", "12 Elm St"),
        ("00124", "14 Elm Street"),
        ("200", "18 Elm Street"),
        ("201", ""),
    ];
    stage.file(
        "november.csv",
        sheet(&rows) + &sheet(&rows[2..3]).replace(HEADER, ""),
    );
    let said = stage
        .run(&["import", "november.csv", "--dry-run"])
        .expect(3);
    let plan = "november.csv: 1 row to submit, 1 known already, 1 invalid, 1 with the house of another request, 1 duplicate, of 5; 2 requests; the quota allows all of them at once";
    assert!(said.stderr.contains(plan), "{}", said.stderr);
}

#[test]
fn the_verdict_of_a_check_counts_no_row_as_valid_that_is_not_sent() {
    let stage = october();
    let rows = [
        ("123", "12 Elm St"),
        ("00124", "90 Oak St"),
        ("9", "9 Oak St"),
    ];
    stage.file("november.csv", sheet(&rows));
    let page = stage.run(&["check", "november.csv"]).expect(3).stdout;
    let verdict = "3 rows: 1 valid, 1 with the house of another request, 1 in conflict";
    assert!(page.starts_with(verdict), "{page}");
}

#[test]
fn a_house_whose_words_are_joined_or_in_the_other_line_is_held_within_a_file() {
    for (one, other) in [
        ("123A Chestnut St,", "123 A Chestnut St,"),
        ("12 Main St Carriage House,", "12 Main St,Carriage House"),
        ("12 rue Roy bas,", "12 rue Roy,Bas"),
    ] {
        let row = |id: &str, lines: &str| {
            format!("{id},Customer {id},{id}@example.com,{lines},Rochester,NY,14604\n")
        };
        let stage = Stage::offline();
        let rows = HEADER.to_owned() + &row("a", one) + &row("b", other);
        stage.file("leads.csv", rows);
        let check = stage.run(&["check", "leads.csv", "--json"]).expect(3);
        assert_eq!(check.json()["plan"]["same_house"], 1, "{one} / {other}");
    }
}
