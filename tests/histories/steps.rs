//! What happens in a history, one step after the other, and the random choice of it.
//!
//! Files, rows and measurements are counted from 0, again from the first after the last, so that a history makes sense
//! after steps were taken out of it.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::loopback::{Trouble, TroubleKind};
use super::service::ContractorAction;
use super::sheet::Edit;

/// A step of a history.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Edit(usize, usize, Edit),
    /// Fills in what the rows of a file lack.
    Correct(usize),
    /// Types a word into the column `same_house` of a row of rejects.
    Decide(usize, usize, &'static str),
    /// A new house at the end.
    Add(usize),
    /// A row once more at the end: as it is, or as a lead that was submitted again under another id.
    Repeat(usize, usize),
    Resubmit(usize, usize),
    Remove(usize, usize),
    Sort(usize, &'static str),
    Copy(usize),
    Rename(usize),
    Import(usize, ImportFlags, Fate),
    /// Does what the last import advises: another prefix, or the import of its rejects.
    FollowAdvice,
    /// Exports over a file, or to a new one; perhaps with `--for`.
    Export(usize, Option<usize>, Fate),
    /// `export --new`, perhaps for the last month.
    Seal(bool, Fate),
    Again(usize),
    /// Changes the last export.
    Annotate,
    BackUp,
    /// Puts the last backup in the place of the journal; the record of seals stays or not.
    UseBackup(SealRecord),
    LoseJournal(SealRecord),
    /// `import --restore` of the last workbook.
    Restore(usize),
    /// Takes a file to the other computer, and works there.
    OtherComputer(usize),
    Contractor(usize, ContractorAction),
    /// The contractor completes everything, and a month passes.
    Month,
    Revoke,
    Sleep(u64),
    SetClockBack(u64),
}

/// What becomes of the record of seals beside a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SealRecord {
    Stays,
    IsLost,
}

/// The flags of an import.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ImportFlags {
    pub(super) id_prefix: Option<&'static str>,
    pub(super) derive_id: bool,
    pub(super) forget_reading: bool,
    pub(super) limit: Option<u64>,
    pub(super) no_wait: bool,
    pub(super) retry_refused: bool,
    pub(super) allow_same_house: bool,
    pub(super) all_or_nothing: bool,
}

/// What happens to a command while it runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fate {
    pub(super) trouble: Option<Trouble>,
    /// The process dies after it has read the clock so often.
    pub(super) dies_after: Option<u32>,
}

impl Fate {
    pub(super) fn is_quiet(self) -> bool {
        self.trouble.is_none() && self.dies_after.is_none()
    }
}

/// A history: how the rows of the first sheet are damaged, and the steps.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) rows: Vec<usize>,
    pub(super) steps: Vec<Step>,
}

/// The history of a seed.
pub(super) fn plan(seed: u64) -> Plan {
    let mut chance = Chance(StdRng::seed_from_u64(seed));
    let rows = (0..chance.below(5) + 1).map(|_| chance.below(6)).collect();
    let mut steps: Vec<Step> = (0..chance.below(14) + 1).map(|_| chance.step()).collect();
    if chance.below(3) > 0 {
        // Most people import before they do anything else.
        steps.insert(0, Step::Import(0, ImportFlags::default(), chance.fate()));
    }
    Plan { rows, steps }
}

struct Chance(StdRng);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    fn step(&mut self) -> Step {
        let (file, row) = (self.below(4), self.below(6));
        match self.below(88) {
            0..22 => Step::Import(file, self.flags(), self.fate()),
            22..34 => Step::Edit(file, row, self.pick(&Edit::ALL)),
            34..37 => Step::Correct(file),
            37..39 => Step::Decide(file, row, self.pick(&["skip", "send"])),
            39..41 => Step::Add(file),
            41 => Step::Repeat(file, row),
            42..44 => Step::Resubmit(file, row),
            44..46 => Step::Remove(file, row),
            46..48 => Step::Sort(file, self.pick(&["line1", "name", "notes"])),
            48..50 => Step::Copy(file),
            50..52 => Step::Rename(file),
            52..56 => Step::FollowAdvice,
            56..60 => {
                let own = if self.one_in(2) {
                    Some(self.below(4))
                } else {
                    None
                };
                Step::Export(file, own, self.fate())
            }
            60..66 => Step::Seal(self.one_in(4), self.fate()),
            66 => Step::Again(row),
            67 => Step::Annotate,
            68..70 => Step::BackUp,
            70 => Step::UseBackup(self.record()),
            71 => Step::LoseJournal(self.record()),
            72 => Step::Restore(row),
            73 => Step::OtherComputer(file),
            74..81 => Step::Contractor(self.below(12), self.action()),
            81..84 => Step::Month,
            84 => Step::Revoke,
            85 => Step::Sleep(self.below(9) as u64 + 1),
            86 => Step::SetClockBack(self.below(5) as u64 + 1),
            _ => Step::Rename(file),
        }
    }

    fn record(&mut self) -> SealRecord {
        self.pick(&[SealRecord::Stays, SealRecord::IsLost])
    }

    fn action(&mut self) -> ContractorAction {
        self.pick(&[
            ContractorAction::Open,
            ContractorAction::Complete,
            ContractorAction::Complete,
            ContractorAction::CompleteWithoutImages,
            ContractorAction::ChangeResult,
            ContractorAction::ChangeResult,
            ContractorAction::Withdraw,
        ])
    }

    fn flags(&mut self) -> ImportFlags {
        let mut flags = ImportFlags::default();
        match self.below(20) {
            0..3 => flags.id_prefix = Some(self.pick(&["acme-", "b-", ""])),
            3..5 => flags.derive_id = true,
            5 => {
                flags.derive_id = true;
                flags.id_prefix = Some("acme-");
            }
            6 => flags.limit = Some(self.below(3) as u64),
            7 => flags.forget_reading = true,
            8 => flags.retry_refused = true,
            9 => flags.allow_same_house = self.one_in(2),
            10 => flags.no_wait = true,
            11 => flags.all_or_nothing = true,
            _ => {}
        }
        flags
    }

    fn fate(&mut self) -> Fate {
        let mut fate = Fate::default();
        match self.below(12) {
            0..4 => {
                fate.trouble = Some(Trouble {
                    kind: self.trouble(),
                    first: self.below(5),
                    times: self.pick(&[1, 1, 1, 2, 6, 40]),
                });
            }
            4 => fate.dies_after = Some(u32::try_from(self.below(40)).unwrap()),
            _ => {}
        }
        fate
    }

    fn trouble(&mut self) -> TroubleKind {
        self.pick(&[
            TroubleKind::RequestLost,
            TroubleKind::AnswerLost,
            TroubleKind::AnswerLost,
            TroubleKind::AnswerLate,
            TroubleKind::AnswerCut,
            TroubleKind::Page,
            TroubleKind::NoId,
            TroubleKind::OtherMeasurement,
            TroubleKind::OtherAddress,
            TroubleKind::ServerError,
            TroubleKind::Unavailable,
            TroubleKind::RateLimited(None),
            TroubleKind::RateLimited(Some(30)),
            TroubleKind::RateLimited(Some(9000)),
            TroubleKind::Refused,
            TroubleKind::Refused,
            TroubleKind::NotImplemented,
            TroubleKind::DeathBefore,
            TroubleKind::DeathAfter,
            TroubleKind::DeathAfter,
        ])
    }
}
