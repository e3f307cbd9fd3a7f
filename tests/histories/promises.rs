//! What an import must do with the flags of a person, with the rejects, and with rows that were corrected there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gutterbatch::model::Outcome;

use super::computer::{ImportCommand, ImportResult};
use super::observer::Observer;
use super::service::MeasurementRecord;
use super::sheet::{Sheet, house_of};
use super::world::{Held, World, require};

/// Outcomes of rows that a person has to look at.
const REJECTED: [Outcome; 4] = [
    Outcome::Invalid,
    Outcome::Refused,
    Outcome::Conflict,
    Outcome::SameHouse,
];

impl World {
    pub(super) fn flags_are_obeyed(
        &self,
        command: &ImportCommand,
        sheet: &Sheet,
        result: &ImportResult,
    ) -> Held {
        let network = self.network();
        let observer = &network.observer;
        let ids = observer.sent_now.iter().map(|row| &row.external_id);
        let ids: BTreeSet<&String> = ids.collect();
        let options = &command.options;
        if let Some(limit) = options.limit {
            let count = ids.len() as u64;
            require(count <= limit, || format!("{count} rows are sent"))?;
        }
        let is_held = options.all_or_nothing && result.outcomes["invalid"] > 0;
        require(!is_held || ids.is_empty(), || {
            "rows are sent although one is invalid".to_owned()
        })?;
        for (row, (outcome, id)) in result.rows.iter().enumerate() {
            let is_held = *outcome == Outcome::SameHouse;
            let is_skipped = sheet.cell(row, "same_house") == "skip";
            let is_allowed = options.allow_same_house;
            require(!is_held || !is_allowed || is_skipped, || {
                format!("{} is held in spite of the flag", sheet.house(row))
            })?;
            let id = id.as_ref();
            let is_tried = id.is_some_and(|id| observer.refused_now.contains(id));
            let is_left = *outcome == Outcome::Refused && !is_tried;
            let is_wanted = options.retry_refused;
            require(!is_left || !is_wanted, || {
                format!("{} is not tried again", sheet.house(row))
            })?;
        }
        rows_have_their_ids(observer, sheet, result)?;
        drop(network);
        self.derived_ids_stay(sheet, result)
    }

    /// Where ids are derived in all imports, a row has the same id as long as house, customer and postal code are the
    /// same, however they are written.
    fn derived_ids_stay(&self, sheet: &Sheet, result: &ImportResult) -> Held {
        let mut network = self.network();
        for (row, (_, id)) in result.rows.iter().enumerate() {
            let code = sheet.cell(row, "postal_code").get(..5).unwrap_or_default();
            let name = sheet.cell(row, "name");
            let from = [sheet.house(row), name.to_owned(), code.to_owned()];
            if let Some(id) = id.clone().filter(|_| self.flags.derive_id)
                && !result.corrected.contains(&row)
            {
                let ids = &mut network.observer.derived_ids;
                let first = ids.entry(from).or_insert_with(|| id.clone());
                require(*first == id, || {
                    format!(
                        "{} had the derived id {first}, and has {id}",
                        sheet.house(row)
                    )
                })?;
            }
        }
        Ok(())
    }

    /// Each row of the rejects is the row of the sheet that it names. Notes which rows those are.
    pub(super) fn rejects_are_of_the_sheet(
        &mut self,
        command: &ImportCommand,
        sheet: &Sheet,
        rejects: &Sheet,
        result: &ImportResult,
    ) -> Held {
        if sheet.is_rejects() {
            let origin = self.office().rejected.get(&command.file).cloned();
            if let (Some(mut origin), Some(name)) = (origin, &result.rejects) {
                self.leave_rows_in_original(&mut origin);
                rows_keep_their_numbers(&origin.1, sheet, rejects)?;
                // Of two copies of a row, nobody knows which corrects it, or another row of its house.
                let claims = |number: &usize| {
                    let number = number.to_string();
                    let rows = 0..sheet.rows.len();
                    let claims = rows.filter(|row| sheet.cell(*row, "source_row") == number);
                    claims.count()
                };
                let house = |cells: &Vec<String>| house_of(cells.last().unwrap()).to_owned();
                let copied = origin.1.iter().filter(|(number, _)| claims(number) > 1);
                let copied: BTreeSet<String> = copied.map(|(_, cells)| house(cells)).collect();
                origin.1.retain(|_, cells| !copied.contains(&house(cells)));
                self.office_mut().rejected.insert(name.clone(), origin);
            }
            return Ok(());
        }
        let mut rows = BTreeMap::new();
        for row in 0..rejects.rows.len() {
            let number: usize = rejects.cell(row, "source_row").parse().unwrap();
            let cells = sheet.typed(number - 2);
            let is_same = rejects.typed(row) == cells;
            require(is_same, || {
                format!("row {} of the rejects is not row {number}", row + 2)
            })?;
            rows.insert(number, cells);
        }
        if let Some(name) = &result.rejects {
            let origin = (command.file.clone(), rows);
            self.office_mut().rejected.insert(name.clone(), origin);
        }
        Ok(())
    }

    /// Only the rows that the original still has: a number says nothing about a list that another one replaced.
    fn leave_rows_in_original(&self, (name, rows): &mut (String, BTreeMap<usize, Vec<String>>)) {
        if self.path(name).exists() {
            let original = self.read(name);
            let rows_left = (0..original.rows.len()).map(|row| original.typed(row));
            let left: BTreeSet<Vec<String>> = rows_left.collect();
            rows.retain(|_, cells| left.contains(cells));
        }
    }

    /// Nobody is asked again about a house after a decision.
    pub(super) fn decisions_stay(&self, sheet: &Sheet, result: &ImportResult) -> Held {
        let mut network = self.network();
        let decided = &mut network.observer.journal.decided;
        for (row, (outcome, id)) in result.rows.iter().enumerate() {
            let key = (id.clone().unwrap_or_default(), sheet.house(row));
            let is_held = *outcome == Outcome::SameHouse;
            require(!is_held || !decided.contains(&key), || {
                format!("{} was decided, and is held again", sheet.house(row))
            })?;
            if matches!(sheet.cell(row, "same_house"), "skip" | "send") {
                // It replaces one about another house of this id, and counts once its row is valid. `send` is none where
                // nothing was asked.
                decided.retain(|(id, house)| *id != key.0 || *house == key.1);
                let is_answer = sheet.cell(row, "same_house") == "skip"
                    || !is_held && *outcome != Outcome::Pending;
                if is_answer && *outcome != Outcome::Invalid {
                    decided.insert(key);
                }
            }
        }
        Ok(())
    }

    /// No row is skipped or held for a house that nobody has requested.
    pub(super) fn skipped_rows_are_requested(&self, sheet: &Sheet, result: &ImportResult) -> Held {
        let network = self.network();
        let perhaps_requested = network.observer.journal.perhaps_requested();
        let houses = sheet.houses();
        for (row, (outcome, _)) in result.rows.iter().enumerate() {
            let has_skip = sheet.cell(row, "same_house") == "skip";
            let house = &houses[row];
            let is_skipped = has_skip && *outcome == Outcome::Duplicate;
            let is_held = !has_skip && *outcome == Outcome::SameHouse;
            // A row with that house is in conflict, and a person says that it is the same.
            let mut conflicts = network.observer.journal.conflicts.values();
            let is_in_conflict =
                conflicts.any(|body| body["notes"].as_str().map(house_of) == Some(house));
            let is_doubtful = perhaps_requested.contains(house);
            if is_skipped && is_in_conflict || is_doubtful || !is_skipped && !is_held {
                continue;
            }
            let is_only = houses.iter().filter(|other| *other == house).count() == 1;
            let is_requested = network.service.of_house(house).next().is_some();
            require(!is_only || is_requested, || {
                format!("{house} is {outcome:?}, and nobody has requested it")
            })?;
        }
        Ok(())
    }

    /// A row that was corrected in the rejects and accepted is known in its sheet.
    pub(super) fn corrected_rows_are_known(
        &mut self,
        command: &ImportCommand,
        sheet: &Sheet,
        result: &ImportResult,
    ) -> Held {
        let rows = || result.rows.iter().map(|(outcome, _)| *outcome).enumerate();
        let is_rejected = |outcome: Outcome| REJECTED.contains(&outcome);
        if let Some((origin, cells)) = self.office().rejected.get(&command.file).cloned() {
            for (row, outcome) in rows() {
                let source_row = sheet.cell(row, "source_row");
                // A row that still claims to be the original is preferred to its copy.
                let is_copied = (0..sheet.rows.len())
                    .any(|other| other != row && sheet.cell(other, "source_row") == source_row);
                let number = source_row.parse::<usize>();
                let house = sheet.house(row);
                let is_of_house = |cells: &&Vec<String>| {
                    cells.last().map(|notes| house_of(notes)) == Some(&house)
                };
                // Of several rows of a house, nobody knows which was corrected.
                let is_only = cells.values().filter(is_of_house).count() == 1;
                let cells = number.ok().and_then(|number| cells.get(&number));
                let Some(cells) = cells.filter(is_of_house).filter(|_| is_only) else {
                    continue;
                };
                let is_accepted =
                    !is_rejected(outcome) && outcome != Outcome::Duplicate && !is_copied;
                let mut network = self.network();
                let observer = &mut network.observer;
                // With neither its id nor its house number, the row may be a new one.
                let now = sheet.typed(row);
                let has_id = !cells[0].is_empty() && now[0] == cells[0];
                let is_its_house = has_id || !observer.renumbered.contains(&house);
                // A known row without its unit may be of an older copy that was saved over the rejects.
                let has_its_unit = outcome != Outcome::Known || now[UNIT] == cells[UNIT];
                // What is as it was is known by its own id, if it is read with the same flags.
                let is_corrected = now != *cells && has_its_unit && is_mostly_the_same(cells, &now);
                if is_accepted && is_its_house && is_corrected {
                    let corrected = &mut observer.journal.corrected;
                    corrected.insert((origin.clone(), cells.clone()));
                }
            }
        }
        let typed: Vec<Vec<String>> = (0..sheet.rows.len()).map(|row| sheet.typed(row)).collect();
        let network = self.network();
        let journal = &network.observer.journal;
        for (row, outcome) in rows() {
            let key = (command.file.clone(), typed[row].clone());
            let is_once = || typed.iter().filter(|other| **other == typed[row]).count() == 1;
            if sheet.is_rejects() || !journal.corrected.contains(&key) || !is_once() {
                continue;
            }
            let house = sheet.house(row);
            require(!is_rejected(outcome), || {
                format!("{house} was corrected, and is {outcome:?}")
            })?;
            // Whatever the row of the rejects became since.
            let id = result.rows[row].1.as_deref();
            let known_as = id.and_then(|id| network.service.with_external_id(id));
            let is_known = outcome == Outcome::Known && !journal.deceived.contains(&house);
            let known_as = known_as.filter(|_| is_known);
            require(known_as.is_none_or(|known| known.house == house), || {
                format!("{house} was corrected, and is known as another house")
            })?;
        }
        Ok(())
    }
}

/// The place of the unit among the typed cells of a row.
const UNIT: usize = 5;

/// Whether most of a row's id, customer and street are what they were; otherwise it may be a new row.
fn is_mostly_the_same(before: &[String], now: &[String]) -> bool {
    let identifying = before.iter().zip(now).take(5);
    let both = identifying.filter(|(one, other)| !one.is_empty() && !other.is_empty());
    let (same, different): (Vec<_>, Vec<_>) =
        both.partition(|(one, other)| one.eq_ignore_ascii_case(other));
    same.len() > different.len()
}

/// Of two rows of one id that differ, nobody knows which is meant.
pub(super) fn rows_of_one_id_are_invalid(sheet: &Sheet, result: &ImportResult) -> Held {
    let typed: Vec<Vec<String>> = (0..sheet.rows.len()).map(|row| sheet.typed(row)).collect();
    let mut of_id: HashMap<&String, Vec<&Vec<String>>> = HashMap::new();
    for cells in &typed {
        of_id.entry(&cells[0]).or_default().push(cells);
    }
    for (row, (outcome, _)) in result.rows.iter().enumerate() {
        if typed[row][0].is_empty() {
            continue;
        }
        let mut others = of_id[&typed[row][0]].iter();
        let is_contradicted = others.any(|other| **other != typed[row]);
        let is_free = result.corrected.contains(&row);
        let is_right = is_free || !is_contradicted || *outcome == Outcome::Invalid;
        require(is_right, || {
            let house = sheet.house(row);
            format!("{house} is {outcome:?}, and another row has its id")
        })?;
    }
    Ok(())
}

/// A row of rejects that was rejected again unchanged still names its row in the original.
fn rows_keep_their_numbers(
    original: &BTreeMap<usize, Vec<String>>,
    sheet: &Sheet,
    rejects: &Sheet,
) -> Held {
    for (number, cells) in original {
        let rows_of = |sheet: &Sheet| {
            let rows = (0..sheet.rows.len()).filter(|row| sheet.typed(*row) == *cells);
            let numbers = rows.map(|row| sheet.cell(row, "source_row").to_owned());
            numbers.collect::<Vec<_>>()
        };
        let number = number.to_string();
        let (before, after) = (rows_of(sheet), rows_of(rejects));
        let mut claims =
            (0..sheet.rows.len()).filter(|row| sheet.cell(*row, "source_row") == number);
        // Of two copies of the row, one of which was edited, either may have its number.
        let is_only = original.values().filter(|other| *other == cells).count() == 1
            && claims.nth(1).is_none();
        if is_only && before == [number.as_str()] && after.len() == 1 {
            require(after[0] == number, || {
                format!(
                    "row {number} of the original is row {} in the rejects",
                    after[0]
                )
            })?;
        }
    }
    Ok(())
}

/// What a person decided about a row stands in its rejects too, also where only the journal has it: whoever imports them,
/// perhaps with another journal, decides the same.
pub(super) fn decisions_are_in_the_rejects(sheet: &Sheet, rejects: &Sheet) -> Held {
    for row in 0..rejects.rows.len() {
        let number = rejects.cell(row, "source_row");
        let is_row = |other: &usize| {
            // A copied row of rejects has its number there, which may be that of another row in its sheet.
            let is_same = |header| sheet.cell(*other, header) == rejects.cell(row, header);
            if sheet.house(*other) != rejects.house(row) || !is_same("id") {
                false
            } else if sheet.is_rejects() {
                sheet.cell(*other, "source_row") == number
            } else {
                number == (other + 2).to_string()
            }
        };
        let mut rows = (0..sheet.rows.len()).filter(is_row);
        let typed = rows.next().map(|row| sheet.cell(row, "same_house"));
        let is_only = rows.next().is_none();
        let decision = if rejects.is_refused_to_skip(row) {
            "skip"
        } else {
            typed.filter(|_| is_only).unwrap_or_default()
        };
        let shown = rejects.cell(row, "same_house");
        // `send` that was no answer is taken out, so that the person is asked.
        let is_shown = decision.is_empty()
            || decision == "send" && shown.is_empty()
            || rejects.has_decision(row, decision);
        require(is_shown, || {
            let house = rejects.house(row);
            format!("{house} was decided with {decision}, and its rejects say {shown:?}")
        })?;
    }
    Ok(())
}

/// Each row was sent under the id in its cell, with the prefix, unless an earlier request was sent again for its answer.
fn rows_have_their_ids(observer: &Observer, sheet: &Sheet, result: &ImportResult) -> Held {
    if result.reading.contains_key("derive-id") {
        return Ok(());
    }
    let prefix = result.reading.get("id-prefix");
    let prefix = prefix
        .and_then(|prefix| prefix.as_str())
        .unwrap_or_default();
    let row = |row: usize| {
        let id = format!("{prefix}{}", sheet.cell(row, "id"));
        (id, sheet.house(row))
    };
    let rows: BTreeSet<(String, String)> = (0..sheet.rows.len()).map(row).collect();
    let sent = observer.sent_now.iter().filter(|row| !row.is_repeated);
    let mut sent = sent.map(|row| (row.external_id.clone(), row.house.clone()));
    // In place of a held row, the request of another one is sent whose answer never came.
    let is_held = |house: &str| {
        let outcomes = result.rows.iter().enumerate();
        let mut held = outcomes.filter(|(_, (outcome, _))| {
            matches!(
                outcome,
                Outcome::SameHouse | Outcome::Pending | Outcome::Duplicate
            )
        });
        held.any(|(row, _)| sheet.house(row) == house)
    };
    let wrong = sent.find(|sent| !rows.contains(sent) && !is_held(&sent.1));
    require(wrong.is_none(), || {
        format!("sent with another id: {wrong:?}")
    })
}

/// Links and notes are what they were in the first request, which is said each time.
pub(super) fn links_and_notes_are_told(
    sheet: &Sheet,
    row: usize,
    measurement: &MeasurementRecord,
    result: &ImportResult,
) -> Held {
    for (name, stored) in [("url", measurement.url()), ("notes", measurement.notes())] {
        let is_same = stored == sheet.cell(row, name);
        let is_told = result.tells_edit_of(row, name);
        require(is_same || is_told, || {
            let house = sheet.house(row);
            format!("nobody is told that the {name} of {house} was edited")
        })?;
    }
    Ok(())
}
