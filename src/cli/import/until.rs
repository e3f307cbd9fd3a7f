//! `--until TIME`: a time of day, a date with a time, or a duration from now.

use jiff::civil::{DateTime, Time};
use jiff::{SignedDuration, Timestamp, Zoned};

/// Parses a time relative to `now` and its time zone; a time of day that has passed is tomorrow's.
pub(super) fn until(text: &str, now: &Zoned) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment);
    }
    let zone = now.time_zone().clone();
    // A date with a time is tried first, because it can be parsed as a time of day too.
    if let Ok(moment) = text.parse::<DateTime>() {
        return moment.to_zoned(zone).ok().map(|moment| moment.timestamp());
    }
    if let Some(time) = time_of_day(text) {
        let today = now.date().to_datetime(time).to_zoned(zone.clone()).ok()?;
        let tomorrow = || {
            now.date()
                .tomorrow()
                .ok()?
                .to_datetime(time)
                .to_zoned(zone)
                .ok()
        };
        let moment = if today > *now {
            Some(today)
        } else {
            tomorrow()
        };
        return moment.map(|moment| moment.timestamp());
    }
    let long = text.parse::<SignedDuration>().ok();
    let long = long.filter(|long| *long > SignedDuration::ZERO)?;
    now.timestamp().checked_add(long).ok()
}

/// Returns the words of a command without an `--until` whose time has passed and never comes again, which a date is; none
/// if there is none.
pub(super) fn without_passed(words: &[String], now: &Zoned) -> Option<Vec<String>> {
    let has_passed = |text: &str| until(text, now).is_some_and(|time| time <= now.timestamp());
    let mut words = words.to_vec();
    let flag = words.iter().position(|word| word.starts_with("--until"))?;
    let joined = words[flag].strip_prefix("--until=");
    let (value, count) = match joined {
        Some(value) => (value, 1),
        None => (words.get(flag + 1)?.as_str(), 2),
    };
    has_passed(value).then(|| words.drain(flag..flag + count))?;
    Some(words)
}

/// Parses `17:30` or `17:30:15`; a plain number is not a time.
fn time_of_day(text: &str) -> Option<Time> {
    text.contains(':').then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_four() -> Zoned {
        "2026-11-21T16:00:00-05:00[America/Toronto]"
            .parse()
            .unwrap()
    }

    fn at(text: &str) -> Option<String> {
        until(text, &at_four()).map(|moment| moment.to_string())
    }

    #[test]
    fn a_time_of_day_is_the_next_one() {
        assert_eq!(at("17:30").as_deref(), Some("2026-11-21T22:30:00Z"));
        assert_eq!(at("07:00").as_deref(), Some("2026-11-22T12:00:00Z"));
    }

    #[test]
    fn a_date_or_a_duration_is_as_good() {
        assert_eq!(
            at("2026-11-23 08:00").as_deref(),
            Some("2026-11-23T13:00:00Z")
        );
        assert_eq!(
            at("2026-11-23T08:00:00Z").as_deref(),
            Some("2026-11-23T08:00:00Z")
        );
        assert_eq!(at("2h").as_deref(), Some("2026-11-21T23:00:00Z"));
    }

    #[test]
    fn a_command_to_resume_has_no_time_that_has_passed() {
        let now = at_four();
        let without = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            without_passed(&words, &now).map(|words| words.join(" "))
        };
        let line = "import l.csv --yes";
        for passed in ["--until 2026-11-21T15:59", "--until=2026-11-21T21:00:00Z"] {
            let typed = format!("import l.csv {passed} --yes");
            assert_eq!(without(&typed).as_deref(), Some(line), "{passed}");
        }
        for coming in ["--until 15:00", "--until 2h", "--until 2026-11-22T08:00"] {
            assert_eq!(without(&format!("{line} {coming}")), None, "{coming}");
        }
        assert_eq!(without(line), None);
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in ["", "later", "25:00", "-2h", "7", "99999999h"] {
            assert_eq!(at(text), None, "{text}");
        }
    }
}
