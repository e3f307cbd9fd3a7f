//! How rejects and their copies are read again.

use crate::remembered::flags::{ids, sheet};
use crate::remembered::sheets::workbook;
use crate::support::Stage;

/// Imports a copy of rejects at one path, which is read with this prefix.
fn import_with_prefix(stage: &Stage, copy: String, prefix: &str) {
    stage.file("fixed.csv", copy);
    let run = stage.run(&["import", "fixed.csv", "--yes"]).expect(0);
    let read_as = format!("reading it as before: --id-prefix {prefix}");
    assert!(run.stderr.contains(&read_as), "{}", run.stderr);
}

#[test]
fn a_copy_of_rejects_where_one_of_others_was_is_read_as_its_own_sheet() {
    let stage = Stage::open();
    for (month, first) in [("january", 1), ("february", 11)] {
        let copy = corrected_month(&stage, month, first);
        import_with_prefix(&stage, copy, &format!("{month}-"));
        // What was sent is known, also when it is imported once more.
        let run = stage.run(&["import", "fixed.csv", "--yes"]).expect(0);
        assert!(run.stdout.contains("1 known"), "{}", run.stdout);
    }
}

#[test]
fn a_sheet_that_is_added_to_a_copy_of_rejects_is_asked_about_with_a_command() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1, 2]).replacen("02134", "", 1));
    let import = ["import", "leads.csv", "--yes", "--id-column", "Key"];
    stage.run(&import).expect(3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    let fixed = rejects.replacen(",MA,,", ",MA,02134,", 1);
    let others = sheet(&[11]);
    let mut sheets = vec![("Fixed", fixed.as_str())];
    workbook(&stage, "fixed.xlsx", &sheets);
    let import = ["import", "fixed.xlsx", "--yes"];
    let own = ["--id-column", "key"];
    stage.run(&[&import[..], &own].concat()).expect(0);
    sheets.push(("Others", others.as_str()));
    workbook(&stage, "fixed.xlsx", &sheets);
    let run = stage.run(&import).expect(10);
    let hint = "hint: gutterbatch import fixed.xlsx --yes --sheet Fixed\n";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

/// Imports a month's sheet under its prefix; returns its rejects, the first row, with the postal code filled in.
fn corrected_month(stage: &Stage, month: &str, first: u32) -> String {
    let text = sheet(&[first, first + 1]).replacen("02134", "", 1);
    let file = format!("{month}.csv");
    stage.file(&file, text.replace("Key", "Id"));
    let prefix = format!("{month}-");
    let import = ["import", &file, "--yes", "--id-prefix", &prefix];
    stage.run(&import).expect(3);
    let rejects = std::fs::read_to_string(stage.path(&format!("{month}.rejects.csv")));
    rejects.unwrap().replacen(",MA,,", ",MA,02134,", 1)
}

#[test]
fn a_row_of_rejects_above_new_customers_is_not_read_as_the_copy_that_was_there() {
    let stage = Stage::open();
    let january = corrected_month(&stage, "january", 1);
    stage.file("fixed.csv", january);
    stage.run(&["import", "fixed.csv", "--yes"]).expect(0);
    let february = corrected_month(&stage, "february", 11);
    let added = sheet(&[21, 22]);
    let added = added.lines().skip(1).map(|line| format!("{line},,\n"));
    stage.file(
        "fixed.csv",
        format!("{february}{}", added.collect::<String>()),
    );
    let reason = "a few of one beside other rows";
    for is_whole in [true, false] {
        if !is_whole {
            let text = std::fs::read_to_string(stage.path("fixed.csv")).unwrap();
            stage.file("fixed.csv", text.replacen(",error,", ",remark,", 1));
        }
        let run = stage.run(&["import", "fixed.csv", "--yes"]).expect(10);
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
}

#[test]
fn rejects_of_two_sheets_are_not_read_with_the_flags_of_a_list_that_was_at_their_path() {
    let stage = Stage::open();
    let list = sheet(&[31]).replace("Key", "Id");
    stage.file("fixed.csv", list);
    stage.run(&["import", "fixed.csv", "--yes"]).expect(0);
    let january = corrected_month(&stage, "january", 1);
    let february = corrected_month(&stage, "february", 11);
    let rows = february.split_once('\n').unwrap().1;
    stage.file("fixed.csv", format!("{january}{rows}"));
    let run = stage.run(&["import", "fixed.csv", "--yes"]).expect(10);
    let reason = "those of several sheets";
    assert!(run.stderr.contains(reason), "{}", run.stderr);
}

#[test]
fn a_copy_keeps_its_flags_while_its_original_is_imported_with_the_same() {
    let stage = Stage::open();
    let text = sheet(&[1, 2, 3]).replacen("02134", "", 2);
    stage.file("leads.csv", text.replace("Key", "Id"));
    stage.run(&["import", "leads.csv", "--yes"]).expect(3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file("fixed.csv", rejects.replacen(",MA,,", ",MA,02134,", 1));
    let import = ["import", "fixed.csv", "--yes"];
    stage
        .run(&[&import[..], &["--derive-id"]].concat())
        .expect(3);
    stage.run(&["import", "leads.csv", "--yes"]).expect(3);
    let run = stage.run(&import).expect(3);
    let read_as = "reading it as before: --derive-id";
    assert!(run.stderr.contains(read_as), "{}", run.stderr);
}

/// Imports a file without flags, which stops, and then with these; from then on they are remembered.
fn needs_flags(stage: &Stage, file: &str, flags: &[&str]) {
    let import = ["import", file, "--yes"];
    let run = stage.run(&import).expect(10);
    let reason = "or some that were read with other flags than their sheet";
    assert!(run.stderr.contains(reason), "{}", run.stderr);
    stage.run(&[&import[..], flags].concat()).expect(0);
    let run = stage.run(&import).expect(0);
    let read_as = run.stderr.split_once("reading it as before: ");
    let is_read = read_as.is_some_and(|(_, read)| read.contains(&flags.join(" ")));
    assert!(is_read, "{}", run.stderr);
}

#[test]
fn rejects_that_a_new_journal_sent_as_a_list_are_not_read_with_the_flags_of_their_sheet() {
    let stage = Stage::open();
    let text = sheet(&[1, 2]).replacen("02134", "", 1);
    stage.file("leads.csv", text.replace("Key", "Id"));
    stage.run(&["import", "leads.csv", "--yes"]).expect(3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file("fixed.csv", rejects.replacen(",MA,,", ",MA,02134,", 1));
    std::fs::remove_file(stage.journal()).unwrap();
    let flags = ["--id-prefix", "acme-"];
    let list = ["import", "fixed.csv", "--yes"];
    stage.run(&[&list[..], &flags].concat()).expect(0);
    stage.run(&["import", "leads.csv", "--yes"]).expect(3);
    needs_flags(&stage, "fixed.csv", &flags);
}

#[test]
fn a_copy_with_flags_of_its_own_asks_for_them_once_its_rejects_have_new_ones() {
    let stage = Stage::open();
    let text = sheet(&[1, 2]).replacen("02134", "", 1);
    stage.file("leads.csv", text.replace("Key", "Id"));
    let import = ["import", "leads.csv", "--yes"];
    stage.run(&import).expect(3);
    let rejects = std::fs::read_to_string(stage.path("leads.rejects.csv")).unwrap();
    stage.file("fixed.csv", rejects.replacen(",MA,,", ",MA,02134,", 1));
    let flags = ["--id-prefix", "acme-"];
    let fixed = ["import", "fixed.csv", "--yes"];
    stage.run(&[&fixed[..], &flags].concat()).expect(0);
    // The row is another house, and rejected once more.
    let edited = text.replace("Key", "Id").replacen("1 Elm", "3 Elm", 1);
    stage.file("leads.csv", edited);
    stage
        .run(&[&import[..], &["--derive-id"]].concat())
        .expect(3);
    needs_flags(&stage, "fixed.csv", &flags);
}

#[test]
fn a_copy_is_read_with_the_flags_of_its_rejects_where_a_copy_of_others_was_imported_since() {
    let stage = Stage::open();
    let months = [("january", 1), ("february", 11)];
    let copies = months.map(|(month, first)| (month, corrected_month(&stage, month, first)));
    for (month, copy) in copies {
        import_with_prefix(&stage, copy, &format!("{month}-"));
    }
}

#[test]
fn a_copy_is_read_with_the_flags_of_those_rejects_of_its_list_whose_rows_it_has() {
    let stage = Stage::open();
    // The list is replaced each month, and its edited rejects are kept.
    for (prefix, first) in [("oct-", 1), ("nov-", 11)] {
        let text = sheet(&[first, first + 1]).replacen("02134", "", 1);
        stage.file("leads.csv", text.replace("Key", "Id"));
        let import = ["import", "leads.csv", "--yes", "--id-prefix", prefix];
        let run = stage.run(&import).expect(3);
        let rejects = run.stderr.split("rejected rows are in ").nth(1).unwrap();
        let rejects = stage.path(rejects.lines().next().unwrap());
        let text = std::fs::read_to_string(&rejects).unwrap();
        let corrected = text.replacen(",MA,,", ",MA,02134,", 1);
        std::fs::write(rejects, &corrected).unwrap();
        import_with_prefix(&stage, corrected, prefix);
    }
}

#[test]
fn a_list_where_a_copy_of_rejects_was_has_none_of_their_flags() {
    let stage = Stage::open();
    let january = corrected_month(&stage, "january", 1);
    stage.file("leads.csv", january);
    let import = ["import", "leads.csv", "--yes"];
    stage.run(&import).expect(0);
    stage.file("leads.csv", sheet(&[31]).replace("Key", "Id"));
    let run = stage.run(&import).expect(0);
    assert!(
        !run.stderr.contains("reading it as before"),
        "{}",
        run.stderr
    );
    let ids = ids(&stage);
    assert!(ids.contains(&"31".to_owned()), "{ids:?}");
}
