//! Whether an answer is of its example's shape: the same keys, kinds and fixed words, and what the call said said again.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::Value;

/// Keys whose words are part of the contract.
const FIXED: [&str; 4] = ["code", "field", "status", "token_type"];

/// Keys that may be null even in an example that shows a value.
///
/// # Source
/// S2.4.
const NULLABLE: [&str; 3] = ["gutter_size_in", "installer_message", "size_in"];

/// What differs between an example's body and an answer's, each with its place.
pub(super) fn differences(
    expected: &Value,
    actual: &Value,
    said: &BTreeSet<String>,
) -> Vec<String> {
    let mut found = Vec::new();
    compare("", expected, actual, said, &mut found);
    found
}

/// Every text of a body.
pub(super) fn texts(value: &Value) -> BTreeSet<String> {
    match value {
        Value::String(text) => BTreeSet::from([text.clone()]),
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => BTreeSet::new(),
    }
}

fn compare(
    place: &str,
    expected: &Value,
    actual: &Value,
    said: &BTreeSet<String>,
    found: &mut Vec<String>,
) {
    let key = place.rsplit('.').next().unwrap_or_default();
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            let keys: BTreeSet<&String> = expected.keys().chain(actual.keys()).collect();
            for key in keys {
                let inner = format!("{place}.{key}");
                match (expected.get(key), actual.get(key)) {
                    (Some(expected), Some(actual)) => {
                        compare(&inner, expected, actual, said, found);
                    }
                    (Some(_), None) => found.push(format!("{inner} is missing")),
                    _ => found.push(format!("{inner} is not in the example")),
                }
            }
        }
        (Value::Array(expected), Value::Array(actual)) => {
            for item in actual {
                compare(place, &expected[0], item, said, found);
            }
        }
        (_, Value::Null) if NULLABLE.contains(&key) => {}
        _ => {
            let exact =
                FIXED.contains(&key) || expected.as_str().is_some_and(|it| said.contains(it));
            if exact && expected != actual || kind(expected) != kind(actual) {
                found.push(format!("{place} is {actual}, and not as {expected}"));
            }
        }
    }
}

/// What a value looks like.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "truth value",
        Value::Number(number) if number.is_u64() => "integer",
        // A number of feet may be whole by chance; an integer never has a fraction.
        Value::Number(_) => "number",
        Value::String(text) if text.starts_with("msr_") => "measurement id",
        Value::String(text) if text.starts_with("req_") => "request id",
        Value::String(text) if text.ends_with('Z') && text.parse::<Timestamp>().is_ok() => "time",
        Value::String(text) if text.contains("://") => "address",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}
