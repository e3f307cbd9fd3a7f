//! Which rule, if any, fires at a call.

use std::collections::HashMap;

use rand::RngExt as _;

use crate::sandbox::faults::Faults;
use crate::sandbox::faults::rule::{Conditions, Rule};
use crate::sandbox::random::seeded_rng;
use crate::sandbox::received_call::ReceivedCall;

/// How often each rule matched and fired, and how often each call arrived.
#[derive(Debug, Default)]
pub(super) struct FaultCounts {
    matched: HashMap<usize, u64>,
    fired: HashMap<usize, u64>,
    attempts: HashMap<String, u64>,
}

impl Faults {
    /// Counts a call and returns the first rule that fires. Chance depends on the seed and the call only,
    /// so the order in which calls arrive does not change it.
    pub(in crate::sandbox) fn fault_for(&self, seed: u64, call: &ReceivedCall) -> Option<Rule> {
        let mut counts = self.counts.lock().expect("no holder of this lock panics");
        let name = format!(
            "{} {} {}",
            call.method,
            call.path,
            call.external_id.as_deref().unwrap_or_default()
        );
        let attempt = increment(counts.attempts.entry(name.clone()).or_default());
        for (index, rule) in self.rules.iter().enumerate() {
            let conditions = &rule.conditions;
            if !conditions.matches(call) {
                continue;
            }
            let nth = increment(counts.matched.entry(index).or_default());
            let fired = counts.fired.entry(index).or_default();
            let subject = [index.to_string(), name.clone(), attempt.to_string()];
            let chance = conditions.chance.unwrap_or(1.0);
            if conditions.fires(nth, attempt, *fired) && is_drawn(seed, &subject, chance) {
                increment(fired);
                return Some(rule.clone());
            }
        }
        None
    }
}

impl Conditions {
    fn matches(&self, call: &ReceivedCall) -> bool {
        let method = self.method.as_ref();
        let path = self.path.as_ref();
        let external_id = self.external_id.as_ref();
        let id = call.external_id.as_deref();
        method.is_none_or(|method| method.eq_ignore_ascii_case(&call.method))
            && path.is_none_or(|path| path.matches(&call.path))
            && external_id.is_none_or(|pattern| id.is_some_and(|id| pattern.matches(id)))
    }

    fn fires(&self, nth: u64, attempt: u64, fired: u64) -> bool {
        let listed = |numbers: &Option<Vec<u64>>, number| {
            numbers
                .as_ref()
                .is_none_or(|numbers| numbers.contains(&number))
        };
        fired < self.times.unwrap_or(u64::MAX)
            && listed(&self.nth, nth)
            && listed(&self.attempt, attempt)
    }
}

fn increment(count: &mut u64) -> u64 {
    *count += 1;
    *count
}

fn is_drawn(seed: u64, subject: &[String; 3], share: f64) -> bool {
    let [rule, call, attempt] = subject;
    seeded_rng(seed, &["fault", rule, call, attempt]).random_bool(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn create(external_id: &str) -> ReceivedCall {
        ReceivedCall {
            method: "POST".to_owned(),
            path: "/measurements".to_owned(),
            status: None,
            external_id: Some(external_id.to_owned()),
        }
    }

    fn faults(rule: &str) -> Faults {
        format!(r#"{{"rules": [{rule}]}}"#).parse().unwrap()
    }

    #[test]
    fn an_attempt_is_counted_by_its_external_id() {
        let faults = faults(r#"{"do": "drop", "attempt": [2]}"#);
        let drawn = ["a", "b", "a", "b", "a"].map(|id| faults.fault_for(1, &create(id)).is_some());
        assert_eq!(drawn, [false, false, true, true, false]);
    }

    #[test]
    fn a_rule_fires_at_most_so_many_times() {
        let faults = faults(r#"{"do": "drop", "times": 2}"#);
        let drawn = [1, 2, 3].map(|_| faults.fault_for(1, &create("a")).is_some());
        assert_eq!(drawn, [true, true, false]);
    }

    #[test]
    fn chance_falls_the_same_way_in_any_order() {
        let ids: Vec<String> = (0..1_000).map(|id| id.to_string()).collect();
        let rule = r#"{"do": "drop", "chance": 0.2}"#;
        let fallen = |ids: &[String]| -> Vec<String> {
            let faults = faults(rule);
            let mut hit: Vec<String> = ids.to_vec();
            hit.retain(|id| faults.fault_for(7, &create(id)).is_some());
            hit.sort();
            hit
        };
        let mut backwards = ids.clone();
        backwards.reverse();
        assert_eq!(fallen(&ids), fallen(&backwards));
        assert!((150..250).contains(&fallen(&ids).len()));
    }
}
