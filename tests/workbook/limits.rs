//! Limits of a sheet: rows, links and notes.

use gutterbatch::export::SheetLimits;

use crate::workbook::{entries, sample, table, workbook};

#[test]
fn links_beyond_what_a_sheet_bears_are_text_and_said() {
    let limits = SheetLimits {
        links: 5,
        ..SheetLimits::EXCEL
    };
    let bytes = workbook(&sample(), &[], limits);
    let sheets = entries(&bytes, "xl/worksheets/sheet");
    assert!(
        sheets
            .iter()
            .all(|sheet| sheet.matches("<hyperlink ").count() <= 5)
    );
    assert_eq!(table(&bytes, "Measurements").len(), 41);
    let summary = format!("{:?}", table(&bytes, "Summary"));
    assert!(summary.contains("further addresses in Measurements are text"));
}

#[test]
fn a_full_sheet_goes_on_in_another() {
    let limits = SheetLimits {
        rows: 11,
        ..SheetLimits::EXCEL
    };
    let bytes = workbook(&sample(), &[], limits);
    assert_eq!(table(&bytes, "Measurements").len(), 11);
    assert_eq!(table(&bytes, "Measurements (4)").len(), 11);
    let second = table(&bytes, "Measurements (2)");
    assert_eq!(second[0], table(&bytes, "Measurements")[0]);
    let summary = format!("{:?}", table(&bytes, "Summary"));
    assert!(summary.contains("Measurements continues up to Measurements (4)"));
}

#[test]
fn marks_beyond_the_notes_that_a_sheet_takes_are_said() {
    let limits = SheetLimits {
        notes: 1,
        ..SheetLimits::EXCEL
    };
    let summary = format!("{:?}", table(&workbook(&sample(), &[], limits), "Summary"));
    assert!(summary.contains("Measurements has 1 note; "), "{summary}");
    assert!(summary.contains("further cells are highlighted without one"));
}
