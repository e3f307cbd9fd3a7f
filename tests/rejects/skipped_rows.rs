//! Rows that were corrected in rejects to houses which were requested before, and skipped.

use crate::rejects::corrected::{GOOD, edit, import, outcomes, read, sheet};
use crate::support::Stage;

#[test]
fn a_street_to_be_filled_in_that_turned_out_as_a_known_house_is_skipped_in_the_sheet() {
    let stage = Stage::open();
    let to_be_filled_in = "2,Bo,TBD,Boston,MA,02134,bo@example.com";
    let rows = [GOOD, to_be_filled_in];
    stage.file("leads.csv", sheet(&rows));
    import(&stage, "leads.csv", 3);
    let street = GOOD.split(',').nth(2).unwrap();
    edit(&stage, "leads.rejects.csv", "TBD", street);
    import(&stage, "leads.rejects.csv", 3);
    let asked = read(&stage, "leads.rejects-2.csv");
    let answered = asked.replacen(",\"same house", "skip,\"same house", 1);
    assert_ne!(asked, answered);
    stage.file("leads.rejects-2.csv", answered);
    import(&stage, "leads.rejects-2.csv", 0);
    let run = import(&stage, "leads.csv", 0);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"duplicate": 1, "known": 1})
    );
    // Another row like it is not.
    let other = to_be_filled_in.replacen('2', "3", 1);
    stage.file("leads.csv", sheet(&[GOOD, to_be_filled_in, &other]));
    let run = import(&stage, "leads.csv", 3);
    let expected = serde_json::json!({"duplicate": 1, "invalid": 1, "known": 1});
    assert_eq!(outcomes(&run), expected);
}

/// Types an answer about the only row that is asked about in rejects, and imports these with more flags.
fn answer(stage: &Stage, rejects: &str, answer: &str, flags: &[&str]) {
    let asked = read(stage, rejects);
    let answered = asked.replacen(",\"same house", &format!("{answer},\"same house"), 1);
    assert_ne!(asked, answered);
    stage.file(rejects, answered);
    let import = ["import", rejects, "--yes", "--json"];
    stage.run(&[&import[..], flags].concat()).expect(0);
}

#[test]
fn a_street_to_be_filled_in_that_turned_out_as_a_house_of_another_sheet_is_skipped_in_its_sheet() {
    let stage = Stage::open();
    let street = GOOD.split(',').nth(2).unwrap();
    stage.file("january.csv", sheet(&[GOOD]));
    import(&stage, "january.csv", 0);
    let open = "2,Bo,TBD,Boston,MA,02134,bo@example.com";
    let other = "3,Cy,16 Elm Street,Boston,MA,02134,cy@example.com";
    stage.file("february.csv", sheet(&[open, other]));
    import(&stage, "february.csv", 3);
    edit(&stage, "february.rejects.csv", "TBD", street);
    import(&stage, "february.rejects.csv", 3);
    answer(&stage, "february.rejects-2.csv", "skip", &[]);
    // A phone number that is added to another row makes no difference.
    let edited = other.replace("cy@", "cyrus@");
    for rows in [[open, other], [open, &edited]] {
        stage.file("february.csv", sheet(&rows));
        let run = import(&stage, "february.csv", 0);
        assert_eq!(
            outcomes(&run),
            serde_json::json!({"duplicate": 1, "known": 1})
        );
    }
    assert_eq!(stage.sandbox().measurements().len(), 2);
}

#[test]
fn a_corrected_and_skipped_row_without_an_id_stays_skipped_and_may_be_sent_after_all() {
    let stage = Stage::open();
    let street = GOOD.split(',').nth(2).unwrap();
    let open = "2,Bo,TBD,Boston,MA,02134,bo@example.com";
    let rows = sheet(&[GOOD, open]).replacen("ID,", "", 1);
    let rows = rows.replace("\n1,", "\n").replace("\n2,", "\n");
    stage.file("leads.csv", rows);
    let derived = ["--derive-id", "--json", "--yes"];
    let import = |file: &str, code| {
        stage
            .run(&[&["import", file], &derived[..]].concat())
            .expect(code)
    };
    import("leads.csv", 3);
    edit(&stage, "leads.rejects.csv", "TBD", street);
    import("leads.rejects.csv", 3);
    answer(&stage, "leads.rejects-2.csv", "skip", &derived[..1]);
    let run = import("leads.csv", 0);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"duplicate": 1, "known": 1})
    );
    let rejects = read(&stage, "leads.rejects-2.csv");
    stage.file("leads.rejects-2.csv", rejects.replacen("skip,", "send,", 1));
    import("leads.rejects-2.csv", 0);
    assert_eq!(stage.sandbox().measurements().len(), 2);
    let run = import("leads.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"known": 2}));
}

#[test]
fn a_row_that_was_skipped_for_a_house_of_its_sheet_leaves_the_corrected_row_of_that_house_known() {
    let stage = Stage::open();
    let incomplete = GOOD.replace("02134", "");
    stage.file("january.csv", sheet(&[&incomplete]));
    import(&stage, "january.csv", 3);
    edit(&stage, "january.rejects.csv", "MA,,", "MA,02134,");
    import(&stage, "january.rejects.csv", 0);
    let street = GOOD.split(',').nth(2).unwrap();
    let open = "2,Bo,TBD,Boston,MA,02134,bo@example.com";
    stage.file("february.csv", sheet(&[&incomplete, open]));
    import(&stage, "february.csv", 3);
    edit(&stage, "february.rejects.csv", "TBD", street);
    import(&stage, "february.rejects.csv", 3);
    answer(&stage, "february.rejects-2.csv", "skip", &[]);
    let run = import(&stage, "february.csv", 0);
    assert_eq!(
        outcomes(&run),
        serde_json::json!({"duplicate": 1, "known": 1})
    );
}

#[test]
fn the_next_list_at_the_path_of_one_with_a_skipped_row_is_asked_about_a_row_like_it() {
    let stage = Stage::open();
    let street = GOOD.split(',').nth(2).unwrap();
    let open = "2,Oak Mgmt,TBD,Boston,MA,02134,office@example.com";
    let other = "3,Cy,16 Elm Street,Boston,MA,02134,cy@example.com";
    let without_ids = |rows: &[&str]| {
        let lines = sheet(rows);
        let lines = lines.lines().map(|line| line.split_once(',').unwrap().1);
        lines.collect::<Vec<_>>().join("\n") + "\n"
    };
    let derived = ["--derive-id", "--json", "--yes"];
    let import = |file: &str, code| {
        let run = stage.run(&[&["import", file], &derived[..]].concat());
        run.expect(code)
    };
    stage.file("known.csv", without_ids(&[GOOD]));
    import("known.csv", 0);
    stage.file("today.csv", without_ids(&[open]));
    import("today.csv", 3);
    edit(&stage, "today.rejects.csv", "TBD", street);
    import("today.rejects.csv", 3);
    answer(&stage, "today.rejects-2.csv", "skip", &derived[..1]);
    stage.file("today.csv", without_ids(&[other, open]));
    for expected in ["created", "known"] {
        let run = import("today.csv", 3);
        let expected = serde_json::json!({"invalid": 1, expected: 1});
        assert_eq!(outcomes(&run), expected);
    }
}

#[test]
fn a_row_that_was_corrected_and_skipped_has_no_numbers_of_another_row_or_unit() {
    let stage = Stage::open();
    let street = GOOD.split(',').nth(2).unwrap();
    let open = "2,Bo,TBD,Boston,MA,02134,bo@example.com";
    stage.file("january.csv", sheet(&[GOOD]));
    import(&stage, "january.csv", 0);
    for (file, rows, street, has_result) in [
        ("february.csv", vec![open], street.to_owned(), true),
        ("march.csv", vec![GOOD, open], street.to_owned(), false),
        ("april.csv", vec![open], format!("{street} Apt 4"), false),
    ] {
        let rejects = file.replace(".csv", ".rejects.csv");
        let asked = file.replace(".csv", ".rejects-2.csv");
        let id = &file[..1];
        let rows: Vec<String> = rows
            .iter()
            .map(|row| row.replacen("2,", &format!("2{id},"), 1))
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        stage.file(file, sheet(&rows));
        import(&stage, file, 3);
        edit(&stage, &rejects, "TBD", &street);
        import(&stage, &rejects, 3);
        answer(&stage, &asked, "skip", &[]);
        stage.run(&["export", "out.csv", "--for", file, "--offline", "--force"]);
        let written = read(&stage, "out.csv");
        let row = written.lines().find(|line| line.contains("TBD")).unwrap();
        let expected = if has_result {
            "pending"
        } else {
            "skipped: it is the same house as"
        };
        assert!(row.contains(expected), "{file}: {written}");
    }
}

#[test]
fn a_row_that_is_skipped_after_an_unknown_answer_needs_nobody() {
    let stage = Stage::open();
    stage.file("january.csv", sheet(&[GOOD]));
    import(&stage, "january.csv", 0);
    stage.file("february.csv", sheet(&[&GOOD.replacen("1,", "2,", 1)]));
    import(&stage, "february.csv", 3);
    let rejects = "february.rejects.csv";
    let asked = read(&stage, rejects);
    stage.file(
        rejects,
        asked.replacen(",\"same house", "no,\"same house", 1),
    );
    import(&stage, rejects, 3);
    edit(&stage, rejects, "no,", "skip,");
    import(&stage, rejects, 0);
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(status.contains("needs you     nothing"), "{status}");
}

#[test]
fn a_row_without_an_id_that_was_completed_and_skipped_stays_so_in_a_sheet_without_other_requests() {
    let stage = Stage::open();
    stage.file("january.csv", sheet(&[GOOD]));
    import(&stage, "january.csv", 0);
    let incomplete = GOOD.replacen("02134", "", 1);
    let rows = sheet(&[&incomplete]).replacen("ID,", "", 1);
    stage.file("february.csv", rows.replace("\n1,", "\n"));
    let derived = ["--derive-id", "--json", "--yes"];
    let import = |file: &str, code| {
        let run = stage.run(&[&["import", file], &derived[..]].concat());
        run.expect(code)
    };
    import("february.csv", 3);
    edit(&stage, "february.rejects.csv", "MA,,", "MA,02134,");
    import("february.rejects.csv", 3);
    answer(&stage, "february.rejects-2.csv", "skip", &derived[..1]);
    let run = import("february.csv", 0);
    assert_eq!(outcomes(&run), serde_json::json!({"duplicate": 1}));
}

#[test]
fn a_row_with_the_cells_of_one_that_was_corrected_and_skipped_stays_invalid() {
    let stage = Stage::open();
    let open = "2,Bo,TBD,Boston,MA,02134,bo@example.com";
    let rows = sheet(&[GOOD, open, open]).replacen("ID,", "", 1);
    stage.file(
        "leads.csv",
        rows.replace("\n1,", "\n").replace("\n2,", "\n"),
    );
    let derived = ["--derive-id", "--json", "--yes"];
    let import = |file: &str, code| {
        let run = stage.run(&[&["import", file], &derived[..]].concat());
        run.expect(code)
    };
    import("leads.csv", 3);
    let rejects = read(&stage, "leads.rejects.csv");
    let street = GOOD.split(',').nth(2).unwrap();
    stage.file("leads.rejects.csv", rejects.replacen("TBD", street, 1));
    import("leads.rejects.csv", 3);
    let asked = read(&stage, "leads.rejects-2.csv");
    let answered = asked.replacen(",\"same house", "skip,\"same house", 1);
    assert_ne!(asked, answered);
    stage.file("leads.rejects-2.csv", answered);
    let run = import("leads.rejects-2.csv", 3);
    let expected = serde_json::json!({"duplicate": 1, "invalid": 1});
    assert_eq!(outcomes(&run), expected);
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(status.contains("needs you     1 invalid"), "{status}");
}
