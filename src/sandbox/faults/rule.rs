//! One rule of a faults file: which calls it matches, how often it fires, and what it does.

use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::sandbox::faults::FaultsError;

/// A rule: a fault, and the calls that it is injected into.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(expecting = "a rule, which is an object")]
pub(in crate::sandbox) struct Rule {
    #[serde(flatten)]
    pub(super) conditions: Conditions,
    #[serde(flatten)]
    pub(super) action: Action,
}

/// Which calls a rule matches, and how often it fires.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Conditions {
    pub(super) method: Option<String>,
    pub(super) path: Option<Pattern>,
    pub(super) external_id: Option<Pattern>,
    /// The positions, among all calls that match, at which the rule fires; the first is 1.
    pub(super) nth: Option<Vec<u64>>,
    /// The same, among calls with the same method, path and external id.
    pub(super) attempt: Option<Vec<u64>>,
    /// The probability that it fires, between 0 and 1.
    pub(super) chance: Option<f64>,
    /// The maximum number of times.
    pub(super) times: Option<u64>,
    /// Whether the call is handled although the client does not get its response.
    #[serde(default)]
    pub(super) handled: bool,
}

/// What happens to a call. The braces make serde reject values that an action does not use.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Action {
    Status {
        status: u16,
        retry_after: Option<String>,
    },
    Drop {},
    CutBody {},
    Delay {
        #[serde(rename = "for", deserialize_with = "duration")]
        duration: Duration,
    },
    Html {},
    NoId {},
    OtherMeasurement {},
    UnknownFields {},
    Redirect {
        to: String,
    },
    Revoke {},
}

/// A text to match, or a prefix where it ends with `*`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
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
    rules: Vec<Rule>,
}

/// Reads the rules of a file.
pub(super) fn read(text: &str) -> Result<Vec<Rule>, FaultsError> {
    let file: File = serde_json::from_str(text).map_err(|error| FaultsError(in_words(&error)))?;
    for (rule, number) in file.rules.iter().zip(1..) {
        rule.check()
            .map_err(|why| FaultsError(format!("rule {number}: {why}")))?;
    }
    Ok(file.rules)
}

/// The library's reason, behind its place and without its terms.
fn in_words(error: &serde_json::Error) -> String {
    let (line, column, reason) = (error.line(), error.column(), error.to_string());
    let reason = reason.replace(&format!(" at line {line} column {column}"), "");
    let terms = [
        ("EOF while parsing a", "the file ends before the end of a"),
        ("unknown variant", "there is no fault"),
        ("unknown field", "there is no key"),
        ("missing field", "there must be a key"),
        (", expected", "; expected"),
    ];
    let reason = terms
        .iter()
        .fold(reason, |reason, (term, words)| reason.replace(term, words));
    format!("line {line}, column {column}: {reason}")
}

impl Rule {
    fn check(&self) -> Result<(), &'static str> {
        let chance = self.conditions.chance.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&chance) {
            return Err("`chance` must be between 0 and 1");
        }
        match &self.action {
            Action::Status { status, .. } if !(200..=599).contains(status) => {
                Err("`status` must be between 200 and 599")
            }
            Action::Redirect { to } if !is_address(to) => Err("`to` must be an address"),
            _ => Ok(()),
        }
    }
}

fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let duration: Option<jiff::SignedDuration> = String::deserialize(deserializer)?.parse().ok();
    duration
        .and_then(|duration| Duration::try_from(duration).ok())
        .ok_or_else(|| D::Error::custom("`for` must be a time such as 2s or 300ms"))
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
        let conditions = &rule.conditions;
        assert_eq!(conditions.method.as_deref(), Some("post"));
        assert!(conditions.external_id.as_ref().unwrap().matches("L-12"));
        assert!(
            !conditions
                .path
                .as_ref()
                .unwrap()
                .matches("/measurements/msr_1")
        );
        assert!(conditions.handled);
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
            ("", "the file ends before the end of a value"),
            ("[]", "a list of `rules`"),
            (
                r#"{"rules": [{"do": "explode"}]}"#,
                "line 1, column 28: there is no fault `explode`; expected one of `status`",
            ),
            (
                r#"{"rules": [{"do": "drop", "often": 1}]}"#,
                "there is no key `often`",
            ),
            (r#"{"rules": [{"chance": 1}]}"#, "there must be a key `do`"),
            (
                r#"{"rules": [{"do": "drop"}, {"do": "status"}]}"#,
                "`status`",
            ),
            (
                r#"{"rules": [{"do": "drop"}, {"do": "status", "status": 42}]}"#,
                "rule 2",
            ),
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
