//! What has to happen before a step can do anything: a seal needs something complete, a decision needs a held row.

use super::contractor::ContractorAction;
use super::plan::Chance;
use super::sheet_edit::SheetEdit;
use super::steps::{Fate, NEW_WORKBOOK, SealPeriod, Step};

/// Adds to most of the steps what they need before them, and what a person does next.
pub(super) fn prepared(steps: Vec<Step>, chance: &mut Chance) -> Vec<Step> {
    let mut prepared = Vec::new();
    for step in steps {
        if !chance.one_in(4) {
            prepared.extend(before(&step, chance));
        }
        // Who has decided or corrected rejects imports them.
        let is_of_rejects = matches!(step, Step::Decide(..) | Step::CorrectRejects);
        prepared.push(step);
        if is_of_rejects && !chance.one_in(4) {
            prepared.push(Step::FollowAdvice);
        }
    }
    prepared
}

/// The steps without which this one most often does nothing.
fn before(step: &Step, chance: &mut Chance) -> Vec<Step> {
    let which = chance.below(6);
    let quiet = Fate::default();
    let complete = Step::Contractor(which, ContractorAction::Complete);
    let seal = Step::Seal(SealPeriod::Everything, quiet);
    let export = Step::Export(NEW_WORKBOOK, None, quiet);
    match step {
        Step::Seal(SealPeriod::Everything, _) => vec![complete],
        Step::Seal(SealPeriod::LastMonth, _) => vec![Step::Month],
        Step::Contractor(which, ContractorAction::ChangeResult) => {
            vec![Step::Contractor(*which, ContractorAction::Complete)]
        }
        Step::Again(_) => vec![complete, seal],
        Step::Annotate => vec![export],
        Step::Restore(_) => {
            let written = if chance.one_in(2) {
                vec![complete, seal]
            } else {
                vec![export]
            };
            let lose = Step::LoseJournal(chance.record());
            written.into_iter().chain([lose]).collect()
        }
        Step::UseBackup(_) => vec![Step::BackUp, complete, seal],
        Step::Decide(file, row, _) => {
            let again = Step::Edit(*file, SheetEdit::Resubmit(*row));
            vec![again, Step::import(*file)]
        }
        _ => Vec::new(),
    }
}
