//! Every table of the workbook, written while the lines pass by: half of them here, half on a thread of its own.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use rust_xlsxwriter::{Workbook, XlsxError};

use crate::export::columns::EXTERNAL_ID;
use crate::export::marks::{Note, ResultMark, notes};
use crate::export::results::SelectedLine;
use crate::export::survey::is_open;
use crate::export::workbook::album::EmbeddedImages;
use crate::export::workbook::plan::{OutputColumn, SheetLayout};
use crate::export::workbook::sheet::TableSheet;
use crate::export::workbook::{
    SheetLimits, WorkbookContent, WorkbookRemarks, adjustments, downspouts, footer, images,
    measurements, open, rejected,
};
use crate::export::{Adjustment, Error, ExportContext, ExportResults, LineUse, ResultLine};

/// Batches of lines that wait for the second thread at most.
const AHEAD: usize = 16;

/// The tables.
pub(super) struct WorkbookTables {
    houses: MeasurementSheets,
    details: DownspoutSheet,
    rejected: TableSheet,
    adjustments: Option<TableSheet>,
}

/// What the first thread writes.
struct MeasurementSheets {
    measurements: TableSheet,
    images: TableSheet,
    pictures: EmbeddedImages,
    open: TableSheet,
    marked: BTreeMap<ResultMark, u64>,
}

/// What the second thread writes: formats that no sheet has met before may not be among it.
struct DownspoutSheet {
    downspouts: TableSheet,
}

impl WorkbookTables {
    /// Lays out all sheets, in their order.
    pub(super) fn lay_out(
        workbook: &mut Workbook,
        results: &ExportResults<'_>,
        content: WorkbookContent<'_>,
    ) -> Result<Self, XlsxError> {
        let survey = content.survey;
        let footer = footer(results);
        // The pages of requests come first; images take what is left.
        let requests = u32::try_from(survey.measured + survey.open).unwrap_or(u32::MAX);
        let image_links = content.limits.links.saturating_sub(requests);
        let mut lay_out = |name, columns: &'static [OutputColumn], rows| {
            let links = match name {
                images::NAME => image_links,
                _ => content.limits.links,
            };
            let limits = SheetLimits {
                links,
                ..content.limits
            };
            let plan = SheetLayout {
                name,
                columns,
                rows,
                frozen: u16::from(columns[0].header == EXTERNAL_ID.header),
            };
            TableSheet::lay_out(workbook, plan, limits, &footer)
        };
        let changes = content.adjustments.iter().flat_map(Adjustment::changes);
        let changes = changes.count() as u64;
        let totals = &survey.totals;
        let columns = images::columns(content.pictures);
        let measurements = lay_out(measurements::NAME, &measurements::COLUMNS, survey.measured)?;
        let lines = totals.downspout_lines;
        let downspouts = lay_out(downspouts::NAME, &downspouts::COLUMNS, lines)?;
        let images = lay_out(images::NAME, columns, totals.images)?;
        let open = lay_out(open::NAME, &open::COLUMNS, survey.open)?;
        let rejected = lay_out(rejected::NAME, &rejected::COLUMNS, survey.rejected())?;
        let adjustments = (changes > 0)
            .then(|| lay_out(adjustments::NAME, &adjustments::COLUMNS, changes))
            .transpose()?;
        Ok(Self {
            houses: MeasurementSheets {
                measurements,
                images,
                pictures: EmbeddedImages::default(),
                open,
                marked: BTreeMap::new(),
            },
            details: DownspoutSheet { downspouts },
            rejected,
            adjustments,
        })
    }

    /// Writes every row of every table.
    pub(super) fn write(
        &mut self,
        results: &ExportResults<'_>,
        content: WorkbookContent<'_>,
    ) -> Result<(), Error> {
        let zone = &results.about.zone;
        self.write_lines(results, content)?;
        results.each_rejected(&mut |row| {
            let cells = rejected::row(row);
            Ok(self.rejected.push(zone, &cells, None)?)
        })?;
        if let Some(sheet) = &mut self.adjustments {
            let mut rows = content.adjustments.iter().flat_map(adjustments::rows);
            rows.try_for_each(|cells| sheet.push(zone, &cells, None))?;
        }
        Ok(())
    }

    fn write_lines(
        &mut self,
        results: &ExportResults<'_>,
        content: WorkbookContent<'_>,
    ) -> Result<(), Error> {
        let about = &results.about;
        let (houses, details) = (&mut self.houses, &mut self.details);
        thread::scope(|scope| {
            let (out, batches) = sync_channel::<Arc<Vec<SelectedLine>>>(AHEAD);
            let second = scope.spawn(move || {
                let mut batches = batches.into_iter();
                batches.try_for_each(|batch| details.push_all(&batch, about))
            });
            let first = results.each_batch(&mut |batch| {
                let batch = Arc::new(batch);
                if out.send(Arc::clone(&batch)).is_err() {
                    // The other thread has ended, and what it says below comes first.
                    return Err(Error::Interrupted);
                }
                houses.push_all(&batch, about, content)
            });
            drop(out);
            let second = second.join().unwrap_or_else(|panic| resume_unwind(panic));
            second.and(first)
        })
    }

    /// Fits the columns, and tells what a reader should know of the sheets.
    pub(super) fn finish(self, workbook: &mut Workbook) -> Result<WorkbookRemarks, XlsxError> {
        let Self {
            houses,
            details,
            rejected,
            adjustments,
        } = self;
        let shown = [
            Some(houses.measurements),
            Some(details.downspouts),
            Some(houses.images),
            Some(houses.open),
            Some(rejected),
            adjustments,
        ];
        let mut remarks = Vec::new();
        for sheet in shown.into_iter().flatten() {
            remarks.extend(sheet.remarks());
            sheet.finish(workbook)?;
        }
        remarks.extend(houses.pictures.remark());
        Ok(WorkbookRemarks {
            marked: houses.marked,
            remarks,
            ..WorkbookRemarks::default()
        })
    }
}

impl MeasurementSheets {
    fn push_all(
        &mut self,
        batch: &[SelectedLine],
        about: &ExportContext,
        content: WorkbookContent<'_>,
    ) -> Result<(), Error> {
        batch
            .iter()
            .try_for_each(|chosen| self.push(chosen, about, content))
    }

    fn push(
        &mut self,
        SelectedLine { line, asked }: &SelectedLine,
        about: &ExportContext,
        content: WorkbookContent<'_>,
    ) -> Result<(), Error> {
        let selected = is_measured(line, *asked);
        let open = is_open(line, about.as_of);
        if !selected && !open {
            return Ok(());
        }
        let notes = notes(line, &content.survey.roofs);
        self.count(&notes);
        if let Some(cells) = measurements::row(line).filter(|_| selected) {
            let mark = measurements::mark(&notes);
            self.measurements.push(&about.zone, &cells, mark.as_ref())?;
            self.push_images(line, about, content)?;
        }
        if open {
            let mark = open::mark(&notes);
            let cells = open::row(line);
            self.open.push(&about.zone, &cells, mark.as_ref())?;
        }
        Ok(())
    }

    fn push_images(
        &mut self,
        line: &ResultLine,
        about: &ExportContext,
        content: WorkbookContent<'_>,
    ) -> Result<(), Error> {
        for asset in images::assets(line) {
            let mark = match content.pictures {
                None => None,
                Some(pictures) => {
                    let place = self.images.next_row();
                    self.pictures.add(place, asset, pictures)?
                }
            };
            let cells = images::row(line, asset);
            self.images.push(&about.zone, &cells, mark.as_ref())?;
        }
        Ok(())
    }

    fn count(&mut self, notes: &[Note]) {
        for (mark, _) in notes {
            *self.marked.entry(*mark).or_default() += 1;
        }
    }
}

impl DownspoutSheet {
    fn push_all(&mut self, batch: &[SelectedLine], about: &ExportContext) -> Result<(), Error> {
        batch
            .iter()
            .try_for_each(|chosen| Ok(self.push(chosen, about)?))
    }

    fn push(
        &mut self,
        SelectedLine { line, asked }: &SelectedLine,
        about: &ExportContext,
    ) -> Result<(), XlsxError> {
        if is_measured(line, *asked) {
            let mut rows = downspouts::rows(line);
            rows.try_for_each(|cells| self.downspouts.push(&about.zone, &cells, None))?;
        }
        Ok(())
    }
}

/// Whether a line is a row of `Measurements`.
fn is_measured(line: &ResultLine, asked: LineUse) -> bool {
    asked == LineUse::For && line.completed().is_some()
}
