//! Measurements that may have been billed from another journal, and those that a billing export does not include.

use jiff::Timestamp;
use serde::Serialize;

use crate::export::{Error, ExportContext, ExportResults, FilteredRecord, ResultRecord};
use crate::model::serialize_json_time;

/// What another journal may have billed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndeclaredBilling {
    /// Measurements that the export would bill.
    pub measurements: Vec<UndeclaredMeasurement>,
    /// Measurements in bills of the other journal whose figures have changed since: it may have adjusted them in later
    /// bills.
    pub adjusted: Vec<UndeclaredMeasurement>,
    /// Number of other measurements that the export would bill: this journal requested them, and has no bill of them. A
    /// copy that was put back may lack it.
    pub own: u64,
}

/// A measurement that another journal may have billed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UndeclaredMeasurement {
    /// The external id.
    pub external_id: String,
    /// The address in one line.
    pub address: String,
    /// When it was completed.
    #[serde(serialize_with = "serialize_json_time")]
    pub completed_at: Timestamp,
    /// The measurement id, `msr_…`.
    pub measurement_id: String,
}

/// Collects, while measurements are read once, what a billing export must know about other journals.
#[derive(Debug, Default)]
pub(super) struct BilledElsewhereSurvey {
    undeclared: UndeclaredBilling,
    /// Measurements that were billed elsewhere, as the user stated.
    pub(super) billed_elsewhere: u64,
    /// Measurements that were completed before the period of the export and are not billed: no later month bills them.
    pub(super) unbilled_before_period: u64,
    /// Measurements that were completed after the period of the export: they are left for the next bill.
    pub(super) unbilled_after_period: u64,
}

impl BilledElsewhereSurvey {
    /// Adds a measurement.
    pub(super) fn add(&mut self, filtered: &FilteredRecord, results: &ExportResults<'_>) {
        let record = &filtered.record;
        let is_billed_elsewhere = record.is_billed_elsewhere();
        self.billed_elsewhere += u64::from(is_billed_elsewhere);
        let Some((_, completed_at)) = record.valid_result() else {
            return;
        };
        let period = results.filter.period.as_ref();
        let is_billed = record.billed.is_some() || is_billed_elsewhere;
        if let Some(period) = period.filter(|_| !is_billed) {
            let is_after = period.end().is_some_and(|end| end <= completed_at);
            self.unbilled_before_period += u64::from(period.starts_after(completed_at));
            self.unbilled_after_period += u64::from(is_after);
        }
        if filtered.is_selected {
            self.add_undeclared(record, completed_at, &results.context);
        }
    }

    /// Adds a measurement that the export would bill, if it may have been billed from another journal.
    ///
    /// The first declaration since the journal learned of a measurement settles who bills it once it completes: later
    /// ones are about others. Without one since, a measurement that had been completed before is added. Measurements
    /// that a copy of a journal started with count whenever they were completed, since the other journal may still be
    /// in use.
    fn add_undeclared(
        &mut self,
        record: &ResultRecord,
        completed_at: Timestamp,
        about: &ExportContext,
    ) {
        let Some(learned_at) = record.learned_at else {
            self.undeclared.own += 1;
            return;
        };
        if record.billed_elsewhere.is_some() {
            return;
        }
        let mut declared_at = about.declared_at.iter();
        let is_billed_here = match declared_at.find(|declared_at| **declared_at >= learned_at) {
            Some(declared_at) => completed_at >= *declared_at,
            None if about.declared_at.is_empty() => false,
            None => completed_at >= learned_at && Some(learned_at) > about.copied_at,
        };
        if is_billed_here {
            return;
        }
        self.undeclared
            .measurements
            .push(undeclared(record, completed_at));
    }

    /// Adds a measurement that the export would adjust, if its newest bill is another journal's, which may have
    /// adjusted it since.
    ///
    /// A declaration settles the changes that this journal knew of by then. Others are adjusted here if this journal
    /// had what was billed or declared after its first declaration or bill: an earlier change may be in a bill of the
    /// other journal.
    pub(super) fn add_adjusted(&mut self, record: &ResultRecord, about: &ExportContext) {
        let Some(billed) = &record.billed else {
            return;
        };
        let is_later = |at: &Timestamp| Some(*at) > about.copied_at;
        let bills = about.sealed_before.iter();
        let mut own = bills.filter(|bill| bill.is_stored && is_later(&bill.sealed_at));
        let is_own = own.clone().any(|bill| bill.number == billed.last_number);
        let mut declared = about.declared_at.iter().filter(|at| is_later(at));
        let is_declared = declared.clone().any(|at| *at >= record.changed_at);
        let bill_at = own.next().map(|bill| bill.sealed_at);
        let began_at = bill_at.into_iter().chain(declared.next().copied()).min();
        let is_new = began_at.is_some() && record.unchanged_at >= began_at;
        if is_own || is_declared || is_new {
            return;
        }
        let completed_at = record.valid_result().map(|(_, completed_at)| completed_at);
        let at = completed_at.unwrap_or(record.measurement.updated_at);
        self.undeclared.adjusted.push(undeclared(record, at));
    }

    /// Fails if the user has to state first what was billed elsewhere.
    ///
    /// # Errors
    /// [`Error::Undeclared`].
    pub(super) fn require_declaration(&mut self) -> Result<(), Error> {
        let undeclared = std::mem::take(&mut self.undeclared);
        if undeclared.measurements.is_empty() && undeclared.adjusted.is_empty() {
            return Ok(());
        }
        Err(Error::Undeclared(undeclared))
    }
}

fn undeclared(record: &ResultRecord, completed_at: Timestamp) -> UndeclaredMeasurement {
    UndeclaredMeasurement {
        external_id: record.external_id.clone(),
        address: record.full_address(),
        completed_at,
        measurement_id: record.measurement.id.clone(),
    }
}
