//! The part of the quota that this program may use.

use std::time::Duration;

use crate::model::Rate;

/// The longest time added to a slot's window for clock drift and rounding between this machine and the service.
const MAX_MARGIN: Duration = Duration::from_secs(2);

/// The part of the quota that this program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaShare {
    /// The team's quota.
    pub rate: Rate,
    /// Requests per window that are reserved for the team's other programs.
    pub reserve: u32,
}

impl QuotaShare {
    /// Returns the number of requests per window that this program may send; at least 1.
    pub fn allowed(self) -> usize {
        self.rate.count.saturating_sub(self.reserve).max(1) as usize
    }

    /// Returns how long a slot stays taken after its end: the window, and a margin for clock drift and rounding.
    pub fn slot_lifetime(self) -> Duration {
        let margin = (self.rate.window / 2000).clamp(Duration::from_millis(2), MAX_MARGIN);
        self.rate.window + margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_held_a_two_thousandth_longer_within_limits() {
        let lifetime = |window| {
            let rate = Rate { count: 1, window };
            QuotaShare { rate, reserve: 0 }.slot_lifetime()
        };
        let seconds = Duration::from_secs_f64;
        assert_eq!(lifetime(seconds(3_600.0)), seconds(3_601.8));
        assert_eq!(lifetime(seconds(1.0)), seconds(1.002));
        assert_eq!(lifetime(seconds(86_400.0)), seconds(86_402.0));
    }
}
