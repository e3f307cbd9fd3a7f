//! Commands whose processes die before each of their commits, one after the other.

use super::contractor::ContractorAction;
use super::plan::Plan;
use super::runner::require_to_hold;
use super::sheet_edit::{Edit, SheetEdit};
use super::steps::{Fate, ImportFlags, NEW_DOCUMENT, SealPeriod, SealRecord, Step};

/// More rows of the journal than each of the commands changes.
const MOST_CHANGES: u32 = 50;

fn import(file: usize, fate: Fate) -> Step {
    Step::Import(file, ImportFlags::default(), fate)
}

/// Commands of every kind, the last of which dies, each with what makes it commit as much as it can.
fn commands(dying: Fate) -> [Vec<Step>; 8] {
    let first = || Step::import(0);
    let seal = |fate| Step::Seal(SealPeriod::Everything, fate);
    let quiet = Fate::default();
    let complete = Step::Contractor(0, ContractorAction::Complete);
    let again = Step::Edit(0, SheetEdit::Resubmit(0));
    let other_house = Step::Edit(0, SheetEdit::Row(0, Edit::OtherHouse));
    let skip = Step::Decide(0, 0, "skip");
    let lose = Step::LoseJournal(SealRecord::IsLost);
    let back = Step::UseBackup(SealRecord::Stays);
    [
        vec![import(0, dying)],
        vec![first(), other_house, import(0, dying)],
        vec![first(), Step::CorrectRejects, import(1, dying)],
        vec![again, first(), skip, import(1, dying)],
        vec![first(), Step::Export(NEW_DOCUMENT, None, dying)],
        vec![first(), complete.clone(), seal(dying)],
        vec![
            first(),
            complete.clone(),
            seal(quiet),
            lose,
            first(),
            seal(dying),
        ],
        vec![
            first(),
            Step::BackUp,
            complete,
            seal(quiet),
            back,
            seal(dying),
        ],
    ]
}

#[test]
fn a_process_may_die_before_any_of_its_commits() {
    for rows in 0..MOST_CHANGES {
        let dying = Fate {
            dies_committing: Some(rows),
            ..Fate::default()
        };
        for steps in commands(dying) {
            require_to_hold(&Plan::of(vec![0, 4, 0, 0], steps));
        }
    }
}
