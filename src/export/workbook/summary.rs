//! `Summary`: what the numbers are, whose, of when, and where they come from.

use jiff::Timestamp;
use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::export::columns::{CORNERS, DOWNSPOUT_LENGTH, DOWNSPOUTS, GUTTER_LENGTH, IMAGES};
use crate::export::marks::ResultMark;
use crate::export::result_column::ColumnKind;
use crate::export::workbook::blocks::{BLOCKS, Figure, block, count};
use crate::export::workbook::layout::print_set_up;
use crate::export::workbook::style;
use crate::export::workbook::{WorkbookRemarks, charts, origin};
use crate::export::{ExportResults, ResultSurvey, ZoneName};
use crate::model::counted;

const LAST_COLUMN: u16 = 7;
/// Characters.
const LABEL_WIDTH: u16 = 30;
const FIGURE_WIDTH: u16 = 14;
const GAP_WIDTH: u16 = 3;

/// What the workbook is called.
pub(super) fn title(results: &ExportResults<'_>) -> String {
    match results.about.sealed {
        Some(number) => format!("Gutter measurements: sealed export {number}"),
        None => "Gutter measurements".to_owned(),
    }
}

/// A moment as people read it, its zone named.
pub(super) fn shown(moment: Timestamp, zone: &ZoneName) -> String {
    let wall = zone.wall(moment).strftime("%Y-%m-%d %H:%M");
    format!("{wall} {}", zone.abbreviation(moment))
}

/// Fills the sheet, from top to bottom.
pub(super) fn fill(
    sheet: &mut Worksheet,
    results: &ExportResults<'_>,
    survey: &ResultSurvey,
    seen: &WorkbookRemarks,
) -> Result<(), XlsxError> {
    set_up(sheet)?;
    let mut row = head(sheet, results)?;
    row = figures(sheet, row, survey, seen)?;
    let charts_at = row;
    row = if survey.measured > 0 {
        row + charts::ROWS
    } else {
        paragraph(sheet, row, nothing(survey))? + 1
    };
    row = origins(sheet, row, results, survey, seen)?;
    if survey.measured > 0 {
        row = charts::add(sheet, charts_at, row, survey)?;
    }
    // A few weeks of numbers below the charts do not open a page of their own; none is as many as it takes.
    sheet.set_print_fit_to_pages(1, u16::from(row <= ONE_PAGE));
    Ok(())
}

/// Why there is nothing to draw.
fn nothing(survey: &ResultSurvey) -> &'static str {
    match survey.all.complete() {
        0 => "No measurement is complete yet.",
        _ => "No completed measurement belongs to this export.",
    }
}

/// Rows that can still be read on one page.
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
    print_set_up(sheet, "");
    Ok(())
}

/// Title, whose and when, and a warning where the knowledge is partial. Returns the next free row.
fn head(sheet: &mut Worksheet, results: &ExportResults<'_>) -> Result<u32, XlsxError> {
    let about = &results.about;
    sheet.set_row_height(0, 34)?;
    sheet.write_string_with_format(0, 0, title(results), &style::title())?;
    let team = about.owner.as_ref().map(|owner| owner.team_name.clone());
    let period = match (&results.selection.period, about.sealed) {
        (Some(period), _) => format!("completed {}", period.name()),
        (None, Some(_)) => "complete and not billed before".to_owned(),
        (None, None) => "all measurements".to_owned(),
    };
    let as_of = match about.as_of {
        Some(as_of) => format!("as of {}", shown(as_of, &about.zone)),
        None => "nothing is known yet".to_owned(),
    };
    let line: Vec<String> = team.into_iter().chain([period, as_of]).collect();
    sheet.merge_range(1, 0, 1, LAST_COLUMN, &line.join("   ·   "), &style::quiet())?;
    let Some(partial) = &about.partial else {
        return Ok(3);
    };
    let warning = format!(
        "Partial: {} could not be asked for again ({}). What is shown of them may be out of date.",
        counted(partial.not_asked, "measurement"),
        partial.reason
    );
    sheet.set_row_height(2, 24)?;
    sheet.merge_range(2, 0, 2, LAST_COLUMN, &warning, &style::warning())?;
    Ok(4)
}

fn figures(
    sheet: &mut Worksheet,
    row: u32,
    survey: &ResultSurvey,
    seen: &WorkbookRemarks,
) -> Result<u32, XlsxError> {
    let totals = totals(survey);
    let states = survey
        .all
        .iter()
        .map(|(name, lines)| count(&name.replace('_', " "), lines));
    let states: Vec<Figure> = states
        .chain([count("rejected rows", survey.rejected())])
        .collect();
    let marks: Vec<Figure> = ResultMark::COUNTED
        .into_iter()
        .map(|(mark, name)| count(name, seen.marked.get(&mark).copied().unwrap_or(0)))
        .collect();
    let blocks = [
        ("Totals", totals),
        ("By status", states),
        ("To look at", marks),
    ];
    let mut next = row;
    for (column, (heading, figures)) in BLOCKS.into_iter().zip(blocks) {
        next = next.max(block(sheet, row, column, heading, &figures)?);
    }
    Ok(next + 1)
}

fn totals(survey: &ResultSurvey) -> Vec<Figure> {
    let totals = &survey.totals;
    vec![
        count("Completed measurements", survey.measured),
        (
            GUTTER_LENGTH.header.to_owned(),
            ColumnKind::Feet,
            totals.gutter_length.value(),
        ),
        count(CORNERS.header, totals.corners),
        count(DOWNSPOUTS.header, totals.downspouts),
        (
            DOWNSPOUT_LENGTH.header.to_owned(),
            ColumnKind::Feet,
            totals.downspout_length.value(),
        ),
        count(IMAGES.header, totals.images),
    ]
}

/// Where the numbers come from. Returns the next free row.
fn origins(
    sheet: &mut Worksheet,
    row: u32,
    results: &ExportResults<'_>,
    survey: &ResultSurvey,
    seen: &WorkbookRemarks,
) -> Result<u32, XlsxError> {
    for column in 0..=LAST_COLUMN {
        sheet.write_blank(row, column, &style::heading())?;
    }
    sheet.write_string_with_format(row, 0, "Where the numbers come from", &style::heading())?;
    let mut next = origin::write(sheet, row + 1, LAST_COLUMN, results)?;
    for text in paragraphs(results, survey, seen) {
        next = paragraph(sheet, next, &text)?;
    }
    origin::write_seals(sheet, next + 1, results)
}

/// How many source files are named.
const NAMED_SOURCES: usize = 8;

fn paragraphs(
    results: &ExportResults<'_>,
    survey: &ResultSurvey,
    seen: &WorkbookRemarks,
) -> Vec<String> {
    let about = &results.about;
    let mut texts = Vec::new();
    if let Some(sources) = sources(survey) {
        texts.push(format!("Requested from {sources}."));
    }
    texts.push(format!(
        "Lengths are decimal feet and sizes inches, as the service gives them. Totals are the sums of the sheet Measurements. The {} on the sheet Downspouts add up to {} ft.",
        counted(survey.totals.downspout_lines, "line"),
        survey.totals.downspout_line_length.value()
    ));
    texts.push(format!(
        "Times are those of {}. Marked cells carry a note that says why.",
        about.zone.name()
    ));
    if about.unanswered > 0 {
        texts.push(format!(
            "Sent without a known answer, and on no sheet: {}. Importing the file again settles that.",
            counted(about.unanswered, "row")
        ));
    }
    texts.extend(seen.remarks.iter().map(|remark| sentence(remark)));
    if seen.adjusted > 0 {
        texts.push(format!(
            "{} changed after being billed: the sheet Adjustments has the old figures, the new ones and the difference.",
            counted(seen.adjusted, "measurement")
        ));
    }
    if let Some(number) = about.sealed {
        texts.push(format!(
            "This is sealed export {number}: its measurements are billed here and in no other. gutterbatch export --again {number} writes the same file once more."
        ));
    }
    texts
}

fn sources(survey: &ResultSurvey) -> Option<String> {
    let named = survey.sources.iter().take(NAMED_SOURCES);
    let mut named: Vec<String> = named
        .map(|(source, lines)| {
            let name = source.file_name();
            let sheet = source.sheet.as_deref();
            let sheet = sheet.map(|sheet| format!(", sheet {sheet}"));
            format!(
                "{name}{} ({})",
                sheet.unwrap_or_default(),
                counted(*lines, "measurement")
            )
        })
        .collect();
    let more = survey.sources.len().saturating_sub(NAMED_SOURCES);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    (!named.is_empty()).then(|| named.join("; "))
}

fn sentence(fragment: &str) -> String {
    let mut characters = fragment.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}

/// Characters that a line across the page holds.
const LINE: usize = 175;

/// Writes text across the page, as high as it needs. Returns the next free row.
fn paragraph(sheet: &mut Worksheet, row: u32, text: &str) -> Result<u32, XlsxError> {
    let lines = u32::try_from(text.chars().count().div_ceil(LINE)).unwrap_or(u32::MAX);
    sheet.set_row_height_pixels(row, style::ROW_PIXELS.saturating_mul(lines.clamp(1, 20)))?;
    sheet.merge_range(row, 0, row, LAST_COLUMN, text, &style::quiet())?;
    Ok(row + 1)
}
