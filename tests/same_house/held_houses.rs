//! Houses that the service has under an id whose row is of another house now: no new id requests them a second time.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::same_house::houses;
use crate::support::imports::outcomes;
use crate::support::{Contractor as _, Stage};

const HEADER: &str = "id,name,email,line1,city,region,postal_code\n";

/// Rows of an id, a street and a ZIP each, with one customer for each id.
fn leads(rows: &[(&str, &str, &str)]) -> String {
    let line = |(id, line1, zip): &(&str, &str, &str)| {
        format!("{id},Customer {id},c{id}@example.com,{line1},Columbus,OH,{zip}\n")
    };
    HEADER.to_owned() + &rows.iter().map(line).collect::<String>()
}

fn import(stage: &Stage, text: &str, code: i32) -> (Value, String) {
    stage.file("leads.csv", text);
    let run = stage.run(&["import", "leads.csv", "--json"]).expect(code);
    (run.json(), run.stderr)
}

/// What the service was asked for, as id and street.
fn requested(stage: &Stage) -> Vec<(String, String)> {
    let held = stage.sandbox().measurements().into_iter();
    let mut held: Vec<_> = held
        .map(|held| (held.external_id.unwrap_or_default(), held.line1))
        .collect();
    held.sort();
    held
}

#[test]
fn a_new_id_for_a_row_in_conflict_requests_no_house_twice() {
    let stage = Stage::open();
    let (maple, cherry) = ("101 Maple St", "202 Cherry Ave");
    import(
        &stage,
        &leads(&[("p1-1", maple, "43206"), ("p1-2", cherry, "43207")]),
        0,
    );
    fs::remove_file(stage.journal()).unwrap();
    let swapped = leads(&[("p1-2", maple, "43206"), ("p1-1", cherry, "43207")]);
    let (document, _) = import(&stage, &swapped, 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("conflict", 2)]));
    let rejects = fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    let advice = "give it a new id, for example p1-1-2";
    assert!(rejects.contains(advice), "{rejects}");

    let renamed = leads(&[("p1-2-2", maple, "43206"), ("p1-1-2", cherry, "43207")]);
    let check = stage.file("renamed.csv", &renamed);
    let said = stage.run(&["check", check.to_str().unwrap()]).expect(3);
    let text = "requested before as `p1-1` (known only from the service, pending)";
    assert!(said.stdout.contains(text), "{}", said.stdout);
    let (document, _) = import(&stage, &renamed, 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 2)]));
    assert_eq!(stage.sandbox().measurements().len(), 2);

    // The way back is open: with its own id each row has its measurement, and is no house of another id then. The rejects
    // of the swapped rows, which no sheet has any more, are the user's to delete.
    fs::remove_file(stage.path("leads.rejects.csv")).unwrap();
    let back = leads(&[("p1-1", maple, "43206"), ("p1-2", cherry, "43207")]);
    let (document, _) = import(&stage, &back, 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("existing", 2)]));
    let (document, stderr) = import(&stage, &renamed, 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 2)]));
    assert!(!stderr.contains("as the service has"), "{stderr}");
}

/// 51 Elm St is with the service as t5-1; its answer was lost.
fn unanswered() -> Stage {
    let stage = Stage::open();
    let lost = r#"{"rules": [{"do": "status", "status": 501, "method": "POST", "handled": true}]}"#;
    stage.sandbox().set_faults(lost.parse().ok());
    import(&stage, &leads(&[("t5-1", "51 Elm St", "43206")]), 9);
    stage.sandbox().set_faults(None);
    assert_eq!(stage.sandbox().measurements().len(), 1);
    stage
}

#[test]
fn a_measurement_stays_with_the_version_that_was_sent_before_its_row_was_edited() {
    let stage = unanswered();
    let (document, _) = import(&stage, &leads(&[("t5-1", "53 Elm St", "43206")]), 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("conflict", 1)]));

    // The conflict stays, at no cost, and a new id for the new house is sent.
    let rows = [
        ("t5-1", "53 Elm St", "43206"),
        ("t5-1-2", "53 Elm St", "43206"),
        ("t5-9", "51 Elm Street", "43206"),
    ];
    let (document, stderr) = import(&stage, &leads(&rows), 3);
    let expected = BTreeMap::from([("conflict", 1), ("created", 1), ("same_house", 1)]);
    assert_eq!(outcomes(&document), expected);
    assert!(
        stderr.contains("requested before as `t5-1` (row 2 of leads.csv, pending)"),
        "{stderr}"
    );
    assert_eq!(
        document["requests"]["post"], 1,
        "the conflict costs nothing: {document}"
    );
    let ids: Vec<String> = requested(&stage).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["t5-1", "t5-1-2"]);

    // It is exported and billed as what this journal created.
    let held = stage.sandbox().measurements();
    let first = held
        .iter()
        .find(|held| held.external_id.as_deref() == Some("t5-1"))
        .unwrap();
    stage.sandbox().complete(&first.measurement_id).unwrap();
    let words = ["export", "all.csv", "--new", "--json"];
    let document = stage.run(&words).expect(0).json();
    assert_eq!(document["completed"], 1, "{document}");
    let text = fs::read_to_string(stage.path("all.csv")).unwrap();
    assert!(text.contains("51 Elm"), "{text}");

    // The row as it was sent first is known.
    let (document, _) = import(&stage, &leads(&[("t5-1", "51 Elm St", "43206")]), 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("known", 1)]));
}

#[test]
fn a_version_that_never_reached_the_service_binds_nobody_once_the_next_is_answered() {
    let stage = Stage::open();
    let lost = r#"{"rules": [{"do": "status", "status": 501, "method": "POST"}]}"#;
    stage.sandbox().set_faults(lost.parse().ok());
    import(&stage, &leads(&[("t5-1", "51 Elm St", "43206")]), 9);
    stage.sandbox().set_faults(None);
    // The house of the only pending row may be another one of its owner.
    let (document, _) = import(&stage, &leads(&[("t5-1", "53 Elm St", "43206")]), 3);
    assert_eq!(document["missing_rows"], 1);
    let (document, _) = import(&stage, &leads(&[("t5-9", "51 Elm St", "43206")]), 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}

/// A row with a customer of its own.
fn lead(id: &str, name: &str, line1: &str) -> String {
    let email = name.to_lowercase().replace(' ', ".") + "@example.com";
    format!("{HEADER}{id},{name},{email},{line1},Columbus,OH,43206\n")
}

#[test]
fn a_known_id_with_another_street_and_another_customer_is_a_conflict() {
    let stage = Stage::open();
    import(&stage, &lead("t2-1", "Ann Ash", "12 Elm St"), 0);
    let next_month = lead("t2-1", "Zoe Zimmer", "12 Oak Blvd");
    let (document, _) = import(&stage, &next_month, 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("conflict", 1)]));
    let held = stage.sandbox().measurements().remove(0).measurement_id;
    stage.sandbox().complete(&held).unwrap();
    stage.run(&["export", "all.csv"]).expect(0);
    let words = ["export", "back.csv", "--for", "leads.csv"];
    stage.run(&words).expect(3);
    let back = fs::read_to_string(stage.path("back.csv")).unwrap();
    assert!(
        back.contains("conflict: ") && !back.contains("complete"),
        "{back}"
    );

    // Either alone is a spelling, or a correction.
    for (edited, code) in [
        (lead("t2-1", "Ann Ash", "12 Elm Grove Blvd"), 3),
        (lead("t2-1", "Zoe Zimmer", "12 Elm Street"), 0),
    ] {
        let (document, _) = import(&stage, &edited, code);
        assert_eq!(document["changed_after_submit"], 1, "{document}");
    }

    // Without the journal the service's answer tells.
    fs::remove_file(stage.journal()).unwrap();
    let (document, _) = import(&stage, &next_month, 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("conflict", 1)]));
    let (document, _) = import(&stage, &lead("t2-2", "Ann Ash", "12 Elm St"), 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 1)]));
}

#[test]
fn another_number_of_the_same_customer_is_at_least_a_warning() {
    for (one, other) in [
        ("12 Elm St Unit B", "12A Elm St"),
        ("223-225 Elm St", "223A Elm St"),
        ("5 Dr Martin Luther King Blvd", "5 MLK Blvd"),
    ] {
        let (one, other) = (lead("A", "Ann Ash", one), lead("B", "Ann Ash", other));
        let both = one.clone() + other.strip_prefix(HEADER).unwrap();
        let stage = Stage::open();
        stage.file("both.csv", both);
        let said = stage.run(&["check", "both.csv"]).expect(0).stdout;
        assert!(
            said.contains("postal code and customer of row 2 of this file (`A`)"),
            "{said}"
        );
        import(&stage, &one, 0);
        let (document, stderr) = import(&stage, &other, 0);
        assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
        assert!(
            stderr.contains("postal code and customer of `A`"),
            "{stderr}"
        );
    }
    // Neighbours with customers of their own are no reason to look.
    let stage = Stage::open();
    import(&stage, &lead("A", "Ann Ash", "12 Elm St"), 0);
    let (document, _) = import(&stage, &lead("B", "Zoe Zimmer", "12 Oak Blvd"), 0);
    assert_eq!(document["warnings"], 0, "{document}");
}

#[test]
fn a_lot_that_gets_its_house_number_is_not_requested_again_without_a_word() {
    for lot in ["Lot 12 Sunset Dr", "RR 2 Box 45"] {
        let stage = Stage::open();
        import(&stage, &lead("A", "Ann Ash", lot), 0);
        let (numbered, other) = ("1412 Sunset Dr", "Zoe Zimmer");
        let (_, stderr) = import(&stage, &lead("A", "Ann Ash", numbered), 3);
        assert!(stderr.contains("tell the contractor"), "{stderr}");
        assert!(!stderr.contains("give the row a new id"), "{stderr}");

        let stage = Stage::open();
        import(&stage, &lead("A", "Ann Ash", lot), 0);
        let (_, stderr) = import(&stage, &lead("B", "Ann Ash", numbered), 0);
        let said =
            format!("Ann Ash, with the same email, was submitted for {lot}, as `A`; if this");
        assert_eq!(stderr.matches(&said).count(), 1, "{stderr}");
        let (document, _) = import(&stage, &lead("C", other, "1414 Sunset Dr"), 0);
        assert_eq!(document["warnings"], 0, "{document}");
        let (_, stderr) = import(&stage, &lead("A", other, numbered), 3);
        assert!(stderr.contains("give the row a new id"), "{stderr}");
    }
}

#[test]
fn one_of_two_numbers_is_at_least_a_warning_for_its_customer() {
    for (one, other) in [
        ("100 Main St / 5 Oak Ave", "5 Oak Ave"),
        ("Lot 12 Sunset Dr", "12 Sunset Dr"),
    ] {
        let stage = Stage::open();
        import(&stage, &lead("A", "Ann Ash", one), 0);
        let said = format!("was submitted for {one}, as `A`");
        let (document, stderr) = import(&stage, &lead("B", "Ann Ash", other), 0);
        assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
        assert_eq!(stderr.matches(&said).count(), 1, "{stderr}");
        let (_, stderr) = import(&stage, &lead("C", "Zoe Zimmer", "18 Main St"), 0);
        assert!(!stderr.contains("was submitted for"), "{stderr}");
    }
}

#[test]
fn a_letter_in_either_line_is_a_warning_for_any_customer() {
    for (one, other) in [
        ("12 Elm St Unit A", "12A Elm St"),
        ("12A Elm St", "12 Elm St Unit A"),
    ] {
        let stage = Stage::open();
        import(&stage, &lead("A", "Ann Ash", one), 0);
        let said = "nearly the address of `A` (row 2 of leads.csv, pending): the house numbers are not written alike";
        let (_, stderr) = import(&stage, &lead("B", "Zoe Zimmer", other), 0);
        assert_eq!(stderr.matches(said).count(), 1, "{stderr}");
    }
}

#[test]
fn a_numbered_road_is_held_however_it_is_written() {
    let stage = Stage::open();
    import(&stage, &lead("A", "Ann Ash", "135 County Road 12"), 0);
    let (document, _) = import(&stage, &lead("B", "Zoe Zimmer", "135 CR 12"), 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 1)]));
}

#[test]
fn a_row_decided_skip_is_sent_after_the_other_request_only_if_a_person_says_so() {
    let stage = Stage::open();
    import(&stage, &lead("A", "Ann Ash", "12 Elm St"), 0);
    let twin = lead("B", "Ann Ash", "12 Elm Street");
    import(&stage, &twin, 3);
    let rejects = stage.path("leads.rejects.csv");
    let mut reader = csv::Reader::from_path(&rejects).unwrap();
    let headers = reader.headers().unwrap().clone();
    let column = headers.iter().position(|header| header == "same_house");
    let mut row: Vec<String> = reader
        .records()
        .next()
        .unwrap()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    row[column.unwrap()] = "skip".to_owned();
    let mut writer = csv::Writer::from_path(&rejects).unwrap();
    writer.write_record(&headers).unwrap();
    writer.write_record(&row).unwrap();
    drop(writer);
    stage.run(&["import", "leads.rejects.csv"]).expect(0);
    let (document, _) = import(&stage, &twin, 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("duplicate", 1)]));

    let held = stage.sandbox().measurements().remove(0).measurement_id;
    stage.block_on(stage.sandbox().withdraw(&held)).unwrap();
    stage.run(&["export", "all.csv"]).expect(0);
    let (document, _) = import(&stage, &twin, 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("invalid", 1)]));
    let text = std::fs::read_to_string(&rejects).unwrap();
    assert!(text.contains(",skip,"), "{text}");
    std::fs::write(&rejects, text.replace(",skip,", ",send,")).unwrap();
    let run = stage.run(&["import", "leads.rejects.csv", "--json"]);
    let stderr = &run.expect(0).stderr;
    assert!(
        stderr.contains("sent because that measurement was canceled"),
        "{stderr}"
    );
    assert_eq!(requested(&stage).len(), 2);
}

#[test]
fn rows_of_houses_under_other_ids_are_named_where_the_results_are_written_into_the_sheet() {
    let stage = Stage::open();
    import(&stage, &lead("short", "Ann Ash", "12 Elm St"), 0);
    stage.file("leads.csv", lead("shortAAA", "Ann Ash", "12 Elm St"));
    let words = ["export", "back.csv", "--for", "leads.csv", "--offline"];
    let said = stage.run(&words).expect(3).stderr;
    let named = "row 2: the house was requested under another id, so the row gets no numbers";
    assert!(said.contains(named), "{said}");
}

#[test]
fn zeros_that_a_spreadsheet_removed_are_no_prefix() {
    let stage = Stage::open();
    let rows = |ids: [&'static str; 2]| {
        let [one, two] = ids;
        leads(&[
            (one, "101 Maple St", "43206"),
            (two, "202 Cherry Ave", "43207"),
        ])
    };
    import(&stage, &rows(["00997", "00998"]), 0);
    let (document, said) = import(&stage, &rows(["997", "998"]), 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 2)]));
    assert!(!said.contains("--id-prefix"), "{said}");
}

#[test]
fn a_house_whose_accents_were_destroyed_since_is_the_same_house() {
    let stage = Stage::open();
    let headers = "id,name,email,line1,city,region,postal_code";
    let before = "A0,Ann Roy,a@b.ca,\"1430, rue de l'Église\",Lévis,QC,G6V 1A1\n\
        A1,Bob Roy,b@b.ca,\"2533, rue Bélanger\",Lévis,QC,G6V 1A2";
    stage.file("october.csv", format!("{headers}\n{before}\n"));
    houses::import(&stage, &["october.csv"], 0);
    let since = before
        .replace("A0", "B0")
        .replace("A1,B", "B1,B")
        .replace("É", "Ã‰")
        .replace("é", "Ã©");
    stage.file("november.csv", format!("{headers}\n{since}\n"));
    let report = houses::import(&stage, &["november.csv"], 3);
    assert_eq!(report["outcomes"]["same_house"], 2, "{report}");
    assert_eq!(houses::requested(&stage), ["A0", "A1"]);
}
