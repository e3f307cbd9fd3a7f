//! The quota as a person writes it: `600/1h`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// So many requests in any window of such a length.
///
/// # Source
/// S8, rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// At least 1.
    pub count: u32,
    /// Longer than nothing.
    pub window: Duration,
}

impl Default for Rate {
    fn default() -> Self {
        Self {
            count: 600,
            window: Duration::from_hours(1),
        }
    }
}

/// A text that is no rate; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no rate; write a count and a window, for instance 600/1h or 600/6s")]
pub struct RateError(pub String);

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        parse(text).ok_or_else(|| RateError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Rate> {
    let (count, window) = text.split_once('/')?;
    let count = count.trim().parse().ok().filter(|count| *count > 0)?;
    let window = window.trim();
    // A bare unit means one of it: `600/h`.
    let window = if window.starts_with(|first: char| first.is_ascii_digit()) {
        window.to_owned()
    } else {
        format!("1{window}")
    };
    let window: jiff::SignedDuration = window.parse().ok()?;
    let window = Duration::try_from(window).ok()?;
    (!window.is_zero()).then_some(Rate { count, window })
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
    fn a_rate_reads_as_it_is_written() {
        for text in ["600/1h", "600/6s", "1/500ms"] {
            assert_eq!(text.parse::<Rate>().unwrap().to_string(), text);
        }
        assert_eq!("600/h".parse(), Ok(Rate::default()));
    }

    #[test]
    fn a_rate_of_nothing_is_refused() {
        for text in ["", "600", "0/1h", "600/0s", "-1/1h", "x/1h", "600/soon"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
