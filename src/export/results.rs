//! The input of every format: measurements that can be read as often as needed, and their context.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;

use crate::dispatch::{StopSignal, StopStage};
use crate::export::read_ahead;
use crate::export::{
    BilledFigures, BillingState, CompletionPeriod, Error, ResultRecord, TimeZoneName,
};
use crate::journal::{JournalSnapshot, RejectedRow, SealedExport};
use crate::model::{Account, Field, FieldNames, TableSource, serialize_known_time};

/// Receives each selected measurement.
pub(super) type RecordSink<'v> = &'v mut dyn FnMut(&ResultRecord) -> Result<(), Error>;

/// Receives each measurement, selected or not.
pub(super) type FilteredRecordSink<'v> = &'v mut dyn FnMut(&FilteredRecord) -> Result<(), Error>;

/// The input of every renderer.
#[derive(Debug)]
pub struct ExportResults<'a> {
    /// The context of the measurements.
    pub context: ExportContext,
    /// Which measurements are selected.
    pub filter: RecordFilter,
    stop: StopSignal,
    source: RecordSource<'a>,
}

/// Where measurements are read from.
#[derive(Debug)]
enum RecordSource<'a> {
    Snapshot(&'a JournalSnapshot),
    Memory(&'a [ResultRecord], &'a [RejectedRow]),
}

/// The context of the measurements of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportContext {
    /// The account that they belong to; `None` before the first import.
    pub owner: Option<Account>,
    /// When the newest response arrived; `None` before the first.
    pub as_of: Option<Timestamp>,
    /// The time zone of displayed times.
    pub zone: TimeZoneName,
    /// The number of a sealed export.
    pub sealed: Option<u64>,
    /// Why some measurements may be out of date, if any.
    pub partial: Option<PartialReason>,
    /// Rows that were sent and whose response is not known.
    pub unanswered: u64,
    /// The external ids of rows that the user decided to send although their house was requested before.
    pub sent_again: HashSet<Box<str>>,
    /// The sealed exports of the journal.
    pub sealed_before: Vec<SealedExport>,
    /// When the user declared what was billed elsewhere, the earliest time first.
    pub declared_at: Vec<Timestamp>,
    /// When the journal was copied from another one; `None` if it was not.
    pub copied_at: Option<Timestamp>,
    /// The user's names for fields in each table.
    pub field_names: HashMap<TableSource, FieldNames>,
}

/// Why measurements of an export may be out of date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartialReason {
    /// The number of measurements that should have been requested again and were not.
    pub not_asked: u64,
    /// Why, in a fragment for people.
    pub reason: String,
    /// When the quota or the service allows the next request, if that is the reason.
    #[serde(serialize_with = "serialize_known_time")]
    pub resume_at: Option<Timestamp>,
}

/// Which measurements are selected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordFilter {
    /// Only those completed in this period.
    pub period: Option<CompletionPeriod>,
    /// Which of them by billing.
    pub billing: BillingFilter,
    /// Only those with these external ids.
    pub external_ids: Option<Arc<HashSet<Box<str>>>>,
}

/// Which measurements are selected by billing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BillingFilter {
    /// Billed or not.
    #[default]
    All,
    /// Complete ones that no sealed export contains.
    Unbilled,
    /// Those that one sealed export billed.
    Sealed(u64),
}

/// A measurement, and whether the filter selects it.
#[derive(Debug)]
pub struct FilteredRecord {
    /// The measurement.
    pub record: ResultRecord,
    /// Whether it is selected. If not, it may still appear in the sheet `Open`.
    pub is_selected: bool,
}

impl ExportContext {
    /// The user's name for a field of a measurement's row.
    pub(super) fn name_of(&self, record: &ResultRecord, field: Field) -> String {
        let names = self.field_names.get(&record.source);
        names.map_or_else(|| field.words(), |names| names.name_of(field))
    }
}

impl RecordFilter {
    /// Whether a measurement is selected. Without period and billing all are, completed or not.
    fn includes(&self, record: &ResultRecord) -> bool {
        let is_listed = |ids: &Arc<HashSet<Box<str>>>| ids.contains(record.external_id.as_str());
        if !self.external_ids.as_ref().is_none_or(is_listed) {
            return false;
        }
        let Some((_, completed_at)) = record.valid_result() else {
            return self.period.is_none() && self.billing == BillingFilter::All;
        };
        let in_period = self
            .period
            .as_ref()
            .is_none_or(|period| period.contains(completed_at));
        let billing = match self.billing {
            BillingFilter::All => true,
            BillingFilter::Unbilled => record.billed.is_none() && !record.is_billed_elsewhere(),
            BillingFilter::Sealed(number) => record.sealed_number() == Some(number),
        };
        in_period && billing
    }
}

impl<'a> ExportResults<'a> {
    /// Returns the results of a snapshot of the journal, until the user stops the export.
    pub fn from_snapshot(
        snapshot: &'a JournalSnapshot,
        context: ExportContext,
        filter: RecordFilter,
        stop: StopSignal,
    ) -> Self {
        Self {
            context,
            filter,
            stop,
            source: RecordSource::Snapshot(snapshot),
        }
    }

    /// Returns results that are in memory.
    pub fn from_records(
        records: &'a [ResultRecord],
        rejected: &'a [RejectedRow],
        context: ExportContext,
        filter: RecordFilter,
    ) -> Self {
        Self {
            context,
            filter,
            stop: StopSignal::never(),
            source: RecordSource::Memory(records, rejected),
        }
    }

    /// Visits every measurement, selected or not. In a sealed export, a selected one has the number of that export.
    ///
    /// # Errors
    /// [`Error::Journal`] if it cannot be read, and the errors of `visit`.
    pub fn each(&self, visit: FilteredRecordSink<'_>) -> Result<(), Error> {
        self.each_batch(&mut |batch| batch.iter().try_for_each(&mut *visit))
    }

    /// As [`ExportResults::each`], in owned batches.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::Journal`], and the errors of `visit`.
    pub(super) fn each_batch(
        &self,
        visit: &mut dyn FnMut(Vec<FilteredRecord>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut visit_batch = |batch: Vec<ResultRecord>| {
            unless_stopped(&self.stop)?;
            let filtered = batch.into_iter().map(|record| self.apply_filter(record));
            visit(filtered.collect())
        };
        match self.source {
            RecordSource::Snapshot(snapshot) => {
                read_ahead::each_parsed_batch(snapshot, &mut visit_batch)
            }
            RecordSource::Memory(records, _) => visit_batch(records.to_vec()),
        }
    }

    fn apply_filter(&self, record: ResultRecord) -> FilteredRecord {
        let is_selected = self.filter.includes(&record);
        let record = match self.context.sealed {
            Some(number) if is_selected => billed_by(record, number),
            _ => record,
        };
        FilteredRecord {
            record,
            is_selected,
        }
    }

    /// Visits the selected measurements.
    ///
    /// # Errors
    /// As [`ExportResults::each`].
    pub fn each_selected(&self, visit: RecordSink<'_>) -> Result<(), Error> {
        self.each(&mut |filtered| {
            if filtered.is_selected {
                visit(&filtered.record)?;
            }
            Ok(())
        })
    }

    /// Visits the rows that have no measurement of their own.
    ///
    /// # Errors
    /// As [`ExportResults::each`].
    pub fn each_rejected(
        &self,
        visit: &mut dyn FnMut(&RejectedRow) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self.source {
            RecordSource::Snapshot(snapshot) => snapshot.for_each_rejected(|row| visit(&row)),
            RecordSource::Memory(_, rejected) => rejected.iter().try_for_each(visit),
        }
    }
}

/// Fails with [`Error::Interrupted`] once the user has stopped the export.
pub(super) fn unless_stopped(stop: &StopSignal) -> Result<(), Error> {
    match stop.stage() {
        StopStage::Running => Ok(()),
        StopStage::Draining | StopStage::Now => Err(Error::Interrupted),
    }
}

/// Returns a measurement as the sealed export that bills it shows it.
fn billed_by(record: ResultRecord, number: u64) -> ResultRecord {
    // Only measurements that were billed before can be adjusted, which need their figures.
    let figures = BilledFigures::default();
    ResultRecord {
        billed: Some(BillingState {
            number,
            last_number: number,
            figures,
        }),
        ..record
    }
}
