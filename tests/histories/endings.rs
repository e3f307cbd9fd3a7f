//! Steps that are rarely taken one after the other by chance.

use super::plan::{Chance, Theme};
use super::service::ContractorAction;
use super::sheet::Edit;
use super::sheet_edit::SheetEdit;
use super::steps::{Fate, ImportFlags, NEW_WORKBOOK, SealPeriod, SealRecord, Step};

impl Chance {
    pub(super) fn ending(&mut self, theme: Theme) -> Vec<Step> {
        let import = || Step::Import(0, ImportFlags::default(), Fate::default());
        let seal = || Step::Seal(SealPeriod::Everything, Fate::default());
        match theme {
            // The journal learns of a measurement that was billed from the one before: from the service, or from a
            // workbook that is older than the bill.
            Theme::Billing if self.one_in(3) => {
                let complete = Step::Contractor(self.below(6), ContractorAction::Complete);
                let lose = Step::LoseJournal(SealRecord::IsLost);
                if self.one_in(3) {
                    let export = Step::Export(NEW_WORKBOOK, None, Fate::default());
                    return vec![import(), export, complete, seal(), lose, Step::Restore(1)];
                }
                vec![import(), complete, seal(), lose, import(), seal()]
            }
            // What was billed changes, and is withdrawn.
            Theme::Billing if self.one_in(4) => {
                let which = self.below(6);
                let does = |action| Step::Contractor(which, action);
                let complete = does(ContractorAction::Complete);
                let change = does(ContractorAction::ChangeResult);
                let withdraw = does(ContractorAction::Withdraw);
                vec![import(), complete, seal(), change, seal(), withdraw, seal()]
            }
            // The service has an id of the sheet with a house that comes back under another id.
            Theme::Edits if self.one_in(6) => {
                let row = self.below(6);
                let lose = Step::LoseJournal(self.record());
                let other = Step::Edit(0, SheetEdit::Row(row, Edit::OtherHouse));
                let back = Step::Edit(0, SheetEdit::AddMissing);
                vec![import(), lose, other, import(), back, import()]
            }
            // Rejects are corrected and imported, and then their sheet once more.
            Theme::Edits if self.one_in(5) => {
                vec![import(), Step::CorrectRejects, Step::FollowAdvice, import()]
            }
            // A house is requested again after its measurement was withdrawn.
            Theme::Edits if self.one_in(4) => {
                let which = self.below(2);
                let withdraw = Step::Contractor(which, ContractorAction::Withdraw);
                let export = Step::Export(NEW_WORKBOOK, None, Fate::default());
                let again = Step::Edit(0, SheetEdit::Resubmit(which));
                vec![import(), withdraw, export, again, import()]
            }
            _ => Vec::new(),
        }
    }
}
