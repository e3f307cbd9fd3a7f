//! What a person does with the files on the desk.

use std::fs;

use super::sheet::Sheet;
use super::sheet_edit::{Edit, SheetEdit};
use super::steps::Step;
use super::world::{Advice, World};
use crate::support::parts::rewritten;

/// A workbook that a spreadsheet program has saved.
pub(super) fn saved_by_ann(workbook: &[u8]) -> Vec<u8> {
    rewritten(workbook, "docProps/core.xml", |text| {
        text.replace("lastModifiedBy>gutterbatch<", "lastModifiedBy>Ann<")
    })
}

impl World {
    /// Changes a sheet as a person does, who says what; nothing where that says nothing.
    pub(super) fn change_sheet(&mut self, file: usize, edit: SheetEdit) {
        let (name, mut sheet) = self.sheet(file);
        let edit = match edit {
            SheetEdit::Correct if self.flags.derive_id => SheetEdit::CorrectAllButIds,
            edit => edit,
        };
        let fresh = self.next;
        self.next += sheet.rows.len() + 1;
        self.given_up.extend(edit.given_up_house(&sheet));
        if let SheetEdit::Row(row, Edit::NumberPart | Edit::OtherUnit) = edit
            && !sheet.rows.is_empty()
        {
            let house = sheet.house(row % sheet.rows.len());
            self.network().observer.renumbered.insert(house);
        }
        let said = edit.apply(&mut sheet, fresh);
        self.save(&name, &sheet, &said);
    }

    fn save(&mut self, name: &str, sheet: &Sheet, said: &str) {
        if !said.is_empty() {
            self.tell(format!("in {name}: {said}"));
            let before = self.read(name).text();
            self.before_edits.insert(name.to_owned(), before);
            fs::write(self.path(name), sheet.text()).unwrap();
        }
    }

    /// The steps that change files.
    pub(super) fn edit(&mut self, step: &Step) {
        let fresh = self.fresh();
        match *step {
            Step::Edit(file, edit) => self.change_sheet(file, edit),
            Step::Decide(file, row, word) => self.decide(file, row, word),
            Step::CorrectRejects => self.correct_rejects(),
            Step::Undo(file) => self.undo(file),
            Step::Copy(file) => {
                let (name, sheet) = self.sheet(file);
                self.tell(format!("copy {name} to copy {fresh}.csv"));
                fs::write(self.path(&format!("copy {fresh}.csv")), sheet.text()).unwrap();
            }
            Step::Rename(file) => {
                let name = self.sheet_name(file);
                self.tell(format!("rename {name} to sheet {fresh}.csv"));
                self.office_mut().readings.remove(&name);
                fs::rename(self.path(&name), self.path(&format!("sheet {fresh}.csv"))).unwrap();
            }
            Step::Annotate => {
                let exported = &self.office().exported;
                let mut files = self.files().into_iter();
                // A sheet with another line is another sheet.
                let is_annotated = |(name, content): &(String, Vec<u8>)| {
                    exported.contains(content) && !name.ends_with("csv")
                };
                let Some((name, content)) = files.rfind(is_annotated) else {
                    return;
                };
                self.tell(format!("Ann changes {name}"));
                let content = if name.ends_with("xlsx") {
                    saved_by_ann(&content)
                } else {
                    [&content[..], b"looked at by Ann\n"].concat()
                };
                fs::write(self.path(&name), content).unwrap();
            }
            _ => unreachable!("{step:?} is no edit"),
        }
    }

    /// Takes back the last edit of a sheet.
    fn undo(&mut self, file: usize) {
        let name = self.sheet_name(file);
        let Some(before) = self.before_edits.remove(&name) else {
            return;
        };
        self.tell(format!("undo the last edit of {name}:\n{before}"));
        fs::write(self.path(&name), before).unwrap();
    }

    fn correct_rejects(&mut self) {
        let Some(Advice::Rejects(rejects)) = &self.advice else {
            return;
        };
        let file = self.sheets().iter().position(|name| name == rejects);
        if let Some(file) = file {
            self.change_sheet(file, SheetEdit::Correct);
        }
    }

    /// Decides about a row that is held, in a file that has one.
    fn decide(&mut self, file: usize, row: usize, word: &str) {
        let names = self.sheets();
        let has_held = |name: &String| {
            let sheet = self.read(name);
            (0..sheet.rows.len()).any(|row| sheet.is_held(row))
        };
        let files: Vec<usize> = (0..names.len())
            .filter(|file| has_held(&names[*file]))
            .collect();
        let Some(file) = files.get(file % files.len().max(1)) else {
            return;
        };
        let mut sheet = self.read(&names[*file]);
        let said = sheet.decide(row, word);
        self.save(&names[*file], &sheet, &said);
        self.advice = Some(Advice::Rejects(names[*file].clone()));
    }
}
