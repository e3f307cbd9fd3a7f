//! Merged cells: only the first has the value, whatever a person sees, and they are told so.

use rust_xlsxwriter::{Format, Workbook};

use crate::hazards::workbook::{fill, row, workbook};
use crate::hazards::{HEADERS, check, problems};
use crate::support::Stage;

const ADVICE: &str = "unmerge them in Excel (Home, Merge & Center) and fill each cell";

/// A sheet of three rows whose city is merged over them.
fn with_merged_city() -> Vec<u8> {
    workbook(|sheet| {
        row(sheet, 2, "A-2", "99 Oak Street");
        row(sheet, 3, "A-3", "7 Pine Street");
        sheet
            .merge_range(1, 6, 3, 6, "Boston", &Format::new())
            .unwrap();
    })
}

#[test]
fn a_city_merged_over_rows_is_told_in_each_row_that_lacks_it() {
    let bytes = with_merged_city();
    let why = format!("G2:G4 are merged, so only G2 has the value; {ADVICE}");
    assert_eq!(
        problems(&check("leads.xlsx", bytes, &[]).expect(3).json()),
        [
            "error G3: the city is empty".to_owned(),
            format!("error G3: {why}"),
            "error G4: the city is empty".to_owned(),
            format!("error G4: {why}"),
        ]
    );
}

#[test]
fn cells_that_are_merged_away_are_not_said_to_be_in_another_column() {
    let bytes = with_merged_city();
    let stage = Stage::offline();
    stage.file("leads.xlsx", bytes);
    let page = stage.run(&["check", "leads.xlsx"]).expect(3).stdout;
    assert!(page.contains("the city is empty (in 2 cells)\n"), "{page}");
}

#[test]
fn a_unit_merged_over_rows_warns_where_it_would_be_lost() {
    let bytes = workbook(|sheet| {
        row(sheet, 2, "A-2", "99 Oak Street");
        sheet
            .merge_range(1, 5, 2, 5, "Apt 4", &Format::new())
            .unwrap();
    });
    assert_eq!(
        problems(&check("leads.xlsx", bytes, &[]).expect(0).json()),
        [format!(
            "warning F3: F2:F3 are merged, so only F2 has the value; {ADVICE}"
        )]
    );
}

#[test]
fn a_header_merged_over_columns_warns_of_the_columns_without_one() {
    let bytes = workbook(|sheet| {
        sheet.write_string(1, 11, "+1 416 555 0111").unwrap();
        sheet
            .merge_range(0, 10, 0, 11, "Notes", &Format::new())
            .unwrap();
    });
    assert_eq!(
        problems(&check("leads.xlsx", bytes, &[]).expect(0).json()),
        [format!(
            "warning K1: K1:L1 are merged, so only K1 has the value; {ADVICE}"
        )]
    );
}

#[test]
fn a_heading_merged_over_its_row_is_one_error() {
    let bytes = workbook(|sheet| {
        sheet
            .merge_range(2, 0, 2, 10, "Route 7", &Format::new())
            .unwrap();
        row(sheet, 3, "A-2", "99 Oak Street");
    });
    assert_eq!(
        problems(&check("leads.xlsx", bytes, &[]).expect(3).json()),
        ["error row 3: only one cell is filled; delete the row if it is a heading: `Route 7`"]
    );
}

#[test]
fn a_merged_title_above_the_headers_is_no_trouble() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet
        .merge_range(0, 0, 0, 9, "Leads of October", &Format::new())
        .unwrap();
    for (column, header) in (0..).zip(HEADERS.split(',')) {
        sheet.write_string(1, column, header).unwrap();
    }
    row(sheet, 2, "A-1", "12 Elm Street");
    let read = check("leads.xlsx", workbook.save_to_buffer().unwrap(), &[])
        .expect(0)
        .json();
    assert_eq!(problems(&read), Vec::<String>::new());
}

#[test]
fn merged_cells_far_from_the_table_are_no_trouble() {
    let bytes = workbook(|sheet| {
        fill(sheet);
        sheet
            .merge_range(1, 20, 5, 22, "legend", &Format::new())
            .unwrap();
    });
    let read = check("leads.xlsx", bytes, &[]).json();
    let told = problems(&read)
        .iter()
        .any(|problem| problem.contains("merged"));
    assert!(!told, "{read}");
}
