//! The sheet `Summary`: totals, counts, charts, and the origin of the measurements.

use jiff::Timestamp;
use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::export::columns::{CORNERS, DOWNSPOUT_LENGTH, DOWNSPOUTS, GUTTER_LENGTH, IMAGES};
use crate::export::review::ReviewReason;
use crate::export::workbook::figure_blocks::{BLOCKS, COMPLETED, Figure, block, count};
use crate::export::workbook::sheet_setup::{set_up_page, write_across};
use crate::export::workbook::style;
use crate::export::workbook::{TableSummary, charts, provenance};
use crate::export::{ExportResults, FigureTotals, ResultStatistics, TimeZoneName, feet_text};
use crate::model::{first_of, pluralize};

const LAST_COLUMN: u16 = 7;
/// Widths in characters.
const LABEL_WIDTH: u16 = 30;
const FIGURE_WIDTH: u16 = 14;
const GAP_WIDTH: u16 = 3;

/// Returns the title of the workbook.
pub(super) fn title(results: &ExportResults<'_>) -> String {
    match results.context.sealed {
        Some(number) => format!("Gutter measurements: sealed export {number}"),
        None => "Gutter measurements".to_owned(),
    }
}

/// Returns a local time with the abbreviation of its zone.
pub(super) fn local_time(moment: Timestamp, zone: &TimeZoneName) -> String {
    let local = zone.to_local(moment).strftime("%Y-%m-%d %H:%M");
    format!("{local} {}", zone.abbreviation(moment))
}

/// Fills the sheet, from top to bottom.
pub(super) fn fill(
    sheet: &mut Worksheet,
    results: &ExportResults<'_>,
    statistics: &ResultStatistics,
    outcome: &TableSummary,
) -> Result<(), XlsxError> {
    set_up(sheet)?;
    let mut row = write_title(sheet, results)?;
    row = write_figures(sheet, row, statistics, outcome)?;
    let charts_at = row;
    row = if statistics.completed > 0 {
        row + charts::ROWS
    } else {
        write_paragraph(sheet, row, no_charts(statistics, outcome))? + 1
    };
    row = write_origin(sheet, row, results, statistics, outcome)?;
    if statistics.completed > 0 {
        row = charts::add(sheet, charts_at, row, statistics)?;
    }
    // Few rows are scaled to one page; 0 means as many pages as needed.
    sheet.set_print_fit_to_pages(1, u16::from(row <= ONE_PAGE));
    Ok(())
}

/// Returns why there are no charts.
fn no_charts(statistics: &ResultStatistics, outcome: &TableSummary) -> &'static str {
    match statistics.all.complete() {
        _ if outcome.adjustment_totals.is_some() => {
            "No measurement is billed here for the first time, only adjustments."
        }
        0 => "No measurement is complete yet.",
        _ => "No completed measurement belongs to this export.",
    }
}

/// Maximum number of rows that are readable on one page.
const ONE_PAGE: u32 = 64;

fn set_up(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    sheet.set_screen_gridlines(false);
    for block in BLOCKS {
        sheet.set_column_width(block, LABEL_WIDTH)?;
        sheet.set_column_width(block + 1, FIGURE_WIDTH)?;
        if block + 1 < LAST_COLUMN {
            sheet.set_column_width(block + 2, GAP_WIDTH)?;
        }
    }
    set_up_page(sheet, "");
    Ok(())
}

/// Writes the title, the team, the period and the time, and a warning if the export is partial. Returns the next free
/// row.
fn write_title(sheet: &mut Worksheet, results: &ExportResults<'_>) -> Result<u32, XlsxError> {
    let context = &results.context;
    sheet.set_row_height(0, 34)?;
    sheet.write_string_with_format(0, 0, title(results), &style::title())?;
    let team = context.owner.as_ref().map(|owner| owner.team_name.clone());
    let period = match (&results.filter.period, context.sealed) {
        (Some(period), _) => format!("completed {}", period.name()),
        (None, Some(_)) => "complete and not billed before".to_owned(),
        (None, None) => "all measurements".to_owned(),
    };
    let as_of = match context.as_of {
        Some(as_of) => format!("as of {}", local_time(as_of, &context.zone)),
        None => "no response yet".to_owned(),
    };
    let kind = context.sealed.is_none().then(|| "not a bill".to_owned());
    let line: Vec<String> = team
        .into_iter()
        .chain([period, as_of])
        .chain(kind)
        .collect();
    let line = line.join("   ·   ");
    write_across(sheet, 1, (0, LAST_COLUMN), &line, &style::secondary())?;
    let Some(partial) = &context.partial else {
        return Ok(3);
    };
    let warning = format!(
        "Partial: {} could not be requested again ({}). Their data may be out of date.",
        pluralize(partial.not_asked, "measurement"),
        partial.reason
    );
    sheet.set_row_height(2, 24)?;
    write_across(sheet, 2, (0, LAST_COLUMN), &warning, &style::warning())?;
    Ok(4)
}

fn write_figures(
    sheet: &mut Worksheet,
    row: u32,
    statistics: &ResultStatistics,
    outcome: &TableSummary,
) -> Result<u32, XlsxError> {
    let mut totals = totals(statistics);
    if let Some(net) = outcome.adjustment_totals {
        totals.extend(figures("Adjusted: ", net));
        totals.extend(figures("To bill: ", net + statistics.totals.figures));
    }
    let states = statistics
        .all
        .iter()
        .map(|(name, lines)| count(&name.replace('_', " "), lines));
    let states: Vec<Figure> = states
        .chain([count("rejected rows", statistics.rejected())])
        .collect();
    let reasons: Vec<Figure> = ReviewReason::ALL
        .into_iter()
        .map(|reason| {
            let measurements = outcome.to_review.get(&reason).copied();
            count(reason.name(), measurements.unwrap_or(0))
        })
        .collect();
    let blocks = [
        ("Totals", totals),
        ("By status, all so far", states),
        ("To review", reasons),
    ];
    let mut next = row;
    for (column, (heading, figures)) in BLOCKS.into_iter().zip(blocks) {
        next = next.max(block(sheet, row, column, heading, &figures)?);
    }
    Ok(next + 1)
}

fn totals(statistics: &ResultStatistics) -> Vec<Figure> {
    let mut totals = vec![count(COMPLETED, statistics.completed)];
    totals.extend(figures("", statistics.totals.figures));
    totals.push(count(IMAGES.header, statistics.totals.images));
    totals
}

/// Returns the sums of the billed figures, each with `what` in front of its header.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn figures(what: &str, sums: FigureTotals) -> [Figure; 4] {
    [
        (GUTTER_LENGTH, sums.gutter_length_ft.value()),
        (CORNERS, sums.corner_count as f64),
        (DOWNSPOUTS, sums.downspout_count as f64),
        (DOWNSPOUT_LENGTH, sums.downspout_length_ft.value()),
    ]
    .map(|(column, sum)| (format!("{what}{}", column.header), column.kind, sum))
}

/// Writes the origin of the measurements. Returns the next free row.
fn write_origin(
    sheet: &mut Worksheet,
    row: u32,
    results: &ExportResults<'_>,
    statistics: &ResultStatistics,
    outcome: &TableSummary,
) -> Result<u32, XlsxError> {
    for column in 0..=LAST_COLUMN {
        sheet.write_blank(row, column, &style::heading())?;
    }
    sheet.write_string_with_format(row, 0, "Where the numbers come from", &style::heading())?;
    let mut next = provenance::write_labels(sheet, row + 1, LAST_COLUMN, results)?;
    for text in paragraphs(results, statistics, outcome) {
        next = write_paragraph(sheet, next, &text)?;
    }
    provenance::write_seals(sheet, next + 1, results)
}

/// Maximum number of source files to list.
const MAX_SOURCES: usize = 8;

fn paragraphs(
    results: &ExportResults<'_>,
    statistics: &ResultStatistics,
    outcome: &TableSummary,
) -> Vec<String> {
    let context = &results.context;
    let mut texts = Vec::new();
    if let Some(sources) = sources(statistics) {
        texts.push(format!("Requested from {sources}."));
    }
    let downspouts = match statistics.totals.downspout_lines {
        0 => String::new(),
        lines => format!(
            " The {} on the sheet Downspouts add up to {}.",
            pluralize(lines, "line"),
            feet_text(statistics.totals.downspout_line_length.value())
        ),
    };
    texts.push(format!(
        "Lengths are decimal feet and sizes inches, as the service gives them. Totals are the sums of the sheet Measurements.{downspouts}"
    ));
    texts.push(format!(
        "Times are in the zone {}. Highlighted cells have a note that explains them.",
        context.zone.name()
    ));
    if context.unanswered > 0 {
        texts.push(format!(
            "Sent without a known response, and on no sheet: {}. Import the file again to resolve that.",
            pluralize(context.unanswered, "row")
        ));
    }
    texts.extend(outcome.remarks.iter().map(|remark| sentence(remark)));
    if outcome.adjusted > 0 {
        let billed = match context.sealed {
            Some(_) => "",
            None => " The next sealed export bills the difference.",
        };
        texts.push(format!(
            "{} changed after being billed: the sheet Adjustments has the old figures, the new ones and the difference.{billed}",
            pluralize(outcome.adjusted, "measurement")
        ));
    }
    if let Some(number) = context.sealed {
        texts.push(format!(
            "This is sealed export {number}: no other one bills its measurements. gutterbatch export billing-{number}.xlsx --again {number} writes the same file again."
        ));
    }
    texts
}

fn sources(statistics: &ResultStatistics) -> Option<String> {
    let each = statistics.sources.iter().map(|(source, lines)| {
        let name = source.file_name();
        let sheet = source.sheet.as_ref();
        let of_sheet = sheet.map_or_else(String::new, |sheet| format!(", sheet {sheet}"));
        format!("{name}{of_sheet} ({})", pluralize(*lines, "measurement"))
    });
    let named = first_of(each, MAX_SOURCES, "; ");
    (!named.is_empty()).then_some(named)
}

fn sentence(fragment: &str) -> String {
    let mut characters = fragment.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}

/// Number of characters in a line across the page.
const LINE_LENGTH: usize = 175;

/// Writes text across the page, in a row that is high enough. Returns the next free row.
fn write_paragraph(sheet: &mut Worksheet, row: u32, text: &str) -> Result<u32, XlsxError> {
    let lines = u32::try_from(text.chars().count().div_ceil(LINE_LENGTH)).unwrap_or(u32::MAX);
    sheet.set_row_height_pixels(row, style::ROW_PIXELS.saturating_mul(lines.clamp(1, 20)))?;
    write_across(sheet, row, (0, LAST_COLUMN), text, &style::secondary())?;
    Ok(row + 1)
}
