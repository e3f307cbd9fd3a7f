//! The part of a check's text that shows how the columns were understood: the mapping, with samples.

use std::fmt::Write as _;

use crate::cli::wrap::in_one_line;
use crate::import::{AddressSample, CheckedFile, CountryCounts};
use crate::model::{Country, Field, excerpt, first_of, pluralize, printable, shortened};

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
    let mut lines = "mapping: which column feeds which field\n".to_owned();
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
        let header = "(made by --derive-id)";
        add(Field::Id, header, samples(&checked.derived_ids));
    }
    for column in columns {
        let mut samples = samples(&column.samples);
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

fn samples(samples: &[String]) -> String {
    if samples.is_empty() {
        return "(empty)".to_owned();
    }
    let samples: Vec<String> = samples.iter().map(|sample| sample_text(sample)).collect();
    samples.join(" · ")
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
