//! Decides what a run does with each row, from the file and the journal alone, so that a rerun is safe.

use std::collections::{BTreeMap, HashSet};

use crate::import::corrections;
use crate::import::edited_rows::compare_edited_rows;
use crate::import::missing_rows::missing_rows;
use crate::import::plan_input::PlanInput;
use crate::import::replaced_rows;
use crate::import::row_outcomes::{RowConflict, RowRejectionReason};
use crate::import::same_house::{
    earlier_prefix, known_prefix, prefix_stop, review, sheet_prefix_stop,
};
use crate::import::stop_reason::stop_reason;
use crate::import::{
    CheckResult, CheckedFile, Error, ImportInput, ImportOptions, ImportStop, KnownPrefix,
    RowOutcomes, UnansweredRequest,
};
use crate::journal::{
    PendingRow, ReportedProblems, StoredDecision, SubmissionIndex, SubmissionState, SubmittedRow,
};
use crate::model::{Field, FieldError, Outcome};

/// What a run will do.
#[derive(Clone, Debug)]
pub struct SubmissionPlan {
    /// The outcome of each row before anything is sent.
    pub rows: RowOutcomes,
    /// The indices of the rows to submit, in the file's order.
    pub send: Vec<usize>,
    /// Why nothing is sent, if rows are to be sent.
    pub stop: Option<ImportStop>,
    /// The prefix of the earlier ids, if most rows that are not sent because of their id or their house had it.
    pub earlier_prefix: Option<String>,
    /// The prefix of another sheet of the workbook.
    pub known_prefix: Option<KnownPrefix>,
    /// The rows that earlier runs of the table left pending, that are not in it any more and that the service did not
    /// answer.
    pub missing: Vec<PendingRow>,
    /// The problems that the previous run of the table reported.
    pub reported_before: ReportedProblems,
    /// Earlier requests that are sent again in place of rows, by the index of the row; each is in `send`.
    pub unanswered: BTreeMap<usize, UnansweredRequest>,
    /// The user's decisions in the file, to be stored before anything is sent.
    pub decisions: Vec<StoredDecision>,
}

/// What is done with a valid row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlannedAction {
    /// It is submitted.
    Send,
    /// The journal has its measurement.
    Known,
    /// The journal has a measurement of its id for other contents; they must be compared.
    Compare,
    /// The service refused the same contents before.
    RefusedBefore,
    /// The service had the id with another house, and the row has not changed since.
    InConflict,
}

/// Decides about every row.
///
/// # Errors
/// If the journal cannot be read, or the file, which is read again for edited rows.
pub fn plan(
    input: &ImportInput,
    checked: &CheckedFile,
    submissions: &SubmissionIndex,
    options: &ImportOptions,
) -> Result<SubmissionPlan, Error> {
    let plan_input = PlanInput {
        input,
        checked,
        index: submissions,
        options,
    };
    let mut rows = RowOutcomes::from_check(checked);
    if input.reading_change.is_some() {
        rows.set_other_flags();
    }
    let RowsByAction {
        mut send,
        mut is_new,
        edited,
    } = by_action(plan_input, &mut rows)?;
    compare_edited_rows(plan_input, &edited, &mut rows)?;
    corrections::apply(plan_input, &mut rows, &mut send)?;
    for index in rows.corrected().keys().chain(rows.skipped().keys()) {
        is_new[*index] = false;
    }
    let review = review(plan_input, &is_new, &mut rows)?;
    let is_sent = |index: &usize| review.not_sent.binary_search(index).is_err();
    send.retain(is_sent);
    // A row in whose place an earlier request is sent again is that request's house.
    let is_requested =
        |index: &usize| is_new[*index] && is_sent(index) && !review.unanswered.contains_key(index);
    let is_undecided = |index: usize| is_requested(&index) && !review.sent_again.contains(&index);
    let exchanged = replaced_rows::warn(plan_input, &is_undecided, &mut rows)?;
    let earlier_prefix = earlier_prefix(input, checked, &rows);
    // Most rows of rejects are held.
    let has_begun = send.iter().any(|row| !is_new[*row]) || checked.columns.are_of_rejects();
    let first_sent = send.iter().copied().find(is_requested);
    // The rejects of an invalid row would be sent with the prefix of this run.
    let is_due =
        !has_begun && (first_sent.is_some() || rows.outcomes().count(Outcome::Invalid) > 0);
    let other_prefix = match &earlier_prefix {
        Some(earlier) if is_due => prefix_stop(input, earlier, first_sent, &mut rows),
        _ => None,
    };
    let known_prefix = known_prefix(plan_input, &rows)?;
    let of_rows = exchanged.or(other_prefix);
    let of_rows = of_rows.or_else(|| sheet_prefix_stop(input, known_prefix.as_ref()?));
    let mut plan = SubmissionPlan {
        stop: stop_reason(plan_input, &send, &rows, of_rows)?,
        rows,
        send,
        earlier_prefix: earlier_prefix.map(|(prefix, _)| prefix),
        known_prefix,
        missing: missing_rows(plan_input, &is_new, review.unanswered.values())?,
        reported_before: submissions.reported_problems(&checked.source)?,
        unanswered: review.unanswered,
        decisions: review.decisions,
    };
    plan.drop_requests_with_own_rows(checked);
    plan.apply_limits(options);
    plan.rows.leave_out_advice();
    Ok(plan)
}

/// The indices of rows that are not decided yet, each in ascending order.
#[derive(Debug, Default)]
struct RowsByAction {
    send: Vec<usize>,
    /// Whether each row is one of `send` that cannot be at the service.
    is_new: Vec<bool>,
    /// Rows that differ from their submitted version.
    edited: Vec<usize>,
}

fn by_action(plan_input: PlanInput<'_>, rows: &mut RowOutcomes) -> Result<RowsByAction, Error> {
    let submissions = plan_input.index;
    let mut found = RowsByAction {
        is_new: vec![false; plan_input.checked.rows.len()],
        ..RowsByAction::default()
    };
    for (index, row) in plan_input.checked.rows.iter().enumerate() {
        let CheckResult::Valid {
            external_id,
            content,
        } = &row.result
        else {
            continue;
        };
        let exact = submissions.state(*content);
        let entry = match exact {
            Some(SubmissionState::Measured | SubmissionState::Sent) => None,
            _ => submissions.entry(external_id)?,
        };
        match action(exact, entry.as_ref(), plan_input.options) {
            PlannedAction::Send => {
                found.send.push(index);
                // A row that may already be at the service keeps its id, so that it cannot be requested twice.
                found.is_new[index] = exact != Some(SubmissionState::Sent);
            }
            PlannedAction::Known => rows.set_outcome(index, Outcome::Known),
            PlannedAction::Compare => found.edited.push(index),
            PlannedAction::RefusedBefore => {
                rows.reject(index, Outcome::Refused, stored_messages(entry).into());
            }
            PlannedAction::InConflict => {
                let messages = stored_messages(entry);
                let reason = service_conflict(messages, plan_input.input, external_id);
                rows.reject(index, Outcome::Conflict, reason);
            }
        }
    }
    Ok(found)
}

/// `exact` is the state of the same contents; `entry` is the row that was last submitted under the id.
fn action(
    exact: Option<SubmissionState>,
    entry: Option<&SubmittedRow>,
    options: &ImportOptions,
) -> PlannedAction {
    match (exact, entry.map(|entry| entry.state)) {
        (Some(SubmissionState::Measured), _) => PlannedAction::Known,
        (Some(SubmissionState::Refused), _) if !options.retry_refused => {
            PlannedAction::RefusedBefore
        }
        (Some(SubmissionState::Conflict), _) => PlannedAction::InConflict,
        (None, Some(SubmissionState::Measured)) => PlannedAction::Compare,
        // These contents were never submitted or their response was lost, and no other version has a measurement.
        (Some(SubmissionState::Sent | SubmissionState::Refused) | None, _) => PlannedAction::Send,
    }
}

/// Why the service rejected the row before.
fn stored_messages(entry: Option<SubmittedRow>) -> Vec<(Option<Field>, String)> {
    let messages = entry.map(|entry| entry.messages).unwrap_or_default();
    messages.iter().map(FieldError::by_field).collect()
}

/// Why a row is in conflict whose id the service has with another house, and the advice to give it a new one; a message
/// that names a field says itself what to do.
pub(super) fn service_conflict(
    mut messages: Vec<(Option<Field>, String)>,
    input: &ImportInput,
    external_id: &str,
) -> RowRejectionReason {
    let is_of_house = messages.iter().all(|(field, _)| field.is_none());
    let conflict = is_of_house.then(|| RowConflict {
        is_other_customer: false,
        advice: Some(format!(
            "if the row's address is right, give it a new id, for example {}",
            input.new_id(external_id)
        )),
    });
    for (field, _) in &mut messages {
        field.get_or_insert(Field::Id);
    }
    RowRejectionReason {
        messages,
        conflict,
        ..RowRejectionReason::default()
    }
}

impl SubmissionPlan {
    /// Leaves the earlier requests whose ids are sent with other rows of the file to these.
    fn drop_requests_with_own_rows(&mut self, checked: &CheckedFile) {
        if self.unanswered.is_empty() {
            return;
        }
        let own = self
            .send
            .iter()
            .filter(|index| !self.unanswered.contains_key(index));
        let ids: HashSet<&str> = own
            .filter_map(|index| checked.rows[*index].external_id())
            .collect();
        let is_left =
            |earlier: &UnansweredRequest| ids.contains(earlier.request.external_id.as_str());
        self.send
            .retain(|index| !self.unanswered.get(index).is_some_and(is_left));
        self.unanswered.retain(|_, earlier| !is_left(earlier));
    }

    fn apply_limits(&mut self, options: &ImportOptions) {
        let is_invalid = || self.rows.outcomes().count(Outcome::Invalid) > 0;
        let limit = if options.all_or_nothing && is_invalid() {
            0
        } else {
            options.limit.unwrap_or(u64::MAX)
        };
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        for index in self.send.split_off(limit.min(self.send.len())) {
            // The row is decided once the earlier request is answered.
            if self.unanswered.remove(&index).is_some() {
                self.rows.resolve_same_house(index, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Request;

    fn entry(state: SubmissionState) -> SubmittedRow {
        SubmittedRow {
            state,
            request: Request::example(),
            normalized: None,
            messages: Vec::new(),
        }
    }

    /// Refused rows are left, or sent again.
    fn leave_or_retry() -> [ImportOptions; 2] {
        let retry = ImportOptions {
            retry_refused: true,
            ..ImportOptions::default()
        };
        [ImportOptions::default(), retry]
    }

    #[test]
    fn what_was_measured_is_known_and_costs_nothing() {
        let [leave, _] = &leave_or_retry();
        assert_eq!(
            action(Some(SubmissionState::Measured), None, leave),
            PlannedAction::Known
        );
        assert_eq!(
            action(None, Some(&entry(SubmissionState::Measured)), leave),
            PlannedAction::Compare
        );
    }

    #[test]
    fn what_was_never_answered_is_sent_again() {
        for refused in &leave_or_retry() {
            assert_eq!(
                action(Some(SubmissionState::Sent), None, refused),
                PlannedAction::Send
            );
            assert_eq!(
                action(None, Some(&entry(SubmissionState::Sent)), refused),
                PlannedAction::Send
            );
            assert_eq!(action(None, None, refused), PlannedAction::Send);
        }
    }

    #[test]
    fn a_refused_row_is_sent_again_only_changed_or_on_demand() {
        let before = entry(SubmissionState::Refused);
        let exact = Some(SubmissionState::Refused);
        let [leave, retry] = &leave_or_retry();
        assert_eq!(
            action(exact, Some(&before), leave),
            PlannedAction::RefusedBefore
        );
        assert_eq!(action(exact, Some(&before), retry), PlannedAction::Send);
        assert_eq!(action(None, Some(&before), leave), PlannedAction::Send);
    }

    #[test]
    fn a_conflict_stays_one_until_its_row_changes() {
        let before = entry(SubmissionState::Conflict);
        for refused in &leave_or_retry() {
            assert_eq!(
                action(Some(SubmissionState::Conflict), Some(&before), refused),
                PlannedAction::InConflict
            );
            assert_eq!(action(None, Some(&before), refused), PlannedAction::Send);
        }
    }
}
