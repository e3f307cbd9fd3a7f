//! The part of a check's text that shows how the columns were understood: the mapping, with samples.

use std::fmt::Write as _;

use crate::cli::wrap::in_one_line;
use crate::import::{AddressSample, CheckedFile, CountryCounts, MappedColumn};
use crate::model::{Country, Field, RowNumber, excerpt, first_of, pluralize, printable, shortened};

/// The text of an empty cell.
const EMPTY: &str = "(empty)";
/// Maximum number of characters of a sample.
const SAMPLE_WIDTH: usize = 28;
/// Maximum width of the column of headers.
const WIDEST_HEADER: usize = 40;
/// Minimum width of the column of fields.
const SHORTEST_FIELDS: usize = 11;
/// Maximum number of unused columns.
const UNUSED_SHOWN: usize = 20;

/// Which column feeds which field, with samples, and the columns that feed none.
pub(super) fn mapping(checked: &CheckedFile) -> String {
    let columns = &checked.mapping;
    let width = columns
        .iter()
        .map(|column| in_one_line(&column.name).chars().count())
        .max()
        .unwrap_or(0)
        .min(WIDEST_HEADER);
    let fields = columns.iter().map(|column| column.field.name().len());
    let field_width = fields.max().unwrap_or(0).max(SHORTEST_FIELDS);
    let rows: Vec<String> = checked
        .sampled_rows
        .iter()
        .map(RowNumber::to_string)
        .collect();
    let cells = match rows.as_slice() {
        [] => String::new(),
        [row] => format!("; cells of row {row}"),
        rows => format!("; cells of rows {}", rows.join(", ")),
    };
    let mut lines = format!("mapping: which column feeds which field{cells}\n");
    let mut add = |field: Field, header: &str, samples: String| {
        let header = printable(&excerpt(&in_one_line(header)));
        let line = format!(
            "  {:<field_width$}  {header:<width$}  {samples}",
            field.name()
        );
        let _ = writeln!(lines, "{}", line.trim_end());
    };
    let is_mapped = |field| columns.iter().any(|column| column.field == field);
    if !is_mapped(Field::Id) {
        add(Field::Id, "(made by --derive-id)", derived_ids(checked));
    }
    for column in columns {
        let mut samples = samples(column);
        if column.field == Field::Id && column.first.is_none() && !checked.derived_ids.is_empty() {
            samples = format!("{}, made by --derive-id", derived_ids(checked));
        }
        if let Some(rows) = &column.only_where {
            let _ = write!(samples, " (only where {rows})");
        }
        add(column.field, &column.name, samples);
    }
    if !is_mapped(Field::Country) {
        let source = if is_mapped(Field::Address) && checked.countries.none == 0 {
            "(none: taken from the address)".to_owned()
        } else {
            without_country_column(&checked.countries)
        };
        let _ = writeln!(lines, "  {:<field_width$}  {source}", Field::Country.name());
    }
    if !checked.unused_names.is_empty() {
        let names = checked.unused_names.iter().map(|name| excerpt(name));
        let unused = first_of(names, UNUSED_SHOWN, ", ");
        let _ = writeln!(lines, "not used: {}", printable(&unused));
    }
    lines
}

/// The cells of a column in the rows that are shown, or its first one in another row.
fn samples(column: &MappedColumn) -> String {
    if column.samples.iter().any(|sample| !sample.is_empty()) {
        return joined(column.samples.iter().map(String::as_str));
    }
    column.first.as_ref().map_or_else(
        || EMPTY.to_owned(),
        |(row, sample)| format!("row {row}: {}", sample_text(sample)),
    )
}

/// The ids of the rows that are shown, or those of other rows where these are invalid.
fn derived_ids(checked: &CheckedFile) -> String {
    let rows = checked.sampled_rows.iter().filter_map(|number| {
        let row = checked.rows.binary_search_by_key(number, |row| row.number);
        checked.rows[row.ok()?].external_id()
    });
    let of_rows: Vec<&str> = rows.collect();
    if of_rows.len() < checked.sampled_rows.len() {
        return joined(checked.derived_ids.iter().map(String::as_str));
    }
    joined(of_rows.into_iter())
}

fn joined<'a>(samples: impl Iterator<Item = &'a str>) -> String {
    let texts = samples.map(|sample| match sample {
        "" => EMPTY.to_owned(),
        _ => sample_text(sample),
    });
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() {
        return EMPTY.to_owned();
    }
    texts.join(" · ")
}

/// The first addresses that were split, or whose streets or units were joined.
pub(super) fn address_samples(samples: &[AddressSample]) -> String {
    let line = |AddressSample { row, address }: &AddressSample| {
        let parts = [
            Some(address.line1.as_str()),
            address.line2.as_deref(),
            Some(&address.city),
            Some(&address.region),
            Some(&address.postal_code),
            address.country.map(Country::code),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().map(sample_text).collect();
        format!("  row {row}: {}\n", parts.join(" | "))
    };
    if samples.is_empty() {
        return String::new();
    }
    let lines: String = samples.iter().map(line).collect();
    format!("addresses: the first ones, in the parts that are sent\n{lines}")
}

/// Where the country of the rows comes from, if no column has it.
fn without_country_column(countries: &CountryCounts) -> String {
    let team = format!(
        "the service uses the team's own; --default-country {}",
        countries.usual().code()
    );
    match (countries.none, countries.inferred) {
        (0, 0) if countries.canada + countries.united_states > 0 => {
            "(none: as --default-country says)".to_owned()
        }
        (0, 1..) => "(none: inferred from region and postal code)".to_owned(),
        (0, 0) => "(none: no row is valid)".to_owned(),
        (none, 1..) => format!(
            "(none: inferred from region and postal code, but not in {}; there {team})",
            pluralize(none, "row")
        ),
        (_, 0) => format!("(none: {team})"),
    }
}

fn sample_text(sample: &str) -> String {
    shortened(&printable(&in_one_line(sample)), SAMPLE_WIDTH).into_owned()
}
