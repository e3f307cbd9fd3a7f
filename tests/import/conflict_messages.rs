//! The messages about conflicts, changes and a forgotten prefix.

use crate::same_house::houses::{OCTOBER, import, october, requested, sheet};
use crate::support::Stage;

#[test]
fn a_forgotten_prefix_is_named() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&OCTOBER));
    import(&stage, &["leads.csv", "--id-prefix", "acme-"], 0);
    stage.file("copy.csv", sheet(&OCTOBER));
    for args in [["check", "copy.csv"], ["import", "copy.csv"]] {
        let run = stage.run(&args).expect(3);
        let hint = "all 3 rows were requested before with the prefix acme-: gutterbatch";
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
    let other = [
        "check",
        "copy.csv",
        "--id-prefix",
        "other-",
        "--external-label",
        "A B",
    ];
    let said = stage.run(&other).expect(3).stderr;
    let hint =
        "prefix acme-: gutterbatch check copy.csv --external-label 'A B' --id-prefix acme-\n";
    assert!(said.contains(hint), "{said}");
    assert_eq!(requested(&stage).len(), 3);
}

#[test]
fn a_forgotten_prefix_is_named_beside_new_rows_before_they_are_sent() {
    let stage = Stage::open();
    let rows: Vec<(String, String)> = (1..=7)
        .map(|n| (n.to_string(), format!("{n}1 Elm Street")))
        .collect();
    let list = |rows: &[(String, String)]| {
        let rows: Vec<(&str, &str)> = rows
            .iter()
            .map(|(id, street)| (id.as_str(), street.as_str()))
            .collect();
        sheet(&rows)
    };
    stage.file("october.csv", list(&rows[..5]));
    import(&stage, &["october.csv", "--id-prefix", "acme-"], 0);
    stage.file("november.csv", list(&rows));
    let warning = "5 other rows of this file were requested before with the prefix acme-; if it was forgotten, add --id-prefix acme-";
    let check = stage.run(&["check", "november.csv"]).expect(3);
    let said = check.stdout + &check.stderr;
    assert!(said.contains(warning), "{said}");
    let check = stage.run(&["check", "november.csv", "--id-prefix", "acme-"]);
    let said = check.expect(0).stdout;
    assert!(!said.contains("other rows of this file"), "{said}");
}

#[test]
fn a_conflict_names_both_ways_out_with_a_free_id() {
    let stage = october();
    let rows = [
        ("00123", "99 Oak Street"),
        ("00124", "14 Elm Street"),
        ("00123-2", "50 Elm St"),
    ];
    stage.file("october.csv", sheet(&rows));
    let run = stage.run(&["check", "october.csv"]).expect(3);
    let ways = "if 99 Oak Street is right, give the row a new id, for example 00123-3; if 12 Elm Street is right, put it back";
    assert!(run.stdout.contains(ways), "{}", run.stdout);
}

#[test]
fn a_corrected_postal_code_is_never_told_to_take_a_new_id() {
    let stage = october();
    let corrected = sheet(&OCTOBER).replacen("14604", "14607", 1);
    stage.file("october.csv", corrected);
    let run = stage.run(&["check", "october.csv"]).expect(3);
    let said =
        "only the postal code differs from what was submitted (14604, now 14607); put it back";
    assert!(run.stdout.contains(said), "{}", run.stdout);
    assert!(
        !run.stdout.contains("give the row a new id"),
        "{}",
        run.stdout
    );
}

#[test]
fn equal_changes_are_one_line() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&OCTOBER));
    import(&stage, &["leads.csv", "--external-label", "Acme CRM"], 0);
    let run = stage
        .run(&["import", "leads.csv", "--forget-reading"])
        .expect(0);
    let line = "rows 2, 3, 4: label: edited after it was submitted (label); the service keeps what it has (in 3 rows)\n";
    assert!(run.stderr.contains(line), "{}", run.stderr);
}
