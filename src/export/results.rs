//! The input of every format: measurements that can be read as often as needed, and their context.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

use crate::dispatch::{StopSignal, StopStage};
use crate::export::read_ahead::{self, VisitBatch};
use crate::export::{BilledFigures, BillingState, CompletionPeriod, Error, ResultLine, ZoneName};
use crate::journal::{
    BilledElsewhereDeclaration, Binding, JournalSnapshot, RejectedRow, SealedExport,
};

/// What receives each selected measurement.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&ResultLine) -> Result<(), Error>;
/// What receives each measurement, selected or not.
pub(super) type VisitAll<'v> = &'v mut dyn FnMut(&ResultLine, LineUse) -> Result<(), Error>;
/// What receives each rejected row.
pub(super) type VisitRejected<'v> = &'v mut dyn FnMut(&RejectedRow) -> Result<(), Error>;

/// What receives batches of measurements, selected or not.
pub(super) type VisitChosen<'v> = &'v mut dyn FnMut(Vec<SelectedLine>) -> Result<(), Error>;

type Walk<'a> = Box<dyn Fn(VisitBatch<'_>) -> Result<(), Error> + 'a>;
type WalkRejected<'a> = Box<dyn Fn(VisitRejected<'_>) -> Result<(), Error> + 'a>;

/// The input of every renderer.
pub struct ExportResults<'a> {
    /// The context of the measurements.
    pub about: ExportContext,
    /// Which measurements are selected.
    pub selection: LineSelection,
    stop: StopSignal,
    lines: Walk<'a>,
    rejected: WalkRejected<'a>,
}

/// The context of the measurements of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportContext {
    /// The account that they belong to; `None` before the first import.
    pub owner: Option<Binding>,
    /// When the newest response arrived; `None` before the first.
    pub as_of: Option<Timestamp>,
    /// The time zone of displayed times.
    pub zone: ZoneName,
    /// The number of a sealed export.
    pub sealed: Option<u64>,
    /// Why some measurements may be out of date, if any.
    pub partial: Option<PartialReason>,
    /// Rows that were sent and whose response is not known.
    pub unanswered: u64,
    /// The sealed exports of the journal.
    pub sealed_before: Vec<SealedExport>,
    /// What the user stated was billed elsewhere.
    pub declarations: Vec<BilledElsewhereDeclaration>,
    /// When the journal was copied from another one; `None` if it was not.
    pub copied_at: Option<Timestamp>,
}

/// Why measurements of an export may be out of date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialReason {
    /// The number of measurements that should have been requested again and were not.
    pub not_asked: u64,
    /// Why, in a fragment for people.
    pub reason: String,
}

/// Which measurements are selected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineSelection {
    /// Only those completed in this period.
    pub period: Option<CompletionPeriod>,
    /// Which of them by billing.
    pub billing: BilledLines,
    /// Only those with these external ids.
    pub ids: Option<Arc<HashSet<Box<str>>>>,
}

/// Which measurements are selected by billing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BilledLines {
    /// Billed or not.
    #[default]
    Everything,
    /// Complete ones that no sealed export contains.
    Unbilled,
    /// Those that one sealed export billed.
    Sealed(u64),
}

/// Whether a measurement is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineUse {
    /// It is selected.
    For,
    /// It is not, and may still appear in the sheet `Open`.
    Not,
}

/// A measurement, and whether it is selected.
#[derive(Debug)]
pub(super) struct SelectedLine {
    pub(super) line: ResultLine,
    pub(super) asked: LineUse,
}

impl ExportContext {
    /// Whether a measurement was billed from another journal, according to the last declaration. Earlier declarations do
    /// not count, so that a mistaken one can be replaced.
    pub fn is_billed_elsewhere(&self, line: &ResultLine) -> bool {
        let Some((learned_at, (_, completed_at))) = line.learned_at.zip(line.completed()) else {
            return false;
        };
        // The newest is the last; where it is older than the journal's knowledge, so are all.
        let newest = self.declarations.last();
        line.billed.is_none()
            && newest.is_some_and(|declaration| declaration.covers(learned_at, completed_at))
    }
}

impl LineSelection {
    /// Whether a measurement is selected. Without period and billing all are, completed or not.
    fn takes(&self, line: &ResultLine) -> bool {
        let is_theirs = |ids: &Arc<HashSet<Box<str>>>| ids.contains(line.external_id.as_str());
        if !self.ids.as_ref().is_none_or(is_theirs) {
            return false;
        }
        let Some((_, completed_at)) = line.completed() else {
            return self.period.is_none() && self.billing == BilledLines::Everything;
        };
        let in_period = self
            .period
            .as_ref()
            .is_none_or(|period| period.contains(completed_at));
        let billing = match self.billing {
            BilledLines::Everything => true,
            BilledLines::Unbilled => line.billed.is_none(),
            BilledLines::Sealed(number) => line.sealed() == Some(number),
        };
        in_period && billing
    }
}

impl fmt::Debug for ExportResults<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Results")
            .field("about", &self.about)
            .field("selection", &self.selection)
            .finish_non_exhaustive()
    }
}

impl<'a> ExportResults<'a> {
    /// Returns the results of a snapshot of the journal.
    pub fn of_snapshot(
        snapshot: &'a JournalSnapshot,
        about: ExportContext,
        selection: LineSelection,
    ) -> Self {
        Self {
            about,
            selection,
            stop: StopSignal::never(),
            lines: Box::new(move |visit| read_ahead::each(snapshot, visit)),
            rejected: Box::new(move |visit| snapshot.for_each_rejected(|row| visit(&row))),
        }
    }

    /// Returns results that are in memory.
    pub fn of_lines(
        lines: &'a [ResultLine],
        rejected: &'a [RejectedRow],
        about: ExportContext,
        selection: LineSelection,
    ) -> Self {
        Self {
            about,
            selection,
            stop: StopSignal::never(),
            lines: Box::new(move |visit| visit(lines.to_vec())),
            rejected: Box::new(move |visit| rejected.iter().try_for_each(visit)),
        }
    }

    /// Ends with [`Error::Interrupted`] when the user stops the export.
    #[must_use]
    pub fn stopped_by(self, stop: StopSignal) -> Self {
        Self { stop, ..self }
    }

    /// Visits every measurement, selected or not. In a sealed export, a selected one has the number of that export.
    ///
    /// # Errors
    /// [`Error::Journal`] if it cannot be read, and the errors of `visit`.
    pub fn each(&self, visit: VisitAll<'_>) -> Result<(), Error> {
        self.each_batch(&mut |batch| {
            let mut lines = batch.iter();
            lines.try_for_each(|chosen| visit(&chosen.line, chosen.asked))
        })
    }

    /// As [`ExportResults::each`], in owned batches.
    ///
    /// # Errors
    /// [`Error::Interrupted`], those of the journal, and whatever `visit` fails with.
    pub(super) fn each_batch(&self, visit: VisitChosen<'_>) -> Result<(), Error> {
        (self.lines)(&mut |batch| {
            unless_stopped(&self.stop)?;
            visit(batch.into_iter().map(|line| self.chosen(line)).collect())
        })
    }

    fn chosen(&self, line: ResultLine) -> SelectedLine {
        let is_billed_elsewhere = self.selection.billing == BilledLines::Unbilled
            && self.about.is_billed_elsewhere(&line);
        if is_billed_elsewhere || !self.selection.takes(&line) {
            let asked = LineUse::Not;
            return SelectedLine { line, asked };
        }
        let line = match self.about.sealed {
            None => line,
            Some(number) => sealed(line, number),
        };
        let asked = LineUse::For;
        SelectedLine { line, asked }
    }

    /// Visits the selected measurements.
    ///
    /// # Errors
    /// As [`ExportResults::each`].
    pub fn each_selected(&self, visit: Visit<'_>) -> Result<(), Error> {
        self.each(&mut |line, asked| match asked {
            LineUse::For => visit(line),
            LineUse::Not => Ok(()),
        })
    }

    /// Visits the rows that have no measurement of their own.
    ///
    /// # Errors
    /// As [`ExportResults::each`].
    pub fn each_rejected(&self, visit: VisitRejected<'_>) -> Result<(), Error> {
        (self.rejected)(visit)
    }
}

pub(super) fn unless_stopped(stop: &StopSignal) -> Result<(), Error> {
    match stop.stage() {
        StopStage::Running => Ok(()),
        StopStage::Draining | StopStage::Now => Err(Error::Interrupted),
    }
}

/// Returns the measurement as the sealed export that bills it shows it.
fn sealed(line: ResultLine, number: u64) -> ResultLine {
    let figures = line
        .completed()
        .map(|(result, _)| BilledFigures::from(result));
    ResultLine {
        billed: Some(BillingState {
            number,
            figures: figures.unwrap_or_default(),
        }),
        ..line
    }
}
