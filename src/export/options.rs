//! The options of an export.

use std::path::Path;

use crate::dispatch::StopSignal;
use crate::export::results::unless_stopped;
use crate::export::{
    Adjustment, Error, ExportContext, ExportFormat, ExportResults, FetchedImages, FormulaEscaping,
    PartialReason, RecordFilter, RenderOptions, SheetLimits, TimeZoneName,
};
use crate::journal::JournalSnapshot;

/// The options of an export.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The format.
    pub format: ExportFormat,
    /// Whether CSV protects text that looks like a formula.
    pub formula_escaping: FormulaEscaping,
    /// The time zone of displayed times.
    pub zone: TimeZoneName,
    /// Which measurements.
    pub filter: RecordFilter,
    /// Why some measurements may be out of date, if any.
    pub partial: Option<PartialReason>,
    /// Images for the workbook.
    pub images: Option<FetchedImages>,
    /// Checked for each batch of measurements. An export that is stopped leaves an existing file unchanged.
    pub stop: StopSignal,
}

impl ExportOptions {
    /// Reads the context of the measurements.
    pub(super) fn context(&self, snapshot: &JournalSnapshot) -> Result<ExportContext, Error> {
        Ok(ExportContext {
            owner: snapshot.binding()?,
            as_of: snapshot.newest_response_at()?,
            zone: self.zone.clone(),
            sealed: None,
            partial: self.partial.clone(),
            unanswered: snapshot.unanswered_ids()?.len() as u64,
            sent_again: snapshot.ids_sent_again()?,
            sealed_before: snapshot.sealed_exports()?,
            declared_at: snapshot.declaration_times()?,
            copied_at: snapshot.began_as_copy_at()?,
            field_names: snapshot.field_names()?,
        })
    }

    /// Returns the selected measurements, until the user stops the export.
    pub(super) fn results<'a>(
        &self,
        snapshot: &'a JournalSnapshot,
        filter: RecordFilter,
    ) -> Result<ExportResults<'a>, Error> {
        let (context, stop) = (self.context(snapshot)?, self.stop.clone());
        Ok(ExportResults::from_snapshot(
            snapshot, context, filter, stop,
        ))
    }

    /// The last check before a file gets its name.
    ///
    /// # Errors
    /// [`Error::Interrupted`] once the user has stopped the export.
    pub(super) fn unless_stopped(&self) -> Result<(), Error> {
        unless_stopped(&self.stop)
    }

    pub(super) fn rendering<'a>(
        &'a self,
        temporary_folder: &'a Path,
        adjustments: &'a [Adjustment],
    ) -> RenderOptions<'a> {
        RenderOptions {
            options: self,
            limits: SheetLimits::EXCEL,
            adjustments,
            temporary_folder,
        }
    }
}
