//! What a person does with a sheet, in the histories of the library and of typed commands.

use super::sheet::{FILLED, Sheet};

/// What a person types into a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    Name,
    Email,
    Phone,
    /// `Street` becomes `St`, or `St` becomes `Street`.
    Abbreviation,
    /// A letter is missing in the street's name, or is put back.
    Slip,
    Upper,
    /// The unit moves into `line1`, or back.
    Unit,
    ZipPlus4,
    IdCase,
    IdZeros,
    NewId,
    NoId,
    NoCity,
    NoContact,
    Url,
    /// A remark behind the notes, which name the house.
    Notes,
    /// `4-103 Garden Street` becomes `103 Garden Street`, or the other way round.
    NumberPart,
    /// Another unit of the same house.
    OtherUnit,
    /// The row is another house's from now on.
    OtherHouse,
}

impl Edit {
    /// Edits whose consequences only the histories of the library know.
    pub(crate) const OF_LIBRARY: [Self; 3] = [Self::Notes, Self::NumberPart, Self::OtherUnit];

    pub(crate) const ALL: [Self; 16] = [
        Self::Name,
        Self::Email,
        Self::Phone,
        Self::Abbreviation,
        Self::Slip,
        Self::Upper,
        Self::Unit,
        Self::ZipPlus4,
        Self::IdCase,
        Self::IdZeros,
        Self::NewId,
        Self::NoId,
        Self::NoCity,
        Self::NoContact,
        Self::Url,
        Self::OtherHouse,
    ];
}

/// A change of a sheet. Rows are counted from 0, again from the first after the last.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SheetEdit {
    Row(usize, Edit),
    /// Corrects the postal code and the city of a row together.
    Town(usize),
    /// Fills in what the rows lack.
    Correct,
    /// As [`SheetEdit::Correct`], and edits a row.
    CorrectAndEdit(usize, Edit),
    /// As [`SheetEdit::Correct`], where ids are derived.
    CorrectAllButIds,
    /// A new house at the end.
    Add,
    /// A house at the end that no row has, or has any more, under a new id.
    AddMissing,
    /// A row once more at the end: as it is, or as a lead that was submitted again under another id.
    Repeat(usize),
    Resubmit(usize),
    /// `skip` in a column `same_house` of the person's own sheet, for a row that gets another id.
    SkipAsNew(usize),
    Remove(usize),
    Sort(&'static str),
    /// Another sheet of as many new houses takes its place.
    Replace,
    /// As [`SheetEdit::Replace`], and every second row of it lacks its city.
    ReplaceWithHoles,
}

impl SheetEdit {
    /// Changes the sheet and says how; `fresh`, and one number more for each row, are those of new houses and ids.
    pub(crate) fn apply(self, sheet: &mut Sheet, fresh: usize) -> String {
        match self {
            Self::Row(row, edit) => sheet.edit(row, edit, fresh),
            Self::Town(row) => sheet.correct_town(row),
            Self::Correct => sheet.correct(fresh, &FILLED),
            Self::CorrectAndEdit(row, edit) => {
                let after = fresh + sheet.rows.len();
                let said = [sheet.correct(fresh, &FILLED), sheet.edit(row, edit, after)];
                said.join("")
            }
            Self::CorrectAllButIds => sheet.correct(fresh, &FILLED[1..]),
            Self::Add => sheet.add(fresh),
            Self::AddMissing => sheet.add_missing(fresh),
            Self::Repeat(row) => sheet.repeat(row, None),
            Self::Resubmit(row) => sheet.repeat(row, Some(fresh)),
            Self::SkipAsNew(row) => sheet.skip_as_new(row, fresh),
            Self::Remove(row) => sheet.remove(row),
            Self::Sort(by) => sheet.sort(by),
            Self::Replace => sheet.replace(fresh, usize::MAX),
            Self::ReplaceWithHoles => sheet.replace(fresh, 2),
        }
    }

    /// The house that is given up: the address of a rejected row was wrong, and there is no such house.
    pub(crate) fn given_up_house(self, sheet: &Sheet) -> Option<String> {
        match self {
            Self::Row(row, Edit::OtherHouse) | Self::CorrectAndEdit(row, Edit::OtherHouse)
                if sheet.is_rejects() && !sheet.rows.is_empty() =>
            {
                Some(sheet.house(row % sheet.rows.len()))
            }
            _ => None,
        }
    }
}

/// Replaces the one by the other, whichever stands there.
pub(super) fn toggled(text: &str, pairs: &[(&str, &str)]) -> String {
    for (long, short) in pairs {
        if text.contains(long) {
            return text.replacen(long, short, 1);
        }
        if text.contains(short) {
            return text.replacen(short, long, 1);
        }
    }
    text.to_owned()
}

/// Adds an end, or removes it.
pub(super) fn toggled_end(text: &str, end: &str) -> String {
    let bare = text.strip_suffix(end);
    bare.map_or_else(|| format!("{text}{end}"), str::to_owned)
}

pub(super) fn swapped_case(text: &str) -> String {
    if text.chars().any(|c| c.is_ascii_lowercase()) {
        text.to_ascii_uppercase()
    } else {
        text.to_ascii_lowercase()
    }
}
