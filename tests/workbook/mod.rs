//! The workbook, written from lines at hand and read back.

mod lines;

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use gutterbatch::export::{
    ExcelSafe, Format, Limits, Rendering, ResultLine, Results, Survey, render,
};
use gutterbatch::journal::RejectedRow;
use gutterbatch::model::{Outcome, RowNumber, Source, Status};

use lines::{about, complete, everything, pending};

/// Lines of every sort.
fn sample() -> Vec<ResultLine> {
    let mut lines: Vec<ResultLine> = (0..40).map(complete).collect();
    lines[3].measurement.address.formatted =
        Some("103 King St W, Kingston, ON K7L 1A1, Canada".to_owned());
    lines[7].measurement.address.lat = lines[8].measurement.address.lat;
    lines[9]
        .measurement
        .result
        .as_mut()
        .unwrap()
        .downspout_length_ft += 12.5;
    lines[11]
        .measurement
        .result
        .as_mut()
        .unwrap()
        .installer_message = Some("=HYPERLINK(\"http://evil\")".to_owned());
    lines.extend((40..46).map(pending));
    lines[41].measurement.status = Status::InProgress;
    lines[42].measurement.status = Status::Canceled;
    lines[43].gone_at = Some("2026-11-19T10:00:00Z".parse().unwrap());
    lines
}

fn rejected() -> Vec<RejectedRow> {
    let row = |row, outcome, error: &str| RejectedRow {
        source: Source {
            path: "/home/ada/leads.csv".into(),
            sheet: None,
        },
        row: RowNumber(row),
        external_id: Some(format!("L-{row}")),
        customer: Some("Jo Doe".to_owned()),
        address: Some("1 Elm St, Ottawa, ON K1A 0B1".to_owned()),
        outcome,
        error: error.to_owned(),
    };
    vec![
        row(60, Outcome::Invalid, "postal_code: is empty"),
        row(
            61,
            Outcome::Refused,
            "address.region: is not a province or state code",
        ),
        row(
            62,
            Outcome::Conflict,
            "the id belongs to another house: 9 Oak Ave, Ottawa, ON K1A 0B1",
        ),
    ]
}

fn workbook(lines: &[ResultLine], rejected: &[RejectedRow], limits: Limits) -> Vec<u8> {
    let results = Results::of_lines(lines, rejected, about(), everything());
    let survey = Survey::of(&results).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let rendering = Rendering {
        format: Format::Xlsx,
        safety: ExcelSafe::Off,
        limits,
        adjustments: &[],
        pictures: None,
        scratch: folder.path(),
    };
    let mut bytes = Vec::new();
    render(&results, &survey, rendering, &mut bytes).unwrap();
    bytes
}

fn table(bytes: &[u8], sheet: &str) -> Vec<Vec<Data>> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes.to_vec())).unwrap();
    let range = workbook.worksheet_range(sheet).unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let (lines, rejected) = (sample(), rejected());
    let one = workbook(&lines, &rejected, Limits::EXCEL);
    assert!(one == workbook(&lines, &rejected, Limits::EXCEL));
    if let Ok(path) = std::env::var("GUTTERBATCH_SEE") {
        std::fs::write(path, &one).unwrap();
    }
}

#[test]
fn text_that_looks_like_a_formula_stays_text() {
    let rows = table(&workbook(&sample(), &[], Limits::EXCEL), "Measurements");
    assert_eq!(
        rows[12][13],
        Data::String("=HYPERLINK(\"http://evil\")".to_owned())
    );
}
