//! The outcome of every row, with the reasons of rejections and the warnings.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::import::{
    CheckResult, CheckedFile, EarlierHouse, EarlierRow, EarlierState, RowEdit, row_index,
};
use crate::model::{Field, Outcome, OutcomeCounts, Status};

/// Minimum number of rows with another house for which a common cause is assumed, if these are more than a twentieth of
/// the rows.
const MIN_CONFLICTS_OF_ONE_CAUSE: u64 = 3;

/// Minimum number of conflicts of any kind for which a common cause is assumed, if most rows are in conflict.
const MIN_CONFLICTS: u64 = 5;

/// The outcomes of a run: one byte per row, and more only for rows with a reason or a warning.
#[derive(Clone, Debug, Default)]
pub struct RowOutcomes {
    outcomes: Vec<Outcome>,
    counts: OutcomeCounts,
    /// Why rows were rejected; without held rows, whose reason is composed when it is read.
    rejections: BTreeMap<usize, RowRejectionReason>,
    edited: BTreeMap<usize, RowEdit>,
    warnings: Vec<RowWarning>,
    /// Rows that were not sent because their house was requested before.
    held: BTreeMap<usize, EarlierHouse>,
    /// Rows that the user decided not to send, with the earlier request.
    skipped: BTreeMap<usize, EarlierHouse>,
    /// Rows that are sent although their house or building was requested.
    expected_locations: BTreeSet<usize>,
    /// Rows that the service placed at the location of another id's house, unexpectedly.
    same_locations: BTreeSet<usize>,
    corrected: BTreeMap<usize, String>,
    /// Rows that the service had already, with a measurement that is no request for the row's house.
    free_houses: BTreeSet<usize>,
    /// Whether the flags are others than those of an earlier import.
    has_other_flags: bool,
}

/// Why several rows are probably in conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictCause {
    /// The file is read with other flags than in an earlier import.
    OtherFlags,
    /// The rows are of other houses and other customers: ids start again.
    OtherIds,
    /// One of these, or a column that was sorted without the others.
    Unknown,
}

/// What a person should check in a row that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowWarning {
    /// The index of the row.
    pub index: usize,
    /// The field that it is about, if it is about one.
    pub field: Option<Field>,
    /// A lowercase fragment without a full stop.
    pub message: String,
}

/// Why a row was rejected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowRejectionReason {
    pub(super) messages: Vec<(Option<Field>, String)>,
    /// Of a row that is another house than was requested under its id, if nothing shows why.
    pub(super) conflict: Option<RowConflict>,
    /// Of a row in conflict, the id with another prefix under which its house was requested.
    pub(super) earlier_id: Option<String>,
    /// Whether the row differs from what was submitted under its id, which other flags may have caused.
    pub(super) is_other_reading: bool,
}

/// A row that is another house than was requested under its id, and that was not requested under another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowConflict {
    /// Whether nothing shows that the customers are one.
    pub(super) is_other_customer: bool,
    /// How the row is submitted with a new id; `None` if its conflict has a cause in common with others.
    pub(super) advice: Option<String>,
}

impl From<Vec<(Option<Field>, String)>> for RowRejectionReason {
    /// Messages without a conflict.
    fn from(messages: Vec<(Option<Field>, String)>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }
}

impl RowRejectionReason {
    /// The messages, each with the field that it is about, if it is about one.
    pub fn messages(&self) -> Vec<(Option<Field>, String)> {
        let mut messages = self.messages.clone();
        let advice = self.conflict.iter().filter_map(|one| one.advice.as_ref());
        for (advice, (_, message)) in advice.zip(messages.last_mut()) {
            *message += "; ";
            *message += advice;
        }
        messages
    }

    /// All messages in one line, each with the header of its column.
    pub fn text(&self, checked: &CheckedFile) -> String {
        let messages = self.messages().into_iter();
        let lines = messages.map(|(field, message)| match field {
            Some(field) => format!("{}: {message}", checked.field_names.name_of(field)),
            None => message,
        });
        lines.collect::<Vec<_>>().join("; ")
    }
}

impl RowOutcomes {
    /// The outcomes after the check: valid rows are pending.
    pub fn from_check(checked: &CheckedFile) -> Self {
        let outcome = |result: &CheckResult| match result {
            CheckResult::Valid { .. } => Outcome::Pending,
            CheckResult::Duplicate { .. } => Outcome::Duplicate,
            CheckResult::Invalid { .. } => Outcome::Invalid,
        };
        let outcomes: Vec<Outcome> = checked
            .rows
            .iter()
            .map(|row| outcome(&row.result))
            .collect();
        let mut counts = OutcomeCounts::default();
        for outcome in &outcomes {
            counts.add(*outcome);
        }
        Self {
            outcomes,
            counts,
            ..Self::default()
        }
    }

    /// Sets the outcome of a row.
    pub fn set_outcome(&mut self, index: usize, outcome: Outcome) {
        self.counts.reclassify(self.outcomes[index], outcome);
        self.outcomes[index] = outcome;
    }

    /// Sets the outcome of a rejected row, and why it was rejected.
    pub fn reject(&mut self, index: usize, outcome: Outcome, reason: RowRejectionReason) {
        self.set_outcome(index, outcome);
        self.rejections.insert(index, reason);
    }

    /// Marks a row as known because its corrected version was accepted under this id.
    pub fn mark_corrected(&mut self, index: usize, external_id: String) {
        self.set_outcome(index, Outcome::Known);
        self.rejections.remove(&index);
        self.edited.remove(&index);
        self.held.remove(&index);
        self.corrected.insert(index, external_id);
    }

    /// Stores that the flags are others than those of an earlier import.
    pub(super) fn set_other_flags(&mut self) {
        self.has_other_flags = true;
    }

    /// What the rows in conflict probably have in common; `None` if they are too few. Under other flags, one is enough.
    pub fn conflict_cause(&self) -> Option<ConflictCause> {
        let reasons = self.rejections.values();
        let conflicts: Vec<_> = reasons.filter_map(|one| one.conflict.as_ref()).collect();
        let (other_houses, total) = (conflicts.len() as u64, self.counts.total());
        let of_others = conflicts.iter().filter(|one| one.is_other_customer);
        let all = self.counts.count(Outcome::Conflict);
        if self.has_other_flags && self.has_other_reading() {
            Some(ConflictCause::OtherFlags)
        } else if other_houses >= MIN_CONFLICTS_OF_ONE_CAUSE && other_houses * 20 > total {
            let is_most = of_others.count() as u64 * 2 > other_houses;
            Some(if is_most {
                ConflictCause::OtherIds
            } else {
                ConflictCause::Unknown
            })
        } else {
            (all >= MIN_CONFLICTS && all * 5 >= total * 4).then_some(ConflictCause::Unknown)
        }
    }

    /// Whether a row differs from what was submitted under its id: it was edited, or the flags are wrong. A house that
    /// the service itself has under an id says nothing about the flags.
    pub(super) fn has_other_reading(&self) -> bool {
        let mut reasons = self.rejections.values();
        reasons.any(|reason| reason.is_other_reading)
    }

    /// Whether the service has or may get a row under its id.
    pub fn has_accepted(&self) -> bool {
        let sent = [Outcome::Created, Outcome::Existing, Outcome::Pending];
        self.known_by_own_ids() > 0 || sent.iter().any(|one| self.counts.count(*one) > 0)
    }

    /// The external ids of all rows of the checked file, and those under which rows are known as corrected.
    pub fn ids_of<'a>(&'a self, checked: &'a CheckedFile) -> HashSet<&'a str> {
        let mut ids = checked.external_ids();
        ids.extend(self.corrected.values().map(String::as_str));
        ids
    }

    /// The number of rows that are known, and not because they were corrected in rejects.
    pub(super) fn known_by_own_ids(&self) -> u64 {
        self.counts
            .count(Outcome::Known)
            .saturating_sub(self.corrected.len() as u64)
    }

    /// The rows in conflict whose houses were requested under ids with another prefix, each with that id.
    pub(super) fn earlier_ids_of_conflicts(&self) -> impl Iterator<Item = (usize, &str)> {
        let reasons = self.rejections.iter();
        reasons.filter_map(|(row, reason)| Some((*row, reason.earlier_id.as_deref()?)))
    }

    /// Leaves out the advice to give rows new ids if their conflicts have a common cause: their houses would be
    /// requested.
    pub(super) fn leave_out_advice(&mut self) {
        if self.conflict_cause().is_none() {
            return;
        }
        let reasons = self.rejections.values_mut();
        let conflicts = reasons.filter_map(|reason| reason.conflict.as_mut());
        conflicts.for_each(|conflict| conflict.advice = None);
    }

    /// Rows whose corrected versions were accepted, with the ids of these.
    pub fn corrected(&self) -> &BTreeMap<usize, String> {
        &self.corrected
    }

    /// Whether a row was accepted or skipped as what it was corrected to in rejects, or is skipped itself.
    pub fn is_corrected_or_skipped(&self, index: usize) -> bool {
        self.corrected.contains_key(&index) || self.skipped.contains_key(&index)
    }

    /// Stores that a row was edited after it was submitted.
    pub fn mark_edited(&mut self, index: usize, edit: RowEdit) {
        self.edited.insert(index, edit);
    }

    /// Adds a warning about a row.
    pub fn warn(&mut self, warning: RowWarning) {
        self.warnings.push(warning);
    }

    /// Rejects a row because it is the same house as an earlier one.
    pub fn reject_as_same_house(&mut self, index: usize, earlier: EarlierHouse) {
        self.set_outcome(index, Outcome::SameHouse);
        self.held.insert(index, earlier);
    }

    /// Stores that the earlier request for the house of a row that is not sent was answered: the measurement's status, or
    /// none if the service does not have that house. The row is then sent by the next run. Returns the answered request.
    pub(super) fn resolve_same_house(
        &mut self,
        index: usize,
        status: Option<Status>,
    ) -> Option<EarlierHouse> {
        self.rejections.remove(&index);
        let (Some(status), Some(earlier)) = (status, self.held.get_mut(&index)) else {
            self.held.remove(&index);
            self.set_outcome(index, Outcome::Pending);
            return None;
        };
        earlier.state = EarlierState::Measured(status);
        Some(earlier.clone())
    }

    /// Notes that the service had a row already, with a measurement that is no request for the row's house: it was
    /// canceled, or the original is another house.
    pub(super) fn mark_house_free(&mut self, index: usize) {
        self.free_houses.insert(index);
    }

    /// Leaves the rows to the next run that are held or skipped because of a row of this file which the service did not
    /// accept or had canceled, or because of an unanswered version of a row that was answered since.
    pub(super) fn release_same_house(&mut self, checked: &CheckedFile) {
        let is_released = |earlier: &EarlierHouse| {
            let rows = &checked.rows;
            let (other, is_version) = match &earlier.row {
                Some(EarlierRow {
                    table: None, row, ..
                }) => (row_index(checked, *row), true),
                // The row itself may be in this file, unchanged, or the row whose id the service has for that house.
                row if row.is_none() || earlier.is_unanswered() => {
                    let id = Some(earlier.external_id.as_str());
                    (rows.iter().position(|row| row.external_id() == id), false)
                }
                _ => return false,
            };
            other.is_some_and(|other| match self.outcome(other) {
                Outcome::Refused => earlier.is_to_be_sent() || earlier.is_unanswered(),
                Outcome::Existing if self.free_houses.contains(&other) => true,
                Outcome::Created | Outcome::Existing => is_version && earlier.is_unanswered(),
                // The service may have the earlier version.
                Outcome::Conflict => earlier.is_to_be_sent(),
                _ => false,
            })
        };
        let rows = self.held.iter().chain(&self.skipped);
        let released = rows.filter(|(_, earlier)| is_released(earlier));
        let released: Vec<usize> = released.map(|(index, _)| *index).collect();
        for index in released {
            self.skipped.remove(&index);
            self.resolve_same_house(index, None);
        }
    }

    /// Skips a row because the user decided so; `earlier` is the request for its house.
    pub fn mark_skipped(&mut self, index: usize, earlier: EarlierHouse) {
        self.set_outcome(index, Outcome::Duplicate);
        self.rejections.remove(&index);
        self.held.remove(&index);
        self.skipped.insert(index, earlier);
    }

    /// Marks a row that is sent although its house or building was requested: the service places it at the location of
    /// another id.
    pub fn expect_same_location(&mut self, index: usize) {
        self.expected_locations.insert(index);
    }

    /// Marks a row that the service placed at the location of another id's house.
    pub fn mark_same_location(&mut self, index: usize) {
        if !self.expected_locations.contains(&index) {
            self.same_locations.insert(index);
        }
    }

    /// Rows that were not sent because their house was requested before, with the earlier request.
    pub fn same_house_rows(&self) -> &BTreeMap<usize, EarlierHouse> {
        &self.held
    }

    /// The number of those rows whose house another row of the file has.
    pub fn same_house_in_file(&self) -> u64 {
        let houses = self.held.values();
        houses.filter(|earlier| earlier.is_to_be_sent()).count() as u64
    }

    /// Rows that the user decided not to send, with the earlier request.
    pub fn skipped(&self) -> &BTreeMap<usize, EarlierHouse> {
        &self.skipped
    }

    /// Rows that the service placed at the location of another id, unexpectedly.
    pub fn same_locations(&self) -> &BTreeSet<usize> {
        &self.same_locations
    }

    /// The outcome of a row.
    pub fn outcome(&self, index: usize) -> Outcome {
        self.outcomes[index]
    }

    /// Why a row was rejected; `None` for an invalid row, whose problems are in the check.
    pub fn rejection(&self, index: usize) -> Option<RowRejectionReason> {
        let of_held = || vec![(Some(Field::Line1), self.held[&index].reason())].into();
        let rejection = self.rejections.get(&index).cloned();
        rejection.or_else(|| self.held.contains_key(&index).then(of_held))
    }

    /// The rejected rows with their outcomes, in the file's order.
    pub fn rejected(&self) -> impl Iterator<Item = (usize, Outcome)> + '_ {
        let all = self.outcomes.iter().copied().enumerate();
        all.filter(|(_, outcome)| Outcome::REJECTED.contains(outcome))
    }

    /// Rows that were edited after they were submitted, and how.
    pub fn edited(&self) -> &BTreeMap<usize, RowEdit> {
        &self.edited
    }

    /// The warnings.
    pub fn warnings(&self) -> &[RowWarning] {
        &self.warnings
    }

    /// How many warnings the rows have besides those of the check.
    pub fn warning_count(&self) -> u64 {
        (self.warnings.len() + self.edited.len()) as u64
    }

    /// How many rows have each outcome; the sum is the number of rows.
    pub fn outcomes(&self) -> OutcomeCounts {
        self.counts
    }
}
