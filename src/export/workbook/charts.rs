//! The two charts of `Summary`, and their data.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_xlsxwriter::{
    Chart, ChartDataLabel, ChartFont, ChartFormat, ChartLine, ChartSolidFill, Color, Worksheet,
    XlsxError,
};

use crate::export::ResultStatistics;
use crate::export::result_column::ColumnKind;
use crate::export::workbook::figure_blocks::{BLOCKS, NAME, block, count};
use crate::export::workbook::style;

/// Height of the charts in rows.
pub(super) const ROWS: u32 = 16;
/// Size of a chart in pixels.
const WIDTH: u32 = 316;
const HEIGHT: u32 = 262;
/// Maximum number of bars with labels, which would overlap otherwise.
const MAX_LABELLED: usize = 12;
/// The number format of labels and axes.
const NUMBER_FORMAT: &str = "#,##0";
/// An axis of whole numbers up to this one has a mark at each.
const MAX_UNIT_STEPS: u64 = 8;
/// Maximum number of weeks; if there are more, those without a measurement are omitted.
const MAX_WEEKS: usize = 520;

/// Writes the data from `row` on and inserts the charts at the row `charts_at`. Returns the next free row.
pub(super) fn add(
    sheet: &mut Worksheet,
    charts_at: u32,
    row: u32,
    statistics: &ResultStatistics,
) -> Result<u32, XlsxError> {
    let weeks = weeks(statistics);
    let mut next = write_weeks(sheet, row, &weeks)?;
    // Measurements without a size come last.
    let (unpicked, picked): (Vec<_>, Vec<_>) = statistics
        .sizes
        .iter()
        .partition(|(size, _)| size.is_none());
    let sizes: Vec<_> = picked
        .into_iter()
        .chain(unpicked)
        .map(|(size, length)| (size_name(*size), ColumnKind::Feet, length.value()))
        .collect();
    next = next.max(block(
        sheet,
        row,
        BLOCKS[1],
        "Gutter length by size (ft)",
        &sizes,
    )?);
    let charts = [
        BarChart {
            title: "Completed per week",
            axes: ["Week from", "Measurements"],
            count: weeks.len(),
            highest: weeks.iter().map(|(_, measurements)| *measurements).max(),
        },
        BarChart {
            title: "Gutter length by size (ft)",
            axes: ["Gutter size", "Feet"],
            count: sizes.len(),
            highest: None,
        },
    ];
    for (column, bars) in BLOCKS.into_iter().zip(charts) {
        if bars.count > 0 {
            let chart = bars.chart(row, column);
            sheet.insert_chart_with_offset(charts_at, column, &chart, 0, 4)?;
        }
    }
    Ok(next)
}

/// A bar chart of a block's numbers.
struct BarChart {
    title: &'static str,
    /// The names of the horizontal and the vertical axis.
    axes: [&'static str; 2],
    count: usize,
    /// The highest number, if all are whole.
    highest: Option<u64>,
}

impl BarChart {
    /// Returns the chart of the block below a heading.
    fn chart(&self, heading: u32, column: u16) -> Chart {
        let bars = u32::try_from(self.count).unwrap_or(u32::MAX);
        let (first, last) = (heading + 1, heading + bars);
        let title = self.title;
        let small = small();
        let mut chart = Chart::new_column();
        let series = chart
            .add_series()
            .set_categories((NAME, first, column, last, column))
            .set_values((NAME, first, column + 1, last, column + 1))
            .set_name(title)
            .set_gap(if self.count > 4 { 40 } else { 120 })
            .set_format(
                ChartFormat::new().set_solid_fill(ChartSolidFill::new().set_color(style::MIDDLE)),
            );
        if self.count <= MAX_LABELLED {
            let mut label = ChartDataLabel::new();
            label
                .show_value()
                .set_num_format(NUMBER_FORMAT)
                .set_font(&small);
            series.set_data_label(&label);
        }
        let mut bold = ChartFont::new();
        bold.set_name("Arial")
            .set_bold()
            .set_size(11)
            .set_color(style::DARK);
        chart.title().set_name(title).set_font(&bold);
        chart.legend().set_hidden();
        self.set_axes(&mut chart, &small);
        chart.chart_area().set_format(
            ChartFormat::new().set_border(ChartLine::new().set_color(Color::RGB(0xC9_D2DC))),
        );
        chart.set_width(WIDTH).set_height(HEIGHT);
        chart.set_alt_text(title);
        chart
    }

    fn set_axes(&self, chart: &mut Chart, small: &ChartFont) {
        chart
            .x_axis()
            .set_font(small)
            .set_text_axis(true)
            .set_num_format("mmm d");
        chart
            .y_axis()
            .set_font(small)
            .set_min(0)
            .set_num_format(NUMBER_FORMAT)
            .set_major_gridlines_line(
                ChartLine::new()
                    .set_color(Color::RGB(0xE3_E8EE))
                    .set_width(0.75),
            );
        // By default, there would be marks between whole numbers.
        if self
            .highest
            .is_some_and(|highest| highest <= MAX_UNIT_STEPS)
        {
            chart.y_axis().set_major_unit(1);
        }
        let [below, beside] = self.axes;
        chart.x_axis().set_name(below).set_name_font(small);
        chart.y_axis().set_name(beside).set_name_font(small);
    }
}

fn small() -> ChartFont {
    let mut font = ChartFont::new();
    font.set_name("Arial").set_size(8);
    font
}

/// Returns every week from the first to the last, those without a measurement included.
fn weeks(statistics: &ResultStatistics) -> Vec<(Date, u64)> {
    let known = statistics.weeks();
    let (Some((first, _)), Some((last, _))) = (known.first_key_value(), known.last_key_value())
    else {
        return Vec::new();
    };
    let all: Vec<(Date, u64)> = first
        .series(1.week())
        .take_while(|week| week <= last)
        .take(MAX_WEEKS + 1)
        .map(|week| (week, known.get(&week).copied().unwrap_or(0)))
        .collect();
    if all.len() > MAX_WEEKS {
        known.into_iter().collect()
    } else {
        all
    }
}

fn write_weeks(sheet: &mut Worksheet, row: u32, weeks: &[(Date, u64)]) -> Result<u32, XlsxError> {
    let column = BLOCKS[0];
    let figures: Vec<_> = weeks.iter().map(|(_, lines)| count("", *lines)).collect();
    let next = block(sheet, row, column, "Completed in the week from", &figures)?;
    for (row, (week, _)) in (row + 1..).zip(weeks) {
        sheet.write_datetime_with_format(row, column, *week, &style::day())?;
    }
    Ok(next)
}

fn size_name(thousandths: Option<i64>) -> String {
    match thousandths {
        None => "not picked".to_owned(),
        #[expect(clippy::cast_precision_loss, reason = "gutters are a few inches wide")]
        Some(thousandths) => format!("{} in", thousandths as f64 / 1000.0),
    }
}
