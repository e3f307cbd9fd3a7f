//! How many rows an import submits, and when it stops.

/// How many rows an import submits, and when it stops.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// Maximum number of rows to submit.
    pub limit: Option<u64>,
    /// Number of rows that are submitted before the user is asked about the rest.
    pub canary: Option<u64>,
    /// Whether no row is submitted while any row is invalid.
    pub all_or_nothing: bool,
    /// Whether rows that the service refused before, and that have not changed since, are submitted again.
    pub retry_refused: bool,
    /// Whether rows whose house was requested before under another id are submitted; otherwise they are rejected until
    /// the user decides.
    pub allow_same_house: bool,
    /// How many refusals end the run.
    pub max_refused: MaxRefused,
}

/// How many refusals end a run, because something is probably wrong with all rows and each costs a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaxRefused {
    /// This many consecutive rows.
    InARow(u64),
    /// This many rows in total.
    Count(u64),
    /// This percentage of the rows to submit, from 0 to 100.
    Percent(f64),
}

impl Default for MaxRefused {
    fn default() -> Self {
        Self::InARow(10)
    }
}

impl std::str::FromStr for MaxRefused {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let invalid = || format!("`{text}` is neither a count nor a percentage; write 25 or 5%");
        match text.trim().strip_suffix('%') {
            Some(percent) => percent
                .trim()
                .parse()
                .ok()
                .filter(|percent| (0.0..=100.0).contains(percent))
                .map(Self::Percent)
                .ok_or_else(invalid),
            None => text.trim().parse().map(Self::Count).map_err(|_| invalid()),
        }
    }
}

/// Counts the refusals of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefusalCounter {
    max: MaxRefused,
    of_rows: u64,
    all: u64,
    in_a_row: u64,
}

impl RefusalCounter {
    pub(super) fn new(max: MaxRefused, of_rows: u64) -> Self {
        Self {
            max,
            of_rows,
            all: 0,
            in_a_row: 0,
        }
    }

    /// Number of rows that were refused so far.
    pub(super) fn all(&self) -> u64 {
        self.all
    }

    /// Counts a row that was not refused.
    pub(super) fn accepted(&mut self) {
        self.in_a_row = 0;
    }

    /// Counts a refused row; returns the number of refused rows if the run is to end.
    #[expect(
        clippy::cast_precision_loss,
        reason = "rows are far fewer than a float counts exactly"
    )]
    pub(super) fn refused(&mut self) -> Option<u64> {
        self.all += 1;
        self.in_a_row += 1;
        let over = match self.max {
            MaxRefused::InARow(most) => self.in_a_row >= most,
            MaxRefused::Count(most) => self.all >= most.max(1),
            MaxRefused::Percent(percent) => {
                self.all as f64 * 100.0 >= percent * self.of_rows as f64
            }
        };
        over.then_some(self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(max: &str, of_rows: u64, pattern: &str) -> Option<usize> {
        let mut refusals = RefusalCounter::new(max.parse().unwrap_or_default(), of_rows);
        pattern.chars().position(|row| {
            if row == 'x' {
                return refusals.refused().is_some();
            }
            refusals.accepted();
            false
        })
    }

    #[test]
    fn ten_in_a_row_end_a_run_unless_the_user_says_otherwise() {
        assert_eq!(refused("", 100, "xxxxxxxxx.xxxxxxxxx"), None);
        assert_eq!(refused("", 100, "xxxxxxxxxx"), Some(9));
        assert_eq!(refused("3", 100, "x.x.x"), Some(4));
        assert_eq!(refused("5%", 40, "x...x"), Some(4));
        assert_eq!(refused("50", 100, "xxxxxxxxxxxx"), None);
    }

    #[test]
    fn a_share_of_refusals_is_a_count_or_a_percentage() {
        assert_eq!("25".parse(), Ok(MaxRefused::Count(25)));
        assert_eq!("2.5%".parse(), Ok(MaxRefused::Percent(2.5)));
        for wrong in ["", "many", "-1", "101%", "NaN%"] {
            assert!(wrong.parse::<MaxRefused>().is_err(), "{wrong}");
        }
    }
}
