//! `template`: what it writes, what it refuses, and that a filled one is clean.

use std::io::Cursor;
use std::path::Path;

use calamine::{Reader, SheetVisible, Xlsx, open_workbook};
use gutterbatch::import::{CheckRules, CheckedFile, ImportInput, check};
use gutterbatch::table::TableOptions;

use crate::support::Stage;

const HEADERS: &str = "External ID,Name,Email,Phone,Street address,Unit,City,Province/State,Postal/ZIP code,Country,Notes,Link";
const FILLED: &str = "00017,Ada,ada@example.com,,12 Elm Street,3-4,Boston,MA,02134,US,gate,https://crm.example.com/17";

fn checked(path: &Path) -> CheckedFile {
    let input = ImportInput::new(path, TableOptions::default(), CheckRules::default()).unwrap();
    check(&input, |_| {}).unwrap()
}

fn part(path: &Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(std::fs::read(path).unwrap())).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}

#[test]
fn the_text_template_is_a_header_line_that_excel_reads_as_utf8() {
    let stage = Stage::offline();
    stage.run(&["template", "leads.csv"]).expect(0);
    let text = std::fs::read_to_string(stage.path("leads.csv")).unwrap();
    assert_eq!(text, format!("\u{feff}{HEADERS}\r\n"));
    stage.file("filled.csv", format!("{text}{FILLED}\r\n"));
    let checked = checked(&stage.path("filled.csv"));
    assert_eq!(
        (checked.rows.len(), checked.problems().unwrap().count()),
        (1, 0)
    );
    assert_eq!(checked.unused, Vec::<String>::new());
}

#[test]
fn an_empty_template_has_no_rows_and_no_example_to_import() {
    let stage = Stage::offline();
    for name in ["leads.xlsx", "leads.csv"] {
        stage.run(&["template", name]).expect(0);
        let run = stage.run(&["check", name]).expect(10);
        assert!(
            run.stderr
                .contains("there is nothing below the headers in row 1"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn the_workbook_has_a_sheet_to_fill_in_a_page_of_help_and_hidden_lists() {
    let stage = Stage::offline();
    stage.run(&["template", "leads.xlsx"]).expect(0);
    let mut book: Xlsx<_> = open_workbook(stage.path("leads.xlsx")).unwrap();
    let sheets: Vec<(&str, SheetVisible)> = book
        .sheets_metadata()
        .iter()
        .map(|sheet| (sheet.name.as_str(), sheet.visible))
        .collect();
    assert_eq!(
        sheets,
        [
            ("Leads", SheetVisible::Visible),
            ("Help", SheetVisible::Visible),
            ("Lists", SheetVisible::Hidden)
        ]
    );
    let leads = book.worksheet_range("Leads").unwrap();
    let headers: Vec<String> = leads
        .rows()
        .next()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(headers.join(","), HEADERS);
    let help = book.worksheet_range("Help").unwrap();
    let named: Vec<String> = help
        .rows()
        .skip(1)
        .take(12)
        .map(|row| row[0].to_string())
        .collect();
    assert_eq!(named.join(","), HEADERS);
    let lists = book.worksheet_range("Lists").unwrap();
    let listed: Vec<String> = lists.rows().map(|row| row[1].to_string()).collect();
    assert!(listed.contains(&"ON".to_owned()) && listed.contains(&"MA".to_owned()));
}

#[test]
fn excel_checks_limits_and_lists_to_the_last_row() {
    let stage = Stage::offline();
    stage.run(&["template", "leads.xlsx"]).expect(0);
    let sheet = part(&stage.path("leads.xlsx"), "xl/worksheets/sheet1.xml");
    let rules: Vec<&str> = sheet.split("<dataValidation ").skip(1).collect();
    let rule = |column: char| {
        let range = format!("sqref=\"{column}2:{column}1048576\"");
        *rules.iter().find(|rule| rule.contains(&range)).unwrap()
    };
    for (column, limit) in [('A', 128), ('B', 120), ('E', 200), ('K', 2000)] {
        let rule = rule(column);
        assert!(
            rule.contains("type=\"textLength\"") && rule.contains(&format!("<formula1>{limit}<")),
            "{rule}"
        );
        assert!(rule.contains("showErrorMessage=\"1\""), "{rule}");
    }
    assert!(rule('J').contains("<formula1>Lists!$A$2:$A$3<"));
    assert!(rule('H').contains("<formula1>Lists!$B$2:$B$73<"));
    for column in 'A'..='L' {
        assert!(rule(column).contains("prompt="), "{column}");
    }
    assert!(sheet.contains("state=\"frozen\""));
}

#[test]
fn a_filled_template_is_clean() {
    let stage = Stage::offline();
    stage.run(&["template", "leads.xlsx"]).expect(0);
    let template = std::fs::read(stage.path("leads.xlsx")).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(template)).unwrap();
    let path = stage.path("filled.xlsx");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    let cells: Vec<String> = ('A'..)
        .zip(FILLED.split(','))
        .map(|(column, text)| {
            format!("<c r=\"{column}2\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
        })
        .collect();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let mut content = std::io::read_to_string(&mut entry).unwrap();
        if name == "xl/worksheets/sheet1.xml" {
            content = content.replace(
                "</sheetData>",
                &format!("<row r=\"2\">{}</row></sheetData>", cells.concat()),
            );
        }
        writer
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        std::io::Write::write_all(&mut writer, content.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let checked = checked(&path);
    assert_eq!(
        (checked.rows.len(), checked.problems().unwrap().count()),
        (1, 0)
    );
    assert_eq!(checked.unused, Vec::<String>::new());
    assert_eq!(checked.source.sheet.as_deref(), Some("Leads"));
}

#[test]
fn a_file_that_is_there_is_never_replaced() {
    let stage = Stage::offline();
    for name in ["leads.xlsx", "leads.csv"] {
        stage.file(name, "filled in");
        let run = stage.run(&["template", name]).expect(8);
        assert!(
            run.stderr.contains("already exists") && run.stderr.contains("hint:"),
            "{}",
            run.stderr
        );
        assert_eq!(
            std::fs::read_to_string(stage.path(name)).unwrap(),
            "filled in"
        );
    }
}

#[test]
fn another_ending_is_a_mistake_of_usage() {
    let stage = Stage::offline();
    for name in ["leads.ods", "leads", "leads.xls"] {
        stage.run(&["template", name]).expect(2);
        assert!(!stage.path(name).exists());
    }
}

#[test]
fn json_says_what_was_written() {
    let stage = Stage::offline();
    let document = stage
        .run(&["template", "leads.XLSX", "--json"])
        .expect(0)
        .json();
    assert_eq!(document["command"], "template");
    assert_eq!(document["written"], "leads.XLSX");
    assert_eq!(document["exit_code"], 0);
}

#[test]
fn two_templates_are_the_same_bytes() {
    let stage = Stage::offline();
    stage.run(&["template", "one.xlsx"]).expect(0);
    stage.run(&["template", "two.xlsx"]).expect(0);
    let read = |name| std::fs::read(stage.path(name)).unwrap();
    assert_eq!(read("one.xlsx"), read("two.xlsx"));
}
