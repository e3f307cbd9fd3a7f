//! The dates that Excel makes of texts such as `1-2`.

use crate::model::has_only_digits;

/// The names of the months in such dates, in English and French.
const MONTHS: [&[&str]; 12] = [
    &["Jan", "janv"],
    &["Feb", "févr"],
    &["Mar", "mars"],
    &["Apr", "avr"],
    &["May", "mai"],
    &["Jun", "juin"],
    &["Jul", "juil"],
    &["Aug", "août"],
    &["Sep", "Sept", "sept"],
    &["Oct", "oct"],
    &["Nov", "nov"],
    &["Dec", "déc"],
];

/// The number of a month, from 1, in any case and with or without a period.
pub fn month_number(name: &str) -> Option<usize> {
    let name = name.trim_end_matches('.');
    let is_name = |known: &&str| known.eq_ignore_ascii_case(name);
    let month = MONTHS.iter().position(|names| names.iter().any(is_name));
    month.map(|month| month + 1)
}

/// Whether a text is a date as Excel shows it by itself: `Jan-02`, `2-Jan`, `2-Jan-26`, `02-févr`.
pub fn is_excel_date(text: &str) -> bool {
    if text.len() < 5 || text.len() > 14 || !text.contains('-') {
        return false;
    }
    // `JAN-02` may be a unit.
    let is_month = |part: &str| {
        let part = part.strip_suffix('.').unwrap_or(part);
        MONTHS.iter().any(|names| names.contains(&part))
    };
    let is_day =
        |part: &str| has_only_digits(part) && part.parse().is_ok_and(|day| (1..=31).contains(&day));
    let is_year = |part: &str| matches!(part.len(), 2 | 4) && has_only_digits(part);
    let parts: Vec<&str> = text.split('-').collect();
    match parts.as_slice() {
        [month, year] if is_month(month) => year.len() == 2 && is_year(year),
        [day, month] => is_day(day) && is_month(month),
        [day, month, year] => is_day(day) && is_month(month) && is_year(year),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_that_excel_makes_of_units_are_told() {
        for text in [
            "Jan-02",
            "2-Jan",
            "02-Jan-26",
            "4-Mar",
            "03-févr",
            "févr-03",
            "3-Feb.",
            "12-oct",
            "sept-09",
            "Sept-09",
            "9-sept.-2026",
        ] {
            assert!(is_excel_date(text), "{text}");
        }
        for text in [
            "1-2",
            "A-12",
            "Jan",
            "Mar-Vista",
            "2026-01-02",
            "12-34",
            "JAN-02",
            "Jan-002",
            "32-Jan",
            "+1-Jan",
        ] {
            assert!(!is_excel_date(text), "{text}");
        }
    }
}
