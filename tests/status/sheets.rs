//! What `status` says of the sheets of workbooks that were imported.

use serde_json::Value;

use crate::status::rows::{answers, sheet};
use crate::support::Stage;

#[test]
fn rows_left_pending_in_a_sheet_that_is_gone_still_need_a_person() {
    let stage = Stage::open();
    let import = |tab: &str, ids: &[u32], code: i32| {
        let mut book = rust_xlsxwriter::Workbook::new();
        let table = book.add_worksheet().set_name(tab).unwrap();
        for (row, line) in (0..).zip(sheet(ids).lines()) {
            for (column, cell) in (0..).zip(line.split(',')) {
                table.write_string(row, column, cell).unwrap();
            }
        }
        stage.file("leads.xlsx", book.save_to_buffer().unwrap());
        let words = ["import", "leads.xlsx", "--id-column", "Key", "--limit", "2"];
        stage.run(&words).expect(code)
    };
    import("October", &[1, 2, 3], 4);
    let missing = "1 row left pending by the last import of leads.xlsx, no longer in it";
    for ids in [&[4, 5][..], &[4, 5, 6]] {
        let november = import("November", ids, 3);
        assert!(november.stderr.contains(missing), "{}", november.stderr);
        import("November", ids, 0);
    }
    let [done, needs, _] = answers(&stage, &[]);
    assert!(done.starts_with("no: 1 row of 6 pending"), "{done}");
    assert!(needs.starts_with("1 row pending: "), "{needs}");
    assert!(needs.ends_with("leads.xlsx --sheet October"), "{needs}");
    import("November", &[3, 4, 5, 6], 0);
    assert_eq!(answers(&stage, &[])[1], "nothing");
}

#[test]
fn a_sheet_that_was_renamed_needs_a_person_once() {
    let stage = Stage::open();
    let save = |names: &[&str]| {
        let mut book = rust_xlsxwriter::Workbook::new();
        for (number, name) in (0_u32..).zip(names) {
            let first = number * 10;
            let text = sheet(&[first + 1, first + 2])
                + &format!("{},Ada,,Boston,MA,02134,a@example.com\n", first + 3);
            let table = book.add_worksheet().set_name(*name).unwrap();
            for (row, line) in (0..).zip(text.lines()) {
                for (column, cell) in (0..).zip(line.split(',')) {
                    table.write_string(row, column, cell).unwrap();
                }
            }
        }
        stage.file("leads.xlsx", book.save_to_buffer().unwrap());
    };
    let import = |tab: &str| {
        let args = ["import", "leads.xlsx", "--id-column", "Key", "--sheet", tab];
        stage.run(&args).expect(3);
    };
    let rejected = || {
        let needs = answers(&stage, &[])[1].clone();
        let lines = needs.lines().filter(|line| line.contains(" invalid in "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    save(&["Sheet1"]);
    import("Sheet1");
    save(&["October"]);
    import("October");
    let [done, ..] = answers(&stage, &[]);
    let all = "yes: 6 rows in 2 sheets of leads.xlsx, none left to send, 1 rejected";
    assert_eq!(done, all);
    assert_eq!(rejected(), ["1 invalid in leads.xlsx, sheet October"]);
    // Each sheet that is still there counts.
    save(&["October", "November"]);
    import("November");
    assert_eq!(
        rejected(),
        [
            "1 invalid in leads.xlsx, sheet November",
            "1 invalid in leads.xlsx, sheet October"
        ]
    );
    // Its rows are still nowhere else.
    save(&["Oct", "November"]);
    import("November");
    assert!(rejected()[1].ends_with("sheet October"));
    import("Oct");
    assert_eq!(
        rejected(),
        [
            "1 invalid in leads.xlsx, sheet Oct",
            "1 invalid in leads.xlsx, sheet November"
        ]
    );
    // Those of a renamed sheet were replaced.
    for rejects in ["leads.rejects.xlsx", "leads.rejects-2.xlsx"] {
        std::fs::remove_file(stage.path(rejects)).unwrap();
    }
    let status = stage.run(&["status"]).expect(0).stdout;
    for tab in ["Oct", "November"] {
        let check = format!("leads.xlsx --sheet {tab}\n");
        assert!(status.contains(&check), "{check}: {status}");
    }
}

#[test]
fn the_tabs_of_one_workbook_are_named_and_counted_as_tabs() {
    let stage = Stage::open();
    let mut book = rust_xlsxwriter::Workbook::new();
    for (tab, ids) in [("North", [1, 2]), ("South", [3, 4])] {
        let page = book.add_worksheet().set_name(tab).unwrap();
        for (row, line) in (0..).zip(sheet(&ids).lines()) {
            page.write_row(row, 0, line.split(',')).unwrap();
        }
    }
    book.save(stage.path("book.xlsx")).unwrap();
    for tab in ["North", "South"] {
        let words = [
            "import",
            "book.xlsx",
            "--sheet",
            tab,
            "--id-column",
            "Key",
            "--limit",
            "1",
        ];
        stage.run(&words).expect(4);
    }
    let status = stage.run(&["status"]).expect(0).stdout;
    for text in [
        "2 rows of 4 pending in 2 sheets of book.xlsx",
        "book.xlsx, sheet North: 1 created",
        "book.xlsx, sheet South: 1 created",
        "book.xlsx --sheet South",
    ] {
        assert!(status.contains(text), "{text}: {status}");
    }
    let document = stage.run(&["status", "--json"]).expect(0).json();
    let sheets = document["last_runs"].as_array().unwrap().iter();
    let sheets: Vec<&Value> = sheets.map(|run| &run["sheet"]).collect();
    assert_eq!(sheets, ["South", "North"]);
}

#[test]
fn rows_that_were_requested_from_the_renamed_file_are_not_pending() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(&[1, 2, 3]));
    let words = ["import", "leads.csv", "--id-column", "Key", "--limit", "1"];
    stage.run(&words).expect(4);
    std::fs::rename(stage.path("leads.csv"), stage.path("october.csv")).unwrap();
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(status.contains("2 rows of 3 pending"), "{status}");
    stage.run(&["import", "october.csv"]).expect(0);
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(status.contains("none left to send"), "{status}");
}

/// Two sheets of one workbook, each with a house in row 2 and one in row 3; the last one is the first of the other sheet.
fn two_months(stage: &Stage) {
    let head = "ID,Name,Address,City,State,Zip,Email";
    let months = [
        ("Sept", [("101", "12 Maple Ave"), ("102", "14 Oak St")]),
        ("Oct", [("201", "20 Birch Rd"), ("202", "12 Maple Avenue")]),
    ];
    let mut book = rust_xlsxwriter::Workbook::new();
    for (month, rows) in months {
        let rows = rows.map(|(id, street)| {
            format!("{id},Customer {id},{street},Boston,MA,02134,{id}@example.com")
        });
        let table = book.add_worksheet().set_name(month).unwrap();
        let lines = [head].into_iter().chain(rows.iter().map(String::as_str));
        for (row, line) in (0..).zip(lines) {
            for (column, cell) in (0..).zip(line.split(',')) {
                table.write_string(row, column, cell).unwrap();
            }
        }
    }
    stage.file("l.xlsx", book.save_to_buffer().unwrap());
}

#[test]
fn a_row_of_a_workbook_with_several_sheets_is_named_with_its_sheet() {
    let stage = Stage::open();
    two_months(&stage);
    let import = |sheet, code| {
        let run = stage.run(&["import", "l.xlsx", "--sheet", sheet]);
        run.expect(code).stderr
    };
    import("Sept", 0);
    let path = stage.path("l.xlsx");
    let history = |id: &str| stage.run(&["status", "--id", id]).expect(0).stdout;
    let alone = format!("101  row 2 of {}\n", path.display());
    assert!(history("101").starts_with(&alone), "{}", history("101"));
    let check = stage.run(&["check", "l.xlsx", "--sheet", "Oct"]).expect(3);
    for text in [check.stdout, import("Oct", 3), import("Oct", 3)] {
        let place = "`101` (row 2 of sheet Sept of l.xlsx, pending)";
        assert!(text.contains(place), "{text}");
    }
    for (id, sheet) in [("101", "Sept"), ("201", "Oct")] {
        let named = format!("{id}  row 2 of sheet {sheet} of {}\n", path.display());
        assert!(history(id).starts_with(&named), "{}", history(id));
    }
}

#[test]
fn file_and_row_of_an_export_identify_a_row_of_several_sheets_also_after_a_restoration() {
    let stage = Stage::open();
    two_months(&stage);
    for (sheet, code) in [("Sept", 0), ("Oct", 3)] {
        let words = ["import", "l.xlsx", "--sheet", sheet];
        stage.run(&words).expect(code);
    }
    crate::support::exports::complete(&stage, 1);
    stage.run(&["export", "all.xlsx"]).expect(0);
    let words = ["import", "--restore", "all.xlsx", "--journal", "new.db"];
    stage.run(&words).expect(0);
    for journal in [&[][..], &["--journal", "new.db"]] {
        let words = ["export", "-", "--format", "ndjson", "--offline"];
        let run = stage.run(&[&words[..], journal].concat()).expect(0);
        let mut rows: Vec<String> = run
            .stdout
            .lines()
            .map(|line| {
                let row: Value = serde_json::from_str(line).unwrap();
                format!(
                    "{}: {} of {}",
                    row["external_id"], row["source_row"], row["source_file"]
                )
            })
            .collect();
        rows.sort();
        let expected = [
            r#""101": 2 of "l.xlsx, sheet Sept""#,
            r#""102": 3 of "l.xlsx, sheet Sept""#,
            r#""201": 2 of "l.xlsx, sheet Oct""#,
        ];
        assert_eq!(rows, expected, "{journal:?}");
    }
    let words = ["import", "l.xlsx", "--sheet", "Oct", "--journal", "new.db"];
    let again = stage.run(&words).expect(3).stderr;
    assert!(again.contains("(row 2 of l.xlsx, sheet Sept, "), "{again}");
    let book = std::fs::read(stage.path("all.xlsx")).unwrap();
    let rejected = crate::workbook::table(&book, "Rejected");
    assert_eq!(rejected[1][0], "l.xlsx, sheet Oct", "{rejected:?}");
}
