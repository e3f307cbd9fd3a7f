//! The two error shapes: the service's own, and that of the OAuth endpoints.

use serde::Deserialize;

use crate::api::FieldError;
use crate::api::wire::NotOurs;

/// The service's error object.
///
/// # Source
/// S7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::api) struct ServiceError {
    /// What clients branch on.
    pub(in crate::api) code: String,
    /// For people.
    pub(in crate::api) message: String,
    /// With a validation failure only.
    pub(in crate::api) errors: Vec<FieldError>,
}

#[derive(Deserialize)]
struct Envelope {
    error: ErrorJson,
}

#[derive(Deserialize)]
struct ErrorJson {
    code: String,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    errors: Option<Vec<FieldJson>>,
}

#[derive(Deserialize)]
struct FieldJson {
    #[serde(default)]
    field: String,
    #[serde(default)]
    message: String,
}

/// Reads an error body. Only the code is insisted on: it is what a client branches on.
pub(in crate::api) fn service_error(json: &str) -> Result<ServiceError, NotOurs> {
    let Envelope { error } = serde_json::from_str(json)?;
    let errors = error.errors.unwrap_or_default().into_iter();
    Ok(ServiceError {
        code: error.code,
        message: error.message.unwrap_or_default(),
        errors: errors
            .map(|FieldJson { field, message }| FieldError { field, message })
            .collect(),
    })
}

#[derive(Deserialize)]
struct OauthErrorJson {
    error: String,
    #[serde(default)]
    error_description: Option<String>,
}

/// Reads an error of an OAuth endpoint as (`error`, `error_description`).
///
/// # Source
/// RFC 6749 section 5.2; S7.
pub(in crate::api) fn oauth_error(json: &str) -> Result<(String, Option<String>), NotOurs> {
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
    fn a_validation_failure_keeps_every_field() {
        let json = r#"{"error":{"code":"validation_failed","message":"no","errors":[
            {"field":"customer","message":"email or phone is required"},{"field":"x.y","message":"?"}]}}"#;
        let error = service_error(json).unwrap();
        assert_eq!(error.code, "validation_failed");
        let fields: Vec<_> = error.errors.iter().map(|e| e.field.as_str()).collect();
        assert_eq!(fields, ["customer", "x.y"]);
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
