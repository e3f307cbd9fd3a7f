//! The workbook: what the user's customer sees of us.
//!
//! Summary stands first and is filled last. All other sheets are tables, written row by row while the lines pass by, so
//! that memory does not grow with them. The same input gives the same bytes.

mod adjustments;
mod album;
mod cell;
mod charts;
mod downspouts;
mod images;
mod layout;
mod map;
mod measurements;
mod open;
mod rejected;
mod sheet;
mod style;
mod summary;
mod thumbnail;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use jiff::Timestamp;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use crate::export::marks::{Mark, Note, notes};
use crate::export::survey::is_open;
use crate::export::{Adjustment, Asked, Error, Pictures, ResultLine, Results, Survey};
use crate::table::or_refused;

use album::Album;
use sheet::{Column, Plan, TableSheet};

pub(super) use map::NAME as SHEET;
pub use map::{Entry, Head, MapRow, SealFacts};
pub use sheet::Limits;

/// What a workbook is made of, besides the lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content<'a> {
    pub(super) survey: &'a Survey,
    pub(super) adjustments: &'a [Adjustment],
    pub(super) limits: Limits,
    pub(super) pictures: Option<&'a Pictures>,
}

/// Of 1 to 9. The library's own level takes twice as long for a file that is a twentieth smaller.
const COMPRESSION: u8 = 4;

/// Writes the workbook. `scratch` takes the library's temporary files.
///
/// # Errors
/// [`Error::Stream`] when `out` or the scratch folder fails, and those of the journal.
pub(super) fn write(
    results: &Results<'_>,
    content: Content<'_>,
    scratch: &Path,
    out: impl Write + Send,
) -> Result<(), Error> {
    or_refused(|| fill(results, content, scratch, out))?
}

fn fill(
    results: &Results<'_>,
    content: Content<'_>,
    scratch: &Path,
    out: impl Write + Send,
) -> Result<(), Error> {
    let mut workbook = Workbook::new();
    workbook.set_default_format(&style::base(), style::ROW_PIXELS, style::COLUMN_PIXELS)?;
    workbook.set_tempdir(scratch)?;
    workbook.set_zip_compression_level(COMPRESSION);
    workbook.set_properties(&properties(results)?);
    workbook.add_worksheet().set_name(summary::NAME)?;
    let mut sheets = Sheets::add(&mut workbook, results, content)?;
    sheets.push_map_head(&mut workbook, results)?;
    results.each(&mut |line, asked| {
        let entry = LineAt { line, asked };
        sheets.push(&mut workbook, entry, results, content)
    })?;
    results.each_rejected(&mut |row| {
        let cells = rejected::row(row);
        let zone = &results.about.zone;
        Ok(sheets.rejected.push(&mut workbook, zone, &cells, None)?)
    })?;
    sheets.push_adjustments(&mut workbook, results, content)?;
    let seen = Seen {
        adjusted: content.adjustments.len() as u64,
        ..sheets.finish(&mut workbook)?
    };
    summary::fill(
        workbook.worksheet_from_index(0)?,
        results,
        content.survey,
        &seen,
    )?;
    workbook.save_to_writer(out)?;
    Ok(())
}

/// What was only known once every row had passed.
#[derive(Debug, Default)]
struct Seen {
    marked: BTreeMap<Mark, u64>,
    /// Billed measurements on the sheet `Adjustments`.
    adjusted: u64,
    remarks: Vec<String>,
}

/// A line, and whether it is asked for.
#[derive(Clone, Copy)]
struct LineAt<'a> {
    line: &'a ResultLine,
    asked: Asked,
}

/// Every table of the workbook.
struct Sheets {
    measurements: TableSheet,
    downspouts: TableSheet,
    images: TableSheet,
    pictures: Album,
    open: TableSheet,
    rejected: TableSheet,
    adjustments: Option<TableSheet>,
    map: TableSheet,
    marked: BTreeMap<Mark, u64>,
}

impl Sheets {
    fn add(
        workbook: &mut Workbook,
        results: &Results<'_>,
        content: Content<'_>,
    ) -> Result<Self, XlsxError> {
        let survey = content.survey;
        let footer = footer(results);
        // The pages of requests come first; images take what is left.
        let requests = u32::try_from(survey.measured + survey.open).unwrap_or(u32::MAX);
        let image_links = content.limits.links.saturating_sub(requests);
        let mut add = |name, columns: &'static [Column], rows| {
            let links = match name {
                images::NAME => image_links,
                _ => content.limits.links,
            };
            let limits = Limits {
                links,
                ..content.limits
            };
            let plan = Plan {
                name,
                columns,
                rows,
                frozen: u16::from(columns[0].header == "External id"),
                pages_wide: if columns.len() > 12 { 2 } else { 1 },
            };
            TableSheet::add(workbook, plan, limits, &footer)
        };
        let changes = content.adjustments.iter().flat_map(Adjustment::changes);
        let changes = changes.count() as u64;
        let totals = &survey.totals;
        Ok(Self {
            measurements: add(measurements::NAME, &measurements::COLUMNS, survey.measured)?,
            downspouts: add(
                downspouts::NAME,
                &downspouts::COLUMNS,
                totals.downspout_lines,
            )?,
            images: add(
                images::NAME,
                images::columns(content.pictures),
                totals.images,
            )?,
            pictures: Album::default(),
            open: add(open::NAME, &open::COLUMNS, survey.open)?,
            rejected: add(rejected::NAME, &rejected::COLUMNS, survey.rejected())?,
            adjustments: (changes > 0)
                .then(|| add(adjustments::NAME, &adjustments::COLUMNS, changes))
                .transpose()?,
            map: add(
                map::NAME,
                &map::COLUMNS,
                survey.lines + map::head_rows(results).len() as u64,
            )?,
            marked: BTreeMap::new(),
        })
    }

    fn push_map_head(
        &mut self,
        workbook: &mut Workbook,
        results: &Results<'_>,
    ) -> Result<(), XlsxError> {
        let mut rows = map::head_rows(results).into_iter();
        rows.try_for_each(|cells| self.map.push(workbook, &results.about.zone, &cells, None))
    }

    /// Writes everything that a line has.
    fn push(
        &mut self,
        workbook: &mut Workbook,
        LineAt { line, asked }: LineAt<'_>,
        results: &Results<'_>,
        content: Content<'_>,
    ) -> Result<(), Error> {
        let zone = &results.about.zone;
        let selected = asked == Asked::For && line.completed().is_some();
        let open = is_open(line, results.about.as_of);
        if selected || open {
            let notes = notes(line, &content.survey.roofs);
            self.count(&notes);
            if selected {
                self.push_measurement(workbook, line, results, &notes)?;
                self.push_images(workbook, line, results, content)?;
            }
            if open {
                let mark = open::mark(&notes);
                self.open
                    .push(workbook, zone, &open::row(line), mark.as_ref())?;
            }
        }
        let cells = map::row(line, &results.about);
        Ok(self.map.push(workbook, zone, &cells, None)?)
    }

    fn push_measurement(
        &mut self,
        workbook: &mut Workbook,
        line: &ResultLine,
        results: &Results<'_>,
        notes: &[Note],
    ) -> Result<(), Error> {
        let zone = &results.about.zone;
        if let Some(cells) = measurements::row(line) {
            let mark = measurements::mark(notes);
            self.measurements
                .push(workbook, zone, &cells, mark.as_ref())?;
        }
        for cells in downspouts::rows(line) {
            self.downspouts.push(workbook, zone, &cells, None)?;
        }
        Ok(())
    }

    fn push_images(
        &mut self,
        workbook: &mut Workbook,
        line: &ResultLine,
        results: &Results<'_>,
        content: Content<'_>,
    ) -> Result<(), Error> {
        for asset in images::assets(line) {
            let mark = match content.pictures {
                None => None,
                Some(pictures) => {
                    let place = self.images.next_place();
                    self.pictures.add(workbook, place, asset, pictures)?
                }
            };
            let cells = images::row(line, asset);
            self.images
                .push(workbook, &results.about.zone, &cells, mark.as_ref())?;
        }
        Ok(())
    }

    fn push_adjustments(
        &mut self,
        workbook: &mut Workbook,
        results: &Results<'_>,
        content: Content<'_>,
    ) -> Result<(), XlsxError> {
        let Some(sheet) = &mut self.adjustments else {
            return Ok(());
        };
        let mut rows = content.adjustments.iter().flat_map(adjustments::rows);
        rows.try_for_each(|cells| sheet.push(workbook, &results.about.zone, &cells, None))
    }

    fn count(&mut self, notes: &[Note]) {
        for (mark, _) in notes {
            *self.marked.entry(*mark).or_default() += 1;
        }
    }

    /// Fits the columns, hides the map, and tells what a reader should know of the sheets.
    fn finish(self, workbook: &mut Workbook) -> Result<Seen, XlsxError> {
        let shown = [
            Some(&self.measurements),
            Some(&self.downspouts),
            Some(&self.images),
            Some(&self.open),
            Some(&self.rejected),
            self.adjustments.as_ref(),
        ];
        let mut remarks = Vec::new();
        for sheet in shown.into_iter().flatten() {
            sheet.finish(workbook)?;
            remarks.extend(sheet.remarks());
        }
        remarks.extend(self.pictures.remark());
        self.map.finish(workbook)?;
        self.map.hide(workbook)?;
        Ok(Seen {
            marked: self.marked,
            remarks,
            ..Seen::default()
        })
    }
}

/// What every page says below: whose results, and of when.
fn footer(results: &Results<'_>) -> String {
    let about = &results.about;
    let team = about.owner.as_ref().map(|owner| owner.team_name.clone());
    let as_of = about.as_of.map(|as_of| summary::shown(as_of, &about.zone));
    [team, as_of]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// The document's properties. The time is the journal's, so that the same journal gives the same bytes.
fn properties(results: &Results<'_>) -> Result<DocProperties, XlsxError> {
    let about = &results.about;
    let company = about
        .owner
        .as_ref()
        .map_or("", |owner| owner.team_name.as_str());
    let seconds = about.as_of.map_or(0, Timestamp::as_second);
    Ok(DocProperties::new()
        .set_title(summary::title(results))
        .set_subject("Gutter measurements for billing")
        .set_author("gutterbatch")
        .set_company(company)
        .set_creation_datetime(&ExcelDateTime::from_timestamp(seconds)?))
}

impl From<XlsxError> for Error {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::IoError(source) => Self::Stream(source),
            XlsxError::ZipError(source) => Self::Stream(refusal_below(source)),
            other => Self::Workbook(other.to_string()),
        }
    }
}

/// What the system said, where an archive's error is the system's.
fn refusal_below(error: impl std::error::Error + Send + Sync + 'static) -> std::io::Error {
    let below = error.source();
    let refusal = below.and_then(|below| below.downcast_ref::<std::io::Error>()?.raw_os_error());
    match refusal {
        Some(code) => std::io::Error::from_raw_os_error(code),
        None => std::io::Error::other(error),
    }
}
