//! Histories of decisions, of rejects and of requests without answers that failed once, shrunk, by the names of their
//! facts.

use super::contractor::ContractorAction;
use super::kept_histories::trouble;
use super::loopback::TroubleKind;
use super::plan::Plan;
use super::runner::require_to_hold;
use super::sheet_edit::{Edit, SheetEdit};
use super::steps::{Fate, ImportFlags, NEW_WORKBOOK, SealRecord, Step};
use super::waiting_room::TurnOrder;

#[test]
fn a_skipped_row_is_not_held_for_a_request_without_an_answer_beside_the_answered_one() {
    // By the clock that was set back, the request without an answer is the first.
    let flags = ImportFlags {
        allow_same_house: true,
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::Edit(0, SheetEdit::Resubmit(0)),
        Step::import(0),
        Step::Decide(0, 0, "skip"),
        Step::FollowAdvice,
        Step::SetClockBack(4),
        Step::Edit(0, SheetEdit::Resubmit(0)),
        Step::Import(0, flags, trouble(TroubleKind::AnswerLost, 1, 40)),
        Step::import(0),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_decision_of_the_journal_is_in_rejects_whose_sheet_has_a_column_for_decisions() {
    // Another row of the sheet has a decision in that column.
    let steps = vec![
        Step::Edit(0, SheetEdit::Resubmit(0)),
        Step::import(0),
        Step::Decide(0, 0, "skip"),
        Step::FollowAdvice,
        Step::Contractor(0, ContractorAction::Withdraw),
        Step::Export(NEW_WORKBOOK, None, Fate::default()),
        Step::Edit(0, SheetEdit::SkipAsNew(0)),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_skipped_row_is_decided_by_the_next_run_if_the_answer_it_waited_for_is_a_canceled_measurement()
{
    // The journal that was lost requested the house, and its measurement was withdrawn.
    let lost = trouble(TroubleKind::RequestLost, 2, 40);
    let steps = vec![
        Step::import(0),
        Step::Contractor(1, ContractorAction::Withdraw),
        Step::LoseJournal(SealRecord::IsLost),
        Step::Import(0, ImportFlags::default(), lost),
        Step::Edit(0, SheetEdit::SkipAsNew(1)),
        Step::import(0),
    ];
    require_to_hold(&Plan::of(vec![0, 0], steps));
}

#[test]
fn a_skip_that_takes_no_effect_leaves_an_earlier_one_about_another_house() {
    // The rejects are corrected after they were imported, so that `skip` stands beside a house that nobody requested.
    let flags = ImportFlags {
        derive_id: true,
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::Import(0, flags, Fate::default()),
        Step::Edit(3, SheetEdit::Resubmit(3)),
        Step::import(0),
        Step::Decide(3, 3, "skip"),
        Step::FollowAdvice,
        Step::Edit(1, SheetEdit::Row(3, Edit::OtherUnit)),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 3, 0], steps));
}

#[test]
fn a_row_that_was_sent_before_a_conflict_told_of_its_house_is_sent_again() {
    // A lost journal requested the house under the id of another row, which is answered in the same run.
    let lost = trouble(TroubleKind::RequestLost, 3, 40);
    let steps = vec![
        Step::import(0),
        Step::Edit(0, SheetEdit::Row(2, Edit::OtherHouse)),
        Step::LoseJournal(SealRecord::IsLost),
        Step::Edit(0, SheetEdit::AddMissing),
        Step::Import(0, ImportFlags::default(), lost),
    ];
    require_to_hold(&Plan {
        concurrency: 4,
        turns: TurnOrder::FirstName,
        ..Plan::of(vec![0, 0, 0], steps)
    });
}

#[test]
fn a_request_that_a_dead_process_recorded_may_have_created_the_measurement_of_its_id() {
    // It never left, and the service has another house under the id, of a lost journal.
    for readings in 1..16 {
        let fate = Fate {
            dies_after: Some(readings),
            ..Fate::default()
        };
        let steps = vec![
            Step::import(0),
            Step::LoseJournal(SealRecord::Stays),
            Step::Edit(0, SheetEdit::Row(1, Edit::OtherHouse)),
            Step::Import(0, ImportFlags::default(), fate),
        ];
        require_to_hold(&Plan::of(vec![0, 0], steps));
    }
}

#[test]
fn rejects_are_read_with_their_own_flags_after_all_rows_of_their_sheet_were_accepted() {
    // The row of the rejects became another house, which has no id there either.
    let derived = ImportFlags {
        derive_id: true,
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Edit(1, SheetEdit::Row(3, Edit::OtherHouse)),
        Step::Import(0, derived, Fate::default()),
        Step::import(1),
        Step::import(1),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 0, 3], steps));
}

#[test]
fn rejects_with_a_row_that_became_another_house_are_still_those_of_their_sheet() {
    // The row is as near to that of a copy of the sheet, where it became another house too.
    let steps = vec![
        Step::import(0),
        Step::Edit(1, SheetEdit::Row(0, Edit::OtherHouse)),
        Step::Edit(0, SheetEdit::Row(2, Edit::OtherHouse)),
        Step::Copy(0),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 5, 5], steps));
}

#[test]
fn rejects_of_a_run_that_died_before_it_recorded_their_rows_are_kept() {
    for readings in 1..8 {
        let dies = Fate {
            dies_after: Some(readings),
            ..Fate::default()
        };
        let steps = vec![
            Step::import(0),
            Step::Edit(0, SheetEdit::Row(1, Edit::Upper)),
            Step::Import(0, ImportFlags::default(), dies),
            Step::Edit(0, SheetEdit::ReplaceWithHoles),
        ];
        require_to_hold(&Plan::of(vec![0, 4], steps));
    }
}

#[test]
fn a_service_that_asks_for_a_pause_of_hours_may_have_created_the_measurement() {
    let pauses = || trouble(TroubleKind::Maintenance, 1, 1);
    let steps = vec![
        Step::Import(0, ImportFlags::default(), pauses()),
        Step::Sleep(3),
        Step::Edit(0, SheetEdit::Row(0, Edit::OtherHouse)),
        Step::import(0),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_row_waits_for_the_next_run_if_the_service_has_the_row_before_it_as_another_house() {
    // The lost journal requested the row before under `4-103`; both rows say `103` now.
    let steps = vec![
        Step::import(0),
        Step::Edit(0, SheetEdit::Row(1, Edit::NumberPart)),
        Step::Edit(0, SheetEdit::Resubmit(1)),
        Step::LoseJournal(SealRecord::Stays),
        Step::import(0),
    ];
    require_to_hold(&Plan::of(vec![0, 0], steps));
}

#[test]
fn rejects_sorted_as_a_dead_run_had_prepared_them_are_those_of_the_program() {
    let dies = Fate {
        dies_committing: Some(55),
        ..Fate::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Edit(1, SheetEdit::Sort("notes")),
        Step::import(1),
        Step::Import(0, ImportFlags::default(), dies),
        Step::Edit(1, SheetEdit::Sort("line1")),
    ];
    require_to_hold(&Plan::of(vec![0, 4, 3], steps));
}

#[test]
fn rejects_of_a_copy_of_rejects_are_read_with_its_flags() {
    let flags = ImportFlags {
        derive_id: true,
        id_prefix: Some("acme-"),
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Import(1, flags, Fate::default()),
        Step::Copy(1),
        Step::Edit(0, SheetEdit::AddMissing),
        Step::import(0),
    ];
    require_to_hold(&Plan::of(vec![0, 3], steps));
}

#[test]
fn of_two_rows_with_one_id_neither_has_numbers_after_one_was_edited() {
    let steps = vec![
        Step::import(0),
        Step::Edit(2, SheetEdit::Repeat(2)),
        Step::BillTwice,
        Step::Edit(0, SheetEdit::Row(1, Edit::OtherHouse)),
        Step::Export(3, Some(2), Fate::default()),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_row_that_was_removed_from_its_sheet_needs_no_rejects_after_a_run_died() {
    let dies = Fate {
        dies_committing: Some(10),
        ..Fate::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Edit(2, SheetEdit::Remove(3)),
        Step::import(1),
        Step::Import(1, ImportFlags::default(), dies),
        Step::import(2),
    ];
    require_to_hold(&Plan::of(vec![0, 5], steps));
}

#[test]
fn a_correction_with_its_unit_moved_and_its_contact_removed_is_one_once_it_is_filled_in() {
    let steps = vec![
        Step::import(0),
        Step::Edit(3, SheetEdit::Row(2, Edit::Unit)),
        Step::Edit(1, SheetEdit::Row(5, Edit::NoContact)),
        Step::import(1),
        Step::CorrectRejects,
        Step::FollowAdvice,
    ];
    require_to_hold(&Plan::of(vec![0, 5, 5, 3], steps));
}

#[test]
fn a_copy_of_rejects_keeps_its_prefix_when_its_sheet_is_imported_without_one() {
    // The clock stands still between commands: the journal has two readings of one time.
    let prefixed = ImportFlags {
        id_prefix: Some("b-"),
        ..ImportFlags::default()
    };
    let steps = vec![Step::Import(0, prefixed, Fate::default()), Step::Copy(1)];
    require_to_hold(&Plan::of(vec![3], steps));
}
