//! Rows of the same house as others about which a person decided: `send` and `skip`.

use std::collections::BTreeMap;

use serde_json::json;

use crate::same_house::houses::{HEADER, cells, decide, import, october, requested, sheet};
use crate::same_house::unanswered::refuse_once;
use crate::support::imports::outcomes;
use crate::support::{Contractor, Stage};

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
fn a_skipped_row_does_not_have_the_numbers_of_a_later_house_of_its_id() {
    let stage = october();
    stage.file("november.csv", sheet(&[("123", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "skip");
    import(&stage, &["november.rejects.csv"], 0);
    stage.file("december.csv", sheet(&[("123", "44 Oak St")]));
    import(&stage, &["december.csv"], 0);
    let document = import(&stage, &["november.csv"], 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("conflict", 1)]));
}

#[test]
fn a_decision_whose_cell_is_cleared_before_the_row_is_sent_is_taken_back() {
    let stage = october();
    let houses = [
        ("123", "12 Elm St"),
        ("124", "14 Elm St"),
        ("125", "16 Roosevelt Ave"),
    ];
    stage.file("november.csv", sheet(&houses));
    import(&stage, &["november.csv"], 3);
    let count = requested(&stage).len();
    decide(&stage, "november.rejects.csv", "send");
    import(&stage, &["november.rejects.csv", "--limit", "1"], 4);
    assert_eq!(requested(&stage).len(), count + 1);
    decide(&stage, "november.rejects.csv", "");
    for file in ["november.rejects.csv", "november.csv"] {
        let document = import(&stage, &[file], 3);
        assert_eq!(outcomes(&document)["same_house"], 2, "{file}");
        assert_eq!(requested(&stage).len(), count + 1);
    }
}

#[test]
fn a_row_decided_skip_stays_one_where_a_spreadsheet_removed_zeros_and_plus_signs() {
    let stage = Stage::open();
    let header = HEADER.replace('\n', ",phone\n");
    let row = |id: &str| {
        format!("{header}{id},Ada,a@example.com,12 Elm St,,Boston,MA,02134,+16175550100\n")
    };
    stage.file("october.csv", row("A"));
    import(&stage, &["october.csv"], 0);
    stage.file("november.csv", row("B"));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "skip");
    let rejects = std::fs::read_to_string(stage.path("november.rejects.csv")).unwrap();
    let damaged = rejects
        .replace("02134", "2134")
        .replace("+16175550100", "16175550100");
    stage.file("november.rejects.csv", damaged);
    for file in ["november.rejects.csv", "november.csv"] {
        let document = import(&stage, &[file], 0);
        assert_eq!(outcomes(&document), BTreeMap::from([("duplicate", 1)]));
    }
}

#[test]
fn skip_for_an_invalid_row_says_how_to_leave_it_out() {
    let stage = Stage::open();
    let rows = "A,Ada,,12 Elm St,,Boston,MA,02134,why,2,skip\n";
    let header = HEADER.replace('\n', ",error,source_row,same_house\n");
    let file = stage.file("leads.csv", header + rows);
    let check = stage.run(&["check", file.to_str().unwrap()]).expect(3);
    let told = "`skip` is only for a row of the same house as another";
    assert!(check.stdout.contains(told), "{}", check.stdout);
}

#[test]
fn a_row_skipped_for_another_of_its_file_is_pending_once_if_the_service_refuses_that_one() {
    let stage = Stage::open();
    refuse_once(&stage);
    let rows = "A,Ada,a@example.com,12 Elm Street,,Rochester,NY,14604,\nC,Ada,a@example.com,12 Elm St,,Rochester,NY,14604,skip\n";
    let headers = HEADER.trim_end();
    stage.file("leads.csv", format!("{headers},same_house\n{rows}"));
    for (code, outcome) in [(4, "pending"), (3, "invalid"), (3, "invalid")] {
        let document = import(&stage, &["leads.csv"], code);
        let expected = BTreeMap::from([(outcome, 1), ("refused", 1)]);
        assert_eq!(outcomes(&document), expected);
    }
    assert_eq!(requested(&stage), [""; 0]);
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
        texts.contains(&"`perhaps` is neither send nor skip: type one of them, or clear the cell to read again which house it is"),
        "{texts:?}"
    );
    assert_eq!(check["unused_columns"], json!([]));
}

#[test]
fn of_rows_to_skip_above_the_one_to_send_none_is_pending() {
    let stage = Stage::open();
    let house = [("A", "12 Elm St"), ("B", "12 Elm Street"), ("C", "12 Elm")];
    stage.file("leads.csv", sheet(&house));
    let held = import(&stage, &["leads.csv", "--no-wait", "--rate", "1/1h"], 4);
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
    import(&stage, &["decided.csv", "--no-wait", "--rate", "1/1h"], 4);
    stage.sandbox().set_faults(None);
    let document = import(&stage, &["leads.csv"], 0);
    let expected = BTreeMap::from([("created", 1), ("duplicate", 2)]);
    assert_eq!(outcomes(&document), expected);
    assert_eq!(requested(&stage), ["C"]);
}

#[test]
fn a_row_that_was_corrected_and_then_skipped_is_skipped_in_the_original() {
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
    assert_eq!(outcomes(&document), BTreeMap::from([("duplicate", 1)]));
    assert_eq!(requested(&stage), ["00123", "00124", "00125"]);
}

#[test]
fn of_two_columns_of_decisions_the_one_that_does_not_send_counts() {
    let stage = october();
    let [elm, oak] = [("123", "12 Elm St"), ("124", "14 Elm St")];
    stage.file("two.csv", sheet(&[elm, oak]));
    import(&stage, &["two.csv"], 3);
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
fn skip_for_a_house_that_was_canceled_meanwhile_says_so() {
    let stage = october();
    stage.file("november.csv", sheet(&[("123", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    for held in stage.sandbox().measurements() {
        let id = held.measurement_id;
        stage.block_on(stage.sandbox().withdraw(&id)).unwrap();
    }
    stage.run(&["export", "out.csv", "-q"]).expect(0);
    decide(&stage, "november.rejects.csv", "skip");
    let page = stage.run(&["check", "november.rejects.csv"]).expect(3);
    let said = "`skip`, but the request of its house was canceled: `00123` (row 2 of october.csv, canceled); type `send` in";
    assert!(page.stdout.contains(said), "{}", page.stdout);
}

/// A row with `skip` whose house nothing requests needs a person, and is sent by no import that follows the hints.
#[test]
fn skip_for_a_house_that_nothing_requests_is_invalid_and_stays_in_the_rejects() {
    let stage = october();
    let rows = sheet(&[("200", "90 Pine St"), ("201", "")]);
    let decided = rows.replace("14604\n", "14604,skip\n");
    stage.file(
        "november.csv",
        decided.replace("code\n", "code,same_house\n"),
    );
    let check = stage.run(&["check", "november.csv"]).expect(3);
    let said = "`skip`, but its house is not requested under any other id; type `send` in the column same_house";
    assert!(check.stdout.contains(said), "{}", check.stdout);
    assert!(
        check.stdout.starts_with("2 rows: 0 valid, 2 invalid"),
        "{}",
        check.stdout
    );
    let mut file = "november.csv".to_owned();
    for rejects in ["november.rejects.csv", "november.rejects-2.csv"] {
        let document = import(&stage, &[&file], 3);
        assert_eq!(outcomes(&document), BTreeMap::from([("invalid", 2)]));
        let text = std::fs::read_to_string(stage.path(rejects)).unwrap();
        let row = text
            .lines()
            .find(|line| line.contains("90 Pine St"))
            .unwrap();
        assert!(row.contains(",skip,") && row.contains(said), "{text}");
        assert_eq!(text.matches("same_house").count(), 3, "{text}");
        // The person corrects only the other row.
        stage.file(rejects, text.replace(",\"\",,", ",\"\",x,"));
        file = rejects.to_owned();
    }
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(status.contains("2 invalid in november.csv"), "{status}");
    // The original has no such word any more, and is not sent either.
    stage.file("november.csv", rows);
    let document = import(&stage, &["november.csv"], 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("invalid", 2)]));
    assert_eq!(requested(&stage), ["00123", "00124", "00125"]);
    let file = document["rejects"].as_str().unwrap();
    decide(&stage, file, "send");
    let document = import(&stage, &[file], 3);
    let expected = BTreeMap::from([("created", 1), ("invalid", 1)]);
    assert_eq!(outcomes(&document), expected);
}

#[test]
fn a_row_that_is_invalid_for_another_reason_keeps_its_skip_in_the_rejects() {
    let stage = october();
    let rows = sheet(&[("123", "12 Elm St"), ("200", "90 Pine St")]);
    stage.file("november.csv", rows.replace("c200@example.com", ""));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "skip");
    let document = import(&stage, &["november.rejects.csv"], 3);
    let expected = BTreeMap::from([("duplicate", 1), ("invalid", 1)]);
    assert_eq!(outcomes(&document), expected);
    let again = "november.rejects-2.csv";
    let text = std::fs::read_to_string(stage.path(again)).unwrap();
    stage.file(
        again,
        text.replace("Customer 200,,", "Customer 200,c@example.com,"),
    );
    let document = import(&stage, &[again], 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("invalid", 1)]));
    assert_eq!(requested(&stage), ["00123", "00124", "00125"]);
}

#[test]
fn a_column_of_decisions_of_the_input_stays_where_it_is_in_its_rejects() {
    let stage = october();
    // Columns are named by letter, which rejects of rejects remember too.
    let sheet = "id,same_house,name,email,Street,Street,city,region,postal_code
200,,Ada,,90 Pine St,900 Site Rd,Rochester,NY,14604
123,,Customer 123,c@example.com,12 Elm St,902 Site Rd,Rochester,NY,14604
";
    stage.file("november.csv", sheet);
    let parts = ["line1=E", "city=G", "region=H", "postal_code=I"];
    let maps: Vec<&str> = parts.iter().flat_map(|part| ["--map", part]).collect();
    import(&stage, &[&["november.csv"], &maps[..]].concat(), 3);
    let mut file = "november.rejects.csv".to_owned();
    for (from, to, code) in [
        ("12 Elm St", "12 Elm St.", 3),
        ("Ada,,", "Ada,a@example.com,", 3),
    ] {
        let text = std::fs::read_to_string(stage.path(&file)).unwrap();
        let header = "id,same_house,name,email,Street,Street,city,region,postal_code,same_house,error,source_row";
        assert_eq!(text.lines().next(), Some(header), "{file}");
        stage.file(&file, text.replace(from, to));
        let document = import(&stage, &[&file], code);
        let rejects = document["rejects"].as_str().unwrap();
        file = rejects.to_owned();
    }
    let streets = stage.sandbox().measurements().into_iter();
    let streets: Vec<String> = streets.map(|held| held.line1).collect();
    assert!(
        streets.iter().any(|street| street.contains("90 Pine St")),
        "{streets:?}"
    );
    assert!(
        !streets.iter().any(|street| street.contains("Site Rd")),
        "{streets:?}"
    );
}
