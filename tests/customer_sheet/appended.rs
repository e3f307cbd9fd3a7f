//! The user's own sheet comes back as it was, with the results behind its columns.

use std::fs;
use std::path::Path;

use calamine::{Data, Range, Reader, Xlsx, open_workbook};
use gutterbatch::sandbox::Options;
use gutterbatch::sheet::column_letters;
use rust_xlsxwriter::{Color, Format, Workbook, Worksheet};

use crate::support::exports::complete;
use crate::support::imports::sheet;
use crate::support::parts::rewritten;
use crate::support::{Scripted, Stage};
use crate::workbook::entries;

/// Ours, in their order.
pub(crate) const APPENDED: &[&str] = &[
    "Measurement status",
    "Why no result",
    "Completed (America/Toronto)",
    "Gutter length (ft)",
    "Gutter size (in)",
    "Corners",
    "Downspouts",
    "Downspout length (ft)",
    "Installer message",
    "Images",
    "Measurement",
    "Request",
];

/// An office's sheet: a title above the headers, a hidden column and a row left blank, and another sheet.
fn office_workbook(path: &Path) {
    let mut book = Workbook::new();
    leads(book.add_worksheet());
    let prices = book.add_worksheet().set_name("Prices").unwrap();
    prices.write_formula(0, 0, "=1+1").unwrap();
    prices.set_hidden(true);
    book.save(path).unwrap();
}

fn leads(sheet: &mut Worksheet) {
    let heading = Format::new()
        .set_bold()
        .set_background_color(Color::RGB(0x0022_4466));
    let money = Format::new().set_num_format("$#,##0.00");
    sheet.set_name("Leads").unwrap();
    sheet
        .merge_range(0, 0, 0, 3, "Leads of October", &heading)
        .unwrap();
    let headers = [
        "id", "name", "email", "street", "city", "state", "zip", "Price",
    ];
    for (column, header) in (0..).zip(headers) {
        sheet
            .write_with_format(2, column, header, &heading)
            .unwrap();
    }
    for (row, i) in [(3, 0), (4, 1), (6, 2), (7, 3)] {
        let words = [
            format!("A-{i}"),
            format!("Customer {i}"),
            format!("c{i}@example.com"),
            format!("1{i} Elm Street"),
            "Ottawa".to_owned(),
            "ON".to_owned(),
            if i == 3 {
                String::new()
            } else {
                "K1A 0B1".to_owned()
            },
        ];
        for (column, word) in (0..).zip(words) {
            sheet.write(row, column, word).unwrap();
        }
        sheet.write_with_format(row, 7, 12.5, &money).unwrap();
    }
    sheet.set_column_width(0, 31).unwrap();
    sheet.set_column_hidden(7).unwrap();
    sheet.set_column_range_hidden(8, 16_383).unwrap();
    sheet.autofilter(2, 0, 7, 7).unwrap();
    sheet.set_freeze_panes(3, 1).unwrap();
}

/// Three of the office's rows are with the service, the first of them measured.
fn measured() -> Stage {
    let stage = Stage::with(Options::default());
    office_workbook(&stage.path("leads.xlsx"));
    stage.run(&["import", "leads.xlsx"]).expect(3);
    complete(&stage, 1);
    stage
}

pub(crate) fn given_back(stage: &Stage, own: &str, to: &str) -> Range<Data> {
    let words = ["export", to, "--for", own, "--tz", "America/Toronto"];
    stage.run(&words).expect(0);
    let mut book: Xlsx<_> = open_workbook(stage.path(to)).unwrap();
    book.worksheet_range("Leads").unwrap()
}

pub(crate) fn row(range: &Range<Data>, row: usize) -> Vec<String> {
    let cells = range.rows().nth(row).unwrap_or_default();
    cells.iter().map(ToString::to_string).collect()
}

/// The appended cells of a row.
fn appended(range: &Range<Data>, row: usize) -> Vec<String> {
    self::row(range, row).split_off(range.width() - APPENDED.len())
}

/// The appended cell of a row below a header.
fn result(range: &Range<Data>, row: usize, header: &str) -> String {
    let column = APPENDED.iter().position(|appended| *appended == header);
    appended(range, row).swap_remove(column.unwrap())
}

/// Status and reason of a row.
fn state(range: &Range<Data>, row: usize) -> [String; 2] {
    ["Measurement status", "Why no result"].map(|header| result(range, row, header))
}

#[test]
fn results_stand_behind_the_users_columns_and_every_row_without_one_says_why() {
    let stage = measured();
    let range = given_back(&stage, "leads.xlsx", "back.xlsx");
    assert_eq!(row(&range, 0)[0], "Leads of October");
    assert_eq!(appended(&range, 2), APPENDED);
    assert_eq!(&row(&range, 3)[..2], ["A-0", "Customer 0"]);
    assert_eq!(state(&range, 3), ["complete", ""]);
    let length = result(&range, 3, "Gutter length (ft)");
    assert!(length.parse::<f64>().unwrap() > 0.0, "{length}");
    let first = range.rows().nth(3).unwrap();
    assert!(first.iter().any(|cell| matches!(cell, Data::DateTime(_))));
    assert_eq!(
        state(&range, 4),
        ["pending", "the contractor has not started"]
    );
    let blank = appended(&range, 5);
    assert!(blank.iter().all(String::is_empty), "a blank row stays one");
    assert_eq!(&row(&range, 6)[..1], ["A-2"]);
    assert!(state(&range, 7)[1].starts_with("invalid: "));
}

#[test]
fn everything_else_in_the_users_workbook_stays_byte_for_byte() {
    let stage = measured();
    given_back(&stage, "leads.xlsx", "back.xlsx");
    let own = fs::read(stage.path("leads.xlsx")).unwrap();
    let back = fs::read(stage.path("back.xlsx")).unwrap();
    let (before, after) = (entries(&own, ""), entries(&back, ""));
    let changed = before
        .iter()
        .zip(&after)
        .filter(|(one, other)| one != other);
    // The sheet, the styles, and the range of the filter.
    assert_eq!((before.len(), changed.count()), (after.len(), 3));
    let sheet = &entries(&back, "xl/worksheets/sheet1.xml")[0];
    for kept in [
        r#"<mergeCell ref="A1:D1"/>"#,
        &format!(
            r#"<autoFilter ref="A3:{}8"/>"#,
            column_letters(7 + APPENDED.len())
        ),
        r#"topLeftCell="B4""#,
        &format!(
            r#"<dimension ref="A1:{}8"/>"#,
            column_letters(7 + APPENDED.len())
        ),
    ] {
        assert!(sheet.contains(kept), "{kept}: {sheet}");
    }
}

#[test]
fn hidden_columns_stay_hidden_and_the_results_show() {
    let stage = measured();
    given_back(&stage, "leads.xlsx", "back.xlsx");
    let back = fs::read(stage.path("back.xlsx")).unwrap();
    let sheet = &entries(&back, "xl/worksheets/sheet1.xml")[0];
    let columns = sheet.split("<col ").skip(1);
    let hidden: Vec<(&str, bool)> = columns
        .map(|column| {
            (
                column.split('"').nth(1).unwrap(),
                column.split('>').next().unwrap().contains("hidden"),
            )
        })
        .collect();
    let end = 9 + APPENDED.len();
    let shown: Vec<String> = (9..=end).map(|column| column.to_string()).collect();
    let shown = shown.iter().map(String::as_str).zip(9..);
    let expected: Vec<(&str, bool)> = [("1", false), ("8", true)]
        .into_iter()
        .chain(shown.map(|(column, number)| (column, number == end)))
        .collect();
    assert_eq!(hidden, expected);
}

#[test]
fn results_of_an_earlier_export_are_written_over() {
    let stage = measured();
    given_back(&stage, "leads.xlsx", "back.xlsx");
    complete(&stage, 2);
    let range = given_back(&stage, "back.xlsx", "newer.xlsx");
    assert_eq!(range.width(), 8 + APPENDED.len());
    assert_eq!(appended(&range, 2), APPENDED);
    assert_eq!(state(&range, 4), ["complete", ""]);
}

#[test]
fn a_workbook_of_an_unusual_build_is_copied_with_its_titles() {
    let stage = measured();
    let own = fs::read(stage.path("leads.xlsx")).unwrap();
    let macros = "application/vnd.ms-excel.sheet.macroEnabled.main+xml";
    let plain = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";
    let with_macros = rewritten(&own, "[Content_Types].xml", |kinds| {
        kinds.replace(plain, macros)
    });
    stage.file("macros.xlsm", with_macros);
    let range = given_back(&stage, "macros.xlsm", "back.xlsx");
    assert_eq!(row(&range, 0)[0], "Leads of October");
    assert_eq!(appended(&range, 2), APPENDED);
    assert_eq!(state(&range, 3), ["complete", ""]);
}

#[test]
fn titles_and_blank_rows_of_a_text_stay() {
    let stage = Stage::with(Options::default());
    let own = format!(
        "Leads of October,,,\r\n\r\n{},,,,,,\r\n",
        sheet(0..1).replace('\n', "\r\n")
    );
    stage.file("leads.csv", &own);
    stage.run(&["import", "leads.csv"]).expect(0);
    stage
        .run(&["export", "back.csv", "--for", "leads.csv"])
        .expect(0);
    let back = fs::read_to_string(stage.path("back.csv")).unwrap();
    let lines: Vec<&str> = back.split("\r\n").collect();
    assert_eq!(lines[0], "Leads of October,,,");
    assert!(lines[1].contains(",Completed (UTC),"), "{}", lines[1]);
    assert!(lines[2].starts_with("A-0,"), "{}", lines[2]);
    assert_eq!(lines[3..], [",,,,,,", ""]);
}

#[test]
fn a_text_with_semicolons_is_told_how_its_sums_may_be_wrong() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    stage.file("liste.csv", sheet(0..2).replace(',', ";"));
    stage.run(&["import", "leads.csv"]).expect(0);
    let warns = |file: &str| {
        let words = ["export", "back.csv", "--for", file, "--force"];
        let run = stage.run(&words).expect(0);
        run.stderr.contains("warning: lengths have a decimal point")
    };
    assert!(warns("liste.csv"));
    assert!(!warns("leads.csv"));
}

#[test]
fn formulas_get_their_apostrophe_in_text_alone_and_on_request() {
    let service = Scripted::start();
    let stage = Stage::speaking_to(service.url());
    stage.file("leads.csv", sheet(0..1));
    office_workbook(&stage.path("leads.xlsx"));
    stage.run(&["import", "leads.csv"]).expect(0);
    service.complete("A-0");
    service.rewrite("A-0", |measurement| {
        measurement["result"]["installer_message"] = "=1+1".into();
        measurement["address"]["lng"] = (-79.5).into();
    });
    let text = |words: &[&str]| {
        stage.run(words).expect(0);
        fs::read_to_string(stage.path(words[1])).unwrap()
    };
    let plain = ["export", "out.csv"];
    let own = ["export", "back.csv", "--for", "leads.csv"];
    for words in [&plain[..], &own] {
        assert!(text(words).contains(",=1+1,"), "{words:?}");
        let safe = text(&[words, &["--excel-safe"]].concat());
        assert!(safe.contains(",'=1+1,"), "{safe}");
        // Excel needs the mark; a copy of the user's own sheet has it only where it holds more than ASCII.
        let has_mark = safe.starts_with('\u{feff}');
        assert_eq!(has_mark, words == plain, "{safe}");
    }
    assert!(text(&["export", "out.csv", "--excel-safe"]).contains(",-79.5,"));
    let words = ["export", "back.xlsx", "--for", "leads.xlsx", "--excel-safe"];
    stage.run(&words).expect(0);
    let mut book: Xlsx<_> = open_workbook(stage.path("back.xlsx")).unwrap();
    let range = book.worksheet_range("Leads").unwrap();
    assert_eq!(result(&range, 3, "Installer message"), "=1+1");
}

#[test]
fn a_format_that_cannot_hold_a_sheet_is_refused_with_one_that_can() {
    let stage = Stage::offline();
    stage.file("leads.csv", sheet(0..1));
    office_workbook(&stage.path("leads.xlsx"));
    for (own, out, other, code) in [
        ("leads.csv", "back.xlsx", "back.csv", 2),
        ("leads.xlsx", "back.csv", "back.xlsx", 2),
        ("leads.csv", "leads.csv", "leads.results.csv", 8),
        ("leads.csv", "leads.xlsx", "leads.results.csv", 2),
    ] {
        let flags = ["--for", own, "--id-prefix", "x-", "--tz", "America/Toronto"];
        let run = stage.run(&[&["export", out], &flags[..]].concat());
        let hint = format!("instance: gutterbatch export {other} {}\n", flags.join(" "));
        let stderr = run.expect(code).stderr;
        assert!(stderr.ends_with(&hint), "{stderr}");
    }
}

#[test]
fn titles_and_blank_rows_of_another_workbook_format_stay_in_their_rows() {
    let stage = Stage::with(Options::default());
    let cell = |text: &str| {
        format!(
            r#"<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>"#
        )
    };
    let row = |cells: &[&str]| {
        let cells: String = cells.iter().map(|text| cell(text)).collect();
        format!("<table:table-row>{cells}</table:table-row>")
    };
    let rows = [
        row(&["Leads of October"]),
        row(&[]),
        row(&["id", "name", "email", "street", "city", "state", "zip"]),
        row(&[
            "A-0",
            "Bo",
            "b@example.com",
            "12 Elm Street",
            "Ottawa",
            "ON",
            "K1A 0B1",
        ]),
    ];
    stage.file("leads.ods", crate::support::parts::ods(&rows.concat()));
    stage.run(&["import", "leads.ods"]).expect(0);
    complete(&stage, 1);
    let range = given_back(&stage, "leads.ods", "back.xlsx");
    assert_eq!(self::row(&range, 0)[0], "Leads of October");
    assert_eq!(self::row(&range, 2)[7..][..APPENDED.len()], *APPENDED);
    assert_eq!(&self::row(&range, 3)[7..9], ["complete", ""]);
    let part = |name: &str| {
        let book = std::fs::read(stage.path("back.xlsx")).unwrap();
        crate::workbook::entries(&book, name).remove(0)
    };
    // Numbers are at the top of a high row as texts are, and headers are legible.
    let styles = part("xl/styles.xml");
    let (_, formats) = styles.split_once("<cellXfs").unwrap();
    let formats = formats.split("<xf ").skip(1);
    let mut of_numbers = formats.filter(|format| format.contains("applyNumberFormat"));
    assert!(
        of_numbers.all(|format| format.contains(r#"vertical="top""#)),
        "{styles}"
    );
    let sheet = part("xl/worksheets/sheet1.xml");
    let width = |column: usize| {
        let (_, column) = sheet.split_once(&format!(r#"min="{column}""#)).unwrap();
        let (_, width) = column.split_once(r#"width=""#).unwrap();
        width.split('"').next().unwrap().parse::<f64>().unwrap()
    };
    let place = APPENDED
        .iter()
        .position(|header| *header == "Gutter length (ft)");
    assert!(width(8 + place.unwrap()) > 18.0, "{sheet}");
}

#[test]
fn rows_that_show_the_numbers_of_an_earlier_row_are_named() {
    let stage = Stage::with(Options::default());
    let text = sheet(0..2);
    let second = text.lines().nth(1).unwrap();
    stage.file("leads.csv", format!("{text}{second}\n"));
    stage.run(&["import", "leads.csv"]).expect(0);
    complete(&stage, 2);
    let export = ["export", "results.csv", "--for", "leads.csv"];
    let run = stage.run(&export).expect(0);
    let warning = "row 4: the same numbers as an earlier row";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
}

#[test]
fn the_summary_counts_the_rows_without_numbers_by_reason() {
    let stage = Stage::open();
    let invalid = "A-9,,,,,,\n";
    stage.file("leads.csv", sheet(0..3) + invalid);
    stage.run(&["import", "leads.csv"]).expect(3);
    complete(&stage, 1);
    let never = sheet(4..5);
    let never = never.lines().nth(1).unwrap();
    stage.file("leads.csv", format!("{}{invalid}{never}\n", sheet(0..3)));
    let words = ["export", "own.csv", "--for", "leads.csv"];
    let said = stage.run(&words).expect(0).stdout;
    let line =
        "\n4 of 5 rows have no numbers: 1 invalid, 1 never imported, 2 waiting at the contractor\n";
    assert!(said.contains(line), "{said}");
    stage.file("leads.csv", sheet(0..1));
    let said = stage.run(&words).expect(0).stdout;
    assert!(!said.contains("no numbers"), "{said}");
}

#[test]
fn a_sheet_of_which_no_row_was_imported_ends_with_3_and_asks_for_the_profile() {
    let stage = Stage::open();
    stage.file("leads.csv", sheet(0..2));
    stage.run(&["import", "leads.csv"]).expect(0);
    stage.file("others.csv", sheet(7..9));
    let words = ["export", "own.csv", "--for", "others.csv"];
    let run = stage.run(&words).expect(3);
    let hint = "hint: no row of others.csv was imported with this journal; another profile? `gutterbatch status --all` shows them\n";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

#[test]
fn a_sheet_of_which_all_houses_have_other_ids_ends_with_3_and_asks_for_the_flags_of_the_import() {
    let stage = Stage::open();
    let text = sheet(0..2);
    stage.file("leads.csv", &text);
    stage
        .run(&["import", "leads.csv", "--id-prefix", "a-"])
        .expect(0);
    stage.file("mine.csv", text.replace("\nA-", "\nM-"));
    let words = ["export", "own.csv", "--for", "mine.csv"];
    let run = stage.run(&words).expect(3);
    let hint = "hint: no row of mine.csv has the id under which its house was requested; add the flags with which it was imported";
    assert!(
        run.stderr.replace('\n', " ").contains(hint),
        "{}",
        run.stderr
    );
}
