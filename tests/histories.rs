//! Random histories of what people do with their sheets: whatever they edit, sort, copy, forget or interrupt, no house is
//! requested twice, no row is lost and no file of theirs changes.
//!
//! A house is known by the notes of its row (`house 3`), which nobody edits and which the program never compares. A
//! failure shows the history as commands and edits. `GUTTERBATCH_HISTORIES=500 cargo test --test gutterbatch histories`
//! runs more of them than a usual test run does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::support::{Run, Stage};

mod sheet;

use sheet::{Edit, Sheet};

/// Histories of a usual test run.
const CASES: u32 = 12;

/// What a person does. Files and rows are counted from 0, again from the first after the last.
#[derive(Clone, Debug)]
enum Step {
    Edit(usize, usize, Edit),
    /// Mends all that is wrong with the rows of a file.
    Correct(usize),
    /// Types a word into the column `same_house` of a row that is held.
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
    Import(usize, Vec<&'static str>, Ending),
    /// Types the command of the last hint.
    FollowHint,
    /// Exports over a file, or to a new one; perhaps for a sheet.
    Export(usize, Option<usize>),
    /// Writes a line below the last export.
    Annotate,
}

/// How an import ends.
#[derive(Clone, Copy, Debug)]
enum Ending {
    Whole,
    /// Killed once the service has seen so many more calls.
    Killed(usize),
    /// The service handles the first request, and its answer stops the run.
    AnswerLost,
    /// The service, which holds none of them yet, refuses all rows.
    Refused,
}

fn step() -> impl Strategy<Value = Step> {
    let (file, row) = (0_usize..4, 0_usize..6);
    let flags = prop_oneof![
        6 => Just(vec![]),
        3 => select(vec![vec!["--id-prefix", "acme-"], vec!["--id-prefix", "b-"], vec!["--id-prefix", ""]]),
        2 => Just(vec!["--derive-id"]),
        1 => Just(vec!["--derive-id", "--id-prefix", "acme-"]),
        1 => Just(vec!["--limit", "1"]),
        1 => Just(vec!["--forget-reading"]),
        1 => Just(vec!["--retry-refused"]),
        1 => Just(vec!["--allow-same-house"]),
    ];
    let ending = prop_oneof![
        8 => Just(Ending::Whole),
        1 => (0_usize..5).prop_map(Ending::Killed),
        1 => Just(Ending::AnswerLost),
        1 => Just(Ending::Refused),
    ];
    let at = (file.clone(), row.clone());
    prop_oneof![
        12 => (file.clone(), flags, ending).prop_map(|(file, flags, ending)| Step::Import(file, flags, ending)),
        12 => (at.clone(), select(Edit::ALL.to_vec())).prop_map(|((file, row), edit)| Step::Edit(file, row, edit)),
        3 => file.clone().prop_map(Step::Correct),
        3 => (at.clone(), select(vec!["skip", "send"])).prop_map(|((file, row), word)| Step::Decide(file, row, word)),
        2 => file.clone().prop_map(Step::Add),
        1 => at.clone().prop_map(|(file, row)| Step::Repeat(file, row)),
        2 => at.clone().prop_map(|(file, row)| Step::Resubmit(file, row)),
        2 => at.prop_map(|(file, row)| Step::Remove(file, row)),
        2 => (file.clone(), select(vec!["line1", "name", "notes"])).prop_map(|(file, by)| Step::Sort(file, by)),
        2 => file.clone().prop_map(Step::Copy),
        2 => file.clone().prop_map(Step::Rename),
        4 => Just(Step::FollowHint),
        3 => (file.clone(), proptest::option::of(file)).prop_map(|(over, sheet)| Step::Export(over, sheet)),
        1 => Just(Step::Annotate),
    ]
}

/// A person's folder, the service, and what the model knows.
struct World {
    stage: Stage,
    /// The history in words.
    told: Vec<String>,
    /// Counts new houses, ids and files.
    next: usize,
    /// What the program wrote, by name.
    written: BTreeMap<String, Vec<u8>>,
    /// What `export` wrote, wherever it is now.
    exported: BTreeSet<Vec<u8>>,
    /// Houses that a person wanted to be requested again.
    again: BTreeSet<String>,
    /// Houses that a person gave up.
    given_up: BTreeSet<String>,
    /// Houses whose requests may have been on their way when a run ended.
    uncertain: BTreeSet<String>,
    /// The words and standard error of the last command.
    last: (Vec<String>, String),
    /// The outcomes of the last import that came to its end.
    outcomes: Value,
}

/// What went wrong, or nothing.
type Held = Result<(), String>;

fn demand(holds: bool, otherwise: impl FnOnce() -> String) -> Held {
    if holds { Ok(()) } else { Err(otherwise()) }
}

impl World {
    fn new(rows: &[usize]) -> Self {
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
            uncertain: BTreeSet::new(),
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
    fn sheets(&self) -> Vec<String> {
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

    fn read(&self, name: &str) -> Sheet {
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

    fn take(&mut self, step: &Step) -> Held {
        match *step {
            Step::Edit(file, row, edit) => {
                let fresh = self.fresh();
                let (_, sheet) = self.sheet(file);
                if edit == Edit::OtherHouse && sheet.is_rejects() && !sheet.rows.is_empty() {
                    // The address was wrong, and there is no such house.
                    self.given_up.insert(sheet.house(row % sheet.rows.len()));
                }
                self.rewrite(file, |sheet| sheet.edit(row, edit, fresh));
            }
            Step::Correct(file) => {
                let fresh = self.fresh();
                self.next += 20;
                self.rewrite(file, |sheet| sheet.correct(fresh));
            }
            Step::Decide(file, row, word) => self.rewrite(file, |sheet| sheet.decide(row, word)),
            Step::Add(file) => {
                let fresh = self.fresh();
                self.rewrite(file, |sheet| sheet.add(fresh));
            }
            Step::Repeat(file, row) => self.rewrite(file, |sheet| sheet.repeat(row, None)),
            Step::Resubmit(file, row) => {
                let fresh = self.fresh();
                self.rewrite(file, |sheet| sheet.repeat(row, Some(fresh)));
            }
            Step::Remove(file, row) => self.rewrite(file, |sheet| sheet.remove(row)),
            Step::Sort(file, by) => self.rewrite(file, |sheet| sheet.sort(by)),
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
            Step::FollowHint => return self.follow_hint(),
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
    fn command(&mut self, words: Vec<String>, ending: Ending) -> Result<Run, String> {
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
            let is_its_own = match is_export {
                true => self.exported.contains(content),
                false => {
                    self.written.get(name) == Some(content) && !self.exported.contains(content)
                }
            };
            let is_kept = after.get(name) == Some(content);
            demand(is_kept || is_its_own, || {
                format!("{name} has changed or is gone")
            })?;
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
    fn requested(&self) -> BTreeMap<String, usize> {
        let mut requested = BTreeMap::new();
        for measurement in self.stage.sandbox().measurements() {
            *requested.entry(measurement.notes.unwrap()).or_default() += 1;
        }
        requested
    }

    fn no_house_is_doubled(&self) -> Held {
        let mut requested = self.requested().into_iter();
        let doubled = requested.find(|(house, times)| *times > 1 && !self.again.contains(house));
        demand(doubled.is_none(), || {
            format!("requested twice: {doubled:?}")
        })
    }

    /// Whether the service holds an id or a house of a sheet; what it holds it never refuses.
    fn knows_any(&self, sheet: &Sheet) -> bool {
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

    /// An import; where it comes to its end, each row is with the service or among the rejects.
    fn import(&mut self, words: Vec<String>, ending: Ending) -> Held {
        let name = words.iter().find(|word| word.ends_with(".csv")).unwrap();
        if !self.stage.path(name).exists() {
            return Ok(());
        }
        let sheet = self.read(name);
        let sends_all = words.iter().any(|word| word == "--allow-same-house");
        for (row, house) in sheet.houses().into_iter().enumerate() {
            match sheet.cell(row, "same_house") {
                "skip" => self.given_up.insert(house),
                "send" => self.again.insert(house),
                _ => sends_all && self.again.insert(house),
            };
        }
        let ending = match ending {
            Ending::Refused if self.knows_any(&sheet) => Ending::Whole,
            ending => ending,
        };
        self.outcomes = Value::Null;
        let run = self.command(words, ending)?;
        let is_stopped = matches!(run.code, Some(4 | 9) | None);
        let was_told_to =
            self.last.0.contains(&"--limit".to_owned()) || !matches!(ending, Ending::Whole);
        // A file that has lost its ids, or all of its rows, is none that can be imported.
        let is_unusable = run.code == Some(10);
        demand(!is_stopped || was_told_to, || "it stopped".to_owned())?;
        if is_stopped || is_unusable {
            self.uncertain.extend(sheet.houses());
            return Ok(());
        }
        demand(matches!(run.code, Some(0 | 3)), || {
            format!("it ended with {:?}", run.code)
        })?;
        let document = run.json();
        self.outcomes = document["outcomes"].clone();
        let rejects = document["rejects"].as_str().map(|name| self.read(name));
        let rejects = rejects.unwrap_or_else(Sheet::empty);
        let count = |outcome: &str| document["outcomes"][outcome].as_u64().unwrap();
        let outcomes: Vec<&String> = document["outcomes"].as_object().unwrap().keys().collect();
        let sum: u64 = outcomes.iter().map(|outcome| count(outcome)).sum();
        demand(sum == sheet.rows.len() as u64, || {
            format!("outcomes {}", document["outcomes"])
        })?;
        demand(count("pending") == 0, || "rows are pending".to_owned())?;
        let rejected: u64 = ["invalid", "refused", "conflict", "same_house"]
            .into_iter()
            .map(count)
            .sum();
        demand(rejected == rejects.rows.len() as u64, || {
            format!("{rejected} rows rejected: {}", rejects.text())
        })?;
        let mut done: BTreeSet<String> = self.requested().into_keys().collect();
        let is_held = |row: &usize| rejects.cell(*row, "error").starts_with("same house");
        let held = (0..rejects.rows.len()).filter(is_held);
        let unknown = held
            .map(|row| rejects.house(row))
            .find(|house| !done.contains(house) && !self.uncertain.contains(house));
        demand(unknown.is_none(), || {
            format!("held without a request: {unknown:?}")
        })?;
        done.extend(
            rejects
                .houses()
                .into_iter()
                .chain(self.given_up.iter().cloned()),
        );
        let lost = sheet
            .houses()
            .into_iter()
            .find(|house| !done.contains(house));
        demand(lost.is_none(), || format!("lost: {lost:?}"))
    }

    fn export(&mut self, words: Vec<String>) -> Held {
        let run = self.command(words, Ending::Whole)?;
        demand(matches!(run.code, Some(0 | 2 | 3 | 8 | 10)), || {
            "the export failed".to_owned()
        })
    }

    fn follow_hint(&mut self) -> Held {
        let hints = self
            .last
            .1
            .lines()
            .filter(|line| line.starts_with("hint: "));
        let hints: Vec<&str> = hints.collect();
        let command = hints
            .iter()
            .rev()
            .find_map(|hint| hint.split("gutterbatch ").nth(1));
        if let Some(hint) = hints.iter().find_map(|hint| hint.split(": add ").nth(1)) {
            let words = [self.last.0.clone(), split(hint)].concat();
            return self.import(words, Ending::Whole);
        }
        let words = split(
            command
                .unwrap_or_default()
                .split('`')
                .next()
                .unwrap_or_default(),
        );
        match words.first().map(String::as_str) {
            Some("import") => self.import(words, Ending::Whole),
            Some("export") => self.export(words),
            _ => Ok(()),
        }
    }

    /// What `check` said of a file is what the import of it has just done.
    fn is_as_planned(&self, check: &str) -> Held {
        let Ok(check) = serde_json::from_str::<Value>(check) else {
            return Ok(());
        };
        for outcome in ["known", "same_house"] {
            let (planned, done) = (&check["plan"][outcome], &self.outcomes[outcome]);
            demand(planned == done || self.outcomes.is_null(), || {
                format!("planned {outcome} {planned}, done {done}")
            })?;
        }
        Ok(())
    }

    /// In the end everything is imported as it is, and then corrected and imported.
    fn finish(&mut self) -> Held {
        for is_corrected in [false, true] {
            for name in self.sheets() {
                // Rejects of rows that are done are removed meanwhile.
                let Some(file) = self.sheets().iter().position(|other| *other == name) else {
                    continue;
                };
                if is_corrected {
                    self.take(&Step::Correct(file))?;
                }
                let words = || vec!["import".to_owned(), name.clone()];
                let plan = self.stage.run(&["check", &name, "--json"]).stdout;
                self.import(words(), Ending::Whole)?;
                self.is_as_planned(&plan)?;
                if is_corrected {
                    let calls = self.stage.sandbox().calls().len();
                    self.import(words(), Ending::Whole)?;
                    let is_quiet = self.stage.sandbox().calls().len() == calls;
                    demand(is_quiet, || "a finished import makes requests".to_owned())?;
                }
            }
        }
        Ok(())
    }
}

/// The words of a command, as a shell reads them.
fn split(command: &str) -> Vec<String> {
    let script = format!("printf '%s\\n' {command}");
    let shell = std::process::Command::new("sh")
        .args(["-c", &script])
        .output();
    let words = String::from_utf8(shell.unwrap().stdout).unwrap();
    words.lines().map(str::to_owned).collect()
}

fn cases() -> u32 {
    let asked = std::env::var("GUTTERBATCH_HISTORIES").ok();
    asked.map_or(CASES, |cases| {
        cases.parse().expect("GUTTERBATCH_HISTORIES is a number")
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(), max_shrink_iters: 600, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_people_do_no_house_is_requested_twice_and_no_row_or_file_is_lost(
        rows in prop::collection::vec(0_usize..4, 1..6),
        steps in prop::collection::vec(step(), 1..12),
    ) {
        let mut world = World::new(&rows);
        let mut held = Ok(());
        for step in &steps {
            held = held.and_then(|()| world.take(step));
        }
        let held = held.and_then(|()| world.finish());
        if let Err(fault) = held {
            let history = world.told.join("\n- ");
            return Err(TestCaseError::fail(format!("{fault}, after\n- {history}\n")));
        }
    }
}
