//! A quota: the number of requests allowed in any window of a given length.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A quota such as `600/1h`.
///
/// # Source
/// S8, rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Number of requests; at least 1.
    pub count: u32,
    /// Length of the window; longer than zero.
    pub window: Duration,
}

impl Rate {
    /// The quota that the service documents: 600 requests per hour and team.
    pub const DOCUMENTED: Self = Self {
        count: 600,
        window: Duration::from_hours(1),
    };
}

/// A longer window is taken for a typing error.
const LONGEST_WINDOW: Duration = Duration::from_secs(366 * 24 * 3600);

/// Error for a text that is not a rate. It holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rate: write a count and a window, for instance 600/1h or 600/6s")]
pub struct RateError(String);

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        let refuse = || RateError(text.to_owned());
        let (number, unit) = text.split_once('/').ok_or_else(refuse)?;
        let count = number.trim().parse().map_err(|_| refuse())?;
        // A unit without a number means one: `600/h`.
        let one = match unit.trim() {
            unit if unit.starts_with(|c: char| c.is_ascii_digit()) => "",
            _ => "1",
        };
        let duration = format!("{one}{}", unit.trim()).parse::<jiff::SignedDuration>();
        let window = Duration::try_from(duration.map_err(|_| refuse())?).map_err(|_| refuse())?;
        if count == 0 || window.is_zero() || window > LONGEST_WINDOW {
            return Err(refuse());
        }
        Ok(Self { count, window })
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let window =
            jiff::SignedDuration::try_from(self.window).unwrap_or(jiff::SignedDuration::MAX);
        write!(formatter, "{}/{window:#}", self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_reads_as_people_write_it() {
        assert_eq!("600/1h".parse(), Ok(Rate::DOCUMENTED));
        assert_eq!("600/h".parse(), Ok(Rate::DOCUMENTED));
        assert_eq!(
            "60/3s".parse(),
            Ok(Rate {
                count: 60,
                window: Duration::from_secs(3)
            })
        );
        assert_eq!(
            "60/500ms".parse(),
            Ok(Rate {
                count: 60,
                window: Duration::from_millis(500)
            })
        );
    }

    #[test]
    fn a_rate_of_nothing_is_refused() {
        for text in [
            "",
            "600",
            "0/1h",
            "600/0s",
            "-1/1h",
            "x/1h",
            "600/later",
            "1/9000000h",
        ] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_rate_prints_as_it_reads() {
        assert_eq!(Rate::DOCUMENTED.to_string(), "600/1h");
    }
}
