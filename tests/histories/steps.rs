//! What happens in a history, one step after the other.
//!
//! Files, rows and measurements are counted from 0, again from the first after the last, so that a history makes sense
//! after steps were taken out of it.

use gutterbatch::api::MAX_ATTEMPTS;

use super::contractor::ContractorAction;
use super::loopback::{Trouble, TroubleKind};
use super::sheet_edit::SheetEdit;

/// The target of an export to a new workbook; each smaller number is one of the files, or the usual new one.
pub(super) const NEW_WORKBOOK: usize = usize::MAX;

/// The target of an export to a JSON document.
pub(super) const NEW_DOCUMENT: usize = NEW_WORKBOOK - 1;

/// A step of a history.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Edit(usize, SheetEdit),
    /// Types a word into the column `same_house` of a row of rejects.
    Decide(usize, usize, &'static str),
    /// Fills in what the rejects of the last import lack.
    CorrectRejects,
    /// Takes back the last edit of a file.
    Undo(usize),
    Copy(usize),
    Rename(usize),
    Import(usize, ImportFlags, Fate),
    /// Does what the last import advises: another prefix, or the import of its rejects.
    FollowAdvice,
    /// Exports over a file, or to a new one; perhaps with `--for`.
    Export(usize, Option<usize>, Fate),
    /// `export --new`, perhaps for the last month.
    Seal(SealPeriod, Fate),
    /// A measurement is completed and billed; then its result changes, and the change is billed.
    BillTwice,
    /// `export --new --billed-until`, although the program has not asked what was billed elsewhere.
    Declare,
    Again(usize),
    /// Changes the last export.
    Annotate,
    BackUp,
    /// Puts the last backup in the place of the journal; the record of seals stays or not.
    UseBackup(SealRecord),
    LoseJournal(SealRecord),
    /// `import --restore` of the last workbook.
    Restore(usize),
    /// `import --restore` of a workbook of another team.
    RestoreOthers,
    /// Takes a file to the other computer, and works there.
    OtherComputer(usize),
    Contractor(usize, ContractorAction),
    /// The contractor completes everything, and a month passes.
    Month,
    Revoke,
    Sleep(u64),
    SetClockBack(u64),
}

impl Step {
    /// An import of a file without flags and troubles.
    pub(super) fn import(file: usize) -> Self {
        Self::Import(file, ImportFlags::default(), Fate::default())
    }

    /// Steps that often do what several others do.
    pub(super) fn simplest() -> [Self; 5] {
        let seal = Self::Seal(SealPeriod::Everything, Fate::default());
        [
            Self::import(0),
            Self::Month,
            seal,
            Self::Declare,
            Self::BillTwice,
        ]
    }

    /// The step with the file before the one that it names, as after a file that was not written.
    pub(super) fn with_earlier_file(&self) -> Self {
        let mut step = self.clone();
        if let Self::Edit(file, _)
        | Self::Undo(file)
        | Self::Decide(file, ..)
        | Self::Copy(file)
        | Self::Rename(file)
        | Self::Import(file, ..)
        | Self::OtherComputer(file) = &mut step
        {
            *file = file.saturating_sub(1);
        }
        step
    }

    /// The step without what it may not need.
    pub(super) fn simpler(&self) -> Vec<Self> {
        let quiet = Fate::default();
        let (everything, usual) = (SealPeriod::Everything, ImportFlags::default());
        match *self {
            Self::Import(file, flags, fate) => {
                let mut simpler = Vec::new();
                simpler.extend((!fate.is_quiet()).then_some(Self::Import(file, flags, quiet)));
                simpler.extend((flags != usual).then_some(Self::Import(file, usual, fate)));
                simpler.extend((file > 0).then_some(Self::Import(0, flags, fate)));
                simpler
            }
            Self::Export(over, own, fate) if !fate.is_quiet() => {
                vec![Self::Export(over, own, quiet)]
            }
            Self::Seal(period, fate) if !fate.is_quiet() => vec![Self::Seal(period, quiet)],
            Self::Seal(SealPeriod::LastMonth, fate) => vec![Self::Seal(everything, fate)],
            _ => Vec::new(),
        }
    }
}

/// What a sealed export bills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SealPeriod {
    Everything,
    LastMonth,
}

/// What becomes of the record of seals beside a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SealRecord {
    Stays,
    IsLost,
}

/// The flags of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The process dies after it has read the clock so often; with several requests, at the next turn.
    pub(super) dies_after: Option<u32>,
    /// The computer sleeps for hours after the process has read the clock so often; with several requests, likewise.
    pub(super) sleeps_after: Option<u32>,
    /// The process dies after it has read the clock so often since it began to write an export: before the seal, or
    /// between the seal and the name of its file.
    pub(super) dies_writing: Option<u32>,
    /// The process dies before it commits, after it has changed so many rows of its journal.
    pub(super) dies_committing: Option<u32>,
}

impl std::fmt::Display for Fate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(Trouble { kind, first, times }) = self.trouble {
            let request = first + 1;
            write!(f, " (from request {request}, {times} times: {kind:?})")?;
        }
        if let Some(readings) = self.sleeps_after {
            write!(f, " (sleeps after {readings} readings of the clock)")?;
        }
        if let Some(readings) = self.dies_after {
            write!(f, " (dies after {readings} readings of the clock)")?;
        }
        if let Some(rows) = self.dies_committing {
            write!(
                f,
                " (dies after {rows} changed rows of its journal, or before a rename)"
            )?;
        }
        match self.dies_writing {
            Some(0) => write!(f, " (dies before it seals)"),
            Some(_) => write!(f, " (dies when it has sealed)"),
            None => Ok(()),
        }
    }
}

impl Fate {
    pub(super) fn is_quiet(self) -> bool {
        self.trouble.is_none()
            && self.sleeps_after.is_none()
            && self.dies_after.is_none()
            && self.dies_writing.is_none()
            && self.dies_committing.is_none()
    }

    /// Whether it may end a run, or leave a row pending. The trouble of one answer does neither.
    pub(super) fn may_stop(self) -> bool {
        let is_lasting = |trouble: Trouble| match trouble.kind {
            TroubleKind::NotImplemented
            | TroubleKind::Unauthorized
            | TroubleKind::OtherVersion
            | TroubleKind::OtherTeam
            | TroubleKind::Maintenance
            | TroubleKind::RateLimited(Some(3600..))
            | TroubleKind::DeathBefore
            | TroubleKind::DeathAfter => true,
            _ => trouble.times >= MAX_ATTEMPTS as usize,
        };
        self.dies_after.is_some() || self.trouble.is_some_and(is_lasting)
    }
}
