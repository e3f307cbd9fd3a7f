//! The workbook, written from lines at hand and read back.

mod limits;
mod lines;

use std::io::{Cursor, Read};

use calamine::{Data, Reader, SheetVisible, Xlsx};
use gutterbatch::export::{
    ExportFormat, ExportResults, RenderOptions, ResultRecord, ResultStatistics, SheetLimits, render,
};
use gutterbatch::journal::RejectedRow;
use gutterbatch::model::{Outcome, RowNumber, Status};
use lines::{about, complete, everything, pending};

/// Lines of every sort.
pub(crate) fn sample() -> Vec<ResultRecord> {
    let mut lines: Vec<ResultRecord> = (0..40).map(complete).collect();
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
    lines[43].not_found_since = Some("2026-11-19T10:00:00Z".parse().unwrap());
    lines
}

fn rejected() -> Vec<RejectedRow> {
    let row = |row, outcome, error: &str| RejectedRow {
        source_name: "leads.csv".to_owned(),
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

pub(crate) fn workbook(
    lines: &[ResultRecord],
    rejected: &[RejectedRow],
    limits: SheetLimits,
) -> Vec<u8> {
    let results = ExportResults::from_records(lines, rejected, about(), everything());
    let survey = ResultStatistics::new(&results).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let rendering = RenderOptions {
        options: &crate::billing::sealed::everything(ExportFormat::Xlsx),
        limits,
        adjustments: &[],
        temporary_folder: folder.path(),
    };
    let mut bytes = Vec::new();
    render(&results, &survey, rendering, &mut bytes).unwrap();
    bytes
}

/// The cells of a sheet.
pub(crate) fn table(bytes: &[u8], sheet: &str) -> Vec<Vec<Data>> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes.to_vec())).unwrap();
    let range = workbook.worksheet_range(sheet).unwrap();
    range.rows().map(<[Data]>::to_vec).collect()
}

/// The cell of a row below a header.
pub(crate) fn cell<'a>(table: &[Vec<Data>], row: &'a [Data], header: &str) -> &'a Data {
    let column = table[0].iter().position(|cell| cell == header);
    &row[column.unwrap_or_else(|| panic!("{header} is not in {:?}", table[0]))]
}

/// The texts of a column below its header.
pub(crate) fn column(table: &[Vec<Data>], header: &str) -> Vec<String> {
    let rows = table.iter().skip(1);
    rows.map(|row| cell(table, row, header).to_string())
        .collect()
}

#[test]
fn no_sheet_is_hidden_and_no_contact_data_is_in_the_workbook() {
    let bytes = workbook(&sample(), &rejected(), SheetLimits::EXCEL);
    let book: Xlsx<_> = Xlsx::new(Cursor::new(bytes.clone())).unwrap();
    for sheet in book.sheets_metadata() {
        assert_eq!(sheet.visible, SheetVisible::Visible, "{}", sheet.name);
    }
    for part in entries(&bytes, "") {
        assert!(!part.contains("@example.com"), "{part}");
    }
}

#[test]
fn the_summary_shows_service_app_and_team() {
    let summary = format!(
        "{:?}",
        table(&workbook(&sample(), &[], SheetLimits::EXCEL), "Summary")
    );
    for text in [
        "https://api.example.com",
        "app_1",
        "team_1",
        "America/Toronto",
    ] {
        assert!(summary.contains(text), "{text}");
    }
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let (lines, rejected) = (sample(), rejected());
    let one = workbook(&lines, &rejected, SheetLimits::EXCEL);
    assert!(one == workbook(&lines, &rejected, SheetLimits::EXCEL));
    if let Ok(path) = std::env::var("GUTTERBATCH_SEE") {
        std::fs::write(path, &one).unwrap();
    }
}

#[test]
fn text_that_looks_like_a_formula_stays_text() {
    let rows = table(
        &workbook(&sample(), &[], SheetLimits::EXCEL),
        "Measurements",
    );
    assert_eq!(
        *cell(&rows, &rows[12], "Installer message"),
        Data::String("=HYPERLINK(\"http://evil\")".to_owned())
    );
}

#[test]
fn control_characters_in_the_services_text_leave_the_xml_whole() {
    let controls: String = (0..0x20)
        .chain([0xFFFE, 0xFFFF])
        .filter_map(char::from_u32)
        .collect();
    let mut lines = sample();
    for line in &mut lines {
        let measurement = &mut line.measurement;
        let url = format!("https://example.com/{controls}");
        measurement.request.url = Some(url.clone());
        measurement.request.customer.name = Some(controls.clone());
        measurement.address.city = controls.clone();
        measurement.address.formatted = Some(controls.clone());
        if let Some(result) = &mut measurement.result {
            result.installer_message = Some(controls.clone());
            result.asset_pack[0].url = url.clone();
            result.asset_pack[1].url = format!("https://{controls}/");
            result.asset_pack[1].content_type = controls.clone();
        }
    }
    let mut rejected = rejected();
    rejected[0].error = controls.clone();
    let book = workbook(&lines, &rejected, SheetLimits::EXCEL);
    for part in entries(&book, "") {
        let is_forbidden = |c: char| matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}');
        assert!(!part.contains(is_forbidden), "{part:?}");
        let mut reader = quick_xml::Reader::from_str(&part);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    }
    if let Ok(path) = std::env::var("GUTTERBATCH_SEE") {
        std::fs::write(format!("{path}.controls.xlsx"), &book).unwrap();
    }
}

/// The parts of a workbook whose names begin so, as text.
pub(crate) fn entries(bytes: &[u8], prefix: &str) -> Vec<String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let names: Vec<String> = archive
        .file_names()
        .map(Result::unwrap)
        .map(|name| name.to_string())
        .collect();
    let wanted = names.iter().filter(|name| name.starts_with(prefix));
    wanted
        .map(|name| {
            let mut content = Vec::new();
            archive
                .by_name(name)
                .unwrap()
                .read_to_end(&mut content)
                .unwrap();
            String::from_utf8_lossy(&content).into_owned()
        })
        .collect()
}

const SHEETS: [&str; 6] = [
    "Summary",
    "Measurements",
    "Downspouts",
    "Images",
    "Open",
    "Rejected",
];

#[test]
fn every_sheet_is_there_even_when_there_is_nothing() {
    let bytes = workbook(&[], &[], SheetLimits::EXCEL);
    let book: Xlsx<_> = Xlsx::new(Cursor::new(bytes.clone())).unwrap();
    assert_eq!(book.sheet_names(), SHEETS);
    for (sheet, headers) in HEADERS {
        assert_eq!(
            table(&bytes, sheet)[0],
            headers.split('|').collect::<Vec<_>>()
        );
    }
}

#[test]
fn no_row_of_a_sheet_is_written_twice() {
    let mut last = sample();
    last.truncate(12);
    let limits = SheetLimits {
        rows: 13,
        ..SheetLimits::EXCEL
    };
    for bytes in [
        workbook(&[], &[], SheetLimits::EXCEL),
        workbook(&sample(), &rejected(), SheetLimits::EXCEL),
        workbook(&last, &rejected(), limits),
    ] {
        for sheet in entries(&bytes, "xl/worksheets/sheet") {
            let rows = sheet.split("<row r=\"").skip(1);
            let numbers = rows.map(|rest| rest.split('"').next().unwrap());
            let numbers: Vec<u32> = numbers.map(|number| number.parse().unwrap()).collect();
            assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
        }
    }
}

#[test]
fn the_measurements_are_printed_without_the_columns_about_their_origin() {
    let bytes = workbook(&sample(), &[], SheetLimits::EXCEL);
    let book = entries(&bytes, "xl/workbook.xml").concat();
    let (_, area) = book.split_once("\"_xlnm.Print_Area\"").unwrap();
    let area = area.split('>').nth(1).unwrap();
    assert_eq!(area.split('<').next(), Some("Measurements!$A$1:$N$41"));
}

/// The documented headers of each table.
const HEADERS: [(&str, &str); 5] = [
    (
        "Measurements",
        "External id|Customer|Address|City|Region|Postal code|Country|Completed|Gutter length (ft)|Gutter size (in)|Corners|Downspouts|Downspout length (ft)|Installer message|Images|Measurement|Request|Source file|Source row|Sealed",
    ),
    (
        "Downspouts",
        "External id|Address|No.|Length (ft)|Floors|Size (in)|Measurement",
    ),
    ("Images", "External id|Kind|Link|Type|Measurement"),
    (
        "Open",
        "External id|Customer|Address|City|Region|Postal code|Country|Status|Requested|Updated|Request|Measurement|Source file|Source row|Why",
    ),
    (
        "Rejected",
        "Source file|Source row|External id|Customer|Address|Outcome|Error",
    ),
];

#[test]
fn headers_are_the_documented_ones() {
    let bytes = workbook(&sample(), &[], SheetLimits::EXCEL);
    for (sheet, headers) in HEADERS {
        let rows = table(&bytes, sheet);
        assert_eq!(rows[0], headers.split('|').collect::<Vec<_>>());
    }
    assert_eq!(table(&bytes, "Measurements").len(), 41);
}

#[test]
fn every_sheet_prints_one_page_wide() {
    for sheet in entries(
        &workbook(&sample(), &rejected(), SheetLimits::EXCEL),
        "xl/worksheets/sheet",
    ) {
        assert!(sheet.contains(r#"<pageSetUpPr fitToPage="1"/>"#), "{sheet}");
        assert!(!sheet.contains("fitToWidth"), "{sheet}");
    }
}

#[test]
fn numbers_are_numbers_and_moments_are_the_zones_wall_clock() {
    let rows = table(
        &workbook(&sample(), &[], SheetLimits::EXCEL),
        "Measurements",
    );
    let first = |header| cell(&rows, &rows[1], header);
    assert_eq!(*first("Gutter length (ft)"), Data::Float(120.0));
    // 14:30 UTC on 3 August is 10:30 in Toronto.
    let Data::DateTime(completed) = first("Completed") else {
        panic!("{:?}", rows[1]);
    };
    assert!((completed.as_f64().fract() - 10.5 / 24.0).abs() < 1e-9);
    assert_eq!(*first("External id"), Data::String("L-1000".to_owned()));
}

#[test]
fn what_a_person_should_look_at_carries_a_note() {
    let bytes = workbook(&sample(), &[], SheetLimits::EXCEL);
    let notes = entries(&bytes, "xl/comments").concat();
    for text in [
        "Placed elsewhere (city, postal code)",
        "Same location: at the same point as L-1008",
        "Totals do not match: the total is",
    ] {
        assert!(notes.contains(text), "{text}");
    }
    let summary = format!("{:?}", table(&bytes, "Summary"));
    assert!(
        summary.contains("String(\"2026-11-20 10:00 EST\")"),
        "{summary}"
    );
    assert!(summary.contains("2026-06-30 20:00:00-04:00"), "{summary}");
    assert!(summary.contains("Totals that do not match"));
}

#[test]
fn open_holds_what_is_not_final_and_rejected_what_became_nothing() {
    let bytes = workbook(&sample(), &rejected(), SheetLimits::EXCEL);
    let open = table(&bytes, "Open");
    assert_eq!(
        column(&open, "Status"),
        [
            "pending",
            "in_progress",
            "canceled",
            "not_found",
            "pending",
            "pending"
        ]
    );
    assert_eq!(
        column(&open, "Why"),
        [
            "the contractor has not started",
            "the contractor is measuring",
            "canceled, there will be no result",
            "not found: the service no longer has it for this team",
            "the contractor has not started",
            "the contractor has not started"
        ]
    );
    let rejected = table(&bytes, "Rejected");
    let first = |header| cell(&rejected, &rejected[1], header);
    assert_eq!(*first("Outcome"), Data::String("invalid".to_owned()));
    assert_eq!(*first("Source row"), Data::Float(60.0));
}

#[test]
fn an_existing_measurement_that_is_not_found_may_be_of_another_team() {
    let mut lines = vec![complete(0)];
    lines[0].outcome = Outcome::Existing;
    lines[0].not_found_since = about().as_of;
    let open = table(&workbook(&lines, &[], SheetLimits::EXCEL), "Open");
    let why = "not found: perhaps another team of the app has this id";
    assert_eq!(column(&open, "Why"), [why]);
}

#[test]
fn a_complete_measurement_is_open_until_its_result_and_its_images_are_there() {
    let mut lines: Vec<ResultRecord> = (0..3).map(complete).collect();
    let newest = about().as_of;
    lines[0].measurement.result = None;
    lines[1].measurement.completed_at = newest;
    let result = lines[1].measurement.result.as_mut().unwrap();
    result.asset_pack.clear();
    let open = table(&workbook(&lines, &[], SheetLimits::EXCEL), "Open");
    assert_eq!(
        column(&open, "Why"),
        [
            "complete, result not yet available",
            "complete, images still to come"
        ]
    );
}
