//! Two computers, and journals that are copied, replaced and lost.

use std::fs;

use super::observer::JournalHistory;
use super::steps::SealRecord;
use super::world::World;

impl World {
    pub(super) fn change_computer(&mut self, file: usize) {
        let (name, sheet) = self.sheet(file);
        self.tell(format!("take {name} to the other computer, and work there"));
        {
            let mut network = self.network.lock().unwrap();
            let [here, there] = &mut self.offices;
            let before = std::mem::take(&mut there.journal);
            here.journal = std::mem::replace(&mut network.observer.journal, before);
        }
        self.offices.swap(0, 1);
        self.advice = None;
        fs::write(self.path(&name), sheet.text()).unwrap();
    }

    pub(super) fn back_up(&mut self) {
        let fresh = self.fresh();
        let path = self
            .office()
            .computer
            .journal
            .with_file_name(format!("backup-{fresh}.db"));
        let copied = self.office().computer.back_up(&path);
        self.tell(format!("gutterbatch backup backup-{fresh}.db: {copied:?}"));
        if copied.is_ok() {
            let history = self.network().observer.journal.clone();
            self.office_mut().backups.push((path, history));
        }
    }

    /// Removes the files of the journal.
    fn remove_journal(&mut self, record: SealRecord) {
        let office = self.office_mut();
        office.readings.clear();
        office.rejected.clear();
        office.inputs.clear();
        self.advice = None;
        let office = self.office_mut();
        if record == SealRecord::IsLost {
            office.seals.clear();
        }
        let journal = self.office().computer.journal.clone();
        let endings = match record {
            SealRecord::Stays => &["", "-wal", "-shm"][..],
            SealRecord::IsLost => &["", "-wal", "-shm", ".seals"][..],
        };
        for ending in endings {
            let mut path = journal.clone().into_os_string();
            path.push(ending);
            // It may not be there.
            let _ = fs::remove_file(path);
        }
    }

    pub(super) fn use_backup(&mut self, record: SealRecord) {
        let Some((path, history)) = self.office_mut().backups.pop() else {
            return;
        };
        self.tell(format!(
            "the backup replaces the journal; the record of seals {record:?}"
        ));
        self.remove_journal(record);
        fs::copy(&path, &self.office().computer.journal).unwrap();
        let number = self.fresh() + 100;
        self.network().observer.journal = JournalHistory { number, ..history };
    }

    pub(super) fn lose_journal(&mut self, record: SealRecord) {
        self.tell(format!(
            "the journal is lost; the record of seals {record:?}"
        ));
        self.remove_journal(record);
        let number = self.fresh() + 100;
        self.network().observer.journal = JournalHistory {
            number,
            ..JournalHistory::default()
        };
    }
}
