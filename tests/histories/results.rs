//! What exported files say, read without the code that wrote them.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, Reader as _, Xlsx};
use serde_json::Value;

use super::figures::{FIGURES, Figures};

/// A line of an export.
#[derive(Clone, Debug)]
pub(super) struct ResultLine {
    pub(super) measurement: String,
    pub(super) figures: Option<Figures>,
}

/// A sealed workbook.
#[derive(Debug)]
pub(super) struct SealedWorkbook {
    pub(super) number: u64,
    pub(super) lines: Vec<ResultLine>,
    pub(super) adjustments: Vec<ShownAdjustment>,
}

/// The changed figures of a measurement.
#[derive(Debug)]
pub(super) struct ShownAdjustment {
    pub(super) measurement: String,
    pub(super) old: [Option<f64>; 4],
    pub(super) new: [Option<f64>; 4],
}

/// The figures of a JSON export, in the order of [`Figures`].
const JSON_FIGURES: [&str; 4] = [
    "gutter_length_ft",
    "corner_count",
    "downspout_count",
    "downspout_length_ft",
];

/// Each measurement of a JSON export.
pub(super) fn json_lines(content: &[u8]) -> Vec<ResultLine> {
    let lines: Vec<Value> = serde_json::from_slice(content).unwrap();
    let line = |line: Value| ResultLine {
        measurement: line["measurement_id"].as_str().unwrap().to_owned(),
        figures: all_of(JSON_FIGURES.map(|key| line[key].as_f64())),
    };
    lines.into_iter().map(line).collect()
}

/// The figures, unless one of them is missing.
fn all_of(figures: [Option<f64>; 4]) -> Option<Figures> {
    let [Some(gutters), Some(corners), Some(downspouts), Some(length)] = figures else {
        return None;
    };
    Some([gutters, corners, downspouts, length])
}

/// The rows of a sheet by header.
fn rows(book: &mut Xlsx<Cursor<&[u8]>>, sheet: &str) -> Vec<BTreeMap<String, Data>> {
    let Ok(range) = book.worksheet_range(sheet) else {
        return Vec::new();
    };
    let mut rows = range.rows();
    let headers: Vec<String> = rows
        .next()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    rows.map(|row| headers.iter().cloned().zip(row.iter().cloned()).collect())
        .collect()
}

/// The workbook, if it is a sealed one: its lines carry the number of their export, and so does an adjustment's title.
pub(super) fn sealed_workbook(content: &[u8]) -> Option<SealedWorkbook> {
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(content)).ok()?;
    let summary = book.worksheet_range("Summary").ok()?;
    let mut texts = summary.rows().flatten().map(ToString::to_string);
    let number = texts.find_map(|text| sealed_number(&text))?;
    let number_of = |data: &Data| match data {
        Data::Float(number) => Some(*number),
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        Data::Int(number) => Some(*number as f64),
        _ => None,
    };
    let lines = rows(&mut book, "Measurements")
        .into_iter()
        .filter_map(|row| {
            let measurement = row["Measurement"].to_string();
            measurement.starts_with("msr_").then(|| ResultLine {
                measurement,
                figures: all_of(FIGURES.map(|header| number_of(&row[header]))),
            })
        });
    let lines = lines.collect();
    let has_adjustments = book.sheet_names().iter().any(|name| name == "Adjustments");
    let adjustments = if has_adjustments {
        let mut adjustments: BTreeMap<String, ShownAdjustment> = BTreeMap::new();
        for row in rows(&mut book, "Adjustments") {
            let measurement = row["Measurement"].to_string();
            let figure = row["Figure"].to_string();
            let figure = FIGURES.iter().position(|header| *header == figure);
            let Some(figure) = figure.filter(|_| measurement.starts_with("msr_")) else {
                continue;
            };
            let adjustment = adjustments.entry(measurement.clone());
            let adjustment = adjustment.or_insert_with(|| ShownAdjustment {
                measurement,
                old: [None; 4],
                new: [None; 4],
            });
            adjustment.old[figure] = Some(number_of(&row["Old"]).unwrap_or(0.0));
            adjustment.new[figure] = Some(number_of(&row["New"]).unwrap_or(0.0));
        }
        adjustments.into_values().collect()
    } else {
        Vec::new()
    };
    Some(SealedWorkbook {
        number,
        lines,
        adjustments,
    })
}

/// The ids of all measurements that a workbook shows.
pub(super) fn shown_measurements(content: &[u8]) -> Vec<String> {
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(content)).unwrap();
    let rows = ["Measurements", "Open"].map(|sheet| rows(&mut book, sheet));
    let ids = rows
        .into_iter()
        .flatten()
        .map(|row| row["Measurement"].to_string());
    ids.filter(|id| id.starts_with("msr_")).collect()
}

/// The ids of the canceled measurements that a workbook shows.
pub(super) fn canceled_measurements(content: &[u8]) -> Vec<String> {
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(content)).unwrap();
    let open = rows(&mut book, "Open").into_iter();
    let canceled =
        open.filter(|row| matches!(&row["Status"], Data::String(status) if status == "canceled"));
    canceled.map(|row| row["Measurement"].to_string()).collect()
}

fn sealed_number(text: &str) -> Option<u64> {
    let number = text.strip_prefix("Gutter measurements: sealed export ")?;
    number.parse().ok()
}
