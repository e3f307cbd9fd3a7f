//! Steps of a network with troubles that are rarely taken one after the other by chance.

use super::contractor::ContractorAction;
use super::endings::{export, import, import_with};
use super::loopback::{Trouble, TroubleKind};
use super::plan::Chance;
use super::sheet_edit::{Edit, SheetEdit};
use super::steps::{Fate, ImportFlags, Step};

/// The import of the same rows with another prefix.
fn import_as_others() -> Step {
    let acme = ImportFlags {
        id_prefix: Some("acme-"),
        ..ImportFlags::default()
    };
    Step::Import(0, acme, Fate::default())
}

/// As [`Chance::repeated_in_a_night`]: what was recorded in advance does not leave any more.
fn repeated_after_a_pause() -> Vec<Step> {
    let from_first_row = |kind| {
        let (first, times) = (1, 40);
        import_with(Trouble { kind, first, times })
    };
    vec![
        Step::Edit(0, SheetEdit::Replace),
        from_first_row(TroubleKind::AnswerLost),
        from_first_row(TroubleKind::RateLimited(Some(9000))),
        Step::Sleep(3),
        import_as_others(),
    ]
}

impl Chance {
    /// The service shows new measurements as those of other houses; a row may change before it is imported again.
    pub(super) fn created_as_others(&mut self) -> Vec<Step> {
        let lie = Trouble {
            kind: TroubleKind::OtherAddress,
            first: 2 + self.below(3),
            times: self.pick(&[1, 1, 40]),
        };
        let edit = self.pick(&[Edit::Name, Edit::OtherHouse]);
        let edit = Step::Edit(0, SheetEdit::Row(self.below(6), edit));
        let mut steps = vec![import_with(lie)];
        steps.extend(self.one_in(2).then_some(edit));
        steps.extend([import(), export()]);
        steps
    }

    /// A lead comes under another id, while its first request is without an answer: below it, in its place, or in another
    /// sheet, where the person skips it.
    pub(super) fn twice_without_an_answer(&mut self) -> Vec<Step> {
        let lost = Trouble {
            kind: TroubleKind::RequestLost,
            first: 1 + self.below(3),
            times: 40,
        };
        let row = self.below(6);
        if self.one_in(2) {
            let below = Step::Edit(0, SheetEdit::Resubmit(row));
            let in_its_place = Step::Edit(0, SheetEdit::Row(row, Edit::NewId));
            let again = self.pick_step([below, in_its_place]);
            let flags = ImportFlags {
                limit: self.pick(&[None, Some(0), Some(1)]),
                ..ImportFlags::default()
            };
            let limited = Step::Import(0, flags, Fate::default());
            return vec![import_with(lost), again, limited];
        }
        let skip = Step::Edit(0, SheetEdit::SkipAsNew(row));
        vec![import_with(lost), Step::Copy(0), skip, import()]
    }

    /// Rows are edited while the service has them and the journal does not know that.
    pub(super) fn edited_without_an_answer(&mut self) -> Vec<Step> {
        let lost = Trouble {
            kind: TroubleKind::AnswerLost,
            first: 1 + self.below(3),
            times: 40,
        };
        let edits = [
            Edit::Url,
            Edit::Name,
            Edit::OtherHouse,
            Edit::OtherHouse,
            Edit::OtherUnit,
        ];
        let edit = self.pick(&edits);
        let edit = Step::Edit(0, SheetEdit::Row(self.below(6), edit));
        // The house of the row may come back under another id.
        let missing = Step::Edit(0, SheetEdit::AddMissing);
        if self.one_in(2) {
            return vec![import_with(lost), edit, missing, import(), import()];
        }
        vec![import_with(lost), edit, import(), missing, import()]
    }

    /// The service has rows and the journal does not know that; one is withdrawn, and comes under another id.
    pub(super) fn withdrawn_without_an_answer(&mut self) -> Vec<Step> {
        let lost = Trouble {
            kind: TroubleKind::AnswerLost,
            first: 1 + self.below(3),
            times: 40,
        };
        let row = self.below(6);
        let withdraw = Step::Contractor(row, ContractorAction::Withdraw);
        let as_new = Step::Edit(0, SheetEdit::Row(row, Edit::NewId));
        vec![import_with(lost), withdraw, as_new, import(), import()]
    }

    /// The service has rows and the journal does not know that; the next run of them ends in a night or in a pause, and
    /// then the rows come under other ids.
    pub(super) fn repeated_in_a_night(&mut self) -> Vec<Step> {
        let lost = Trouble {
            kind: TroubleKind::AnswerLost,
            first: 1 + self.below(3),
            times: 40,
        };
        let night = match self.below(3) {
            0 => self.night(),
            1 => return repeated_after_a_pause(),
            _ => {
                // Most of the readings are those of rows.
                let readings = u32::try_from(6 + self.below(8)).unwrap();
                Fate {
                    sleeps_after: Some(readings),
                    dies_after: Some(readings + u32::try_from(self.below(4)).unwrap()),
                    ..Fate::default()
                }
            }
        };
        let repeated = Step::Import(0, ImportFlags::default(), night);
        vec![import_with(lost), repeated, import_as_others()]
    }

    /// The service counts each request of an import long after it was sent, or counts what it refuses; then come enough
    /// others to use up the quota.
    pub(super) fn until_the_quota_is_used_up(&mut self) -> Vec<Step> {
        let trouble = match self.below(3) {
            0 => Trouble {
                kind: TroubleKind::Asleep,
                first: self.below(6),
                times: 1,
            },
            other => Trouble {
                kind: [TroubleKind::RequestLate, TroubleKind::Refused][other - 1],
                first: 0,
                times: 40,
            },
        };
        let flags = ImportFlags {
            retry_refused: true,
            ..ImportFlags::default()
        };
        let again = Step::Import(0, flags, Fate::default());
        let exports = [export(), export(), export()];
        // What was refused may be corrected before.
        let edit = Step::Edit(0, SheetEdit::Row(self.below(6), Edit::Name));
        let imports = [import_with(trouble), edit, import(), again];
        imports.into_iter().chain(exports).collect()
    }
}
