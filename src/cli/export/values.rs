//! The values of the flags of `export`.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::cli::nearest::nearest;
use crate::export::{CompletionPeriod, ExportFormat, ImageExport, RefreshPolicy, TimeZoneName};

/// Makes the names of an enum the values of a flag.
macro_rules! flag_values {
    ($($Enum:ty),+) => {$(
        impl ValueEnum for $Enum {
            fn value_variants<'a>() -> &'a [Self] {
                &Self::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.name()))
            }
        }
    )+};
}

flag_values!(ExportFormat, ImageExport, RefreshPolicy);

/// The value of `--billed-until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BilledUntil {
    /// Everything completed before that day was billed elsewhere.
    Day(Date),
    /// Nothing was billed elsewhere.
    Never,
}

impl BilledUntil {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text {
            text if text.eq_ignore_ascii_case("never") => Ok(Self::Never),
            text => whole_day(text).map(Self::Day).ok_or_else(|| {
                format!("invalid value `{text}`; write a date, for instance 2026-11-01, or `never`")
            }),
        }
    }

    /// Returns from when on nothing was billed elsewhere, and the declaration for display; `None` for a day that is out
    /// of range.
    pub(super) fn until(self, zone: &TimeZoneName) -> Option<(Option<Timestamp>, String)> {
        match self {
            Self::Never => Some((None, "never".to_owned())),
            Self::Day(day) => {
                let until = zone.start_of(day)?;
                Some((Some(until), format!("{day} ({})", zone.name())))
            }
        }
    }
}

/// The zone with an IANA name.
pub(super) fn zone(text: &str) -> Result<TimeZoneName, String> {
    let abbreviated = ABBREVIATED.iter().find(|(short, _)| same(short, text));
    let found = TimeZoneName::from_name(text).filter(|_| abbreviated.is_none());
    found.ok_or_else(|| {
        let names: Vec<String> = TimeZoneName::names().collect();
        let names = || names.iter().map(String::as_str);
        let is_place = |name: &&str| {
            name.rsplit('/')
                .next()
                .is_some_and(|place| same(place, text))
        };
        let near = abbreviated
            .map(|(_, name)| *name)
            .or_else(|| names().find(is_place))
            // A country or continent alone is the beginning of many.
            .or_else(|| nearest(text, names()).filter(|_| text.contains('/')));
        match near {
            Some(name) => format!("unknown time zone `{text}`; did you mean `{name}`?"),
            None => format!(
                "unknown time zone `{text}`; give an IANA name, for instance America/Toronto"
            ),
        }
    })
}

/// Abbreviations, and the zones that they most likely mean. `EST` and others are IANA names too, but of zones without
/// daylight saving time, in which a month ends an hour later.
const ABBREVIATED: [(&str, &str); 13] = [
    ("NST", "America/St_Johns"),
    ("AST", "America/Halifax"),
    ("ADT", "America/Halifax"),
    ("EST", "America/New_York"),
    ("EDT", "America/New_York"),
    ("CST", "America/Chicago"),
    ("CDT", "America/Chicago"),
    ("MST", "America/Denver"),
    ("MDT", "America/Denver"),
    ("PST", "America/Los_Angeles"),
    ("PDT", "America/Los_Angeles"),
    ("AKST", "America/Anchorage"),
    ("HST", "Pacific/Honolulu"),
];

/// Whether the words are the same apart from case, and from spaces in place of underscores.
fn same(known: &str, text: &str) -> bool {
    known.eq_ignore_ascii_case(&text.trim().replace(' ', "_"))
}

/// A month, written `YYYY-MM`.
pub(super) fn month(text: &str) -> Result<String, String> {
    match CompletionPeriod::from_month(text, &TimeZoneName::utc()) {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!(
            "invalid month `{text}`; write for instance 2026-10"
        )),
    }
}

/// A day, written `YYYY-MM-DD`.
pub(super) fn day(text: &str) -> Result<Date, String> {
    whole_day(text).ok_or_else(|| format!("invalid date `{text}`; write for instance 2026-10-01"))
}

/// Parses `YYYY-MM-DD` and nothing else: a time after the date would be ignored.
fn whole_day(text: &str) -> Option<Date> {
    let is_day = text.len() == "YYYY-MM-DD".len();
    text.parse().ok().filter(|_| is_day)
}
