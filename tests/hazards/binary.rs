//! Binary workbooks: what the library underneath passes over.

use crate::hazards::{HEADERS, check, problems};
use crate::support::Stage;
use crate::support::parts::{Cell, xlsb, xlsb_numbering};

fn cells(values: &[&str]) -> Vec<Option<Cell>> {
    let cell = |value: &&str| (!value.is_empty()).then(|| Cell::Text((*value).to_owned()));
    values.iter().map(cell).collect()
}

fn lead(id: &str, street: &str) -> Vec<Option<Cell>> {
    cells(&[
        id,
        "Ada Lovelace",
        "ada@example.com",
        "",
        street,
        "",
        "Boston",
        "MA",
        "02134",
        "US",
    ])
}

fn headers() -> Vec<Option<Cell>> {
    cells(&HEADERS.split(',').collect::<Vec<_>>())
}

#[test]
fn a_binary_workbook_is_read() {
    let bytes = xlsb(&[headers(), lead("A-1", "12 Elm Street")], None, &[]);
    let read = check("leads.xlsx", bytes, &[]).expect(0).json();
    assert_eq!(
        read["reading"],
        "leads.xlsx: XLSB though its name says XLSX, sheet `Leads`, headers in row 1"
    );
    assert_eq!((read["rows"].as_u64(), problems(&read).len()), (Some(1), 0));
}

#[test]
fn an_error_that_a_formula_left_is_told_and_not_taken_for_an_empty_cell() {
    let mut row = lead("A-1", "12 Elm Street");
    row[5] = Some(Cell::FormulaError(0x2A));
    let read = check("leads.xlsb", xlsb(&[headers(), row], None, &[]), &[]).expect(3);
    assert_eq!(
        problems(&read.json()),
        ["error F2: no value (#N/A); open the file in Excel, correct the formula and save"]
    );
}

#[test]
fn hidden_rows_and_merged_cells_are_told() {
    let mut second = lead("A-2", "99 Oak Street");
    second[6] = None;
    let rows = [headers(), lead("A-1", "12 Elm Street"), second];
    let read = check("leads.xlsb", xlsb(&rows, Some(1), &[[1, 2, 6, 6]]), &[]).expect(3);
    assert_eq!(
        problems(&read.json()),
        [
            "warning row 2: 1 hidden row is included; --visible-only leaves them out",
            "error G3: the city is empty",
            "error G3: G2:G3 are merged, so only G2 has the value; unmerge them in Excel (Home, Merge & Center) and fill each cell",
        ]
    );
}

#[test]
fn zeros_that_a_format_shows_are_read() {
    let mut row = lead("A-1", "12 Elm Street");
    row[0] = Some(Cell::FiveDigits(1001.0));
    row[8] = Some(Cell::FiveDigits(2134.0));
    let mapped = check("leads.xlsb", xlsb(&[headers(), row], None, &[]), &["-v"]).expect(0);
    assert_eq!(problems(&mapped.json()), Vec::<String>::new());
}

#[test]
fn cells_and_rows_that_the_library_skips_are_not_lost() {
    for (unit, skipped) in [
        (Cell::RichText("Apt 4".to_owned()), true),
        (Cell::ShortText("Apt 4".to_owned()), true),
        (Cell::Text("Apt 4".to_owned()), false),
    ] {
        let mut last = lead("A-2", "14 Elm Street");
        last[5] = Some(unit);
        let rows = [headers(), lead("A-1", "12 Elm Street"), last];
        let run = check("leads.xlsb", xlsb(&rows, None, &[]), &[]);
        if !skipped {
            assert_eq!(run.expect(0).json()["valid"], 2);
            continue;
        }
        assert_eq!(
            run.expect(10).stderr,
            "error: leads.xlsb: the workbook is damaged: row 3 has a cell of a kind that cannot be read from XLSB\n\
             hint: open it in Excel or LibreOffice, save it as a new .xlsx and try again\n"
        );
    }
}

#[test]
fn a_row_below_the_last_of_any_sheet_does_not_end_the_table() {
    let rows = [
        headers(),
        lead("A-1", "12 Elm Street"),
        lead("A-2", "14 Elm Street"),
    ];
    let book = xlsb_numbering(&rows, &[0, 1, 0x0020_0000]);
    let stderr = check("leads.xlsb", book, &[]).expect(10).stderr;
    assert!(
        stderr.starts_with("error: leads.xlsb: the file has more than 1,048,576 rows\n"),
        "{stderr}"
    );
}

/// An old workbook as LibreOffice saves it: ids under the format `0000`, of which one is not
/// whole, one row hidden, one city merged over two rows.
fn old() -> Vec<u8> {
    let sheets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets");
    std::fs::read(sheets.join("marks.xls")).unwrap()
}

#[test]
fn an_old_workbook_tells_its_hidden_rows_and_merged_cells() {
    let read = check("leads.xls", old(), &[]).expect(3);
    assert_eq!(
        problems(&read.json()),
        [
            "error G3: the city is empty",
            "error G3: G2:G3 are merged, so only G2 has the value; unmerge them in Excel (Home, Merge & Center) and fill each cell",
            "error A4: holds `102.5`, but its number format displays something else; format the cell as text and type the right value",
            "warning row 4: 1 hidden row is included; --visible-only leaves them out",
        ]
    );
    let visible = check("leads.xls", old(), &["--visible-only"]).expect(3);
    assert_eq!(visible.json()["rows"], 3);
}

#[test]
fn ids_of_an_old_workbook_keep_the_zeros_that_a_person_sees_in_the_sheet_and_in_its_rejects() {
    let stage = Stage::open();
    stage.file("leads.xls", old());
    let samples = stage.run(&["check", "leads.xls"]).expect(3).stdout;
    assert!(samples.contains("0100 · 0101 · 102.5"), "{samples}");
    assert!(samples.contains("02134 · 02135 · 02136"), "{samples}");
    stage.run(&["import", "leads.xls", "--yes"]).expect(3);
    let back = stage.run(&["check", "leads.rejects.xlsx"]).stdout;
    assert!(back.contains("0101"), "{back}");
}
