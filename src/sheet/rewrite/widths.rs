//! The column widths of a sheet, which precede its cells.

use std::fs::File;
use std::io::{BufReader, Read};

use zip::ZipArchive;

use crate::sheet::parts::{attribute, sheet_part, tags};

/// Everything before the first cell fits in this many bytes.
const HEAD: u64 = 1 << 20;

/// What the file adds to a width that a person sets, in characters of the usual font: 5 pixels of 7 to a character.
const PADDING: f64 = 5.0 / 7.0;

/// Columns that share a width.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WidthRange {
    first: usize,
    last: usize,
    characters: f64,
}

/// The widths that a sheet sets.
#[derive(Debug, Default)]
pub(super) struct ColumnWidths(Vec<WidthRange>);

impl ColumnWidths {
    /// Reads them; a sheet that cannot be read this way sets none.
    pub(super) fn read(file: File, sheet: &str) -> Self {
        Self(head(file, sheet).map_or_else(Vec::new, |head| runs(&head)))
    }

    /// The width of a zero-based column in characters; none where the sheet leaves it at the usual.
    pub(super) fn get(&self, column: usize) -> Option<f64> {
        let run = self
            .0
            .iter()
            .find(|run| (run.first..=run.last).contains(&column));
        run.map(|run| run.characters)
    }
}

fn head(file: File, sheet: &str) -> Option<String> {
    let mut archive = ZipArchive::new(BufReader::new(file)).ok()?;
    let part = sheet_part(&mut archive, sheet)?;
    let mut head = Vec::new();
    let entry = archive.by_name(&part).ok()?;
    entry.take(HEAD).read_to_end(&mut head).ok()?;
    Some(String::from_utf8_lossy(&head).into_owned())
}

fn runs(xml: &str) -> Vec<WidthRange> {
    let columns = xml.split_once("sheetData").map_or(xml, |(head, _)| head);
    let runs = tags(columns, "col").filter_map(|tag| {
        let value = |name| std::str::from_utf8(attribute(tag.as_bytes(), name)?).ok();
        let number = |name| value(name)?.parse::<usize>().ok()?.checked_sub(1);
        let width: f64 = value("width")?.parse().ok()?;
        Some(WidthRange {
            first: number("min")?,
            last: number("max")?,
            characters: width - PADDING,
        })
    });
    // A hidden column may have no width at all; a copy shows it.
    runs.filter(|run| (1.0..=255.0).contains(&run.characters))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_of_a_run_has_its_width() {
        let xml = r#"<cols><col min="1" max="3" width="20.7142857" customWidth="1"/><col min="5" max="5" width="0" hidden="1"/></cols><sheetData><c><col min="9" max="9" width="30"/>"#;
        let widths = ColumnWidths(runs(xml));
        let rounded = |column| widths.get(column).map(f64::round);
        assert_eq!(rounded(0), Some(20.0));
        assert_eq!(rounded(2), Some(20.0));
        assert_eq!([rounded(3), rounded(4), rounded(8)], [None; 3]);
    }
}
