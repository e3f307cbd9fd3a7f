//! Steps that are rarely taken one after the other by chance.

use super::loopback::{Trouble, TroubleKind};
use super::plan::{Chance, Theme};
use super::service::ContractorAction;
use super::sheet::Edit;
use super::sheet_edit::SheetEdit;
use super::steps::{Fate, ImportFlags, NEW_WORKBOOK, SealPeriod, SealRecord, Step};

fn import() -> Step {
    Step::Import(0, ImportFlags::default(), Fate::default())
}

fn seal() -> Step {
    Step::Seal(SealPeriod::Everything, Fate::default())
}

/// A new workbook of all results.
fn export() -> Step {
    Step::Export(NEW_WORKBOOK, None, Fate::default())
}

impl Chance {
    /// The last steps of a history; often none.
    pub(super) fn ending(&mut self, theme: Theme) -> Vec<Step> {
        match theme {
            Theme::Billing if self.one_in(3) => self.billed_from_a_lost_journal(),
            Theme::Billing if self.one_in(3) => {
                // A backup that is older than a bill comes back.
                let complete = Step::Contractor(self.below(6), ContractorAction::Complete);
                let back = Step::UseBackup(self.record());
                vec![import(), Step::BackUp, complete, seal(), back, seal()]
            }
            Theme::Billing if self.one_in(4) => self.billed_and_withdrawn(),
            Theme::Edits if self.one_in(6) => {
                // The service has an id of the sheet with a house that comes back under another id.
                let row = self.below(6);
                let lose = Step::LoseJournal(self.record());
                let other = Step::Edit(0, SheetEdit::Row(row, Edit::OtherHouse));
                let back = Step::Edit(0, SheetEdit::AddMissing);
                vec![import(), lose, other, import(), back, import()]
            }
            Theme::Edits if self.one_in(5) => {
                // Rejects are corrected and imported, and then their sheet once more.
                vec![import(), Step::CorrectRejects, Step::FollowAdvice, import()]
            }
            Theme::Edits if self.one_in(4) => {
                // A house is requested again after its measurement was withdrawn.
                let which = self.below(2);
                let withdraw = Step::Contractor(which, ContractorAction::Withdraw);
                let again = Step::Edit(0, SheetEdit::Resubmit(which));
                vec![import(), withdraw, export(), again, import()]
            }
            Theme::Edits if self.one_in(4) => {
                // A person decides about a lead that was submitted twice.
                let row = self.below(6);
                let decide = Step::Decide(0, row, self.pick(&["skip", "send"]));
                let again = Step::Edit(0, SheetEdit::Resubmit(row));
                let advice = Step::FollowAdvice;
                vec![import(), again, import(), decide, advice, import()]
            }
            Theme::Network if self.one_in(6) => self.decided_without_an_answer(),
            _ => Vec::new(),
        }
    }

    /// The journal learns of a measurement that was billed from the one before: from the service, or from a workbook that
    /// is older than the bill.
    fn billed_from_a_lost_journal(&mut self) -> Vec<Step> {
        let complete = Step::Contractor(self.below(6), ContractorAction::Complete);
        let lose = Step::LoseJournal(SealRecord::IsLost);
        if self.one_in(3) {
            let restore = Step::Restore(1);
            return vec![import(), export(), complete, seal(), lose, restore];
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

    /// A person decides about a lead whose first request never arrived.
    fn decided_without_an_answer(&mut self) -> Vec<Step> {
        let row = self.below(6);
        let trouble = Trouble {
            kind: TroubleKind::RequestLost,
            first: self.below(3),
            times: 40,
        };
        let lost = Fate {
            trouble: Some(trouble),
            ..Fate::default()
        };
        let again = Step::Edit(0, SheetEdit::Resubmit(row));
        let lost = Step::Import(0, ImportFlags::default(), lost);
        let decide = Step::Decide(0, row, "skip");
        vec![again, lost, decide, Step::FollowAdvice]
    }
}
