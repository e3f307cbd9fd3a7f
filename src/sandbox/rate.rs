//! The quota, written as `600/1h`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A number of requests in any window of this length.
///
/// # Source
/// S8, rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// At least 1.
    pub count: u32,
    /// Not zero.
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

/// The text is not a rate; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid rate `{0}`: write a count and a window, such as 600/1h or 600/6s")]
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
    // `600/h` means `600/1h`.
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
