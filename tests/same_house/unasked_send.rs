//! `send` where the rejects did not ask about the house: people fill the column down, and import rejects again.

use std::collections::BTreeMap;

use crate::same_house::houses::{HEADER, cells, decide, import, october, requested, sheet};
use crate::support::Stage;
use crate::support::imports::outcomes;

#[test]
fn send_beside_a_row_that_was_rejected_for_another_reason_requests_no_house_twice() {
    let stage = october();
    let rows = "\
        1,Ann Lee,ann@example.com,12 Elm St,,Rochester,NY,14604\n\
        2,Bob Ray,bob@example.com,14 Elm Street,,,NY,14604\n\
        3,Cy Dow,cy@example.com,20 Pine Road,,,NY,14604\n";
    stage.file("november.csv", HEADER.to_owned() + rows);
    let document = import(&stage, &["november.csv"], 3);
    assert_eq!(
        outcomes(&document),
        BTreeMap::from([("invalid", 2), ("same_house", 1)])
    );
    decide(&stage, "november.rejects.csv", "send");
    let text = std::fs::read_to_string(stage.path("november.rejects.csv")).unwrap();
    stage.file(
        "november.rejects.csv",
        text.replace(",,,NY", ",,Rochester,NY"),
    );
    let document = import(&stage, &["november.rejects.csv"], 3);
    assert_eq!(
        outcomes(&document),
        BTreeMap::from([("created", 2), ("same_house", 1)])
    );
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "1", "3"]);
    let rejects = document["rejects"].as_str().unwrap();
    let row = &cells(&stage, rejects)[1];
    assert!(!row.contains(&"send".to_owned()), "{row:?}");
    let told = "was typed before this was asked here, and is no answer to it";
    assert!(row.iter().any(|cell| cell.contains(told)), "{row:?}");
    // It is asked about now.
    decide(&stage, rejects, "send");
    let document = import(&stage, &[rejects], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}

#[test]
fn rejects_that_were_sent_and_are_imported_with_another_prefix_request_no_house_once_more() {
    let stage = october();
    stage.file("november.csv", sheet(&[("1", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "send");
    import(&stage, &["november.rejects.csv"], 0);
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "1"]);
    std::fs::copy(stage.path("november.rejects.csv"), stage.path("fixed.csv")).unwrap();
    // What the first of them asks is not answered by the others.
    for name in ["november.rejects.csv", "november.rejects.csv", "fixed.csv"] {
        let document = import(&stage, &[name, "--id-prefix", "x-"], 3);
        assert_eq!(outcomes(&document), BTreeMap::from([("same_house", 1)]));
    }
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "1"]);
}

#[test]
fn rejects_with_such_a_send_that_are_imported_once_more_request_no_house_twice() {
    let stage = october();
    stage.file("november.csv", sheet(&[("1", "12 Elm St"), ("2", "")]));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "send");
    let text = std::fs::read_to_string(stage.path("november.rejects.csv")).unwrap();
    stage.file(
        "november.rejects.csv",
        text.replace(",,,Rochester", ",14 Elm St,,Rochester"),
    );
    // Row 1 was asked about, and row 2 was not.
    for (created, code) in [(1, 3), (0, 3), (0, 3)] {
        let document = import(&stage, &["november.rejects.csv"], code);
        assert_eq!(document["outcomes"]["created"], created);
        assert_eq!(document["outcomes"]["same_house"], 1);
    }
    // In the rejects that ask, it is an answer.
    decide(&stage, "november.rejects-2.csv", "send");
    let document = import(&stage, &["november.rejects-2.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}

#[test]
fn an_answer_counts_although_the_sheet_was_imported_or_replaced_since_the_question() {
    for replaced in [false, true] {
        let stage = october();
        stage.file("november.csv", sheet(&[("1", "12 Elm St")]));
        import(&stage, &["november.csv"], 3);
        decide(&stage, "november.rejects.csv", "send");
        if replaced {
            stage.file("november.csv", sheet(&[("7", "90 Pine Rd")]));
            import(&stage, &["november.csv"], 0);
        } else {
            import(&stage, &["november.csv"], 3);
        }
        let document = import(&stage, &["november.rejects.csv"], 0);
        assert_eq!(
            outcomes(&document),
            BTreeMap::from([("created", 1)]),
            "{replaced}"
        );
    }
}

/// Rejects of `november.csv` whose row 1 was asked about and whose row 2 was not, with `send` beside both; both imported.
fn imported_with_unasked_send() -> Stage {
    let stage = october();
    stage.file("november.csv", sheet(&[("1", "12 Elm St"), ("2", "")]));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "send");
    let text = std::fs::read_to_string(stage.path("november.rejects.csv")).unwrap();
    let filled = text.replace(",,,Rochester", ",14 Elm St,,Rochester");
    stage.file("november.rejects.csv", filled);
    import(&stage, &["november.rejects.csv"], 3);
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "1"]);
    stage
}

#[test]
fn such_a_send_is_no_answer_in_a_copy_and_the_rejects_of_the_copy_ask() {
    let stage = imported_with_unasked_send();
    std::fs::copy(stage.path("november.rejects.csv"), stage.path("fixed.csv")).unwrap();
    let document = import(&stage, &["fixed.csv"], 3);
    assert_eq!(
        outcomes(&document),
        BTreeMap::from([("known", 1), ("same_house", 1)])
    );
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "1"]);
    let rejects = document["rejects"].as_str().unwrap();
    decide(&stage, rejects, "send");
    let document = import(&stage, &[rejects], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}

#[test]
fn such_a_send_is_no_answer_in_the_list_of_the_next_month() {
    let stage = october();
    let list = |rows: &[(&str, &str)]| {
        let text = sheet(rows).replace("14604", "14604,send");
        text.replace("postal_code", "postal_code,same_house")
    };
    stage.file("november.csv", list(&[("1", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    stage.file(
        "december.csv",
        list(&[("1", "12 Elm St"), ("9", "90 Oak Rd")]),
    );
    for (created, code) in [(1, 3), (0, 3)] {
        let document = import(&stage, &["december.csv"], code);
        assert_eq!(document["outcomes"]["created"], created);
        assert_eq!(document["outcomes"]["same_house"], 1);
    }
    decide(&stage, "december.rejects.csv", "send");
    import(&stage, &["december.rejects.csv"], 0);
    let document = import(&stage, &["december.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("known", 2)]));
}

#[test]
fn skip_stays_although_such_a_send_is_imported_again() {
    let stage = imported_with_unasked_send();
    decide(&stage, "november.rejects-2.csv", "skip");
    import(&stage, &["november.rejects-2.csv"], 0);
    let document = import(&stage, &["november.rejects.csv"], 0);
    assert_eq!(
        outcomes(&document),
        BTreeMap::from([("duplicate", 1), ("known", 1)])
    );
    let warned = document["problems"].to_string();
    assert!(warned.contains("so the earlier `skip` stays"), "{warned}");
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "1"]);
    // Where it was asked, the answer may change.
    decide(&stage, "november.rejects-2.csv", "send");
    let document = import(&stage, &["november.rejects-2.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}

#[test]
fn send_is_an_answer_in_a_copy_of_the_rejects_that_asked() {
    let stage = imported_with_unasked_send();
    decide(&stage, "november.rejects-2.csv", "send");
    std::fs::copy(stage.path("november.rejects-2.csv"), stage.path("mail.csv")).unwrap();
    let document = import(&stage, &["mail.csv"], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}

#[test]
fn send_is_an_answer_where_an_import_saw_the_cell_empty_since() {
    let stage = imported_with_unasked_send();
    for (word, code) in [("", 3), ("send", 0)] {
        decide(&stage, "november.rejects.csv", word);
        import(&stage, &["november.rejects.csv"], code);
    }
    assert_eq!(requested(&stage), ["00123", "00124", "00125", "1", "2"]);
}

#[test]
fn skip_in_a_sheet_is_taken_back_in_that_sheet() {
    let stage = october();
    let list = |word: &str| {
        let text = sheet(&[("1", "12 Elm St")]).replace("14604", &format!("14604,{word}"));
        text.replace("postal_code", "postal_code,same_house")
    };
    for (word, outcome) in [("skip", "duplicate"), ("send", "created")] {
        stage.file("november.csv", list(word));
        let document = import(&stage, &["november.csv"], 0);
        assert_eq!(outcomes(&document), BTreeMap::from([(outcome, 1)]));
    }
}

#[test]
fn send_in_a_column_that_the_sheet_had_before_is_no_answer_to_its_rejects() {
    let stage = october();
    let rows = sheet(&[("1", "12 Elm St"), ("2", "")]).replace("14604", "14604,send");
    let list = rows.replace("postal_code", "postal_code,same_house");
    stage.file("november.csv", list);
    let held = BTreeMap::from([("invalid", 1), ("same_house", 1)]);
    let mut file = "november.csv".to_owned();
    for _ in 0..3 {
        let document = import(&stage, &[&file], 3);
        assert_eq!(outcomes(&document), held);
        document["rejects"].as_str().unwrap().clone_into(&mut file);
    }
    assert_eq!(requested(&stage), ["00123", "00124", "00125"]);
    // The one in front of the error is.
    decide(&stage, &file, "send");
    let document = import(&stage, &[&file], 3);
    assert_eq!(document["outcomes"]["created"], 1);
}

#[test]
fn a_mistyped_answer_is_corrected_in_the_rejects_of_the_rejects_that_asked() {
    let stage = october();
    stage.file("november.csv", sheet(&[("1", "12 Elm St")]));
    import(&stage, &["november.csv"], 3);
    decide(&stage, "november.rejects.csv", "yes");
    let document = import(&stage, &["november.rejects.csv"], 3);
    assert_eq!(outcomes(&document), BTreeMap::from([("invalid", 1)]));
    let rejects = document["rejects"].as_str().unwrap();
    decide(&stage, rejects, "send");
    let document = import(&stage, &[rejects], 0);
    assert_eq!(outcomes(&document), BTreeMap::from([("created", 1)]));
}
