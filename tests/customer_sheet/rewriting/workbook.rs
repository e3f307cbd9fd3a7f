//! A workbook again: values as what they are, styles, marks and notes.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};
use gutterbatch::sheet::rewrite::{AppendedValue, Highlight, RowAddition};
use rust_xlsxwriter::{ExcelDateTime, Format, FormatAlign, Formula, Workbook};

use crate::customer_sheet::rewriting::{Folder, echoed, said};
use crate::support::parts::rewritten;

fn cells(path: &Path) -> Vec<Vec<Data>> {
    let mut book: Xlsx<_> = open_workbook(path).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

fn text(text: &str) -> Data {
    Data::String(text.to_owned())
}

/// A sheet as an office keeps it: a title, styled headers, formats, dates, an error, a formula.
fn office_sheet(path: &Path) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("Leads of May").unwrap();
    sheet.write_string(0, 0, "Leads").unwrap();
    let head = Format::new()
        .set_bold()
        .set_font_color(0x00FF_FFFF)
        .set_background_color(0x0033_66CC)
        .set_align(FormatAlign::Center);
    let headers = [
        "ID", "Name", "Street", "City", "State", "Zip", "Email", "Seen",
    ];
    for (column, header) in (0..).zip(headers) {
        sheet
            .write_string_with_format(2, column, header, &head)
            .unwrap();
    }
    let zip = Format::new().set_num_format("00000");
    let day = Format::new().set_num_format("d mmm yyyy");
    for row in 3..6 {
        sheet.write_number(row, 0, f64::from(row)).unwrap();
        sheet.write_string(row, 1, "=SUM(A1)").unwrap();
        sheet.write_string(row, 2, "1 Elm").unwrap();
        sheet
            .write_formula(row, 3, Formula::new("=NA()").set_result("#N/A"))
            .unwrap();
        sheet.write_string(row, 4, "MA").unwrap();
        sheet.write_number_with_format(row, 5, 2134, &zip).unwrap();
        let seen = ExcelDateTime::from_ymd(2026, 5, 4).unwrap();
        sheet
            .write_datetime_with_format(row, 7, seen, &day)
            .unwrap();
        sheet.write_string(row, 9, "beside the table").unwrap();
    }
    book.save(path).unwrap();
}

#[test]
fn a_workbook_keeps_what_its_cells_are() {
    let folder = Folder::new();
    let (source, to) = (folder.path("leads.xlsx"), folder.path("out.xlsx"));
    office_sheet(&source);
    let echoed = echoed(&source, &to, &mut |row| (row.0 == 5).then(|| said("=1+1"))).unwrap();
    assert_eq!((echoed.rows, echoed.notes), (1, Vec::new()));

    let rows = cells(&to);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0][8], text("Status"));
    assert_eq!(rows[1][0], Data::Float(4.0));
    assert_eq!(rows[1][1], text("=SUM(A1)"));
    assert_eq!(rows[1][3], Data::Error(calamine::CellErrorType::NA));
    assert_eq!(rows[1][5], Data::Float(2134.0));
    assert!(matches!(rows[1][7], Data::DateTime(_)), "{:?}", rows[1][7]);
    assert_eq!(rows[1][8], text("=1+1"));
    assert_eq!(rows[1][10], text("beside the table"));

    let mut book: Xlsx<_> = open_workbook(&to).unwrap();
    assert_eq!(book.sheet_names(), ["Leads of May"]);
    let styles = book.worksheet_style("Leads of May").unwrap();
    for column in [0, 8] {
        let header = styles.get((0, column)).unwrap();
        assert!(header.font.as_ref().unwrap().is_bold());
        assert_eq!(
            header
                .fill
                .as_ref()
                .unwrap()
                .get_color()
                .unwrap()
                .to_string(),
            "#3366CC"
        );
        let alignment = header.alignment.as_ref().unwrap();
        assert_eq!(alignment.horizontal, calamine::HorizontalAlignment::Center);
    }
    let format = |column| {
        let style = styles.get((1, column)).unwrap();
        style.number_format.as_ref().unwrap().format_code.clone()
    };
    assert_eq!(format(5), "00000");
    assert_eq!(format(7), "yyyy-mm-dd");
}

#[test]
fn a_marked_cell_has_a_fill_and_a_note_even_where_nothing_stands() {
    let folder = Folder::new();
    let (source, to) = (folder.path("leads.xlsx"), folder.path("out.xlsx"));
    office_sheet(&source);
    let mark = |column: usize, note: &str| Highlight {
        column,
        note: note.to_owned(),
    };
    let marks = vec![mark(5, "no such ZIP code"), mark(6, "no email")];
    let addition = RowAddition {
        values: vec![AppendedValue::Empty],
        highlights: marks,
    };
    echoed(&source, &to, &mut |_| Some(addition.clone())).unwrap();

    let mut book: Xlsx<_> = open_workbook(&to).unwrap();
    let styles = book.worksheet_style("Leads of May").unwrap();
    for column in [5, 6] {
        let fill = styles.get((1, column)).unwrap().fill.clone().unwrap();
        assert_eq!(fill.get_color().unwrap().to_string(), "#FFC7CE");
    }
    let zip = styles.get((1, 5)).unwrap().number_format.clone().unwrap();
    assert_eq!(zip.format_code, "00000");
    let notes = part(&to, "xl/comments1.xml");
    assert!(
        notes.contains("ref=\"F2\"") && notes.contains("no such ZIP code"),
        "{notes}"
    );
    assert!(
        notes.contains("ref=\"G4\"") && notes.contains("no email"),
        "{notes}"
    );
}

fn part(path: &Path, name: &str) -> String {
    let bytes = std::fs::read(path).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}

#[test]
fn the_date_system_of_1904_gives_the_same_days() {
    let folder = Folder::new();
    let (source, to) = (folder.path("leads.xlsx"), folder.path("out.xlsx"));
    office_sheet(&source);
    // The same serials, counted from 1904.
    let bytes = std::fs::read(&source).unwrap();
    let of_1904 = rewritten(&bytes, "xl/workbook.xml", |book| {
        book.replace("<workbookPr ", "<workbookPr date1904=\"1\" ")
    });
    std::fs::write(&source, of_1904).unwrap();

    let day = |path: &Path, row: usize| match cells(path)[row][7] {
        Data::DateTime(moment) => moment.to_ymd_hms_milli(),
        ref other => panic!("{other:?}"),
    };
    echoed(&source, &to, &mut |_| Some(said("ok"))).unwrap();
    assert_eq!(day(&source, 3), (2030, 5, 5, 0, 0, 0, 0));
    assert_eq!(day(&to, 1), (2030, 5, 5, 0, 0, 0, 0));
}

/// A sheet with a formula, a formula that was never calculated, a hidden row, and rows whose strings are shared.
fn sheet_with_formulas(path: &Path) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name("Leads").unwrap();
    for (column, header) in (0..).zip(["ID", "Name", "Street", "City", "State", "Zip", "Email"]) {
        sheet.write_string(0, column, header).unwrap();
    }
    for (row, name) in [(1, "Ada Hall"), (2, "Bo Ng"), (3, "Cy Roy")] {
        sheet.write_number(row, 0, f64::from(row)).unwrap();
        sheet.write_string(row, 1, name).unwrap();
        sheet.write_string(row, 2, "1 Elm").unwrap();
        sheet
            .write_formula(row, 3, Formula::new("=B1").set_result("Boston"))
            .unwrap();
        sheet
            .write_formula(row, 4, Formula::new("=B2").set_result(""))
            .unwrap();
    }
    sheet.set_row_hidden(2).unwrap();
    sheet.set_column_hidden(5).unwrap();
    book.save(path).unwrap();
    // A formula that was never calculated has no value.
    let bytes = std::fs::read(path).unwrap();
    let uncalculated = rewritten(&bytes, "xl/worksheets/sheet1.xml", |sheet| {
        sheet.replace("<f>B2</f><v>0</v>", "<f>B2</f>")
    });
    std::fs::write(path, uncalculated).unwrap();
}

#[test]
fn a_copy_of_some_rows_has_their_values_and_nothing_of_the_others() {
    let folder = Folder::new();
    let (source, to) = (folder.path("leads.xlsx"), folder.path("out.xlsx"));
    sheet_with_formulas(&source);
    let copied = echoed(&source, &to, &mut |row| {
        (row.0 == 3).then(|| said("no city"))
    })
    .unwrap();
    assert_eq!((copied.rows, copied.notes), (1, Vec::new()));

    let rows = cells(&to);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1][0], Data::Float(2.0));
    assert_eq!(
        [&rows[1][1], &rows[1][3]],
        [&text("Bo Ng"), &text("Boston")]
    );
    assert_eq!(rows[1][4], Data::Error(calamine::CellErrorType::NA));
    assert_eq!(rows[1][7], text("no city"));
    let sheet = part(&to, "xl/worksheets/sheet1.xml");
    assert!(sheet.contains("Bo Ng"), "{sheet}");
    for absent in ["Ada Hall", "Cy Roy", "hidden", "<f>B"] {
        assert!(!sheet.contains(absent), "{absent}: {sheet}");
    }
    let mut archive = zip::ZipArchive::new(fs::File::open(&to).unwrap()).unwrap();
    assert!(archive.by_name("xl/sharedStrings.xml").is_err());
}

/// LibreOffice refuses an archive with the fields for parts above 4 GiB where they are not needed.
#[test]
fn a_copy_is_an_archive_without_fields_for_large_parts() {
    let folder = Folder::new();
    let (source, to) = (folder.path("leads.xlsx"), folder.path("out.xlsx"));
    office_sheet(&source);
    echoed(&source, &to, &mut |_| Some(said("ok"))).unwrap();
    let bytes = std::fs::read(&to).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    for index in 0..archive.len() {
        let entry = archive.by_index(index).unwrap();
        assert!(
            entry.extra_data().unwrap_or_default().is_empty(),
            "{:?}",
            entry.name()
        );
    }
}
