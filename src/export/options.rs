//! The options of an export.

use crate::dispatch::StopSignal;
use crate::export::results::unless_stopped;
use crate::export::{
    Adjustment, Error, ExcelSafe, ExportContext, ExportFormat, ExportResults, FetchedImages,
    LineSelection, OutputFile, PartialReason, Rendering, SheetLimits, ZoneName,
};
use crate::journal::JournalSnapshot;

/// What is asked of an export.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The format.
    pub format: ExportFormat,
    /// Whether CSV quotes text that looks like a formula.
    pub safety: ExcelSafe,
    /// The zone that times are shown in.
    pub zone: ZoneName,
    /// Which lines.
    pub selection: LineSelection,
    /// Why the knowledge is partial, if it is.
    pub partial: Option<PartialReason>,
    /// Pictures that a workbook is to hold.
    pub pictures: Option<FetchedImages>,
    /// Heard at every line: an export that is stopped leaves what stood there before.
    pub stop: StopSignal,
}

impl ExportOptions {
    /// What stands around the lines.
    pub(super) fn about(&self, snapshot: &JournalSnapshot) -> Result<ExportContext, Error> {
        Ok(ExportContext {
            owner: snapshot.owner()?,
            as_of: snapshot.as_of()?,
            zone: self.zone.clone(),
            sealed: None,
            partial: self.partial.clone(),
            unanswered: snapshot.unanswered()?,
            sealed_before: snapshot.sealed_exports()?,
            declarations: snapshot.declarations()?,
            copied_at: snapshot.began_as_copy_at()?,
        })
    }

    /// The lines of a selection, until the user stops the export.
    pub(super) fn results<'a>(
        &self,
        snapshot: &'a JournalSnapshot,
        selection: LineSelection,
    ) -> Result<ExportResults<'a>, Error> {
        let results = ExportResults::of_snapshot(snapshot, self.about(snapshot)?, selection);
        Ok(results.stopped_by(self.stop.clone()))
    }

    /// The last look before a file is put into its place.
    ///
    /// # Errors
    /// [`Error::Interrupted`] once the user has stopped the export.
    pub(super) fn unless_stopped(&self) -> Result<(), Error> {
        unless_stopped(&self.stop)
    }

    pub(super) fn rendering<'a>(
        &'a self,
        place: &'a OutputFile,
        adjustments: &'a [Adjustment],
    ) -> Rendering<'a> {
        Rendering {
            format: self.format,
            safety: self.safety,
            limits: SheetLimits::EXCEL,
            adjustments,
            pictures: self.pictures.as_ref(),
            scratch: place.folder(),
        }
    }
}
