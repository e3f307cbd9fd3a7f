//! A copy of the user's own sheet, in which the user worked, gets newer results and keeps everything else.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use gutterbatch::sandbox::Options;
use gutterbatch::sheet::column_letters;
use rust_xlsxwriter::{Formula, Workbook, Worksheet};

use crate::customer_sheet::appended::{APPENDED, given_back, row};
use crate::support::Stage;
use crate::support::exports::complete;
use crate::support::imports::sheet;
use crate::support::parts::rewritten;
use crate::workbook::entries;

/// Columns of the user's own, some of which have the names of ours.
const OWN: [&str; 11] = [
    "id",
    "name",
    "email",
    "street",
    "city",
    "state",
    "zip",
    "Corners",
    "Completed (visit)",
    "Request",
    "Price",
];

/// The first result column and the one to the right of them all.
const FIRST: u16 = 11;
#[expect(clippy::cast_possible_truncation, reason = "there are a dozen")]
const INVOICE: u16 = FIRST + APPENDED.len() as u16;

/// The column `Gutter length (ft)` by its letter.
const LENGTH: &str = "O";

/// Three rows with older results, formulas about them in the user's columns, and sums below.
fn copy_with_formulas(path: &Path) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("Leads").unwrap();
    let headers = OWN.iter().chain(APPENDED).chain(&["Invoice"]);
    for (column, header) in (0..).zip(headers) {
        sheet.write(0, column, *header).unwrap();
    }
    for (at, line) in (1..).zip(crate::support::imports::sheet(0..3).lines().skip(1)) {
        let own = line.split(',').chain(["mine", "yesterday", "phone"]);
        for (column, word) in (0..).zip(own) {
            sheet.write(at, column, word).unwrap();
        }
        let row = at + 1;
        formula(sheet, at, FIRST - 1, &format!("={LENGTH}{row}*Rates!B1"));
        sheet.write(at, FIRST, "pending").unwrap();
        sheet.write(at, FIRST + 1, "pending").unwrap();
        formula(sheet, at, FIRST + 3, "=1+1");
        sheet.write(at, INVOICE, format!("INV-{at}")).unwrap();
    }
    sheet.write(4, 3, "Total").unwrap();
    formula(sheet, 4, FIRST + 3, &format!("=SUM({LENGTH}2:{LENGTH}4)"));
    formula(sheet, 5, FIRST + 3, &format!("=MAX({LENGTH}2:{LENGTH}4)"));
    sheet.write(6, 0, "Rate per ft").unwrap();
    formula(sheet, 6, FIRST + 3, "=2*3.75");
    sheet
        .merge_range(8, 0, 8, 3, "Notes", &rust_xlsxwriter::Format::new())
        .unwrap();
    sheet.autofilter(0, 0, 3, INVOICE).unwrap();
    sheet.set_row_hidden(2).unwrap();
    let rates = book.add_worksheet().set_name("Rates").unwrap();
    rates.write(0, 1, 4.5).unwrap();
    rates.set_hidden(true);
    book.save(path).unwrap();
}

fn formula(sheet: &mut Worksheet, row: u32, column: u16, text: &str) {
    let formula = Formula::new(text).set_result("2");
    sheet.write_formula(row, column, formula).unwrap();
}

/// The workbook as Excel saves it: with a list of the cells that have formulas, and not to be calculated again.
fn with_calculation_chain(book: &[u8]) -> Vec<u8> {
    let chain = "application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml";
    let kind = format!(r#"<Override PartName="/xl/calcChain.xml" ContentType="{chain}"/></Types>"#);
    let relation = r#"<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain" Target="calcChain.xml"/></Relationships>"#;
    let changed = rewritten(book, "[Content_Types].xml", |types| {
        types.replace("</Types>", &kind)
    });
    let changed = rewritten(&changed, "xl/_rels/workbook.xml.rels", |relations| {
        relations.replace("</Relationships>", relation)
    });
    let changed = rewritten(&changed, "xl/workbook.xml", |book| {
        book.replace(r#" fullCalcOnLoad="1""#, "")
    });
    let mut archive = zip::ZipWriter::new_append(Cursor::new(changed)).unwrap();
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("xl/calcChain.xml", options).unwrap();
    let list = r#"<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><c r="O2" i="1"/></calcChain>"#;
    archive.write_all(list.as_bytes()).unwrap();
    archive.finish().unwrap().into_inner()
}

/// A stage whose sandbox has measured one of the three rows of a copy.
fn worked_on() -> Stage {
    let stage = Stage::with(Options::default());
    copy_with_formulas(&stage.path("copy.xlsx"));
    let book = with_calculation_chain(&fs::read(stage.path("copy.xlsx")).unwrap());
    stage.file("copy.xlsx", book);
    stage.run(&["import", "copy.xlsx", "--yes"]);
    complete(&stage, 1);
    stage
}

#[test]
fn newer_results_stand_where_the_older_were_and_every_other_cell_stays() {
    let stage = worked_on();
    let before = given_back(&stage, "copy.xlsx", "newer.xlsx");
    assert_eq!(before.width(), usize::from(INVOICE) + 1);
    assert_eq!(
        row(&before, 0)[usize::from(FIRST)..usize::from(INVOICE)],
        *APPENDED
    );
    assert_eq!(row(&before, 1)[7..10], ["mine", "yesterday", "phone"]);
    assert_eq!(row(&before, 1)[usize::from(INVOICE)], "INV-1");
    assert_eq!(row(&before, 1)[usize::from(FIRST)], "complete");
    assert_eq!(row(&before, 2)[usize::from(FIRST)], "pending");
    complete(&stage, 2);
    let after = given_back(&stage, "newer.xlsx", "newest.xlsx");
    let own = |row: Vec<String>| {
        let (left, right) = (&row[..usize::from(FIRST)], &row[usize::from(INVOICE)..]);
        [left, right].concat()
    };
    assert_eq!(after.get_size(), before.get_size());
    for at in 0..after.height() {
        assert_eq!(own(row(&after, at)), own(row(&before, at)));
    }
    assert_eq!(row(&after, 2)[usize::from(FIRST)], "complete");
}

#[test]
fn formulas_and_other_sheets_stay_and_are_calculated_when_the_copy_is_opened() {
    let stage = worked_on();
    given_back(&stage, "copy.xlsx", "newer.xlsx");
    let own = fs::read(stage.path("copy.xlsx")).unwrap();
    let newer = fs::read(stage.path("newer.xlsx")).unwrap();
    let part = |book: &[u8], name: &str| entries(book, name).join("");
    let leads = part(&newer, "xl/worksheets/sheet1.xml");
    for kept in [
        "<f>O2*Rates!B1</f>",
        "<f>SUM(O2:O4)</f>",
        "<f>MAX(O2:O4)</f>",
        "<f>2*3.75</f>",
        r#"<mergeCell ref="A9:D9"/>"#,
        &format!(
            r#"<autoFilter ref="A1:{}4"/>"#,
            column_letters(INVOICE.into())
        ),
        r#"hidden="1""#,
    ] {
        assert!(leads.contains(kept), "{kept}: {leads}");
    }
    assert!(!leads.contains("<f>1+1</f>"), "{leads}");
    let rates = "xl/worksheets/sheet2.xml";
    assert_eq!(part(&newer, rates), part(&own, rates));
    let book = part(&newer, "xl/workbook.xml");
    assert!(book.contains(r#"fullCalcOnLoad="1"/>"#), "{book}");
    assert!(book.contains(r#"name="Rates""#), "{book}");
    // Excel calls a workbook damaged whose list names a cell that no longer has a formula.
    for name in [
        "[Content_Types].xml",
        "xl/_rels/workbook.xml.rels",
        "xl/calcChain.xml",
    ] {
        assert!(part(&own, name).contains("calcChain"), "{name}");
        assert!(!part(&newer, name).contains("calcChain"), "{name}");
    }
}

#[test]
fn a_text_keeps_columns_of_the_same_names_and_those_behind_the_results() {
    let stage = Stage::with(Options::default());
    let text = with_columns(
        &sheet(0..2),
        [
            ",Completed (visit),Images (drive),Request",
            ",2026,drive,phone",
        ],
    );
    stage.file("leads.csv", &text);
    stage.run(&["import", "leads.csv"]).expect(0);
    let first = export(&stage, "leads.csv", "first.csv").0;
    let worked_on = with_columns(&first, [",Invoice", ",INV-1"]);
    let total = format!(
        "Total{},{}\n",
        ",".repeat(12),
        ",5".repeat(APPENDED.len() - 3)
    );
    stage.file(
        "first.csv",
        format!("{worked_on}{total}{}\n", ",".repeat(12) + ",5,6"),
    );
    complete(&stage, 2);
    let (second, warnings) = export(&stage, "first.csv", "second.csv");
    assert!(!warnings.contains("kept as before"), "{warnings}");
    let lines: Vec<&str> = second.lines().collect();
    let (lines, rest) = lines.split_at(3);
    assert_eq!(lines[0], worked_on.lines().next().unwrap());
    for (after, before) in lines.iter().zip(text.lines()).skip(1) {
        assert!(
            after.starts_with(&format!("{before},complete,,")),
            "{after}"
        );
        assert!(after.ends_with(",INV-1"), "{after}");
    }
    let padded = format!("{},5,6{}", ",".repeat(12), ",".repeat(APPENDED.len() - 4));
    assert_eq!(rest, [total.trim_end(), &padded]);
    assert_eq!(export(&stage, "second.csv", "third.csv").0, second);
}

#[test]
fn results_that_are_no_longer_a_whole_block_are_kept_and_told() {
    let stage = Stage::with(Options::default());
    let text = sheet(0..1);
    stage.file("leads.csv", &text);
    stage.run(&["import", "leads.csv"]).expect(0);
    let (first, warnings) = export(&stage, "leads.csv", "first.csv");
    assert!(!warnings.contains("kept as before"), "{warnings}");
    let headers = first.lines().next().unwrap();
    let own = text.lines().next().unwrap();
    let results = headers.strip_prefix(own).unwrap();
    // The user removed a column, or moved one, or kept last month's results beside the newer.
    let removed = own.to_owned() + &results.replace(",Images", "");
    let moved = own.to_owned() + &results.replace(",Images", "") + ",Images";
    let twice = own.to_owned() + results + results;
    let row = text.lines().nth(1).unwrap();
    for (edited, kept, appended) in [
        (removed, APPENDED.len() - 1, results),
        (moved, APPENDED.len(), results),
        (twice, APPENDED.len(), ""),
    ] {
        let cells = ",old".repeat(edited.split(',').count() - own.split(',').count());
        stage.file("edited.csv", format!("{edited}\n{row}{cells}\n"));
        let (second, warnings) = export(&stage, "edited.csv", "second.csv");
        assert_eq!(second.lines().next().unwrap(), edited + appended);
        let untouched = format!(
            "{row}{},pending,the contractor has not started,",
            ",old".repeat(kept)
        );
        assert!(
            second.lines().nth(1).unwrap().starts_with(&untouched),
            "{second}"
        );
        let warning = format!(
            "warning: second.csv: {kept} columns with the headers of results, from column H on, kept as before"
        );
        assert!(warnings.contains(&warning), "{warnings}");
    }
}

#[test]
fn a_copy_that_cannot_keep_the_whole_workbook_says_what_it_lacks() {
    let stage = worked_on();
    let own = fs::read(stage.path("copy.xlsx")).unwrap();
    let with_macros = rewritten(&own, "[Content_Types].xml", |kinds| {
        kinds.replace("spreadsheetml.sheet.main+xml", "macroEnabled.main+xml")
    });
    stage.file("macros.xlsm", with_macros);
    let run = stage
        .run(&["export", "back.xlsx", "--for", "macros.xlsm"])
        .expect(0);
    assert!(
        run.stderr
            .contains("other sheets, filters and conditional formats are left out"),
        "{}",
        run.stderr
    );
}

/// The text with more at the end of its first line, and of each other one.
fn with_columns(text: &str, [header, cells]: [&str; 2]) -> String {
    let mut changed = String::new();
    for (at, line) in text.lines().enumerate() {
        changed.extend([line, if at == 0 { header } else { cells }, "\n"]);
    }
    changed
}

/// Exports a text for a text; returns the copy and what was said.
fn export(stage: &Stage, own: &str, to: &str) -> (String, String) {
    let run = stage.run(&["export", to, "--for", own]).expect(0);
    (fs::read_to_string(stage.path(to)).unwrap(), run.stderr)
}

/// Four rows, of which two are hidden, as a filter leaves them.
fn filtered(path: &Path, hidden: [u32; 2]) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("Leads").unwrap();
    for (row, line) in (0..).zip(crate::support::imports::sheet(0..4).lines()) {
        sheet.write_row(row, 0, line.split(',')).unwrap();
    }
    sheet.autofilter(0, 0, 4, 6).unwrap();
    for row in hidden {
        sheet.set_row_hidden(row).unwrap();
    }
    book.save(path).unwrap();
}

#[test]
fn rows_that_a_filter_hides_now_show_the_results_of_their_earlier_import() {
    let stage = Stage::open();
    let import = ["import", "leads.xlsx", "--visible-only", "--yes"];
    for hidden in [[3, 4], [1, 2]] {
        filtered(&stage.path("leads.xlsx"), hidden);
        stage.run(&import).expect(0);
    }
    complete(&stage, 4);
    let range = given_back(&stage, "leads.xlsx", "results.xlsx");
    let status = range.width() - APPENDED.len();
    for number in 1..=4 {
        assert_eq!(row(&range, number)[status], "complete", "row {number}");
    }
    let words = ["export", "again.xlsx", "--for", "leads.xlsx"];
    let run = stage.run(&words).expect(0);
    assert!(run.stdout.contains("4 completed"), "{}", run.stdout);
}

#[test]
fn a_hidden_row_with_the_id_of_a_visible_one_is_named_instead_of_numbers() {
    let stage = Stage::open();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("Leads").unwrap();
    let text = crate::support::imports::sheet(0..2).replace("A-1", "A-0");
    for (row, line) in (0..).zip(text.lines()) {
        sheet.write_row(row, 0, line.split(',')).unwrap();
    }
    sheet.set_row_hidden(1).unwrap();
    book.save(stage.path("leads.xlsx")).unwrap();
    let import = ["import", "leads.xlsx", "--visible-only", "--yes"];
    stage.run(&import).expect(0);
    complete(&stage, 1);
    let range = given_back(&stage, "leads.xlsx", "results.xlsx");
    let status = range.width() - APPENDED.len();
    for number in [1, 2] {
        assert_eq!(row(&range, number)[status], "", "row {number}");
    }
}

#[test]
fn a_table_whose_rows_are_all_hidden_names_their_number_and_the_flag() {
    let stage = Stage::open();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, line) in (0..).zip(crate::support::imports::sheet(0..2).lines()) {
        sheet.write_row(row, 0, line.split(',')).unwrap();
    }
    sheet.set_row_hidden(1).unwrap();
    sheet.set_row_hidden(2).unwrap();
    book.save(stage.path("hidden.xlsx")).unwrap();
    let words = ["check", "hidden.xlsx", "--visible-only"];
    let said = stage.run(&words).expect(10).stderr;
    for text in ["2 hidden rows", "--visible-only"] {
        assert!(said.contains(text), "{text}: {said}");
    }
}
