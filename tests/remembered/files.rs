//! Which reading flags hold for one file alone: its encoding, its sheet, its hidden rows.

use crate::remembered::flags::{HEADERS, ids, row, sheet};
use crate::support::Stage;

#[test]
fn flags_of_another_sheet_of_the_workbook_are_not_applied() {
    let stage = Stage::open();
    let mut workbook = rust_xlsxwriter::Workbook::new();
    for (name, street) in [("October", "Elm"), ("November", "Oak")] {
        let sheet = workbook.add_worksheet().set_name(name).unwrap();
        let row = row(1).replace("Elm", street);
        for (number, line) in (0..).zip([HEADERS, row.trim()]) {
            for (column, cell) in (0..).zip(line.split(',')) {
                let cell = if cell == "Key" { "Id" } else { cell };
                sheet.write_string(number, column, cell).unwrap();
            }
        }
    }
    stage.file("leads.xlsx", workbook.save_to_buffer().unwrap());
    let import = |flags: &[&str]| {
        let run = stage.run(&[&["import", "leads.xlsx"], flags].concat());
        run.expect(0).stderr
    };
    import(&["--sheet", "October"]);
    import(&["--sheet", "November", "--id-prefix", "nov-"]);
    let october = import(&["--sheet", "October"]);
    assert!(!october.contains("reading it as before"), "{october}");
    // Each sheet keeps its own, by name and by number.
    for sheet in ["November", "2"] {
        let november = import(&["--sheet", sheet]);
        assert!(november.contains("before: --id-prefix nov-"), "{november}");
    }
    assert_eq!(ids(&stage), ["1", "nov-1"]);
}

fn in_windows_1252(text: &str) -> Vec<u8> {
    let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
    bytes.collect()
}

#[test]
fn an_encoding_is_remembered_for_its_file_until_that_is_utf8() {
    let stage = Stage::open();
    let rows = |id| sheet(&[id]).replace("Key", "Id").replace("Ada", "Zoé");
    stage.file("october.csv", in_windows_1252(&rows(1)));
    stage
        .run(&["import", "october.csv", "--encoding", "windows-1252"])
        .expect(0);
    let again = stage.run(&["check", "october.csv"]).expect(0);
    let said = "reading it as before: --encoding windows-1252 (as in its import of ";
    assert!(again.stderr.contains(said), "{}", again.stderr);

    stage.file("november.csv", rows(2));
    let other = stage.run(&["check", "november.csv"]).expect(0);
    assert!(
        other.stdout.contains("read november.csv: UTF-8"),
        "{}",
        other.stdout
    );

    for mark in ["", "\u{feff}"] {
        stage.file("october.csv", format!("{mark}{}", rows(1)));
        let saved = stage.run(&["check", "october.csv"]).expect(0);
        assert!(
            saved.stdout.contains("read october.csv: UTF-8"),
            "{}",
            saved.stdout
        );
    }
    let asked = ["check", "october.csv", "--encoding", "windows-1252"];
    let asked = stage.run(&asked).expect(0);
    assert!(
        asked.stdout.contains("read october.csv: windows-1252"),
        "{}",
        asked.stdout
    );
}

#[test]
fn hidden_rows_of_another_file_are_asked_about_if_they_were_left_out_before() {
    let stage = Stage::open();
    let text = |first: u32| sheet(&[first, first + 1, first + 2]).replace("Key", "Id");
    let save = |name: &str, sheet_name: &str, text: String, hidden: u32| {
        let mut workbook = rust_xlsxwriter::Workbook::new();
        let rows = workbook.add_worksheet().set_name(sheet_name).unwrap();
        for (row, line) in (0..).zip(text.lines()) {
            rows.write_row(row, 0, line.split(',')).unwrap();
        }
        rows.set_row_hidden(hidden).unwrap();
        workbook.save(stage.path(name)).unwrap();
    };
    save("october.xlsx", "Oct", text(1), 1);
    save("november.xlsx", "Nov", text(4), 3);
    let import = |words: &[&str]| stage.run(&[&["import"], words].concat()).expect(0);
    let first = import(&["october.xlsx", "--sheet", "Oct", "--visible-only"]);
    let left_out = "1 hidden row left out";
    assert!(first.stdout.contains(left_out), "{}", first.stdout);
    assert_eq!(ids(&stage), ["2", "3"]);
    let again = import(&["october.xlsx"]);
    assert!(
        again.stderr.contains("before: --sheet Oct --visible-only"),
        "{}",
        again.stderr
    );
    let asked = "1 hidden row would be included; --visible-only left them out";
    let checked = stage.run(&["check", "november.xlsx"]).expect(0).stderr;
    assert!(checked.contains(asked), "{checked}");
    let document = stage
        .run(&["check", "november.xlsx", "--json"])
        .expect(0)
        .json();
    let stop = document["plan"]["stop"].as_str().unwrap();
    assert!(stop.contains(asked), "{stop}");
    for (dry_run, code) in [(&["--dry-run"][..], 0), (&[], 10)] {
        let stopped = [&["import", "november.xlsx"], dry_run].concat();
        let stopped = stage.run(&stopped).expect(code).stderr;
        assert!(stopped.contains(asked), "{stopped}");
        assert!(!stopped.contains("next:"), "{stopped}");
    }
    assert_eq!(ids(&stage), ["2", "3"]);
    // So are those whose rejects would be sent once they are corrected.
    let incomplete = text(7).replacen("02134", "", 1);
    save("january.xlsx", "Jan", incomplete, 1);
    let stopped = stage.run(&["import", "january.xlsx"]).expect(10).stderr;
    assert!(stopped.contains(asked), "{stopped}");
    import(&["november.xlsx", "--visible-only"]);
    assert_eq!(ids(&stage), ["2", "3", "4", "5"]);
    import(&["november.xlsx", "--forget-reading"]);
    assert_eq!(ids(&stage), ["2", "3", "4", "5", "6"]);
    // All of its hidden rows are known.
    save("december.xlsx", "Dec", text(6), 1);
    import(&["december.xlsx"]);
    save("october.xlsx", "Oct 2", text(1), 1);
    let renamed = stage.run(&["import", "october.xlsx"]).expect(10).stderr;
    assert!(renamed.contains("give these flags again"), "{renamed}");
    assert!(!renamed.contains("--forget-reading"), "{renamed}");
}
