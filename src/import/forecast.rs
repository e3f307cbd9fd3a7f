//! How long requests take under a quota; pure.

use std::time::Duration;

use crate::model::Rate;

/// What a run will cost, if nothing else uses the team's quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaForecast {
    /// All requests.
    pub requests: u64,
    /// Windows of the quota that they fill, the last perhaps in part.
    pub windows: u64,
    /// From the first request to the last: all windows but the last have to pass.
    pub wait: Duration,
}

/// Forecasts a run of `requests` under a quota of which `reserve` requests a window are left to others.
pub fn forecast(requests: u64, rate: Rate, reserve: u32) -> QuotaForecast {
    let free = u64::from(rate.count.saturating_sub(reserve).max(1));
    let windows = requests.div_ceil(free);
    let waits = u32::try_from(windows.saturating_sub(1)).unwrap_or(u32::MAX);
    QuotaForecast {
        requests,
        windows,
        wait: rate.window.saturating_mul(waits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_window_is_no_wait() {
        let forecast = forecast(600, Rate::DOCUMENTED, 0);
        assert_eq!((forecast.windows, forecast.wait), (1, Duration::ZERO));
    }

    #[test]
    fn ten_thousand_rows_take_sixteen_hours() {
        let forecast = forecast(10_000, Rate::DOCUMENTED, 0);
        assert_eq!(
            (forecast.windows, forecast.wait),
            (17, Duration::from_secs(16 * 3600))
        );
    }

    #[test]
    fn a_reserve_makes_windows_smaller() {
        assert_eq!(forecast(600, Rate::DOCUMENTED, 300).windows, 2);
        assert_eq!(forecast(0, Rate::DOCUMENTED, 600).windows, 0);
    }
}
