//! Histories that failed once, shrunk, by the names of their facts.

use super::loopback::{Trouble, TroubleKind};
use super::plan::Plan;
use super::runner::require_to_hold;
use super::sheet_edit::{Edit, SheetEdit};
use super::steps::{Fate, ImportFlags, SealRecord, Step};

/// An import of the first file, in which responses of the service from the one with this number on have another address.
fn import_with_other_addresses(first: usize, times: usize) -> Step {
    let kind = TroubleKind::OtherAddress;
    let trouble = Some(Trouble { kind, first, times });
    let fate = Fate {
        trouble,
        ..Fate::default()
    };
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
