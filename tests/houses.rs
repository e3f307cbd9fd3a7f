//! One house under two ids: held before anything is sent, until a person decides.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::import::outcomes;
use crate::support::canned::{self, Canned};
use crate::support::{Run, Stage};
use crate::unanswered::refuse_once;

const HEADER: &str = "id,name,email,line1,line2,city,region,postal_code\n";

/// Rows of an id and a street each, with a customer for each.
fn sheet(rows: &[(&str, &str)]) -> String {
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
fn cells(stage: &Stage, name: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_path(stage.path(name))
        .unwrap();
    let rows = reader.records().map(|record| record.unwrap());
    rows.map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}

/// Types a word into the column of decisions of every row.
fn decide(stage: &Stage, name: &str, word: &str) {
    let mut rows = cells(stage, name);
    let column = rows[0]
        .iter()
        .position(|header| header == "same_house")
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

const OCTOBER: [(&str, &str); 3] = [
    ("00123", "12 Elm Street"),
    ("00124", "14 Elm Street"),
    ("00125", "16 Roosevelt Ave"),
];

/// A stage where October was imported.
fn october() -> Stage {
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
        text.contains("plan: 2 rows of the same house as others; 2 requests"),
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
fn the_flag_sends_every_held_row() {
    let stage = october();
    stage.file("november.csv", sheet(&[("123", "12 Elm St")]));
    let document = import(&stage, &["november.csv", "--allow-same-house"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
    // Once it is sent, it is known without the flag.
    let document = import(&stage, &["november.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("known", 1)]));
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
        rejects[1][error].contains("is the same house as row 2 of this file (`A`)"),
        "{rejects:?}"
    );

    stage.file("leads.csv", sheet(&[twins[2], twins[1], twins[0]]));
    let held = BTreeMap::from([("known", 2), ("same_house", 1)]);
    assert_eq!(outcomes(&import(&stage, &["leads.csv"], 3)), held);
    assert_eq!(requested(&stage), ["A", "B"]);
}

#[test]
fn a_row_decided_skip_is_never_asked_about_again() {
    let stage = october();
    stage.file("november.csv", sheet(&[("123", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "skip");
    let page = stage.run(&["check", "november.rejects.csv"]).expect(0);
    let told = "plan: 1 row not sent because you decided `skip`; nothing to send";
    assert!(page.stdout.contains(told), "{}", page.stdout);
    let document = import(&stage, &["november.rejects.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("duplicate", 1)]));
    let document = import(&stage, &["november.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("duplicate", 1)]));
    assert_eq!(requested(&stage), ["00123", "00124", "00125"]);
    let check = stage
        .run(&["check", "november.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(check["plan"]["requests"], 0);

    // It was decided about this house and no other.
    stage.file("november.csv", sheet(&[("123", "44 Oak St")]));
    let document = import(&stage, &["november.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
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
fn a_row_decided_skip_says_so_in_its_own_sheet() {
    let stage = october();
    stage.file(
        "november.csv",
        sheet(&[("123", "12 Elm St"), ("9", "90 Pine St")]),
    );
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "skip");
    import(&stage, &["november.rejects.csv"], 0);
    for file in ["november.csv", "november.rejects.csv"] {
        stage
            .run(&["export", "out.csv", "--for", file, "--offline"])
            .expect(0);
        let rows = cells(&stage, "out.csv");
        let header = rows[0].iter().position(|one| one == "Why no result");
        let said = &rows[1][header.unwrap()];
        let reason = "skipped: it is the same house as `00123` (row 2 of october.csv, pending)";
        assert_eq!(said, reason, "{file}");
        std::fs::remove_file(stage.path("out.csv")).unwrap();
    }
}

#[test]
fn a_row_held_for_another_of_its_file_is_pending_if_the_service_refuses_that_one() {
    let stage = Stage::open();
    refuse_once(&stage);
    stage.file(
        "leads.csv",
        sheet(&[("A", "12 Elm Street"), ("C", "12 Elm St")]),
    );
    let document = import(&stage, &["leads.csv"], 4);
    let expected = BTreeMap::from([("refused", 1), ("pending", 1)]);
    assert_eq!(outcomes(&document), expected);
    let document = import(&stage, &["leads.csv"], 3);
    let expected = BTreeMap::from([("refused", 1), ("created", 1)]);
    assert_eq!(outcomes(&document), expected);
    assert_eq!(stage.sandbox().measurements().len(), 1);
}

#[test]
fn a_row_skipped_for_another_of_its_file_is_pending_if_the_service_refuses_that_one() {
    let stage = Stage::open();
    refuse_once(&stage);
    let rows = "A,Ada,a@example.com,12 Elm Street,,Rochester,NY,14604,why,2,\nC,Ada,a@example.com,12 Elm St,,Rochester,NY,14604,why,3,skip\n";
    let headers = HEADER.trim_end();
    stage.file(
        "leads.csv",
        format!("{headers},error,source_row,same_house\n{rows}"),
    );
    for _ in 0..2 {
        let document = import(&stage, &["leads.csv"], 4);
        let expected = BTreeMap::from([("pending", 1), ("refused", 1)]);
        assert_eq!(outcomes(&document), expected);
    }
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
            said.contains("not sent because it is the same house as another row of this file"),
            "{said}"
        );
        assert!(!said.contains("requested before"), "{said}");
    }
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
    let import = "leads.rejects.csv and import it with `gutterbatch import leads.rejects.csv`\n";
    assert!(said.contains(import), "{said}");
    assert_eq!(said.matches("hint: ").count(), 1, "{said}");
}

#[test]
fn the_hints_of_check_agree_on_the_rows_that_are_not_sent() {
    let stage = Stage::offline();
    let rows = [("A", "12 Elm Street"), ("C", "12 Elm St"), ("D", "")];
    stage.file("leads.csv", sheet(&rows));
    let hints = stage.run(&["check", "leads.csv"]).expect(3).stderr;
    let import = "gutterbatch import leads.csv";
    for part in [
        format!("`{import}` writes it to the rejects with a column same_house"),
        format!("`{import}` sends the other rows and writes 2 rejected rows to a file"),
    ] {
        assert!(hints.contains(&part), "{hints}");
    }
    // A hint is followed word for word: none requests a house twice.
    assert!(!hints.contains("--allow-same-house"), "{hints}");
}

#[test]
fn a_row_decided_send_is_sent_once() {
    let stage = october();
    stage.file(
        "november.csv",
        sheet(&[("123", "12 Elm St"), ("124", "14 Elm St")]),
    );
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "Send");
    let document = import(&stage, &["november.rejects.csv", "--limit", "1"], 4);
    assert_eq!(
        outcomes(&document),
        BTreeMap::from([("created", 1), ("pending", 1)])
    );
    // The decision about the other holds in the original too.
    let document = import(&stage, &["november.csv"], 0);
    assert_eq!(
        outcomes(&document),
        BTreeMap::from([("created", 1), ("known", 1)])
    );
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "123", "124"]);
}

#[test]
fn rejects_of_rejects_have_one_column_of_decisions() {
    let stage = october();
    stage.file("november.csv", sheet(&[("123", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "perhaps");
    let document = import(
        &stage,
        &["november.rejects.csv", "--rejects", "again.csv"],
        3,
    );
    assert_eq!(outcomes(&document), BTreeMap::from([("invalid", 1)]));
    let rows = cells(&stage, "again.csv");
    let error = rows[0].iter().position(|header| header == "error").unwrap();
    let said = "`perhaps` is neither send nor skip: type one of them";
    assert!(rows[1][error].contains(said), "{rows:?}");
    let decisions = rows[0].iter().filter(|header| *header == "same_house");
    assert_eq!(decisions.count(), 1, "{rows:?}");
    let check = stage
        .run(&["check", "november.rejects.csv", "--json"])
        .expect(3)
        .json();
    let problems = check["problems"].as_array().unwrap().iter();
    let texts: Vec<&str> = problems
        .map(|problem| problem["message"].as_str().unwrap())
        .collect();
    assert!(
        texts.contains(&"`perhaps` is neither send nor skip: type one of them, or clear the cell"),
        "{texts:?}"
    );
    assert_eq!(check["unused_columns"], json!([]));
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
    let question = "; 2 rows with warnings (line1 2), listed by `gutterbatch check leads.csv`";
    assert!(run.stderr.contains(question), "{}", run.stderr);
    assert!(
        run.stderr
            .contains("row 3: another unit of the building of row 2 of this file (`A`)"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("row 4: nearly the address of row 2 of this file (`A`)"),
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
fn equal_changes_are_one_line_with_the_likely_flag() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&OCTOBER));
    import(&stage, &["leads.csv", "--external-label", "Acme CRM"], 0);
    let run = stage
        .run(&["import", "leads.csv", "--forget-reading"])
        .expect(0);
    let line = "3 rows: edited after it was submitted (label); label was Acme CRM, now none; was it --external-label 'Acme CRM'?";
    assert!(run.stderr.contains(line), "{}", run.stderr);
}

/// A service that places every house at one point, and says elsewhere once it was opened.
fn one_point() -> Canned {
    Canned::answering(|request| {
        if request.starts_with("GET /me ") {
            return canned::healthy(request);
        }
        let is_opened = request.starts_with("GET");
        let asked = if is_opened {
            json!({
                "external": {"id": "A-0"},
                "address": {"line1": "12 Elm Street", "city": "Ottawa", "region": "ON", "postal_code": "K1A 0B1"},
                "customer": {"name": "Jo", "email": "jo@example.com"},
            })
        } else {
            canned::asked(request)
        };
        let mut measurement = canned::measurement(&asked);
        measurement["address"]["lat"] = json!(if is_opened { 45.9 } else { 45.5 });
        if is_opened {
            measurement["status"] = json!("in_progress");
            return canned::json("200 OK", &measurement);
        }
        canned::json("201 Created", &measurement)
    })
}

/// Rows of an id and a street each in Ottawa.
fn ottawa(rows: &[(&str, &str)]) -> String {
    let sheet = sheet(rows);
    sheet.replace("Rochester,NY,14604", "Ottawa,ON,K1A 0B1")
}

#[test]
fn two_rows_at_one_location_end_with_3_once() {
    let (stage, service) = (Stage::offline(), one_point());
    let rows = [("A-0", "12 Elm Street"), ("A-1", "12 Old Mill Lane")];
    stage.file("leads.csv", ottawa(&rows));
    let run = |code| {
        Run::of(
            stage
                .against(&service, &["import", "leads.csv"])
                .output()
                .unwrap(),
        )
        .expect(code)
    };
    let said = run(3).stderr;
    assert!(
        said.contains("the service placed the house at the same point as id A-"),
        "{said}"
    );
    run(0);
}

#[test]
fn a_location_that_was_refined_is_still_known() {
    let (stage, service) = (Stage::offline(), one_point());
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    stage.file("october.csv", ottawa(&[("A-0", "12 Elm Street")]));
    run(&["import", "october.csv"], 0);
    run(&["export", "all.csv", "--refresh", "all"], 0);
    stage.file("november.csv", ottawa(&[("A-1", "12 Old Mill Lane")]));
    let said = run(&["import", "november.csv"], 3).stderr;
    assert!(said.contains("the same point as id A-0"), "{said}");
}

#[test]
fn two_rows_of_one_house_that_a_person_sent_leave_no_warning() {
    let (stage, service) = (Stage::offline(), one_point());
    let run =
        |args: &[&str], code| Run::of(stage.against(&service, args).output().unwrap()).expect(code);
    let rows = [("A-0", "12 Elm Street"), ("A-1", "12 Elm St")];
    stage.file("leads.csv", ottawa(&rows));
    run(&["import", "leads.csv"], 3);
    decide(&stage, "leads.rejects.csv", "send");
    let warnings = || stage.run(&["status", "--json"]).expect(0).json()["warnings"].clone();
    run(&["import", "leads.rejects.csv"], 0);
    assert_eq!(warnings(), json!([]));
    // What the person did not decide about is still told.
    stage.file("more.csv", ottawa(&[("A-2", "14 Oak Street")]));
    run(&["import", "more.csv"], 3);
    assert_eq!(warnings().as_array().unwrap().len(), 1);
}

#[test]
fn of_rows_to_skip_above_the_one_to_send_none_is_pending() {
    let stage = Stage::open();
    let house = [("A", "12 Elm St"), ("B", "12 Elm Street"), ("C", "12 Elm")];
    stage.file("leads.csv", sheet(&house));
    let held = import(&stage, &["leads.csv", "--limit", "0"], 4);
    assert_eq!(outcomes(&held)["same_house"], 2);
    let header = sheet(&[]).replace("id,", "same_house,id,");
    let row = |word: &str, (id, line1): (&str, &str)| {
        let row = sheet(&[(id, line1)]).replace(HEADER, "");
        format!("{word},{row}")
    };
    let rows: String = ["skip", "skip", "send"]
        .into_iter()
        .zip(house)
        .map(|(word, house)| row(word, house))
        .collect();
    stage.file("decided.csv", header + &rows);
    let document = import(&stage, &["decided.csv", "--dry-run"], 0);
    let expected = BTreeMap::from([("duplicate", 2), ("pending", 1)]);
    assert_eq!(outcomes(&document), expected);
    // The run ends before anything is sent; the original is imported next.
    let rule = r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": false, "times": 1}]}"#;
    stage.sandbox().set_faults(rule.parse().ok());
    import(&stage, &["decided.csv", "--limit", "0"], 4);
    stage.sandbox().set_faults(None);
    let document = import(&stage, &["leads.csv"], 0);
    let expected = BTreeMap::from([("created", 1), ("duplicate", 2)]);
    assert_eq!(outcomes(&document), expected);
    assert_eq!(requested(&stage), ["C"]);
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
    let plan = "november.csv: 1 row to submit, 1 known already, 1 of the same house not sent, 1 duplicate, 1 invalid, of 5; 2 requests in 1 window";
    assert!(said.stderr.contains(plan), "{}", said.stderr);
}

#[test]
fn a_row_that_was_corrected_and_then_skipped_is_known_in_the_original() {
    let stage = october();
    let no_city = sheet(&[("123", "12 Elm St")]).replace("Rochester", "");
    stage.file("november.csv", &no_city);
    import(&stage, &["november.csv"], 3);
    let rejects = stage.path("november.rejects.csv");
    let text = std::fs::read_to_string(&rejects).unwrap();
    std::fs::write(&rejects, text.replace(",,NY", ",Rochester,NY")).unwrap();
    let document = import(&stage, &["november.rejects.csv"], 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 1)]));
    decide(&stage, "november.rejects-2.csv", "skip");
    let document = import(&stage, &["november.rejects-2.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("duplicate", 1)]));
    let document = import(&stage, &["november.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("known", 1)]));
    assert_eq!(requested(&stage), ["00123", "00124", "00125"]);
}

#[test]
fn of_two_columns_of_decisions_the_one_that_does_not_send_counts() {
    let stage = october();
    let [elm, oak] = [("123", "12 Elm St"), ("124", "14 Elm St")];
    for (words, code, outcome) in [
        (["send", "skip"], 0, "duplicate"),
        (["skip", "send"], 0, "duplicate"),
        (["", "skip"], 0, "duplicate"),
        (["send", "no"], 3, "invalid"),
        (["", "send"], 0, "pending"),
    ] {
        let header = HEADER.replace("id,", "same_house,same_house,id,");
        let rows = [elm, oak].map(|house| {
            let row = sheet(&[house]).replace(HEADER, "");
            format!("{},{},{row}", words[0], words[1])
        });
        stage.file("two.csv", header + &rows.concat());
        let document = import(&stage, &["two.csv", "--dry-run"], code);
        let expected = BTreeMap::from([(outcome, 2)]);
        assert_eq!(outcomes(&document), expected, "{words:?}");
    }
}

#[test]
fn units_at_one_location_were_told_before_and_end_with_0() {
    let (stage, service) = (Stage::offline(), one_point());
    stage.file(
        "leads.csv",
        ottawa(&[("A-0", "1-12 Elm Street"), ("A-1", "2-12 Elm Street")]),
    );
    Run::of(
        stage
            .against(&service, &["import", "leads.csv"])
            .output()
            .unwrap(),
    )
    .expect(0);
}
