//! The random choice of a history.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::contractor::ContractorAction;
use super::endings::Beginning;
use super::preparations::prepared;
use super::service::{LARGE_QUOTA, QUOTA};
use super::sheet_edit::{Edit, SheetEdit};
use super::steps::{Fate, ImportFlags, SealPeriod, SealRecord, Step};
use super::waiting_room::TurnOrder;

/// The damages of a row of the first sheet: it has no id, no city, or no way to reach the customer.
pub(super) const DAMAGES: [usize; 3] = [3, 4, 5];

/// A history: how the rows of the first sheet are damaged, and the steps.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) rows: Vec<usize>,
    pub(super) steps: Vec<Step>,
    /// How many requests a run may have in flight.
    pub(super) concurrency: usize,
    /// In which order they are answered.
    pub(super) turns: TurnOrder,
    /// How many requests the service allows within a window.
    pub(super) quota: usize,
    /// Whether the person relies on the record of seals.
    pub(super) trusts_seals: bool,
    /// The flags of the imports in the end.
    pub(super) flags: ImportFlags,
    /// The time zone of the office.
    pub(super) zone: &'static str,
}

impl Plan {
    /// A history of these rows and steps, of a person without habits.
    pub(super) fn of(rows: Vec<usize>, steps: Vec<Step>) -> Self {
        Self {
            rows,
            steps,
            concurrency: 1,
            turns: TurnOrder::FirstName,
            quota: QUOTA,
            trusts_seals: false,
            flags: ImportFlags::default(),
            zone: "UTC",
        }
    }
}

/// What a history is mostly about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    Everything,
    Edits,
    Network,
    Billing,
    /// All ids are derived, and corrections change them.
    DerivedIds,
}

/// The history of a seed.
pub(super) fn plan(seed: u64) -> Plan {
    let mut chance = Chance(StdRng::seed_from_u64(seed));
    let theme = chance.pick(&[
        Theme::Everything,
        Theme::Edits,
        Theme::Network,
        Theme::Billing,
        Theme::DerivedIds,
    ]);
    let count = if theme == Theme::Network && chance.one_in(8) {
        // More than the quota allows within one run.
        QUOTA + 2
    } else {
        chance.below(5) + 1
    };
    // The first row is whole, so that there is something to request, and so are those that use up the quota.
    let holes = if count > QUOTA { 1 } else { 6 };
    let damaged = (1..count).map(|_| chance.below(holes));
    let rows: Vec<usize> = std::iter::once(0).chain(damaged).collect();
    let (beginning, count) = if chance.one_in(4) {
        (Beginning::Nothing, 0)
    } else {
        (Beginning::Random, chance.below(14) + 1)
    };
    let steps: Vec<Step> = (0..count).map(|_| chance.step_of(theme)).collect();
    let mut steps = prepared(steps, &mut chance);
    steps.extend(chance.ending(theme, beginning));
    let quota = chance.pick(&[LARGE_QUOTA, QUOTA, QUOTA, QUOTA]);
    if chance.below(3) > 0 {
        // Most people import before they do anything else.
        let fate = if rows.len() > QUOTA && !chance.one_in(4) {
            // The run waits for slots of requests that arrived long after they were sent, were refused, or were lost.
            chance.trouble_of_many_rows()
        } else if quota > QUOTA && chance.one_in(4) {
            // Some of the requests are recorded in advance.
            chance.pause()
        } else {
            chance.fate()
        };
        let flags = theme.flags();
        if chance.one_in(3) && fate.dies_after.is_some() {
            // The journal may know its team, and no measurement.
            steps.insert(0, Step::RestoreOthers);
        }
        steps.insert(0, Step::Import(0, flags, fate));
    }
    // Only where requests run one after the other, a process dies at any reading of the clock.
    let concurrency = chance.pick(&[1, 1, 2, 3, 4]);
    let mut plan = Plan {
        rows,
        steps,
        concurrency,
        turns: chance.pick(&[TurnOrder::FirstName, TurnOrder::LastName]),
        quota,
        trusts_seals: chance.one_in(3),
        flags: theme.flags(),
        zone: chance.pick(&["UTC", "America/Toronto", "Asia/Tokyo"]),
    };
    if concurrency == 1 && quota == QUOTA && chance.one_in(2) {
        chance.die_committing(&mut plan.steps);
    }
    plan
}

impl Theme {
    /// The flags of every import that has none of its own.
    fn flags(self) -> ImportFlags {
        ImportFlags {
            derive_id: self == Self::DerivedIds,
            ..ImportFlags::default()
        }
    }
}

pub(super) struct Chance(StdRng);

impl Chance {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }

    pub(super) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    fn step_of(&mut self, theme: Theme) -> Step {
        match theme {
            Theme::Everything => self.step(),
            Theme::DerivedIds => self.derived_ids(),
            _ if self.one_in(4) => self.step(),
            Theme::Edits => match self.below(12) {
                0..5 => self.import(),
                5..7 => Step::FollowAdvice,
                7 if self.one_in(2) => self.contractor(),
                7 => self.export_for(),
                _ => self.edit(),
            },
            Theme::Network => match self.below(12) {
                0..8 => {
                    let (file, flags, fate) = (self.below(3), self.flags(), self.trouble());
                    Step::Import(file, flags, fate)
                }
                8 => Step::Sleep(self.below(9) as u64 + 1),
                9 if self.one_in(2) => Step::LoseJournal(self.record()),
                9 => self.contractor(),
                10 => {
                    let edit = SheetEdit::Row(self.below(6), Edit::OtherHouse);
                    Step::Edit(self.below(3), edit)
                }
                _ => self.edit(),
            },
            Theme::Billing => match self.below(16) {
                0 => self.import(),
                1..5 => self.contractor(),
                5..7 => Step::Month,
                7..11 => self.seal(),
                11 | 12 => Step::BackUp,
                13 => Step::UseBackup(self.record()),
                _ => self.journal(),
            },
        }
    }

    fn step(&mut self) -> Step {
        match self.below(40) {
            0..11 => self.import(),
            11..22 => self.edit(),
            22..24 => Step::FollowAdvice,
            24..26 => {
                let own = if self.one_in(2) {
                    Some(self.below(4))
                } else {
                    None
                };
                Step::Export(self.below(4), own, self.read_fate())
            }
            26..29 => self.seal(),
            29 => Step::Annotate,
            30 => Step::BackUp,
            31..33 => self.journal(),
            33..36 => self.contractor(),
            36 => Step::Month,
            37 => Step::Revoke,
            38 => Step::Sleep(self.below(9) as u64 + 1),
            _ => Step::SetClockBack(self.below(5) as u64 + 1),
        }
    }

    /// Corrections of a table without ids, of which not one changes the customer and the town together.
    fn derived_ids(&mut self) -> Step {
        let (file, row) = (self.below(3), self.below(6));
        match self.below(12) {
            0..5 => Step::Import(file, Theme::DerivedIds.flags(), self.fate()),
            5..8 => Step::Edit(file, SheetEdit::Town(row)),
            8 => {
                let edit = self.pick(&[Edit::Upper, Edit::ZipPlus4, Edit::Name, Edit::Name]);
                Step::Edit(file, SheetEdit::Row(row, edit))
            }
            9 => Step::Edit(file, SheetEdit::Repeat(row)),
            10 if self.one_in(2) => Step::Rename(file),
            10 => Step::Edit(file, self.sort()),
            _ => self.contractor(),
        }
    }

    fn import(&mut self) -> Step {
        Step::Import(self.below(4), self.flags(), self.fate())
    }

    fn edit(&mut self) -> Step {
        let (file, row) = (self.below(4), self.below(6));
        match self.below(24) {
            0 => Step::Edit(file, SheetEdit::Row(row, self.pick(&Edit::OF_LIBRARY))),
            1..10 => Step::Edit(file, SheetEdit::Row(row, self.pick(&Edit::ALL))),
            10 if self.one_in(3) => Step::Edit(file, self.next_leads()),
            10 => Step::Edit(file, SheetEdit::Correct),
            11 => Step::CorrectRejects,
            12..14 => Step::Decide(file, row, self.pick(&["skip", "send"])),
            14 if self.one_in(2) => Step::Edit(file, SheetEdit::AddMissing),
            14 => Step::Edit(file, SheetEdit::Add),
            15 => Step::Edit(file, SheetEdit::Repeat(row)),
            16..18 => Step::Edit(file, SheetEdit::Resubmit(row)),
            18 => Step::Edit(file, SheetEdit::Remove(row)),
            19..21 => Step::Edit(file, self.sort()),
            21 => Step::Rename(file),
            22 => Step::Undo(file),
            _ => Step::Copy(file),
        }
    }

    /// An export of the results of a sheet, which may have a row twice.
    fn export_for(&mut self) -> Step {
        let (over, file) = (self.below(4), self.below(4));
        Step::Export(over, Some(file), Fate::default())
    }

    pub(super) fn pick_step(&mut self, steps: [Step; 2]) -> Step {
        let [one, other] = steps;
        if self.one_in(2) { one } else { other }
    }

    /// Other rows in the place of those of a sheet.
    pub(super) fn next_leads(&mut self) -> SheetEdit {
        self.pick(&[SheetEdit::Replace, SheetEdit::ReplaceWithHoles])
    }

    pub(super) fn sort(&mut self) -> SheetEdit {
        SheetEdit::Sort(self.pick(&["line1", "name", "notes"]))
    }

    fn seal(&mut self) -> Step {
        if self.one_in(12) {
            return self.pick_step([Step::Declare, Step::BillTwice]);
        }
        let period = self.pick(&[
            SealPeriod::Everything,
            SealPeriod::Everything,
            SealPeriod::Everything,
            SealPeriod::LastMonth,
        ]);
        // The process may die between the steps of an export.
        let fate = if self.one_in(8) {
            Fate {
                dies_writing: Some(u32::try_from(self.below(2)).unwrap()),
                ..Fate::default()
            }
        } else {
            self.read_fate()
        };
        Step::Seal(period, fate)
    }

    fn contractor(&mut self) -> Step {
        Step::Contractor(self.below(12), self.action())
    }

    /// What happens to a journal besides imports and exports.
    fn journal(&mut self) -> Step {
        let which = self.below(6);
        match self.below(7) {
            0 => Step::Again(which),
            1..3 => Step::UseBackup(self.record()),
            3 => Step::LoseJournal(self.record()),
            4 => Step::Restore(which),
            5 => Step::OtherComputer(which),
            _ => Step::BackUp,
        }
    }

    pub(super) fn record(&mut self) -> SealRecord {
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
}
