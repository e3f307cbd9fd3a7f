//! Imports and exports, and what holds after each of them.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use super::world::{Held, World};
use super::{Ending, Step};
use crate::histories::kept_houses::{KeptHouses, MissingIds};
use crate::histories::sheet::Sheet;
use crate::histories::sheet_edit::SheetEdit;

impl World {
    /// An import; where it comes to its end, each row is with the service or among the rejects.
    pub(super) fn import(&mut self, words: Vec<String>, ending: Ending) -> Held {
        let is_file = |word: &&String| self.stage.path(word).is_file();
        // A hint may name rejects that are gone by now.
        let Some(name) = words.iter().find(is_file) else {
            return Ok(());
        };
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
        let run = self.command(words.clone(), ending)?;
        if run.code == Some(10)
            && run
                .stderr
                .contains("rejects that the journal does not know")
        {
            // An older copy of rejects, whose rows were corrected elsewhere since.
            let words = words.into_iter().chain(["--forget-reading".to_owned()]);
            return self.import(words.collect(), ending);
        }
        let is_stopped = matches!(run.code, Some(4 | 9) | None);
        let was_told_to =
            self.last.0.contains(&"--limit".to_owned()) || !matches!(ending, Ending::Whole);
        prop_assert!(!is_stopped || was_told_to, "it stopped");
        if is_stopped {
            return Ok(());
        }
        prop_assert!(
            matches!(run.code, Some(0 | 3)),
            "it ended with {:?}",
            run.code
        );
        let document = run.json();
        let rejects = document["rejects"].as_str().map(|name| self.read(name));
        let rejects = rejects.unwrap_or_else(Sheet::empty);
        self.outcomes = document["outcomes"].clone();
        self.rows_add_up(&sheet, &rejects)?;
        let requested: BTreeSet<String> = self.requested().into_keys().collect();
        let houses = KeptHouses {
            requested: &requested,
            perhaps_requested: &BTreeSet::new(),
            withdrawn: &BTreeSet::new(),
            given_up: &self.given_up,
            missing_ids: MissingIds::Invalid,
        };
        let kept = houses.hold_all_rows(&sheet, &rejects);
        kept.map_err(TestCaseError::fail)
    }

    /// Each row of the file has one outcome, and the rejects have those that say so.
    fn rows_add_up(&self, sheet: &Sheet, rejects: &Sheet) -> Held {
        let count = |outcome: &str| self.outcomes[outcome].as_u64().unwrap();
        let sum: u64 = self
            .outcomes
            .as_object()
            .unwrap()
            .keys()
            .map(|outcome| count(outcome))
            .sum();
        let rejected: u64 = ["invalid", "refused", "conflict", "same_house"]
            .into_iter()
            .map(count)
            .sum();
        let adds_up = sum == sheet.rows.len() as u64
            && rejected == rejects.rows.len() as u64
            && count("pending") == 0;
        prop_assert!(
            adds_up,
            "{}; rejects are\n{}",
            self.outcomes,
            rejects.text()
        );
        Ok(())
    }

    pub(super) fn export(&mut self, words: Vec<String>) -> Held {
        let run = self.command(words, Ending::Whole)?;
        prop_assert!(
            matches!(run.code, Some(0 | 2 | 3 | 8 | 10)),
            "the export failed"
        );
        Ok(())
    }

    /// Types every command that the hints of the last command name, word for word.
    pub(super) fn follow_hints(&mut self) -> Held {
        let (words, said) = self.last.clone();
        for command in hinted_commands(&said) {
            let words = match command {
                Hinted::Command(command) => split(&command),
                Hinted::Flags(flags) => [words.clone(), split(&flags)].concat(),
            };
            prop_assert!(
                !words.contains(&"--allow-same-house".to_owned()),
                "a hint requests a house twice"
            );
            match words[0].as_str() {
                "import" => self.import(words, Ending::Whole)?,
                "export" => self.export(words)?,
                // It opens a browser.
                "connect" => {}
                _ => {
                    let code = self.command(words, Ending::Whole)?.code;
                    prop_assert!(
                        !matches!(code, Some(1 | 2) | None),
                        "it ended with {code:?}"
                    );
                }
            }
        }
        Ok(())
    }

    /// What `check` said of a file is what the import of it has just done.
    fn is_as_planned(&self, check: &str) -> Held {
        let Ok(check) = serde_json::from_str::<Value>(check) else {
            return Ok(());
        };
        for outcome in ["known", "same_house"] {
            let (planned, done) = (&check["plan"][outcome], &self.outcomes[outcome]);
            prop_assert!(
                planned == done || self.outcomes.is_null(),
                "planned {outcome} {planned}, done {done}"
            );
        }
        Ok(())
    }

    /// In the end everything is imported as it is, and then corrected and imported.
    pub(super) fn finish(&mut self) -> Held {
        for is_corrected in [false, true] {
            for name in self.sheets() {
                // Rejects of rows that are done are removed meanwhile.
                let Some(file) = self.sheets().iter().position(|other| *other == name) else {
                    continue;
                };
                let words = || vec!["import".to_owned(), name.clone()];
                if !is_corrected {
                    let checked = vec!["check".to_owned(), name.clone()];
                    self.command(checked, Ending::Whole)?;
                    self.follow_hints()?;
                    let plan = self.stage.run(&["check", &name, "--json"]).stdout;
                    self.import(words(), Ending::Whole)?;
                    self.is_as_planned(&plan)?;
                    self.follow_hints()?;
                    continue;
                }
                self.take(&Step::Edit(file, SheetEdit::Correct))?;
                self.import(words(), Ending::Whole)?;
                let calls = self.stage.sandbox().calls().len();
                self.import(words(), Ending::Whole)?;
                let is_quiet = self.stage.sandbox().calls().len() == calls;
                prop_assert!(is_quiet, "a finished import makes requests");
            }
        }
        Ok(())
    }
}

/// What a hint says to type.
enum Hinted {
    Command(String),
    /// Further flags of the last command.
    Flags(String),
}

/// The commands of all hints, without those that have a place to fill in.
fn hinted_commands(said: &str) -> Vec<Hinted> {
    let hints = said.split("hint: ").skip(1);
    let lines = hints.flat_map(str::lines);
    let until_quote = |text: &str| text.split('`').next().unwrap().to_owned();
    let typed = lines.filter_map(|line| {
        if let Some((_, flags)) = line.split_once(": add ") {
            return Some(Hinted::Flags(flags.to_owned()));
        }
        let (_, command) = line.split_once("gutterbatch ")?;
        Some(Hinted::Command(until_quote(command)))
    });
    let is_whole = |hinted: &Hinted| {
        let (Hinted::Command(text) | Hinted::Flags(text)) = hinted;
        !["YYYY-MM-DD", "PATH", "FILE", "--id ID"]
            .iter()
            .any(|place| text.contains(place))
    };
    typed.filter(is_whole).collect()
}

/// The words of a command, as a shell reads them.
fn split(command: &str) -> Vec<String> {
    let script = format!("printf '%s\\n' {command}");
    let shell = std::process::Command::new("sh")
        .args(["-c", &script])
        .output();
    let words = String::from_utf8(shell.unwrap().stdout).unwrap();
    // Each command of a history has it already.
    let words = words.lines().filter(|word| *word != "--json");
    words.map(str::to_owned).collect()
}
