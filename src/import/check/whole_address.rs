//! Splits an address that is in one cell into its parts, or reports why it cannot be split.

use std::borrow::Cow;

use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{Country, Field, WholeAddress, digits, fold_place};

/// The parts of an address, each with its column.
#[derive(Debug, Default)]
pub(super) struct AddressParts<'a> {
    pub(super) line1: Option<CellValue<'a>>,
    pub(super) line2: Option<CellValue<'a>>,
    pub(super) city: Option<CellValue<'a>>,
    pub(super) region: Option<CellValue<'a>>,
    pub(super) postal_code: Option<CellValue<'a>>,
    pub(super) country: Option<CellValue<'a>>,
}

impl<'a> RowCheck<'a> {
    /// The parts of the row's address, from their columns or from the column of whole addresses.
    pub(super) fn address_parts(&mut self, name: &str) -> Option<AddressParts<'a>> {
        if self.columns.indexes_of(Field::Address).is_empty() {
            let line1 = self.street();
            let line2 = self.unit(line1.as_ref().map(|street| street.text.as_ref()));
            return Some(AddressParts {
                line1,
                line2,
                city: self.required(Field::City),
                region: self.required(Field::Region),
                postal_code: self.required(Field::PostalCode),
                country: self.optional(Field::Country),
            });
        }
        let whole = self.whole_address()?;
        let address = match WholeAddress::parse(without_name(&whole.text, &self.names(name))) {
            Ok(address) => address,
            Err(error) => {
                let message = message!("the address cannot be split into its parts ({error})");
                self.error(Field::Address, Some(whole.column), message);
                return None;
            }
        };
        let part = |text: String| {
            Some(CellValue {
                text: Cow::Owned(text),
                column: whole.column,
                is_number: false,
            })
        };
        let written = address.country.map(Country::code).map(str::to_owned);
        let unit = address.line2.and_then(part);
        Some(AddressParts {
            line1: part(address.line1),
            line2: self.one_unit(unit),
            city: part(address.city),
            region: part(address.region),
            postal_code: part(address.postal_code),
            country: match written.and_then(part) {
                Some(country) => Some(country),
                None => self.optional(Field::Country),
            },
        })
    }

    /// The customer's names, folded: the one that is sent and those in the cells, `Patel, Chloé` also as `Chloé Patel`.
    fn names(&self, sent: &str) -> Vec<String> {
        let columns = self.columns.indexes_of(Field::Name).iter();
        let written = columns.map(|&column| self.row.cell(column).text);
        let names = written.chain([sent]).flat_map(|name| {
            let turned = name.split_once(',');
            let turned = turned.map(|(last, first)| fold_place(&format!("{first}{last}")));
            [Some(fold_place(name)), turned]
        });
        names.flatten().filter(|name| !name.is_empty()).collect()
    }

    /// The whole address, from one column, or from several with a line each.
    fn whole_address(&mut self) -> Option<CellValue<'a>> {
        let columns = self.columns.indexes_of(Field::Address);
        if columns.len() == 1 {
            return self.required(Field::Address);
        }
        let lines = columns
            .iter()
            .filter_map(|&column| self.value(Field::Address, column));
        let lines: Vec<CellValue<'a>> = lines.collect();
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_ref()).collect();
        let text = Cow::Owned(texts.join("\n"));
        match lines.into_iter().next() {
            Some(first) => Some(CellValue { text, ..first }),
            None => self.required(Field::Address),
        }
    }

    /// The unit from a whole address, or from its own column.
    fn one_unit(&mut self, of_address: Option<CellValue<'a>>) -> Option<CellValue<'a>> {
        let of_column = self.unit(None);
        match (of_address, of_column) {
            (Some(one), Some(other)) if digits(&one.text) != digits(&other.text) => {
                let message = message!(
                    "the address says `{}`, and this cell `{}`",
                    one.text,
                    other.text
                );
                self.error(Field::Line2, Some(other.column), message);
                None
            }
            (one, other) => one.or(other),
        }
    }
}

/// The address without a first line that is one of the customer's folded names.
fn without_name<'t>(text: &'t str, names: &[String]) -> &'t str {
    let lines = [text.split_once('\n'), text.split_once(['\n', ','])];
    let mut lines = lines.into_iter().flatten();
    let below = lines.find(|(first, _)| names.contains(&fold_place(first)));
    below.map_or(text, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_on_an_envelope_is_no_part_of_the_address() {
        let text = "Ada Lovelace\n12 Elm St\nBoston, MA 02134";
        let names = |name: &str| [fold_place(name)];
        assert_eq!(
            without_name(text, &names("ada lovelace")),
            "12 Elm St\nBoston, MA 02134"
        );
        assert_eq!(without_name(text, &names("Grace Hopper")), text);
        assert_eq!(without_name(text, &[]), text);
        let text = "Lovelace, Ada\n12 Elm St";
        assert_eq!(without_name(text, &names("Lovelace, Ada")), "12 Elm St");
    }
}
