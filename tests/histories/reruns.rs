//! What an import must do that is repeated: with the same flags, and without requests where nothing is left to do.

use std::collections::BTreeMap;

use gutterbatch::journal::FlagsByName;
use gutterbatch::model::Outcome;

use super::computer::{ImportCommand, ImportResult};
use super::service::MeasurementRecord;
use super::sheet::Sheet;
use super::world::{Held, World, require};

/// A row that may be at the service is not held for another id: only its own request shows whether it is there.
pub(super) fn sent_rows_are_sent_again(
    sheet: &Sheet,
    unanswered: &BTreeMap<String, Vec<String>>,
    result: &ImportResult,
) -> Held {
    for (row, (outcome, id)) in result.rows.iter().enumerate() {
        let sent = id.as_ref().and_then(|id| unanswered.get(id));
        let is_unchanged = sent == Some(&sheet.typed(row));
        require(!is_unchanged || *outcome != Outcome::SameHouse, || {
            format!("{} was sent, and is held", sheet.house(row))
        })?;
    }
    Ok(())
}

impl World {
    /// An import that is repeated after it was finished makes no request.
    pub(super) fn costs_nothing_again(
        &mut self,
        command: ImportCommand,
        content: Vec<u8>,
        finished: Option<(String, Vec<u8>, FlagsByName)>,
        result: &ImportResult,
    ) -> Held {
        // A row that is held for a measurement of which the run learned that it is canceled is sent by the next, and so
        // is one that is held for a request which the service has with another house.
        let has_canceled = {
            let network = self.network();
            let mut measurements = network.service.measurements.iter();
            measurements.any(MeasurementRecord::is_canceled)
        };
        let may_be_sent = (has_canceled
            || result.outcomes["conflict"] > 0 && self.network().requests > 0)
            && result.outcomes["same_house"] > 0;
        let is_finished = result.ended.is_ok() && result.outcomes["pending"] == 0 && !may_be_sent;
        let this = (command.file, content, result.reading.clone());
        let asks_for_more = command.options.retry_refused || command.options.allow_same_house;
        let requests = self.network().requests;
        if finished.as_ref() == Some(&this) && !asks_for_more {
            require(requests == 0, || {
                format!("the finished import makes {requests} requests")
            })?;
        }
        self.finished = is_finished.then_some(this);
        Ok(())
    }

    /// A file whose rows the service has is known whenever it is imported without flags, also after a run with a mistaken
    /// prefix, which requested nothing and knew no row.
    pub(super) fn is_still_settled(
        &mut self,
        command: &ImportCommand,
        content: &[u8],
        result: &ImportResult,
    ) -> Held {
        let count = |outcome: &str| result.outcomes[outcome];
        let rows: u64 = result.outcomes.values().sum();
        let is_known = count("known") + count("duplicate") == rows;
        // A row that was refused, and whose rejects were accepted under another id, is compared anew with
        // --retry-refused.
        let is_plain =
            command.reading.is_empty() && !command.forget_reading && !command.options.retry_refused;
        let this = (command.file.clone(), content.to_vec());
        if self.settled.as_ref() == Some(&this) && is_plain {
            require(is_known, || "the settled rows are not known".to_owned())?;
        }
        // What `--forget-reading` read is read otherwise without it, unless rows were sent.
        let is_settled =
            is_known && !command.forget_reading || count("created") + count("existing") == rows;
        if is_settled && result.ended.is_ok() {
            self.settled = Some(this);
        } else if self.settled.as_ref() != Some(&this)
            || self.network().requests > 0
            || count("known") > 0
        {
            self.settled = None;
        }
        Ok(())
    }

    /// The flags with which a row was sent are remembered although the process died.
    pub(super) fn remembers_reading_after_death(&mut self, command: &ImportCommand) {
        let network = self.network();
        // A process that died may have recorded a request that never left, and that is sent in place of a row.
        let mut sent = network.observer.sent_now.iter();
        let has_sent = sent.any(|row| !row.is_repeated && !self.uncertain.contains(&row.house));
        drop(sent);
        drop(network);
        if has_sent || !command.reading.is_empty() {
            // Perhaps with flags of its own, which may be remembered.
            self.settled = None;
            self.office_mut().readings.remove(&command.file);
        }
        // It may have recorded how the rejects are read that it did not write any more.
        let readings = &mut self.office_mut().readings;
        readings.retain(|file, _| !file.contains(".rejects"));
        if has_sent && !command.forget_reading {
            let reading = self.office().computer.recalled(command);
            let file = command.file.clone();
            self.office_mut().readings.insert(file, reading);
        }
    }

    /// Rejects have new flags: a copy of them that has others may be of the new ones, or of the earlier ones.
    fn copies_may_be_of(&mut self, reading: &FlagsByName) {
        let written = self.network().observer.journal.inputs.clone();
        let mut readings = self.office().readings.clone();
        readings.retain(|file, own| {
            own == reading
                || written.contains_key(file)
                || !self.path(file).is_file()
                || !self.read(file).is_rejects()
        });
        self.office_mut().readings = readings;
    }

    /// An import without flags reads its file with those of the last import of it after which the service had a row.
    pub(super) fn is_read_as_before(
        &mut self,
        command: &ImportCommand,
        before: Option<FlagsByName>,
        result: &ImportResult,
    ) -> Held {
        if let Some(rejects) = &result.rejects {
            // They are new, and read like their sheet.
            let knows_table = self.knows_table(&command.file);
            let readings = &mut self.office_mut().readings;
            let before = readings.remove(rejects);
            if knows_table {
                readings.insert(rejects.clone(), result.reading.clone());
            }
            if before.as_ref() != Some(&result.reading) {
                self.copies_may_be_of(&result.reading);
            }
        }
        if command.forget_reading {
            return Ok(());
        }
        if let Some(before) = before.as_ref().filter(|_| command.reading.is_empty()) {
            require(
                result.reading == *before || result.has_unclear_reading,
                || format!("{before:?} is forgotten, and {:?} is used", result.reading),
            )?;
        }
        if result.ended.is_ok() {
            let count = |names: &[&str]| -> u64 {
                let counts = names.iter().filter_map(|name| result.outcomes.get(name));
                counts.sum()
            };
            // Rows that are other houses than before do not show whether the flags are right, nor do those that were
            // corrected in rejects with other flags.
            let are_corrected = count(&["known"]) == result.corrected.len() as u64
                && count(&["created", "existing"]) == 0
                && count(&["same_house"]) > 0;
            let is_doubtful = (count(&["conflict"]) > 0 || are_corrected)
                && before.as_ref() != Some(&result.reading);
            if is_doubtful {
                self.office_mut().readings.remove(&command.file);
            }
            let remembered = if is_doubtful {
                None
            } else if count(&["created", "existing", "known"]) > 0 {
                Some(result.reading.clone())
            } else if count(&["refused", "conflict", "pending"]) == 0 {
                before
            } else {
                // They may have been stored before rows were sent.
                None
            };
            if let Some(reading) = remembered {
                let file = command.file.clone();
                self.office_mut().readings.insert(file, reading);
            }
        }
        Ok(())
    }
}
