//! The country of a row: from its cell, or derived from region and postal code.

use crate::import::check::postal_code::usual_form;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{Country, Field, Region, Severity, excerpt, fold_place};

/// Where a row's country comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CountrySource {
    /// A cell contains it.
    Written,
    /// It was derived from region and postal code, which are of one country.
    Inferred,
    /// The row does not contain it: `--default-country` is sent, or none.
    #[default]
    NotInRow,
}

/// Number of valid rows by country.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountryCounts {
    /// Rows in Canada.
    pub canada: u64,
    /// Rows in the United States.
    pub united_states: u64,
    /// Rows whose country was derived from region and postal code.
    pub inferred: u64,
    /// Rows sent without a country: the service uses the team's own.
    pub none: u64,
}

impl CountryCounts {
    /// Counts a valid row.
    pub(super) fn add(&mut self, country: Option<Country>, source: CountrySource) {
        match country {
            Some(Country::Canada) => self.canada += 1,
            Some(Country::UnitedStates) => self.united_states += 1,
            None => self.none += 1,
        }
        if source == CountrySource::Inferred {
            self.inferred += 1;
        }
    }

    /// The country of most rows, for a hint; the United States if no row has one.
    pub fn usual(&self) -> Country {
        if self.canada > self.united_states {
            Country::Canada
        } else {
            Country::UnitedStates
        }
    }
}

/// The country in a cell; adds an error for one that is not served.
pub(super) fn read_country(check: &mut RowCheck<'_>, value: &CellValue<'_>) -> Option<Country> {
    let exact = Country::from_code(&value.text);
    let meant = match exact {
        None if !check.rules.as_is => Country::from_spelling(&value.text),
        exact => exact,
    };
    match meant {
        Some(country) if exact.is_none() => {
            check.tidied(
                Field::Country,
                value.column,
                &value.text,
                country.code(),
                "",
            );
        }
        Some(_) => {}
        None => {
            let message = message!(
                "only CA and US are served; the row says {}",
                excerpt(&value.text)
            );
            check.error(Field::Country, Some(value.column), message);
        }
    }
    meant
}

/// The country of a region and of the form of a postal code, where these agree. The code may be one of another state: an
/// error in it does not change the country.
pub(super) fn infer(
    check: &RowCheck<'_>,
    region: Option<&CellValue<'_>>,
    postal_code: Option<&CellValue<'_>>,
) -> Option<Country> {
    if check.rules.as_is {
        return None;
    }
    let (written, postal_code) = (&region?.text, &postal_code?.text);
    let region =
        Region::from_code(written).or_else(|| Region::from_spelling(&fold_place(written)))?;
    let country_of_code = match usual_form(postal_code, region).chars().next()? {
        first if first.is_ascii_digit() => Country::UnitedStates,
        _ => Country::Canada,
    };
    (region.country == country_of_code).then_some(country_of_code)
}

/// Adds a problem about a country that was derived.
pub(super) fn add_inferred(
    check: &mut RowCheck<'_>,
    country: Country,
    region: &str,
    postal_code: &str,
) {
    let column = check.columns.indexes_of(Field::Country).first().copied();
    let message = message!("{region} {postal_code} → {}", country.code());
    check.add(Severity::Tidied, Some(Field::Country), column, message);
}
