//! Rows of queries, and conversion of their column values.

use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Params, Row};
use serde::de::DeserializeOwned;

use crate::model::{Address, Customer, Request, TableSource};

/// Reads a table from the columns of its path and sheet; a text file has an empty sheet.
pub(super) fn column_source(row: &Row<'_>, at: usize) -> rusqlite::Result<TableSource> {
    let path: String = row.get(at)?;
    let sheet: String = row.get(at + 1)?;
    Ok(TableSource {
        path: path.into(),
        sheet: Some(sheet).filter(|sheet| !sheet.is_empty()),
    })
}

/// SQL: the sheet of the row of `sources` if several of its workbook were imported, otherwise null.
pub(super) const NAMED_SHEET: &str = "(SELECT nullif(sources.sheet, '') FROM sources AS other
    WHERE other.path = sources.path AND other.sheet <> sources.sheet LIMIT 1)";

/// Reads a time from a column in Unix milliseconds.
pub(super) fn column_time(row: &Row<'_>, at: usize) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(row.get(at)?).map_err(|error| invalid_value(at, error))
}

/// As [`column_time`], for a column that may be null.
pub(super) fn column_optional_time(
    row: &Row<'_>,
    at: usize,
) -> rusqlite::Result<Option<Timestamp>> {
    match row.get::<_, Option<i64>>(at)? {
        Some(_) => column_time(row, at).map(Some),
        None => Ok(None),
    }
}

/// Reads a name from a column and converts it with `known`; an unknown name is an error.
pub(super) fn column_name<T>(
    row: &Row<'_>,
    at: usize,
    known: impl Fn(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let name: String = row.get(at)?;
    known(&name).ok_or_else(|| invalid_value(at, format!("unknown word `{name}`")))
}

/// As [`column_name`], for a column that may be null.
pub(super) fn column_optional_name<T>(
    row: &Row<'_>,
    at: usize,
    known: impl Fn(&str) -> Option<T>,
) -> rusqlite::Result<Option<T>> {
    match row.get_ref(at)? {
        ValueRef::Null => Ok(None),
        _ => column_name(row, at, known).map(Some),
    }
}

/// Returns the error for an invalid value, which only another program can have written.
pub(super) fn invalid_value(
    column: usize,
    reason: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, reason.into())
}

/// Reads JSON from a column; another text is an error.
pub(super) fn column_json<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(at)?.as_str()?;
    serde_json::from_str(text).map_err(|error| invalid_value(at, error))
}

/// As [`column_json`], for a column that may be null.
pub(super) fn column_optional_json<T: Default + DeserializeOwned>(
    row: &Row<'_>,
    at: usize,
) -> rusqlite::Result<T> {
    match row.get_ref(at)? {
        ValueRef::Null => Ok(T::default()),
        _ => column_json(row, at),
    }
}

/// A request as JSON without keys, which are a third of it. [`column_json`] reads it.
pub(super) fn request_json(request: &Request) -> String {
    let Request {
        external_id,
        address,
        customer,
        notes,
        url,
        label,
    } = request;
    let Address {
        line1,
        line2,
        city,
        region,
        postal_code,
        country,
    } = address;
    let Customer { name, email, phone } = customer;
    // In the order of the fields, by which serde reads arrays.
    let address = (line1, line2, city, region, postal_code, country);
    let values = (
        external_id,
        address,
        (name, email, phone),
        notes,
        url,
        label,
    );
    serde_json::to_string(&values).expect("texts always serialize")
}

/// Returns the rows of a query.
pub(super) fn query_rows<T, C: FromIterator<T>>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    parse: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<C> {
    let mut statement = connection.prepare(sql)?;
    statement.query_map(parameters, parse)?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Country;

    #[test]
    fn a_request_is_read_as_it_was_stored() {
        let short = Request::example();
        let text = |text: &str| Some(text.to_owned());
        let mut long = Request::example();
        long.address.line2 = text("Unit 4");
        long.address.country = Some(Country::Canada);
        long.customer.email = text("zoe@example.com");
        long.notes = text("[\"Dog\"]");
        long.url = text("https://crm.example/1");
        long.label = text("CRM");
        let middle = Request {
            notes: None,
            ..long.clone()
        };
        for request in [short, middle, long] {
            let json = request_json(&request);
            assert_eq!(serde_json::from_str::<Request>(&json).unwrap(), request);
        }
    }
}
