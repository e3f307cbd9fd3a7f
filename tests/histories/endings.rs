//! Steps that are rarely taken one after the other by chance.

use super::contractor::ContractorAction;
use super::loopback::{Trouble, TroubleKind};
use super::plan::{Chance, Theme};
use super::sheet_edit::{Edit, SheetEdit};
use super::steps::{Fate, ImportFlags, NEW_DOCUMENT, NEW_WORKBOOK, SealPeriod, SealRecord, Step};

pub(super) fn import() -> Step {
    Step::import(0)
}

/// The import of a person whose network has a trouble.
pub(super) fn import_with(trouble: Trouble) -> Step {
    let fate = Fate {
        trouble: Some(trouble),
        ..Fate::default()
    };
    Step::Import(0, ImportFlags::default(), fate)
}

/// All answers from a request on have the address and the numbers of another house.
fn other_address(first: usize) -> Fate {
    let trouble = Trouble {
        kind: TroubleKind::OtherAddress,
        first,
        times: 40,
    };
    Fate {
        trouble: Some(trouble),
        ..Fate::default()
    }
}

fn seal() -> Step {
    Step::Seal(SealPeriod::Everything, Fate::default())
}

/// A new workbook of all results.
pub(super) fn export() -> Step {
    Step::Export(NEW_WORKBOOK, None, Fate::default())
}

/// The months are billed one by one.
fn billed_by_months() -> Vec<Step> {
    let seal = Step::Seal(SealPeriod::LastMonth, Fate::default());
    let month = [Step::Month, seal];
    let mut steps = vec![import()];
    steps.extend(month.iter().chain(&month).cloned());
    steps
}

/// An export is imported, and is to be replaced by the next one.
fn exported_again(row: usize) -> Vec<Step> {
    let own = Step::Export(1, Some(0), Fate::default());
    let complete = Step::Contractor(row, ContractorAction::Complete);
    let again = [Step::import(1), complete, export(), own.clone()];
    [import(), own].into_iter().chain(again).collect()
}

/// The service refuses a corrected row, which is there twice.
fn refused_twice(row: usize) -> Vec<Step> {
    let refused = Trouble {
        kind: TroubleKind::Refused,
        first: 0,
        times: 40,
    };
    let fate = Fate {
        trouble: Some(refused),
        ..Fate::default()
    };
    let refused = Step::Import(1, ImportFlags::default(), fate);
    let new = Step::Edit(0, SheetEdit::ReplaceWithHoles);
    let twice = Step::Edit(0, SheetEdit::Repeat(row));
    vec![
        new,
        twice,
        import(),
        Step::CorrectRejects,
        refused,
        import(),
    ]
}

/// A row is corrected in the rejects under a new id; then the person takes the new id back, and the row is another
/// house's.
fn corrected_twice(row: usize) -> Vec<Step> {
    let edit = |edit| Step::Edit(1, SheetEdit::CorrectAndEdit(row, edit));
    let rejected = [Step::Edit(0, SheetEdit::ReplaceWithHoles), import()];
    let corrected = [edit(Edit::NewId), Step::import(1), Step::Undo(1)];
    let other = [edit(Edit::OtherHouse), Step::import(1), import()];
    rejected.into_iter().chain(corrected).chain(other).collect()
}

/// A copy of rejects is imported with flags of its own, by which a row without an id gets one, and then without them.
fn copied_with_own_flags(row: usize) -> Vec<Step> {
    let flags = ImportFlags {
        derive_id: true,
        ..ImportFlags::default()
    };
    let as_copy = Step::Import(0, flags, Fate::default());
    let lacks_id = Step::Edit(0, SheetEdit::Row(row, Edit::NoId));
    // The copy is the first file.
    vec![lacks_id, import(), Step::Copy(1), as_copy, import()]
}

/// A lead comes twice, and the service refuses it under one of its ids.
fn refused_beside_itself(row: usize, first: usize) -> Vec<Step> {
    let (kind, times) = (TroubleKind::Refused, 1);
    let again = Step::Edit(0, SheetEdit::Resubmit(row));
    vec![again, import_with(Trouble { kind, first, times })]
}

/// All rows of a sheet were requested with a prefix, those that lacked something from its rejects; then the person adds
/// one, and forgets the prefix.
fn corrected_under_a_prefix() -> Vec<Step> {
    let with = |flags| Step::Import(0, flags, Fate::default());
    let prefixed = with(ImportFlags {
        id_prefix: Some("acme-"),
        ..ImportFlags::default()
    });
    let forgotten = with(ImportFlags {
        forget_reading: true,
        ..ImportFlags::default()
    });
    let new = Step::Edit(0, SheetEdit::ReplaceWithHoles);
    let corrected = [new, prefixed, Step::CorrectRejects, Step::FollowAdvice];
    let later = [Step::Edit(0, SheetEdit::Add), forgotten];
    corrected.into_iter().chain(later).collect()
}

/// Whether a history has steps before its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    Random,
    /// The history is as short as it can be, so that nothing hides what its ending finds.
    Nothing,
}

impl Chance {
    /// The last steps of a history; often none, unless it has no others.
    pub(super) fn ending(&mut self, theme: Theme, beginning: Beginning) -> Vec<Step> {
        let is_only = beginning == Beginning::Nothing;
        match theme {
            Theme::Billing if is_only || self.below(3) > 0 => match self.below(8) {
                6 => billed_by_months(),
                7 => self.shown_as_others(),
                0..2 => self.billed_from_a_lost_journal(),
                2..4 => self.billed_after_a_backup(),
                4 => self.billed_by_a_process_that_dies(),
                _ => self.billed_and_withdrawn(),
            },
            Theme::Edits if is_only || self.below(3) > 0 => self.edited(),
            Theme::Network if is_only || self.below(3) > 0 => match self.below(6) {
                5 => self.created_as_others(),
                0 => self.twice_without_an_answer(),
                1 => self.edited_without_an_answer(),
                2 => self.withdrawn_without_an_answer(),
                3 => self.repeated_in_a_night(),
                _ => self.until_the_quota_is_used_up(),
            },
            _ => Vec::new(),
        }
    }

    fn edited(&mut self) -> Vec<Step> {
        let row = self.below(6);
        match self.below(14) {
            12 => exported_again(row),
            10 => {
                // A workbook tells a new journal that a house is withdrawn, and it comes again.
                let withdraw = Step::Contractor(row, ContractorAction::Withdraw);
                let lose = Step::LoseJournal(self.record());
                let again = Step::Edit(0, SheetEdit::Resubmit(self.below(6)));
                let restored = [import(), withdraw, export(), lose, Step::Restore(0)];
                restored.into_iter().chain([again, import()]).collect()
            }
            11 => {
                // A row is sent although its house is requested, and is not answered.
                let again = Step::Edit(0, SheetEdit::Resubmit(row));
                let lost = Trouble {
                    kind: self.pick(&[TroubleKind::AnswerLost, TroubleKind::RequestLost]),
                    first: 1,
                    times: 40,
                };
                let flags = ImportFlags {
                    allow_same_house: true,
                    ..ImportFlags::default()
                };
                let fate = Fate {
                    trouble: Some(lost),
                    ..Fate::default()
                };
                vec![import(), again, Step::Import(0, flags, fate), import()]
            }
            8 => {
                // The rejects of one night are imported after those of the next.
                let replace = Step::Edit(0, SheetEdit::ReplaceWithHoles);
                let rejects = Step::import(self.below(3));
                vec![import(), replace.clone(), import(), replace, rejects]
            }
            9 => {
                // A mistaken edit is taken back, and then the house is withdrawn and comes again.
                let lose = Step::LoseJournal(self.record());
                let other = Step::Edit(0, SheetEdit::Row(row, Edit::OtherHouse));
                let undone = [import(), lose, other, import(), Step::Undo(0), import()];
                let withdraw = Step::Contractor(row, ContractorAction::Withdraw);
                let again = Step::Edit(0, SheetEdit::Resubmit(row));
                undone
                    .into_iter()
                    .chain([withdraw, export(), again])
                    .collect()
            }
            7 => {
                // The next night's leads take the place of rows that are not sent yet, or rejected.
                let first = ImportFlags {
                    limit: self.pick(&[None, Some(1)]),
                    ..ImportFlags::default()
                };
                let first = Step::Import(0, first, Fate::default());
                let next = Step::Edit(0, self.next_leads());
                vec![next.clone(), first, next, import()]
            }
            0 => {
                // The service has an id of the sheet with a house that comes back under another id.
                let lose = Step::LoseJournal(self.record());
                let other = Step::Edit(0, SheetEdit::Row(row, Edit::OtherHouse));
                let back = Step::Edit(0, SheetEdit::AddMissing);
                vec![import(), lose, other, import(), back, import()]
            }
            1 => {
                // Two rows have one id and different contents.
                let edit = self.pick(&[Edit::OtherHouse, Edit::Name]);
                let mut steps = vec![Step::Edit(0, SheetEdit::Repeat(row))];
                if self.one_in(2) {
                    // A third one, which may be the one that differs.
                    steps.push(Step::Edit(0, SheetEdit::Repeat(row)));
                }
                let another = self.below(8);
                let edited = SheetEdit::Row(self.pick(&[row, another]), edit);
                steps.extend([Step::Edit(0, edited), import()]);
                steps
            }
            2 if self.one_in(2) => refused_twice(row),
            2 => self.corrected_and_imported(),
            13 if self.one_in(2) => refused_beside_itself(row, 1 + self.below(3)),
            13 => copied_with_own_flags(row),
            3 => {
                // A house is requested again after a measurement was withdrawn, which may be another one's.
                let withdraw = Step::Contractor(row, ContractorAction::Withdraw);
                let fate = if self.one_in(2) {
                    other_address(self.below(3))
                } else {
                    self.read_fate()
                };
                let export = Step::Export(NEW_WORKBOOK, None, fate);
                let again = Step::Edit(0, SheetEdit::Resubmit(self.below(6)));
                vec![import(), withdraw, export, again, import()]
            }
            4 => self.imported_under_prefixes(),
            5 if self.one_in(2) => corrected_twice(row),
            5 => {
                // A corrected row of the rejects is there twice, and both are sent.
                let again = Step::Edit(1, SheetEdit::Resubmit(row));
                let (advised, send) = (Step::FollowAdvice, Step::Decide(1, row, "send"));
                let both = [again, advised.clone(), send, advised];
                let corrected = [import(), Step::CorrectRejects].into_iter();
                corrected.chain(both).chain([import()]).collect()
            }
            _ => self.decided(row),
        }
    }

    /// Rejects are corrected and imported, and then their sheet once more, perhaps in another order.
    fn corrected_and_imported(&mut self) -> Vec<Step> {
        let corrected = [import(), Step::CorrectRejects, Step::FollowAdvice];
        let sorted = self.one_in(2).then(|| Step::Edit(0, self.sort()));
        let steps = corrected.into_iter().chain(sorted);
        steps.chain([import()]).collect()
    }

    /// A person decides about a lead that was submitted twice. Then the row may be another house's, or the measurement
    /// because of which it was skipped may be withdrawn.
    fn decided(&mut self, row: usize) -> Vec<Step> {
        let decide = Step::Decide(0, row, self.pick(&["skip", "send"]));
        let again = Step::Edit(0, SheetEdit::Resubmit(row));
        let decided = [import(), again, import(), decide, Step::FollowAdvice];
        let later = if self.one_in(2) {
            let other = Step::Edit(0, SheetEdit::Row(self.below(6), Edit::OtherHouse));
            vec![import(), other, import()]
        } else {
            let withdraw = Step::Contractor(self.below(6), ContractorAction::Withdraw);
            vec![withdraw, export(), import(), Step::FollowAdvice]
        };
        decided.into_iter().chain(later).collect()
    }

    /// The first row of a sheet was requested under one prefix, and the others under this or another one; then the person
    /// forgets the prefix.
    fn imported_under_prefixes(&mut self) -> Vec<Step> {
        if self.one_in(2) {
            return corrected_under_a_prefix();
        }
        let import_under = |prefix, limit| {
            let flags = ImportFlags {
                id_prefix: Some(prefix),
                limit,
                ..ImportFlags::default()
            };
            Step::Import(0, flags, Fate::default())
        };
        let prefixes = ["acme-", "b-"];
        let first = import_under(self.pick(&prefixes), Some(1));
        let others = import_under(self.pick(&prefixes), None);
        vec![first, others, import_under("", None), Step::FollowAdvice]
    }

    /// The journal learns of a measurement that was billed from the one before: from the service, or from a workbook,
    /// which is the bill or is older.
    fn billed_from_a_lost_journal(&mut self) -> Vec<Step> {
        let which = self.below(6);
        let complete = Step::Contractor(which, ContractorAction::Complete);
        let lose = Step::LoseJournal(SealRecord::IsLost);
        if self.one_in(3) {
            return self.restored_after_bills(complete);
        }
        if self.one_in(2) {
            return vec![import(), complete, seal(), lose, import(), seal()];
        }
        // It learns of the first measurement before it learns of the others.
        let flags = ImportFlags {
            limit: Some(1),
            ..ImportFlags::default()
        };
        let one = Step::Import(0, flags, Fate::default());
        let learned = [lose, one, seal(), import(), seal()];
        let billed = [import(), Step::Month, seal()];
        billed.into_iter().chain(learned).collect()
    }

    /// A workbook fills a new journal: the last bill, an earlier one, or one that was written before or after the bills.
    fn restored_after_bills(&mut self, complete: Step) -> Vec<Step> {
        if self.one_in(4) {
            // The workbook lists a bill of adjustments alone, and shows no row of it.
            let lose = Step::LoseJournal(SealRecord::IsLost);
            let restored = [export(), lose, Step::Restore(2), Step::Declare];
            return [vec![import(), Step::BillTwice], restored.to_vec()].concat();
        }
        let bills = if self.one_in(2) {
            vec![complete.clone(), seal()]
        } else {
            vec![Step::BillTwice]
        };
        let billed = if self.one_in(2) {
            [vec![export()], bills].concat()
        } else {
            [bills, vec![export()]].concat()
        };
        let lose = Step::LoseJournal(self.record());
        let restore = Step::Restore(self.pick(&[0, 1, 2, 2]));
        // What was billed may change afterwards, and other bills may come.
        let later = match self.below(3) {
            0 => vec![Step::Contractor(
                self.below(6),
                ContractorAction::ChangeResult,
            )],
            1 => vec![Step::Declare, complete, seal()],
            _ => vec![seal()],
        };
        [vec![import()], billed, vec![lose, restore], later].concat()
    }

    /// A billing export dies before or after it sealed; then come other exports.
    fn billed_by_a_process_that_dies(&mut self) -> Vec<Step> {
        let fate = Fate {
            dies_writing: Some(u32::try_from(self.below(2)).unwrap()),
            ..Fate::default()
        };
        let dying = Step::Seal(SealPeriod::Everything, fate);
        let mut steps = vec![import(), Step::Month];
        steps.extend(self.one_in(2).then(export));
        steps.push(dying);
        if self.one_in(2) {
            steps.push(export());
        }
        steps
    }

    /// What was billed changes, and is withdrawn.
    fn billed_and_withdrawn(&mut self) -> Vec<Step> {
        let which = self.below(6);
        let does = |action| Step::Contractor(which, action);
        let complete = does(self.pick(&[
            ContractorAction::Complete,
            ContractorAction::CompleteWithoutImages,
        ]));
        let change = does(ContractorAction::ChangeResult);
        let withdraw = does(ContractorAction::Withdraw);
        vec![import(), complete, seal(), change, seal(), withdraw, seal()]
    }

    /// A backup that is older than a bill comes back, perhaps of a journal that was told of earlier bills.
    fn billed_after_a_backup(&mut self) -> Vec<Step> {
        let complete = |which| Step::Contractor(which, ContractorAction::Complete);
        let which = self.below(6);
        let lose = Step::LoseJournal(SealRecord::IsLost);
        let earlier = complete(which + 1);
        // The requests until then have used up most of the quota.
        let pause = Step::Sleep(2);
        let told = match self.below(3) {
            0 => vec![import(), earlier, seal(), lose, import(), seal(), pause],
            // There were no bills.
            1 => vec![import(), lose, import(), earlier, seal(), pause],
            _ => vec![import()],
        };
        let (billed, back) = (complete(which), Step::UseBackup(self.record()));
        let later = [Step::BackUp, billed, seal(), back, seal()];
        told.into_iter().chain(later).collect()
    }

    /// The service shows measurements as those of other houses when they are read, and their sheet is exported.
    fn shown_as_others(&mut self) -> Vec<Step> {
        let lie = other_address(self.below(2));
        let own = Step::Export(self.below(4), Some(0), lie);
        let all = Step::Export(self.pick(&[NEW_WORKBOOK, NEW_DOCUMENT]), None, lie);
        // The journal learns of a withdrawal after the lie.
        let changes = [ContractorAction::ChangeResult, ContractorAction::Withdraw];
        let change = Step::Contractor(self.below(6), self.pick(&changes));
        let lied = self.pick_step([own, all]);
        // What an export has read before, and is final, is not requested again.
        let read = self.one_in(2).then(export);
        let later = [change, lied, seal(), export()];
        let billed = [import(), Step::Month].into_iter();
        billed.chain(read).chain(later).collect()
    }
}
