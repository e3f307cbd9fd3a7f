//! What holds after every command, and what a history comes to in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::time::Duration;

use super::sheet_edit::SheetEdit;
use super::steps::Fate;
use super::virtual_time;
use super::world::{Held, World, require};

/// Why a command may do nothing.
const EXPECTED: [&str; 9] = [
    "Protected",
    "NothingImported",
    "Missing",
    "OtherFormat",
    "LostFile",
    "NotEmpty",
    "Extension",
    "Undeclared",
    "MissingSeals",
];

/// Which command has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    Import,
    Export,
}

pub(super) fn is_expected(reason: &str) -> Held {
    require(EXPECTED.contains(&reason), || {
        format!("unexpected: {reason}")
    })
}

impl World {
    pub(super) fn is_connected(&self) -> bool {
        self.office().computer.token == self.network().service.token
    }

    pub(super) fn nothing_forbidden_happened(&self) -> Held {
        match &self.network().observer.violation {
            Some(violation) => Err(violation.clone()),
            None => Ok(()),
        }
    }

    /// No file of the user has changed; returns what the program wrote.
    pub(super) fn files_are_kept(
        &mut self,
        before: &BTreeMap<String, Vec<u8>>,
        writer: Writer,
    ) -> Result<BTreeMap<String, Vec<u8>>, String> {
        let after = self.files();
        let network = self.network();
        let imported = network.observer.journal.requested_rows.iter();
        let imported = imported.filter(|(_, rows)| !rows.is_empty());
        let imported: BTreeSet<String> = imported.map(|(name, _)| name.clone()).collect();
        drop(network);
        let office = self.office_mut();
        for (name, content) in before {
            let is_own_export = office.exported.contains(content);
            let is_own = if writer == Writer::Export {
                // What was imported since is the user's sheet.
                is_own_export && !imported.contains(name)
            } else {
                let written = (name.clone(), content.clone());
                office.written.contains(&written) && !is_own_export
            };
            let is_kept = after.get(name) == Some(content);
            require(is_kept || is_own, || {
                format!("{name} has changed or is gone")
            })?;
        }
        let changed: BTreeMap<String, Vec<u8>> = after
            .into_iter()
            .filter(|(name, content)| before.get(name) != Some(content))
            .collect();
        let desk = office.computer.desk.clone();
        for (name, content) in &changed {
            // The program compares this time with those of its clock.
            let file = File::open(desk.join(name)).unwrap();
            file.set_modified(virtual_time::wall().into()).unwrap();
            if writer == Writer::Export {
                office.exported.insert(content.clone());
            }
            office.written.insert((name.clone(), content.clone()));
        }
        Ok(changed)
    }

    /// In the end every sheet is imported as it is, then corrected and imported, and everything is billed.
    pub(super) fn finish(&mut self) -> Held {
        self.tell("in the end:");
        if !self.is_connected() {
            self.reconnect();
        }
        virtual_time::pass(Duration::from_secs(6 * 3600));
        for name in self.sheets() {
            self.import_plainly(&name)?;
            if self.finished.is_none() {
                self.import_plainly(&name)?;
            }
        }
        for name in self.sheets() {
            // Rejects of rows that are done are removed meanwhile.
            let Some(file) = self.sheets().iter().position(|other| *other == name) else {
                continue;
            };
            let told = self.told.len();
            self.change_sheet(file, SheetEdit::Correct);
            if self.told.len() == told {
                // It is as it was imported just now.
                continue;
            }
            // Rows of another file may have been requested with this one, and a row may have been canceled.
            for _ in 0..3 {
                self.import_plainly(&name)?;
                if self.network().requests == 0 || !self.path(&name).is_file() {
                    break;
                }
            }
            let requests = self.network().requests;
            require(requests == 0, || {
                format!("the finished import makes {requests} requests")
            })?;
        }
        self.bill_everything()?;
        self.export_everything()?;
        self.export_for_sheet()
    }

    fn import_plainly(&mut self, name: &str) -> Held {
        if !self.path(name).is_file() {
            return Ok(());
        }
        self.import_with(name.to_owned(), self.flags, Fate::default())
    }
}
