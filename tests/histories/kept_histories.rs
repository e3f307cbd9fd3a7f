//! Histories that failed once, shrunk, by the names of their facts.

use super::contractor::ContractorAction;
use super::loopback::{Trouble, TroubleKind};
use super::plan::Plan;
use super::runner::require_to_hold;
use super::service::LARGE_QUOTA;
use super::sheet_edit::{Edit, SheetEdit};
use super::steps::{Fate, ImportFlags, NEW_DOCUMENT, SealPeriod, SealRecord, Step};
use super::waiting_room::TurnOrder;

/// What happens to requests of a command from the one with this number on.
pub(super) fn trouble(kind: TroubleKind, first: usize, times: usize) -> Fate {
    Fate {
        trouble: Some(Trouble { kind, first, times }),
        ..Fate::default()
    }
}

/// An import of the first file, in which responses of the service from the one with this number on have another address.
fn import_with_other_addresses(first: usize, times: usize) -> Step {
    let fate = trouble(TroubleKind::OtherAddress, first, times);
    Step::Import(0, ImportFlags::default(), fate)
}

#[test]
fn a_file_that_has_the_name_of_rejects_is_no_copy_of_its_own() {
    // `leads.rejects-2.csv` alone is taken to another computer, and becomes another sheet there.
    let steps = vec![
        Step::import(0),
        Step::import(1),
        Step::OtherComputer(1),
        Step::import(0),
        Step::Edit(0, SheetEdit::Replace),
    ];
    require_to_hold(&Plan::of(vec![0, 4], steps));
}

#[test]
fn a_house_that_only_the_service_has_elsewhere_does_not_make_flags_doubtful() {
    let flags = ImportFlags {
        derive_id: true,
        ..ImportFlags::default()
    };
    let again = Step::Import(0, flags, Fate::default());
    let steps = vec![import_with_other_addresses(2, 2), again];
    require_to_hold(&Plan::of(vec![0, 0], steps));
}

#[test]
fn a_measurement_stays_with_the_version_that_created_it_after_another_was_sent_under_its_id() {
    let edit = Step::Edit(3, SheetEdit::Row(3, Edit::OtherHouse));
    let steps = vec![import_with_other_addresses(3, 1), edit];
    require_to_hold(&Plan::of(vec![0, 0, 0], steps));
}

#[test]
fn rejects_that_a_lost_journal_wrote_correct_no_row() {
    // `leads.rejects-2.csv` still has the address that the row had before.
    let acme = ImportFlags {
        id_prefix: Some("acme-"),
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Import(0, acme, Fate::default()),
        Step::import(1),
        Step::Edit(1, SheetEdit::Row(0, Edit::ZipPlus4)),
        Step::import(0),
        Step::LoseJournal(SealRecord::Stays),
        Step::Edit(0, SheetEdit::Row(3, Edit::OtherHouse)),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_corrected_row_that_was_sent_twice_corrects_its_row() {
    let steps = vec![
        Step::import(0),
        Step::CorrectRejects,
        Step::Edit(1, SheetEdit::Resubmit(1)),
        Step::FollowAdvice,
        Step::Decide(1, 1, "send"),
        Step::FollowAdvice,
    ];
    require_to_hold(&Plan::of(vec![0, 3], steps));
}

#[test]
fn a_row_of_rejects_that_resembles_two_rows_keeps_its_number() {
    let steps = vec![
        Step::import(0),
        Step::Edit(2, SheetEdit::Resubmit(2)),
        Step::Edit(0, SheetEdit::Row(2, Edit::NoId)),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 5], steps));
}

#[test]
fn a_pending_row_is_missed_although_a_house_number_begins_like_its_own() {
    // `4-103 Garden Street` leaves, and `4-115 Garden Street` takes its place.
    let one = ImportFlags {
        limit: Some(1),
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::BackUp,
        Step::Import(0, one, Fate::default()),
        Step::Edit(0, SheetEdit::Replace),
    ];
    require_to_hold(&Plan::of(vec![0, 0], steps));
}

#[test]
fn a_row_is_not_held_for_an_unanswered_row_that_is_refused_since() {
    let flags = ImportFlags::default();
    let steps = vec![
        Step::Import(0, flags, trouble(TroubleKind::DeathBefore, 1, 2)),
        Step::Edit(0, SheetEdit::Resubmit(1)),
        Step::Import(0, flags, trouble(TroubleKind::Refused, 0, 40)),
    ];
    require_to_hold(&Plan {
        concurrency: 4,
        ..Plan::of(vec![0, 0, 0, 0], steps)
    });
}

#[test]
fn a_row_is_not_held_for_an_unanswered_row_that_the_service_has_as_withdrawn() {
    let flags = ImportFlags {
        derive_id: true,
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::Import(0, flags, trouble(TroubleKind::AnswerLate, 1, 40)),
        Step::Contractor(0, ContractorAction::Withdraw),
        Step::Edit(0, SheetEdit::Repeat(0)),
        Step::Edit(0, SheetEdit::Town(1)),
    ];
    require_to_hold(&Plan {
        flags,
        ..Plan::of(vec![0], steps)
    });
}

#[test]
fn requests_that_were_on_their_way_when_the_computer_slept_count_when_it_wakes() {
    // The first requests have left, and wait for the answers of the later ones.
    for readings in (7..19).step_by(4) {
        let slept = Fate {
            sleeps_after: Some(readings),
            ..Fate::default()
        };
        let import = Step::Import(0, ImportFlags::default(), slept);
        require_to_hold(&Plan {
            concurrency: 2,
            turns: TurnOrder::LastName,
            ..Plan::of(vec![0; 14], vec![import])
        });
    }
}

#[test]
fn requests_that_are_recorded_in_advance_wait_after_a_429() {
    let paused = trouble(TroubleKind::RateLimited(Some(30)), 2, 1);
    let import = Step::Import(0, ImportFlags::default(), paused);
    require_to_hold(&Plan {
        quota: LARGE_QUOTA,
        ..Plan::of(vec![0; 5], vec![import])
    });
}

#[test]
fn a_document_has_no_numbers_of_another_house() {
    let lie = trouble(TroubleKind::OtherAddress, 0, 40);
    let steps = vec![
        Step::import(0),
        Step::Month,
        Step::Export(NEW_DOCUMENT, None, lie),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 0], steps));
}

#[test]
fn a_conflict_that_the_service_answered_is_no_answer_that_was_lost() {
    // Two versions of a row are sent by a new journal, minutes after the lost one requested a third.
    let other_house = || Step::Edit(0, SheetEdit::Row(0, Edit::OtherHouse));
    let steps = vec![
        Step::import(0),
        other_house(),
        Step::import(0),
        Step::LoseJournal(SealRecord::IsLost),
        other_house(),
        Step::import(0),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 0], steps));
}

#[test]
fn a_row_whose_request_was_lost_may_have_created_the_measurement_of_its_id() {
    // The lost journal requested another house under the id, minutes before.
    let steps = vec![
        Step::import(0),
        Step::LoseJournal(SealRecord::Stays),
        Step::Edit(0, SheetEdit::Row(0, Edit::OtherHouse)),
        Step::Import(
            0,
            ImportFlags::default(),
            trouble(TroubleKind::RequestLost, 1, 1),
        ),
    ];
    require_to_hold(&Plan::of(vec![0, 0], steps));
}

#[test]
fn a_row_that_is_held_for_a_canceled_measurement_of_another_row_is_sent_by_the_next_run() {
    // A lost journal requested the house under the id of the other row, which was another house when the new one began.
    let steps = vec![
        Step::import(0),
        Step::LoseJournal(SealRecord::IsLost),
        Step::Edit(0, SheetEdit::Row(1, Edit::OtherHouse)),
        Step::import(0),
        Step::Undo(0),
        Step::Contractor(1, ContractorAction::Withdraw),
        Step::Edit(0, SheetEdit::Resubmit(1)),
    ];
    require_to_hold(&Plan::of(vec![0, 0], steps));
}

#[test]
fn a_row_under_another_prefix_is_held_for_its_request_that_was_lost() {
    // That request may have created the measurement which the service shows with the house of the lost journal.
    let acme = ImportFlags {
        id_prefix: Some("acme-"),
        ..ImportFlags::default()
    };
    let lost = trouble(TroubleKind::AnswerLost, 2, 40);
    let steps = vec![
        Step::import(0),
        Step::Edit(0, SheetEdit::Row(2, Edit::OtherHouse)),
        Step::LoseJournal(SealRecord::Stays),
        Step::Import(0, ImportFlags::default(), lost),
        Step::import(0),
        Step::Import(0, acme, Fate::default()),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 0], steps));
}

#[test]
fn a_bill_that_a_later_export_delivers_is_in_the_record_of_seals() {
    let dies_writing = Fate {
        dies_writing: Some(1),
        ..Fate::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Contractor(1, ContractorAction::Complete),
        Step::Seal(SealPeriod::Everything, dies_writing),
        Step::Export(usize::MAX, None, Fate::default()),
        Step::LoseJournal(SealRecord::Stays),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 0, 0, 3, 0], steps));
}

#[test]
fn rejects_that_a_killed_run_did_not_replace_correct_the_rows_that_they_are_of() {
    let acme = ImportFlags {
        id_prefix: Some("acme-"),
        derive_id: true,
        ..ImportFlags::default()
    };
    let dies_after = Fate {
        dies_after: Some(2),
        ..Fate::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Import(0, acme, Fate::default()),
        Step::Edit(2, SheetEdit::Row(3, Edit::OtherHouse)),
        Step::Import(0, ImportFlags::default(), dies_after),
        Step::Edit(1, SheetEdit::Row(2, Edit::OtherHouse)),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_run_with_a_prefix_may_be_remembered_although_it_sent_nothing_and_died() {
    let prefix = ImportFlags {
        id_prefix: Some("b-"),
        ..ImportFlags::default()
    };
    let dies_after = Fate {
        dies_after: Some(3),
        ..Fate::default()
    };
    let steps = vec![
        Step::Edit(0, SheetEdit::Resubmit(1)),
        Step::import(0),
        Step::Decide(0, 1, "send"),
        Step::FollowAdvice,
        Step::import(0),
        Step::Import(0, prefix, dies_after),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_row_that_is_sent_after_it_was_skipped_corrects_its_row() {
    let acme = ImportFlags {
        id_prefix: Some("acme-"),
        derive_id: true,
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::Edit(3, SheetEdit::Resubmit(0)),
        Step::import(0),
        Step::Decide(3, 0, "skip"),
        Step::FollowAdvice,
        Step::Edit(1, SheetEdit::Row(1, Edit::IdCase)),
        // Under the new id, the house is asked about once more.
        Step::Decide(2, 5, "send"),
        Step::FollowAdvice,
        Step::Decide(2, 5, "send"),
        Step::FollowAdvice,
        Step::Import(0, acme, Fate::default()),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn an_export_adds_the_seals_of_a_backup_to_the_record_that_was_lost() {
    // The record tells the restored journal of the adjustment, and not of its numbers.
    let steps = vec![
        Step::import(0),
        Step::BillTwice,
        Step::BackUp,
        Step::UseBackup(SealRecord::IsLost),
        Step::Seal(SealPeriod::Everything, Fate::default()),
        Step::LoseJournal(SealRecord::Stays),
        Step::Restore(0),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn of_two_versions_of_a_row_that_were_imported_one_by_one_one_has_the_numbers() {
    let steps = vec![
        Step::Edit(1, SheetEdit::Repeat(4)),
        Step::Edit(0, SheetEdit::Row(0, Edit::Phone)),
        Step::import(0),
        Step::FollowAdvice,
        Step::Edit(1, SheetEdit::Remove(2)),
        Step::Copy(0),
        Step::FollowAdvice,
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_refused_row_that_is_sent_again_under_its_old_id_is_held_for_its_rejects() {
    let acme = ImportFlags {
        id_prefix: Some("acme-"),
        ..ImportFlags::default()
    };
    let again = ImportFlags {
        retry_refused: true,
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::Import(
            0,
            ImportFlags::default(),
            trouble(TroubleKind::Refused, 1, 1),
        ),
        Step::Import(1, acme, Fate::default()),
        Step::import(0),
        Step::Rename(2),
        Step::import(0),
        Step::Import(0, again, Fate::default()),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}

#[test]
fn a_journal_with_bills_alone_is_not_restored_once_more() {
    let steps = vec![
        Step::import(0),
        Step::BillTwice,
        Step::BillTwice,
        Step::LoseJournal(SealRecord::Stays),
        Step::Restore(4),
        Step::Restore(2),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 5, 4], steps));
}

#[test]
fn an_older_copy_of_rejects_corrects_no_row_that_is_another_house_since() {
    let prefixed = ImportFlags {
        id_prefix: Some("b-"),
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Import(0, prefixed, Fate::default()),
        Step::Edit(0, SheetEdit::Row(1, Edit::OtherHouse)),
        Step::Rename(1),
    ];
    require_to_hold(&Plan::of(vec![0, 0, 4], steps));
}

#[test]
fn a_copy_of_rejects_that_were_imported_corrects_no_row_that_is_another_house_since() {
    let prefixed = ImportFlags {
        id_prefix: Some("b-"),
        ..ImportFlags::default()
    };
    let steps = vec![
        Step::import(0),
        Step::Edit(1, SheetEdit::Row(5, Edit::OtherHouse)),
        Step::import(0),
        Step::Import(3, prefixed, Fate::default()),
        Step::Rename(1),
        Step::Edit(0, SheetEdit::Row(3, Edit::OtherHouse)),
    ];
    require_to_hold(&Plan::of(vec![0], steps));
}
