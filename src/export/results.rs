//! What an export renders: lines that can be walked as often as needed, and what stands around them.

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

/// What a visitor of lines does with each.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&ResultLine) -> Result<(), Error>;
/// What a visitor of all lines does with each.
pub(super) type VisitAll<'v> = &'v mut dyn FnMut(&ResultLine, LineUse) -> Result<(), Error>;
/// What a visitor of rejected rows does with each.
pub(super) type VisitRejected<'v> = &'v mut dyn FnMut(&RejectedRow) -> Result<(), Error>;

/// What a visitor does with lines that travel together, asked for or not.
pub(super) type VisitChosen<'v> = &'v mut dyn FnMut(Vec<SelectedLine>) -> Result<(), Error>;

type Walk<'a> = Box<dyn Fn(VisitBatch<'_>) -> Result<(), Error> + 'a>;
type WalkRejected<'a> = Box<dyn Fn(VisitRejected<'_>) -> Result<(), Error> + 'a>;

/// The input of every renderer.
pub struct ExportResults<'a> {
    /// What stands around the lines.
    pub about: ExportContext,
    /// Which lines are asked for.
    pub selection: LineSelection,
    stop: StopSignal,
    lines: Walk<'a>,
    rejected: WalkRejected<'a>,
}

/// What stands around the lines.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportContext {
    /// Whose results they are; none before the first import.
    pub owner: Option<Binding>,
    /// When the newest answer came; none before the first.
    pub as_of: Option<Timestamp>,
    /// The zone that times are shown in.
    pub zone: ZoneName,
    /// The number, for a sealed export.
    pub sealed: Option<u64>,
    /// Why the knowledge is partial, if it is.
    pub partial: Option<PartialReason>,
    /// Rows that were sent and whose answer is not known.
    pub unanswered: u64,
    /// The sealed exports that there are already.
    pub sealed_before: Vec<SealedExport>,
    /// What the user said was billed elsewhere.
    pub declarations: Vec<BilledElsewhereDeclaration>,
    /// When the copy was made that the journal began as; none where it did not.
    pub copied_at: Option<Timestamp>,
}

/// Why an export does not know everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialReason {
    /// How many measurements should have been asked for again and were not.
    pub not_asked: u64,
    /// Why, in a fragment for people.
    pub reason: String,
}

/// Which lines are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineSelection {
    /// Completed in that period alone.
    pub period: Option<CompletionPeriod>,
    /// Whether billed ones are left out.
    pub billing: BilledLines,
    /// Of those external ids alone.
    pub ids: Option<Arc<HashSet<Box<str>>>>,
}

/// Whether billed measurements are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BilledLines {
    /// Billed or not.
    #[default]
    Everything,
    /// Those that no sealed export holds, as far as they were complete when sealing began.
    Unbilled,
    /// Those that one sealed export billed.
    Sealed(u64),
}

/// Whether a line is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineUse {
    /// It is.
    For,
    /// It only stands beside: in `Open`, in the map, or in no sheet.
    Not,
}

/// A line, and whether it is asked for.
#[derive(Debug)]
pub(super) struct SelectedLine {
    pub(super) line: ResultLine,
    pub(super) asked: LineUse,
}

impl ExportContext {
    /// Whether a measurement was billed from another journal, as the user said last: a declaration replaces those before
    /// it, so that a mistaken one can be taken back.
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
    /// Whether a line is asked for. Without period and billing every line is, completed or not.
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
    /// The results of one moment of the journal.
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

    /// Results that are at hand.
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

    /// The same, until the user stops the export.
    #[must_use]
    pub fn stopped_by(self, stop: StopSignal) -> Self {
        Self { stop, ..self }
    }

    /// Walks every line, asked for or not. In a sealed export, a line that is asked for says so itself.
    ///
    /// # Errors
    /// [`Error::Journal`] where it cannot be read, and whatever `visit` fails with.
    pub fn each(&self, visit: VisitAll<'_>) -> Result<(), Error> {
        self.each_batch(&mut |batch| {
            let mut lines = batch.iter();
            lines.try_for_each(|chosen| visit(&chosen.line, chosen.asked))
        })
    }

    /// As [`ExportResults::each`], a few lines at a time, to keep.
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

    /// Walks the lines that are asked for.
    ///
    /// # Errors
    /// As [`ExportResults::each`].
    pub fn each_selected(&self, visit: Visit<'_>) -> Result<(), Error> {
        self.each(&mut |line, asked| match asked {
            LineUse::For => visit(line),
            LineUse::Not => Ok(()),
        })
    }

    /// Walks the rows that became no measurement of theirs.
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

/// The line as the sealed export that bills it shows it.
fn sealed(line: ResultLine, number: u64) -> ResultLine {
    let figures = line
        .completed()
        .map(|(result, _)| BilledFigures::of(result));
    ResultLine {
        billed: Some(BillingState {
            number,
            figures: figures.unwrap_or_default(),
        }),
        ..line
    }
}
