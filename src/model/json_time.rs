//! Times in JSON documents: RFC 3339 in UTC with milliseconds.

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use serde::{Serialize as _, Serializer};

const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));

/// The time as text, for instance `2026-11-21T17:30:00.000Z`.
pub fn json_time(moment: Timestamp) -> String {
    PRINTER.timestamp_to_string(&moment)
}

/// A time that the service wrote, in the same form; unchanged if it is not RFC 3339.
pub fn json_time_of_service(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), json_time)
}

/// For `#[serde(serialize_with)]`.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_json_time<S: Serializer>(
    moment: &Timestamp,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&json_time(*moment))
}

/// As [`serialize_json_time`], for a time that may be unknown.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_known_time<S: Serializer>(
    moment: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    moment.map(json_time).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_always_has_three_digits_of_a_second() {
        for (text, shown) in [
            ("2026-11-21T17:30:00Z", "2026-11-21T17:30:00.000Z"),
            ("2026-11-21T17:30:00.1239Z", "2026-11-21T17:30:00.123Z"),
            ("2026-11-21T12:30:00.5-05:00", "2026-11-21T17:30:00.500Z"),
            ("yesterday", "yesterday"),
        ] {
            assert_eq!(json_time_of_service(text), shown);
        }
    }
}
