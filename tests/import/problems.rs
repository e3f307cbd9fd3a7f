//! The list `problems` of `import --json`: every error and warning of a row, and whether the previous run reported it.

use gutterbatch::sandbox::Options;
use serde_json::{Value, json};

use crate::support::Stage;

const HEADERS: &str = "ID,Name,Street,City,State,Zip,Email\n";
const GOOD: &str = "L-1,Ada,12 Elm Street,Boston,MA,02134,ada@example.com\n";
const NO_CITY: &str = "L-2,Bo,14 Oak Street,,MA,02134,bo@example.com\n";
const ODD_EMAIL: &str = "L-3,Cy,16 Pine Street,Boston,MA,02134,cy.example.com\n";
const NO_NAME: &str = "L-4,,18 Birch Street,Boston,MA,02134,di@example.com\n";

fn write(stage: &Stage, rows: &[&str]) {
    stage.file("leads.csv", HEADERS.to_owned() + &rows.concat());
}

fn import(stage: &Stage, flags: &[&str], code: i32) -> Value {
    let args = [&["import", "leads.csv", "--json"], flags].concat();
    stage.run(&args).expect(code).json()
}

/// Row, severity, outcome and `new` of each problem.
fn listed(document: &Value) -> Value {
    let problems = document["problems"].as_array().unwrap().iter();
    let keys = ["row", "severity", "outcome", "new"];
    problems
        .map(|problem| Value::from(keys.map(|key| problem[key].clone()).to_vec()))
        .collect()
}

#[test]
fn a_text_with_line_breaks_in_its_cells_says_how_its_rows_are_numbered() {
    let stage = Stage::offline();
    let is_explained = |rows: &[&str], code| {
        write(&stage, rows);
        let check = stage.run(&["check", "leads.csv"]).expect(code);
        check.stdout.contains("rows are numbered by line")
    };
    let broken = GOOD.replace("Ada", "\"Ada\nLee\"");
    assert!(is_explained(&[&broken, NO_CITY], 3));
    assert!(!is_explained(&[&broken], 0));
    assert!(!is_explained(&[GOOD, "\n", NO_CITY], 3));

    let stage = Stage::open();
    write(&stage, &[&broken, NO_CITY]);
    let import = stage.run(&["import", "leads.csv"]).expect(3).stderr;
    assert!(import.contains("rows are numbered by line"), "{import}");
}

#[test]
fn a_run_without_problems_has_an_empty_list_and_no_error() {
    let stage = Stage::open();
    write(&stage, &[GOOD]);
    let document = import(&stage, &[], 0);
    assert_eq!(document["problems"], json!([]));
    assert_eq!(document.get("error"), Some(&Value::Null));
    assert_eq!(document["exit_code"], 0);
}

#[test]
fn a_problem_names_its_cell_and_the_outcome_of_its_row() {
    let stage = Stage::open();
    // The region becomes a code, which is no problem.
    write(&stage, &[&GOOD.replace("MA", "Massachusetts"), NO_CITY]);
    let expected = json!([{
        "row": 3, "cell": "D3", "column": "City", "field": "city", "severity": "error",
        "outcome": "invalid", "message": "the city is empty", "new": true,
    }]);
    let document = import(&stage, &[], 3);
    assert_eq!(document["problems"], expected);
    let checked = stage.run(&["check", "leads.csv", "--json"]).expect(3);
    let checked = checked.json();
    let problems = checked["problems"].as_array().unwrap();
    let error = problems.iter().find(|one| one["severity"] == "error");
    assert_eq!(error.unwrap()["message"], expected[0]["message"]);
    assert!(problems.iter().any(|one| one["severity"] == "tidied"));
    for key in ["outcome", "new"] {
        assert!(problems.iter().all(|one| one.get(key).is_none()), "{key}");
    }
}

#[test]
fn a_problem_is_new_unless_the_previous_run_reported_it() {
    let stage = Stage::open();
    write(&stage, &[GOOD, NO_CITY, ODD_EMAIL]);
    let dry = import(&stage, &["--dry-run"], 3);
    let new = json!([
        [3, "error", "invalid", true],
        [4, "warning", "pending", true]
    ]);
    assert_eq!(listed(&dry), new);
    let first = import(&stage, &[], 3);
    let new = json!([
        [3, "error", "invalid", true],
        [4, "warning", "created", true]
    ]);
    assert_eq!(listed(&first), new);
    assert_eq!(first["warnings"], 1);
    for flags in [&["--dry-run"][..], &[]] {
        let again = import(&stage, flags, 3);
        let known = json!([
            [3, "error", "invalid", false],
            [4, "warning", "known", false]
        ]);
        assert_eq!(listed(&again), known);
    }
    // One row is corrected, another one is new, and a third is where the first was.
    let corrected = NO_CITY.replace(",,", ",Boston,");
    write(&stage, &[GOOD, NO_NAME, ODD_EMAIL, &corrected]);
    let mixed = json!([
        [3, "error", "invalid", true],
        [4, "warning", "known", false]
    ]);
    assert_eq!(listed(&import(&stage, &[], 3)), mixed);
    // A row keeps its problem where another is inserted above it, and a problem that comes back is new.
    write(&stage, &[NO_CITY, GOOD, NO_NAME, ODD_EMAIL]);
    let moved = json!([
        [2, "error", "invalid", true],
        [4, "error", "invalid", false],
        [5, "warning", "known", false]
    ]);
    let returned = import(&stage, &[], 3);
    assert_eq!(listed(&returned), moved);
}

#[test]
fn a_refusal_a_conflict_and_a_same_house_are_known_to_the_second_run() {
    let stage = Stage::with(Options {
        faults:
            r#"{"rules": [{"do": "status", "status": 422, "method": "POST", "external_id": "L-5"}]}"#
                .parse()
                .ok(),
        rate: "1000000/1s".parse().unwrap(),
        ..Options::default()
    });
    write(
        &stage,
        &["L-6,Fay,99 Maple Street,Boston,MA,02134,fay@example.com\n"],
    );
    import(&stage, &["--journal", "other.db"], 0);
    let rows = [
        GOOD,
        "L-5,Eve,20 Cedar Street,Boston,MA,02134,eve@example.com\n",
        "L-6,Fay,22 Walnut Street,Boston,MA,02134,fay@example.com\n",
        "L-7,Ada,12 Elm St,Boston,MA,02134,ada@example.com\n",
    ];
    write(&stage, &rows);
    let outcomes = |document: &Value| {
        let problems = document["problems"].as_array().unwrap().iter();
        let mut outcomes: Vec<_> = problems
            .map(|one| (one["row"].as_u64(), one["outcome"].to_string()))
            .collect();
        outcomes.dedup();
        outcomes
    };
    let is_new = |document: &Value, new: bool| {
        let mut problems = document["problems"].as_array().unwrap().iter();
        assert!(problems.all(|one| one["new"] == new), "{document:#}");
    };
    let expected = [(3, "refused"), (4, "conflict"), (5, "same_house")];
    let expected = expected.map(|(row, outcome)| (Some(row), format!("{outcome:?}")));
    let first = import(&stage, &[], 3);
    assert_eq!(outcomes(&first), expected);
    is_new(&first, true);
    let second = import(&stage, &[], 3);
    assert_eq!(outcomes(&second), expected);
    is_new(&second, false);
    let cells = |document: &Value| {
        let problems = document["problems"].as_array().unwrap().iter();
        problems.map(|one| one["cell"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(cells(&second), cells(&first));
}

#[test]
fn a_row_that_was_corrected_in_the_rejects_has_no_problem_left() {
    let stage = Stage::open();
    write(&stage, &[GOOD, NO_CITY]);
    import(&stage, &[], 3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file(
        "leads.rejects.csv",
        rejects.replace("Street,,MA", "Street,Boston,MA"),
    );
    stage.run(&["import", "leads.rejects.csv"]).expect(0);
    assert_eq!(import(&stage, &[], 0)["problems"], json!([]));
}

#[test]
fn the_import_of_a_rehearsal_lists_its_problems() {
    let stage = Stage::offline();
    write(&stage, &[GOOD, NO_CITY]);
    for rough in [&[][..], &["--rough"]] {
        let args = ["rehearse", "leads.csv", "-o", "out.xlsx", "--json"];
        let run = stage.run(&[&args[..], rough].concat()).expect(3).json();
        assert_eq!(run["import"]["problems"][0]["cell"], "D3", "{run:#}");
        assert_eq!(run["error"], Value::Null);
    }
}

#[test]
fn a_problem_of_the_headers_has_no_outcome() {
    let stage = Stage::open();
    let headers = "ID,Name,Street,City,State,Zip,Email,Notes";
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (row, line) in [headers, GOOD.trim()].iter().enumerate() {
        for (column, cell) in line.split(',').enumerate() {
            let (row, column) = (row.try_into().unwrap(), column.try_into().unwrap());
            sheet.write_string(row, column, cell).unwrap();
        }
    }
    let format = rust_xlsxwriter::Format::new();
    sheet.merge_range(0, 7, 0, 8, "Notes", &format).unwrap();
    sheet.write_string(1, 8, "ring twice").unwrap();
    stage.file("leads.xlsx", book.save_to_buffer().unwrap());
    for new in [true, false] {
        let run = stage.run(&["import", "leads.xlsx", "--json"]).expect(0);
        let document = run.json();
        let problem = &document["problems"][0];
        assert_eq!(problem["cell"], "H1", "{document:#}");
        assert_eq!(problem["outcome"], Value::Null);
        assert_eq!(problem["new"], new);
    }
}
