//! One export from the journal to its place.

use std::io::Write;
use std::path::PathBuf;

use crate::dispatch::StopSignal;
use crate::export::output_file::{OutputFile, PreparedOutput, WrittenOutput};
use crate::export::protected_file::absolute;
use crate::export::results::unless_stopped;
use crate::export::sealed::digest;
use crate::export::{
    Adjustment, BilledLines, Error, ExcelSafe, ExportContext, ExportFormat, ExportResults,
    FetchedImages, ImageRequest, LineSelection, OtherAddress, PartialReason, Rendering,
    ResultSurvey, ResultTotals, SheetLimits, StatusCounts, ZoneName, pictures_of, render,
};
use crate::journal::{Journal, JournalSnapshot};
use crate::sheet::UnsyncedFolder;

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

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOutcome {
    /// The lines of the file, by state.
    pub by_status: StatusCounts,
    /// The completed ones.
    pub completed: u64,
    /// Their sums.
    pub totals: ResultTotals,
    /// What is not final, or canceled.
    pub open: u64,
    /// Rows that became no measurement of theirs.
    pub rejected: u64,
    /// Lines that the service no longer finds, in the file or not.
    pub not_found: u64,
    /// Lines whose newest answer has another house's address, in the file or not.
    pub address_differs: u64,
    /// The first of them.
    pub other_addresses: Vec<OtherAddress>,
    /// The file; none where the export went to a stream, or nothing was written.
    pub written: Option<PathBuf>,
    /// The file's folder, where it could not be synced.
    pub unsynced: Option<UnsyncedFolder>,
    /// Why the journal could not note that the sealed file is in its place, if it could not. The next run does.
    pub unnoted: Option<String>,
    /// The number, for a sealed export.
    pub sealed: Option<u64>,
    /// Measurements that a sealed export leaves out, since the user said that they were billed elsewhere.
    pub billed_elsewhere: u64,
    /// Measurements that were completed before the period of a sealed export and are not billed.
    pub unbilled_before_period: u64,
    /// How many billed measurements it adjusts.
    pub adjusted: u64,
    /// Billed measurements that changed and wait for a sealed workbook, since other formats have no place for them.
    pub waiting: u64,
}

impl ExportOutcome {
    /// The same, with the file that was written.
    pub(super) fn placed(self, placed: WrittenOutput) -> Self {
        Self {
            written: Some(placed.path),
            unsynced: placed.unsynced,
            ..self
        }
    }
}

impl ExportOptions {
    /// What stands around the lines.
    pub(super) fn about(&self, snapshot: &JournalSnapshot) -> Result<ExportContext, Error> {
        Ok(ExportContext {
            owner: snapshot.binding()?,
            as_of: snapshot.newest_response_at()?,
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

/// The pictures of the lines that an export would hold.
///
/// # Errors
/// Those of the journal.
pub fn pictures_wanted(
    snapshot: &JournalSnapshot,
    order: &ExportOptions,
    billing: BilledLines,
) -> Result<Vec<ImageRequest>, Error> {
    let selection = LineSelection {
        billing,
        ..order.selection.clone()
    };
    pictures_of(&order.results(snapshot, selection)?)
}

/// A whole unsealed export beside its place.
#[derive(Debug)]
pub struct UnsealedExport {
    pub(super) ready: PreparedOutput,
    pub(super) exported: ExportOutcome,
}

impl UnsealedExport {
    /// Puts it into its place. The journal knows its digest before the file has its name: a run that is killed in between
    /// leaves an export that the next one may replace.
    ///
    /// # Errors
    /// [`Error::Write`] with the old file intact, and those of the journal.
    pub fn put(self, journal: &Journal) -> Result<ExportOutcome, Error> {
        let Self { ready, exported } = self;
        let sha256 = digest(ready.file()?)?;
        let temporary = absolute(ready.temporary());
        journal.record_export(temporary.clone(), sha256.clone())?;
        let placed = ready.put()?;
        journal.record_renamed_export(temporary, absolute(&placed.path), sha256)?;
        Ok(exported.placed(placed))
    }
}

/// Writes what the journal knows beside a place.
///
/// # Errors
/// [`Error::Write`] and [`Error::Interrupted`] with the old file intact, and those of the journal.
pub fn to_place(
    snapshot: &JournalSnapshot,
    order: &ExportOptions,
    place: &OutputFile,
) -> Result<UnsealedExport, Error> {
    let results = order.results(snapshot, order.selection.clone())?;
    let survey = ResultSurvey::of(&results)?;
    let rendering = order.rendering(place, &[]);
    let ready = place.write(|out| render(&results, &survey, rendering, out))?;
    order.unless_stopped()?;
    let exported = exported(&survey);
    Ok(UnsealedExport { ready, exported })
}

/// Writes what the journal knows to a stream; a workbook does not go there.
///
/// # Errors
/// [`Error::Stream`], and those of the journal.
pub fn to_stream(
    snapshot: &JournalSnapshot,
    order: &ExportOptions,
    out: impl Write + Send,
) -> Result<ExportOutcome, Error> {
    let results = order.results(snapshot, order.selection.clone())?;
    let survey = ResultSurvey::of(&results)?;
    let scratch = std::env::temp_dir();
    let rendering = Rendering {
        format: order.format,
        safety: order.safety,
        limits: SheetLimits::EXCEL,
        adjustments: &[],
        pictures: None,
        scratch: &scratch,
    };
    render(&results, &survey, rendering, out)?;
    Ok(exported(&survey))
}

pub(super) fn exported(survey: &ResultSurvey) -> ExportOutcome {
    ExportOutcome {
        by_status: survey.selected,
        completed: survey.measured,
        totals: survey.totals,
        open: survey.open,
        rejected: survey.rejected(),
        not_found: survey.all.not_found(),
        address_differs: survey.all.address_differs(),
        other_addresses: survey.other_addresses.clone(),
        written: None,
        unsynced: None,
        unnoted: None,
        sealed: None,
        billed_elsewhere: 0,
        unbilled_before_period: 0,
        adjusted: 0,
        waiting: 0,
    }
}
