//! How written rejects are read: with the columns of their table.

use std::path::Path;

use crate::import::ImportContext;
use crate::journal::FlagsByName;
use crate::model::Field;
use crate::sheet::{InputFile, column_letters};
use crate::table::{self, Columns, HeaderRow, NameFrom, NameOrder, TableOptions};

/// The columns that feed fields, and which of them have the name.
type FedFields = (Vec<(Field, usize)>, NameFrom);

impl ImportContext<'_> {
    /// The flags for the rejects at a path, if other columns would feed the fields with those of the import: which
    /// columns look like units or whole addresses depends on the rows, and the rejects have few.
    pub(super) fn reading_of_written(&self, path: &Path) -> Option<FlagsByName> {
        self.checked.layout.header_row?;
        let columns = &self.checked.columns;
        let own = fed_fields(columns);
        let options = TableOptions {
            sheet: None,
            header_row: HeaderRow::Found,
            name_order: Some(columns.name_order).filter(|order| *order == NameOrder::LastFirst),
            ..self.input.options.clone()
        };
        let read = |options: &TableOptions| {
            let table = table::open(&InputFile::at(path), options).ok()?;
            Some(fed_fields(table.columns()))
        };
        let found = read(&options);
        if found.as_ref() == Some(&own) {
            return None;
        }
        let of = |fed: &FedFields, field: Field| -> Vec<usize> {
            let columns = fed.0.iter().filter(|(other, _)| *other == field);
            columns.map(|(_, column)| *column).collect()
        };
        let differs = |field: Field| match &found {
            Some(found) => of(found, field) != of(&own, field),
            None => field == Field::Address || field.is_address_part(),
        };
        let named = |is_named: &dyn Fn(Field) -> bool| TableOptions {
            map: own
                .0
                .iter()
                .filter(|(field, _)| is_named(*field))
                .map(|(field, column)| (*field, column_letters(*column)))
                .collect(),
            address: None,
            ..options.clone()
        };
        let asked = |field: Field| options.map.iter().any(|(other, _)| *other == field);
        let mut named = [
            named(&|field| asked(field) || differs(field)),
            named(&|_| true),
        ]
        .into_iter();
        let fitting = named.find(|options| read(options).as_ref() == Some(&own))?;
        let map = fitting.map.iter();
        let map: Vec<String> = map
            .map(|(field, column)| format!("{field}={column}"))
            .collect();
        let mut flags = self.rejects_reading.clone();
        flags.retain(|name, _| !["address", "id-column"].contains(&name.as_str()));
        flags.insert("map".to_owned(), map.into());
        Some(flags)
    }
}

fn fed_fields(columns: &Columns) -> FedFields {
    let mapped = columns.mapped();
    let fields = mapped.map(|(field, column)| (field, column.index));
    (fields.collect(), columns.name_from)
}
