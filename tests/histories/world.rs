//! The office and the service of one history, and what a person does there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use gutterbatch::journal::FlagsByName;
use tempfile::TempDir;

use super::computer::Computer;
use super::contractor::ContractorAction;
use super::journals::JournalHistory;
use super::loopback::Network;
use super::plan::Plan;
use super::service::QUOTA;
use super::sheet::Sheet;
use super::sheet_edit::Edit;
use super::steps::{Fate, ImportFlags, Step};
use super::virtual_time;
use super::waiting_room::TurnOrder;

/// Nothing, or what is wrong.
pub(super) type Held = Result<(), String>;

/// Fails with a sentence unless a condition holds.
#[expect(clippy::fn_params_excessive_bools, reason = "it is an assertion")]
pub(super) fn require(condition: bool, fault: impl FnOnce() -> String) -> Held {
    if condition { Ok(()) } else { Err(fault()) }
}

/// A computer, with what the history knows of its files.
pub(super) struct Office {
    pub(super) computer: Computer,
    /// Its journal, while another computer is used.
    pub(super) journal: JournalHistory,
    pub(super) backups: Vec<(PathBuf, JournalHistory)>,
    /// What the program wrote: names and contents.
    pub(super) written: BTreeSet<(String, Vec<u8>)>,
    /// What exports wrote, wherever it is now.
    pub(super) exported: BTreeSet<Vec<u8>>,
    /// The rejects that were written for each sheet: the sheet, and its rows by number.
    pub(super) rejected: BTreeMap<String, (String, BTreeMap<usize, Vec<String>>)>,
    /// The newest seal of the journal that wrote each workbook.
    pub(super) newest_seals: BTreeMap<Vec<u8>, u64>,
    /// The bytes of each sealed export, as long as the record beside the journal knows of it.
    pub(super) seals: BTreeMap<u64, Vec<u8>>,
    /// The flags of the last import of each file that came to its end.
    pub(super) readings: BTreeMap<String, FlagsByName>,
    /// The measurements that were billed from any journal of this computer.
    pub(super) billed: BTreeSet<String>,
}

/// What the last import advises.
#[derive(Clone, Debug)]
pub(super) enum Advice {
    /// A prefix for a file, and what the file was then.
    Prefix(String, String, Vec<u8>),
    Rejects(String),
}

/// The offices and the service.
pub(super) struct World {
    _folder: TempDir,
    pub(super) network: Arc<Mutex<Network>>,
    /// The first is the one in use.
    pub(super) offices: [Office; 2],
    concurrency: usize,
    turns: TurnOrder,
    /// Whether the person relies on the record of seals.
    pub(super) trusts_seals: bool,
    /// The flags of the imports in the end.
    pub(super) flags: ImportFlags,
    /// The history in words.
    pub(super) told: Vec<String>,
    /// Counts new houses, ids, files and journals.
    pub(super) next: usize,
    /// Each sheet as it was before its last edit.
    pub(super) before_edits: BTreeMap<String, String>,
    /// Houses that a person gave up.
    pub(super) given_up: BTreeSet<String>,
    /// Houses whose requests may have been on their way when a run ended.
    pub(super) uncertain: BTreeSet<String>,
    pub(super) advice: Option<Advice>,
    /// The last import, if it left nothing to do: file, content and flags.
    pub(super) finished: Option<(String, Vec<u8>, FlagsByName)>,
    /// The last import after which the service had every row, as file and content, if nothing was requested since.
    pub(super) settled: Option<(String, Vec<u8>)>,
}

fn office(folder: &Path, network: &Arc<Mutex<Network>>) -> Office {
    Office {
        computer: Computer::new(folder, network),
        journal: JournalHistory::default(),
        backups: Vec::new(),
        written: BTreeSet::new(),
        exported: BTreeSet::new(),
        rejected: BTreeMap::new(),
        newest_seals: BTreeMap::new(),
        seals: BTreeMap::new(),
        readings: BTreeMap::new(),
        billed: BTreeSet::new(),
    }
}

/// Whether a file is a sheet or rejects, which have the columns of a sheet.
pub(super) fn is_sheet(content: &[u8]) -> bool {
    content.starts_with(b"id,name,")
}

impl World {
    pub(super) fn new(plan: &Plan) -> Self {
        virtual_time::reset(plan.zone);
        // In memory where the system has such a folder: every commit is synced.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() {
            tempfile::tempdir_in(memory).unwrap()
        } else {
            tempfile::tempdir().unwrap()
        };
        let network = Arc::new(Mutex::new(Network::new()));
        let mut offices =
            ["first", "second"].map(|name| office(&folder.path().join(name), &network));
        offices[1].journal.number = 1;
        let mut sheet = Sheet::empty();
        for (house, hole) in plan.rows.iter().enumerate() {
            sheet.add(house);
            if plan.flags.derive_id {
                sheet.edit(house, Edit::NoId, 0);
            }
            match hole {
                3 => sheet.edit(house, Edit::NoId, 0),
                4 => sheet.edit(house, Edit::NoCity, 0),
                5 => sheet.edit(house, Edit::NoContact, 0),
                _ => String::new(),
            };
        }
        let world = Self {
            _folder: folder,
            network,
            offices,
            concurrency: plan.concurrency,
            turns: plan.turns,
            trusts_seals: plan.trusts_seals,
            flags: plan.flags,
            told: vec![format!("leads.csv is\n{}", sheet.text())],
            next: plan.rows.len(),
            before_edits: BTreeMap::new(),
            given_up: BTreeSet::new(),
            uncertain: BTreeSet::new(),
            advice: None,
            finished: None,
            settled: None,
        };
        fs::write(world.path("leads.csv"), sheet.text()).unwrap();
        world.network().service.quota = plan.quota;
        world
    }

    /// A command begins. Where an answer or a crash may end it, the requests in flight are answered one after the other:
    /// otherwise it would depend on the threads which of them was the first.
    pub(super) fn begin(&mut self, fate: Fate) {
        let may_end = !fate.is_quiet() || !self.is_connected() || self.network().may_refuse();
        let (concurrency, turns) = (self.concurrency, self.turns);
        // Which rows several requests change together depends on the threads.
        let is_one_by_one = concurrency == 1 && self.network().service.quota == QUOTA;
        let computer = &mut self.office_mut().computer;
        (computer.concurrency, computer.turns) = (concurrency, turns);
        computer.takes_turns = may_end;
        computer.refuses_after = fate.dies_committing.filter(|_| is_one_by_one);
        self.network().begin(fate.trouble);
        virtual_time::die_after(fate.dies_after);
        virtual_time::sleep_after(fate.sleeps_after);
    }

    /// The process of the present command has died.
    pub(super) fn died(&mut self) {
        self.network().observer.died(self.concurrency);
    }

    pub(super) fn office(&self) -> &Office {
        &self.offices[0]
    }

    pub(super) fn office_mut(&mut self) -> &mut Office {
        &mut self.offices[0]
    }

    pub(super) fn network(&self) -> MutexGuard<'_, Network> {
        self.network.lock().unwrap()
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.office().computer.desk.join(name)
    }

    pub(super) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(&self.office().computer.desk).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        // A process that died leaves its temporary file.
        let files = paths.filter(|path| !name(path).starts_with('.'));
        files
            .map(|path| (name(&path), fs::read(&path).unwrap()))
            .collect()
    }

    /// Sheets and rejects.
    pub(super) fn sheets(&self) -> Vec<String> {
        let files = self.files().into_iter();
        let sheets = files.filter(|(_, content)| is_sheet(content));
        sheets.map(|(name, _)| name).collect()
    }

    pub(super) fn read(&self, name: &str) -> Sheet {
        Sheet::parse(&fs::read(self.path(name)).unwrap())
    }

    pub(super) fn sheet(&self, file: usize) -> (String, Sheet) {
        let name = self.sheet_name(file);
        let sheet = self.read(&name);
        (name, sheet)
    }

    pub(super) fn sheet_name(&self, file: usize) -> String {
        let names = self.sheets();
        names[file % names.len()].clone()
    }

    pub(super) fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    pub(super) fn tell(&mut self, text: impl Into<String>) {
        self.told.push(text.into());
    }

    pub(super) fn take(&mut self, step: &Step) -> Held {
        // Nobody does two things at once.
        virtual_time::pass(Duration::from_secs(1));
        match *step {
            Step::Import(file, flags, fate) => {
                let name = self.sheet_name(file);
                return self.import_with(name, flags, fate);
            }
            Step::FollowAdvice => return self.follow_advice(),
            Step::Export(over, own, fate) => self.export_over(over, own, fate)?,
            Step::Seal(period, fate) => self.seal(period, fate)?,
            Step::Declare => self.seal_declared()?,
            Step::Again(which) => self.again(which)?,
            Step::Restore(which) => self.restore(which)?,
            Step::RestoreOthers => self.restore_others()?,
            Step::BackUp => self.back_up(),
            Step::UseBackup(record) => self.use_backup(record),
            Step::LoseJournal(record) => self.lose_journal(record),
            Step::OtherComputer(file) => self.change_computer(file),
            Step::Contractor(which, action) => self.contractor(which, action),
            Step::Month => self.month(),
            Step::BillTwice => self.bill_twice()?,
            Step::Revoke => {
                self.tell("the contractor disconnects the app");
                "none".clone_into(&mut self.network().service.token);
            }
            Step::Sleep(hours) => {
                self.tell(format!("{hours} hours pass"));
                virtual_time::pass(Duration::from_secs(3600 * hours));
            }
            Step::SetClockBack(hours) => {
                self.tell(format!("the clock is set back by {hours} hours"));
                self.network().observer.is_clock_changed = true;
                virtual_time::set_back(Duration::from_secs(3600 * hours));
            }
            _ => {
                self.edit(step);
                return Ok(());
            }
        }
        // What there is to do may have changed.
        self.finished = None;
        self.settled = None;
        Ok(())
    }

    /// The contractor completes a measurement that is not complete yet; returns which.
    pub(super) fn complete_another(&mut self) -> Option<usize> {
        let network = self.network();
        let service = &network.service;
        let indices = service.by_house_and_id();
        let mut all = indices.iter().map(|index| &service.measurements[*index]);
        let next = all.position(|one| !one.is_complete() && !one.is_canceled());
        drop(network);
        if let Some(next) = next {
            self.contractor(next, ContractorAction::Complete);
        }
        next
    }

    pub(super) fn contractor(&mut self, which: usize, action: ContractorAction) {
        let now = virtual_time::time();
        let acted = self.network().service.act(which, action, now);
        if let Some(house) = acted {
            self.tell(format!("the contractor does {action:?} for {house}"));
        }
    }

    /// The contractor completes every second measurement with the last second of the month, and the others with the first
    /// instant of the next one.
    pub(super) fn month(&mut self) {
        self.tell("the contractor completes everything until midnight, and a month passes");
        let began = virtual_time::time();
        virtual_time::pass_to_end_of_month();
        for first in [0, 1] {
            let count = self.network().service.measurements.len();
            for which in (first..count).step_by(2) {
                let (now, action) = (virtual_time::time(), ContractorAction::Complete);
                self.network().service.act(which, action, now);
            }
            if first == 0 {
                virtual_time::pass(Duration::from_secs(1));
            }
        }
        let month = began + Duration::from_secs(30 * 24 * 3600);
        let left = month.duration_since(virtual_time::time());
        virtual_time::pass(left.try_into().unwrap_or_default());
    }
}
