//! The two error formats: that of the service's calls, and that of the OAuth endpoints.

use serde::Deserialize;
use serde_json::Value;

use crate::api::wire::WireError;
use crate::model::{FieldError, shortened};

/// Maximum number of characters of a message; the service limits none.
const MAX_MESSAGE_CHARS: usize = 1000;

/// The service's error object.
///
/// # Source
/// S7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::api) struct ServiceError {
    /// The code, on which clients branch.
    pub(in crate::api) code: String,
    /// The message for people.
    pub(in crate::api) message: String,
    /// The fields of a validation error; otherwise empty.
    pub(in crate::api) errors: Vec<FieldError>,
}

#[derive(Deserialize)]
struct ErrorEnvelopeJson {
    error: ErrorJson,
}

#[derive(Deserialize)]
struct ErrorJson {
    code: String,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    errors: Value,
}

/// Parses an error body. Only the code is required, because clients branch on it.
pub(in crate::api) fn service_error(json: &str) -> Result<ServiceError, WireError> {
    let ErrorEnvelopeJson { error } = serde_json::from_str(json)?;
    Ok(ServiceError {
        code: error.code,
        message: limited(error.message.as_str().unwrap_or_default()),
        errors: match &error.errors {
            Value::Null => Vec::new(),
            Value::Array(entries) => entries.iter().map(field_error).collect(),
            other => vec![field_error(other)],
        },
    })
}

/// Converts an entry. One of an undocumented shape is kept as text, for a person to read.
fn field_error(entry: &Value) -> FieldError {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    FieldError {
        field: text("field").unwrap_or_default(),
        message: limited(&text("message").unwrap_or_else(|| match entry {
            Value::String(message) => message.clone(),
            other => other.to_string(),
        })),
    }
}

fn limited(message: &str) -> String {
    shortened(message, MAX_MESSAGE_CHARS).into_owned()
}

#[derive(Deserialize)]
struct OauthErrorJson {
    error: String,
    #[serde(default)]
    error_description: Option<String>,
}

/// Parses an error of an OAuth endpoint into `error` and `error_description`.
///
/// # Source
/// RFC 6749 section 5.2; S7.
pub(in crate::api) fn oauth_error(json: &str) -> Result<(String, Option<String>), WireError> {
    let OauthErrorJson {
        error,
        error_description,
    } = serde_json::from_str(json)?;
    Ok((error, error_description))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_validation_failure_has_every_field() {
        let json = r#"{"error":{"code":"validation_failed","message":"no","errors":[
            {"field":"customer","message":"email or phone is required"},{"field":"x.y","message":"?"}]}}"#;
        let error = service_error(json).unwrap();
        assert_eq!(error.code, "validation_failed");
        let fields: Vec<_> = error.errors.iter().map(|e| e.field.as_str()).collect();
        assert_eq!(fields, ["customer", "x.y"]);
    }

    #[test]
    fn an_entry_of_another_shape_is_kept_as_text() {
        for (errors, field, message) in [
            (r#"[{"field":null,"message":"odd"}]"#, "", "odd"),
            (r#"[{"field":["a","b"],"message":"odd"}]"#, "", "odd"),
            (r#"[{"field":"notes"}]"#, "notes", r#"{"field":"notes"}"#),
            (r#"["odd"]"#, "", "odd"),
            (r#"{"notes":["odd"]}"#, "", r#"{"notes":["odd"]}"#),
            ("17", "", "17"),
        ] {
            let json = format!(
                r#"{{"error":{{"code":"validation_failed","message":"no","errors":{errors}}}}}"#
            );
            let expected = FieldError {
                field: field.to_owned(),
                message: message.to_owned(),
            };
            assert_eq!(service_error(&json).unwrap().errors, [expected]);
        }
        let silent = r#"{"error":{"code":"server_error","message":7,"errors":null}}"#;
        assert!(service_error(silent).unwrap().errors.is_empty());
    }

    #[test]
    fn the_two_shapes_are_not_taken_for_each_other() {
        assert!(service_error(r#"{"error":"invalid_grant"}"#).is_err());
        assert!(oauth_error(r#"{"error":{"code":"not_found","message":""}}"#).is_err());
        assert_eq!(
            oauth_error(r#"{"error":"invalid_grant","error_description":"used"}"#).unwrap(),
            ("invalid_grant".to_owned(), Some("used".to_owned()))
        );
    }
}
