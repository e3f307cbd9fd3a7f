//! A person's folder and the service, with what the model knows of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;

use proptest::prelude::*;
use serde_json::Value;

use super::{Ending, Step};
use crate::histories::sheet::Sheet;
use crate::histories::sheet_edit::Edit;
use crate::support::{Run, Stage};

/// A person's folder, the service, and what the model knows.
pub(super) struct World {
    pub(super) stage: Stage,
    /// The history in words.
    pub(super) told: Vec<String>,
    /// Counts new houses, ids and files.
    next: usize,
    /// What the program wrote, by name.
    written: BTreeMap<String, Vec<u8>>,
    /// What `export` wrote, wherever it is now.
    exported: BTreeSet<Vec<u8>>,
    /// Houses that a person wanted to be requested again.
    pub(super) again: BTreeSet<String>,
    /// Houses that a person gave up.
    pub(super) given_up: BTreeSet<String>,
    /// The words and standard error of the last command.
    pub(super) last: (Vec<String>, String),
    /// The outcomes of the last import that came to its end.
    pub(super) outcomes: Value,
}

/// What went wrong, or nothing.
pub(super) type Held = Result<(), TestCaseError>;

impl World {
    pub(super) fn new(rows: &[usize]) -> Self {
        let mut sheet = Sheet::empty();
        for (house, hole) in rows.iter().enumerate() {
            sheet.add(house);
            match hole {
                2 => sheet.edit(house, Edit::NoCity, 0),
                3 => sheet.edit(house, Edit::NoContact, 0),
                _ => String::new(),
            };
        }
        let world = Self {
            stage: Stage::open(),
            told: vec![format!("my leads.csv is\n{}", sheet.text())],
            next: rows.len(),
            written: BTreeMap::new(),
            exported: BTreeSet::new(),
            again: BTreeSet::new(),
            given_up: BTreeSet::new(),
            last: Default::default(),
            outcomes: Value::Null,
        };
        world.stage.file("my leads.csv", sheet.text());
        world
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.stage.folder()).unwrap();
        let files = entries
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.path().is_file());
        files
            .map(|entry| {
                (
                    entry.file_name().into_string().unwrap(),
                    fs::read(entry.path()).unwrap(),
                )
            })
            .collect()
    }

    /// Sheets and rejects, which have the columns of a sheet.
    pub(super) fn sheets(&self) -> Vec<String> {
        let is_sheet = |(_, content): &(&String, &Vec<u8>)| content.starts_with(b"id,name,");
        self.files()
            .iter()
            .filter(is_sheet)
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn sheet(&self, file: usize) -> (String, Sheet) {
        let names = self.sheets();
        let name = names[file % names.len()].clone();
        let sheet = self.read(&name);
        (name, sheet)
    }

    pub(super) fn read(&self, name: &str) -> Sheet {
        Sheet::parse(&fs::read(self.stage.path(name)).unwrap())
    }

    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Rewrites a sheet as a person does, who says what; nothing where that says nothing.
    fn rewrite(&mut self, file: usize, change: impl FnOnce(&mut Sheet) -> String) {
        let (name, mut sheet) = self.sheet(file);
        let said = change(&mut sheet);
        if said.is_empty() {
            return;
        }
        self.told.push(format!("in {name}: {said}"));
        self.stage.file(&name, sheet.text());
    }

    pub(super) fn take(&mut self, step: &Step) -> Held {
        match *step {
            Step::Edit(file, edit) => {
                let (_, sheet) = self.sheet(file);
                self.given_up.extend(edit.given_up_house(&sheet));
                let fresh = self.next;
                self.next += sheet.rows.len() + 1;
                self.rewrite(file, |sheet| edit.apply(sheet, fresh));
            }
            Step::Decide(file, row, word) => self.rewrite(file, |sheet| sheet.decide(row, word)),
            Step::Copy(file) if self.sheets().len() < 4 => {
                let (from, to) = (self.sheet(file).0, format!("copy {}.csv", self.fresh()));
                fs::copy(self.stage.path(&from), self.stage.path(&to)).unwrap();
                self.told.push(format!("copy {from} to {to}"));
            }
            Step::Copy(_) => {}
            Step::Rename(file) => {
                let (from, to) = (self.sheet(file).0, format!("moved-{}.csv", self.fresh()));
                fs::rename(self.stage.path(&from), self.stage.path(&to)).unwrap();
                self.told.push(format!("rename {from} to {to}"));
            }
            Step::Import(file, ref flags, ending) => {
                let name = self.sheet(file).0;
                let words = ["import", &name].into_iter().chain(flags.iter().copied());
                return self.import(words.map(str::to_owned).collect(), ending);
            }
            Step::FollowHint => return self.follow_hints(),
            Step::Export(over, sheet) => {
                let mut names: Vec<String> = self.files().into_keys().collect();
                names.push("results.csv".to_owned());
                let mut words = vec!["export".to_owned(), names[over % names.len()].clone()];
                if let Some(sheet) = sheet {
                    words.extend(["--for".to_owned(), self.sheet(sheet).0]);
                }
                return self.export(words);
            }
            Step::Annotate => {
                let files = self.files();
                let Some((name, content)) = files
                    .iter()
                    .rfind(|(_, content)| self.exported.contains(*content))
                else {
                    return Ok(());
                };
                self.stage
                    .file(name, [&content[..], b"looked at by Ann\n"].concat());
                self.told.push(format!("write a line below {name}"));
            }
        }
        Ok(())
    }

    /// Runs a command and looks after it at the files and at the service.
    pub(super) fn command(
        &mut self,
        words: Vec<String>,
        ending: Ending,
    ) -> Result<Run, TestCaseError> {
        let before = self.files();
        let fault = match ending {
            Ending::AnswerLost => {
                Some(r#"{"do": "status", "status": 501, "method": "POST", "handled": true}"#)
            }
            Ending::Refused => Some(r#"{"do": "status", "status": 422, "method": "POST"}"#),
            Ending::Whole | Ending::Killed(_) => None,
        };
        let faults = fault.map(|rule| format!(r#"{{"rules": [{rule}]}}"#).parse().unwrap());
        self.stage.sandbox().set_faults(faults);
        let typed: Vec<&str> = words.iter().map(String::as_str).chain(["--json"]).collect();
        let mut command = self.stage.command(&typed);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if let Ending::Killed(calls) = ending {
            let until = self.stage.sandbox().calls().len() + calls;
            while child.try_wait().unwrap().is_none() && self.stage.sandbox().calls().len() < until
            {
                std::thread::yield_now();
            }
            // It may have come to its end by itself.
            let _ = child.kill();
        }
        let run = Run::of(child.wait_with_output().unwrap());
        self.stage.sandbox().set_faults(None);
        self.told.push(format!(
            "{words:?} ({ending:?}) ends with {:?}\n{}",
            run.code,
            run.stderr.trim_end()
        ));
        self.last = (words, run.stderr.clone());
        self.files_are_kept(&before)?;
        self.no_house_is_doubled()?;
        Ok(run)
    }

    fn files_are_kept(&mut self, before: &BTreeMap<String, Vec<u8>>) -> Held {
        let after = self.files();
        let is_export = self.last.0[0] == "export";
        for (name, content) in before {
            let is_export_of_its_own = self.exported.contains(content);
            let is_its_own = if is_export {
                is_export_of_its_own
            } else {
                self.written.get(name) == Some(content) && !is_export_of_its_own
            };
            let is_kept = after.get(name) == Some(content);
            prop_assert!(is_kept || is_its_own, "{name} has changed or is gone");
        }
        for (name, content) in after
            .into_iter()
            .filter(|(name, content)| before.get(name) != Some(content))
        {
            if is_export {
                self.exported.insert(content.clone());
            }
            self.written.insert(name, content);
        }
        Ok(())
    }

    /// How many measurements the service holds for each house.
    pub(super) fn requested(&self) -> BTreeMap<String, usize> {
        let mut requested = BTreeMap::new();
        for measurement in self.stage.sandbox().measurements() {
            *requested.entry(measurement.notes.unwrap()).or_default() += 1;
        }
        requested
    }

    fn no_house_is_doubled(&self) -> Held {
        let mut requested = self.requested().into_iter();
        let doubled = requested.find(|(house, times)| *times > 1 && !self.again.contains(house));
        prop_assert!(doubled.is_none(), "requested twice: {doubled:?}");
        Ok(())
    }

    /// Whether the service holds an id or a house of a sheet; what it holds it never refuses.
    pub(super) fn knows_any(&self, sheet: &Sheet) -> bool {
        let held = self.stage.sandbox().measurements();
        let is_held = |row| {
            let id = sheet.cell(row, "id");
            let house = sheet.house(row);
            let mut held = held.iter();
            held.any(|one| {
                one.notes.as_ref() == Some(&house)
                    || one
                        .external_id
                        .as_ref()
                        .is_some_and(|held| held.ends_with(id))
            })
        };
        (0..sheet.rows.len()).any(is_held)
    }
}
