//! One rule of a faults file: which calls it matches, how often it fires, and what it does.

use std::time::Duration;

use serde::Deserialize;

use crate::sandbox::faults::FaultsError;

/// A checked rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rule {
    pub(super) method: Option<String>,
    pub(super) path: Option<Pattern>,
    pub(super) external_id: Option<Pattern>,
    /// The positions, among all calls that match, at which the rule fires; the first is 1.
    pub(super) nth: Option<Vec<u64>>,
    /// The same, among calls with the same method, path and external id.
    pub(super) attempt: Option<Vec<u64>>,
    /// The probability that it fires, between 0 and 1.
    pub(super) chance: f64,
    /// The maximum number of times.
    pub(super) times: u64,
    pub(super) handling: Handling,
    pub(super) action: Action,
}

/// Whether the call is handled although the client does not get its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handling {
    Skipped,
    Done,
}

/// What happens to a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    Status {
        status: u16,
        retry_after: Option<String>,
    },
    Drop,
    CutBody,
    Delay(Duration),
    Html,
    NoId,
    OtherMeasurement,
    UnknownFields,
    Redirect {
        to: String,
    },
    Revoke,
}

/// A text to match, or a prefix where it ends with `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(String);

impl Pattern {
    pub(super) fn matches(&self, text: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some(beginning) => text.starts_with(beginning),
            None => text == self.0,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a list of `rules`")]
struct File {
    rules: Vec<RuleText>,
}

/// A rule as written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a rule, which is an object")]
struct RuleText {
    #[serde(rename = "do")]
    action: ActionName,
    method: Option<String>,
    path: Option<String>,
    external_id: Option<String>,
    nth: Option<Vec<u64>>,
    attempt: Option<Vec<u64>>,
    chance: Option<f64>,
    times: Option<u64>,
    #[serde(default)]
    handled: bool,
    status: Option<u16>,
    retry_after: Option<String>,
    #[serde(rename = "for")]
    duration: Option<String>,
    to: Option<String>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum ActionName {
    Status,
    Drop,
    CutBody,
    Delay,
    Html,
    NoId,
    OtherMeasurement,
    UnknownFields,
    Redirect,
    Revoke,
}

/// Reads the rules of a file.
pub(super) fn read(text: &str) -> Result<Vec<Rule>, FaultsError> {
    let file: File = serde_json::from_str(text).map_err(|error| FaultsError(error.to_string()))?;
    let rules = file.rules.into_iter().enumerate();
    rules
        .map(|(index, written)| {
            written
                .into_rule()
                .map_err(|why| FaultsError(format!("rule {}: {why}", index + 1)))
        })
        .collect()
}

impl RuleText {
    fn into_rule(self) -> Result<Rule, String> {
        let action = self.action()?;
        let chance = self.chance.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&chance) {
            return Err("`chance` must be between 0 and 1".to_owned());
        }
        Ok(Rule {
            action,
            method: self.method.map(|method| method.to_uppercase()),
            path: self.path.map(Pattern),
            external_id: self.external_id.map(Pattern),
            nth: self.nth,
            attempt: self.attempt,
            chance,
            times: self.times.unwrap_or(u64::MAX),
            handling: if self.handled {
                Handling::Done
            } else {
                Handling::Skipped
            },
        })
    }

    fn action(&self) -> Result<Action, String> {
        self.reject_unused_values()?;
        Ok(match self.action {
            ActionName::Status => Action::Status {
                status: self
                    .status
                    .filter(|status| (200..=599).contains(status))
                    .ok_or("`do`: `status` needs a `status` between 200 and 599")?,
                retry_after: self.retry_after.clone(),
            },
            ActionName::Drop => Action::Drop,
            ActionName::CutBody => Action::CutBody,
            ActionName::Delay => Action::Delay(self.delay()?),
            ActionName::Html => Action::Html,
            ActionName::NoId => Action::NoId,
            ActionName::OtherMeasurement => Action::OtherMeasurement,
            ActionName::UnknownFields => Action::UnknownFields,
            ActionName::Redirect => Action::Redirect {
                to: self
                    .to
                    .clone()
                    .filter(|to| is_address(to))
                    .ok_or("`do`: `redirect` needs `to`, an address")?,
            },
            ActionName::Revoke => Action::Revoke,
        })
    }

    fn delay(&self) -> Result<Duration, &'static str> {
        let text = self.duration.as_deref().unwrap_or_default();
        let duration: Option<jiff::SignedDuration> = text.parse().ok();
        duration
            .and_then(|duration| Duration::try_from(duration).ok())
            .ok_or("`do`: `delay` needs `for`, a time such as 2s or 300ms")
    }

    /// Rejects a value that the action does not use.
    fn reject_unused_values(&self) -> Result<(), String> {
        let values = [
            ("status", self.status.is_some(), ActionName::Status),
            (
                "retry_after",
                self.retry_after.is_some(),
                ActionName::Status,
            ),
            ("for", self.duration.is_some(), ActionName::Delay),
            ("to", self.to.is_some(), ActionName::Redirect),
        ];
        for (field, given, action) in values {
            if given && self.action != action {
                return Err(format!("`{field}` does not go with this `do`"));
            }
        }
        Ok(())
    }
}

/// Whether a `Location` header can hold it.
fn is_address(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_with_all_its_parts() {
        let text = r#"{"rules": [{"do": "status", "status": 503, "retry_after": "soon", "method": "post",
            "path": "/measurements", "external_id": "L-*", "attempt": [1, 2], "chance": 0.5, "times": 3,
            "handled": true}]}"#;
        let rules = read(text).unwrap();
        let [rule] = rules.as_slice() else {
            panic!("{rules:?}")
        };
        assert_eq!(rule.method.as_deref(), Some("POST"));
        assert!(rule.external_id.as_ref().unwrap().matches("L-12"));
        assert!(!rule.path.as_ref().unwrap().matches("/measurements/msr_1"));
        assert_eq!(rule.handling, Handling::Done);
        assert_eq!(
            rule.action,
            Action::Status {
                status: 503,
                retry_after: Some("soon".to_owned())
            }
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_place() {
        for (text, word) in [
            ("", "EOF"),
            ("[]", "a list of `rules`"),
            (r#"{"rules": [{"do": "explode"}]}"#, "explode"),
            (r#"{"rules": [{"do": "drop", "often": 1}]}"#, "often"),
            (r#"{"rules": [{"do": "drop"}, {"do": "status"}]}"#, "rule 2"),
            (r#"{"rules": [{"do": "status", "status": 42}]}"#, "200"),
            (r#"{"rules": [{"do": "delay", "for": "long"}]}"#, "300ms"),
            (r#"{"rules": [{"do": "redirect"}]}"#, "`to`"),
            (r#"{"rules": [{"do": "redirect", "to": "a b"}]}"#, "`to`"),
            (r#"{"rules": [7]}"#, "a rule"),
            (r#"{"rules": [{"do": "drop", "chance": 2}]}"#, "chance"),
            (r#"{"rules": [{"do": "drop", "status": 500}]}"#, "status"),
        ] {
            let FaultsError(why) = read(text).unwrap_err();
            assert!(why.contains(word), "{text}: {why}");
        }
    }
}
