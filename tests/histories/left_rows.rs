//! Rows that leave their sheet before they are requested: another sheet takes its path, such as the next night's leads.

use std::collections::BTreeMap;

use gutterbatch::model::Outcome;

use super::computer::{ImportCommand, ImportResult};
use super::imports::STOPS;
use super::observer::{Observer, SentRow};
use super::sheet::Sheet;
use super::world::{Held, World, is_sheet, require};

/// Whether the present command has sent a row that is none of these, given by id and house, and that no process may have
/// recorded before it died.
fn has_sent_another(observer: &Observer, rows: &[(String, String)]) -> bool {
    let is_one = |sent: &SentRow| {
        let mut rows = rows.iter();
        rows.any(|(id, house)| *id == sent.external_id || *house == sent.house)
    };
    let begun = &observer.journal.begun;
    let mut sent = observer.sent_now.iter();
    sent.any(|sent| !sent.is_repeated && !begun.contains(&sent.house) && !is_one(sent))
}

impl World {
    /// A row that the last import of a path left pending, and that is not in the file any more, is missed. Notes which
    /// rows this import leaves pending.
    pub(super) fn pending_rows_are_missed(
        &self,
        command: &ImportCommand,
        sheet: &Sheet,
        result: &ImportResult,
    ) -> Held {
        let is_stopped = |reason: &String| STOPS.contains(&reason.as_str());
        if sheet.is_rejects() || result.ended.as_ref().is_err_and(is_stopped) {
            return Ok(());
        }
        let rows = result.rows.iter().enumerate();
        let rows = rows.filter_map(|(row, (outcome, id))| {
            let row = (id.clone()?, sheet.house(row));
            Some((*outcome, row))
        });
        let (outcomes, rows): (Vec<Outcome>, Vec<_>) = rows.unzip();
        let observer = &mut self.network().observer;
        let before = observer.journal.pending.remove(&command.file);
        let before = before.unwrap_or_default();
        let houses = sheet.houses();
        let attempted = &observer.journal.attempted;
        let is_there = |(id, house): &(String, String)| {
            let mut requests = attempted.iter().chain(&rows);
            houses.contains(house) || requests.any(|other| other.0 == *id || other.1 == *house)
        };
        let missing = before.iter().find(|row| !is_there(row));
        let is_told = result.missing > 0 || !has_sent_another(observer, &before);
        require(missing.is_none() || is_told, || {
            format!("nobody is told that {missing:?} is missing in the file")
        })?;
        let is_pending = |row: &usize| outcomes[*row] == Outcome::Pending;
        let pending = (0..rows.len()).filter(is_pending);
        let pending = pending.map(|row| rows[row].clone()).collect();
        let journal = &mut observer.journal;
        journal.pending.insert(command.file.clone(), pending);
        Ok(())
    }

    /// No rejects are replaced or removed that have the only copy of a row, unless the person only removed rows. A row
    /// with its id, or with its customer and street, may be the row itself.
    pub(super) fn only_copies_are_kept(
        &self,
        file: &str,
        before: &BTreeMap<String, Vec<u8>>,
    ) -> Held {
        let after = self.files();
        let is_changed = |(name, content): &(&String, &Vec<u8>)| {
            after.get(*name) != Some(content) && is_sheet(content)
        };
        let gone = before.iter().filter(is_changed);
        let gone = gone.map(|(name, content)| (name, Sheet::parse(content)));
        for (name, rejects) in gone.filter(|(_, sheet)| sheet.is_rejects()) {
            let sheets = after.values().filter(|content| is_sheet(content));
            let sheets: Vec<Sheet> = sheets.map(|content| Sheet::parse(content)).collect();
            let is_kept = |row: usize| {
                let is_same = |sheet: &Sheet, other: usize, headers: &[&str]| {
                    let mut headers = headers.iter();
                    headers.all(|header| {
                        let cell = rejects.cell(row, header);
                        !cell.is_empty() && cell == sheet.cell(other, header)
                    })
                };
                let is_row = |sheet: &Sheet, other: usize| {
                    let mut alike = [&["id"][..], &["name", "line1"]].into_iter();
                    rejects.house(row) == sheet.house(other)
                        || alike.any(|headers| is_same(sheet, other, headers))
                };
                let mut sheets = sheets.iter();
                sheets.any(|sheet| (0..sheet.rows.len()).any(|other| is_row(sheet, other)))
            };
            let network = self.network();
            let row = |row| (rejects.cell(row, "id").to_owned(), rejects.house(row));
            let rows: Vec<(String, String)> = (0..rejects.rows.len()).map(row).collect();
            let attempted = &network.observer.journal.attempted;
            let is_requested = |(id, house): &(String, String)| {
                let has_been_sent = |(other, requested): &(String, String)| {
                    requested == house || !id.is_empty() && other.ends_with(id)
                };
                network.service.of_house(house).next().is_some()
                    || attempted.iter().any(has_been_sent)
            };
            let is_lost = |(index, row): &(usize, &(String, String))| {
                let is_given_up = self.given_up.contains(&row.1) || rejects.is_held(*index);
                !is_given_up && !is_kept(*index) && !is_requested(row)
            };
            let lost = rows.iter().enumerate().find(is_lost);
            // The person cannot have removed the rows from another file than the one that was imported, or from one of
            // its rejects.
            let inputs = &network.observer.journal.inputs;
            let mut sources = std::iter::successors(inputs.get(name), |input| inputs.get(*input));
            let is_of_another = inputs.contains_key(name)
                && !sources
                    .by_ref()
                    .take(inputs.len())
                    .any(|input| input == file);
            let is_replaced = has_sent_another(&network.observer, &rows) || is_of_another;
            require(lost.is_none() || !is_replaced, || {
                format!("the only copy of {lost:?} is gone")
            })?;
        }
        Ok(())
    }
}
