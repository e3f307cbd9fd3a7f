//! The messages about conflicts, changes and a forgotten prefix.

use crate::same_house::houses::{OCTOBER, import, october, requested, sheet};
use crate::support::Stage;
use crate::support::imports::outcomes;

#[test]
fn a_forgotten_prefix_is_named() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&OCTOBER));
    import(&stage, &["leads.csv", "--id-prefix", "acme-"], 0);
    stage.file("copy.csv", sheet(&OCTOBER));
    for args in [["check", "copy.csv"], ["import", "copy.csv"]] {
        let run = stage.run(&args).expect(3);
        let hint = "most rows were requested before with the prefix acme-: gutterbatch";
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
fn new_rows_are_not_sent_beside_rows_that_were_requested_with_another_prefix() {
    let stage = Stage::open();
    stage.file("october.csv", sheet(&OCTOBER));
    import(&stage, &["october.csv", "--id-prefix", "acme-"], 0);
    let list = [&OCTOBER[..], &[("00777", "71 Elm Street")]].concat();
    stage.file("november.csv", sheet(&list));
    let said = import(&stage, &["november.csv"], 10).to_string();
    let stop = "3 rows of this file were requested before with the prefix acme-, and the other rows would be without a prefix";
    assert!(said.contains(stop), "{said}");
    assert!(
        said.contains("if the prefix is wrong, add --id-prefix=acme-"),
        "{said}"
    );
    assert_eq!(requested(&stage).len(), 3);
    import(&stage, &["november.csv", "--id-prefix=acme-"], 0);
    // A prefix in the settings is not one that the user gave for this file.
    let settings = "[profile.default]\nid-prefix = \"north-\"\n";
    stage.file("home/config.toml", settings);
    let list = [&list[..], &[("00778", "73 Elm Street")]].concat();
    stage.file("december.csv", sheet(&list));
    import(&stage, &["december.csv"], 10);
    import(&stage, &["december.csv", "--id-prefix=north-"], 3);
    assert_eq!(requested(&stage).len(), 5);
}

#[test]
fn a_prefix_that_was_forgotten_or_mistyped_is_named_however_many_rows_are_new() {
    let stage = Stage::open();
    stage.file("october.csv", sheet(&OCTOBER));
    import(&stage, &["october.csv", "--id-prefix", "acme-"], 0);
    let new = ["71", "73", "75", "77"].map(|number| (number, format!("{number} Elm Street")));
    let new = new.each_ref().map(|(id, street)| (*id, street.as_str()));
    stage.file("november.csv", sheet(&[&OCTOBER[..], &new].concat()));
    let said = "3 rows of this file were requested before with the prefix acme-";
    let stopped = import(&stage, &["november.csv"], 10).to_string();
    assert!(stopped.contains(said), "{stopped}");
    let warned = import(&stage, &["november.csv", "--id-prefix=acm-"], 3);
    assert!(warned["problems"].to_string().contains(said), "{warned}");
}

#[test]
fn an_import_that_has_begun_is_finished_whatever_prefix_other_rows_had() {
    let stage = Stage::open();
    stage.file("old.csv", sheet(&OCTOBER));
    import(&stage, &["old.csv", "--id-prefix", "old-"], 0);
    let new = [
        ("00777", "71 Elm Street"),
        ("00778", "73 Elm Street"),
        ("00779", "75 Elm Street"),
    ];
    let list = [&OCTOBER[..], &new].concat();
    stage.file("new.csv", sheet(&list));
    let begun = import(&stage, &["new.csv", "--limit", "2", "--id-prefix="], 4);
    assert_eq!(outcomes(&begun)["created"], 2);
    import(&stage, &["new.csv"], 3);
    assert_eq!(requested(&stage).len(), 6);
    // Rows that are added to the rejects, most of which are held.
    let rejects = std::fs::read_to_string(stage.path("new.rejects.csv")).unwrap();
    let row = sheet(&[("00780", "77 Elm Street")]);
    let row = row.lines().last().unwrap();
    stage.file("new.rejects.csv", format!("{rejects}{row},,,\n"));
    import(&stage, &["new.rejects.csv"], 3);
    assert_eq!(requested(&stage).len(), 7);
}

#[test]
fn the_new_rows_of_a_second_office_are_not_sent_without_its_prefix() {
    let stage = Stage::open();
    stage.file("north.csv", sheet(&OCTOBER));
    import(&stage, &["north.csv"], 0);
    let streets = ["91 Oak Street", "93 Oak Street", "95 Oak Street"];
    let mut south: Vec<(&str, &str)> = OCTOBER.iter().map(|(id, _)| *id).zip(streets).collect();
    stage.file("south.csv", sheet(&south));
    import(&stage, &["south.csv", "--id-prefix", "south-"], 0);
    south.push(("00777", "71 Oak Street"));
    stage.file("south-2.csv", sheet(&south));
    let said = import(&stage, &["south-2.csv"], 10).to_string();
    assert!(said.contains("was requested as `south-"), "{said}");
    assert!(said.contains("with the prefix south-"), "{said}");
    assert_eq!(requested(&stage).len(), 6);
    import(&stage, &["south-2.csv", "--id-prefix", "south-"], 0);
}

#[test]
fn a_conflict_names_both_ways_out() {
    let stage = october();
    let rows = [("00123", "99 Oak Street"), ("00124", "14 Elm Street")];
    stage.file("october.csv", sheet(&rows));
    let run = stage.run(&["check", "october.csv"]).expect(3);
    let ways = "if 99 Oak Street is right, give the row a new id, for example 00123-2; if 12 Elm Street is right, put it back";
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
