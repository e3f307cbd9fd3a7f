//! A message of the service about a field of a request.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::Field;

/// One entry of a 422. The journal stores it as JSON.
///
/// # Source
/// S7, `error.errors`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    /// The service's path, for instance `customer.email`; may be undocumented, and is empty for a message about the whole
    /// row.
    pub field: String,
    /// The message.
    pub message: String,
}

impl FieldError {
    /// A message about the whole row.
    pub fn of_row(message: impl Into<String>) -> Self {
        Self {
            field: String::new(),
            message: message.into(),
        }
    }

    /// The field and the message; if the path is undocumented, the message begins with it.
    pub fn by_field(&self) -> (Option<Field>, String) {
        match Field::from_wire_path(&self.field) {
            Some(field) => (Some(field), self.message.clone()),
            None => (None, self.to_string()),
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            return formatter.write_str(&self.message);
        }
        write!(formatter, "{}: {}", self.field, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documented_path_becomes_a_field_and_another_stays_in_the_message() {
        let error = |field: &str| FieldError {
            field: field.to_owned(),
            message: "is odd: very".to_owned(),
        };
        assert_eq!(
            error("customer.email").by_field(),
            (Some(Field::Email), "is odd: very".to_owned())
        );
        assert_eq!(
            error("customer.age").by_field(),
            (None, "customer.age: is odd: very".to_owned())
        );
        let of_row = FieldError::of_row("too old");
        assert_eq!(of_row.by_field(), (None, "too old".to_owned()));
    }
}
