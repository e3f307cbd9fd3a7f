//! What became of each row so far: one outcome a row, always, and the reasons of those that a person must look at.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::{CheckResult, CheckedFile, ConflictCause, EarlierHouse, FieldEdit};
use crate::model::{Field, Outcome, Outcomes, Request};

/// The outcomes of a run. A byte a row; more only for rows that need words.
#[derive(Clone, Debug)]
pub struct RowOutcomes {
    outcomes: Vec<Outcome>,
    counts: Outcomes,
    rejections: BTreeMap<usize, RowRejectionReason>,
    changed: BTreeMap<usize, Vec<FieldEdit>>,
    warnings: Vec<(usize, String)>,
    /// Rows that were held as the same house.
    held: BTreeMap<usize, EarlierHouse>,
    /// Rows that a person decided not to send, with the request that was there first.
    skipped: BTreeMap<usize, EarlierHouse>,
    /// Rows that resemble another's house, and are sent all the same.
    told_of_house: BTreeSet<usize>,
    /// Rows that the service placed where another id's house is, without a warning before.
    same_locations: BTreeSet<usize>,
    corrected: BTreeMap<usize, String>,
    conflict_cause: Option<ConflictCause>,
}

/// Why a row that was sent, or would have been, became no measurement of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRejectionReason {
    /// The customer's name.
    pub customer: Option<String>,
    /// The address in one line.
    pub address: Option<String>,
    /// Each with the field that it speaks of, where it speaks of one.
    pub messages: Vec<(Option<Field>, String)>,
}

impl RowRejectionReason {
    /// A rejection of a row's request for one reason.
    pub fn of(request: Option<&Request>, messages: Vec<(Option<Field>, String)>) -> Self {
        Self {
            customer: request.map(|request| request.customer.name.clone()),
            address: request.map(|request| request.address.one_line()),
            messages,
        }
    }

    /// All messages, each with the header of its column.
    pub fn text(&self, checked: &CheckedFile) -> String {
        let lines = self.messages.iter().map(|(field, message)| match field {
            Some(field) => format!("{}: {message}", checked.name_of(*field)),
            None => message.clone(),
        });
        lines.collect::<Vec<_>>().join("; ")
    }
}

impl RowOutcomes {
    /// After the check alone: what may be sent is pending.
    pub fn checked(checked: &CheckedFile) -> Self {
        let outcome = |standing: &CheckResult| match standing {
            CheckResult::Valid { .. } => Outcome::Pending,
            CheckResult::Duplicate { .. } => Outcome::Duplicate,
            CheckResult::Invalid { .. } => Outcome::Invalid,
        };
        let outcomes: Vec<Outcome> = checked
            .rows
            .iter()
            .map(|row| outcome(&row.standing))
            .collect();
        let mut counts = Outcomes::default();
        for outcome in &outcomes {
            counts.add(*outcome);
        }
        Self {
            outcomes,
            counts,
            rejections: BTreeMap::new(),
            changed: BTreeMap::new(),
            warnings: Vec::new(),
            held: BTreeMap::new(),
            skipped: BTreeMap::new(),
            told_of_house: BTreeSet::new(),
            same_locations: BTreeSet::new(),
            corrected: BTreeMap::new(),
            conflict_cause: None,
        }
    }

    /// Notes what became of a row.
    pub fn settle(&mut self, index: usize, outcome: Outcome) {
        self.counts.reclassify(self.outcomes[index], outcome);
        self.outcomes[index] = outcome;
    }

    /// Notes that a row became no measurement of its own, and why.
    pub fn reject(&mut self, index: usize, outcome: Outcome, rejection: RowRejectionReason) {
        self.settle(index, outcome);
        self.rejections.insert(index, rejection);
    }

    /// Notes that a row is known by the corrected one that was accepted in its stead.
    pub fn correct(&mut self, index: usize, external_id: String) {
        self.settle(index, Outcome::Known);
        self.rejections.remove(&index);
        self.changed.remove(&index);
        self.corrected.insert(index, external_id);
    }

    /// Notes why most rows in conflict are.
    pub fn explain_conflicts(&mut self, cause: ConflictCause) {
        self.conflict_cause = Some(cause);
    }

    /// Why most rows in conflict are, where they are many and one cause explains them.
    pub fn conflict_cause(&self) -> Option<&ConflictCause> {
        self.conflict_cause.as_ref()
    }

    /// Rows that are known by the corrected ones that were accepted in their stead, with the ids of those.
    pub fn corrected(&self) -> &BTreeMap<usize, String> {
        &self.corrected
    }

    /// Notes that a row was edited after it was submitted.
    pub fn change(&mut self, index: usize, fields: Vec<FieldEdit>) {
        self.changed.insert(index, fields);
    }

    /// Notes something in a row's answer that a person should look at.
    pub fn warn(&mut self, index: usize, message: String) {
        self.warnings.push((index, message));
    }

    /// Notes that a row is of the same house as an earlier one, and why.
    pub fn hold(&mut self, index: usize, rejection: RowRejectionReason, earlier: EarlierHouse) {
        self.reject(index, Outcome::SameHouse, rejection);
        self.held.insert(index, earlier);
    }

    /// Notes that a row is not sent because a person decided so; `earlier` is the request of its house, if there is one.
    pub fn skip(&mut self, index: usize, earlier: Option<EarlierHouse>) {
        self.settle(index, Outcome::Duplicate);
        self.skipped.extend(earlier.map(|earlier| (index, earlier)));
    }

    /// Notes that a row resembles another's house and is sent: because it was asked for, or with a warning.
    pub fn warn_of_house(&mut self, index: usize, warning: Option<String>) {
        self.told_of_house.insert(index);
        if let Some(warning) = warning {
            self.warn(index, warning);
        }
    }

    /// Notes that the service placed a row where another id's house is.
    pub fn place_at_another(&mut self, index: usize) {
        if !self.told_of_house.contains(&index) {
            self.same_locations.insert(index);
        }
    }

    /// Rows that were held as the same house, with the request that was there first.
    pub fn held(&self) -> &BTreeMap<usize, EarlierHouse> {
        &self.held
    }

    /// Rows that a person decided not to send, with the request that was there first.
    pub fn skipped(&self) -> &BTreeMap<usize, EarlierHouse> {
        &self.skipped
    }

    /// Rows at the location of another id, of which nothing was known before they were sent.
    pub fn same_locations(&self) -> &BTreeSet<usize> {
        &self.same_locations
    }

    /// What became of a row.
    pub fn outcome(&self, index: usize) -> Outcome {
        self.outcomes[index]
    }

    /// Why a row became no measurement; none for an invalid one, whose problems the check holds.
    pub fn rejection(&self, index: usize) -> Option<&RowRejectionReason> {
        self.rejections.get(&index)
    }

    /// Rows that became no measurement of theirs, in the file's order.
    pub fn rejected(&self) -> impl Iterator<Item = (usize, Outcome)> + '_ {
        let rejected = [
            Outcome::Invalid,
            Outcome::Refused,
            Outcome::Conflict,
            Outcome::SameHouse,
        ];
        let all = self.outcomes.iter().copied().enumerate();
        all.filter(move |(_, outcome)| rejected.contains(outcome))
    }

    /// Rows that were edited after they were submitted, with the fields that differ.
    pub fn changed(&self) -> &BTreeMap<usize, Vec<FieldEdit>> {
        &self.changed
    }

    /// What a person should look at in the answers, by row.
    pub fn warnings(&self) -> &[(usize, String)] {
        &self.warnings
    }

    /// How many rows ended in each outcome; their sum is the rows read.
    pub fn outcomes(&self) -> Outcomes {
        self.counts
    }
}
