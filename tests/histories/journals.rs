//! Two computers, and journals that are copied, replaced and lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use jiff::Timestamp;
use serde_json::Value;

use super::figures::Figures;
use super::pauses::Pauses;
use super::service::MeasurementRecord;
use super::sheet::Sheet;
use super::shown_numbers::RequestedRows;
use super::steps::SealRecord;
use super::world::World;

/// What a journal knows, and what was done with it.
#[derive(Clone, Debug, Default)]
pub(super) struct JournalHistory {
    /// Its number; each copy has one of its own.
    pub(super) number: usize,
    /// Whether it is bound to the team: it has sent rows.
    pub(super) is_bound: bool,
    /// Rows that were sent and not answered since: their external ids, and their cells then.
    pub(super) unanswered: BTreeMap<String, Vec<String>>,
    /// The file whose import wrote each rejects.
    pub(super) inputs: BTreeMap<String, String>,
    /// The measurements that its requests created or found.
    pub(super) known: BTreeSet<String>,
    /// Those of them of which a conflict told it, each with the ids of the rows of its house that were sent before.
    pub(super) sent_before: BTreeMap<String, BTreeSet<String>>,
    /// Those of them that an import reported, or that a workbook restored.
    pub(super) learned: BTreeSet<String>,
    /// Those of them whose requests only a workbook tells, which does not show their links.
    pub(super) restored: BTreeSet<String>,
    /// Each external id with the houses for which it was sent.
    pub(super) sent_houses: BTreeSet<(String, String)>,
    /// Each external id with the houses for which requests left, whether or not they arrived.
    pub(super) attempted: BTreeSet<(String, String)>,
    /// The external ids for which a request left that has no usable answer.
    pub(super) awaited: BTreeSet<String>,
    /// Those of them for which another request left: the answer to the first may have been lost.
    pub(super) repeated: BTreeSet<String>,
    /// The external ids whose answers a process got before it died, perhaps without recording them.
    pub(super) unrecorded: BTreeSet<String>,
    /// Houses of rows that a process may have recorded before it died: the next run repeats such a request, whatever a
    /// person says about another row of the house.
    pub(super) begun: BTreeSet<String>,
    /// The gutter length that each measurement was last billed or adjusted with.
    pub(super) billed: BTreeMap<String, Figures>,
    /// Measurements that were billed elsewhere, as the person said.
    pub(super) declared: BTreeSet<String>,
    /// Measurements that were adjusted in seals which the journal was told of by their record, without the numbers.
    pub(super) adjusted_elsewhere: BTreeSet<String>,
    /// The bytes of each sealed export.
    pub(super) sealed: BTreeMap<u64, Vec<u8>>,
    /// The number of the newest seal of the journal that wrote the workbook from which it was restored.
    pub(super) newest_restored_seal: u64,
    /// The file of a billing export whose process died, perhaps after it sealed.
    pub(super) unfinished_seal: Option<String>,
    /// Its requests that have left and are not answered.
    pub(super) in_flight: usize,
    /// When its requests were answered or given up, those of the last window.
    pub(super) ended: Vec<Timestamp>,
    /// The pauses that the service asked it for.
    pub(super) pauses: Pauses,
    /// The rows that the last import of each file left pending, by id and house.
    pub(super) pending: BTreeMap<String, Vec<(String, String)>>,
    /// The rows of the last import of each file that are with the service.
    pub(super) requested_rows: BTreeMap<String, RequestedRows>,
    /// The texts of customers that were sent for each measurement: its id, the name of the field and the text.
    pub(super) sent_texts: BTreeSet<(String, &'static str, String)>,
    /// The external ids that the service has refused, with the customer's name of the request.
    pub(super) refused: BTreeMap<String, String>,
    /// The bodies that an import reported as conflicts, by external id.
    pub(super) conflicts: BTreeMap<String, Value>,
    /// Each measurement as the service last showed it.
    pub(super) shown: BTreeMap<String, MeasurementRecord>,
    /// The newest figures of each measurement that the service showed.
    pub(super) figures: BTreeMap<String, Figures>,
    /// The rows, by external id and house, about which a person has decided whether they are sent.
    pub(super) decided: BTreeSet<(String, String)>,
    /// Houses about which the network lied to it.
    pub(super) deceived: BTreeSet<String>,
    /// Houses about which the present command has heard the truth since.
    pub(super) believed_now: Vec<String>,
    /// Measurements that its requests created, and that the answers showed as other houses.
    pub(super) created_as_others: BTreeSet<String>,
    /// Rows of a sheet that were accepted after they were corrected in its rejects: the sheet and the cells of the row.
    pub(super) corrected: BTreeSet<(String, Vec<String>)>,
}

impl JournalHistory {
    /// A conflict tells of a measurement and its house.
    pub(super) fn told_of(&mut self, told: &MeasurementRecord) {
        if self.known.insert(told.id()) {
            let of_house = self.attempted.iter();
            let of_house = of_house.filter(|(_, house)| *house == told.house);
            let ids = of_house.map(|(id, _)| id.clone()).collect();
            self.sent_before.insert(told.id(), ids);
        }
    }

    /// Whether no other row of the house of a measurement may be sent, because the journal knows that one. A row that was
    /// sent before it did is sent again for its answer.
    pub(super) fn holds(&self, created: &MeasurementRecord, known: &str) -> bool {
        let mut before = self.sent_before.get(known).into_iter().flatten();
        let was_sent = before.any(|id| Some(id) == created.external_id.as_ref());
        self.known.contains(known) && !was_sent
    }

    /// An import of a sheet died. It may have recorded that it told which rows are missing, and replaced decisions by
    /// those of the sheet, about other houses of their ids.
    pub(super) fn perhaps_read(&mut self, file: &str, sheet: &Sheet) {
        self.pending.remove(file);
        self.begun.extend(sheet.houses());
        for row in 0..sheet.rows.len() {
            let (own_id, own_house) = (sheet.cell(row, "id"), sheet.house(row));
            if matches!(sheet.cell(row, "same_house"), "skip" | "send") {
                self.decided
                    .retain(|(id, house)| !id.ends_with(own_id) || *house == own_house);
            }
        }
    }

    /// The network told the truth about a house.
    pub(super) fn believe(&mut self, house: &str) {
        if self.deceived.remove(house) {
            self.believed_now.push(house.to_owned());
        }
    }

    /// The process died, and perhaps recorded none of its last answers, which were to requests of rows with these ids.
    pub(super) fn died(&mut self, answered: impl IntoIterator<Item = String>) {
        self.pauses = Pauses::default();
        let answered: Vec<String> = answered.into_iter().collect();
        self.unrecorded.extend(answered.iter().cloned());
        self.awaited.extend(answered);
        self.deceived.extend(self.believed_now.drain(..));
    }

    /// Houses whose requests, the answers of which may have been lost, may have created the measurements of their ids.
    pub(super) fn perhaps_requested(&self) -> BTreeSet<String> {
        let created = self.perhaps_created();
        created.map(|(_, house)| house.clone()).collect()
    }

    /// The external ids and houses of those requests. A process may have died after it recorded one that never left, and
    /// the next answer then was of another house.
    pub(super) fn perhaps_created(&self) -> impl Iterator<Item = &(String, String)> {
        self.attempted.iter().filter(|(id, house)| {
            // The answer with which a process died may have told of the conflict.
            let is_told = self.conflicts.contains_key(id) || self.unrecorded.contains(id);
            let is_begun = self.begun.contains(house) && is_told;
            is_begun || self.repeated.contains(id)
        })
    }
}

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

    /// Whether the journal knows of which sheet a file has rows: rejects of a lost journal, and what was rejected of
    /// these again, are recognized by their rows only.
    pub(super) fn knows_table(&self, file: &str) -> bool {
        !file.contains(".rejects") || self.office().rejected.contains_key(file)
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
