//! Which sheet of a workbook is read again, and what is said of sheets that are new in it.

use crate::remembered::sheet;
use crate::support::Stage;

/// A workbook with a sheet of one row for each name.
fn months(stage: &Stage, names: &[&str]) {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    for name in names {
        let worksheet = workbook.add_worksheet().set_name(*name).unwrap();
        let months = ["August", "September", "October", "November"];
        let number = (1..).zip(months).find(|(_, month)| month == name);
        let number = number.unwrap().0;
        let text = sheet(&[number]);
        for (row, line) in (0..).zip(text.lines()) {
            worksheet.write_row(row, 0, line.split(',')).unwrap();
        }
    }
    workbook.save(stage.path("leads.xlsx")).unwrap();
}

#[test]
fn a_sheet_that_is_new_since_the_last_import_is_told_once_and_not_passed_over_in_silence() {
    let stage = Stage::open();
    let import = ["import", "leads.xlsx", "--yes", "-q"];
    months(&stage, &["September", "October"]);
    stage
        .run(&[&import[..], &["--sheet", "October", "--id-column", "Key"]].concat())
        .expect(0);
    // September was there before.
    assert_eq!(stage.run(&import).expect(0).stderr, "");
    months(&stage, &["September", "October", "November"]);
    let run = stage.run(&import).expect(3);
    let told = "warning: the sheet `November` is new since the last import of this file and is not read: gutterbatch import ";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    assert_eq!(
        run.stderr.matches("is new since").count(),
        1,
        "{}",
        run.stderr
    );
    assert_eq!(stage.run(&import).expect(0).stderr, "");
    stage
        .run(&[&import[..], &["--sheet", "November", "--id-column", "Key"]].concat())
        .expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 2);
}

#[test]
fn a_new_sheet_is_no_flag_of_any_command_and_is_read_without_a_warning() {
    let stage = Stage::open();
    months(&stage, &["September", "October"]);
    let import = ["import", "leads.xlsx", "--yes"];
    let october = ["--sheet", "October", "--id-column", "Key"];
    stage.run(&[&import[..], &october].concat()).expect(0);
    months(&stage, &["September", "October", "November"]);
    let checked = stage.run(&["check", "leads.xlsx"]).expect(0);
    let told = [checked.stdout, checked.stderr].concat();
    assert!(told.contains("the sheet `November` is new"), "{told}");
    assert!(!told.contains("--new-sheets"), "{told}");
    stage.run(&import).expect(3);
    let november = ["--sheet", "November"];
    let run = stage.run(&[&import[..], &november].concat()).expect(0);
    assert!(!run.stderr.contains("is new since"), "{}", run.stderr);
}

#[test]
fn a_sheet_that_was_chosen_by_its_number_is_remembered_by_its_name() {
    let stage = Stage::open();
    months(&stage, &["September", "October"]);
    let import = ["import", "leads.xlsx", "--yes", "--json"];
    let second = ["--sheet", "2", "--id-column", "Key"];
    stage.run(&[&import[..], &second].concat()).expect(0);
    // The second sheet is another one now, and none of its rows was ever imported.
    months(&stage, &["August", "September", "October"]);
    let run = stage.run(&import).expect(3);
    assert!(
        run.stderr
            .contains("before: --id-column Key --sheet October"),
        "{}",
        run.stderr
    );
    assert_eq!(run.json()["outcomes"]["created"], 0);
}

#[test]
fn no_sheet_is_chosen_for_the_user_where_several_were_imported() {
    let stage = Stage::open();
    months(&stage, &["September", "October"]);
    let import = ["import", "leads.xlsx", "--yes"];
    for month in ["September", "October"] {
        let sheet = ["--sheet", month, "--id-column", "Key"];
        stage.run(&[&import[..], &sheet].concat()).expect(0);
    }
    for words in [
        &["import", "leads.xlsx", "-q"][..],
        &["check", "leads.xlsx"],
        &["status", "leads.xlsx"],
        &["export", "out.xlsx", "--for", "leads.xlsx"],
    ] {
        let run = stage.run(words).expect(10);
        let asked = "several sheets have fitting headers: `October` and `September`";
        assert!(run.stderr.contains(asked), "{}", run.stderr);
        let command = format!("gutterbatch {} --sheet October", words.join(" "));
        assert!(run.stderr.contains(&command), "{}", run.stderr);
        stage
            .run(&[words, &["--sheet", "September"]].concat())
            .expect(0);
    }
    // Of a sheet that the workbook no longer has, no rows are missed.
    months(&stage, &["October"]);
    let run = stage.run(&import).expect(0);
    assert!(run.stderr.contains("--id-column Key"), "{}", run.stderr);
}
