//! The customer's name, from one column or from those of first and last name.

use std::borrow::Cow;

use crate::import::check::row_check::{CellValue, RowCheck};
use crate::import::check::table_problem::RowGroup;
use crate::model::{Field, WordList, excerpt};
use crate::table::{NameFrom, NameOrder, first_last, fold_cell};

static ANSWERS: WordList = WordList::new("answers");

/// The documented limit of a name, in characters: Unicode scalar values.
///
/// # Source
/// S4.5, S8.
pub const NAME_LIMIT: usize = 120;

impl<'a> RowCheck<'a> {
    pub(super) fn name(&mut self) -> Cow<'a, str> {
        let value = match self.columns.name_from {
            NameFrom::Whole | NameFrom::Mapped => match self.whole_name() {
                Some(name) => Some(self.completed_name(name)),
                None => self.joined_name(),
            },
            NameFrom::Parts => self.joined_name().or_else(|| self.optional(Field::Name)),
        };
        let Some(value) = value else {
            let fields = [Field::Name, Field::LastName, Field::FirstName];
            if !self.has_error_in(&fields) {
                let column = self.first_column(&fields);
                self.error(Field::Name, column, message!("no name"));
            }
            return Cow::default();
        };
        self.limit(Field::Name, &value, NAME_LIMIT);
        let mut letters = value.text.chars().filter(|c| c.is_alphabetic());
        if letters.nth(1).is_none() || ANSWERS.has(&fold_cell(&value.text)) {
            let message = message!("`{}` does not look like a name", excerpt(&value.text));
            self.warn(Field::Name, value.column, message);
        }
        value.text
    }

    /// The name from one column; `Patel, Chloé` becomes `Chloé Patel` if the whole column has this form.
    fn whole_name(&mut self) -> Option<CellValue<'a>> {
        let value = self.optional(Field::Name)?;
        if self.columns.name_order == NameOrder::AsWritten || self.rules.as_is {
            return Some(value);
        }
        let Some(turned) = first_last(&value.text) else {
            return Some(value);
        };
        self.tidied(Field::Name, value.column, &value.text, &turned, "");
        Some(CellValue {
            text: Cow::Owned(turned),
            ..value
        })
    }

    /// The name with the other part of it, if it is one word and the sheet has a column for one part alone: `Name` and
    /// `Surname`. Beside whole names, such a column often has a nickname or another person.
    fn completed_name(&mut self, name: CellValue<'a>) -> CellValue<'a> {
        if self.rules.as_is || name.text.contains([' ', ',']) {
            return name;
        }
        let has = |field: Field| !self.columns.indexes_of(field).is_empty();
        let field = match (has(Field::FirstName), has(Field::LastName)) {
            (true, false) => Field::FirstName,
            (false, true) => Field::LastName,
            _ => return name,
        };
        let Some(part) = self.optional(field) else {
            return name;
        };
        let words =
            |text: &str| -> Vec<String> { text.split_whitespace().map(fold_cell).collect() };
        let known = words(&name.text);
        if words(&part.text).iter().all(|word| known.contains(word)) {
            return name;
        }
        let text = match field {
            Field::FirstName => format!("{} {}", part.text, name.text),
            _ => format!("{} {}", name.text, part.text),
        };
        self.tidied(Field::Name, name.column, &name.text, &text, "");
        CellValue {
            text: Cow::Owned(text),
            ..name
        }
    }

    /// The column of the name if the user named it and the row has another one in the columns of first and last name.
    pub(super) fn other_name(&self) -> Option<RowGroup> {
        let columns = self.columns;
        if columns.name_from != NameFrom::Mapped {
            return None;
        }
        let name = *columns.indexes_of(Field::Name).first()?;
        let cell = |column: usize| self.row.cell(column).text;
        let words: Vec<String> = cell(name).split([' ', ',']).map(fold_cell).collect();
        let parts = [Field::FirstName, Field::LastName];
        let parts = parts.iter().flat_map(|part| columns.indexes_of(*part));
        let mut others = parts.flat_map(|part| cell(*part).split_whitespace());
        let has_other =
            !cell(name).trim().is_empty() && others.any(|word| !words.contains(&fold_cell(word)));
        let column = u32::try_from(name).ok()?;
        has_other.then_some(RowGroup::OtherName(column))
    }

    /// The only column of names if it has one half of the row's name.
    pub(super) fn half_of_name(&self, name: &str) -> Option<RowGroup> {
        let (column, _) = self.columns.half_of_name?;
        let column = u32::try_from(column).ok()?;
        (!name.contains(' ')).then_some(RowGroup::HalfOfName(column))
    }

    /// The column of a name that is sent with the last name in front.
    pub(super) fn last_first(&self, name: &str) -> Option<RowGroup> {
        let column = u32::try_from(self.columns.supplying(Field::Name)?).ok()?;
        let is_sent = !self.rules.as_is && name.contains(',') && first_last(name).is_some();
        is_sent.then_some(RowGroup::LastFirst(column))
    }

    /// First and last name of one person, of the first with either.
    fn first_and_last(&mut self) -> (Option<CellValue<'a>>, Option<CellValue<'a>>) {
        let [firsts, lasts] =
            [Field::FirstName, Field::LastName].map(|field| self.columns.indexes_of(field));
        if firsts.len() != lasts.len() {
            return (
                self.optional(Field::FirstName),
                self.optional(Field::LastName),
            );
        }
        for (&first, &last) in firsts.iter().zip(lasts) {
            let first = self.value(Field::FirstName, first);
            let last = self.value(Field::LastName, last);
            if first.is_some() || last.is_some() {
                return (first, last);
            }
        }
        (None, None)
    }

    fn joined_name(&mut self) -> Option<CellValue<'a>> {
        let (first, last) = match self.first_and_last() {
            (Some(first), Some(last)) => (first, last),
            (one, other) => return one.or(other),
        };
        let joined = format!("{} {}", first.text, last.text);
        if !self.rules.as_is {
            // Web forms often have the whole name in the first column.
            if has_more_words(&first.text, &last.text, <[String]>::ends_with) {
                self.tidied(Field::Name, first.column, &joined, &first.text, "");
                return Some(first);
            }
            // `Ann` and `Ann Lee`, or `Jean` and `Jean Baptiste`.
            if has_more_words(&last.text, &first.text, <[String]>::starts_with) {
                let message = message!("the last name repeats the first: `{}`", excerpt(&joined));
                self.warn(Field::LastName, last.column, message);
            }
        }
        Some(CellValue {
            text: Cow::Owned(joined),
            ..first
        })
    }
}

/// Whether a name of several words begins or ends with the words of another one.
fn has_more_words(name: &str, part: &str, is_at: fn(&[String], &[String]) -> bool) -> bool {
    // Most first and last names are one word each.
    if !name.contains([' ', ',']) {
        return false;
    }
    let words = |text: &str| -> Vec<String> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    is_at(&words(name), &words(part))
}
