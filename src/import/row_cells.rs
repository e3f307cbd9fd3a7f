//! The cells of a row by field, as the journal stores them of rejected rows.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::check::numbers::is_any_date;
use crate::import::{CheckedFile, ImportInput};
use crate::model::{Field, RowNumber, StreetAddress, has_house_number};
use crate::sheet::{self, Row};
use crate::table::{Columns, rejects};

/// The cells of a row that feed fields, by field, and what they describe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowCells {
    pub(super) fields: BTreeMap<String, String>,
    /// The number in the column of a rejects file.
    pub(super) source_row: Option<RowNumber>,
    /// The customer's name.
    pub(super) customer: Option<String>,
    /// The address in one line.
    pub(super) address: Option<String>,
}

impl RowCells {
    /// The cells as the journal stores them.
    ///
    /// # Panics
    /// Never: a map of texts is JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(&self.fields).expect("a map of texts is JSON")
    }

    /// Whether the row had these cells before, apart from what a spreadsheet removes in front of a number: zeros and a
    /// plus.
    pub(super) fn is_unchanged(&self, before: &str) -> bool {
        let shown = |fields: BTreeMap<String, String>| {
            let shown = |text: &str| text.trim_start_matches(['0', '+']).to_owned();
            fields
                .into_iter()
                .map(move |(field, text)| (field, shown(&text)))
        };
        shown(self.fields.clone()).eq(shown(fields_from_json(before)))
    }

    /// Whether the row, given its cells before, had a unit that it has no more.
    pub(super) fn lacks_unit_of(&self, before: &str) -> bool {
        let [before, now] = [&fields_from_json(before), &self.fields].map(street_of);
        let units = before.as_ref().and_then(StreetAddress::units);
        units.is_some() && units != now.as_ref().and_then(StreetAddress::units)
    }
}

/// The cells of the rows at these indices of [`CheckedFile::rows`]; none if the file has changed since it was checked.
/// Reads the file up to the last of them.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn cells_of_rows(
    input: &ImportInput,
    checked: &CheckedFile,
    wanted: &BTreeSet<usize>,
) -> Result<BTreeMap<usize, RowCells>, sheet::Error> {
    let mut found = BTreeMap::new();
    checked.for_each_row(input, wanted, |index, rows| {
        let (row, columns) = (rows.row(), rows.columns());
        let request = rows.request();
        let non_empty = |text: String| Some(text).filter(|text| !text.is_empty());
        let mut fields = fields_of_row(&row, columns);
        let source_row = rejects::source_row(&row, columns);
        if let Some(id) = input.rules.id_with_zeros(source_row, &fields) {
            fields.insert(Field::Id.name().to_owned(), id.to_owned());
        }
        let cells = RowCells {
            fields,
            source_row,
            address: non_empty(request.address.one_line()),
            customer: non_empty(request.customer.name),
        };
        found.insert(index, cells);
    })?;
    Ok(found)
}

/// The cells of a row by field.
pub(super) fn fields_of_row(row: &Row<'_>, columns: &Columns) -> BTreeMap<String, String> {
    let mut fields: BTreeMap<String, String> = BTreeMap::new();
    for (field, column) in columns.mapped() {
        let text = row.cell(column.index).text.trim();
        if !text.is_empty() {
            let cell = fields.entry(field.name().to_owned()).or_default();
            cell.push_str(if cell.is_empty() { "" } else { "\n" });
            cell.push_str(text);
        }
    }
    fields
}

/// The cells of [`RowCells::json`]. Of damaged JSON there are none, so that its row is taken for no other.
pub(super) fn fields_from_json(json: &str) -> BTreeMap<String, String> {
    serde_json::from_str(json).unwrap_or_default()
}

/// Whether there is an email or a phone.
pub(super) fn has_contact(fields: &BTreeMap<String, String>) -> bool {
    let contacts = [Field::Email, Field::Phone].map(Field::name);
    contacts.iter().any(|field| fields.contains_key(*field))
}

/// The street of a row's cells, if it has one: a cell that became a date has no street.
pub(super) fn street_of(fields: &BTreeMap<String, String>) -> Option<StreetAddress> {
    let field = |field: Field| fields.get(field.name()).filter(|text| !is_any_date(text));
    let street = field(Field::Line1).or_else(|| field(Field::Address))?;
    let number = fields.get(Field::HouseNumber.name());
    let number = number.map_or("", String::as_str);
    if is_any_date(number) {
        return None;
    }
    let street = format!("{number} {street}").replace('\n', ", ");
    let line2 = field(Field::Line2).map(String::as_str);
    // City and postal code may have been corrected.
    Some(StreetAddress::parse(&street, line2, "", None))
}

/// Whether the street has a house number; placeholders such as `TBD` and streets such as `5th Ave` have none.
pub(super) fn is_numbered(fields: &BTreeMap<String, String>) -> bool {
    let lines = fields.get(Field::Address.name());
    // A name may stand in front of the street.
    let mut lines = lines.into_iter().flat_map(|text| text.split(['\n', ',']));
    street_of(fields).is_some_and(|street| street.is_numbered()) || lines.any(has_house_number)
}
