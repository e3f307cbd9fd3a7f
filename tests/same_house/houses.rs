//! One house under two ids: held before anything is sent, until a person decides.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::Stage;
use crate::support::imports::outcomes;

pub(crate) const HEADER: &str = "id,name,email,line1,line2,city,region,postal_code\n";

/// Rows of an id and a street each, with a customer for each.
pub(crate) fn sheet(rows: &[(&str, &str)]) -> String {
    let line = |(id, line1): &(&str, &str)| {
        format!("{id},Customer {id},c{id}@example.com,\"{line1}\",,Rochester,NY,14604\n")
    };
    HEADER.to_owned() + &rows.iter().map(line).collect::<String>()
}

pub(crate) fn import(stage: &Stage, args: &[&str], code: i32) -> Value {
    let args: Vec<&str> = ["import"].into_iter().chain(args.iter().copied()).collect();
    stage
        .run(&[&args[..], &["--json"]].concat())
        .expect(code)
        .json()
}

/// The houses that the service was asked for, by id.
pub(crate) fn requested(stage: &Stage) -> Vec<String> {
    let measurements = stage.sandbox().measurements();
    let ids = measurements.into_iter().filter_map(|held| held.external_id);
    let mut ids: Vec<String> = ids.collect();
    ids.sort();
    ids
}

/// The rejects as lists of cells, the headers first.
pub(crate) fn cells(stage: &Stage, name: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_path(stage.path(name))
        .unwrap();
    let rows = reader.records().map(|record| record.unwrap());
    rows.map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}

/// Types a word into the column of decisions of every row.
pub(crate) fn decide(stage: &Stage, name: &str, word: &str) {
    let mut rows = cells(stage, name);
    let column = rows[0]
        .iter()
        .rposition(|header| header == "same_house")
        .unwrap();
    rows[1..]
        .iter_mut()
        .for_each(|row| word.clone_into(&mut row[column]));
    let mut writer = csv::Writer::from_path(stage.path(name)).unwrap();
    for row in &rows {
        writer.write_record(row).unwrap();
    }
    writer.flush().unwrap();
}

pub(crate) const OCTOBER: [(&str, &str); 3] = [
    ("00123", "12 Elm Street"),
    ("00124", "14 Elm Street"),
    ("00125", "16 Roosevelt Ave"),
];

/// A stage where October was imported.
pub(crate) fn october() -> Stage {
    let stage = Stage::open();
    stage.file("october.csv", sheet(&OCTOBER));
    import(&stage, &["october.csv"], 0);
    stage
}

#[test]
fn a_house_under_another_id_is_held_by_check_dry_run_and_import() {
    let stage = october();
    let november = [
        ("123", "12 ELM ST."),
        ("200", "18 Elm Street"),
        ("125", "16 Rosevelt Avenue"),
    ];
    stage.file("november.csv", sheet(&november));
    let calls = stage.sandbox().calls().len();

    let check = stage
        .run(&["check", "november.csv", "--json"])
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
        (&json!(0), &json!(2), &json!(0), &json!(2))
    );
    let problem = check["problems"]
        .as_array()
        .unwrap()
        .iter()
        .find(|problem| problem["row"] == 2 && problem["severity"] == "error");
    let problem = problem.unwrap();
    assert_eq!(
        problem["message"],
        "requested before as `00123` (row 2 of october.csv, pending)"
    );
    assert_eq!(
        (&problem["cell"], &problem["severity"]),
        (&json!("D2"), &json!("error"))
    );
    let text = stage.run(&["check", "november.csv"]).expect(3).stdout;
    assert!(
        text.contains("plan: 2 rows whose house was requested before; 2 requests"),
        "{text}"
    );

    let dry = import(&stage, &["november.csv", "--dry-run"], 3);
    let expected = BTreeMap::from([("same_house", 2), ("pending", 1)]);
    assert_eq!(outcomes(&dry), expected);
    assert_eq!(stage.sandbox().calls().len(), calls);

    let document = import(&stage, &["november.csv"], 3);
    let expected = BTreeMap::from([("created", 1), ("same_house", 2)]);
    assert_eq!(outcomes(&document), expected);
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "200"]);
    let again = import(&stage, &["november.csv"], 3);
    assert_eq!(
        outcomes(&again),
        BTreeMap::from([("known", 1), ("same_house", 2)])
    );
    assert_eq!(again["requests"]["total"], 0);
}

#[test]
fn a_row_further_down_is_held_whatever_is_sorted_or_run_again() {
    let stage = Stage::open();
    let twins = [
        ("A", "12 Elm Street"),
        ("B", "14 Elm Street"),
        ("C", "12 Elm St"),
    ];
    stage.file("leads.csv", sheet(&twins));
    let held = BTreeMap::from([("created", 2), ("same_house", 1)]);
    assert_eq!(outcomes(&import(&stage, &["leads.csv"], 3)), held);
    let rejects = cells(&stage, "leads.rejects.csv");
    let error = rejects[0]
        .iter()
        .position(|header| header == "error")
        .unwrap();
    assert!(
        rejects[1][error].contains("is the same house as row 2 of leads.csv (`A`)"),
        "{rejects:?}"
    );

    stage.file("leads.csv", sheet(&[twins[2], twins[1], twins[0]]));
    let held = BTreeMap::from([("known", 2), ("same_house", 1)]);
    assert_eq!(outcomes(&import(&stage, &["leads.csv"], 3)), held);
    assert_eq!(requested(&stage), ["A", "B"]);
}

#[test]
fn a_held_row_that_was_corrected_in_the_rejects_is_known_in_its_own_sheet() {
    let stage = october();
    stage.file("november.csv", sheet(&[("123", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    let rejects = std::fs::read_to_string(stage.path("november.rejects.csv")).unwrap();
    stage.file(
        "november.rejects.csv",
        rejects.replace("12 Elm St", "90 Pine St"),
    );
    let document = import(&stage, &["november.rejects.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
    let document = import(&stage, &["november.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("known", 1)]));
}

#[test]
fn a_row_held_for_another_of_its_file_is_not_called_requested() {
    let stage = Stage::open();
    stage.file(
        "leads.csv",
        sheet(&[("A", "12 Elm Street"), ("C", "12 Elm St")]),
    );
    for command in ["check", "import"] {
        let run = stage.run(&[command, "leads.csv"]).expect(3);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(
            said.contains("is the same house as row 2 of this file (`A`)"),
            "{said}"
        );
        assert!(
            said.contains("not sent: another row of this file has the house"),
            "{said}"
        );
        assert!(!said.contains("requested before"), "{said}");
    }
}

#[test]
fn a_street_in_the_second_line_is_compared_whatever_the_first_has() {
    let stage = Stage::open();
    let rows = |prefix: &str| {
        let first = ["Oak Apartments 5", "PO Box 9", "Mary & Joe 2nd house"];
        let row = |(id, line1): (usize, &&str)| {
            format!("{prefix}{id},Ann,ann@example.com,{line1},{id}23 Main St,Rochester,NY,14604\n")
        };
        HEADER.to_owned() + &first.iter().enumerate().map(row).collect::<String>()
    };
    stage.file("october.csv", rows("A"));
    import(&stage, &["october.csv"], 0);
    stage.file("november.csv", rows("B"));
    let document = import(&stage, &["november.csv"], 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 3)]));
}

#[test]
fn a_street_without_a_house_number_is_one_house_whatever_is_abbreviated() {
    let stage = Stage::open();
    let rows = [
        ("1", "Stonebriar Ln"),
        ("2", "Stonebriar Lane"),
        ("3", "Old Mill Road"),
        ("4", "Old Mill Rd."),
        ("5", "Old Mill Ct"),
    ];
    stage.file("leads.csv", sheet(&rows));
    let document = import(&stage, &["leads.csv"], 3);
    let expected = BTreeMap::from([("created", 3), ("same_house", 2)]);
    assert_eq!(outcomes(&document), expected);
    let rejects = cells(&stage, "leads.rejects.csv");
    let doubt = "neither address has a house number, so check whether it is the same house";
    assert!(
        rejects[1].iter().any(|cell| cell.contains(doubt)),
        "{rejects:?}"
    );
    stage.file("november.csv", sheet(&[("9", "STONEBRIAR LANE")]));
    let document = import(&stage, &["november.csv"], 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 1)]));
}

#[test]
fn many_houses_that_were_requested_before_take_few_lines() {
    let stage = Stage::open();
    let streets: Vec<String> = (1..=20)
        .map(|number| format!("{number} Elm Street"))
        .collect();
    let ids = |prefix: &str| {
        (1..=20)
            .map(|row| format!("{prefix}-{row}x"))
            .collect::<Vec<_>>()
    };
    let rows = |ids: &[String]| {
        let rows = ids.iter().zip(&streets);
        let rows: Vec<(&str, &str)> = rows.map(|(id, street)| (&**id, &**street)).collect();
        sheet(&rows)
    };
    stage.file("october.csv", rows(&ids("A")));
    import(&stage, &["october.csv"], 0);
    stage.file("november.csv", rows(&ids("B")));
    let text = stage.run(&["check", "november.csv"]).expect(3).stdout;
    assert_eq!(text.matches("requested before as").count(), 5, "{text}");
    assert!(
        text.contains("\n  and 15 more; -v or --json lists all\n"),
        "{text}"
    );
    let plan = "plan: 20 rows whose house was requested before; nothing to send";
    assert!(text.contains(plan), "{text}");
    let text = stage.run(&["check", "november.csv", "-v"]).expect(3).stdout;
    assert_eq!(text.matches("requested before as").count(), 20, "{text}");
}

#[test]
fn rows_of_the_same_house_get_one_hint_with_the_command_for_the_rejects() {
    let stage = Stage::open();
    let rows = [("A", "12 Elm Street"), ("C", "12 Elm St")];
    stage.file("leads.csv", sheet(&rows));
    let said = stage
        .run(&["import", "leads.csv", "--yes"])
        .expect(3)
        .stderr;
    let import = "once more; then run `gutterbatch import leads.rejects.csv`\n";
    assert!(said.contains(import), "{said}");
    assert_eq!(said.matches("hint: ").count(), 1, "{said}");
}

#[test]
fn units_and_other_street_types_are_sent_with_a_warning() {
    let stage = Stage::open();
    let rows = [
        ("A", "12 Elm St Apt 4"),
        ("B", "12 Elm St Apt 5"),
        ("C", "12 Elm Ave"),
        ("D", "14 Elm St"),
    ];
    stage.file("leads.csv", sheet(&rows));
    let document = import(&stage, &["leads.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 4)]));
    let text = stage.run(&["check", "leads.csv"]).expect(0).stdout;
    assert!(!text.contains("another unit"), "{text}");
    let fresh = Stage::open();
    fresh.file("leads.csv", sheet(&rows));
    let run = fresh.run(&["import", "leads.csv"]).expect(0);
    let question = "; 2 warnings, listed by `gutterbatch check leads.csv`";
    assert!(run.stderr.contains(question), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("D3: line1: another unit of the building of row 2 of this file (`A`)"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("D4: line1: nearly the address of row 2 of this file (`A`)"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_last_unit_of_a_large_building_is_found_among_all_others() {
    let stage = Stage::offline();
    let unit = |number: u32| format!("500 Main Street Apt {number}");
    let mut rows: Vec<(String, String)> = (1..=1_100)
        .map(|number| (format!("A-{number}"), unit(number)))
        .collect();
    rows.push(("again".to_owned(), unit(1_100)));
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(id, line1)| (id.as_str(), line1.as_str()))
        .collect();
    stage.file("leads.csv", sheet(&rows));
    let check = stage.run(&["check", "leads.csv", "--json"]).expect(3);
    assert_eq!(check.json()["plan"]["same_house"], 1);
    assert!(
        check.stdout.contains("row 1101 of this file (`A-1100`)"),
        "{}",
        check.stdout
    );
}
