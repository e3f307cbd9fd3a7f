//! The tables of the workbook, written while the measurements are read once: the downspouts by a second thread, all
//! others by the calling one.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use rust_xlsxwriter::{Workbook, XlsxError};

use crate::export::adjustment::net_by_figure;
use crate::export::columns::{EXTERNAL_ID, MEASUREMENTS_COLUMNS, OPEN_COLUMNS};
use crate::export::review::{ReviewReason, review_notes};
use crate::export::statistics::is_open;
use crate::export::workbook::embedded_images::EmbeddedImages;
use crate::export::workbook::table_definition::{SheetColumn, TableDefinition};
use crate::export::workbook::table_sheet::TableSheet;
use crate::export::workbook::{TableSummary, table_rows};
use crate::export::{
    Adjustment, Error, ExportContext, ExportResults, FetchedImages, FilteredRecord, RenderOptions,
    ResultRecord, ResultStatistics, SharedLocations, SheetLimits,
};

/// Maximum number of batches that wait for the second thread.
const MAX_WAITING_BATCHES: usize = 16;

/// The tables of a workbook.
pub(super) struct WorkbookTables {
    measurements: MeasurementTables,
    /// Written by the second thread, which may use no format that is new to the workbook.
    downspouts: TableSheet,
    rejected: TableSheet,
    adjustments: Option<TableSheet>,
}

/// The tables that the calling thread fills with measurements.
struct MeasurementTables {
    measurements: TableSheet,
    images: TableSheet,
    embedded: EmbeddedImages,
    open: TableSheet,
    to_review: BTreeMap<ReviewReason, u64>,
}

impl WorkbookTables {
    /// Creates all sheets, in their order.
    pub(super) fn new(
        workbook: &mut Workbook,
        results: &ExportResults<'_>,
        statistics: &ResultStatistics,
        rendering: RenderOptions<'_>,
    ) -> Result<Self, XlsxError> {
        // Links to requests come before those to images.
        let requests = u32::try_from(statistics.completed + statistics.open).unwrap_or(u32::MAX);
        let image_links = rendering.limits.links.saturating_sub(requests);
        let mut sheet = |name, columns: Vec<SheetColumn>, rows| {
            let links = match name {
                table_rows::IMAGES => image_links,
                _ => rendering.limits.links,
            };
            let limits = SheetLimits {
                links,
                ..rendering.limits
            };
            let definition = TableDefinition {
                name,
                frozen: u16::from(columns[0].header == EXTERNAL_ID.header),
                columns,
                rows,
            };
            TableSheet::new(workbook, definition, limits, results)
        };
        let adjusted = rendering.adjustments.iter();
        let changes = adjusted.flat_map(Adjustment::changes).count() as u64;
        let totals = &statistics.totals;
        let completed = statistics.completed;
        let of_measurements = MEASUREMENTS_COLUMNS.map(SheetColumn::from).into();
        let measurements = sheet(table_rows::MEASUREMENTS, of_measurements, completed)?;
        let of_downspouts = table_rows::downspout_columns();
        let downspouts = sheet(
            table_rows::DOWNSPOUTS,
            of_downspouts,
            totals.downspout_lines,
        )?;
        let of_images = table_rows::image_columns(rendering.options.images.as_ref());
        let images = sheet(table_rows::IMAGES, of_images, totals.images)?;
        let of_open = OPEN_COLUMNS.map(SheetColumn::from).into();
        let open = sheet(table_rows::OPEN, of_open, statistics.open)?;
        let of_rejected = table_rows::rejected_columns();
        let rejected = sheet(table_rows::REJECTED, of_rejected, statistics.rejected())?;
        let of_adjustments = table_rows::adjustment_columns();
        let adjustments = (changes > 0)
            .then(|| sheet(table_rows::ADJUSTMENTS, of_adjustments, changes))
            .transpose()?;
        Ok(Self {
            measurements: MeasurementTables {
                measurements,
                images,
                embedded: EmbeddedImages::default(),
                open,
                to_review: BTreeMap::new(),
            },
            downspouts,
            rejected,
            adjustments,
        })
    }

    /// Writes every row of every table.
    pub(super) fn write(
        &mut self,
        results: &ExportResults<'_>,
        shared: &SharedLocations,
        rendering: RenderOptions<'_>,
    ) -> Result<(), Error> {
        self.write_measurements(results, shared, rendering)?;
        results.each_rejected(&mut |row| {
            Ok(self.rejected.push(&table_rows::rejected(row), None)?)
        })?;
        if let Some(sheet) = &mut self.adjustments {
            let mut rows = rendering
                .adjustments
                .iter()
                .flat_map(table_rows::adjustments);
            rows.try_for_each(|cells| sheet.push(&cells, None))?;
            let totals = net_by_figure(rendering.adjustments).into_iter();
            let totals = totals.map(|(figure, net)| table_rows::adjustment_total(figure, net));
            sheet.push_totals(totals)?;
        }
        Ok(())
    }

    fn write_measurements(
        &mut self,
        results: &ExportResults<'_>,
        shared: &SharedLocations,
        rendering: RenderOptions<'_>,
    ) -> Result<(), Error> {
        let export_context = &results.context;
        let (measurements, downspouts) = (&mut self.measurements, &mut self.downspouts);
        thread::scope(|scope| {
            let (out, batches) = sync_channel::<Arc<Vec<FilteredRecord>>>(MAX_WAITING_BATCHES);
            let second = scope.spawn(move || {
                let mut batches = batches.into_iter();
                batches.try_for_each(|batch| push_downspouts(downspouts, &batch))
            });
            let fetched = rendering.options.images.as_ref();
            let first = results.each_batch(&mut |batch| {
                let batch = Arc::new(batch);
                if out.send(Arc::clone(&batch)).is_err() {
                    // The second thread has failed; its error is returned below.
                    return Err(Error::Interrupted);
                }
                let mut records = batch.iter();
                records.try_for_each(|filtered| {
                    measurements.push(filtered, export_context, shared, fetched)
                })
            });
            drop(out);
            let second = second.join().unwrap_or_else(|panic| resume_unwind(panic));
            second?;
            first
        })
    }

    /// Sets column widths, moves the sheets into the workbook, and returns what `Summary` shows of them.
    pub(super) fn finish(self, workbook: &mut Workbook) -> Result<TableSummary, XlsxError> {
        let measurements = self.measurements;
        // A bill of adjustments alone has nothing else.
        let sheets = [
            self.adjustments,
            Some(measurements.measurements),
            Some(self.downspouts),
            Some(measurements.images),
            Some(measurements.open),
            Some(self.rejected),
        ];
        let mut remarks = Vec::new();
        for sheet in sheets.into_iter().flatten() {
            remarks.extend(sheet.remarks());
            sheet.finish(workbook)?;
        }
        remarks.extend(measurements.embedded.remark());
        Ok(TableSummary {
            to_review: measurements.to_review,
            remarks,
            ..TableSummary::default()
        })
    }
}

impl MeasurementTables {
    fn push(
        &mut self,
        filtered: &FilteredRecord,
        export_context: &ExportContext,
        shared: &SharedLocations,
        fetched: Option<&FetchedImages>,
    ) -> Result<(), Error> {
        let record = &filtered.record;
        let is_completed = is_completed(filtered);
        let is_open = is_open(record, export_context.as_of);
        if !is_completed && !is_open {
            return Ok(());
        }
        let notes = review_notes(record, export_context, shared);
        for (reason, _) in &notes {
            *self.to_review.entry(*reason).or_default() += 1;
        }
        if let Some(cells) = table_rows::measurement(record).filter(|_| is_completed) {
            let highlight = table_rows::measurement_highlight(&notes);
            self.measurements.push(&cells, highlight.as_ref())?;
            self.push_images(record, fetched)?;
        }
        if is_open {
            let highlight = table_rows::open_highlight(&notes);
            let cells = table_rows::open(record);
            self.open.push(&cells, highlight.as_ref())?;
        }
        Ok(())
    }

    fn push_images(
        &mut self,
        record: &ResultRecord,
        fetched: Option<&FetchedImages>,
    ) -> Result<(), Error> {
        let result = record.valid_result().map(|(result, _)| result);
        for asset in result.into_iter().flat_map(|result| &result.asset_pack) {
            let highlight = match fetched {
                None => None,
                Some(fetched) => self.embedded.add(self.images.next_row(), asset, fetched)?,
            };
            let cells = table_rows::image(record, asset);
            self.images.push(&cells, highlight.as_ref())?;
        }
        Ok(())
    }
}

fn push_downspouts(sheet: &mut TableSheet, batch: &[FilteredRecord]) -> Result<(), XlsxError> {
    let completed = batch.iter().filter(|filtered| is_completed(filtered));
    let mut rows = completed.flat_map(|filtered| table_rows::downspouts(&filtered.record));
    rows.try_for_each(|cells| sheet.push(&cells, None))
}

/// Whether a measurement is a row of `Measurements`.
fn is_completed(filtered: &FilteredRecord) -> bool {
    filtered.is_selected && filtered.record.valid_result().is_some()
}
